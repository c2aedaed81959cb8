// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/forgotten.h"

enum { KEPT = 1 << 12 };

struct rd_sim_forgotten_state {
    /* First and last address of the launch, of those that share a place. */
    struct {
        uintptr_t address;
        uint64_t launch_floor;
        struct rd_sim_actor who;
    } kept[2][KEPT];
};

/* Records are of granules of four bytes, or of single ones. */
static size_t place_of(uintptr_t address)
{
    return (address / 4 ^ address % 4 << 10) % KEPT;
}

void rd_sim_forgotten_keep(uintptr_t address, const struct rd_sim_actor *who)
{
    struct rd_sim_forgotten_state *own = rd_sim_here->forgotten;
    size_t k = place_of(address);
    bool taken =
        own->kept[0][k].launch_floor == rd_sim_here->core.launch_floor && own->kept[0][k].address;
    unsigned way = taken && own->kept[0][k].address != address;
    own->kept[way][k].address = address;
    own->kept[way][k].launch_floor = rd_sim_here->core.launch_floor;
    own->kept[way][k].who = *who;
}

bool rd_sim_forgotten_find(uintptr_t address, uint64_t block, struct rd_sim_actor *who)
{
    struct rd_sim_forgotten_state *own = rd_sim_here->forgotten;
    size_t k = place_of(address);
    for (unsigned way = 0; way < 2; way++)
        if (own->kept[way][k].address == address && own->kept[way][k].who.block == block &&
            own->kept[way][k].launch_floor == rd_sim_here->core.launch_floor) {
            *who = own->kept[way][k].who;
            return true;
        }
    return false;
}

const struct rd_sim_part rd_sim_part_forgotten = {
    .size_bytes = sizeof(struct rd_sim_forgotten_state),
    .at = offsetof(struct rd_sim, forgotten),
};
