// SPDX-License-Identifier: MIT
/* Which inputs a wrong cell lacks, or holds too often: the program is run again, with values for its input by which the value of
 * the cell tells. A cell's law has to be a sum. */
#include "base/random.h"
#include "check/playback/played.h"
#include "element/operation_table.h"
#include "reductio/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 64, FOUND_MAX = 8, DIGIT_BITS = 4, INPUTS_MAX = 1 << 16 };

struct search {
    const struct rd_played_loop *loop;
    const struct rd_played_options *options;
    const struct rd_violation *violation;
    const struct rd_numeric *numeric;
    enum rd_type input_type; /* of the program's */
    struct rd_law *law;
    struct rd_law_run *run;
    size_t n, cells;
    size_t before; /* how often the program came to the annotation before, where it is no loop's */
    unsigned digits; /* inputs whose counts one run tells */
    void *values, *expected;
    unsigned runs;
    uint64_t random;
    struct {
        size_t index;
        int64_t times;
    } found[FOUND_MAX];
    size_t n_found;
    bool partial;
};

/* A whole number as an element. */
static void put(const struct search *search, size_t j, uint64_t value)
{
    const struct rd_numeric *numeric = search->numeric;
    numeric->store(search->values, j,
                   numeric->is_float ? numeric->from_double((double)value) : value);
}

/* The difference of two elements, as a whole number; false where it is none. */
static bool difference(const struct search *search, const void *actual, const void *expected,
                       size_t cell, int64_t *found)
{
    const struct rd_numeric *numeric = search->numeric;
    if (numeric->is_float) {
        const double x = numeric->to_double(numeric->load(actual, cell));
        const double y = numeric->to_double(numeric->load(expected, cell));
        if (!isfinite(x - y) || x - y != floor(x - y) || fabs(x - y) > 0x1p53)
            return false;
        *found = (int64_t)(x - y);
        return true;
    }
    const uint64_t more = numeric->load(actual, cell) - numeric->load(expected, cell);
    *found = numeric->size_bytes == 4 ? (int32_t)(uint32_t)more : (int64_t)more;
    return true;
}

static bool is_same_place(const struct rd_played_event *x, const struct rd_played_event *y)
{
    return x->site == y->site && x->instance == y->instance && x->evaluation == y->evaluation &&
           x->block == y->block && x->warp == y->warp;
}

/* Tells whether an array is what it was with the program's own inputs: nothing says then that it has taken others, which may have
 * been set behind where it takes them. */
static bool is_of_own_inputs(const struct rd_played_array *now, const struct rd_played_array *own)
{
    return memcmp(now->cells, own->cells, own->count * rd_numeric(own->type)->size_bytes) == 0;
}

/* Runs the program on the values, and tells by how much the cell is wrong then. False where that can't be told: then the
 * search is over. */
static bool run(struct search *search, int64_t *wrong)
{
    const struct rd_played_loop *loop = search->loop;
    const struct rd_played_event *at = loop->evaluations[search->violation->step];
    const void *inputs[] = {search->values};
    const struct rd_law_data data = {.numeric = search->numeric, .inputs = inputs};
    const struct rd_law_place place = {.d = search->violation->step};
    const struct rd_played_event *found = NULL;
    struct rd_played again;
    struct rd_error error;
    if (search->runs++ >= RUNS_MAX)
        return false;
    memset(search->expected, 0, search->cells * search->numeric->size_bytes);
    if (rd_law_apply(search->run, rd_law_section(search->law, 0), RD_LAW_LAW, &place, &data,
                     search->expected, NULL, NULL) != RD_OK)
        return false;
    const struct rd_played_array wanted = {
        .type = search->numeric->type, .count = search->n, .cells = search->values};
    struct rd_played_array given;
    if (rd_played_convert(&wanted, search->input_type, &given) != RD_OK)
        return false;
    const struct rd_played_array *input = &loop->inputs[0]->array; /* as the program has it */
    const bool has_run =
        rd_played_store(input, search->n, given.cells) &&
        search->options->again->run(
            search->options->again->self, loop->inputs[0]->site, given.cells,
            input->narrow_bytes ? rd_played_bytes(input, search->n)
                                : search->n * rd_numeric(search->input_type)->size_bytes,
            &again, &error) == RD_OK;
    free(given.cells);
    if (!has_run)
        return false;
    size_t before = search->before;
    for (size_t k = 0; k < again.n_events && !again.unsound && !found; k++)
        if (is_same_place(&again.events[k], at) && before-- == 0)
            found = &again.events[k];
    const bool told =
        found && !found->lack && found->array.type == at->array.type &&
        found->array.count == at->array.count && !is_of_own_inputs(&found->array, &at->array) &&
        memcmp(found->values, at->values, loop->annotation->n_names * sizeof *at->values) == 0 &&
        difference(search, found->array.cells, search->expected, search->violation->cell, wrong);
    rd_played_finish(&again);
    return told;
}

