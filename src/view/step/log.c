// SPDX-License-Identifier: MIT
#include "view/step/stepper.h"
#include "view/step/commands.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rd_log_finish(struct rd_log *log)
{
    *log = (struct rd_log){.made = false};
}

const struct rd_access *rd_log_access(const struct rd_log *log, size_t k)
{
    return &log->list.accesses[log->list.order[k]];
}

const struct rd_access *rd_log_source(const struct rd_log *log, size_t k)
{
    return &log->list.accesses[log->list.sources[k]];
}

void rd_log_make(struct rd_log *log, struct rd_history *history, size_t frame)
{
    if (log->made && log->frame == frame)
        return;
    rd_log_finish(log);
    log->made = true;
    log->frame = frame;
    log->array = -1;
    log->about = rd_history_about(history);
    log->status = rd_history_accesses(history, frame, &log->list, &log->error);
    if (log->status != RD_OK)
        return;
    for (unsigned k = 0; k < log->list.n_arrays; k++)
        if (rd_frame_shows(rd_history_frame(history, frame), &log->list.arrays[k]))
            log->array = (int)k;
}

const struct rd_access_move *rd_log_writer(const struct rd_log *log, size_t cell)
{
    for (size_t k = log->list.n_moves; k > 0; k--) {
        const struct rd_access *write = rd_log_access(log, log->list.moves[k - 1].write);
        if ((int)write->array == log->array && write->index == cell)
            return &log->list.moves[k - 1];
    }
    return NULL;
}

/* "shared" for what the simulator calls "dynamic shared memory". */
static const char *name_of(const struct rd_access_array *array)
{
    return strcmp(array->name, "dynamic shared memory") == 0 ? "shared" : array->name;
}

const char *rd_log_place(const struct rd_log *log, const struct rd_access *access,
                         char text[RD_ACCESS_TEXT_SIZE])
{
    const char *name = name_of(&log->list.arrays[access->array]);
    if (access->outside)
        snprintf(text, RD_ACCESS_TEXT_SIZE, "%s[%" PRId64 "] (%s)", name, (int64_t)access->index,
                 rd_access_is_of_lane(access->op) ? "not there" : "out of bounds");
    else
        snprintf(text, RD_ACCESS_TEXT_SIZE, "%s[%zu]", name, access->index);
    return text;
}

/* " of thread 16": whose register it is that another's takes. */
static void append_owner(const struct rd_log *log, const struct rd_access *access,
                         char text[RD_ACCESS_TEXT_SIZE])
{
    size_t length = strlen(text);
    if (access->op == RD_ACCESS_TAKE)
        snprintf(text + length, RD_ACCESS_TEXT_SIZE - length, " of thread %zu",
                 log->list.arrays[access->array].warp * RD_WARP_LANES + access->index);
}

const char *rd_log_text(const struct rd_log *log, const struct rd_access *access,
                        char text[RD_ACCESS_TEXT_SIZE])
{
    char value[RD_VALUE_TEXT_SIZE];
    const struct rd_access_array *array = &log->list.arrays[access->array];
    rd_log_place(log, access, text);
    if (!log->about->witness && !access->outside) {
        rd_cell_text(array->numeric, log->about->a, log->about->n_a, access->value, value);
        snprintf(text, RD_ACCESS_TEXT_SIZE, "%s[%zu] = %s", name_of(array), access->index, value);
    }
    append_owner(log, access, text);
    return text;
}

/* ---- commands ---- */

/* Commands that follow one thread of a round. */

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

/* The cell that it writes is shown. */
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

/* Selects the neighbour of the thread; where none is selected, the first or the last. */
static enum rd_status step_thread(struct rd_stepper *stepper, bool forward, struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    if (log->list.n_threads == 0)
        return rd_step_no_threads(stepper, error);
    const size_t end = forward ? log->list.n_threads - 1 : 0;
    if (!stepper->has_thread)
        rd_step_select_thread(stepper, forward ? 0 : log->list.n_threads - 1);
    else if (forward ? stepper->thread < end : stepper->thread > end)
        rd_step_select_thread(stepper, forward ? stepper->thread + 1 : stepper->thread - 1);
    else
        rd_stepper_say(stepper, "this is the %s thread of this step", forward ? "last" : "first");
    return RD_OK;
}

enum rd_status rd_act_thread_next(struct rd_stepper *stepper, const char *argument,
                                  struct rd_error *error)
{
    (void)argument;
    return step_thread(stepper, true, error);
}

enum rd_status rd_act_thread_previous(struct rd_stepper *stepper, const char *argument,
                                      struct rd_error *error)
{
    (void)argument;
    return step_thread(stepper, false, error);
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
