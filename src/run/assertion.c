// SPDX-License-Identifier: MIT
#include "run/assertion.h"
#include "reductio/hazards.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const verdicts[] = {
    [RD_HOLDS] = "HOLDS",
    [RD_VIOLATED] = "VIOLATED",
    [RD_INCONCLUSIVE] = "INCONCLUSIVE",
};

static const char *const kinds[] = {
    [RD_VIOLATION_BITS] = "bits",
    [RD_VIOLATION_BOUND] = "bound",
    [RD_VIOLATION_FRAME] = "frame",
    [RD_VIOLATION_GOAL] = "goal",
};

enum { VERDICTS = sizeof verdicts / sizeof *verdicts, KINDS = sizeof kinds / sizeof *kinds };

const char *rd_verdict_name(enum rd_verdict verdict)
{
    return verdicts[verdict];
}

bool rd_verdict_named(const char *name, enum rd_verdict *verdict)
{
    for (int v = 0; v < VERDICTS; v++) {
        if (strcmp(verdicts[v], name) == 0) {
            *verdict = (enum rd_verdict)v;
            return true;
        }
    }
    return false;
}

enum rd_verdict rd_verdict_worst(enum rd_verdict x, enum rd_verdict y)
{
    if (x == RD_VIOLATED || y == RD_VIOLATED)
        return RD_VIOLATED;
    return x == RD_HOLDS ? y : x;
}

enum rd_verdict rd_hazard_verdict(enum rd_hazard_kind kind)
{
    return rd_hazard_is_unseen(kind) ? RD_INCONCLUSIVE : RD_VIOLATED;
}

void rd_verdict_leave_open(enum rd_verdict *verdict)
{
    *verdict = rd_verdict_worst(*verdict, RD_INCONCLUSIVE);
}

void rd_obligations_doubt(enum rd_verdict obligations[RD_OBLIGATION_COUNT])
{
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        rd_verdict_leave_open(&obligations[k]);
}

void rd_obligations_leave_open(enum rd_verdict obligations[RD_OBLIGATION_COUNT], bool all_rounds,
                               bool all_passes)
{
    if (!all_rounds || !all_passes)
        rd_verdict_leave_open(&obligations[RD_PRESERVATION]);
    if (!all_passes) {
        rd_verdict_leave_open(&obligations[RD_INITIALIZATION]);
        rd_verdict_leave_open(&obligations[RD_EXIT]);
    }
}

enum rd_verdict rd_verdict_of_round(bool held, bool undefined, enum rd_verdict verdict)
{
    bool tells = verdict == RD_HOLDS ? !undefined : held;
    return tells ? verdict : RD_INCONCLUSIVE;
}

static const char *const lookers[] = {
    [RD_HAZARDS_BY_SIM] = "sim",
    [RD_HAZARDS_BY_NOBODY] = "off",
    [RD_HAZARDS_BY_SANITIZER] = "sanitizer",
    [RD_HAZARDS_BY_LAUNCH] = "launch",
};

const char *rd_hazards_by_name(enum rd_hazards_by by)
{
    return lookers[by];
}

bool rd_hazards_looked_for(enum rd_hazards_by by)
{
    return by == RD_HAZARDS_BY_SIM || by == RD_HAZARDS_BY_SANITIZER;
}

bool rd_hazards_by_named(const char *name, enum rd_hazards_by *by)
{
    for (size_t k = 0; k < sizeof lookers / sizeof *lookers; k++) {
        if (strcmp(lookers[k], name) == 0) {
            *by = (enum rd_hazards_by)k;
            return true;
        }
    }
    return false;
}

const char *rd_obligation_name(enum rd_obligation obligation)
{
    static const char *const names[RD_OBLIGATION_COUNT] = {
        [RD_INITIALIZATION] = "initialization",
        [RD_PRESERVATION] = "preservation",
        [RD_EXIT] = "exit",
    };
    return names[obligation];
}

const char *rd_violation_kind_name(enum rd_violation_kind kind)
{
    return kinds[kind];
}

bool rd_violation_kind_named(const char *name, enum rd_violation_kind *kind)
{
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kinds[k], name) == 0) {
            *kind = (enum rd_violation_kind)k;
            return true;
        }
    }
    return false;
}

struct rd_comparison rd_comparison_none(void)
{
    return (struct rd_comparison){.first_wrong = SIZE_MAX, .first_outside = SIZE_MAX};
}

rd_bits rd_state_cell(const struct rd_state_view *state, const struct rd_expect *expect,
                      const struct rd_claim *claim, size_t cell)
{
    return expect->numeric->load(state->cells, state->whole ? cell : cell / claim->stride);
}

