// SPDX-License-Identifier: MIT
/* What fences with atomics order. A fence before an atomic releases what the thread did before it,
 * and what barriers had ordered before that; an atomic to the same address by another thread
 * acquires it. Both are of a scope: those of the block's scope order its own threads only. */
#ifndef RD_SIM_FENCES_H
#define RD_SIM_FENCES_H

#include "sim/core.h"
#include "sim/intrinsics.h"

/* Whether what an atomic has acquired counts only behind a later fence of that thread, for the grid or,
 * where the atomic is for the block only, for the block: PTX asks for it. CUDA's own examples do
 * without, and so it is asked of those who promise it. */
extern bool rd_sim_fences_acquire;

/* Starts: a launch, a block. */
void rd_sim_fences_launch(void);
void rd_sim_fences_block(void);

/* Every epoch that is kept of fences, to be read or changed. */
void rd_sim_fences_visit(void (*visit)(unsigned *epoch));

/* By the running thread: a fence; an atomic access to `address`. */
void rd_sim_fence(bool of_block);
void rd_sim_fences_atomic(uintptr_t address, enum rd_sim_atomic atomic);

/* Whether anything has been released in this launch. */
bool rd_sim_fences_have_released(void);
/* Whether what `thread` of `block` did to `address` in `epoch` was released to the
 * running thread. */
bool rd_sim_fence_ordered(uint64_t block, unsigned epoch, unsigned thread, uintptr_t address);
/* Whether anything that it did was. */
bool rd_sim_fence_knows(uint64_t block, unsigned thread);

#endif
