// SPDX-License-Identifier: MIT
#include "reductio/witness.h"
#include "run/assertion.h"
#include "run/state.h"
#include "run/given.h"
#include "reductio/operation.h"
#include "base/random.h"
#include "element/operation_table.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_BITS = 64, DIGIT_MAX = VALUE_BITS - 2 };

/* A search ends when so many inputs are known by which a cell differs. */
enum { DIFFERENCES_MAX = 2 * RD_INPUT_SET_MAX };

/* And, once one is known, when its runs have had so many elements in all: some seconds. */
#define PROBED_MAX ((size_t)1 << 27)

/* Beyond this, a group test costs more than a person will wait for. */
#define EXPLAIN_MAX ((size_t)1 << 22)

/* Each round at most doubles how often an input is in a cell. A kernel with loops of its own halves
 * a block, and may do so again for the grid. */
static unsigned doublings(const struct rd_program *program, const struct rd_shape *shape)
{
    unsigned count = rd_program_rounds(program, shape);
    for (unsigned width = rd_program_has_points(program) ? shape->block : 1; width > 1;
         width = (width + 1) / 2)
        count++;
    return count;
}

/* Returns the bits of a digit; DIGIT_MAX where it may be too few. */
static unsigned digit_bits(const struct rd_program *program, const struct rd_shape *shape,
                           enum rd_operation operation)
{
    switch (rd_operation_row(operation)->mark) {
    case RD_MARK_DIGIT:
        return doublings(program, shape) + 2 < DIGIT_MAX ? doublings(program, shape) + 2
                                                         : DIGIT_MAX;
    case RD_MARK_BIT:
        return 1;
    default:
        return VALUE_BITS;
    }
}

void rd_witness_plan(const struct rd_program *program, const struct rd_shape *shape,
                     enum rd_operation operation, struct rd_witness_plan *plan)
{
    unsigned bits = digit_bits(program, shape, operation);
    unsigned per_pass = VALUE_BITS / bits;
    size_t passes_a = (rd_program_inputs(program, shape) + per_pass - 1) / per_pass;
    size_t passes_b = (rd_program_inputs_b(program, shape) + per_pass - 1) / per_pass;
    *plan = (struct rd_witness_plan){
        .operation = operation,
        .digit_bits = bits,
        .per_pass = per_pass,
        .passes = passes_a + passes_b,
        .passes_a = passes_a,
    };
}

static uint64_t identity_of(enum rd_operation operation)
{
    rd_bits identity = 0;
    rd_operation_identity(operation, rd_numeric(RD_TYPE_U64), &identity);
    return identity;
}

/* The value of input k of a pass, among others that are the identity. */
static uint64_t mark(const struct rd_witness_plan *plan, unsigned k)
{
    const uint64_t digit = (uint64_t)1 << plan->digit_bits % VALUE_BITS * k;
    switch (rd_operation_row(plan->operation)->mark) {
    case RD_MARK_FACTOR:
        return 2;
    case RD_MARK_BIT:
        return identity_of(plan->operation) ^ digit;
    default:
        return digit;
    }
}

/* `pass` is 1 for the first of this array. */
static void fill_digits(const struct rd_witness_plan *plan, size_t pass, size_t n, uint64_t *values)
{
    const uint64_t identity = identity_of(plan->operation);
    size_t first = (pass - 1) * plan->per_pass;
    for (size_t j = 0; j < n; j++)
        values[j] = identity;
    for (unsigned k = 0; k < plan->per_pass && first + k < n; k++)
        values[first + k] = mark(plan, k);
}

static void fill_ones(size_t n, uint64_t *values)
{
    for (size_t j = 0; j < n; j++)
        values[j] = 1;
}

void rd_witness_fill(const struct rd_witness_plan *plan, size_t pass, size_t n, uint64_t *a)
{
    if (pass <= plan->passes_a)
        fill_digits(plan, pass, n, a);
    else
        fill_ones(n, a);
}

void rd_witness_fill_b(const struct rd_witness_plan *plan, size_t pass, size_t n, uint64_t *b)
{
    if (pass <= plan->passes_a)
        fill_ones(n, b);
    else
        fill_digits(plan, pass - plan->passes_a, n, b);
}

