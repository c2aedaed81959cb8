// SPDX-License-Identifier: MIT
#include "driver.h"
#include "assertion.h"
#include "breaks.h"
#include "checkpoint_order.h"
#include "companion.h"
#include "hazards.h"
#include "input_change.h"
#include "memory.h"
#include "names.h"
#include "observers.h"
#include "points.h"
#include "state.h"
#include "witness.h"

#include <stdio.h>
#include <string.h>

/* Checkpoints beyond those that are due, of a thread that may yet come to its end. */
enum { COUNT_SLACK = 64 };

/* A run under way. */
struct loop {
    const struct rd_run *run;
    struct rd_observers observers;
    struct rd_result *result;
    struct rd_error *error;
    struct rd_expect expect;          /* the array as it must be */
    struct rd_state state;            /* the array as it is */
    struct rd_points points;          /* the arrays inside kernels, as they must be, */
    struct rd_checkpoint_order order; /* and where kernels come to them */
    struct rd_companion companion;    /* who looks for hazards where the device does not */
    struct rd_claim claim;            /* of the last array copied back, */
    struct rd_state_view view;        /* the array, */
    struct rd_comparison found;       /* and how it compares with what it must be */
    struct rd_step step;              /* the last step asserted, and what it points to */
    struct rd_violation violation;
    char statement[RD_STATEMENT_SIZE];
    struct rd_shape shape;
    const struct rd_round *round; /* that is under way */
    unsigned n_advanced;          /* steps that the expectation has made */
    unsigned trial;               /* how often its kernel was run again, under other schedules */
    char elsewhere[512];          /* an invariant that is violated there only; or "" */
    unsigned unchanged;           /* inputs, that were looked at behind it */
    bool held;                    /* the invariant, before it: it was not found false */
    bool undefined;               /* a hazard leaves open what it makes */
    bool sound;                   /* nothing keeps the rounds so far from ending in the goal */
    bool unwritten;               /* memory was read that nobody has written */
    bool raced;                   /* the device saw a race */
    bool refused;                 /* the launch of this round: its threads never ran */
    bool lost;                    /* the device is: a kernel never ended, or was stopped */
};

static enum rd_status prepare(struct loop *loop);
static enum rd_status launch(struct loop *loop, const struct rd_round *round);
static enum rd_status copy_back(struct loop *loop, unsigned step);
static void assert_invariant(struct loop *loop, unsigned step, const struct rd_round *round);
static enum rd_status log_step(struct loop *loop, const struct rd_step *step);
static enum rd_status take_fault(struct loop *loop, const struct rd_round *round,
                                 enum rd_status status);
static enum rd_status compare_companion(struct loop *loop);
static enum rd_status assert_goal(struct loop *loop);
static enum rd_status finish(struct loop *loop, enum rd_status status);

static bool a_round_is_left(const struct loop *loop, unsigned step, struct rd_round *round)
{
    return (loop->sound || loop->run->go_on) && !loop->lost &&
           rd_program_round(loop->run->program, &loop->shape, step, round);
}

/* A step: copies the array back, asserts the invariant of it, and logs that. */
static enum rd_status check_step(struct loop *loop, unsigned step, const struct rd_round *round)
{
    enum rd_status status = copy_back(loop, step);
    if (status != RD_OK)
        return status;
    assert_invariant(loop, step, round);
    return log_step(loop, &loop->step);
}

/* The loop, as it stands in the textbook: launch, copy back, assert, log, and only then go on. */
static enum rd_status run_rounds(struct loop *loop)
{
    struct rd_round round;
    enum rd_status status = prepare(loop);

    if (status == RD_OK)
        status = check_step(loop, 0, NULL); /* initialization */

    for (unsigned step = 1; status == RD_OK && a_round_is_left(loop, step, &round); step++) {
        status = launch(loop, &round);
        if (status == RD_OK && !loop->lost)
            status = check_step(loop, step, &round); /* preservation */
        status = take_fault(loop, &round, status);
    }

    if (status == RD_OK)
        status = assert_goal(loop); /* exit */
    if (status == RD_OK)
        status = compare_companion(loop);
    return status;
}

