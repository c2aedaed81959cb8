// SPDX-License-Identifier: MIT
#include "view/step/log.h"

#include <inttypes.h>
#include <stdio.h>
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
