// SPDX-License-Identifier: MIT
/* The shared memory of the kernels that are linked in. */
#ifndef RD_SIM_SHARED_H
#define RD_SIM_SHARED_H

#include "reductio/status.h"

#include <stddef.h>

/* Finds the shared variables of this program. */
enum rd_status rd_sim_shared_init(struct rd_error *error);

/* The place and the most of dynamic shared memory; in intrinsics.c. */
void *rd_sim_dynamic_shared(void);
size_t rd_sim_dynamic_shared_max(void);

/* A variable's name without what the compiler has put behind it: "cache.0" is "cache". */
void rd_sim_plain_name(char *plain, size_t size, const char *name);

#endif