enum rd_status rd_run(const struct rd_run *run, const struct rd_observer *const *observers,
                      struct rd_result *result, struct rd_error *error)
{
    struct rd_error local = {""};
    struct rd_result r = {
        .verdict = RD_HOLDS,
        .obligations = {RD_INCONCLUSIVE, RD_INCONCLUSIVE, RD_INCONCLUSIVE},
    };
    struct loop loop = {
        .run = run,
        .observers = {.list = observers, .run = run, .error = error},
        .result = &r,
        .error = error ? error : &local,
        .sound = true,
    };
    enum rd_status status = finish(&loop, run_rounds(&loop));
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
static enum rd_status check_blocks(const struct loop *loop)
{
    const struct rd_blocks blocks = rd_run_blocks(loop->run);
    for (unsigned k = 0; k < blocks.count && !blocks.all && loop->shape.grid > 0; k++)
        if (blocks.block[k] >= loop->shape.grid)
            return rd_fail(loop->error, RD_ERROR_USAGE,
                           "'blocks' names block %zu, and the grid has %zu", blocks.block[k],
                           loop->shape.grid);
    return RD_OK;
}

static void tell_activity(const struct loop *loop, enum rd_activity activity)
{
    const struct rd_progress *progress = loop->run->progress;
    if (progress)
        progress->tell(progress->self, activity, loop->round ? loop->round->number : 0,
                       rd_program_rounds(loop->run->program, &loop->shape));
}

/* Looks for hazards before the run: what it does to the device shall not keep anybody from them. */
static enum rd_status accompany(struct loop *loop)
{
    struct rd_companion *companion = &loop->companion;
    struct rd_result *result = loop->result;
    tell_activity(loop, RD_ACTIVITY_SIMULATING);
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

static enum rd_status prepare(struct loop *loop)
{
    const struct rd_run *run = loop->run;
    struct rd_device_limits limits;
    run->device->ops->limits(run->device, &limits);
    loop->shape = rd_run_shape(run);
    if (loop->shape.block > limits.block_max)
        return rd_fail(loop->error, RD_ERROR_USAGE,
                       "'block' is %u, and a block of this device has at most %u threads",
                       loop->shape.block, limits.block_max);
    enum rd_status status = rd_program_accept(run->program, &loop->shape, loop->error);
    if (status == RD_OK)
        status = check_blocks(loop);
    if (status == RD_OK)
        status = rd_memory_check(run, loop->error);
    if (status == RD_OK) {
        tell_activity(loop, RD_ACTIVITY_PREPARING);
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
        tell_activity(loop, RD_ACTIVITY_COPYING);
        status = rd_state_init(&loop->state, run, &loop->expect, loop->error);
    }
    if (status == RD_OK)
        status = rd_observers_begin(&loop->observers);
    if (status == RD_OK)
        status = accompany(loop);
    return status;
}

static enum rd_status check_interruption(struct loop *loop)
{
    if (!loop->run->interrupted || !*loop->run->interrupted)
        return RD_OK;
    return rd_fail(loop->error, RD_ERROR_INTERRUPTED, "interrupted");
}

/* Copies the array back and compares it with what it must be, which is worked out meanwhile. */
static enum rd_status copy_back(struct loop *loop, unsigned step)
{
    const struct rd_run *run = loop->run;
    loop->found = rd_comparison_none();
    rd_program_claim(run->program, &loop->shape, step, &loop->claim);
    enum rd_status status = rd_state_copy_begin(&loop->state, &loop->claim, loop->error);
    if (status != RD_OK)
        return status;
    tell_activity(loop, RD_ACTIVITY_ASSERTING);
    if (loop->n_advanced <= step)
        rd_program_advance(run->program, &loop->expect, step);
    loop->n_advanced = step + 1;
    status =
        rd_state_copy_compare(&loop->state, &loop->claim, &loop->expect, &loop->found, loop->error);
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
static enum rd_status log_step(struct loop *loop, const struct rd_step *step)
{
    enum rd_verdict verdict =
        rd_verdict_of_round(loop->held || step->number == 0, loop->undefined, step->verdict);
    record(loop->result, step, verdict);
    loop->sound = loop->sound && verdict == RD_HOLDS;
    if (!step->place)
        loop->held = step->verdict != RD_VIOLATED;
    enum rd_status status = rd_observers_step(&loop->observers, step);
    return status == RD_OK ? check_interruption(loop) : status;
}

/* Asserts I(step) of the array that was copied back. */
static void assert_invariant(struct loop *loop, unsigned step, const struct rd_round *round)
{
    enum rd_verdict verdict = rd_assert_step(&loop->expect, step, &loop->claim, &loop->found,
                                             &loop->view, &loop->violation);
    if (loop->refused && verdict == RD_HOLDS)
        verdict = RD_INCONCLUSIVE; /* by accident: there was no round to keep it */
    rd_program_statement(loop->run->program, &loop->shape, step, loop->statement);
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
        .unchanged = loop->unchanged,
        .violation = verdict == RD_VIOLATED ? &loop->violation : NULL,
    };
}

/* A launch that the hardware refuses is a finding about the program, not a failure of ours. */
static enum rd_status tell_hazard(struct loop *loop, const struct rd_hazard *hazard)
{
    loop->result->hazards++;
    loop->result->verdict =
        rd_verdict_worst(loop->result->verdict, rd_hazard_verdict(hazard->name));
    loop->undefined = loop->undefined || rd_hazard_undefines(hazard->name);
    loop->result->undefined = loop->result->undefined || loop->undefined;
    loop->sound = loop->sound && !rd_hazard_ends(hazard->name);
    return rd_observers_hazard(&loop->observers, hazard);
}

/* What depends on the schedule may do so: somebody says so, or the program itself, of the rounding of floats. */
static bool is_accepted(struct loop *loop, const struct rd_finding *finding)
{
    const struct rd_run *run = loop->run;
    struct rd_result *result = loop->result;
    if (!finding->order_dependent ||
        (!run->expect_nondeterminism && !(run->program->any_order && run->numeric->is_float)))
        return false;
    if (!*result->accepted)
        snprintf(result->accepted, sizeof result->accepted, "%.*s",
                 (int)(strlen(finding->message) - strlen(finding->lesson)), finding->message);
    return true;
}

/* Nobody looks for hazards: then only that a kernel did not end is told. */
static bool is_told(const struct loop *loop, const struct rd_finding *finding)
{
    return loop->run->hazards_by != RD_HAZARDS_BY_NOBODY ||
           rd_hazard_is(finding->name, RD_HAZARD_NO_TERMINATION);
}

/* What the device saw in the launch of this round. */
static enum rd_status tell_findings(struct loop *loop, const struct rd_round *round)
{
    struct rd_device *device = loop->run->device;
    enum rd_status status = RD_OK;
    size_t count = 0;
    bool explained = false; /* why an invariant is violated under another schedule */
    const struct rd_finding *findings =
        device->ops->findings ? device->ops->findings(device, &count) : NULL;
    for (size_t k = 0; k < count && status == RD_OK; k++) {
        if (!is_told(loop, &findings[k]) || is_accepted(loop, &findings[k]))
            continue;
        explained = true;
        loop->unwritten =
            loop->unwritten || rd_hazard_is(findings[k].name, RD_HAZARD_UNINITIALISED);
        loop->raced = loop->raced || rd_hazard_is(findings[k].name, RD_HAZARD_RACE);
        status = tell_hazard(loop, &(struct rd_hazard){.name = findings[k].name,
                                                       .step = round->number,
                                                       .message = findings[k].message,
                                                       .finding = &findings[k]});
    }
    if (*loop->elsewhere && !explained && status == RD_OK)
        status =
            tell_hazard(loop, &(struct rd_hazard){.name = rd_hazard_name(RD_HAZARD_ORDER_DEPENDENT),
                                                  .step = round->number,
                                                  .message = loop->elsewhere});
    return status;
}

/* ---- who accompanies the run ---- */

/* The simulator takes no such launch, and the device does. */
static void give_up_looking(struct loop *loop, const struct rd_hazard *hazard)
{
    struct rd_result *result = loop->result;
    result->hazards_by = RD_HAZARDS_BY_NOBODY;
    result->hazards_n = result->hazards_grid = 0;
    snprintf(result->unlooked, sizeof result->unlooked, "%.240s", hazard->message);
}

/* What was found of this round before the run. */
static enum rd_status tell_found_beside(struct loop *loop, const struct rd_round *round)
{
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < loop->companion.n_hazards && status == RD_OK; k++) {
        const struct rd_hazard *hazard = &loop->companion.hazards[k];
        if (hazard->step != round->number)
            continue;
        loop->unwritten = loop->unwritten || rd_hazard_is(hazard->name, RD_HAZARD_UNINITIALISED);
        if (!hazard->finding && rd_hazard_is(hazard->name, RD_HAZARD_ILLEGAL_LAUNCH))
            give_up_looking(loop, hazard);
        else
            status = tell_hazard(loop, hazard);
    }
    return status;
}

/* A round that never ends, or is stopped, has no step that could tell whether it keeps the invariant. */
static void leave_open(enum rd_verdict *obligation)
{
    *obligation = rd_verdict_worst(*obligation, RD_INCONCLUSIVE);
}

/* A kernel that the device stops is a finding about the program, too. The device is lost with it. */
static enum rd_status take_fault(struct loop *loop, const struct rd_round *round,
                                 enum rd_status status)
{
    char message[sizeof loop->error->text + 400], place[360];
    if (status != RD_ERROR_FAULT)
        return status;
    loop->lost = true;
    leave_open(&loop->result->obligations[RD_PRESERVATION]);
    rd_companion_place(&loop->companion, round->number, place, sizeof place);
    snprintf(message, sizeof message, "%s: the device has stopped the kernel; %s",
             loop->error->text, place);
    return tell_hazard(loop, &(struct rd_hazard){.name = rd_hazard_name(RD_HAZARD_KERNEL_FAULT),
                                                 .step = round->number,
                                                 .message = message});
}

/* Who takes the last ticket puts it back to 0: else the next launch would not find its last block. */
static enum rd_status assert_ticket(struct loop *loop, const struct rd_round *round)
{
    char message[160];
    unsigned ticket;
    enum rd_status status = rd_state_ticket(&loop->state, &ticket, loop->error);
    if (status != RD_OK || ticket == 0 ||
        rd_companion_found(&loop->companion, round->number, RD_HAZARD_STALE_TICKET))
        return status;
    snprintf(
        message, sizeof message,
        "the ticket is %u after the launch, and must be 0 again: in the next launch no block, or "
        "the wrong one, would take itself for the last",
        ticket);
    return tell_hazard(loop, &(struct rd_hazard){.name = rd_hazard_name(RD_HAZARD_STALE_TICKET),
                                                 .step = round->number,
                                                 .message = message});
}

/* The invariant does not hold there: "under schedule random seed 1", "in the simulator". */
static void describe_violation(struct loop *loop, const struct rd_violation *violation,
                               const char *where)
{
    char place[256] = "", expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE];
    const struct rd_numeric *numeric = loop->run->numeric;
    numeric->format(expected, violation->expected);
    numeric->format(actual, violation->actual);
    if (violation->inside)
        snprintf(place, sizeof place, ", in block %llu, %s = %llu at the checkpoint '%s'",
                 (unsigned long long)violation->place.block, violation->variable,
                 (unsigned long long)violation->place.variable,
                 rd_point_name(violation->place.point));
    snprintf(loop->elsewhere, sizeof loop->elsewhere,
             "%s%s, %s[%zu] is %s, and the invariant says %s", where, place,
             violation->array ? violation->array : "A", violation->cell, actual, expected);
}

