// SPDX-License-Identifier: MIT
/* Numbers that look random, the same ones from the same state: SplitMix64 (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014; the constants are those of Java's SplittableRandom and of Vigna's
 * splitmix64.c). Its state is a counter, so that any number is found without those before it. */
#ifndef RD_BASE_RANDOM_H
#define RD_BASE_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

/* The step of the counter: 2^64 divided by the golden ratio. */
#define RD_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The finalizer: each bit of z changes about half of the result's. */
static inline uint64_t rd_random_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The next number. */
static inline uint64_t rd_random(uint64_t *state)
{
    return rd_random_mix(*state += RD_RANDOM_STEP);
}

/* So many odd numbers, of which a product isn't 0; the caller frees them. NULL where there is no memory. */
static inline uint64_t *rd_random_odd_numbers(size_t count, uint64_t state)
{
    uint64_t *numbers = malloc((count + 1) * sizeof *numbers);
    for (size_t k = 0; numbers && k < count; k++)
        numbers[k] = rd_random(&state) | 1;
    return numbers;
}

/* Number j, from 0, of those that begin with this state. */
static inline uint64_t rd_random_at(uint64_t state, uint64_t j)
{
    return rd_random_mix(state + (j + 1) * RD_RANDOM_STEP);
}

#endif
