// SPDX-License-Identifier: MIT
/* The run broken on purpose, to see which obligation fails, and where first. */
#include "view/parts.h"
#include "view/step/commands.h"
#include "reductio/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- in words ---- */

static void describe(const struct rd_stepper *stepper, const struct rd_break *broken, char *text,
                     size_t size)
{
    char value[RD_VALUE_TEXT_SIZE];
    switch (broken->kind) {
    case RD_BREAK_CELL:
        rd_cell_text(stepper->about->numeric, NULL, 0, broken->value, value);
        snprintf(text, size, "A[%zu] = %s from step %u on", broken->cell, value, broken->step);
        break;
    case RD_BREAK_THREAD:
        snprintf(text, size, "thread %u of block %" PRIu64 " does not run in round %u",
                 broken->thread, broken->block, broken->step);
        break;
    case RD_BREAK_BARRIER:
        snprintf(text, size, "nobody waits at barrier %u of round %u", broken->barrier,
                 broken->step);
        break;
    }
}

void rd_stepper_breaks_text(const struct rd_stepper *stepper, char *text, size_t size)
{
    text[0] = '\0';
    for (unsigned k = 0; k < stepper->breaks.run.n_breaks; k++) {
        size_t length = strlen(text);
        char one[128];
        describe(stepper, &stepper->breaks.list[k], one, sizeof one);
        snprintf(text + length, size - length, "%s%s", k > 0 ? "; " : "", one);
    }
}

/* Which obligation is not decided first, and why. */
static void say_inconclusive(struct rd_stepper *stepper, const char *what)
{
    const struct rd_history_about *about = stepper->about;
    char reason[RD_REASON_SIZE];
    int k = 0;
    while (k + 1 < RD_OBLIGATION_COUNT && about->result.obligations[k] == RD_HOLDS)
        k++;
    rd_stepper_say(stepper, "%s: the run is INCONCLUSIVE; %s: %s", what,
                   rd_obligation_name((enum rd_obligation)k),
                   rd_obligation_reason(about->program, about->numeric, &about->result,
                                        (enum rd_obligation)k, reason));
}

/* What has come of it: the first obligation that fails, and where. */
static void say_outcome(struct rd_stepper *stepper, const char *what)
{
    const struct rd_result *result = &stepper->about->result;
    char text[RD_SENTENCE_SIZE];
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        if (result->obligations[k] == RD_VIOLATED) {
            rd_stepper_say(stepper, "%s: %s fails%s%s", what,
                           rd_obligation_name((enum rd_obligation)k),
                           result->violated ? ", first at " : "",
                           result->violated ? rd_violation_text(&result->violation,
                                                                stepper->about->numeric, text)
                                            : "");
            return;
        }
    if (result->hazards > 0)
        rd_stepper_say(stepper, "%s: no step is violated, but there is a hazard: %s in round %u",
                       what, rd_history_hazard(stepper->history, 0)->name,
                       rd_history_hazard(stepper->history, 0)->step);
    else if (result->verdict != RD_HOLDS)
        say_inconclusive(stepper, what);
    else
        rd_stepper_say(stepper, "%s: the run HOLDS%s", what,
                       stepper->breaks.run.n_breaks > 0 ? " all the same" : "");
}

/* ---- making it ---- */

/* The frame that stands where `was` stood: a run that is broken may have others before it. */
static size_t find_place(struct rd_history *history, const struct rd_frame *was)
{
    for (size_t k = 0; was->inside && k < rd_history_frames(history); k++) {
        const struct rd_frame *frame = rd_history_frame(history, k);
        if (frame->inside && frame->step == was->step && rd_place_same(&frame->place, &was->place))
            return k;
    }
    return rd_history_frame_of_step(history, was->step);
}

