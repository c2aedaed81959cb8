// SPDX-License-Identifier: MIT
/* Commands that follow one thread of a round. */
#include "view/step/commands.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void say_thread(struct rd_stepper *stepper)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_access_thread *thread = &log->list.threads[stepper->thread];
    rd_stepper_say(stepper,
                   "thread %u of block %" PRIu64 ", number %zu of the %zu that did something",
                   thread->thread, thread->block, stepper->thread + 1, log->list.n_threads);
}

void rd_step_leave_thread(struct rd_stepper *stepper)
{
    stepper->has_thread = false;
    if (stepper->overlay == RD_OVERLAY_TRACE)
        stepper->overlay = RD_OVERLAY_NONE;
}

bool rd_step_select_accessed(struct rd_stepper *stepper, const struct rd_access *access)
{
    bool shown = (int)access->array == rd_stepper_log(stepper)->array &&
                 access->index < rd_stepper_frame(stepper)->n_cells;
    if (shown)
        stepper->cell = access->index;
    return shown;
}

/* What it writes is shown. */
void rd_step_select_thread(struct rd_stepper *stepper, size_t k)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_access_thread *thread = &log->list.threads[k];
    stepper->has_thread = true;
    stepper->thread = k;
    stepper->access = 0;
    for (size_t at = thread->first + thread->count; at > thread->first; at--) {
        const struct rd_access *access = rd_log_access(log, at - 1);
        if (access->op != RD_ACCESS_READ && rd_step_select_accessed(stepper, access))
            break;
    }
    say_thread(stepper);
}

enum rd_status rd_step_no_threads(struct rd_stepper *stepper, struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    if (log->status != RD_OK)
        return rd_fail(error, RD_ERROR_USAGE, "%s", log->error.text);
    return rd_fail(error, RD_ERROR_USAGE,
                   "no thread did anything here: go to a round, with 'next' (the key n)");
}

enum rd_status rd_act_thread_next(struct rd_stepper *stepper, const char *argument,
                                  struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    (void)argument;
    if (log->list.n_threads == 0)
        return rd_step_no_threads(stepper, error);
    if (!stepper->has_thread)
        rd_step_select_thread(stepper, 0);
    else if (stepper->thread + 1 < log->list.n_threads)
        rd_step_select_thread(stepper, stepper->thread + 1);
    else
        rd_stepper_say(stepper, "this is the last thread of this step");
    return RD_OK;
}

enum rd_status rd_act_thread_previous(struct rd_stepper *stepper, const char *argument,
                                      struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    (void)argument;
    if (log->list.n_threads == 0)
        return rd_step_no_threads(stepper, error);
    if (!stepper->has_thread)
        rd_step_select_thread(stepper, log->list.n_threads - 1);
    else if (stepper->thread > 0)
        rd_step_select_thread(stepper, stepper->thread - 1);
    else
        rd_stepper_say(stepper, "this is the first thread of this step");
    return RD_OK;
}

bool rd_step_thread(struct rd_stepper *stepper, const char *text, uint64_t *block, unsigned *thread)
{
    char *end;
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    if (!isdigit((unsigned char)*text))
        return false;
    uint64_t first = strtoull(text, &end, 10), second;
    if (*end == '\0') {
        *block = frame->inside ? frame->place.block : 0;
        *thread = (unsigned)first;
        return first <= UINT32_MAX;
    }
    if (*end != ':' || !rd_step_number(end + 1, &second) || second > UINT32_MAX)
        return false;
    *block = first;
    *thread = (unsigned)second;
    return true;
}

enum rd_status rd_act_thread(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    uint64_t block;
    unsigned thread;
    if (!rd_step_thread(stepper, argument, &block, &thread))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is not a thread: write its number, or BLOCK:THREAD", argument);
    if (log->list.n_threads == 0)
        return rd_step_no_threads(stepper, error);
    for (size_t k = 0; k < log->list.n_threads; k++)
        if (log->list.threads[k].block == block && log->list.threads[k].thread == thread) {
            rd_step_select_thread(stepper, k);
            return RD_OK;
        }
    return rd_fail(error, RD_ERROR_USAGE, "thread %u of block %" PRIu64 " did nothing here", thread,
                   block);
}
