// SPDX-License-Identifier: MIT
/* Functions on the launch and the thread that run, for all parts of the simulator. Private. */
#ifndef RD_SIM_CORE_H
#define RD_SIM_CORE_H

#include "device/sim/object.h"

/* `first` becomes the other one, where that stands in front of it: so that it is the same whoever comes first. */
void rd_sim_outdated_add(struct rd_sim_outdated *first, const struct rd_sim_outdated *other);

/* The thread that runs, as an actor. */
struct rd_sim_actor rd_sim_actor_self(enum rd_sim_op op, uintptr_t pc);
struct rd_sim_actor rd_sim_actor_at(const char *file, unsigned line);

/* Tells whoever wants to know of each access. */
static inline void rd_sim_tell_access(uintptr_t address, size_t size_bytes, enum rd_sim_op op,
                                      uintptr_t pc)
{
    if (rd_sim_here->core.on_access)
        rd_sim_here->core.on_access(address, size_bytes, op, pc);
}

/* Two writes that race: whether they write the same value shows only after the second. Settles the
 * event that waits for that. */
void rd_sim_settle_now(void);
static inline void rd_sim_settle(void)
{
    if (rd_sim_here->core.is_waiting)
        rd_sim_settle_now();
}

#endif