static void describe_violation_under(struct loop *loop, const struct rd_violation *violation,
                                     const char *schedule)
{
    char where[80];
    snprintf(where, sizeof where, "under schedule %s", schedule);
    describe_violation(loop, violation, where);
}

/* What holds on the device, to the goal, is to hold in the simulator, too. */
static enum rd_status compare_companion(struct loop *loop)
{
    const struct rd_result *beside = &loop->companion.result;
    char where[80];
    if (loop->result->verdict != RD_HOLDS || loop->companion.shape.n == 0 || !beside->violated)
        return RD_OK;
    snprintf(where, sizeof where, "in the simulator, in round %u of n = %zu",
             beside->violation.step, loop->companion.shape.n);
    if (beside->violation.outcome.name)
        snprintf(loop->elsewhere, sizeof loop->elsewhere, "%s, the goal is not reached: %s = %.9g",
                 where, beside->violation.outcome.name, beside->violation.outcome.actual);
    else
        describe_violation(loop, &beside->violation, where);
    return tell_hazard(loop,
                       &(struct rd_hazard){.name = rd_hazard_name(RD_HAZARD_VIOLATED_IN_SIMULATOR),
                                           .step = loop->step.number,
                                           .message = loop->elsewhere});
}

/* A round has changed an input. */
static enum rd_status tell_change(struct loop *loop, const struct rd_round *round,
                                  const struct rd_input_change *change)
{
    char message[320], expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE];
    const struct rd_numeric *numeric = loop->run->numeric;
    numeric->format(expected, change->expected);
    numeric->format(actual, change->actual);
    snprintf(message, sizeof message,
             "%s[%zu] was %s before the %s, and is %s behind it; %zu element%s of the input %s "
             "another. An input is for reading: what the invariant says is of the values that it "
             "had",
             change->array, change->index, expected, loop->run->frame ? "round" : "first round",
             actual, change->count, change->count == 1 ? "" : "s",
             change->count == 1 ? "is" : "are");
    const struct rd_finding finding = {
        .name = rd_hazard_name(RD_HAZARD_INPUT_CHANGED),
        .kind = "",
        .scope = "",
        .message = message,
        .lesson = "",
        .count = change->count,
        .array = change->array,
        .type = numeric->name,
        .index_known = true,
        .index = (int64_t)change->index,
        .before = expected,
        .after = actual,
    };
    return tell_hazard(loop, &(struct rd_hazard){.name = finding.name,
                                                 .step = round->number,
                                                 .message = message,
                                                 .finding = &finding});
}