/* Runs the program with the breaks that there are now; where that fails, all stays as it was. */
static enum rd_status run_again(struct rd_stepper *stepper, unsigned n_breaks,
                                struct rd_error *error)
{
    struct rd_history *history;
    unsigned before = stepper->breaks.run.n_breaks;
    struct rd_frame was = *rd_stepper_frame(stepper);
    stepper->breaks.run.n_breaks = n_breaks;
    rd_stepper_busy(stepper);
    enum rd_status status = rd_history_run(&history, &stepper->breaks.run, stepper->options, error);
    if (status != RD_OK) {
        stepper->breaks.run.n_breaks = before;
        return status;
    }
    rd_log_finish(&stepper->log);
    rd_history_destroy(stepper->history);
    stepper->history = history;
    stepper->about = rd_history_about(history);
    stepper->has_thread = false;
    stepper->overlay = RD_OVERLAY_NONE;
    rd_stepper_go(stepper, find_place(history, &was));
    rd_stepper_judge_again(stepper);
    return RD_OK;
}

/* ---- the commands ---- */

/* Whether that thread or barrier is left out there already. A cell may be broken once more. */
static bool is_broken(const struct rd_stepper *stepper, const struct rd_break *broken)
{
    for (unsigned k = 0; k < stepper->breaks.run.n_breaks; k++) {
        const struct rd_break *other = &stepper->breaks.list[k];
        if (broken->kind != RD_BREAK_CELL && other->kind == broken->kind &&
            other->step == broken->step && other->block == broken->block &&
            other->thread == broken->thread && other->barrier == broken->barrier)
            return true;
    }
    return false;
}

enum rd_status rd_break_accept(const struct rd_stepper *stepper, struct rd_error *error)
{
    unsigned n = stepper->breaks.run.n_breaks;
    if (!stepper->about->live || !stepper->run)
        return rd_fail(error, RD_ERROR_USAGE,
                       "a trace can't be broken: step through its program, '%s'",
                       stepper->about->program->name);
    if (n == RD_STEP_BREAKS_MAX)
        return rd_fail(error, RD_ERROR_USAGE,
                       "there are %u breaks already: undo one, with 'undo' (the key u)", n);
    return RD_OK;
}

enum rd_status rd_break_act(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    struct rd_break broken, undone;
    char text[160];
    unsigned n = stepper->breaks.run.n_breaks;
    enum rd_status status = rd_break_take(stepper, argument, &broken, error);
    if (status != RD_OK)
        return status;
    describe(stepper, &broken, text, sizeof text);
    if (is_broken(stepper, &broken))
        return rd_fail(error, RD_ERROR_USAGE, "%s already: 'undo' (the key u) takes back the last",
                       text);
    undone = stepper->breaks.list[n];
    stepper->breaks.list[n] = broken;
    status = run_again(stepper, n + 1, error);
    if (status != RD_OK) {
        stepper->breaks.list[n] = undone; /* it can still be done again */
        return status;
    }
    stepper->breaks.n_known = n + 1;
    say_outcome(stepper, text);
    return RD_OK;
}

enum rd_status rd_break_undo(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error)
{
    char text[160], undone[192];
    unsigned n = stepper->breaks.run.n_breaks;
    (void)argument;
    if (n == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "nothing is broken: 'break' (the key x) breaks something");
    describe(stepper, &stepper->breaks.list[n - 1], text, sizeof text);
    enum rd_status status = run_again(stepper, n - 1, error);
    if (status != RD_OK)
        return status;
    snprintf(undone, sizeof undone, "undone: %s", text);
    say_outcome(stepper, undone);
    return RD_OK;
}

enum rd_status rd_break_redo(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error)
{
    char text[160];
    unsigned n = stepper->breaks.run.n_breaks;
    (void)argument;
    if (n == stepper->breaks.n_known)
        return rd_fail(error, RD_ERROR_USAGE, "no break has been undone");
    enum rd_status status = run_again(stepper, n + 1, error);
    if (status != RD_OK)
        return status;
    describe(stepper, &stepper->breaks.list[n], text, sizeof text);
    say_outcome(stepper, text);
    return RD_OK;
}
