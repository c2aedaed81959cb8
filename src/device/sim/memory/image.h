// SPDX-License-Identifier: MIT
/* The files that code was loaded from: a program, or a shared library. */
#ifndef RD_SIM_IMAGE_H
#define RD_SIM_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct rd_sim_image {
    uintptr_t start, end; /* where it lies */
    uintptr_t bias;       /* an address less its symbol's value */
    const char *path;     /* as long as it is loaded */
};

/* That of the simulator, the same at each call; that in which an address lies, false where it is in none. */
const struct rd_sim_image *rd_sim_image(void);
bool rd_sim_image_at(uintptr_t address, struct rd_sim_image *image);

#endif
