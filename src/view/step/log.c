// SPDX-License-Identifier: MIT
#include "view/step/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rd_log_finish(struct rd_log *log)
{
    free(log->order);
    free(log->threads);
    free(log->moves);
    *log = (struct rd_log){.made = false};
}

const struct rd_access *rd_log_access(const struct rd_log *log, size_t k)
{
    return &log->list.accesses[log->order[k]];
}

static bool same_thread(const struct rd_access *x, const struct rd_access *y)
{
    return x->block == y->block && x->thread == y->thread;
}

static int compare(const void *x, const void *y, void *context)
{
    const struct rd_access *accesses = context;
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    const struct rd_access *p = &accesses[i], *q = &accesses[j];
    if (p->block != q->block)
        return p->block < q->block ? -1 : 1;
    if (p->thread != q->thread)
        return p->thread < q->thread ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* Most launches need no sorting: their threads ran one after the other. */
static void sort(struct rd_log *log)
{
    bool sorted = true;
    for (size_t k = 0; k < log->list.count; k++)
        log->order[k] = (uint32_t)k;
    for (size_t k = 1; k < log->list.count && sorted; k++)
        sorted = compare(&log->order[k - 1], &log->order[k], (void *)log->list.accesses) < 0;
    if (!sorted)
        qsort_r(log->order, log->list.count, sizeof *log->order, compare,
                (void *)log->list.accesses);
}

static void find_threads(struct rd_log *log)
{
    for (size_t k = 0; k < log->list.count; k++) {
        const struct rd_access *access = rd_log_access(log, k);
        if (k == 0 || !same_thread(access, rd_log_access(log, k - 1)))
            log->threads[log->n_threads++] = (struct rd_log_thread){
                .block = access->block, .thread = access->thread, .first = k};
        log->threads[log->n_threads - 1].count++;
    }
}

/* A cell that is read and then written with nothing else in between is read for that write. */
static void find_moves(struct rd_log *log)
{
    for (size_t t = 0; t < log->n_threads; t++) {
        const struct rd_log_thread *thread = &log->threads[t];
        size_t first = thread->first;
        for (size_t k = thread->first; k < thread->first + thread->count; k++) {
            if (rd_log_access(log, k)->op == RD_ACCESS_READ)
                continue;
            log->moves[log->n_moves++] =
                (struct rd_log_move){.thread = t, .first = first, .n_reads = k - first, .write = k};
            first = k + 1;
        }
    }
}

/* At least one element, so that an empty list is no failure. */
static void *room(size_t count, size_t size)
{
    return malloc((count + 1) * size);
}

static enum rd_status make(struct rd_log *log, struct rd_history *history, size_t frame,
                           struct rd_error *error)
{
    enum rd_status status = rd_history_accesses(history, frame, &log->list, error);
    if (status != RD_OK)
        return status;
    size_t count = log->list.count, threads = 0, moves = 0;
    log->order = room(count, sizeof *log->order);
    if (!log->order)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the accesses of a round");
    sort(log);
    for (size_t k = 0; k < count; k++) {
        threads += k == 0 || !same_thread(rd_log_access(log, k), rd_log_access(log, k - 1));
        moves += rd_log_access(log, k)->op != RD_ACCESS_READ;
    }
    log->threads = room(threads, sizeof *log->threads);
    log->moves = room(moves, sizeof *log->moves);
    if (!log->threads || !log->moves)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the accesses of a round");
    find_threads(log);
    find_moves(log);
    return RD_OK;
}

void rd_log_make(struct rd_log *log, struct rd_history *history, size_t frame)
{
    if (log->made && log->frame == frame)
        return;
    rd_log_finish(log);
    log->made = true;
    log->frame = frame;
    log->array = -1;
    log->witness = rd_history_about(history)->witness;
    log->status = make(log, history, frame, &log->error);
    if (log->status != RD_OK) {
        log->n_threads = log->n_moves = 0;
        return;
    }
    const char *name = rd_history_frame(history, frame)->array;
    for (unsigned k = 0; k < log->list.n_arrays; k++)
        if (strcmp(log->list.arrays[k].name, name) == 0)
            log->array = (int)k;
}

const struct rd_log_move *rd_log_writer(const struct rd_log *log, size_t cell)
{
    for (size_t k = log->n_moves; k > 0; k--) {
        const struct rd_access *write = rd_log_access(log, log->moves[k - 1].write);
        if ((int)write->array == log->array && write->index == cell)
            return &log->moves[k - 1];
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
    snprintf(text, RD_ACCESS_TEXT_SIZE, "%s[%zu]", name_of(&log->list.arrays[access->array]),
             access->index);
    return text;
}

const char *rd_log_text(const struct rd_log *log, const struct rd_access *access,
                        char text[RD_ACCESS_TEXT_SIZE])
{
    char value[RD_VALUE_TEXT_SIZE];
    if (log->witness)
        return rd_log_place(log, access, text);
    const struct rd_access_array *array = &log->list.arrays[access->array];
    array->numeric->format(value, access->value);
    snprintf(text, RD_ACCESS_TEXT_SIZE, "%s[%zu] = %s", name_of(array), access->index, value);
    return text;
}
