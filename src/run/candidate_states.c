// SPDX-License-Identifier: MIT
/* Decides whether a proposed law is enough: tries other states that satisfy it. */
#include "base/array.h"
#include "run/state.h"
#include "run/candidate_internal.h"
#include "reductio/program.h"
#include "element/operation_table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ways to change the cells that a law does not mention. */
enum way {
    WAY_OTHER, /* each to another value, */
    WAY_ANOTHER,
    WAY_NEUTRAL, /* and, if the operation has extremes, all to one of these */
    WAY_ABSORBING,
    WAY_COUNT
};

/* A step of the run, with what the law says of it and of the next. */
struct look {
    struct rd_candidate *candidate;
    const struct rd_run *run;
    const struct rd_step *step;
    const struct rd_saying *now;
    struct rd_saying next;
    uint64_t *dead; /* [n_dead]: the cells of which the law says nothing, ascending */
    size_t n_dead;
    /* elem[n_cells], of floats: what the next round makes of the run's own state. */
    char *undisturbed;
    enum way way;
    uint64_t seed; /* of other values */
    bool has_extremes;
    rd_bits absorbing, neutral;
    double far,
        near; /* of floats: more than what rounding explains of the next step, and hardly so */
    struct rd_candidate_cell fails;
};

/* A power of two of at least that much, times the factor. */
static rd_bits at_least(const struct rd_numeric *numeric, double most, uint64_t factor)
{
    const rd_bits two = numeric->from_u64(2);
    rd_bits value = numeric->from_u64(1);
    while (numeric->to_double(value) < most)
        value = numeric->times(value, two);
    return numeric->times(value, numeric->from_u64(factor));
}

static double beyond_rounding(const struct look *look)
{
    double most = 1;
    for (size_t k = 0; k < look->next.live.count && look->next.weight; k++)
        most = fmax(most, (double)look->next.weight[look->next.live.cells[k]]);
    const double epsilon = fmax(FLT_EPSILON, ldexp(2, -(int)look->run->numeric->digits));
    return most * (1 + 2 * (double)look->candidate->n_inputs * epsilon);
}

/* As little of that as will do. */
static double just_beyond_rounding(const struct look *look)
{
    long double most = 0;
    for (size_t k = 0; k < look->next.live.count; k++)
        most = fmaxl(most, rd_saying_tolerance(look->candidate, &look->next, look->run->numeric,
                                               look->next.live.cells[k]));
    return (double)(2 * most);
}

/* The inputs that an operation selects before all others, and behind them. */
static void find_best_and_worst(const struct look *look, rd_bits *best, rd_bits *worst)
{
    const struct rd_numeric *numeric = look->run->numeric;
    uint64_t first = 0, last = 0;
    for (size_t j = 1; j < look->candidate->n_inputs; j++) {
        uint64_t index = 0, kept;
        numeric->store(&index, 0, j);
        numeric->lanes->select(numeric->operation, look->candidate->inputs[0],
                               look->candidate->n_inputs, &first, &index, 1);
        kept = last;
        numeric->lanes->select(numeric->operation, look->candidate->inputs[0],
                               look->candidate->n_inputs, &kept, &index, 1);
        if (kept == last)
            last = index;
    }
    *best = numeric->load(&first, 0);
    *worst = numeric->load(&last, 0);
}

/* Finds what the operation keeps next to any other value, and what leaves any other as it is. Of a result that is the
 * former already, only the latter shows that it needs the cell. Sums have no such pair: there any change shows. */
static void find_extremes(struct look *look)
{
    const struct rd_numeric *numeric = look->run->numeric;
    look->has_extremes = true;
    if (numeric->lanes->select) {
        find_best_and_worst(look, &look->absorbing, &look->neutral);
        return;
    }
    const bool is_product = numeric->operation == RD_OPERATION_PRODUCT && !numeric->rounds;
    look->absorbing = numeric->from_u64(0);
    look->has_extremes =
        rd_operation_identity(numeric->operation, numeric, &look->neutral) &&
        (is_product || rd_operation_absorbing(numeric->operation, numeric, &look->absorbing));
    /* The identity of floats is a NaN; the infinity of the other sign is as good next to numbers. */
    if (look->has_extremes && numeric->is_float && !is_product)
        look->neutral = numeric->from_double(-numeric->to_double(look->absorbing));
}

