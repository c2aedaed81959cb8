// SPDX-License-Identifier: MIT
/* Collects hazards: what the device saw, who accompanies the run, and what
 * shows by itself. */
#include "run/driver_internal.h"
#include "run/state.h"
#include "device/kernel_names.h"

#include <stdio.h>
#include <string.h>

/* Tells a hazard, and notes what it leaves open of the run. */
static enum rd_status tell_hazard(struct rd_loop *loop, const struct rd_hazard *hazard)
{
    struct rd_hazard told = *hazard;
    if (!told.name)
        told.name = rd_hazard_name(told.kind);
    loop->result->hazards++;
    loop->result->verdict = rd_verdict_worst(loop->result->verdict, rd_hazard_verdict(told.kind));
    loop->undefined = loop->undefined || rd_hazard_undefines(told.kind);
    loop->result->undefined = loop->result->undefined || loop->undefined;
    loop->sound = loop->sound && !rd_hazard_ends(told.kind);
    return rd_observers_hazard(&loop->observers, &told);
}

/* Accepts what depends on the schedule: the user allows it, or the program itself, of the rounding of floats. */
static bool is_accepted(struct rd_loop *loop, const struct rd_finding *finding)
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

/* Without a look at hazards only a kernel that did not end, or that was stopped, is told. */
static bool is_told(const struct rd_loop *loop, const struct rd_finding *finding)
{
    return rd_hazards_looked_for(loop->run->hazards_by) ||
           finding->hazard == RD_HAZARD_NO_TERMINATION || finding->hazard == RD_HAZARD_KERNEL_FAULT;
}

/* Takes the hazards that the device saw in this round's launch. */
static enum rd_status tell_findings(struct rd_loop *loop, const struct rd_round *round)
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
        loop->unwritten = loop->unwritten || findings[k].hazard == RD_HAZARD_UNINITIALISED;
        loop->raced = loop->raced || findings[k].hazard == RD_HAZARD_RACE;
        status = tell_hazard(loop, &(struct rd_hazard){.kind = findings[k].hazard,
                                                       .step = round->number,
                                                       .message = findings[k].message,
                                                       .finding = &findings[k]});
    }
    if (*loop->elsewhere && !explained && status == RD_OK)
        status = tell_hazard(loop, &(struct rd_hazard){.kind = RD_HAZARD_ORDER_DEPENDENT,
                                                       .step = round->number,
                                                       .message = loop->elsewhere});
    return status;
}

/* The simulator takes no such launch, and the device does. */
static void give_up_looking(struct rd_loop *loop, const struct rd_hazard *hazard)
{
    struct rd_result *result = loop->result;
    result->hazards_by = RD_HAZARDS_BY_NOBODY;
    result->hazards_n = result->hazards_grid = 0;
    snprintf(result->unlooked, sizeof result->unlooked, "%.240s", hazard->message);
}

/* Takes the hazards of this round that were found before the run. */
static enum rd_status tell_found_beside(struct rd_loop *loop, const struct rd_round *round)
{
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < loop->companion.n_hazards && status == RD_OK; k++) {
        const struct rd_hazard *hazard = &loop->companion.hazards[k];
        if (hazard->step != round->number)
            continue;
        loop->unwritten = loop->unwritten || hazard->kind == RD_HAZARD_UNINITIALISED;
        if (!hazard->finding && hazard->kind == RD_HAZARD_ILLEGAL_LAUNCH)
            give_up_looking(loop, hazard);
        else
            status = tell_hazard(loop, hazard);
    }
    return status;
}

enum rd_status rd_loop_take_fault(struct rd_loop *loop, const struct rd_round *round,
                                  enum rd_status status)
{
    char message[sizeof loop->error->text + 400], place[360];
    if (status != RD_ERROR_FAULT)
        return status;
    loop->lost = true;
    rd_verdict_leave_open(&loop->result->obligations[RD_PRESERVATION]);
    rd_companion_place(&loop->companion, round->number, place, sizeof place);
    snprintf(message, sizeof message, "%s: the device has stopped the kernel; %s",
             loop->error->text, place);
    return tell_hazard(loop, &(struct rd_hazard){.kind = RD_HAZARD_KERNEL_FAULT,
                                                 .step = round->number,
                                                 .message = message});
}

/* Asserts that the thread with the last ticket has put it back to 0: else the next launch would not find its last
 * block. */
static enum rd_status assert_ticket(struct rd_loop *loop, const struct rd_round *round)
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
    return tell_hazard(loop, &(struct rd_hazard){.kind = RD_HAZARD_STALE_TICKET,
                                                 .step = round->number,
                                                 .message = message});
}

