// SPDX-License-Identifier: MIT
/* A state, kept as what differs from the same array's state before. Private to src/history. */
#ifndef RD_HISTORY_DELTA_H
#define RD_HISTORY_DELTA_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which cells of an array a state has. Of the cells 0, stride, 2*stride, … of the array, `count` in
 * all, it has the first and the last few; of a state that is not cut, all are the first. */
struct rd_layout {
    size_t count, stride;
    size_t n_head, n_tail;
    bool lanes; /* the cells are the lanes of a warp, of which these came: */
    uint32_t present;
};

/* Whether the state has the cell of the array; *k is its number among the cells that it has. */
bool rd_layout_find(const struct rd_layout *layout, size_t index, size_t *k);
/* The array's cell that is the state's number k. */
size_t rd_layout_index(const struct rd_layout *layout, size_t k);

/* Runs of cells: how many are passed over, how many follow, and their elements. */
struct rd_delta {
    unsigned char *bytes;
    size_t size;
    bool full; /* it needs no state before */
};

/* What differs between the state's cells and `array`, elem[] of the array's n cells, which is then
 * brought up to it. With `full`, all cells. RD_ERROR_MEMORY, and the array is as it was. */
enum rd_status rd_delta_init(struct rd_delta *delta, const struct rd_layout *layout,
                             size_t elem_bytes, const void *cells, void *array, bool full,
                             struct rd_error *error);
void rd_delta_finish(struct rd_delta *delta);

/* Brings the array up to the state. */
void rd_delta_apply(const struct rd_delta *delta, const struct rd_layout *layout, size_t elem_bytes,
                    void *array);

#endif
