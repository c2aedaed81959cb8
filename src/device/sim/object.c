// SPDX-License-Identifier: MIT
#include "device/sim/engine/core.h"
#include "device/sim/engine/detector.h"

#include <string.h>

_Thread_local struct rd_sim *rd_sim_here;

void rd_sim_settle_now(void)
{
    RD_SIM_TELL(settle);
}

void rd_sim_outdated_add(struct rd_sim_outdated *first, const struct rd_sim_outdated *other)
{
    int before = !other->name ? 1 : first->name ? strcmp(other->file, first->file) : -1;
    if (before < 0 || (before == 0 && other->line < first->line))
        *first = *other;
}
