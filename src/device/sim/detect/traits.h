// SPDX-License-Identifier: MIT
/* Traits of the places in kernels that access memory, by their return addresses. */
#ifndef RD_SIM_TRAITS_H
#define RD_SIM_TRAITS_H

#include <stdbool.h>
#include <stdint.h>

enum rd_sim_trait {
    RD_SIM_IS_VOLATILE = 1, /* it accesses a volatile object */
    RD_SIM_IS_GUESS = 2,    /* it reads what its thread compares by an atomicCAS() then */
};

/* Notes it; more places than there is room for are not noted. */
void rd_sim_trait_note(uintptr_t pc, enum rd_sim_trait trait);
bool rd_sim_trait_has(uintptr_t pc, enum rd_sim_trait trait);

#endif
