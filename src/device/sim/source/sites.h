// SPDX-License-Identifier: MIT
/* Numbers for the places in kernels that access memory: 12 bits, so that a record can name one, or
 * a pair. Number 0: unknown, also where there are more places than numbers. */
#ifndef RD_SIM_SITES_H
#define RD_SIM_SITES_H

#include "device/sim/object.h"

#include <stdbool.h>
#include <stdint.h>

uint64_t rd_sim_site_look_up(uintptr_t pc);

/* Returns the cache's entry for a place; entry->pc == pc if the place was looked up lately. */
static inline const struct rd_sim_site_cache *rd_sim_site_cached(uintptr_t pc)
{
    return &rd_sim_here->site_cache[pc % RD_SITE_CACHE];
}

/* A place as records have it: its number, and INIT, which most records have, too. */
static inline uint64_t rd_sim_site_mark(uintptr_t pc)
{
    const struct rd_sim_site_cache *entry = rd_sim_site_cached(pc);
    return entry->pc == pc ? entry->mark : rd_sim_site_look_up(pc);
}

/* The number of the pair (first site of `number`, pc). */
unsigned rd_sim_site_pair(unsigned number, uintptr_t pc);
/* The places of a number, 0 where unknown; `second` is the first where the number is no pair's. */
uintptr_t rd_sim_site_first(unsigned number);
uintptr_t rd_sim_site_second(unsigned number);

/* Counts the numbers given: at most 1 << RD_SITE_BITS. */
unsigned rd_sim_sites_count(void);

/* ---- traits of these places, by their return addresses ---- */

enum rd_sim_trait {
    RD_SIM_IS_VOLATILE = 1, /* it accesses a volatile object */
    RD_SIM_IS_GUESS = 2,    /* it reads what its thread compares by an atomicCAS() then */
};

/* Notes it; more places than there is room for are not noted. */
void rd_sim_trait_note(uintptr_t pc, enum rd_sim_trait trait);
bool rd_sim_trait_has(uintptr_t pc, enum rd_sim_trait trait);

#endif