static void clear(const struct search *search)
{
    memset(search->values, 0, search->n * search->numeric->size_bytes);
}

/* The cell's difference in digits, of which some are negative. */
static bool read_digits(struct search *search, size_t first, size_t last)
{
    enum { BASE = 1 << DIGIT_BITS };
    int64_t wrong;
    clear(search);
    for (size_t j = first; j < last; j++)
        put(search, j, (uint64_t)1 << DIGIT_BITS * (j - first));
    if (!run(search, &wrong))
        return false;
    for (size_t j = first; j < last && wrong != 0; j++) {
        int64_t times = wrong & (BASE - 1);
        times = times >= BASE / 2 ? times - BASE : times;
        wrong = (wrong - times) / BASE;
        if (times != 0 && search->n_found == FOUND_MAX)
            search->partial = true;
        else if (times != 0) {
            search->found[search->n_found].index = j;
            search->found[search->n_found++].times = times;
        }
    }
    return true;
}

/* Finds the inputs in [first, last) by which the cell differs. */
static bool narrow(struct search *search, size_t first, size_t last)
{
    int64_t wrong = 0;
    if (search->partial)
        return true;
    clear(search);
    for (size_t j = first; j < last; j++)
        put(search, j, 1 + (rd_random(&search->random) & 0xff));
    if (!run(search, &wrong))
        return false;
    if (wrong == 0)
        return true;
    if (last - first <= search->digits)
        return read_digits(search, first, last);
    const size_t middle = first + (last - first) / 2;
    return narrow(search, first, middle) && narrow(search, middle, last);
}

/* Holds what was found against other values: a cell that is no sum of the inputs, or whose array got its values from elsewhere,
 * seems to hold some. */
static bool is_confirmed(struct search *search)
{
    const unsigned digits = rd_numeric(search->input_type)->digits;
    const uint64_t largest = digits < 16 ? ((uint64_t)1 << digits) - 1 : 0xffff;
    int64_t wrong, predicted = 0;
    clear(search);
    for (size_t k = 0; k < search->n_found; k++) {
        const uint64_t value = 1 + (rd_random(&search->random) & largest);
        put(search, search->found[k].index, value);
        predicted += search->found[k].times * (int64_t)value;
    }
    search->runs = 0; /* it may have been the last but one */
    return run(search, &wrong) && wrong == predicted;
}

/* Other operations than sums say nothing by digits. */
static bool is_sum(const char *law)
{
#define OF(name, NAME, selects, integers) #name " of",
    static const char *const others[] = {RD_OPERATIONS_OVER(OF) NULL};
#undef OF
    for (size_t k = 0; others[k]; k++)
        if (strstr(law, others[k]))
            return false;
    return true;
}

/* Inputs whose counts a number of the type has room for, and one digit more. */
static unsigned digits_of(enum rd_type type)
{
    const struct rd_numeric *numeric = rd_numeric(type);
    return numeric->is_float ? (numeric->digits - DIGIT_BITS) / DIGIT_BITS
                             : 8 * (unsigned)numeric->size_bytes / DIGIT_BITS - 1;
}

static bool prepare(struct search *search)
{
    const struct rd_played_loop *loop = search->loop;
    const struct rd_law_sizes sizes = {.n = loop->size, .T = 1};
    const enum rd_type type = search->numeric->type;
    search->digits = digits_of(type) < digits_of(search->input_type)
                         ? digits_of(type)
                         : digits_of(search->input_type);
    search->values = calloc(search->n, search->numeric->size_bytes);
    search->expected = calloc(search->cells, search->numeric->size_bytes);
    return search->values && search->expected &&
           rd_law_create(&search->law, loop->paragraph, NULL) == RD_OK &&
           rd_law_run_create(&search->run, search->law, &sizes, NULL) == RD_OK;
}

/* ---- what the cell should hold ---- */

/* What the law adds up to a cell: each input so often, -1 of one that is subtracted. */
struct wanted {
    int64_t *times; /* [n] */
    int64_t *values, *cells;
    int64_t constant; /* of no input */
};

static bool law_of(const struct search *search, const struct wanted *wanted, int64_t *value)
{
    const void *inputs[] = {wanted->values};
    const struct rd_law_data data = {.numeric = rd_numeric(RD_TYPE_I64), .inputs = inputs};
    const struct rd_law_place place = {.d = search->violation->step};
    memset(wanted->cells, 0, search->cells * sizeof *wanted->cells);
    if (rd_law_apply(search->run, rd_law_section(search->law, 0), RD_LAW_LAW, &place, &data,
                     wanted->cells, NULL, NULL) != RD_OK)
        return false;
    *value = wanted->cells[search->violation->cell];
    return true;
}

/* Holds it against random values. */
static bool is_wanted(struct search *search, const struct wanted *wanted)
{
    int64_t value, predicted = wanted->constant;
    for (size_t j = 0; j < search->n; j++) {
        wanted->values[j] = (int64_t)(1 + (rd_random(&search->random) & 0xffff));
        predicted += wanted->times[j] * wanted->values[j];
    }
    return law_of(search, wanted, &value) && value == predicted;
}