/* The invariant does not hold there: "under schedule random seed 1", "in the simulator". */
static void describe_violation(struct rd_loop *loop, const struct rd_violation *violation,
                               const char *where)
{
    char place[256] = "", expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE];
    rd_violation_values(violation, loop->run->numeric, expected, actual);
    if (violation->inside)
        snprintf(place, sizeof place, ", in block %llu, %s = %llu at the checkpoint '%s'",
                 (unsigned long long)violation->place.block, violation->variable,
                 (unsigned long long)violation->place.variable,
                 rd_point_name(violation->place.point));
    snprintf(loop->elsewhere, sizeof loop->elsewhere,
             "%s%s, %s[%zu] is %s, and the invariant says %s", where, place,
             violation->array ? violation->array : "A", violation->cell, actual, expected);
}

void rd_loop_describe_under(struct rd_loop *loop, const struct rd_violation *violation,
                            const char *schedule)
{
    char where[80];
    if (*loop->elsewhere)
        return;
    snprintf(where, sizeof where, "under schedule %s", schedule);
    describe_violation(loop, violation, where);
}

enum rd_status rd_loop_compare_companion(struct rd_loop *loop)
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
    return tell_hazard(loop, &(struct rd_hazard){.kind = RD_HAZARD_VIOLATED_IN_SIMULATOR,
                                                 .step = loop->step.number,
                                                 .message = loop->elsewhere});
}

/* A round has changed an input. */
static enum rd_status tell_change(struct rd_loop *loop, const struct rd_round *round,
                                  const struct rd_input_change *change)
{
    char message[320], expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE];
    const struct rd_numeric *numeric = change->numeric;
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
        .hazard = RD_HAZARD_INPUT_CHANGED,
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
    return tell_hazard(loop, &(struct rd_hazard){.kind = finding.hazard,
                                                 .step = round->number,
                                                 .message = message,
                                                 .finding = &finding});
}

/* Asserts that the inputs that are due behind the round are as they were. */
static enum rd_status assert_inputs(struct rd_loop *loop, const struct rd_round *round)
{
    unsigned due = rd_inputs_due(loop->run->program, loop->run->numeric->operation, &loop->shape,
                                 loop->run->frame, round->number);
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

/* Reports faults at the checkpoints of the launch. Where some had no room, that says it all of those that
 * are missing, and a race says more of an array that is written. */
static enum rd_status tell_order(struct rd_loop *loop, const struct rd_round *round,
                                 const struct rd_watch *watch)
{
    char message[512];
    enum rd_status status = RD_OK;
    if (watch->endless)
        status = tell_hazard(
            loop, &(struct rd_hazard){.kind = RD_HAZARD_NO_TERMINATION,
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
        status = tell_hazard(loop, &(struct rd_hazard){.kind = rd_amiss_hazard((enum rd_amiss)k),
                                                       .step = round->number,
                                                       .message = message});
    }
    return status;
}

enum rd_status rd_loop_tell_hazards(struct rd_loop *loop, const struct rd_round *round,
                                    const struct rd_watch *watch, enum rd_status status,
                                    const struct rd_error *reason)
{
    loop->refused = status == RD_ERROR_LAUNCH;
    loop->lost = status == RD_ERROR_HUNG;
    if (loop->lost)
        rd_verdict_leave_open(&loop->result->obligations[RD_PRESERVATION]);
    enum rd_status told = loop->refused ? RD_OK : tell_found_beside(loop, round);
    if (told != RD_OK)
        return told;
    /* A launch that the hardware refuses is a finding about the program, not a failure of ours. */
    if (loop->refused || loop->lost)
        return tell_hazard(loop, &(struct rd_hazard){.kind = loop->lost ? RD_HAZARD_NO_TERMINATION
                                                                        : RD_HAZARD_ILLEGAL_LAUNCH,
                                                     .step = round->number,
                                                     .message = reason->text});
    if (status != RD_OK && reason->text[0])
        *loop->error = *reason;
    if (watch->truncated) {
        loop->result->truncated = true;
        loop->result->verdict = rd_verdict_worst(loop->result->verdict, RD_INCONCLUSIVE);
        loop->sound = false;
    }
    if (status == RD_OK)
        status = tell_findings(loop, round);
    if (status == RD_OK && rd_program_has_points(loop->run->program))
        status = tell_order(loop, round, watch);
    if (status == RD_OK)
        status = assert_ticket(loop, round);
    return status == RD_OK ? assert_inputs(loop, round) : status;
}
