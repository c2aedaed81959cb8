// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/engine/detector.h"

#include <string.h>

_Thread_local struct rd_sim *rd_sim_here;

struct rd_sim_actor rd_sim_actor_self(enum rd_sim_op op, uintptr_t pc)
{
    return (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = rd_sim_here->core.thread,
        .block = rd_sim_here->core.block,
        .op = op,
        .site.pc = pc,
    };
}

struct rd_sim_actor rd_sim_actor_at(const char *file, unsigned line)
{
    struct rd_sim_actor actor = rd_sim_actor_self(RD_SIM_READ, 0);
    actor.site = (struct rd_sim_site){.file = file, .line = line};
    return actor;
}

bool rd_sim_settle_now(bool done)
{
    bool all = true;
    RD_SIM_EACH_DETECTOR
    if (detector->settle && !detector->settle(done))
        all = false;
    rd_sim_here->core.is_waiting = !all;
    return all;
}

void rd_sim_outdated_add(struct rd_sim_outdated *first, const struct rd_sim_outdated *other)
{
    int before = !other->name ? 1 : first->name ? strcmp(other->file, first->file) : -1;
    if (before < 0 || (before == 0 && other->line < first->line))
        *first = *other;
}