uint64_t rd_witness_count(const struct rd_witness_plan *plan, size_t index, uint64_t value)
{
    unsigned digit = (unsigned)(index % plan->per_pass);
    switch (rd_operation_row(plan->operation)->mark) {
    case RD_MARK_DIGIT:
        return value >> (plan->digit_bits * digit) & (((uint64_t)1 << plan->digit_bits) - 1);
    case RD_MARK_FACTOR:
        return value ? (uint64_t)__builtin_ctzll(value) : VALUE_BITS;
    case RD_MARK_BIT:
        return (value ^ identity_of(plan->operation)) >> digit & 1;
    case RD_MARK_VALUE:
        break;
    }
    return value != identity_of(plan->operation);
}

/* Room for the inputs of witness runs: b all ones. */
static enum rd_status make_inputs(const struct rd_run *run, uint64_t **a, uint64_t **b,
                                  struct rd_error *error)
{
    const struct rd_shape shape = rd_run_shape(run);
    size_t n = rd_program_inputs(run->program, &shape);
    size_t n_b = rd_program_inputs_b(run->program, &shape);
    uint64_t *memory = calloc(n + n_b, sizeof *memory);
    if (!memory)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the witness values of %zu inputs", n);
    fill_ones(n_b, memory + n);
    *a = memory;
    *b = memory + n;
    return RD_OK;
}

/* A run like `run`, of type u64, by the operation on these inputs. */
static struct rd_run witness_run(const struct rd_run *run, enum rd_operation operation,
                                 const uint64_t *a, const uint64_t *b)
{
    struct rd_run w = *run;
    w.numeric = rd_numeric_over(RD_TYPE_U64, operation);
    w.a = a;
    w.b = rd_program_has_b(run->program) ? b : NULL;
    w.values = "witness";
    return w;
}

static void tell_pass(const struct rd_run *run, const char *values)
{
    const struct rd_progress *progress = run->progress;
    if (progress && progress->pass)
        progress->pass(progress->self, values, run->pass, run->passes);
}

/* All passes, until one is not HOLDS; with `explains`, a violation is explained. */
static enum rd_status run_passes(const struct rd_run *run,
                                 const struct rd_observer *const *observers, bool explains,
                                 struct rd_result *result, struct rd_error *error)
{
    uint64_t *a, *b;
    const struct rd_shape shape = rd_run_shape(run);
    enum rd_status status = make_inputs(run, &a, &b, error);
    if (status != RD_OK)
        return status;

    struct rd_witness_plan plan;
    rd_witness_plan(run->program, &shape, run->numeric->operation, &plan);
    size_t n = rd_program_inputs(run->program, &shape);
    size_t n_b = rd_program_inputs_b(run->program, &shape);
    struct rd_run w = witness_run(run, run->numeric->operation, a, b);
    w.passes = plan.passes;
    w.digit_bits = plan.digit_bits;
    struct rd_result all = {.verdict = RD_INCONCLUSIVE};
    for (w.pass = 1; w.pass <= w.passes; w.pass++) {
        struct rd_result one;
        rd_witness_fill(&plan, w.pass, n, a);
        rd_witness_fill_b(&plan, w.pass, n_b, b);
        tell_pass(&w, "on witness values");
        status = rd_run(&w, observers, &one, error);
        if (status != RD_OK && status != RD_ERROR_INTERRUPTED)
            goto out;
        one.cells += all.cells;
        one.checkpoints += all.checkpoints;
        all = one;
        if (status != RD_OK || all.verdict != RD_HOLDS)
            break;
    }
    tell_pass(&w, NULL);
    /* No search finds what is wrong by b: the cell may not depend on it at all. */
    if (explains && all.violated && status == RD_OK && w.pass <= plan.passes_a) {
        enum rd_status explained = rd_witness_explain(run, &all.violation, &all.evidence, error);
        all.explained = explained == RD_OK;
        all.interrupted = explained == RD_ERROR_INTERRUPTED;
        if (all.interrupted)
            status = explained;
    }
    *result = all;
out:
    free(a);
    return status;
}