bool rd_cell_is_wrong(const struct rd_expect *expect, const struct rd_claim *claim, size_t cell,
                      rd_bits value)
{
    uint64_t memory;
    struct rd_expect own = *expect; /* comparing works out what is pending */
    struct rd_comparison found = rd_comparison_none();
    if (!rd_claim_has(claim, cell))
        return !expect->numeric->same(value, rd_expect_cell(expect, cell));
    expect->numeric->store(&memory, 0, value);
    expect->numeric->compare(&own, cell / claim->stride, 1, claim->stride, &memory, 1, &found);
    return found.wrong_bits > 0 || found.out_of_bound > 0;
}

/* For a state that is whole. */
static size_t count_dead(const struct rd_expect *expect, const struct rd_claim *claim,
                         const struct rd_state_view *state)
{
    const struct rd_numeric *numeric = expect->numeric;
    size_t count = 0;
    for (size_t i = 0; i < expect->n; i++)
        count += !rd_claim_has(claim, i) &&
                 !numeric->same(numeric->load(state->cells, i), rd_expect_cell(expect, i));
    return count;
}

static void value_text(const struct rd_violation *violation, const struct rd_numeric *numeric,
                       rd_bits value, bool is_input, rd_bits input, char text[RD_VALUE_TEXT_SIZE])
{
    if (!violation->of_inputs || !is_input) {
        rd_cell_text(numeric, NULL, 0, value, text);
        return;
    }
    const int length = violation->of_inputs->format(text, input);
    snprintf(text + length, (size_t)(RD_VALUE_TEXT_SIZE - length), " at %" PRIu64, value);
}

void rd_violation_values(const struct rd_violation *violation, const struct rd_numeric *numeric,
                         char expected[RD_VALUE_TEXT_SIZE], char actual[RD_VALUE_TEXT_SIZE])
{
    value_text(violation, numeric, violation->expected, violation->expected_is_input,
               violation->expected_input, expected);
    value_text(violation, numeric, violation->actual, violation->actual_is_input,
               violation->actual_input, actual);
}

/* The inputs that the cell's indices name. */
static void tell_inputs(const struct rd_expect *expect, struct rd_violation *v)
{
    const struct rd_numeric *numeric = expect->numeric;
    if (!numeric->lanes->select)
        return;
    v->of_inputs = numeric->inputs;
    v->expected_is_input = v->expected < expect->n_inputs;
    if (v->expected_is_input)
        v->expected_input = numeric->inputs->load(expect->a, v->expected);
    v->actual_is_input = v->actual < expect->n_inputs;
    if (v->actual_is_input)
        v->actual_input = numeric->inputs->load(expect->a, v->actual);
}

enum rd_verdict rd_assert_step(const struct rd_expect *expect, unsigned step,
                               const struct rd_claim *claim, const struct rd_comparison *found,
                               const struct rd_state_view *state, struct rd_violation *violation)
{
    if (claim->count == 0)
        return RD_INCONCLUSIVE; /* nothing was checked */
    const struct rd_numeric *numeric = expect->numeric;
    size_t dead = expect->n;
    if (state->whole && !state->no_frame)
        dead = numeric->frame(expect, claim->count, claim->stride, state->cells);
    struct rd_violation v = {.step = step, .array = "A"};
    if (found->wrong_bits > 0) {
        v.kind = RD_VIOLATION_BITS;
        v.cell = found->first_wrong;
        v.count = found->wrong_bits;
    } else if (found->out_of_bound > 0) {
        v.kind = RD_VIOLATION_BOUND;
        v.cell = found->first_outside;
        v.count = found->out_of_bound;
    } else if (dead < expect->n) {
        v.kind = RD_VIOLATION_FRAME;
        v.cell = dead;
        v.count = 1;
    } else if (expect->any_order && found->unbounded > 0) {
        return RD_INCONCLUSIVE; /* neither the bits nor the bound say anything */
    } else {
        return RD_HOLDS;
    }
    v.dead = dead < expect->n ? count_dead(expect, claim, state) : 0;
    v.expected = rd_expect_cell(expect, v.cell);
    v.actual = rd_state_cell(state, expect, claim, v.cell);
    tell_inputs(expect, &v);
    if ((expect->bounded || expect->any_order) && v.kind != RD_VIOLATION_FRAME)
        numeric->deviation(expect, v.cell, v.actual, &v.deviation);
    *violation = v;
    return RD_VIOLATED;
}

enum rd_verdict rd_verdict_of_claim(const struct rd_program *program, const struct rd_claim *claim,
                                    enum rd_verdict verdict)
{
    return program->played && claim->count == 0 ? RD_HOLDS : verdict;
}

bool rd_obligations_of_no_cell(const struct rd_program *program, size_t n_cells,
                               enum rd_verdict obligations[RD_OBLIGATION_COUNT])
{
    if (!program->played || n_cells > 0)
        return false;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        obligations[k] = RD_INCONCLUSIVE;
    return true;
}

