// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/traits.h"

enum { N_PLACES = 1 << 12 };

struct rd_sim_traits_state {
    struct {
        uintptr_t pc; /* 0: free */
        unsigned traits;
    } places[N_PLACES];
};

/* Where the place is, or is to be; N_PLACES where there is no room. */
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
