// SPDX-License-Identifier: MIT
#include "run/driver_internal.h"
#include "run/state.h"
#include "reductio/run.h"
#include "run/capacity.h"
#include "run/given.h"
#include "program/operands.h"
#include "program/program_law.h"
#include "reductio/witness.h"

#include <stdio.h>
#include <string.h>

/* ---- observers ---- */

/* An observer is a client's: it may ask of the program what has no value, and that is not the run's failure. */

/* Each stops at the first observer that fails, and returns its status. */
static enum rd_status observers_begin(struct rd_observers *observers)
{
    struct rd_paragraph_watch *left = rd_paragraph_watch_leave();
    enum rd_status status = RD_OK;
    for (; observers->list && observers->list[observers->begun]; observers->begun++) {
        const struct rd_observer *observer = observers->list[observers->begun];
        if (observer->begin)
            status = observer->begin(observer->self, observers->run, observers->error);
        if (status != RD_OK)
            break;
    }
    rd_paragraph_watch_return(left);
    return status;
}

static enum rd_status observers_step(const struct rd_observers *observers,
                                     const struct rd_step *step)
{
    struct rd_paragraph_watch *left = rd_paragraph_watch_leave();
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < observers->begun && status == RD_OK; k++) {
        const struct rd_observer *observer = observers->list[k];
        if (observer->step)
            status = observer->step(observer->self, observers->run, step, observers->error);
    }
    rd_paragraph_watch_return(left);
    return status;
}

enum rd_status rd_observers_hazard(const struct rd_observers *observers,
                                   const struct rd_hazard *hazard)
{
    struct rd_paragraph_watch *left = rd_paragraph_watch_leave();
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < observers->begun && status == RD_OK; k++) {
        const struct rd_observer *observer = observers->list[k];
        if (observer->hazard)
            status = observer->hazard(observer->self, observers->run, hazard, observers->error);
    }
    rd_paragraph_watch_return(left);
    return status;
}

/* All that have begun are told the end, whoever fails. Returns `status`, the run's, or, where that is RD_OK,
 * the first failure's. */
static enum rd_status observers_end(const struct rd_observers *observers,
                                    const struct rd_result *result, enum rd_status status)
{
    struct rd_paragraph_watch *left = rd_paragraph_watch_leave();
    for (size_t k = 0; k < observers->begun; k++) {
        const struct rd_observer *observer = observers->list[k];
        if (!observer->end)
            continue;
        enum rd_status ended = observer->end(observer->self, observers->run, result,
                                             status == RD_OK ? observers->error : NULL);
        if (status == RD_OK)
            status = ended;
    }
    rd_paragraph_watch_return(left);
    return status;
}

/* ---- launches ---- */

/* The launch of a round, and what is asserted while it runs. */

/* Checkpoints beyond those that are due, of a thread that may yet come to its end. */
enum { COUNT_SLACK = 64 };

static enum rd_status loop_log_step(struct rd_loop *loop, const struct rd_step *step);

/* Asserts the invariant of a checkpoint inside the kernel, where it is one that the program documents, and
 * logs it. What the kernel comes to under other schedules is asserted, too; the log has the first run. */
static enum rd_status assert_checkpoint(void *self, const struct rd_checkpoint *checkpoint)
{
    struct rd_loop *loop = self;
    struct rd_step step;
    struct rd_violation violation;
    bool sound;
    struct rd_checkpoint told = *checkpoint;
    if (loop->trial != checkpoint->trial) {
        rd_points_again(&loop->points);
        rd_checkpoint_order_again(&loop->order);
    }
    loop->trial = checkpoint->trial;
    rd_breaks_excuse(loop->run, loop->round->number,
                     rd_checkpoint_order_lanes(&loop->order, &told.place), &told);
    enum rd_status status = rd_checkpoint_order_take(&loop->order, &told, &sound, loop->error);
    if (status == RD_OK && sound)
        status = rd_points_assert(&loop->points, loop->round->number, checkpoint, &step, &violation,
                                  loop->error);
    if (status != RD_OK || !sound)
        return status;
    step.round = loop->round;
    if (checkpoint->trial == 0)
        return loop_log_step(loop, &step);
    if (step.violation)
        rd_loop_describe_under(loop, step.violation, checkpoint->schedule);
    return RD_OK;
}

