// SPDX-License-Identifier: MIT
/* The log of an observed launch on a GPU: the blocks write it, the host reads it. */
#ifndef RD_KERNEL_LOG_H
#define RD_KERNEL_LOG_H

#include <stddef.h>
#include <stdint.h>

enum { RD_LOG_LISTED = 65 };

/* What a warp came to with its checkpoint number so and so. */
struct rd_log_head {
    uint64_t variable;
    uint32_t point;   /* rd_point + 1; 0: the warp did not come so far */
    uint32_t n_cells; /* of the block's array; 0: the lanes handed in a value each: */
    uint32_t present; /* these */
};

/* Addresses are the device's. Each observed block has a slot, with room for `entries` checkpoints
 * of `cells` cells each. */
struct rd_log {
    uint32_t all; /* slot k is block k, below n_slots; else block listed[k] */
    uint32_t n_slots, entries, cells;
    uint32_t threads; /* a block; in so many warps: */
    uint32_t warps;
    uint32_t truncated; /* set by a thread for whose checkpoint there is no room */
    uint64_t listed[RD_LOG_LISTED];
    uint32_t *counts;          /* [slot][thread]: checkpoints that it came to */
    struct rd_log_head *heads; /* [slot][entry][warp] */
    void *values;              /* elem [slot][entry][cells] */
};

#endif
