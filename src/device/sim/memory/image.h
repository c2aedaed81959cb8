// SPDX-License-Identifier: MIT
/* The file that this code was loaded from: a program, or a shared library. */
#ifndef RD_SIM_IMAGE_H
#define RD_SIM_IMAGE_H

#include <stdint.h>

struct rd_sim_image {
    uintptr_t start, end; /* where it lies */
    const char *path;     /* as long as it is loaded */
};

/* The same at each call. */
const struct rd_sim_image *rd_sim_image(void);

#endif