static enum rd_status loop_copy_back(struct rd_loop *loop, unsigned step);

/* The same of the array that another schedule has left. */
static enum rd_status assert_again(void *self, const char *schedule)
{
    struct rd_loop *loop = self;
    struct rd_violation violation;
    enum rd_status status = loop_copy_back(loop, loop->round->number);
    if (status != RD_OK)
        return status;
    enum rd_verdict verdict = rd_assert_step(&loop->expect, loop->round->number, &loop->claim,
                                             &loop->found, &loop->view, &violation);
    if (verdict == RD_VIOLATED)
        rd_loop_describe_under(loop, &violation, schedule);
    return RD_OK;
}

static void record_tried(struct rd_result *result, const struct rd_tried *tried)
{
    if (!tried->communicates)
        return;
    if (result->n_schedules == 0 || tried->n_schedules < result->n_schedules)
        result->n_schedules = tried->n_schedules;
    if (!*result->untried)
        memcpy(result->untried, tried->why, sizeof result->untried);
}

static void loop_tell_activity(const struct rd_loop *loop, enum rd_activity activity);

/* Launches the round's kernel. Where the program has invariants inside it, they are asserted of each
 * checkpoint. */
static enum rd_status loop_launch(struct rd_loop *loop, const struct rd_round *round)
{
    struct rd_error reason = {""};
    struct rd_watch watch = {
        .blocks = rd_run_blocks(loop->run),
        .cells_max = rd_points_cells_max(&loop->points),
        .self = loop,
        .checkpoint = assert_checkpoint,
    };
    struct rd_tried tried = {.self = loop, .again = assert_again};
    loop->round = round;
    loop->undefined = false;
    loop->trial = 0;
    loop->elsewhere[0] = '\0';
    loop->unchanged = 0;
    rd_checkpoint_order_begin(&loop->order, round);
    /* As often as it is due, and so much more that whatever else is wrong shows, too. */
    watch.count_max = 2 * rd_checkpoint_order_most(&loop->order) + COUNT_SLACK;
    loop_tell_activity(loop, RD_ACTIVITY_LAUNCHING);
    enum rd_status status =
        rd_state_launch(&loop->state, round,
                        rd_program_has_points(loop->run->program) ? &watch : NULL, &tried, &reason);
    record_tried(loop->result, &tried);
    return rd_loop_tell_hazards(loop, round, &watch, status, &reason);
}

/* ---- the loop ---- */

static enum rd_status set_up(struct rd_loop *loop);
static void assert_invariant(struct rd_loop *loop, unsigned step, const struct rd_round *round);
static void assert_goal(struct rd_loop *loop);
static enum rd_status finish(struct rd_loop *loop, enum rd_status status);

static bool a_round_is_left(const struct rd_loop *loop, unsigned step, struct rd_round *round)
{
    return (loop->sound || loop->run->go_on) && !loop->lost &&
           rd_program_round(loop->run->program, &loop->shape, step, round);
}

/* Takes a paragraph without a value for the cause: its users see only that there is none, and blame the memory. */
static enum rd_status find_cause(struct rd_loop *loop, enum rd_status status)
{
    const enum rd_status cause = rd_paragraph_watch_ask(&loop->watch, loop->error);
    return cause == RD_OK ? status : cause;
}

static enum rd_status prepare(struct rd_loop *loop)
{
    const enum rd_status status = set_up(loop);
    return status == RD_OK || status == RD_ERROR_MEMORY ? find_cause(loop, status) : status;
}

