// SPDX-License-Identifier: MIT
/* Asserts a recorded step again. */
#include "trace/replayer.h"
#include "reductio/witness.h"
#include "run/state.h"
#include "device/kernel_names.h"
#include "program/program_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a step ---- */

static unsigned one_at_least(unsigned dimension)
{
    return dimension ? dimension : 1;
}

/* The plan that the step claims to have followed must be the program's. */
static void check_plan(struct rd_replayer *replayer, const struct rd_trace_step *step)
{
    const struct rd_trace_run *run = &replayer->run;
    const struct rd_trace_round *was = &step->round;
    struct rd_claim claim;
    struct rd_round round;
    rd_program_claim(replayer->program, &run->shape, step->number, &claim);
    bool same_claim = step->claim.count == claim.count && step->claim.stride == claim.stride;
    replayer->astray |= !same_claim;
    if (!same_claim)
        rd_replay_contradict(
            replayer, "step %u claims %zu cells %zu apart, and %s claims %zu cells %zu apart",
            step->number, step->claim.count, step->claim.stride, replayer->program->name,
            claim.count, claim.stride);
    if (step->n_asserted != claim.count)
        rd_replay_contradict(replayer, "step %u says that %zu cells were asserted, and claims %zu",
                             step->number, step->n_asserted, claim.count);
    if (run->frame != step->state.whole)
        rd_replay_contradict(replayer,
                             run->frame ? "step %u has live cells only, and the run says that dead "
                                          "ones were asserted too"
                                        : "step %u has dead cells, too, and the run says that only "
                                          "live ones were asserted",
                             step->number);
    if (step->has_present)
        rd_replay_contradict(
            replayer, "step %u has 'present', which checkpoints of lanes alone have", step->number);
    if (step->number == 0) {
        if (step->has_round)
            rd_replay_contradict(replayer, "step 0 has a round, and comes before the first");
        return;
    }
    rd_program_round(replayer->program, &run->shape, step->number, &round);
    if (!step->has_round || was->number != round.number || was->width != round.width ||
        was->grid != round.grid || was->block != round.block ||
        one_at_least(was->grid_y) != one_at_least(round.grid_y) ||
        one_at_least(was->block_y) != one_at_least(round.block_y) ||
        was->threads != round.threads || strcmp(was->kernel, round.kernel_name) != 0 ||
        strcmp(was->width_name, round.width_name) != 0) {
        replayer->astray = true;
        rd_replay_contradict(replayer,
                             "the round of step %u is not the one that %s makes: %s, %s = %zu, "
                             "grid %zu, block %u, %zu threads",
                             step->number, replayer->program->name, round.kernel_name,
                             round.width_name, round.width, round.grid, round.block, round.threads);
    }
}

/* The state in full, whose cells lie `stride` apart in the array. What was cut out of the middle is taken to
 * be as it must be, but for the cell that the step calls violated. The caller frees *full. */
static enum rd_status complete_cells(struct rd_replayer *replayer, const struct rd_trace_step *step,
                                     const struct rd_expect *expect, size_t stride, void **full)
{
    const struct rd_trace_state *state = &step->state;
    const struct rd_numeric *numeric = replayer->run.numeric;
    void *cells = malloc(state->count * numeric->size_bytes + 1);
    if (!cells)
        return rd_fail(replayer->error, RD_ERROR_MEMORY, "no memory for a state of %zu cells",
                       state->count);
    for (size_t k = 0; k < state->count; k++)
        numeric->store(cells, k, rd_expect_cell(expect, k * stride));
    if (step->violated && step->violation.cell % stride == 0 &&
        step->violation.cell / stride < state->count)
        numeric->store(cells, step->violation.cell / stride, step->violation.actual);
    for (size_t k = 0; k < state->n_head + state->n_tail; k++)
        numeric->store(cells, rd_trace_state_index(state, k), numeric->load(state->cells, k));
    *full = cells;
    return RD_OK;
}

/* The state of a step in full: if the digest is then the recorded one, that is how it was. */
static enum rd_status complete_state(struct rd_replayer *replayer, const struct rd_trace_step *step,
                                     void **full, bool *digest_agrees)
{
    const struct rd_trace_state *state = &step->state;
    enum rd_status status = complete_cells(replayer, step, &replayer->expect,
                                           state->whole ? 1 : step->claim.stride, full);
    if (status == RD_OK)
        *digest_agrees = replayer->run.numeric->digest(*full, state->count) == state->digest;
    return status;
}

