// SPDX-License-Identifier: MIT
#include "sim/forgotten.h"

enum { KEPT = 1 << 12 };

static struct {
    uintptr_t address;
    uint64_t launch_floor;
    struct rd_sim_actor who;
} kept[KEPT];

/* Records are of granules of four bytes, or of single ones. */
static size_t place_of(uintptr_t address)
{
    return (address / 4 ^ address % 4 << 10) % KEPT;
}

void rd_sim_forgotten_keep(uintptr_t address, const struct rd_sim_actor *who)
{
    kept[place_of(address)].address = address;
    kept[place_of(address)].launch_floor = rd_sim_core.launch_floor;
    kept[place_of(address)].who = *who;
}

bool rd_sim_forgotten_find(uintptr_t address, uint64_t block, struct rd_sim_actor *who)
{
    size_t k = place_of(address);
    const struct rd_sim_actor *known = &kept[k].who;
    if (kept[k].address != address || known->block != block ||
        kept[k].launch_floor != rd_sim_core.launch_floor)
        return false;
    *who = *known;
    return true;
}
