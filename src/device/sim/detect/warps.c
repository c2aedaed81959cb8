// SPDX-License-Identifier: MIT
#include "device/sim/detect/warps.h"
#include "device/sim/engine/epochs.h"

#include <string.h>

enum { WARPS = RD_SIM_BLOCK_MAX / RD_SIM_WARP };

static unsigned met[WARPS]; /* the epoch since a warp's last meeting; 0: it has not met */
static bool any_met;

void rd_sim_warps_interval(void)
{
    if (any_met)
        memset(met, 0, sizeof met);
    any_met = false;
}

unsigned rd_sim_warps_meet(unsigned warp)
{
    any_met = true;
    return met[warp] = rd_sim_epoch_next();
}

bool rd_sim_warp_ordered(unsigned epoch, unsigned thread)
{
    return epoch < met[thread / RD_SIM_WARP];
}

void rd_sim_warps_visit(void (*visit)(unsigned *epoch))
{
    for (unsigned warp = 0; warp < WARPS && any_met; warp++)
        visit(&met[warp]);
}
