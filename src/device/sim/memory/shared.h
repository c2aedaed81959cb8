// SPDX-License-Identifier: MIT
/* The shared memory of the kernels that are linked in, or of a client's. */
#ifndef RD_SIM_SHARED_H
#define RD_SIM_SHARED_H

#include "reductio/status.h"

#include <stddef.h>
#include <stdint.h>

/* The section of shared variables of one program or library. */
struct rd_sim_shared {
    uintptr_t start, end;
    uintptr_t dynamic; /* in it, RD_SIM_DYNAMIC_MAX bytes */
};

/* That of the kernels that are linked in. */
struct rd_sim_shared rd_sim_shared_ours(void);
/* Finds the variables of that section, which are shared memory from now on. RD_ERROR_MEMORY. */
enum rd_status rd_sim_shared_use(const struct rd_sim_shared *shared, struct rd_error *error);

/* The same of those that are linked in. */
enum rd_status rd_sim_shared_init(struct rd_error *error);

/* The place and the most of dynamic shared memory; in intrinsics.c. */
void *rd_sim_dynamic_shared(void);
size_t rd_sim_dynamic_shared_max(void);

/* A variable's name without what the compiler has put behind it: "cache.0" is "cache". */
void rd_sim_plain_name(char *plain, size_t size, const char *name);

#endif
