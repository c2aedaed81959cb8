// SPDX-License-Identifier: MIT
/* The run broken on purpose, to see which obligation fails, and where first. */
#include "view/step/commands.h"
#include "view/summary.h"

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
        stepper->about->numeric->format(value, broken->value);
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

/* What has come of it: the first obligation that fails, and where. */
static void say_outcome(struct rd_stepper *stepper, const char *what)
{
    const struct rd_result *result = &stepper->about->result;
    char text[RD_SENTENCE_SIZE];
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        if (result->obligations[k] == RD_VIOLATED && result->violated) {
            rd_stepper_say(stepper, "%s: %s fails, first at %s", what,
                           rd_obligation_name((enum rd_obligation)k),
                           rd_violation_text(&result->violation, stepper->about->numeric, text));
            return;
        }
    if (result->hazards > 0)
        rd_stepper_say(stepper, "%s: no step is violated, but there is a hazard: %s in round %u",
                       what, rd_history_hazard(stepper->history, 0)->name,
                       rd_history_hazard(stepper->history, 0)->step);
    else
        rd_stepper_say(stepper, "%s: the run %s", what,
                       result->verdict != RD_HOLDS        ? "is INCONCLUSIVE"
                       : stepper->breaks.run.n_breaks > 0 ? "HOLDS all the same"
                                                          : "HOLDS");
}

/* ---- making it ---- */

/* Runs the program with the breaks that there are now; where that fails, all stays as it was. */
static enum rd_status run_again(struct rd_stepper *stepper, unsigned n_breaks,
                                struct rd_error *error)
{
    struct rd_history *history;
    unsigned before = stepper->breaks.run.n_breaks;
    size_t frame = stepper->frame;
    stepper->breaks.run.n_breaks = n_breaks;
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
    rd_stepper_go(stepper, frame);
    return RD_OK;
}

static enum rd_status take_value(struct rd_stepper *stepper, const char *text,
                                 struct rd_break *broken, struct rd_error *error)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    const struct rd_numeric *numeric = stepper->about->numeric;
    char cell[64];
    if (frame->inside)
        return rd_fail(error, RD_ERROR_USAGE,
                       "a cell can be broken at the end of a round only: go there, with 'next'");
    broken->cell = stepper->cell;
    const char *space = strchr(text, ' ');
    if (space) { /* CELL VALUE */
        snprintf(cell, sizeof cell, "%.*s", (int)(space - text), text);
        enum rd_status status = rd_step_cell(stepper, cell, &broken->cell, error);
        if (status != RD_OK)
            return status;
        text = space + strspn(space, " ");
    }
    const char *end = numeric->parse(text, &broken->value);
    if (!end || *end != '\0')
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is not a number of the type %s", text,
                       numeric->name);
    return RD_OK;
}

static enum rd_status take_thread(struct rd_stepper *stepper, const char *text,
                                  struct rd_break *broken, struct rd_error *error)
{
    if (*text == '\0' && stepper->has_thread) {
        const struct rd_log_thread *thread = &rd_stepper_log(stepper)->threads[stepper->thread];
        broken->block = thread->block;
        broken->thread = thread->thread;
        return RD_OK;
    }
    if (!rd_step_thread(stepper, text, &broken->block, &broken->thread))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is not a thread: write its number or BLOCK:THREAD, or select one",
                       text);
    return RD_OK;
}

static enum rd_status take_barrier(const char *text, struct rd_break *broken,
                                   struct rd_error *error)
{
    uint64_t number = 1;
    if (*text && (!rd_step_number(text, &number) || number < 1 || number > UINT32_MAX))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is not a barrier: 1 is the first of a round",
                       text);
    broken->barrier = (unsigned)number;
    return RD_OK;
}

/* Reads what is to be broken: "value 9", "value 3 9", "thread", "thread 2", "barrier 1". */
static enum rd_status take(struct rd_stepper *stepper, const char *text, struct rd_break *broken,
                           struct rd_error *error)
{
    size_t word = strcspn(text, " ");
    const char *rest = text + word + strspn(text + word, " ");
    *broken = (struct rd_break){.step = rd_stepper_frame(stepper)->step};
    if (word == 5 && strncmp(text, "value", word) == 0) {
        broken->kind = RD_BREAK_CELL;
        return take_value(stepper, rest, broken, error);
    }
    bool thread = word == 6 && strncmp(text, "thread", word) == 0;
    bool barrier = word == 7 && strncmp(text, "barrier", word) == 0;
    if (!thread && !barrier)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' can't be broken: write value V, thread T or barrier N", text);
    if (broken->step == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "no thread runs before the first round: go to a round, with 'next'");
    broken->kind = thread ? RD_BREAK_THREAD : RD_BREAK_BARRIER;
    return thread ? take_thread(stepper, rest, broken, error) : take_barrier(rest, broken, error);
}

enum rd_status rd_break_act(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    struct rd_break broken;
    char text[160];
    unsigned n = stepper->breaks.run.n_breaks;
    if (!stepper->about->live || !stepper->run)
        return rd_fail(error, RD_ERROR_USAGE,
                       "a trace can't be broken: step through its program, '%s'",
                       stepper->about->program->name);
    if (n == RD_STEP_BREAKS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "there are %u breaks already: undo one", n);
    enum rd_status status = take(stepper, argument, &broken, error);
    if (status != RD_OK)
        return status;
    stepper->breaks.list[n] = broken;
    status = run_again(stepper, n + 1, error);
    if (status != RD_OK)
        return status;
    describe(stepper, &broken, text, sizeof text);
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
        return rd_fail(error, RD_ERROR_USAGE, "nothing is broken");
    describe(stepper, &stepper->breaks.list[n - 1], text, sizeof text);
    enum rd_status status = run_again(stepper, n - 1, error);
    if (status != RD_OK)
        return status;
    snprintf(undone, sizeof undone, "undone: %s", text);
    say_outcome(stepper, undone);
    return RD_OK;
}