/* Asserts that the inputs that are due behind the round are as they were. */
static enum rd_status assert_inputs(struct loop *loop, const struct rd_round *round)
{
    unsigned due = rd_inputs_due(loop->run->program, &loop->shape, loop->run->frame, round->number);
    enum rd_status status = RD_OK;
    for (unsigned input = RD_INPUT_A; input <= RD_INPUT_B && status == RD_OK; input <<= 1) {
        struct rd_input_change change;
        bool changed = false;
        if (!(due & input))
            continue;
        status =
            rd_inputs_compare(&loop->state, (enum rd_input)input, &changed, &change, loop->error);
        if (status == RD_OK && changed)
            status = tell_change(loop, round, &change);
        else if (status == RD_OK)
            loop->unchanged |= input;
    }
    return status;
}

/* Asserts the invariant of a checkpoint inside the kernel, where it is one that the program documents, and
 * logs it. What the kernel comes to under other schedules is asserted, too; the log has the first run. */
static enum rd_status assert_checkpoint(void *self, const struct rd_checkpoint *checkpoint)
{
    struct loop *loop = self;
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
        return log_step(loop, &step);
    if (step.violation && !*loop->elsewhere)
        describe_violation_under(loop, step.violation, checkpoint->schedule);
    return RD_OK;
}