/* A step: copies the array back, asserts the invariant of it, and logs that. */
static enum rd_status check_step(struct rd_loop *loop, unsigned step, const struct rd_round *round)
{
    enum rd_status status = loop_copy_back(loop, step);
    if (status != RD_OK)
        return status;
    assert_invariant(loop, step, round);
    status = loop_log_step(loop, &loop->step);
    return status == RD_OK ? find_cause(loop, status) : status;
}

/* Asserts the goal. Asks for a cause first: a paragraph without a value looks like one whose rounds have ended. */
static enum rd_status check_exit(struct rd_loop *loop)
{
    const enum rd_status status = find_cause(loop, RD_OK);
    if (status != RD_OK)
        return status;
    assert_goal(loop);
    return rd_loop_compare_companion(loop);
}

/* The loop, as it stands in the textbook: launch, copy back, assert, log, and only then go on. */
static enum rd_status run_rounds(struct rd_loop *loop)
{
    struct rd_round round;
    enum rd_status status = prepare(loop);
    if (status == RD_OK)
        status = check_step(loop, 0, NULL); /* initialization */

    for (unsigned step = 1; status == RD_OK && a_round_is_left(loop, step, &round); step++) {
        status = loop_launch(loop, &round);
        if (status == RD_OK && !loop->lost)
            status = check_step(loop, step, &round); /* preservation */
        status = rd_loop_take_fault(loop, &round, status);
    }

    return status == RD_OK ? check_exit(loop) : status; /* exit */
}

enum rd_status rd_run(const struct rd_run *given, const struct rd_observer *const *observers,
                      struct rd_result *result, struct rd_error *error)
{
    struct rd_run own;
    const struct rd_run *run = rd_run_given(given, &own, true, error);
    if (!run || rd_observers_check(observers, error) != RD_OK)
        return RD_ERROR_USAGE;
    struct rd_error local = {""};
    struct rd_result r = {
        .verdict = RD_HOLDS,
        .obligations = {RD_INCONCLUSIVE, RD_INCONCLUSIVE, RD_INCONCLUSIVE},
    };
    struct rd_loop loop = {
        .run = run,
        .observers = {.list = observers, .run = run, .error = error},
        .result = &r,
        .error = error ? error : &local,
        .sound = true,
    };
    const volatile sig_atomic_t *outer = rd_paragraph_interrupt(run->interrupted);
    rd_paragraph_watch_begin(&loop.watch, run->program);
    enum rd_status status = run_rounds(&loop);
    rd_paragraph_watch_end(&loop.watch, NULL);
    status = finish(&loop, status);
    rd_paragraph_interrupt(outer);
    if (status == RD_OK || status == RD_ERROR_INTERRUPTED)
        *result = r;
    return status;
}

struct rd_shape rd_run_shape(const struct rd_run *run)
{
    return rd_program_shape(run->program, (struct rd_shape){run->n, run->block, run->grid});
}

struct rd_blocks rd_run_blocks(const struct rd_run *run)
{
    struct rd_blocks blocks = run->blocks;
    blocks.all = blocks.all || (blocks.count == 0 && !blocks.last);
    return blocks;
}

/* ---- the parts ---- */

/* A block that is not there would be one whose checkpoints nobody asserts. */
static enum rd_status check_blocks(const struct rd_loop *loop)
{
    const struct rd_blocks blocks = rd_run_blocks(loop->run);
    for (unsigned k = 0; k < blocks.count && !blocks.all && loop->shape.grid > 0; k++)
        if (blocks.block[k] >= loop->shape.grid)
            return rd_fail(loop->error, RD_ERROR_USAGE,
                           "'blocks' names block %zu, and the grid has %zu", blocks.block[k],
                           loop->shape.grid);
    return RD_OK;
}

