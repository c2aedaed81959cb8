// SPDX-License-Identifier: MIT
/* The log of an observed launch on a GPU: the blocks write it, the host reads it. */
#ifndef RD_KERNEL_LOG_H
#define RD_KERNEL_LOG_H

#include <stddef.h>
#include <stdint.h>

enum { RD_LOG_LISTED = 65 };

/* One checkpoint of a warp. All its lanes should bring the same point and the
 * same variable; as they may not, the largest and the smallest are kept. */
struct rd_log_head {
    uint64_t variable,
        complement;   /* the largest of the variable, and of its complement ~variable */
    uint32_t points;  /* that rd_point as the bit 2^point; 0: the warp did not come so far */
    uint32_t n_cells; /* of the block's array; 0: the lanes handed in a value each */
    uint32_t present; /* the lanes that came, lane k as the bit 2^k */
    uint32_t written; /* 1: the array was another once all had come */
};

/* Addresses are the device's. Each observed block has a slot, with room for `entries` checkpoints
 * of `cells` cells each. */
struct rd_log {
    uint32_t all; /* slot k is block k, below n_slots; else block listed[k] */
    uint32_t n_slots, entries, cells;
    uint32_t threads; /* a block; in so many warps: */
    uint32_t warps;
    uint32_t truncated; /* set by a thread for whose checkpoint there is no room */
    uint32_t endless;   /* set by one that was ended, as it came to more checkpoints than this: */
    uint64_t count_max;
    uint64_t listed[RD_LOG_LISTED];
    uint32_t *counts;          /* [slot][thread]: checkpoints that it came to */
    struct rd_log_head *heads; /* [slot][entry][warp] */
    void *values;              /* elem [slot][entry][cells] */
};

#endif