/* The same of the array that another schedule has left. */
static enum rd_status assert_again(void *self, const char *schedule)
{
    struct loop *loop = self;
    struct rd_violation violation;
    enum rd_status status = copy_back(loop, loop->round->number);
    if (status != RD_OK)
        return status;
    enum rd_verdict verdict = rd_assert_step(&loop->expect, loop->round->number, &loop->claim,
                                             &loop->found, &loop->view, &violation);
    if (verdict == RD_VIOLATED && !*loop->elsewhere)
        describe_violation_under(loop, &violation, schedule);
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

/* What is amiss with the checkpoints of the launch. Where some had no room, that says it all of those that
 * are missing, and a race says more of an array that is written. */
static enum rd_status tell_order(struct loop *loop, const struct rd_round *round,
                                 const struct rd_watch *watch)
{
    char message[512];
    enum rd_status status = RD_OK;
    if (watch->endless)
        status = tell_hazard(
            loop, &(struct rd_hazard){.name = rd_hazard_name(RD_HAZARD_NO_TERMINATION),
                                      .step = round->number,
                                      .message = "a thread came to checkpoints again and again, "
                                                 "and was ended: the loop that they stand in has "
                                                 "no end"});
    rd_checkpoint_order_end(&loop->order);
    for (int k = 0; k < RD_AMISS_COUNT && status == RD_OK; k++) {
        bool excused =
            (k == RD_AMISS_MISSING && watch->truncated) || (k == RD_AMISS_WRITTEN && loop->raced);
        if (loop->order.amiss[k].count == 0 || excused)
            continue;
        loop->result->missing |= k == RD_AMISS_MISSING;
        rd_checkpoint_order_text(&loop->order, (enum rd_amiss)k, message, sizeof message);
        status = tell_hazard(
            loop, &(struct rd_hazard){.name = rd_hazard_name(rd_amiss_hazard((enum rd_amiss)k)),
                                      .step = round->number,
                                      .message = message});
    }
    return status;
}

/* Launches the round's kernel. Where the program has invariants inside it, they are asserted of
 * each checkpoint. */
static enum rd_status launch(struct loop *loop, const struct rd_round *round)
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
    tell_activity(loop, RD_ACTIVITY_LAUNCHING);
    enum rd_status status = rd_state_launch(
        &loop->state, round, loop->run->program->points ? &watch : NULL, &tried, &reason);
    record_tried(loop->result, &tried);
    loop->refused = status == RD_ERROR_LAUNCH;
    loop->lost = status == RD_ERROR_HUNG;
    if (loop->lost)
        leave_open(&loop->result->obligations[RD_PRESERVATION]);
    enum rd_status told = loop->refused ? RD_OK : tell_found_beside(loop, round);
    if (told != RD_OK)
        return told;
    if (loop->refused || loop->lost)
        return tell_hazard(
            loop, &(struct rd_hazard){.name = rd_hazard_name(loop->lost ? RD_HAZARD_NO_TERMINATION
                                                                        : RD_HAZARD_ILLEGAL_LAUNCH),
                                      .step = round->number,
                                      .message = reason.text});
    if (status != RD_OK && reason.text[0])
        *loop->error = reason;
    if (watch.truncated) {
        loop->result->truncated = true;
        loop->result->verdict = rd_verdict_worst(loop->result->verdict, RD_INCONCLUSIVE);
        loop->sound = false;
    }
    if (status == RD_OK)
        status = tell_findings(loop, round);
    if (status == RD_OK && loop->run->program->points)
        status = tell_order(loop, round, &watch);
    if (status == RD_OK)
        status = assert_ticket(loop, round);
    return status == RD_OK ? assert_inputs(loop, round) : status;
}

