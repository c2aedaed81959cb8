// SPDX-License-Identifier: MIT
/* Arrays as they were before steps: blocks of cells are copied when they are about to be written, as a step may write few
 * cells of many; and logs of such copies, with which several steps are undone. */
#include "law/lanes.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_CELLS = 128, KEPT_BYTES = 1 << 23, LOG_BLOCKS = 64 };

static size_t blocks_of(const struct lane_before *before)
{
    return (before->count + BLOCK_CELLS - 1) / BLOCK_CELLS;
}

bool rd_lane_before_begin(struct lane_before *before, void *cells, const struct lane_blocks *blocks,
                          size_t size_bytes)
{
    const size_t count = blocks->count * blocks->cells;
    before->blocks = *blocks;
    before->cells = cells;
    before->count = count;
    before->size_bytes = size_bytes;
    const size_t n_blocks = blocks_of(before), needed = count * size_bytes + n_blocks + 1;
    if (before->capacity_bytes < needed) {
        free(before->were);
        before->were = rd_array_alloc(needed);
        before->capacity_bytes = before->were ? needed : 0;
    }
    if (!before->were)
        return false;
    before->saved = before->were + count * size_bytes;
    memset(before->saved, 0, n_blocks);
    before->low = n_blocks;
    before->high = 0;
    return true;
}

void rd_lane_before_finish(struct lane_before *before)
{
    free(before->were);
    before->were = before->saved = NULL;
    before->capacity_bytes = 0;
}

void rd_lane_before_let_go(struct lane_before *before)
{
    if (before->capacity_bytes > KEPT_BYTES)
        rd_lane_before_finish(before);
}

/* The block's place and length in bytes. */
static size_t block(const struct lane_before *before, size_t index, size_t *length)
{
    const size_t first = index * BLOCK_CELLS, left = before->count - first;
    *length = (left < BLOCK_CELLS ? left : BLOCK_CELLS) * before->size_bytes;
    return first * before->size_bytes;
}

static void save(struct lane_before *before, size_t index)
{
    size_t length;
    const size_t at = block(before, index, &length);
    if (before->saved[index])
        return;
    memcpy(before->were + at, before->cells + at, length);
    before->saved[index] = 1;
    before->low = index < before->low ? index : before->low;
    before->high = index >= before->high ? index + 1 : before->high;
}

void rd_lane_before_write(struct lane_before *before, size_t first, size_t last)
{
    for (size_t index = first / BLOCK_CELLS; index <= last / BLOCK_CELLS; index++)
        save(before, index);
}

const void *rd_lane_before_read(struct lane_before *before, size_t first, size_t last)
{
    bool is_saved = false;
    for (size_t index = first / BLOCK_CELLS; index <= last / BLOCK_CELLS; index++)
        is_saved |= before->saved[index];
    if (!is_saved)
        return before->cells;
    rd_lane_before_write(before, first, last);
    return before->were;
}

void rd_lane_before_restore(struct lane_before *before)
{
    for (size_t index = before->low; index < before->high; index++) {
        size_t length;
        const size_t at = block(before, index, &length);
        if (before->saved[index])
            memcpy(before->cells + at, before->were + at, length);
    }
}

/* ---- steps that can be undone ---- */

static struct lane_logged *add_step(struct lane_log *log)
{
    if (log->n_steps == log->capacity) {
        const size_t capacity = log->capacity ? 2 * log->capacity : 32;
        struct lane_logged *grown = realloc(log->steps, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        log->steps = grown;
        log->capacity = capacity;
    }
    return &log->steps[log->n_steps++];
}

void rd_lane_log_forget(struct lane_log *log)
{
    while (log->n_steps > 0)
        rd_lane_before_finish(&log->steps[--log->n_steps].before);
    log->n_blocks = 0;
}

void rd_lane_log_finish(struct lane_log *log)
{
    rd_lane_log_forget(log);
    free(log->steps);
    *log = (struct lane_log){.n_steps = 0};
}

/* Copies the blocks that the step has saved; false without memory. */
static bool pack(struct lane_before *packed, const struct lane_before *before)
{
    size_t length = 0;
    *packed = *before;
    packed->were = packed->saved = NULL;
    packed->capacity_bytes = 0;
    if (before->low >= before->high)
        return true;
    const size_t n_blocks = before->high - before->low, from = block(before, before->low, &length),
                 to = block(before, before->high - 1, &length) + length;
    packed->were = rd_array_alloc(to - from + n_blocks);
    if (!packed->were)
        return false;
    packed->saved = packed->were + (to - from);
    packed->capacity_bytes = to - from + n_blocks;
    memcpy(packed->were, before->were + from, to - from);
    memcpy(packed->saved, before->saved + before->low, n_blocks);
    return true;
}

/* As rd_lane_before_restore, of what was packed. */
static void restore_packed(struct lane_before *packed)
{
    size_t length;
    const size_t from = block(packed, packed->low, &length);
    for (size_t index = packed->low; index < packed->high; index++) {
        const size_t at = block(packed, index, &length);
        if (packed->saved[index - packed->low])
            memcpy(packed->cells + at, packed->were + (at - from), length);
    }
}

void rd_lane_log_add(struct lane_log *log, const struct lane_before *before, int64_t value,
                     bool any_order)
{
    /* A fold's steps take as much as the array, as each writes half of what the one before did. */
    const size_t most = 2 * blocks_of(before) + LOG_BLOCKS;
    struct lane_logged *step = add_step(log);
    log->n_blocks += before->low < before->high ? before->high - before->low : 0;
    if (step) {
        step->value = value;
        step->any_order = any_order;
    }
    if (!step || !pack(&step->before, before) || log->n_blocks > most)
        rd_lane_log_forget(log);
}

bool rd_lane_log_return(struct lane_log *log, int64_t value, bool *any_order)
{
    size_t to = log->n_steps;
    while (to > 0 && log->steps[to - 1].value != value)
        to--;
    if (to == 0)
        return false;
    *any_order = log->steps[to - 1].any_order;
    while (log->n_steps >= to) {
        struct lane_before *before = &log->steps[--log->n_steps].before;
        log->n_blocks -= before->low < before->high ? before->high - before->low : 0;
        restore_packed(before);
        rd_lane_before_finish(before);
    }
    return true;
}