/* Another factor: to add to one that is large changes it less than rounding does. Where the product has left the numbers of
 * the type, it comes back with a factor 1 or -1. */
static rd_bits other_factor(const struct look *look, uint64_t cell)
{
    const struct rd_numeric *numeric = look->run->numeric;
    const double is = numeric->to_double(numeric->load(look->step->cells, cell));
    const double times = 2 + (double)((cell + look->seed) % 3);
    if (is == 0 || !isfinite(is))
        return numeric->from_double(times);
    if (look->seed > 0)
        return numeric->from_double(is > 0 ? -1 : 1);
    const rd_bits more = numeric->from_double(is * times);
    return isfinite(numeric->to_double(more)) ? more : numeric->from_double(is / times);
}

/* A number as near as will do, of a sum of floats whose other values are infinite. One that is large is then of the other
 * sign, which brings back a sum that is infinite itself. */
static rd_bits finite_other(const struct look *look, uint64_t cell)
{
    const struct rd_numeric *numeric = look->run->numeric;
    const rd_bits holds = numeric->load(look->step->cells, cell);
    const double is = numeric->to_double(holds), towards_zero = is > 0 ? -1 : 1;
    const double start = isfinite(is) ? is : 0;
    double by = look->near * (1 + (double)((cell + look->seed) % 3));
    /* Next to a large float a small one is lost. */
    by = fmax(by, ldexp(fabs(start), 2 - (int)numeric->digits));
    if (look->seed > 0 && fabs(start) > by)
        return numeric->from_double(-start);
    const rd_bits becomes = numeric->from_double(start + towards_zero * by);
    return isfinite(numeric->to_double(becomes)) ? becomes : numeric->from_u64(is == 0);
}

static rd_bits other_number(const struct look *look, uint64_t cell)
{
    const struct rd_numeric *numeric = look->run->numeric;
    const rd_bits is = numeric->load(look->step->cells, cell);
    uint64_t far = (cell + 1) * (2 * look->seed + 1);
    if (numeric->is_float) {
        if (isfinite(look->far) && look->far >= 0x1p52)
            return numeric->add(is, at_least(numeric, look->far, far));
        far += isfinite(look->far) ? (uint64_t)look->far : 0;
    }
    rd_bits becomes = numeric->add(is, numeric->from_u64(far));
    /* A number that is small next to a float is lost in the sum. */
    for (; numeric->same(becomes, is) && far <= UINT64_MAX / 2; far *= 2)
        becomes = numeric->add(is, numeric->from_u64(2 * far));
    return numeric->same(becomes, is) ? numeric->from_u64(far == 0) : becomes;
}

/* Any other value. */
static rd_bits any_other(const struct look *look, uint64_t cell)
{
    const struct rd_numeric *numeric = look->run->numeric;
    const rd_bits holds = numeric->load(look->step->cells, cell);
    if (look->has_extremes && numeric->operation != RD_OPERATION_PRODUCT &&
        !numeric->same(look->absorbing, holds))
        return look->absorbing;
    if (numeric->lanes->select) /* an index of another input */
        return look->candidate->n_inputs > 1 ? numeric->from_u64(holds == 0) : holds;
    if (numeric->rounds && numeric->operation == RD_OPERATION_PRODUCT)
        return other_factor(look, cell);
    const rd_bits becomes = other_number(look, cell);
    return numeric->rounds && !isfinite(numeric->to_double(becomes)) ? finite_other(look, cell)
                                                                     : becomes;
}

/* The value of a dead cell in the state that is tried. */
static rd_bits other(const struct look *look, uint64_t cell)
{
    switch (look->way) {
    case WAY_NEUTRAL:
        return look->neutral;
    case WAY_ABSORBING:
        return look->absorbing;
    default:
        return any_other(look, cell);
    }
}

