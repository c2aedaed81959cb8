// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/engine/warps.h"

#include <string.h>

enum { WARPS = RD_SIM_BLOCK_MAX / RD_SIM_WARP };

struct rd_sim_warps_state {
    unsigned met[WARPS]; /* the epoch since a warp's last meeting; 0: it has not met */
    bool any_met;
};

void rd_sim_warps_interval(void)
{
    struct rd_sim_warps_state *own = rd_sim_here->warps;
    if (own->any_met)
        memset(own->met, 0, sizeof own->met);
    own->any_met = false;
}

void rd_sim_warps_meet(unsigned warp, unsigned epoch)
{
    struct rd_sim_warps_state *own = rd_sim_here->warps;
    own->any_met = true;
    own->met[warp] = epoch;
}

bool rd_sim_warp_ordered(unsigned epoch, unsigned thread)
{
    return epoch < rd_sim_here->warps->met[thread / RD_SIM_WARP];
}

void rd_sim_warps_visit(void (*visit)(unsigned *epoch))
{
    struct rd_sim_warps_state *own = rd_sim_here->warps;
    for (unsigned warp = 0; warp < WARPS && own->any_met; warp++)
        visit(&own->met[warp]);
}

const struct rd_sim_part rd_sim_part_warps = {
    .size_bytes = sizeof(struct rd_sim_warps_state),
    .at = offsetof(struct rd_sim, warps),
};
