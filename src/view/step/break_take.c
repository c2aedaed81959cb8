// SPDX-License-Identifier: MIT
/* What is to be broken, from the words that say so. */
#include "base/spelling.h"
#include "view/step/commands.h"

#include <stdio.h>
#include <string.h>

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

/* Whether a round and its device can leave something out. */
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

enum rd_status rd_break_take(struct rd_stepper *stepper, const char *text, struct rd_break *broken,
                             struct rd_error *error)
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
