// SPDX-License-Identifier: MIT
/* Makes the simulator's object of all its parts, and frees it. */
#ifndef RD_SIM_CREATE_H
#define RD_SIM_CREATE_H

#include "device/sim/object.h"
#include "reductio/status.h"

/* A simulator whose device memory is empty; it becomes that of the calling thread. NULL without memory. */
struct rd_sim *rd_sim_create(struct rd_error *error);
/* The thread that has it may have none then. NULL is fine. */
void rd_sim_destroy(struct rd_sim *sim);

#endif
