// SPDX-License-Identifier: MIT
/* What orders threads besides block barriers: warp barriers, and fences with atomics. */
#ifndef RD_SIM_ORDER_H
#define RD_SIM_ORDER_H

#include "sim/core.h"

/* Starts: a launch, a block, a barrier interval. */
void rd_sim_order_launch(void);
void rd_sim_order_block(void);
void rd_sim_order_interval(void);

/* The block that an epoch of this launch belongs to. */
uint64_t rd_sim_block_of(unsigned epoch);

/* The lanes of `mask` of this warp have met at a warp barrier. Returns their new epoch. */
unsigned rd_sim_order_warp(unsigned warp, unsigned mask);

/* Whether what a thread of the running thread's warp did up to `epoch`, in this interval, is
 * ordered before the running thread. A barrier of a part of the warp orders that part only. A
 * record keeps two of the threads that read a location: where lanes outside the mask of a partial
 * barrier have read it too, and both that are kept took part in the barrier, the others' order is
 * not looked at. */
bool rd_sim_warp_ordered(unsigned epoch, unsigned thread);

/* __threadfence() by the running thread; its atomic access to `address`. A fence before an atomic
 * releases what the thread did before, and what barriers had ordered before that; an atomic to the
 * same address by another thread acquires it. */
void rd_sim_order_fence(void);
void rd_sim_order_atomic(uintptr_t address);

/* Whether what `thread` of `block` did in `epoch` was released to the running thread. */
bool rd_sim_fence_ordered(uint64_t block, unsigned epoch, unsigned thread);

#endif
