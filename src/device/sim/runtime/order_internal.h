// SPDX-License-Identifier: MIT
/* Between order.c and launch_accesses.c. */
#ifndef RD_SIM_RUNTIME_ORDER_INTERNAL_H
#define RD_SIM_RUNTIME_ORDER_INTERNAL_H

#include "device/sim/runtime/order.h"

/* The step accesses these bytes, as a launch or as a copy; of_device: by atomics of the device's scope. Tells of the first access that
 * races with it, and returns whether there is one. */
bool rd_sim_order_accesses(const struct rd_sim_step *step, uintptr_t address, size_t size_bytes,
                           enum rd_sim_op op, bool of_launch, bool of_device);
/* Tells whether host code can access what lies there. */
bool rd_sim_order_is_of_host(uintptr_t address);
/* Tells whether it is in the program's variables, and several devices have accessed these: each has its own, which are one here, as
 * is then said. */
bool rd_sim_order_is_of_several(uintptr_t address);
/* Races between streams can't all be looked for: true where that is to be said, once. */
bool rd_sim_order_lacks(void);

#endif
