// SPDX-License-Identifier: MIT
#ifndef RD_SIM_LAST_ACCESS_H
#define RD_SIM_LAST_ACCESS_H

#include "device/sim/engine/event.h"

/* Who was the last to access this byte of device memory in the launch that is over, as far as that is
 * known. False where nobody was. */
bool rd_sim_last_access(uintptr_t address, struct rd_sim_actor *actor);

#endif
