// SPDX-License-Identifier: MIT
/* Blocks that are kept aside while others run. What a block leaves behind is copied: the scheduler's state of
 * it, what is on its threads' stacks, and its shared memory with what is known of that. So a grid needs no more
 * stacks than a block. */
#ifndef RD_SIM_PARK_H
#define RD_SIM_PARK_H

#include "device/sim/engine/threads.h"

struct rd_sim_parked {
    struct rd_sim_parked *next; /* for the owner's lists */
    uint64_t block;
    bool waits; /* it gave way because its threads wait for others */
    /* It has passed a barrier of the grid, behind which nothing races with what was before */
    bool behind_grid;
    unsigned interval;
    long long clock;
    struct rd_sim_block *state; /* of as many threads as there are */
    char *stacks;
    void **contexts; /* of its threads, there */
    struct rd_sim_parked_granule *shared;
    uint64_t (*splits)[4]; /* the records of those of its granules that are split */
    struct rd_sim_knowledge *knowledge;
};

/* A launch begins. */
void rd_sim_park_begin(void);
/* Keeps the running block aside. NULL without memory. */
struct rd_sim_parked *rd_sim_park(void);
/* Puts it back, as core.block, and frees what was kept. */
void rd_sim_unpark(struct rd_sim_parked *parked);
/* A block that does not go on. */
void rd_sim_parked_destroy(struct rd_sim_parked *parked);

/* Forgets all that is known of the running block's shared memory, in an exact launch. */
void rd_sim_shared_forget(void);

#endif