static void loop_tell_activity(const struct rd_loop *loop, enum rd_activity activity)
{
    const struct rd_progress *progress = loop->run->progress;
    if (!progress)
        return;
    const unsigned rounds = rd_program_rounds(loop->run->program, &loop->shape);
    struct rd_paragraph_watch *left = rd_paragraph_watch_leave();
    progress->tell(progress->self, activity, loop->round ? loop->round->number : 0, rounds);
    rd_paragraph_watch_return(left);
}

/* Looks for hazards before the run: what it does to the device shall not keep anybody from them. */
static enum rd_status accompany(struct rd_loop *loop)
{
    struct rd_companion *companion = &loop->companion;
    struct rd_result *result = loop->result;
    loop_tell_activity(loop, RD_ACTIVITY_SIMULATING);
    result->hazards_by = RD_HAZARDS_BY_NOBODY;
    enum rd_status status = rd_companion_init(companion, loop->run, loop->error);
    if (status != RD_OK)
        return status;
    result->hazards_by = companion->by;
    result->hazards_n = companion->shape.n;
    result->hazards_grid = companion->shape.grid < loop->shape.grid ? companion->shape.grid : 0;
    result->n_schedules = companion->result.n_schedules;
    memcpy(result->untried, companion->result.untried, sizeof result->untried);
    memcpy(result->accepted, companion->result.accepted, sizeof result->accepted);
    memcpy(result->unlooked, companion->unlooked, sizeof result->unlooked);
    return RD_OK;
}

static enum rd_status set_up(struct rd_loop *loop)
{
    const struct rd_run *run = loop->run;
    struct rd_device_limits limits;
    run->device->ops->limits(run->device, &limits);
    loop->shape = rd_run_shape(run);
    if (loop->shape.block > limits.block_max)
        return rd_fail(loop->error, RD_ERROR_USAGE,
                       "'block' is %u, and a block of this device has at most %u threads",
                       loop->shape.block, limits.block_max);
    if (run->n_schedules > RD_SCHEDULES_MAX)
        return rd_fail(loop->error, RD_ERROR_USAGE,
                       "'n_schedules' is %u, and a launch is tried under at most %d",
                       run->n_schedules, RD_SCHEDULES_MAX);
    enum rd_status status = rd_program_accept(run->program, &loop->shape, loop->error);
    if (status == RD_OK)
        status = rd_program_accept_type(run->program, run->numeric->type, loop->error);
    if (status == RD_OK)
        status = rd_program_accept_operation(run->program, run->numeric->operation, loop->error);
    if (status == RD_OK)
        status = rd_memory_check_indices(
            run->numeric, rd_program_inputs(run->program, &loop->shape), loop->error);
    if (status == RD_OK && !run->device->ops->play)
        status = rd_program_check_operands(run->program, &loop->shape, loop->error);
    if (status == RD_OK)
        status = rd_program_check_claims(run->program, &loop->shape, loop->error);
    if (status == RD_OK)
        status = check_blocks(loop);
    if (status == RD_OK)
        status = rd_memory_check(run, loop->error);
    if (status == RD_OK && run->device->ops->play)
        status = run->device->ops->play(
            run->device, run->numeric->type, run->a, rd_program_inputs(run->program, &loop->shape),
            run->b, rd_program_inputs_b(run->program, &loop->shape), loop->error);
    if (status == RD_OK) {
        loop_tell_activity(loop, RD_ACTIVITY_PREPARING);
        status = rd_expect_init(&loop->expect, run->program, run->numeric, &loop->shape, run->a,
                                run->b, loop->error);
    }
    if (status == RD_OK)
        status = rd_points_init(&loop->points, run->program, run->numeric, &loop->shape, run->a,
                                run->b, loop->error);
    const struct rd_blocks blocks = rd_run_blocks(run);
    rd_checkpoint_order_init(&loop->order, run->program, run->numeric->type, &loop->shape, &blocks);
    loop->expect.lazy = true;
    if (status == RD_OK && !run->frame)
        status = rd_expect_live_only(&loop->expect, run->program, loop->error);
    if (status == RD_OK) {
        loop_tell_activity(loop, RD_ACTIVITY_COPYING);
        status = rd_state_init(&loop->state, run, &loop->expect, loop->error);
    }
    if (status == RD_OK)
        status = observers_begin(&loop->observers);
    if (status == RD_OK)
        status = accompany(loop);
    return status;
}