static enum rd_status assert_goal(struct loop *loop)
{
    struct rd_result *result = loop->result;
    if (!loop->sound)
        return RD_OK; /* without the invariant, the end of the loop says nothing: exit stays open */
    result->obligations[RD_PRESERVATION] = RD_HOLDS; /* also where there was no round to make */
    enum rd_verdict exit =
        rd_assert_goal(loop->run->program, &loop->expect, result->steps - 1, &loop->claim,
                       &loop->view, &result->violation, &result->outcome);
    result->obligations[RD_EXIT] = exit;
    result->verdict = rd_verdict_worst(result->verdict, exit);
    result->violated = exit == RD_VIOLATED;
    return RD_OK;
}

static enum rd_status explain(struct loop *loop)
{
    struct rd_result *result = loop->result;
    /* Nothing is known of inputs by a launch that never was, or by memory that nobody has written; and nothing
     * runs on a device that is lost. */
    if (!result->violated || loop->run->pass || loop->refused || loop->unwritten || loop->lost)
        return RD_OK;
    enum rd_status status =
        rd_witness_explain(loop->run, &result->violation, &result->evidence, NULL);
    result->explained = status == RD_OK;
    /* An explanation is a bonus: only a request to stop is passed on. */
    return status == RD_ERROR_INTERRUPTED ? check_interruption(loop) : RD_OK;
}

static enum rd_status end_observers(struct loop *loop, enum rd_status status)
{
    loop->result->interrupted = status == RD_ERROR_INTERRUPTED;
    loop->result->failed = status != RD_OK && status != RD_ERROR_INTERRUPTED;
    bool until_here = status != RD_OK, unlooked = *loop->result->unlooked != '\0';
    if ((until_here || unlooked) && loop->result->verdict == RD_HOLDS)
        loop->result->verdict = RD_INCONCLUSIVE;
    return rd_observers_end(&loop->observers, loop->result, status);
}

static enum rd_status finish(struct loop *loop, enum rd_status status)
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
