// SPDX-License-Identifier: MIT
/* Order by barriers of whole warps, in a launch that is not exact: where some lanes alone meet, or others
 * have ended without, the launch is to be (see scheduler.h). */
#ifndef RD_SIM_WARPS_H
#define RD_SIM_WARPS_H

#include "device/sim/engine/core.h"

/* A barrier interval of the block begins. */
void rd_sim_warps_interval(void);
/* All lanes of a warp have met, and begin this epoch. */
void rd_sim_warps_meet(unsigned warp, unsigned epoch);
/* Tells whether what a thread of the running thread's warp did in the epoch, in this interval, is ordered
 * before the running thread. */
bool rd_sim_warp_ordered(unsigned epoch, unsigned thread);
/* Every epoch that is kept of warps, to be read or changed. */
void rd_sim_warps_visit(void (*visit)(unsigned *epoch));

#endif