/* Tells whether they differ by at most the slack, or are both no number. */
static bool is_near(double x, double y, double slack)
{
    return x == y || (isnan(x) && isnan(y)) || (isfinite(x) && isfinite(y) && fabs(x - y) <= slack);
}

bool rd_replay_same_deviation(const struct rd_deviation *x, const struct rd_deviation *y)
{
    /* Relative to the figures themselves; the error is a small difference of large ones. */
    const double rounding = 1e-12;
    double exact = rounding * fmax(fabs(x->exact), fabs(y->exact));
    double limit = rounding * fmax(fabs(x->limit), fabs(y->limit));
    return is_near(x->exact, y->exact, exact) && is_near(x->limit, y->limit, limit) &&
           (x->error < 0) == (y->error < 0) &&
           is_near(x->error, y->error, exact + 1e-6 * fabs(y->limit));
}

bool rd_replay_other_limit(const struct rd_deviation *x, const struct rd_deviation *y)
{
    struct rd_deviation limited = *x;
    limited.limit = y->limit;
    return rd_replay_same_deviation(&limited, y) && !rd_replay_same_deviation(x, y);
}

bool rd_replay_same_violation(const struct rd_expect *expect, const struct rd_violation *x,
                              const struct rd_violation *y)
{
    const struct rd_numeric *numeric = expect->numeric;
    /* A float goal, and floats that may be added in any order, are expected by a parallel sum, whose last
     * bits may differ. */
    bool by_any_order = x->kind == RD_VIOLATION_GOAL || expect->any_order;
    double left = numeric->to_double(x->expected), right = numeric->to_double(y->expected);
    double rounding = fmax(ldexp(16, -(int)numeric->digits), 1e-12);
    bool same_expected =
        numeric->same(x->expected, y->expected) ||
        (by_any_order && numeric->is_float && is_near(left, right, rounding * fabs(right)));
    /* The place determines the loop's variable; a record may say something else. */
    if (x->inside != y->inside || (x->inside && (!rd_place_same(&x->place, &y->place) ||
                                                 x->place.variable != y->place.variable)))
        return false;
    return x->kind == y->kind && x->step == y->step && x->cell == y->cell && x->count == y->count &&
           same_expected && numeric->same(x->actual, y->actual) &&
           rd_replay_same_deviation(&x->deviation, &y->deviation);
}

static void note_violation(struct rd_replayer *replayer, const struct rd_violation *violation)
{
    struct rd_replay *result = &replayer->result;
    if (!result->violated)
        result->violation = *violation;
    result->violated = true;
}

static void check_verdict(struct rd_replayer *replayer, const struct rd_trace_step *step,
                          enum rd_verdict verdict, const struct rd_violation *violation,
                          size_t unbounded)
{
    if (step->verdict != verdict || step->violated != (verdict == RD_VIOLATED))
        rd_replay_contradict(replayer, "the trace says %s of step %u, and its cells say %s",
                             rd_verdict_name(step->verdict), step->number,
                             rd_verdict_name(verdict));
    else if (step->violated &&
             !rd_replay_same_violation(&replayer->expect, &step->violation, violation))
        rd_replay_contradict(replayer,
                             "the trace tells another violation of step %u than its cells do",
                             step->number);
    if (step->n_unbounded != unbounded)
        rd_replay_contradict(replayer,
                             "step %u says that %zu cells had no bound, and %zu have none",
                             step->number, step->n_unbounded, unbounded);
}

/* From that minor version on, words are this version's, too. */
static void check_statement(struct rd_replayer *replayer, const struct rd_trace_step *step,
                            const char *statement)
{
    if (replayer->reader.minor >= RD_TRACE_MINOR_STATEMENT &&
        replayer->reader.minor <= RD_TRACE_MINOR && strcmp(step->statement, statement) != 0)
        rd_replay_contradict(replayer, "step %u states \"%.120s\", and %s \"%.120s\"", step->number,
                             step->statement, replayer->program->name, statement);
}

