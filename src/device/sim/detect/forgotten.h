// SPDX-License-Identifier: MIT
/* Who made an access that its record has forgotten: a record tells of the last barrier interval, and of those
 * before whether there was a write, say, but not by whom (see record.h). The last thousands of accesses
 * that went that way are kept aside, for reports. */
#ifndef RD_SIM_FORGOTTEN_H
#define RD_SIM_FORGOTTEN_H

#include "device/sim/engine/core.h"

/* The record of the bytes at this address is about to forget this access. */
void rd_sim_forgotten_keep(uintptr_t address, const struct rd_sim_actor *who);
/* The last one that was, by a thread of the block in this launch. False where none is known. */
bool rd_sim_forgotten_find(uintptr_t address, uint64_t block, struct rd_sim_actor *who);

#endif