static enum rd_status check_interruption(struct rd_loop *loop)
{
    if (!loop->run->interrupted || !*loop->run->interrupted)
        return RD_OK;
    return rd_fail(loop->error, RD_ERROR_INTERRUPTED, "interrupted");
}

/* Copies the array back and compares it with what it must be, which is worked out meanwhile. */
static enum rd_status loop_copy_back(struct rd_loop *loop, unsigned step)
{
    const struct rd_run *run = loop->run;
    loop->found = rd_comparison_none();
    rd_program_claim(run->program, &loop->shape, step, &loop->claim);
    enum rd_status status = rd_state_copy_begin(&loop->state, &loop->claim, loop->error);
    if (status != RD_OK)
        return status;
    loop_tell_activity(loop, RD_ACTIVITY_ASSERTING);
    enum rd_status advanced = RD_OK;
    if (loop->n_advanced <= step)
        advanced = rd_program_advance(run->program, &loop->expect, step, loop->error);
    loop->n_advanced = step + 1;
    status =
        rd_state_copy_compare(&loop->state, &loop->claim, &loop->expect, &loop->found, loop->error);
    if (advanced != RD_OK)
        return advanced;
    run->numeric->settle(&loop->expect);
    if (status == RD_OK)
        loop->view = rd_state_view(&loop->state);
    return status;
}

/* Writes a step's verdict into the result, and what it tells of its obligation. */
static void record(struct rd_result *result, const struct rd_step *step, enum rd_verdict verdict)
{
    enum rd_obligation which = step->number == 0 ? RD_INITIALIZATION : RD_PRESERVATION;
    enum rd_verdict *obligation = &result->obligations[which];
    bool first = step->number <= 1 && result->checkpoints == 0;
    *obligation = first ? verdict : rd_verdict_worst(*obligation, verdict);
    result->verdict = rd_verdict_worst(result->verdict, step->verdict);
    if (step->place)
        result->checkpoints++;
    else
        result->steps++;
    result->cells += step->n_asserted;
    if (step->violation && !result->violated) {
        result->violated = true;
        result->violation = *step->violation;
    }
}

/* Logs a step: in the result, and with all who observe. */
static enum rd_status loop_log_step(struct rd_loop *loop, const struct rd_step *step)
{
    enum rd_verdict verdict =
        rd_verdict_of_round(loop->held || step->number == 0, loop->undefined, step->verdict);
    record(loop->result, step, verdict);
    loop->sound = loop->sound && verdict == RD_HOLDS;
    if (!step->place)
        loop->held = step->verdict != RD_VIOLATED;
    enum rd_status status = observers_step(&loop->observers, step);
    return status == RD_OK ? check_interruption(loop) : status;
}

/* Asserts I(step) of the array that was copied back. */
static void assert_invariant(struct rd_loop *loop, unsigned step, const struct rd_round *round)
{
    enum rd_verdict verdict = rd_assert_step(&loop->expect, step, &loop->claim, &loop->found,
                                             &loop->view, &loop->violation);
    verdict = rd_verdict_of_claim(loop->run->program, &loop->claim, verdict);
    loop->violation.array = rd_program_array(loop->run->program);
    loop->view.widest = loop->found.widest;
    if (loop->refused && verdict == RD_HOLDS)
        verdict = RD_INCONCLUSIVE; /* by accident: there was no round to keep it */
    rd_program_statement(loop->run->program, &loop->shape, step, loop->run->numeric->operation,
                         loop->statement);
    loop->step = (struct rd_step){
        .number = step,
        .round = round,
        .statement = loop->statement,
        .claim = loop->claim,
        .cells = loop->view.cells,
        .n_cells = loop->view.n_cells,
        .whole = loop->view.whole,
        .expect = &loop->expect,
        .verdict = verdict,
        .n_asserted = loop->claim.count,
        .n_unbounded = loop->found.unbounded,
        .widest = loop->found.widest,
        .unchanged = loop->unchanged,
        .violation = verdict == RD_VIOLATED ? &loop->violation : NULL,
    };
}