/* Tells whether the passes hold, although one of the premise's does not: their values hide the fault. */
static enum rd_status find_whether_they_hide_it(const struct rd_run *run, bool *hide,
                                                struct rd_error *error)
{
    struct rd_run silent = *run;
    struct rd_device *sim;
    struct rd_error why;
    struct rd_result result;
    enum rd_status status = rd_device_open("sim", &sim, &why, error);
    if (status != RD_OK)
        return status;
    silent.device = sim; /* on a GPU, what goes wrong may be its end */
    status = run_passes(&silent, NULL, false, &result, error);
    rd_device_close(sim);
    *hide = status == RD_OK && result.verdict == RD_HOLDS;
    return status;
}

enum rd_status rd_witness_run(const struct rd_run *given,
                              const struct rd_observer *const *observers, struct rd_result *result,
                              struct rd_error *error)
{
    struct rd_run own;
    const struct rd_run *run = rd_run_given(given, &own, false, error);
    if (!run)
        return RD_ERROR_USAGE;
    const struct rd_shape shape = rd_run_shape(run);
    struct rd_premise premise = {.passes = 0};
    struct rd_result found;
    bool hide = false;
    enum rd_status status = rd_program_accept(run->program, &shape, error);
    if (status == RD_OK && rd_breaks_a_cell(run))
        status =
            rd_fail(error, RD_ERROR_USAGE,
                    "a cell is broken, and what it holds is no witness value: undo that break");
    if (status == RD_OK && !run->program->may_hang)
        status = rd_premise_test(run, &premise, error);
    if (status == RD_OK && premise.numeric)
        status = find_whether_they_hide_it(run, &hide, error);
    /* Interrupted, it goes on: the passes then stop at once, and that is what their observers see. */
    if (status != RD_OK && status != RD_ERROR_INTERRUPTED)
        return status;
    status = hide ? rd_premise_run_failing(run, &premise, observers, &found, error)
                  : run_passes(run, observers, true, &found, error);
    if (status != RD_OK && status != RD_ERROR_INTERRUPTED)
        return status;
    found.premise = premise;
    if (!hide)
        found.premise.numeric = NULL;
    if (found.verdict == RD_HOLDS && (hide || *premise.dependence || premise.passes == 0))
        found.verdict = RD_INCONCLUSIVE;
    *result = found;
    return status;
}

/* ---- explaining a violation ---- */

/* A search for the inputs by which a cell differs from what it should hold. */
struct search {
    struct rd_run run;
    size_t n; /* inputs */
    struct rd_witness_plan plan;
    const struct rd_violation *violation;
    uint64_t *a;
    uint64_t difference; /* of the last probe: actual - expected, modulo 2^64 */
    bool seen;           /* the last probe came as far as the step */
    struct difference {
        size_t index;
        int64_t times; /* more often in the cell than it should be; negative: less often */
    } found[DIFFERENCES_MAX + VALUE_BITS];
    size_t n_found;
    size_t probed; /* elements of all runs so far */
    bool partial;  /* there may be more */
    struct rd_error *error;
};

static enum rd_status look_at_cell(void *self, const struct rd_run *run, const struct rd_step *step,
                                   struct rd_error *error)
{
    struct search *search = self;
    (void)run;
    const struct rd_violation *violation = search->violation;
    if (step->number != violation->step || !step->place != !violation->inside ||
        (step->place && !rd_place_same(step->place, &violation->place)))
        return RD_OK;
    struct rd_state_view state = {
        .cells = step->cells, .n_cells = step->n_cells, .whole = step->whole};
    search->difference = rd_state_cell(&state, step->expect, &step->claim, violation->cell) -
                         rd_expect_cell(step->expect, violation->cell);
    search->seen = true;
    return rd_fail(error, RD_ERROR_INTERRUPTED, "seen");
}

/* Runs the program on the values in search->a, up to the step. */
static enum rd_status probe(struct search *search)
{
    const struct rd_observer look = {.self = search, .step = look_at_cell};
    struct rd_result unused;
    search->seen = false;
    search->probed += search->n;
    enum rd_status status = rd_run(&search->run, (const struct rd_observer *const[]){&look, NULL},
                                   &unused, search->error);
    if (search->run.interrupted && *search->run.interrupted)
        return rd_fail(search->error, RD_ERROR_INTERRUPTED, "interrupted");
    if (search->seen)
        return RD_OK;
    return status != RD_OK ? status
                           : rd_fail(search->error, RD_ERROR_INPUT, "the step was not reached");
}

