// SPDX-License-Identifier: MIT
/* What orders threads besides block barriers: warp barriers; and, in fences.h, fences
 * with atomics. */
#ifndef RD_SIM_ORDER_H
#define RD_SIM_ORDER_H

#include "sim/core.h"

/* Starts: a launch, a block, a barrier interval. */
void rd_sim_order_launch(void);
void rd_sim_order_block(void);
void rd_sim_order_interval(void);

/* The block that an epoch of this launch belongs to. */
uint64_t rd_sim_block_of(unsigned epoch);

/* Where the launch has had so many blocks that they alone take a good part of all epochs, those
 * before the last are forgotten, and what they did. */
void rd_sim_order_bound(void);

/* Every epoch that is kept of blocks and warps, to be read or changed. */
void rd_sim_order_visit(void (*visit)(unsigned *epoch));

/* In epochs.c: numbers those in use from 1 on, where there are no more. */
void rd_sim_epochs_renumber(void);
/* How many were given in all, those of before a renumbering included. */
uint64_t rd_sim_epochs_given(void);
/* The epoch in a floor, or in a stamp. */
void rd_sim_epochs_visit_floor(uint64_t *bits, void (*visit)(unsigned *epoch));

/* The lanes of `mask` of this warp have met at a warp barrier. Returns their new epoch. */
unsigned rd_sim_order_warp(unsigned warp, unsigned mask);

/* Whether what a thread of the running thread's warp did up to `epoch`, in this interval, is
 * ordered before the running thread. A barrier of a part of the warp orders that part only. A
 * record keeps two of the threads that read a location: where lanes outside the mask of a partial
 * barrier have read it too, and both that are kept took part in the barrier, the others' order is
 * not looked at. */
bool rd_sim_warp_ordered(unsigned epoch, unsigned thread);

/* What the running thread's warp barriers have ordered before it: of each lane, up to which epoch.
 * NULL where there were none in this interval. The caller's to free. */
unsigned *rd_sim_order_known(void);

#endif
