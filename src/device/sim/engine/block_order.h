// SPDX-License-Identifier: MIT
/* Which block of a launch runs next: by the schedule; a new one, or one that has given way. */
#ifndef RD_SIM_BLOCK_ORDER_H
#define RD_SIM_BLOCK_ORDER_H

#include "device/sim/engine/park.h"

struct rd_sim_turn_of_block {
    uint64_t block;
    struct rd_sim_parked *parked; /* goes on; NULL: begins */
};

/* These blocks of the launch are to run, up to the one before `end`. */
void rd_sim_blocks_begin(uint64_t first, uint64_t end);
/* No more blocks run. */
void rd_sim_blocks_finish(void);
/* The block to go on with. False where all have ended, or are kept by others. */
bool rd_sim_blocks_next(struct rd_sim_turn_of_block *turn);

/* The running block has ended; or given way. */
void rd_sim_blocks_ended(void);
void rd_sim_blocks_left(struct rd_sim_parked *parked);
/* These have all come to a barrier of the grid, and may go on. */
void rd_sim_blocks_released(struct rd_sim_parked *parked);

#endif