/* Does the cell depend on the inputs of passes [first, last) as it should? Random weights: that two
 * faults cancel has a chance of 2^-64 or so. */
static enum rd_status group_differs(struct search *search, size_t first, size_t last, bool *differs)
{
    size_t per_pass = search->plan.per_pass, n = search->n;
    size_t end = last * per_pass < n ? last * per_pass : n;
    memset(search->a, 0, n * sizeof *search->a);
    for (size_t j = first * per_pass; j < end; j++)
        search->a[j] = rd_random_at(0, j);
    enum rd_status status = probe(search);
    *differs = search->difference != 0;
    return status;
}

static void add_difference(struct search *search, size_t index, int64_t times)
{
    if (times != 0)
        search->found[search->n_found++] = (struct difference){index, times};
}

/* Reads the difference of one pass digit by digit; a negative digit borrows from the next. */
static enum rd_status read_digits(struct search *search, size_t pass)
{
    const struct rd_witness_plan *plan = &search->plan;
    rd_witness_fill(plan, pass + 1, search->n, search->a);
    enum rd_status status = probe(search);
    if (status != RD_OK)
        return status;
    uint64_t rest = search->difference;
    int64_t base = (int64_t)1 << plan->digit_bits;
    for (unsigned k = 0; k < plan->per_pass && rest != 0; k++) {
        int64_t digit = (int64_t)(rest & (uint64_t)(base - 1));
        if (digit >= base / 2)
            digit -= base;
        rest = (rest - (uint64_t)digit) >> plan->digit_bits;
        /* The shift lost the sign of what is left. */
        if (rest >> (VALUE_BITS - plan->digit_bits - 1) & 1)
            rest |= ~(uint64_t)0 << (VALUE_BITS - plan->digit_bits);
        add_difference(search, pass * plan->per_pass + k, digit);
    }
    return RD_OK;
}

/* Reads it input by input: 32 times one input looks like once its neighbour where a digit has 5 bits. */
static enum rd_status read_one_by_one(struct search *search, size_t pass)
{
    size_t first = pass * search->plan.per_pass, last = first + search->plan.per_pass;
    for (size_t j = first; j < last && j < search->n; j++) {
        memset(search->a, 0, search->n * sizeof *search->a);
        search->a[j] = 1;
        enum rd_status status = probe(search);
        if (status != RD_OK)
            return status;
        add_difference(search, j, (int64_t)search->difference);
    }
    return RD_OK;
}

/* Finds the differences of one pass, which differs in what random values make of it. */
static enum rd_status read_pass(struct search *search, size_t pass)
{
    size_t before = search->n_found;
    enum rd_status status = read_digits(search, pass);
    if (status == RD_OK && search->n_found == before)
        status = read_one_by_one(search, pass);
    if (status == RD_OK && search->n_found == 0)
        return rd_fail(search->error, RD_ERROR_INPUT,
                       "the violation does not show with witness values");
    return status;
}

/* Halves the passes [first, last), which differ as a group, down to single ones. */
static enum rd_status narrow(struct search *search, size_t first, size_t last)
{
    if (search->n_found >= DIFFERENCES_MAX ||
        (search->n_found > 0 && search->probed > PROBED_MAX)) {
        search->partial = true;
        return RD_OK;
    }
    if (last - first == 1)
        return read_pass(search, first);
    size_t middle = first + (last - first) / 2;
    const size_t halves[2][2] = {{first, middle}, {middle, last}};
    for (int h = 0; h < 2; h++) {
        bool differs;
        enum rd_status status = group_differs(search, halves[h][0], halves[h][1], &differs);
        if (status == RD_OK && differs)
            status = narrow(search, halves[h][0], halves[h][1]);
        if (status != RD_OK)
            return status;
    }
    return RD_OK;
}

/* The step up to which the cell was live: what it held then, it must keep. */
static unsigned last_live_step(const struct rd_program *program, const struct rd_shape *shape,
                               unsigned step, size_t cell)
{
    struct rd_claim claim;
    rd_program_claim(program, shape, step, &claim);
    while (step > 0 && !rd_claim_has(&claim, cell))
        rd_program_claim(program, shape, --step, &claim);
    return step;
}