/* After the last round, if all is well until then. */
static void assert_goal(struct rd_replayer *replayer, const struct rd_trace_step *step,
                        const struct rd_state_view *view)
{
    struct rd_violation violation;
    enum rd_verdict *obligations = replayer->obligations;
    if (step->number < replayer->rounds || replayer->result.violated || replayer->unsound ||
        obligations[RD_INITIALIZATION] != RD_HOLDS)
        return;
    if (step->number > 0 && obligations[RD_PRESERVATION] != RD_HOLDS)
        return;
    if (rd_obligations_of_no_cell(replayer->program, replayer->result.cells, obligations))
        return;
    obligations[RD_PRESERVATION] = RD_HOLDS; /* also where there is no round to make */
    obligations[RD_EXIT] =
        rd_assert_goal(replayer->program, &replayer->expect, step->number, &step->claim, view,
                       &violation, &replayer->result.outcome);
    if (obligations[RD_EXIT] == RD_VIOLATED)
        note_violation(replayer, &violation);
}

static enum rd_status tell(struct rd_replayer *replayer, const struct rd_trace_step *recorded,
                           const struct rd_step *step)
{
    const struct rd_trace_visitor *visitor = replayer->visitor;
    if (!visitor || !visitor->step || replayer->astray)
        return RD_OK;
    return visitor->step(visitor->self, recorded, step, replayer->error);
}

/* Tells of a step of the array under test; its plan is the program's. */
static enum rd_status tell_step(struct rd_replayer *replayer, const struct rd_trace_step *recorded,
                                enum rd_verdict verdict, const struct rd_violation *violation,
                                const struct rd_comparison *found)
{
    const struct rd_shape *shape = &replayer->run.shape;
    bool asserted = rd_replay_can_assert(replayer);
    char statement[RD_STATEMENT_SIZE];
    struct rd_round round;
    bool has_round = recorded->number > 0 &&
                     rd_program_round(replayer->program, shape, recorded->number, &round);
    rd_program_statement(replayer->program, shape, recorded->number,
                         replayer->run.numeric->operation, statement);
    check_statement(replayer, recorded, statement);
    return tell(replayer, recorded,
                &(struct rd_step){
                    .number = recorded->number,
                    .round = has_round ? &round : NULL,
                    .statement = statement,
                    .claim = recorded->claim,
                    .whole = recorded->state.whole,
                    .expect = asserted ? &replayer->expect : NULL,
                    .verdict = verdict,
                    .n_asserted = asserted ? recorded->claim.count : 0,
                    .n_unbounded = found->unbounded,
                    .widest = found->widest,
                    .violation = verdict == RD_VIOLATED ? violation : NULL,
                });
}

/* Notes the verdict of a step, or of a checkpoint in its round, as the driver does. */
static void note_obligation(struct rd_replayer *replayer, unsigned step, enum rd_verdict verdict)
{
    enum rd_verdict *obligation =
        &replayer->obligations[step == 0 ? RD_INITIALIZATION : RD_PRESERVATION];
    enum rd_verdict told = rd_verdict_of_round(replayer->held || step == 0, replayer->undefined,
                                               rd_verdict_worst(verdict, replayer->inside));
    *obligation = step <= 1 ? told : rd_verdict_worst(*obligation, told);
    replayer->held = verdict != RD_VIOLATED;
    replayer->undefined = false;
    replayer->inside = RD_HOLDS;
    replayer->inside_count = 0;
}

/* Tells whether a cell that the step claims was cut out. */
static bool cuts_claim(const struct rd_trace_step *step)
{
    const struct rd_trace_state *state = &step->state;
    const size_t stride = state->whole ? step->claim.stride : 1;
    for (size_t k = 0; k < step->claim.count; k++)
        if (k * stride >= state->n_head && k * stride < state->count - state->n_tail)
            return true;
    return false;
}

