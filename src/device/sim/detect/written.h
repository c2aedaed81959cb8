// SPDX-License-Identifier: MIT
/* Which cells the running block has written since its last barrier. Private to the watch. */
#ifndef RD_SIM_WRITTEN_H
#define RD_SIM_WRITTEN_H

#include "device/sim/engine/core.h"

/* Tells whether so many bytes from there on are device memory. */
bool rd_sim_is_memory(const void *start, size_t size_bytes);

/* Tells whether a thread of the block has written the four bytes there and no barrier has ordered that before
 * the running thread; *thread is the last that did. Of memory that is used byte by byte nothing is known:
 * false. `one_warp`: the block has no more, so that a barrier of the warp orders it, too. */
bool rd_sim_is_written(const void *address, bool one_warp, unsigned *thread);

#endif
