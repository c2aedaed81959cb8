// SPDX-License-Identifier: MIT
/* Breaks the run on purpose. */
#include "base/spelling.h"
#include "view/step/commands.h"
#include "view/parts.h"
#include "reductio/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- reading what to break ---- */

/* Reads what is to be broken. */

static enum rd_status take_value(struct rd_stepper *stepper, const char *text,
                                 struct rd_break *broken, struct rd_error *error)
{
    const struct rd_numeric *numeric = stepper->about->numeric;
    char cell[64];
    broken->kind = RD_BREAK_CELL;
    if (rd_stepper_frame(stepper)->inside)
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
    if (*text == '\0')
        return rd_fail(error, RD_ERROR_USAGE,
                       "no value: write value V for the selected cell, or value INDEX V");
    const char *end = rd_cell_parse(numeric, text, &broken->value);
    if (!end || *end != '\0')
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is not a number of the type %s", text,
                       numeric->name);
    return RD_OK;
}

/* Without a number it is the selected thread, or else the one that wrote the selected cell. */
static enum rd_status take_thread(struct rd_stepper *stepper, const char *text,
                                  struct rd_break *broken, struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_access_move *move = rd_log_writer(log, stepper->cell);
    broken->kind = RD_BREAK_THREAD;
    if (*text != '\0') {
        if (rd_step_thread(stepper, text, &broken->block, &broken->thread))
            return RD_OK;
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is not a thread: write its number, or BLOCK:THREAD", text);
    }
    if (!stepper->has_thread && !move)
        return rd_fail(error, RD_ERROR_USAGE,
                       "no thread is selected, and none wrote %s[%zu]: write thread T, or thread "
                       "BLOCK:T",
                       rd_stepper_frame(stepper)->array, stepper->cell);
    const struct rd_access_thread *thread =
        &log->list.threads[stepper->has_thread ? stepper->thread : move->thread];
    broken->block = thread->block;
    broken->thread = thread->thread;
    return RD_OK;
}

/* The barrier at which the step's first accesses were waited for. */
static unsigned barrier_of_step(struct rd_stepper *stepper)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    unsigned passed = log->list.count > 0 ? UINT32_MAX - 1 : 0;
    for (size_t k = 0; k < log->list.count; k++)
        if (log->list.accesses[k].interval < passed)
            passed = log->list.accesses[k].interval;
    return passed + 1;
}

static enum rd_status take_barrier(struct rd_stepper *stepper, const char *text,
                                   struct rd_break *broken, struct rd_error *error)
{
    uint64_t number;
    broken->kind = RD_BREAK_BARRIER;
    broken->barrier = barrier_of_step(stepper);
    if (*text == '\0')
        return RD_OK;
    if (!rd_step_number(text, &number) || number < 1 || number > UINT32_MAX)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is not a barrier: write its number, 1 for the first of the round",
                       text);
    broken->barrier = (unsigned)number;
    return RD_OK;
}

static enum rd_status not_breakable(const char *text, struct rd_error *error)
{
    static const char *const names[] = {"value", "thread", "barrier", NULL};
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
    const char *nearest = rd_nearest(word, names);
    if (nearest)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' can't be broken: did you mean '%s'?", text,
                       nearest);
    return rd_fail(error, RD_ERROR_USAGE,
                   "'%s' can't be broken: write a number for the selected cell, value INDEX V, "
                   "thread T or barrier N",
                   text);
}

/* Accepts an omission where the device can make it, in a round. */
static enum rd_status accept_omission(const struct rd_stepper *stepper, const char *what,
                                      struct rd_error *error)
{
    if (!stepper->run->device->ops->omits)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' can't leave out a %s: step in the simulator, with '--device sim'",
                       stepper->run->device->ops->name, what);
    if (rd_stepper_frame(stepper)->step == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "no thread runs before the first round: go to a round, with 'next'");
    return RD_OK;
}

/* Reads what is to be broken at this step: "9", "value 9", "value 3 9", "thread", "thread 0:2",
 * "barrier", "barrier 1". RD_ERROR_USAGE. */
static enum rd_status break_take(struct rd_stepper *stepper, const char *text,
                                 struct rd_break *broken, struct rd_error *error)
{
    size_t word = strcspn(text, " ");
    const char *rest = text + word + strspn(text + word, " ");
    const char *array = rd_stepper_frame(stepper)->array;
    size_t name = strlen(array);
    rd_bits number;
    *broken = (struct rd_break){.step = rd_stepper_frame(stepper)->step};
    if (word == 5 && strncmp(text, "value", word) == 0)
        return take_value(stepper, rest, broken, error);
    const char *end = rd_cell_parse(stepper->about->numeric, text, &number);
    if ((end && (*end == '\0' || *end == ' ')) ||
        (strncmp(text, array, name) == 0 && text[name] == '['))
        return take_value(stepper, text, broken, error);
    bool thread = word == 6 && strncmp(text, "thread", word) == 0;
    bool barrier = word == 7 && strncmp(text, "barrier", word) == 0;
    if (!thread && !barrier)
        return not_breakable(text, error);
    enum rd_status status = accept_omission(stepper, thread ? "thread" : "barrier", error);
    if (status != RD_OK)
        return status;
    return thread ? take_thread(stepper, rest, broken, error)
                  : take_barrier(stepper, rest, broken, error);
}

/* ---- breaking ---- */

/* The run broken on purpose, to see which obligation fails, and where first. */

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

/* Names the first obligation that is not decided, and why. */
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

/* The outcome of a break: the first obligation that fails, and where. */
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

/* Tells whether that thread or barrier is left out there already. A cell may be broken once more. */
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
    enum rd_status status = break_take(stepper, argument, &broken, error);
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
