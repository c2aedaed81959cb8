// SPDX-License-Identifier: MIT
#include "device/sim/engine/core.h"
#include "device/sim/engine/detector.h"

#include <string.h>

_Thread_local struct rd_sim *rd_sim_here;

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