static void assert_goal(struct rd_loop *loop)
{
    struct rd_result *result = loop->result;
    if (!loop->sound)
        return; /* without the invariant, the end of the loop says nothing: exit stays open */
    if (rd_obligations_of_no_cell(loop->run->program, result->cells, result->obligations)) {
        result->verdict = rd_verdict_worst(result->verdict, RD_INCONCLUSIVE);
        return;
    }
    result->obligations[RD_PRESERVATION] = RD_HOLDS; /* also where there was no round to make */
    enum rd_verdict exit =
        rd_assert_goal(loop->run->program, &loop->expect, result->steps - 1, &loop->claim,
                       &loop->view, &result->violation, &result->outcome);
    result->obligations[RD_EXIT] = exit;
    if (loop->run->program->goal != RD_GOAL_UNASKED)
        result->verdict = rd_verdict_worst(result->verdict, exit);
    result->violated = exit == RD_VIOLATED;
}

static enum rd_status explain(struct rd_loop *loop)
{
    struct rd_result *result = loop->result;
    /* A launch that was refused, or unwritten memory, tells nothing of inputs; and nothing runs on a device that
     * is lost. */
    if (!result->violated || loop->run->pass || loop->refused || loop->unwritten || loop->lost)
        return RD_OK;
    enum rd_status status =
        rd_witness_explain(loop->run, &result->violation, &result->evidence, NULL);
    result->explained = status == RD_OK;
    /* An explanation is a bonus: only a request to stop is passed on. */
    return status == RD_ERROR_INTERRUPTED ? check_interruption(loop) : RD_OK;
}

static void leave_open(struct rd_loop *loop)
{
    const struct rd_run *run = loop->run;
    struct rd_result *result = loop->result;
    const bool all_rounds =
        result->steps > 0 && result->steps > rd_program_rounds(run->program, &loop->shape);
    rd_obligations_leave_open(result->obligations, all_rounds, run->pass >= run->passes);
}

/* Takes what holds for an accident: memory was left to chance. */
static void doubt(struct rd_loop *loop)
{
    struct rd_result *result = loop->result;
    snprintf(result->undefined_by, sizeof result->undefined_by, "%s", loop->run->undefined_by);
    rd_obligations_doubt(result->obligations);
    rd_verdict_leave_open(&result->verdict);
}

static enum rd_status end_observers(struct rd_loop *loop, enum rd_status status)
{
    loop->result->interrupted = status == RD_ERROR_INTERRUPTED;
    loop->result->failed = status != RD_OK && status != RD_ERROR_INTERRUPTED;
    bool until_here = status != RD_OK, unlooked = *loop->result->unlooked != '\0';
    if (until_here)
        leave_open(loop);
    if (loop->run->undefined_by)
        doubt(loop);
    if (until_here || unlooked)
        rd_verdict_leave_open(&loop->result->verdict);
    return observers_end(&loop->observers, loop->result, status);
}

static enum rd_status finish(struct rd_loop *loop, enum rd_status status)
{
    if (loop->state.run)
        rd_state_finish(&loop->state);
    if (status == RD_OK)
        status = explain(loop);
    status = end_observers(loop, status);
    rd_expect_finish(&loop->expect);
    rd_points_finish(&loop->points);
    rd_checkpoint_order_finish(&loop->order);
    rd_companion_finish(&loop->companion);
    return status;
}
