// SPDX-License-Identifier: MIT
#include "device/sim/report/sites.h"

#include <string.h>

enum { N_SITES = 1 << RD_SITE_BITS, N_SLOTS = 2 * N_SITES };

struct rd_sim_site_cache rd_sim_site_cache[RD_SITE_CACHE];

static struct site {
    uintptr_t first, second;
} sites[N_SITES];
static unsigned n_sites = 1;
static uint16_t slots[N_SLOTS]; /* a hash table of numbers; 0: free */

static unsigned number_of(uintptr_t first, uintptr_t second)
{
    uint64_t hash = (first * 0x9e3779b97f4a7c15u) ^ (second * 0xc2b2ae3d27d4eb4fu);
    unsigned slot = (unsigned)(hash >> 40) % N_SLOTS;
    for (; slots[slot]; slot = (slot + 1) % N_SLOTS)
        if (sites[slots[slot]].first == first && sites[slots[slot]].second == second)
            return slots[slot];
    if (n_sites == N_SITES)
        return 0;
    sites[n_sites] = (struct site){first, second};
    slots[slot] = (uint16_t)n_sites;
    return n_sites++;
}

uint64_t rd_sim_site_look_up(uintptr_t pc)
{
    uint64_t mark = (uint64_t)number_of(pc, pc) << RD_SITE_SHIFT | RD_INIT;
    rd_sim_site_cache[pc % RD_SITE_CACHE] = (struct rd_sim_site_cache){pc, mark};
    return mark;
}

unsigned rd_sim_site_pair(unsigned number, uintptr_t pc)
{
    return number_of(sites[number].first, pc);
}

uintptr_t rd_sim_site_first(unsigned number)
{
    return sites[number].first;
}

uintptr_t rd_sim_site_second(unsigned number)
{
    return sites[number].second;
}

unsigned rd_sim_sites_count(void)
{
    return n_sites;
}
