// SPDX-License-Identifier: MIT
/* Accesses of the past: who made the last to a byte, the one that its record has forgotten, and the one since the block's
 * last barrier. */
#ifndef RD_SIM_LAST_ACCESS_H
#define RD_SIM_LAST_ACCESS_H

#include "device/sim/engine/event.h"
#include "device/sim/object.h"

/* Finds the thread that was the last to access this byte of device memory in the launch that is over, as far as that is
 * known. False where nobody was. */
bool rd_sim_last_access(uintptr_t address, struct rd_sim_actor *actor);

/* Accesses that their records have forgotten: a record tells of the last barrier interval, and of those
 * before whether there was a write, say, but not by whom (see record.h). The last thousands of accesses
 * that went that way are kept aside, for reports. */

/* The record of the bytes at this address is about to forget this access. */
void rd_sim_forgotten_keep(uintptr_t address, const struct rd_sim_actor *who);
/* The last one that was, by a thread of the block in this launch. False where none is known. */
bool rd_sim_forgotten_find(uintptr_t address, uint64_t block, struct rd_sim_actor *who);

/* Tells whether so many bytes from there on are device memory. */
bool rd_sim_is_memory(const void *start, size_t size_bytes);

/* Finds the first element, from byte `at` of the array on, whose first four bytes a thread of the block has written with no
 * barrier behind that which the running thread has come past; *thread is the last that did. Returns its offset, and one
 * of size_bytes or more where there is none. Of memory that is used byte by byte nothing is known: not written. All
 * of the array is device memory. `one_warp`: the block has no more, so that a barrier of the warp orders it, too. */
size_t rd_sim_find_written(const void *array, size_t at, size_t size_bytes, size_t elem_bytes,
                           bool one_warp, unsigned *thread);

#endif