static enum rd_verdict assert_total(const struct rd_expect *expect, struct rd_violation *v,
                                    struct rd_outcome *outcome)
{
    const struct rd_numeric *numeric = expect->numeric;
    numeric->total(expect, v->actual, &v->expected, &v->deviation);
    if (!numeric->rounds)
        return numeric->same(v->expected, v->actual) ? RD_HOLDS : RD_VIOLATED;
    outcome->deviation.limit = v->deviation.limit;
    outcome->many_roundings = v->deviation.many_roundings && !v->deviation.out_of_range;
    if (v->deviation.out_of_range)
        return RD_INCONCLUSIVE;
    if (!isfinite(v->deviation.limit)) /* an input is infinite or NaN, and the bound says nothing */
        return numeric->same(v->expected, v->actual) ? RD_HOLDS : RD_INCONCLUSIVE;
    if (!isfinite(v->deviation.error)) /* the sum has overflowed, for which no bound is made */
        return RD_INCONCLUSIVE;
    return v->deviation.error <= v->deviation.limit ? RD_HOLDS : RD_VIOLATED;
}

/* The host combines the cells in their order, as it would to end the program. */
static rd_bits total_of_cells(const struct rd_expect *expect, const struct rd_state_view *state)
{
    const struct rd_numeric *numeric = expect->numeric;
    rd_bits total = numeric->load(state->cells, 0);
    for (size_t k = 1; k < state->n_cells; k++)
        total = rd_cell_combine(numeric, expect->a, expect->n_inputs, total,
                                numeric->load(state->cells, k));
    return total;
}

static enum rd_verdict assert_elementwise(const struct rd_expect *expect,
                                          const struct rd_state_view *state, struct rd_violation *v)
{
    if (state->n_cells != expect->n)
        return RD_INCONCLUSIVE; /* not all cells were copied */
    v->cell = expect->numeric->elementwise(expect, state->cells, &v->expected);
    if (v->cell == expect->n)
        return RD_HOLDS;
    v->actual = expect->numeric->load(state->cells, v->cell);
    return RD_VIOLATED;
}

/* The number that the program ends with: a sum's bound has made its own bound. */
static enum rd_verdict assert_outcome(const struct rd_program *program,
                                      const struct rd_expect *expect,
                                      const struct rd_state_view *state, struct rd_violation *v,
                                      struct rd_outcome *outcome)
{
    program->result(expect, state->cells, outcome);
    v->outcome = *outcome;
    if (isnan(outcome->actual) && isnan(outcome->deviation.exact))
        return RD_HOLDS;
    if (isinf(outcome->actual) && outcome->actual == outcome->deviation.exact &&
        !outcome->too_narrow)
        return RD_HOLDS;
    if (!isfinite(outcome->deviation.limit)) /* a sum has overflowed, or the input is not finite */
        return RD_INCONCLUSIVE;
    if (isnan(outcome->actual))
        return RD_VIOLATED;
    if (!isfinite(outcome->deviation.error))
        return RD_INCONCLUSIVE;
    return outcome->deviation.error <= outcome->deviation.limit ? RD_HOLDS : RD_VIOLATED;
}

enum rd_verdict rd_assert_goal(const struct rd_program *program, const struct rd_expect *expect,
                               unsigned step, const struct rd_claim *claim,
                               const struct rd_state_view *state, struct rd_violation *violation,
                               struct rd_outcome *outcome)
{
    struct rd_violation v = {.kind = RD_VIOLATION_GOAL, .step = step, .array = "A", .count = 1};
    enum rd_verdict verdict = RD_HOLDS;
    outcome->deviation.limit = state->widest;
    switch (program->goal) {
    case RD_GOAL_SUM:
        v.actual = rd_state_cell(state, expect, claim, 0);
        verdict = assert_total(expect, &v, outcome);
        tell_inputs(expect, &v);
        break;
    case RD_GOAL_TOTAL:
        v.actual = total_of_cells(expect, state);
        verdict = assert_total(expect, &v, outcome);
        tell_inputs(expect, &v);
        break;
    case RD_GOAL_INPUT:
    case RD_GOAL_PRODUCT:
        verdict = assert_elementwise(expect, state, &v);
        break;
    case RD_GOAL_LAST: /* the last step has been asserted */
        break;
    case RD_GOAL_RESULT:
        verdict = assert_outcome(program, expect, state, &v, outcome);
        break;
    case RD_GOAL_NONE:
    case RD_GOAL_UNASKED:
        verdict = RD_INCONCLUSIVE;
        break;
    }
    if (verdict == RD_VIOLATED)
        *violation = v;
    return verdict;
}
