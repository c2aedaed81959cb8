// SPDX-License-Identifier: MIT
/* Numbers that look random, the same ones from the same state: SplitMix64 (Steele, Lea and Flood, 2014). */
#ifndef RD_SIM_RANDOM_H
#define RD_SIM_RANDOM_H

#include <stdint.h>

static inline uint64_t rd_sim_random_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The next number. */
static inline uint64_t rd_sim_random(uint64_t *state)
{
    return rd_sim_random_mix(*state += 0x9e3779b97f4a7c15u);
}

#endif