/* Asserts the step's invariant on the cells of `view`. */
static enum rd_status assert_cells(struct rd_replayer *replayer, const struct rd_trace_step *step,
                                   const struct rd_state_view *view, bool digest_agrees)
{
    struct rd_expect *expect = &replayer->expect;
    const struct rd_claim *claim = &step->claim;
    struct rd_comparison found = rd_comparison_none();
    struct rd_violation violation;
    expect->numeric->compare(expect, 0, claim->count, claim->stride, view->cells,
                             view->whole ? claim->stride : 1, &found);
    enum rd_verdict verdict = rd_assert_step(expect, step->number, claim, &found, view, &violation);
    verdict = rd_verdict_of_claim(replayer->program, claim, verdict);
    violation.array = rd_program_array(replayer->program);
    if (replayer->refused && verdict == RD_HOLDS)
        verdict = RD_INCONCLUSIVE; /* as in the driver: there was no round to keep it */
    replayer->refused = false;
    note_obligation(replayer, step->number, verdict);
    if (verdict == RD_VIOLATED && !digest_agrees && step->violated)
        violation.count = step->violation.count; /* the others may have been cut out */
    if (verdict == RD_VIOLATED)
        note_violation(replayer, &violation);
    else if (!digest_agrees && expect->any_order && cuts_claim(step))
        replayer->unseen_cells = true; /* their last bits are those of an order */
    else if (!digest_agrees)
        rd_replay_contradict(
            replayer,
            "the digest of step %u is not that of the cells it should have: one that was "
            "cut out is wrong",
            step->number);
    check_verdict(replayer, step, verdict, &violation,
                  digest_agrees ? found.unbounded : step->n_unbounded);
    struct rd_state_view asserted = *view;
    asserted.widest = found.widest;
    assert_goal(replayer, step, &asserted);
    return tell_step(replayer, step, verdict, &violation, &found);
}

/* Takes the trace's word on the inputs, which the driver looks at behind the round: no record shows them. */
static void check_inputs(struct rd_replayer *replayer, const struct rd_trace_step *step)
{
    const struct rd_trace_run *run = &replayer->run;
    if (replayer->reader.minor < RD_TRACE_MINOR_LOOKED)
        return;
    unsigned due = step->number == 0 || replayer->refused
                       ? 0
                       : rd_inputs_due(replayer->program, run->numeric->operation, &run->shape,
                                       run->frame, step->number);
    unsigned lacks = due & ~step->unchanged;
    if ((step->unchanged & ~due) || (lacks && !replayer->input_changed) ||
        (!lacks && replayer->input_changed))
        rd_replay_contradict(replayer,
                             "the 'unchanged' inputs of step %u are not those that are "
                             "looked at there",
                             step->number);
}

enum rd_status rd_replay_assert_step(struct rd_replayer *replayer, const struct rd_trace_step *step)
{
    const struct rd_trace_state *state = &step->state;
    void *full = NULL;
    bool digest_agrees = true;
    check_plan(replayer, step);
    check_inputs(replayer, step);
    replayer->result.cells += step->claim.count;
    /* A claim that is not the program's has nothing to be asserted against. */
    if (replayer->astray)
        return RD_OK;
    const struct rd_comparison nothing = rd_comparison_none();
    if (!rd_replay_can_assert(replayer))
        return tell_step(replayer, step, RD_INCONCLUSIVE, NULL, &nothing);
    enum rd_status status =
        rd_program_advance(replayer->program, &replayer->expect, step->number, replayer->error);
    if (status != RD_OK)
        return status;
    if (rd_trace_state_is_cut(state)) {
        status = complete_state(replayer, step, &full, &digest_agrees);
        if (status != RD_OK)
            return status;
    }
    const struct rd_state_view view = {
        .cells = full ? full : state->cells, .n_cells = state->count, .whole = state->whole};
    status = assert_cells(replayer, step, &view, digest_agrees);
    free(full);
    return status;
}

/* ---- a checkpoint ---- */

/* The launch of the round that is due begins, in the order of its checkpoints. */
static void begin_round(struct rd_replayer *replayer)
{
    struct rd_round round;
    if (replayer->in_round ||
        !rd_program_round(replayer->program, &replayer->run.shape, replayer->next_step, &round))
        return;
    replayer->in_round = true;
    replayer->inside_count = 0;
    rd_checkpoint_order_begin(&replayer->order, &round);
}

/* Keeps the first of such words. */
static void keep_words(struct rd_replayer *replayer, char words[RD_REPLAY_REASON], const char *text)
{
    if (words[0] == '\0')
        snprintf(words, RD_REPLAY_REASON, "round %u: %.400s", replayer->next_step, text);
}

