// SPDX-License-Identifier: MIT
/* Global memory before a launch, to run that once more. */
#ifndef RD_SIM_RUNTIME_SNAPSHOT_H
#define RD_SIM_RUNTIME_SNAPSHOT_H

#include "device/sim/runtime/held_output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rd_sim_snapshot {
    struct rd_sim_saved {
        uintptr_t base;
        size_t size_bytes;
        uint64_t *shadow;
        unsigned char *bytes;
        unsigned char *set; /* which bytes of each four are initialised, a bit each; NULL: all */
    } * regions;
    size_t n, capacity;
    struct rd_sim_held_output held; /* what the launch prints */
};

/* Saves it, and holds back what is printed. False where there is no memory. */
bool rd_sim_snapshot_take(struct rd_sim_snapshot *snapshot);
/* As it was; what has been printed since then is forgotten. */
void rd_sim_snapshot_restore(struct rd_sim_snapshot *snapshot);
/* Passes on what was held back. */
void rd_sim_snapshot_drop(struct rd_sim_snapshot *snapshot);

#endif