static bool is_live(const struct rd_saying *saying, uint64_t cell)
{
    size_t low = 0, high = saying->live.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (saying->live.cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < saying->live.count && saying->live.cells[low] == cell;
}

static enum rd_status find_dead(struct look *look)
{
    look->dead = malloc((look->step->n_cells + 1) * sizeof *look->dead);
    if (!look->dead)
        return rd_candidate_no_memory(look->candidate);
    for (size_t i = 0; i < look->step->n_cells; i++)
        if (!is_live(look->now, i))
            look->dead[look->n_dead++] = i;
    return RD_OK;
}

/* Makes, by the program's own round, the next array from the step's with the dead cells [from, to) changed. */
static enum rd_status make_next(struct look *look, size_t from, size_t to, char **made)
{
    struct rd_candidate *candidate = look->candidate;
    const struct rd_numeric *numeric = look->run->numeric;
    const struct rd_law_place at = {.d = look->step->number + 1};
    const struct rd_law_data data = {.numeric = numeric, .inputs = candidate->inputs};
    size_t size_bytes = look->step->n_cells * numeric->size_bytes;
    char *cells = malloc(size_bytes + 1);
    if (!cells)
        return rd_candidate_no_memory(candidate);
    memcpy(cells, look->step->cells, size_bytes);
    for (size_t k = from; k < to; k++)
        numeric->store(cells, look->dead[k], other(look, look->dead[k]));
    enum rd_status status = rd_law_apply(candidate->own_run, rd_candidate_section(candidate->own),
                                         RD_LAW_UPDATE, &at, &data, cells, NULL, &candidate->error);
    if (status == RD_OK)
        *made = cells;
    else
        free(cells);
    return status;
}

/* Counts the false cells among the floats that the change has altered: that the run itself may overflow there excuses
 * none. */
static size_t count_disturbed(struct look *look, const char *cells)
{
    const struct rd_numeric *numeric = look->run->numeric;
    size_t count = 0;
    for (size_t k = 0; k < look->next.live.count; k++) {
        const uint64_t cell = look->next.live.cells[k];
        const rd_bits is = numeric->load(cells, cell), was = numeric->load(look->undisturbed, cell);
        if (numeric->same(is, was))
            continue;
        const enum rd_saying_mark mark =
            rd_saying_is(look->candidate, &look->next, numeric, cell, is);
        const bool overflows = mark == RD_SAYING_OVERFLOWS && !isfinite(numeric->to_double(is)) &&
                               isfinite(numeric->to_double(was));
        if ((mark == RD_SAYING_IS_NOT || overflows) && count++ == 0)
            look->fails = rd_saying_cell(&look->next, numeric, look->step->number + 1, cell, is);
    }
    return count;
}

/* Counts the cells of which the law is false after the next round, from the state with the dead cells [from, to)
 * changed. */
static enum rd_status try_state(struct look *look, size_t from, size_t to, size_t *n_false)
{
    char *cells = NULL;
    enum rd_status status = make_next(look, from, to, &cells);
    if (status != RD_OK)
        return status;
    *n_false = look->undisturbed && look->next.live.n_outside == 0
                   ? count_disturbed(look, cells)
                   : rd_saying_count_false(look->candidate, &look->next, look->run->numeric,
                                           look->step->number + 1, cells, &look->fails);
    free(cells);
    return RD_OK;
}

static void take_state(struct look *look, uint64_t cell, bool with_others, bool at_end)
{
    struct rd_candidate_result *result = &look->candidate->result;
    result->verdict = RD_CANDIDATE_TOO_WEAK;
    result->cell = look->fails;
    result->n_false = 1;
    result->state.step = look->step->number;
    result->state.cell = (int64_t)cell;
    result->state.was = look->run->numeric->load(look->step->cells, cell);
    result->state.becomes = other(look, cell);
    result->state.with_others = with_others;
    result->state.at_end = at_end;
}

/* Finds the last of the fewest cells that together do harm. */
static enum rd_status find_culprit(struct look *look)
{
    size_t low = 0, high = look->n_dead; /* the first `high` do harm, the first `low` do not */
    size_t fails = 1, alone = 0;
    enum rd_status status = RD_OK;
    while (status == RD_OK && high - low > 1) {
        size_t middle = low + (high - low) / 2;
        status = try_state(look, 0, middle, &fails);
        *(fails > 0 ? &high : &low) = middle;
    }
    if (status == RD_OK)
        status = try_state(look, high - 1, high, &alone);
    if (status == RD_OK && alone == 0)
        status = try_state(look, 0, high, &fails);
    if (status == RD_OK)
        take_state(look, look->dead[high - 1], alone == 0, false);
    return status;
}

static enum rd_status add_to_try(struct look *look, uint64_t cell)
{
    struct rd_candidate *candidate = look->candidate;
    struct rd_break *grown = realloc(candidate->to_try, (candidate->n_to_try + 1) * sizeof *grown);
    if (!grown)
        return rd_candidate_no_memory(candidate);
    candidate->to_try = grown;
    grown[candidate->n_to_try++] = (struct rd_break){.kind = RD_BREAK_CELL,
                                                     .step = look->step->number,
                                                     .cell = cell,
                                                     .value = other(look, cell)};
    return RD_OK;
}

/* Notes dead cells of the law that the program's own law has alive: the kernel may well need them. */
static enum rd_status note_untried(struct look *look, const uint64_t *dead, size_t n_dead)
{
    struct rd_candidate *candidate = look->candidate;
    const struct rd_law_place at = {.d = look->step->number};
    struct rd_law_cells own;
    candidate->result.untried = true;
    enum rd_status status =
        rd_law_cells_init(&own, candidate->own_run, rd_candidate_section(candidate->own), &at,
                          RD_LAW_NO_INPUT, &candidate->error);
    if (status != RD_OK)
        return status;
    unsigned n_of_step = 0;
    for (size_t k = 0; k < n_dead && status == RD_OK; k++) {
        if (rd_array_find(own.cells, own.count, dead[k]) == SIZE_MAX)
            continue;
        if (!candidate->result.unsaid) {
            candidate->result.unsaid = true;
            candidate->result.state.step = at.d;
            candidate->result.state.cell = (int64_t)dead[k];
        }
        candidate->more_to_try |= n_of_step == RD_BREAKS_MAX;
        if (n_of_step++ < RD_BREAKS_MAX)
            status = add_to_try(look, dead[k]);
    }
    rd_law_cells_finish(&own);
    return status;
}

/* A cell that a round is documented to make from the inputs alone is the same from every state: then no other was
 * tried, as the kernel may read what it finds in the array. */
static enum rd_status ask_whether_it_reads(struct look *look)
{
    uint64_t *dead = look->dead;
    size_t n_dead = look->n_dead;
    size_t n_false = 0;
    const struct rd_numeric *numeric = look->run->numeric;
    /* A cell may well stay what it is, and a float leave what its type holds. */
    if (numeric->operation != RD_OPERATION_SUM || numeric->is_float) {
        struct rd_law_about about;
        rd_law_about(rd_candidate_section(look->candidate->own), &about);
        return about.update_reads ? RD_OK : note_untried(look, look->dead, look->n_dead);
    }
    look->dead = malloc((look->step->n_cells + 1) * sizeof *look->dead);
    enum rd_status status = look->dead ? RD_OK : rd_candidate_no_memory(look->candidate);
    for (look->n_dead = 0; look->dead && look->n_dead < look->step->n_cells; look->n_dead++)
        look->dead[look->n_dead] = look->n_dead;
    if (status == RD_OK)
        status = try_state(look, 0, look->n_dead, &n_false);
    if (status == RD_OK && n_false < look->next.live.count)
        status = note_untried(look, dead, n_dead);
    free(look->dead);
    look->dead = dead;
    look->n_dead = n_dead;
    return status;
}

static enum rd_status ask_the_next_round(struct look *look)
{
    const struct rd_law_place at = {.d = look->step->number + 1};
    enum rd_status status =
        rd_saying_init(&look->next, look->candidate, look->run->numeric, &at, look->step->n_cells);
    if (status != RD_OK)
        return status;
    if (look->next.conflict.found) { /* the next step itself refutes it */
        rd_saying_finish(&look->next);
        return RD_OK;
    }
    if (look->run->numeric->rounds) {
        status = rd_candidate_document(look->candidate, look->run, at.d, look->step->n_cells);
        if (status == RD_OK)
            status = make_next(look, 0, 0, &look->undisturbed);
        if (status == RD_OK)
            look->near = just_beyond_rounding(look);
    }
    size_t fails = 0;
    look->far = beyond_rounding(look);
    const enum way n_ways = look->has_extremes ? WAY_COUNT : WAY_NEUTRAL;
    for (enum way way = WAY_OTHER; way < n_ways && status == RD_OK && fails == 0; way++) {
        look->way = way;
        look->seed = way == WAY_ANOTHER;
        status = try_state(look, 0, look->n_dead, &fails);
    }
    if (status == RD_OK && fails > 0)
        status = find_culprit(look);
    look->way = WAY_ANOTHER;
    look->seed = 1;
    if (status == RD_OK && fails == 0 && look->next.live.count > 0)
        status = ask_whether_it_reads(look);
    rd_saying_finish(&look->next);
    free(look->undisturbed);
    return status;
}

/* After the last round the law must say all that the program's own does: of each of its cells that the run has come
 * to it, and what it is. */
static void compare_with_goal(struct look *look, const struct rd_saying *own)
{
    struct rd_candidate *candidate = look->candidate;
    const struct rd_numeric *numeric = look->run->numeric;
    const unsigned step = look->step->number;
    for (size_t k = 0; k < own->live.count && candidate->result.verdict == RD_CANDIDATE_ENOUGH;
         k++) {
        const uint64_t cell = own->live.cells[k];
        const bool is_said = is_live(look->now, cell);
        const rd_bits is = numeric->load(look->step->cells, cell);
        const bool misses = rd_saying_is(candidate, own, numeric, cell, is) == RD_SAYING_IS_NOT;
        if (is_said && !misses)
            continue;
        look->fails = rd_saying_cell(own, numeric, step, cell, misses ? is : other(look, cell));
        take_state(look, cell, false, true);
        candidate->result.misses = misses;
        candidate->result.silent = !is_said;
    }
}

static enum rd_status ask_the_goal(struct look *look)
{
    struct rd_candidate *candidate = look->candidate;
    const struct rd_law_place at = {.d = look->step->number};
    struct rd_law *const proposed = candidate->proposed;
    struct rd_law_run *const run = candidate->run;
    struct rd_saying own;
    candidate->proposed = candidate->own; /* for as long as it is asked */
    candidate->run = candidate->own_run;
    enum rd_status status =
        rd_saying_init(&own, candidate, look->run->numeric, &at, look->step->n_cells);
    candidate->proposed = proposed;
    candidate->run = run;
    if (status != RD_OK)
        return status;
    if (own.live.n_outside == 0)
        compare_with_goal(look, &own);
    rd_saying_finish(&own);
    return RD_OK;
}

enum rd_status rd_candidate_ask(struct rd_candidate *candidate, const struct rd_run *run,
                                const struct rd_step *step, const struct rd_saying *now)
{
    struct look look = {.candidate = candidate, .run = run, .step = step, .now = now};
    find_extremes(&look);
    enum rd_status status = find_dead(&look);
    if (status == RD_OK && step->number == candidate->n_rounds)
        status = ask_the_goal(&look);
    else if (status == RD_OK && look.n_dead > 0)
        status = ask_the_next_round(&look);
    free(look.dead);
    return status;
}