/* Notes checkpoints missing from the round, and whether a hazard says so. */
static void note_missing(struct rd_replayer *replayer)
{
    const struct rd_checkpoint_order *order = &replayer->order;
    char text[RD_REPLAY_REASON];
    bool is_missing = order->amiss[RD_AMISS_MISSING].count > 0;
    bool told = replayer->has_amiss[RD_AMISS_MISSING];
    bool other = replayer->has_amiss[RD_AMISS_ORDER] || replayer->has_amiss[RD_AMISS_DIVERGENCE];
    if (told && !is_missing)
        rd_replay_contradict(replayer,
                             "a hazard of round %u says that checkpoints are missing, and "
                             "none is",
                             replayer->next_step);
    if (is_missing) {
        rd_checkpoint_order_text(order, RD_AMISS_MISSING, text, sizeof text);
        keep_words(replayer, replayer->missing, text);
        /* Older versions did not say which blocks were observed. */
        bool silent = replayer->reader.minor < RD_TRACE_MINOR_LOOKED && order->has_absent;
        replayer->unknown |= silent;
        if (!told && !other && !silent)
            keep_words(replayer, replayer->unsaid, text);
    }
    if (order->has_gap && !other) {
        snprintf(text, sizeof text, "block %llu has a checkpoint of number %u, and none before it",
                 (unsigned long long)order->gap.block, order->gap.number);
        keep_words(replayer, replayer->unsaid, text);
    }
}

void rd_replay_end_checkpoints(struct rd_replayer *replayer, const struct rd_trace_step *step)
{
    if (step->number > 0 && rd_program_has_points(replayer->program)) {
        if (replayer->refused && replayer->in_round)
            rd_replay_contradict(
                replayer, "the launch of round %u was refused, and has checkpoints", step->number);
        begin_round(replayer);
        rd_checkpoint_order_end(&replayer->order);
        if (!replayer->refused)
            note_missing(replayer);
    }
    memset(replayer->has_amiss, 0, sizeof replayer->has_amiss);
    replayer->in_round = false;
}

/* Checks that the place is due, which *sound tells. */
static enum rd_status check_place(struct rd_replayer *replayer,
                                  const struct rd_trace_step *recorded,
                                  struct rd_checkpoint *checkpoint, bool *sound)
{
    char text[RD_REPLAY_REASON];
    struct rd_checkpoint_order *order = &replayer->order;
    begin_round(replayer);
    /* Only a checkpoint that all have come to is recorded. */
    checkpoint->threads = checkpoint->place.warp == RD_WHOLE_BLOCK
                              ? rd_round_threads(&order->round)
                              : (unsigned)__builtin_popcount(recorded->present);
    enum rd_status status = rd_checkpoint_order_take(order, checkpoint, sound, replayer->error);
    if (status != RD_OK || *sound)
        return status;
    bool divergent = order->amiss[RD_AMISS_DIVERGENCE].count > 0;
    rd_checkpoint_order_text(order, divergent ? RD_AMISS_DIVERGENCE : RD_AMISS_ORDER, text,
                             sizeof text);
    rd_replay_contradict(replayer, "round %u: %.400s", recorded->number, text);
    return RD_OK;
}

/* Checks the record's other members against its cells. */
static void check_words(struct rd_replayer *replayer, const struct rd_trace_step *recorded)
{
    const struct rd_trace_run *run = &replayer->run;
    const bool of_lanes = rd_program_point_is_of_lanes(replayer->program, recorded->place.point);
    struct rd_claim claim;
    char statement[RD_STATEMENT_SIZE];
    struct rd_error unasserted;
    if (rd_program_check_claim_at(replayer->program, &run->shape, &recorded->place, &unasserted) !=
        RD_OK)
        rd_replay_contradict(replayer, "a checkpoint of round %u can't be asserted: %s",
                             recorded->number, unasserted.text);
    rd_program_claim_at(replayer->program, &run->shape, &recorded->place, &claim);
    rd_program_statement_at(replayer->program, &run->shape, &recorded->place,
                            run->numeric->operation, statement);
    check_statement(replayer, recorded, statement);
    if (claim.count != recorded->claim.count || claim.stride != recorded->claim.stride) {
        replayer->astray = true;
        rd_replay_contradict(replayer, "a checkpoint of round %u claims other cells than %s does",
                             recorded->number, replayer->program->name);
    }
    if (recorded->n_asserted != claim.count)
        rd_replay_contradict(
            replayer, "a checkpoint of round %u says that %zu cells were asserted, and claims %zu",
            recorded->number, recorded->n_asserted, claim.count);
    if (recorded->has_round)
        rd_replay_contradict(replayer, "a checkpoint of round %u has a round of its own",
                             recorded->number);
    if (recorded->unchanged)
        rd_replay_contradict(replayer,
                             "a checkpoint of round %u says of inputs what only its "
                             "round can",
                             recorded->number);
    if (recorded->has_present != of_lanes)
        rd_replay_contradict(replayer, "a checkpoint of round %u %s 'present'", recorded->number,
                             of_lanes ? "at lanes lacks" : "at an array has");
}