/* Tells whether the violated cell should hold input j. */
static bool is_wanted(const struct rd_program *program, const struct rd_shape *shape,
                      const struct rd_violation *violation, unsigned live, size_t j)
{
    if (!violation->inside)
        return rd_program_contains(program, shape, live, violation->cell, j);
    return rd_program_contains_at(program, shape, &violation->place, violation->cell, j);
}

void rd_witness_expected(const struct rd_program *program, const struct rd_shape *shape,
                         const struct rd_violation *violation, struct rd_input_set *set)
{
    size_t n = rd_program_inputs(program, shape);
    unsigned live =
        violation->inside ? 0 : last_live_step(program, shape, violation->step, violation->cell);
    for (size_t j = 0; j < n; j++)
        if (is_wanted(program, shape, violation, live, j))
            rd_input_set_add(set, j, 1);
}

/* The invariant says what the cell should hold; what it holds follows from the differences,
 * which were found in the order of their indices. */
static void fill_sets(const struct search *search, struct rd_evidence *evidence)
{
    const struct rd_program *program = search->run.program;
    const struct rd_violation *violation = search->violation;
    const struct rd_shape shape = rd_run_shape(&search->run);
    unsigned live =
        violation->inside ? 0 : last_live_step(program, &shape, violation->step, violation->cell);
    size_t next = 0;
    for (size_t j = 0; j < search->n; j++) {
        bool differs = next < search->n_found && search->found[next].index == j;
        int64_t more = differs ? search->found[next++].times : 0;
        bool wanted = is_wanted(program, &shape, violation, live, j);
        if (wanted)
            rd_input_set_add(&evidence->expected, j, 1);
        if (wanted + more != 0 && !search->partial)
            rd_input_set_add(&evidence->actual, j, wanted + more);
        if (more < 0)
            rd_input_set_add(&evidence->lost, j, more == INT64_MIN ? INT64_MAX : -more);
        if (more > 0)
            rd_input_set_add(&evidence->extra, j, more);
    }
    evidence->partial = search->partial;
}

bool rd_witness_can_explain(const struct rd_program *program)
{
    return !program->no_witness;
}

enum rd_status rd_witness_explain(const struct rd_run *given, const struct rd_violation *violation,
                                  struct rd_evidence *evidence, struct rd_error *error)
{
    struct rd_run own;
    const struct rd_run *run = rd_run_given(given, &own, false, error);
    if (!run)
        return RD_ERROR_USAGE;
    const struct rd_shape shape = rd_run_shape(run);
    size_t n = rd_program_inputs(run->program, &shape);
    if (n > EXPLAIN_MAX)
        return rd_fail(error, RD_ERROR_INPUT, "%zu inputs are too many to search", n);
    if (rd_breaks_a_cell(run))
        return rd_fail(error, RD_ERROR_INPUT,
                       "a value was put into a cell by hand, which is no sum of inputs");
    if (!rd_witness_can_explain(run->program))
        return rd_fail(error, RD_ERROR_INPUT, "what the cell holds is no sum of inputs");
    if (digit_bits(run->program, &shape, RD_OPERATION_SUM) == DIGIT_MAX)
        return rd_fail(
            error, RD_ERROR_INPUT,
            "too many rounds: an input may be counted more often than a witness digit can hold");
    uint64_t *a, *b;
    enum rd_status status = make_inputs(run, &a, &b, error);
    if (status != RD_OK)
        return status;

    struct rd_evidence e = {
        .step = violation->step, .array = violation->array, .cell = violation->cell};
    struct search search = {
        .run = witness_run(run, RD_OPERATION_SUM, a, b), /* which tells how often, too */
        .n = n,
        .violation = violation,
        .a = a,
        .error = error,
    };
    search.run.pass = search.run.passes = 1;
    search.run.go_on = true;
    search.run.n_schedules = 1;
    search.run.hazards_by = RD_HAZARDS_BY_NOBODY; /* they are known */
    rd_witness_plan(run->program, &shape, RD_OPERATION_SUM, &search.plan);
    search.run.digit_bits = search.plan.digit_bits;
    status = narrow(&search, 0, search.plan.passes_a);
    if (status == RD_OK && search.n_found == 0)
        status = rd_fail(error, RD_ERROR_INPUT, "the violation does not show with witness values");
    if (status == RD_OK) {
        fill_sets(&search, &e);
        *evidence = e;
    }
    free(a);
    return status;
}
