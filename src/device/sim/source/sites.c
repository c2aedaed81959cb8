// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/source/sites.h"

#include <string.h>

enum { N_SITES = 1 << RD_SITE_BITS, N_SLOTS = 2 * N_SITES };

struct rd_sim_sites_state {
    struct site {
        uintptr_t first, second;
    } sites[N_SITES];
    unsigned n_sites;
    uint16_t slots[N_SLOTS]; /* a hash table of numbers; 0: free */
};

static unsigned number_of(uintptr_t first, uintptr_t second)
{
    struct rd_sim_sites_state *own = rd_sim_here->sites;
    uint64_t hash = (first * 0x9e3779b97f4a7c15u) ^ (second * 0xc2b2ae3d27d4eb4fu);
    unsigned slot = (unsigned)(hash >> 40) % N_SLOTS;
    for (; own->slots[slot]; slot = (slot + 1) % N_SLOTS)
        if (own->sites[own->slots[slot]].first == first &&
            own->sites[own->slots[slot]].second == second)
            return own->slots[slot];
    if (own->n_sites == N_SITES)
        return 0;
    own->sites[own->n_sites] = (struct site){first, second};
    own->slots[slot] = (uint16_t)own->n_sites;
    return own->n_sites++;
}

uint64_t rd_sim_site_look_up(uintptr_t pc)
{
    uint64_t mark = (uint64_t)number_of(pc, pc) << RD_SITE_SHIFT | RD_INIT;
    rd_sim_here->site_cache[pc % RD_SITE_CACHE] = (struct rd_sim_site_cache){pc, mark};
    return mark;
}

unsigned rd_sim_site_pair(unsigned number, uintptr_t pc)
{
    return number_of(rd_sim_here->sites->sites[number].first, pc);
}

uintptr_t rd_sim_site_first(unsigned number)
{
    return rd_sim_here->sites->sites[number].first;
}

uintptr_t rd_sim_site_second(unsigned number)
{
    return rd_sim_here->sites->sites[number].second;
}

unsigned rd_sim_sites_count(void)
{
    return rd_sim_here->sites->n_sites;
}

static void sites_begin(void)
{
    rd_sim_here->sites->n_sites = 1;
}

const struct rd_sim_part rd_sim_part_sites = {
    .size_bytes = sizeof(struct rd_sim_sites_state),
    .at = offsetof(struct rd_sim, sites),
    .begin = sites_begin,
};

/* ---- traits ---- */

enum { N_PLACES = 1 << 12 };

struct rd_sim_traits_state {
    struct {
        uintptr_t pc; /* 0: free */
        unsigned traits;
    } places[N_PLACES];
};

/* Returns the entry of the place, or a free one; N_PLACES: there is no room. */
static unsigned find(uintptr_t pc)
{
    struct rd_sim_traits_state *own = rd_sim_here->traits;
    unsigned first = (unsigned)(pc * 0x9e3779b97f4a7c15u >> 52);
    for (unsigned k = 0; k < N_PLACES; k++) {
        unsigned slot = (first + k) % N_PLACES;
        if (own->places[slot].pc == pc || own->places[slot].pc == 0)
            return slot;
    }
    return N_PLACES;
}

void rd_sim_trait_note(uintptr_t pc, enum rd_sim_trait trait)
{
    struct rd_sim_traits_state *own = rd_sim_here->traits;
    unsigned slot = pc ? find(pc) : N_PLACES;
    if (slot == N_PLACES)
        return;
    own->places[slot].pc = pc;
    own->places[slot].traits |= trait;
}

bool rd_sim_trait_has(uintptr_t pc, enum rd_sim_trait trait)
{
    struct rd_sim_traits_state *own = rd_sim_here->traits;
    unsigned slot = pc ? find(pc) : N_PLACES;
    return slot != N_PLACES && own->places[slot].pc == pc && (own->places[slot].traits & trait);
}

const struct rd_sim_part rd_sim_part_traits = {
    .size_bytes = sizeof(struct rd_sim_traits_state),
    .at = offsetof(struct rd_sim, traits),
};