static enum rd_status assert_point(struct rd_replayer *replayer,
                                   const struct rd_trace_step *recorded,
                                   const struct rd_checkpoint *checkpoint)
{
    struct rd_step step;
    struct rd_violation violation;
    struct rd_round round;
    enum rd_status status = rd_points_assert(&replayer->points, recorded->number, checkpoint, &step,
                                             &violation, replayer->error);
    if (status != RD_OK)
        return status;
    if (step.verdict == RD_VIOLATED && rd_trace_state_is_cut(&recorded->state) &&
        recorded->violated)
        violation.count = recorded->violation.count; /* the others may have been cut out */
    if (step.verdict == RD_VIOLATED)
        note_violation(replayer, &violation);
    replayer->inside = rd_verdict_worst(replayer->inside, step.verdict);
    replayer->inside_count++;
    check_verdict(replayer, recorded, step.verdict, &violation, 0);
    if (rd_trace_state_is_cut(&recorded->state))
        return RD_OK; /* of what was cut out there is nothing to be shown */
    if (rd_program_round(replayer->program, &replayer->run.shape, recorded->number, &round))
        step.round = &round;
    return tell(replayer, recorded, &step);
}

/* Asserts the cells that are there. Where the state is cut, its digest proves nothing more: it is of dead cells, too,
 * of which nothing is known. */
enum rd_status rd_replay_assert_checkpoint(struct rd_replayer *replayer,
                                           const struct rd_trace_step *recorded)
{
    struct rd_checkpoint checkpoint = {
        .place = recorded->place,
        .cells = recorded->state.cells,
        .n_cells = recorded->state.count,
        .present = recorded->present,
    };
    struct rd_error reason;
    bool sound;
    size_t pass = recorded->pass ? recorded->pass : 1;
    if (recorded->number != replayer->next_step || recorded->number == 0)
        return rd_trace_refuse(&replayer->reader, replayer->error,
                               "a checkpoint of round %u, where round %u is due", recorded->number,
                               replayer->next_step);
    if (pass != replayer->pass)
        return rd_trace_refuse(&replayer->reader, replayer->error,
                               "a checkpoint of pass %zu, where pass %zu is due", pass,
                               replayer->pass);
    if (rd_points_accept(replayer->program, replayer->run.numeric->type, &replayer->run.shape,
                         recorded->number, &recorded->place, &reason) != RD_OK)
        return rd_trace_refuse(&replayer->reader, replayer->error, "%s", reason.text);
    replayer->result.checkpoints++;
    replayer->result.cells += recorded->claim.count;
    enum rd_status status = check_place(replayer, recorded, &checkpoint, &sound);
    if (status != RD_OK || !sound)
        return status;
    check_words(replayer, recorded);
    if (!rd_replay_can_assert(replayer) || replayer->astray)
        return RD_OK;
    if (!rd_trace_state_is_cut(&recorded->state))
        return assert_point(replayer, recorded, &checkpoint);
    void *full = NULL;
    replayer->unseen_cells = true;
    struct rd_expect *expect;
    status = rd_points_expect(&replayer->points, &recorded->place, &expect, replayer->error);
    if (status == RD_OK)
        status = complete_cells(replayer, recorded, expect, 1, &full);
    checkpoint.cells = full;
    if (status == RD_OK)
        status = assert_point(replayer, recorded, &checkpoint);
    free(full);
    return status;
}
