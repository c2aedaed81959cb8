// SPDX-License-Identifier: MIT
/* Numbers for the places in kernels that access memory: 12 bits, so that a record can name one, or
 * a pair. Number 0: unknown, also where there are more places than numbers. */
#ifndef RD_SIM_SITES_H
#define RD_SIM_SITES_H

#include "sim/record.h"

struct rd_sim_site_cache {
    uintptr_t pc;
    unsigned number;
};
enum { RD_SITE_CACHE = 1024 };
extern struct rd_sim_site_cache rd_sim_site_cache[RD_SITE_CACHE];

unsigned rd_sim_site_look_up(uintptr_t pc);

static inline unsigned rd_sim_site_number(uintptr_t pc)
{
    const struct rd_sim_site_cache *entry = &rd_sim_site_cache[pc % RD_SITE_CACHE];
    return __builtin_expect(entry->pc == pc, 1) ? entry->number : rd_sim_site_look_up(pc);
}

/* The number of the pair (first site of `number`, pc). */
unsigned rd_sim_site_pair(unsigned number, uintptr_t pc);
/* The places of a number, 0 where unknown; `second` is the first where the number is no pair's. */
uintptr_t rd_sim_site_first(unsigned number);
uintptr_t rd_sim_site_second(unsigned number);

/* Forgets all of them: the code may be unloaded. */
void rd_sim_sites_forget(void);

#endif
