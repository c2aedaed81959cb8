// SPDX-License-Identifier: MIT
/* Asserts a recorded run again: the driver's loop, with the trace in the place of the device. */
#include "assertion.h"
#include "inputs.h"
#include "names.h"
#include "points.h"
#include "record.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct replayer {
    struct rd_trace_reader reader;
    struct rd_error *error;
    struct rd_replay result;
    bool contradicted; /* the trace is at odds with itself; result.reason says where */
    const struct rd_program *program;
    struct rd_trace_run run;
    struct rd_trace_inputs inputs;
    struct rd_expect expect;                          /* the array as it must be, */
    struct rd_points points;                          /* and those inside kernels */
    unsigned rounds;                                  /* that the program makes */
    size_t pass;                                      /* under way; 1 where there is no witness */
    unsigned next_step;                               /* that is due in this pass */
    bool refused;                                     /* the launch of the round before it */
    enum rd_verdict inside;                           /* of the checkpoints of this round */
    bool incomplete;                                  /* a checkpoint was cut */
    enum rd_verdict obligations[RD_OBLIGATION_COUNT]; /* of this pass */
};

/* The trace says what can't be. The first such place is the one to tell. */
static void contradict(struct replayer *replayer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void contradict(struct replayer *replayer, const char *format, ...)
{
    if (replayer->contradicted)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(replayer->result.reason, sizeof replayer->result.reason, format, arguments);
    va_end(arguments);
    replayer->contradicted = true;
}

static bool can_assert(const struct replayer *replayer)
{
    return replayer->inputs.a != NULL;
}

/* ---- the run ---- */

static enum rd_status start_pass(struct replayer *replayer, size_t pass)
{
    const struct rd_trace_run *run = &replayer->run;
    replayer->pass = pass;
    replayer->next_step = 0;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        replayer->obligations[k] = RD_INCONCLUSIVE;
    if (!can_assert(replayer))
        return RD_OK;
    if (run->passes > 0)
        rd_trace_inputs_fill(&replayer->inputs, run, pass);
    rd_expect_finish(&replayer->expect);
    rd_points_finish(&replayer->points);
    enum rd_status status =
        rd_expect_init(&replayer->expect, replayer->program, run->numeric, &run->shape,
                       replayer->inputs.a, replayer->inputs.b, replayer->error);
    if (status == RD_OK)
        status = rd_points_init(&replayer->points, replayer->program, run->numeric, &run->shape,
                                replayer->inputs.a, replayer->inputs.b, replayer->error);
    return status;
}

/* Looks the program up and asks it whether it would make such a run. */
static enum rd_status check_program(struct replayer *replayer)
{
    const struct rd_trace_run *run = &replayer->run;
    const struct rd_trace_reader *reader = &replayer->reader;
    const struct rd_program *program = rd_program_named(run->program);
    struct rd_error reason;
    if (!program)
        return rd_trace_refuse(reader, replayer->error,
                               "'program' is \"%.60s\", and this version has none of that name",
                               run->program);
    if (rd_program_accept(program, &run->shape, &reason))
        return rd_trace_refuse(reader, replayer->error, "%s", reason.text);
    if (run->passes == 0 && program->has_b != (run->b.cells != NULL))
        return rd_trace_refuse(reader, replayer->error, "'input' has %s b, and %s takes %s",
                               run->b.cells ? "a" : "no", program->name,
                               program->has_b ? "one" : "none");
    replayer->program = program;
    return RD_OK;
}

static enum rd_status replay_run(struct replayer *replayer)
{
    struct rd_trace_run *run = &replayer->run;
    struct rd_replay *result = &replayer->result;
    enum rd_status status = rd_trace_read_run(&replayer->reader, run, replayer->error);
    if (status == RD_OK)
        status = check_program(replayer);
    if (status != RD_OK)
        return status;
    snprintf(result->program, sizeof result->program, "%s", run->program);
    snprintf(result->type, sizeof result->type, "%s", run->numeric->name);
    snprintf(result->device, sizeof result->device, "%s", run->device);
    result->n = run->n;
    replayer->rounds = rd_program_rounds(replayer->program, &run->shape);
    status = rd_trace_inputs_init(&replayer->inputs, replayer->program, run, replayer->error);
    if (status != RD_OK)
        return status;
    if (replayer->inputs.changed)
        contradict(replayer, "%.200s", replayer->inputs.reason.text);
    return start_pass(replayer, 1);
}

/* ---- a step ---- */

static unsigned one_at_least(unsigned dimension)
{
    return dimension ? dimension : 1;
}

/* The plan that the step claims to have followed must be the program's. */
static void check_plan(struct replayer *replayer, const struct rd_trace_step *step)
{
    const struct rd_trace_run *run = &replayer->run;
    const struct rd_trace_round *was = &step->round;
    struct rd_claim claim;
    struct rd_round round;
    rd_program_claim(replayer->program, &run->shape, step->number, &claim);
    if (step->claim.count != claim.count || step->claim.stride != claim.stride)
        contradict(replayer,
                   "step %u claims %zu cells %zu apart, and %s claims %zu cells %zu apart",
                   step->number, step->claim.count, step->claim.stride, replayer->program->name,
                   claim.count, claim.stride);
    if (step->n_asserted != claim.count)
        contradict(replayer, "step %u says that %zu cells were asserted, and claims %zu",
                   step->number, step->n_asserted, claim.count);
    if (run->frame && !step->state.whole)
        contradict(replayer,
                   "step %u has live cells only, and the run says that dead ones were "
                   "asserted too",
                   step->number);
    if (step->number == 0) {
        if (step->has_round)
            contradict(replayer, "step 0 has a round, and comes before the first");
        return;
    }
    rd_program_round(replayer->program, &run->shape, step->number, &round);
    if (!step->has_round || was->number != round.number || was->width != round.width ||
        was->grid != round.grid || was->block != round.block ||
        one_at_least(was->grid_y) != one_at_least(round.grid_y) ||
        one_at_least(was->block_y) != one_at_least(round.block_y) ||
        was->threads != round.threads || strcmp(was->kernel, rd_kernel_name(round.kernel)) != 0 ||
        strcmp(was->width_name, round.width_name) != 0)
        contradict(replayer,
                   "the round of step %u is not the one that %s makes: %s, %s = %zu, "
                   "grid %zu, block %u, %zu threads",
                   step->number, replayer->program->name, rd_kernel_name(round.kernel),
                   round.width_name, round.width, round.grid, round.block, round.threads);
}

/* The state in full. What was cut out of the middle is taken to be as it must be, but for the cell
 * that the step calls violated; if the digest is then the recorded one, that is how it was. The
 * caller frees *full. */
static enum rd_status complete_state(struct replayer *replayer, const struct rd_trace_step *step,
                                     void **full, bool *digest_agrees)
{
    const struct rd_trace_state *state = &step->state;
    const struct rd_numeric *numeric = replayer->run.numeric;
    size_t stride = state->whole ? 1 : step->claim.stride;
    void *cells = malloc(state->count * numeric->size_bytes + 1);
    if (!cells)
        return rd_fail(replayer->error, RD_ERROR_MEMORY, "no memory for a state of %zu cells",
                       state->count);
    for (size_t k = 0; k < state->count; k++)
        numeric->store(cells, k, rd_expect_cell(&replayer->expect, k * stride));
    if (step->violated && step->violation.cell % stride == 0 &&
        step->violation.cell / stride < state->count)
        numeric->store(cells, step->violation.cell / stride, step->violation.actual);
    for (size_t k = 0; k < state->n_head + state->n_tail; k++)
        numeric->store(cells, rd_trace_state_index(state, k), numeric->load(state->cells, k));
    *digest_agrees = numeric->digest(cells, state->count) == state->digest;
    *full = cells;
    return RD_OK;
}

static bool same_place(const struct rd_place *x, const struct rd_place *y)
{
    return x->point == y->point && x->block == y->block && x->warp == y->warp &&
           x->number == y->number && x->variable == y->variable;
}

static bool same_violation(const struct rd_expect *expect, const struct rd_violation *x,
                           const struct rd_violation *y)
{
    const struct rd_numeric *numeric = expect->numeric;
    /* What a goal of floats expects is a sum in parallel, as is what they are in any order: its last
     * bit may differ. */
    bool same_expected = x->kind == RD_VIOLATION_GOAL || expect->any_order ||
                         numeric->same(x->expected, y->expected);
    if (x->inside != y->inside || (x->inside && !same_place(&x->place, &y->place)))
        return false;
    return x->kind == y->kind && x->step == y->step && x->cell == y->cell && x->count == y->count &&
           same_expected && numeric->same(x->actual, y->actual);
}

static void note_violation(struct replayer *replayer, const struct rd_violation *violation)
{
    struct rd_replay *result = &replayer->result;
    if (!result->violated)
        result->violation = *violation;
    result->violated = true;
}

static void check_verdict(struct replayer *replayer, const struct rd_trace_step *step,
                          enum rd_verdict verdict, const struct rd_violation *violation,
                          size_t unbounded)
{
    if (step->verdict != verdict || step->violated != (verdict == RD_VIOLATED))
        contradict(replayer, "the trace says %s of step %u, and its cells say %s",
                   rd_verdict_name(step->verdict), step->number, rd_verdict_name(verdict));
    else if (step->violated && !same_violation(&replayer->expect, &step->violation, violation))
        contradict(replayer, "the trace tells another violation of step %u than its cells do",
                   step->number);
    if (step->n_unbounded != unbounded && !rd_trace_state_is_cut(&step->state))
        contradict(replayer, "step %u says that %zu cells had no bound, and %zu have none",
                   step->number, step->n_unbounded, unbounded);
}

/* After the last round, if all is well until then. */
static void assert_goal(struct replayer *replayer, const struct rd_trace_step *step,
                        const struct rd_state_view *view)
{
    struct rd_violation violation;
    enum rd_verdict *obligations = replayer->obligations;
    if (step->number < replayer->rounds || replayer->result.violated || replayer->result.hazards ||
        obligations[RD_INITIALIZATION] != RD_HOLDS)
        return;
    if (step->number > 0 && obligations[RD_PRESERVATION] != RD_HOLDS)
        return;
    obligations[RD_PRESERVATION] = RD_HOLDS; /* also where there is no round to make */
    obligations[RD_EXIT] =
        rd_assert_goal(replayer->program, &replayer->expect, step->number, &step->claim, view,
                       &violation, &replayer->result.outcome);
    if (obligations[RD_EXIT] == RD_VIOLATED)
        note_violation(replayer, &violation);
}

/* Asserts the step's invariant on the cells of `view`. */
static void assert_cells(struct replayer *replayer, const struct rd_trace_step *step,
                         const struct rd_state_view *view, bool digest_agrees)
{
    struct rd_expect *expect = &replayer->expect;
    const struct rd_claim *claim = &step->claim;
    struct rd_comparison found = rd_comparison_none();
    struct rd_violation violation;
    expect->numeric->compare(expect, 0, claim->count, claim->stride, view->cells,
                             view->whole ? claim->stride : 1, &found);
    enum rd_verdict verdict = rd_assert_step(expect, step->number, claim, &found, view, &violation);
    if (replayer->refused && verdict == RD_HOLDS)
        verdict = RD_INCONCLUSIVE; /* as in the driver: there was no round to keep it */
    replayer->refused = false;
    replayer->obligations[step->number == 0 ? RD_INITIALIZATION : RD_PRESERVATION] =
        rd_verdict_worst(verdict, replayer->inside);
    replayer->inside = RD_HOLDS;
    if (verdict == RD_VIOLATED && rd_trace_state_is_cut(&step->state) && step->violated)
        violation.count = step->violation.count; /* the others may have been cut out */
    if (verdict == RD_VIOLATED)
        note_violation(replayer, &violation);
    else if (!digest_agrees)
        contradict(replayer,
                   "the digest of step %u is not that of the cells it should have: one that was "
                   "cut out is wrong",
                   step->number);
    check_verdict(replayer, step, verdict, &violation, found.unbounded);
    assert_goal(replayer, step, view);
}

static enum rd_status assert_step(struct replayer *replayer, const struct rd_trace_step *step)
{
    const struct rd_trace_state *state = &step->state;
    void *full = NULL;
    bool digest_agrees = true;
    check_plan(replayer, step);
    replayer->result.cells += step->claim.count;
    /* A claim that is not the program's has nothing to be asserted against. */
    if (!can_assert(replayer) || replayer->contradicted)
        return RD_OK;
    rd_program_advance(replayer->program, &replayer->expect, step->number);
    if (rd_trace_state_is_cut(state)) {
        enum rd_status status = complete_state(replayer, step, &full, &digest_agrees);
        if (status != RD_OK)
            return status;
    }
    const struct rd_state_view view = {
        .cells = full ? full : state->cells, .n_cells = state->count, .whole = state->whole};
    assert_cells(replayer, step, &view, digest_agrees);
    free(full);
    return RD_OK;
}

/* ---- a checkpoint ---- */

/* A checkpoint's state is never cut where it can be asserted: a block's array is small. */
static enum rd_status assert_checkpoint(struct replayer *replayer,
                                        const struct rd_trace_step *recorded)
{
    const struct rd_checkpoint checkpoint = {
        .place = recorded->place,
        .cells = recorded->state.cells,
        .n_cells = recorded->state.count,
        .present = recorded->present,
    };
    struct rd_step step;
    struct rd_violation violation;
    if (recorded->number != replayer->next_step || recorded->number == 0)
        return rd_trace_refuse(&replayer->reader, replayer->error,
                               "a checkpoint of round %u, where round %u is due", recorded->number,
                               replayer->next_step);
    replayer->result.checkpoints++;
    replayer->result.cells += recorded->claim.count;
    if (rd_trace_state_is_cut(&recorded->state)) {
        replayer->incomplete = true;
        return RD_OK;
    }
    if (!can_assert(replayer) || replayer->contradicted)
        return RD_OK;
    struct rd_error reason;
    if (rd_points_assert(&replayer->points, recorded->number, &checkpoint, &step, &violation,
                         &reason) != RD_OK) {
        contradict(replayer, "%.200s", reason.text);
        return RD_OK;
    }
    if (step.claim.count != recorded->claim.count || step.claim.stride != recorded->claim.stride)
        contradict(replayer, "a checkpoint of round %u claims other cells than %s does",
                   recorded->number, replayer->program->name);
    if (step.verdict == RD_VIOLATED)
        note_violation(replayer, &violation);
    replayer->inside = rd_verdict_worst(replayer->inside, step.verdict);
    check_verdict(replayer, recorded, step.verdict, &violation, 0);
    return RD_OK;
}

/* Steps come in order, and passes follow on complete ones. */
static enum rd_status check_order(struct replayer *replayer, const struct rd_trace_step *step)
{
    size_t pass = step->pass ? step->pass : 1;
    bool pass_is_over = replayer->next_step > replayer->rounds;
    if (pass == replayer->pass + 1 && pass_is_over && step->number == 0)
        return start_pass(replayer, pass);
    if (pass == replayer->pass && step->number == replayer->next_step && !pass_is_over)
        return RD_OK;
    if (pass == replayer->pass && pass_is_over)
        return rd_trace_refuse(&replayer->reader, replayer->error,
                               "step %u, and %s of %zu ends with step %u", step->number,
                               replayer->program->name, replayer->run.n, replayer->rounds);
    return rd_trace_refuse(
        &replayer->reader, replayer->error, "step %u of pass %zu, where step %u of pass %zu is due",
        step->number, pass, pass_is_over ? 0 : replayer->next_step, replayer->pass + pass_is_over);
}

static enum rd_status replay_step(struct replayer *replayer)
{
    struct rd_trace_step step;
    enum rd_status status =
        rd_trace_read_step(&replayer->reader, &replayer->run, &step, replayer->error);
    if (status != RD_OK)
        return status;
    if (step.inside) {
        status = assert_checkpoint(replayer, &step);
    } else {
        status = check_order(replayer, &step);
        if (status == RD_OK)
            status = assert_step(replayer, &step);
        if (status == RD_OK)
            replayer->result.steps = ++replayer->next_step;
    }
    rd_trace_step_finish(&step);
    return status;
}

/* The step that follows is that of the round in which it happened. */
static enum rd_status replay_hazard(struct replayer *replayer)
{
    struct rd_trace_hazard hazard;
    struct rd_replay *result = &replayer->result;
    enum rd_status status = rd_trace_read_hazard(&replayer->reader, &hazard, replayer->error);
    if (status != RD_OK)
        return status;
    if (result->hazards++ == 0)
        result->hazard = hazard;
    replayer->refused = strcmp(hazard.name, "illegal-launch") == 0;
    return RD_OK;
}

/* ---- the end ---- */

/* The sums of the last record must be those of the records before it. */
static void check_totals(struct replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_replay *result = &replayer->result;
    if (said->checkpoints != result->checkpoints)
        contradict(replayer, "the last record counts %llu checkpoints, and there are %llu",
                   (unsigned long long)said->checkpoints, (unsigned long long)result->checkpoints);
    if (said->steps != result->steps || said->cells != result->cells ||
        said->hazards != result->hazards)
        contradict(replayer,
                   "the last record counts %u steps, %llu cells and %u hazards, and there are %u, "
                   "%llu and %u",
                   said->steps, (unsigned long long)said->cells, said->hazards, result->steps,
                   (unsigned long long)result->cells, result->hazards);
    if (!can_assert(replayer))
        return;
    if (said->violated != result->violated ||
        (said->violated &&
         !same_violation(&replayer->expect, &said->violation, &result->violation)))
        contradict(replayer, "the last record tells another violation than the cells do");
    /* An interruption or a hazard may have come before what could still be asserted. */
    for (int k = 0; k < RD_OBLIGATION_COUNT && !result->interrupted && !result->hazards; k++)
        if (said->obligations[k] != replayer->obligations[k])
            contradict(replayer, "the trace says %s of %s, and its cells say %s",
                       rd_verdict_name(said->obligations[k]), rd_obligation_name(k),
                       rd_verdict_name(replayer->obligations[k]));
}

/* Where checkpoints were lost, the run has asserted no goal. */
static void drop_goal(struct replayer *replayer)
{
    struct rd_replay *result = &replayer->result;
    replayer->incomplete = true;
    replayer->obligations[RD_EXIT] = RD_INCONCLUSIVE;
    result->outcome = (struct rd_outcome){0};
    if (result->violation.kind == RD_VIOLATION_GOAL)
        result->violated = false;
}

/* The number that the program ends with: older versions did not write it, and an interruption may
 * have come before it. */
static void check_outcome(struct replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_replay *result = &replayer->result;
    const struct rd_outcome *outcome = &result->outcome;
    if (!can_assert(replayer))
        return;
    if (!said->outcome_name) {
        if (outcome->name && replayer->reader.minor >= RD_TRACE_MINOR_OUTCOME &&
            !result->interrupted)
            contradict(replayer, "the last record has no outcome, and the cells give %s = %.17g",
                       outcome->name, outcome->actual);
    } else if (!outcome->name) {
        contradict(replayer,
                   "the last record says %.40s = %.17g, and the cells give no such number",
                   said->outcome_name, said->outcome);
    } else if (strcmp(said->outcome_name, outcome->name) != 0 ||
               !rd_trace_same_outcome(said->outcome, outcome->actual)) {
        contradict(replayer, "the last record says %.40s = %.17g, and the cells give %s = %.17g",
                   said->outcome_name, said->outcome, outcome->name, outcome->actual);
    }
}

static enum rd_status replay_result(struct replayer *replayer)
{
    struct rd_trace_result said;
    struct rd_replay *result = &replayer->result;
    enum rd_status status =
        rd_trace_read_result(&replayer->reader, &replayer->run, &said, replayer->error);
    if (status != RD_OK)
        return status;
    result->complete = true;
    result->interrupted = replayer->reader.kind == RD_RECORD_INTERRUPTED;
    result->recorded = said.verdict;
    if (said.truncated)
        drop_goal(replayer);
    check_totals(replayer, &said);
    check_outcome(replayer, &said);
    return RD_OK;
}

static enum rd_verdict worst_obligation(const struct replayer *replayer)
{
    enum rd_verdict worst = RD_HOLDS;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        worst = rd_verdict_worst(worst, replayer->obligations[k]);
    return worst;
}

/* What the records give, whatever the last one says of them; *why is set where they fall short. */
static enum rd_verdict derive_verdict(const struct replayer *replayer, const char **why)
{
    const struct rd_replay *result = &replayer->result;
    size_t passes = replayer->run.passes ? replayer->run.passes : 1;
    if (result->violated || result->hazards > 0)
        return RD_VIOLATED;
    if (!can_assert(replayer)) {
        *why = replayer->inputs.reason.text;
        return RD_INCONCLUSIVE;
    }
    if (!result->complete)
        *why = replayer->reader.cut ? "its last line is cut" : "it has no last record";
    else if (result->interrupted)
        *why = "the run was interrupted";
    else if (replayer->incomplete)
        *why = "not all checkpoints were kept";
    else if (worst_obligation(replayer) != RD_HOLDS)
        *why = "a step or the goal is INCONCLUSIVE";
    else if (replayer->pass < passes)
        *why = "passes are missing";
    return *why ? RD_INCONCLUSIVE : RD_HOLDS;
}

static void conclude(struct replayer *replayer)
{
    struct rd_replay *result = &replayer->result;
    const char *why = NULL;
    result->verdict = derive_verdict(replayer, &why);
    if (result->complete && !result->interrupted && can_assert(replayer) &&
        result->recorded != result->verdict)
        contradict(replayer, "the trace says %s, and its records say %s",
                   rd_verdict_name(result->recorded), rd_verdict_name(result->verdict));
    if (replayer->contradicted)
        result->verdict = RD_VIOLATED;
    else if (why && result->steps == 0)
        snprintf(result->reason, sizeof result->reason, "%.180s; no step was recorded", why);
    else if (why)
        snprintf(result->reason, sizeof result->reason,
                 "%.180s; the trace ends after step %u of %u", why, result->steps - 1,
                 replayer->rounds);
}

static enum rd_status replay_record(struct replayer *replayer)
{
    switch (replayer->reader.kind) {
    case RD_RECORD_RUN:
        return replay_run(replayer);
    case RD_RECORD_STEP:
        return replay_step(replayer);
    case RD_RECORD_HAZARD:
        return replay_hazard(replayer);
    case RD_RECORD_VERDICT:
    case RD_RECORD_INTERRUPTED:
        return replay_result(replayer);
    default: /* the reader passes over the others */
        return RD_OK;
    }
}

enum rd_status rd_trace_replay(const char *path, struct rd_replay *replay, struct rd_error *error)
{
    struct replayer replayer = {.error = error};
    replayer.result.recorded = RD_INCONCLUSIVE;
    enum rd_status status = rd_trace_reader_init(&replayer.reader, path, error);
    if (status != RD_OK)
        return status;
    do {
        status = rd_trace_reader_next(&replayer.reader, error);
        if (status == RD_OK)
            status = replay_record(&replayer);
    } while (status == RD_OK && replayer.reader.kind != RD_RECORD_NONE);
    if (status == RD_OK && !replayer.program)
        status = rd_fail(error, RD_ERROR_INPUT, "'%s' ends before its 'run' record", path);
    if (status == RD_OK) {
        conclude(&replayer);
        *replay = replayer.result;
    }
    rd_expect_finish(&replayer.expect);
    rd_points_finish(&replayer.points);
    rd_trace_inputs_finish(&replayer.inputs);
    rd_trace_run_finish(&replayer.run);
    rd_trace_reader_finish(&replayer.reader);
    return status;
}
