// SPDX-License-Identifier: MIT
/* Private memory, the local variables of a thread: seen in a build of its own, whose hooks are those of the
 * kernel's address sanitizer (-fsanitize=kernel-address). Each function's prologue marks the zones
 * around its variables in a shadow, a byte for eight, at a fixed distance; the hooks look there. */
#ifndef RD_SIM_PRIVATE_H
#define RD_SIM_PRIVATE_H

#include "device/sim/engine/context.h"
#include "device/sim/engine/event.h"

/* Address of the shadow of address 0. */
#define RD_SIM_PRIVATE_SHADOW 0x100000000000

/* Gives the stacks of this process a shadow; false if there is no room for it in the address space. */
bool rd_sim_private_begin(void);

/* Bytes that the running thread accesses from pc, where its stack reaches down to `frame`: those of them that are private
 * memory are checked, others are looked at elsewhere. */
void rd_sim_private_range(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc,
                          uintptr_t frame);
/* The running thread compares these bits, of numbers of so many bytes: one that is as variables are filled was
 * hardly set. Narrow ones may well have been. */
void rd_sim_private_compared(uint64_t x, uint64_t y, unsigned size_bytes, uintptr_t pc);

#endif