/* Reads by what the law multiplies each of the inputs, from digits of which some are negative. */
static bool read_factors(struct search *search, struct wanted *wanted)
{
    enum { DIGITS = 15, BASE = 1 << DIGIT_BITS, READ_MAX = 512 };
    size_t members[READ_MAX], count = 0;
    for (size_t j = 0; j < search->n; j++)
        if (wanted->times[j] != 0 && count == READ_MAX)
            return false;
        else if (wanted->times[j] != 0)
            members[count++] = j;
    for (size_t first = 0; first < count; first += DIGITS) {
        const size_t last = count - first < DIGITS ? count : first + DIGITS;
        int64_t value;
        memset(wanted->values, 0, search->n * sizeof *wanted->values);
        for (size_t k = first; k < last; k++)
            wanted->values[members[k]] = (int64_t)1 << DIGIT_BITS * (k - first);
        if (!law_of(search, wanted, &value))
            return false;
        value -= wanted->constant;
        for (size_t k = first; k < last; k++) {
            int64_t times = value & (BASE - 1);
            times = times >= BASE / 2 ? times - BASE : times;
            value = (value - times) / BASE;
            wanted->times[members[k]] = times;
        }
    }
    return is_wanted(search, wanted);
}

static bool find_wanted(struct search *search, struct wanted *wanted)
{
    const struct rd_law_place place = {.d = search->violation->step};
    uint64_t *inputs = NULL;
    size_t count = 0;
    bool live;
    if (rd_law_cell(search->run, rd_law_section(search->law, 0), &place, search->violation->cell, 0,
                    &live, &inputs, &count, NULL) != RD_OK)
        return false;
    for (size_t k = 0; k < count; k++)
        wanted->times[inputs[k]]++;
    free(inputs);
    return law_of(search, wanted, &wanted->constant) &&
           (is_wanted(search, wanted) || read_factors(search, wanted));
}

/* Fills in the sets of the cell: what it should hold, by the law, and what it holds. False where the law is no such sum, or
 * there is no memory. */
static bool fill_sets(struct search *search, struct rd_evidence *evidence)
{
    struct wanted wanted = {
        .times = calloc(search->n, sizeof *wanted.times),
        .values = calloc(search->n, sizeof *wanted.values),
        .cells = calloc(search->cells, sizeof *wanted.cells),
    };
    const bool is_known =
        wanted.times && wanted.values && wanted.cells && find_wanted(search, &wanted);
    for (size_t j = 0, next = 0; j < search->n && is_known; j++) {
        const int64_t times = wanted.times[j];
        int64_t more = 0;
        if (next < search->n_found && search->found[next].index == j)
            more = search->found[next++].times;
        if (times != 0)
            rd_input_set_add(&evidence->expected, j, times);
        if (times + more != 0 && !evidence->partial)
            rd_input_set_add(&evidence->actual, j, times + more);
        if (more != 0)
            rd_input_set_add(more < 0 ? &evidence->lost : &evidence->extra, j, llabs(more));
    }
    free(wanted.times);
    free(wanted.values);
    free(wanted.cells);
    return is_known;
}

bool rd_played_explain(const struct rd_played *played, const struct rd_played_options *options,
                       const struct rd_played_loop *loop, struct rd_evidence *evidence)
{
    const struct rd_violation *violation = &loop->result.violation;
    /* Other inputs change what is counted, and what conditions say. */
    if (!options->explains || loop->n_inputs != 1 || loop->is_counted || loop->n_tables > 0 ||
        !loop->result.violated || violation->kind == RD_VIOLATION_GOAL ||
        violation->step >= loop->n || !is_sum(loop->annotation->law) ||
        loop->inputs[0]->array.count > INPUTS_MAX)
        return false;
    const struct rd_played_array *array = &loop->evaluations[0]->array;
    if (rd_numeric(array->type)->digits < 24) /* sums of random values would round */
        return false;
    struct search search = {
        .loop = loop,
        .options = options,
        .violation = violation,
        .numeric = rd_numeric(array->type),
        .input_type = loop->input_types[0],
        .n = loop->inputs[0]->array.count,
        .cells = array->count,
        .random = 1,
    };
    const struct rd_played_event *at = loop->evaluations[violation->step];
    for (const struct rd_played_event *one = played->events; one < at; one++)
        search.before += is_same_place(one, at);
    const bool whole = prepare(&search) && narrow(&search, 0, search.n);
    *evidence = (struct rd_evidence){.step = violation->step,
                                     .array = loop->annotation->array.expression,
                                     .cell = violation->cell,
                                     .partial = !whole || search.partial};
    const bool found = search.n_found > 0 && is_confirmed(&search) && fill_sets(&search, evidence);
    rd_law_run_destroy(search.run);
    rd_law_destroy(search.law);
    free(search.values);
    free(search.expected);
    return found;
}
