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

/* A write is told before it takes place: what it writes shows only afterwards. Settles what waits for that, as two
 * writes that race. `done`: the write has taken place; else it may have. */
bool rd_sim_settle_now(bool done);
static inline void rd_sim_settle(void)
{
    if (rd_sim_here->core.is_waiting)
        rd_sim_settle_now(true);
}
/* At the running thread's next access. False where its last write may not have taken place: of a struct that is
 * copied, compilers tell the write before the read. The next access settles it, and the thread has to go on to there. */
static inline bool rd_sim_settle_before(enum rd_sim_op op)
{
    return !rd_sim_here->core.is_waiting || rd_sim_settle_now(op != RD_SIM_READ);
}

#endif
