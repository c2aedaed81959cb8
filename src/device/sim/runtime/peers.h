// SPDX-License-Identifier: MIT
/* Memory of one device that kernels of another access. Private to this folder. */
#ifndef RD_SIM_RUNTIME_PEERS_H
#define RD_SIM_RUNTIME_PEERS_H

#include "device/sim/runtime/runtime_internal.h"

/* Tells whether there is memory of devices that the launch's device may not access. */
bool rd_sim_peers_are_strange(const struct rd_sim_launch *launch);
/* The launch is over; `floor` is that of its records: tells what it has accessed of that, and has the context lost. */
void rd_sim_peers_look(const struct rd_sim_launch *launch, uint64_t floor);

#endif
