// SPDX-License-Identifier: MIT
#ifndef RD_BASE_POWERS_OF_TWO_H
#define RD_BASE_POWERS_OF_TWO_H

#include <stdbool.h>
#include <stddef.h>

/* Tells whether n is 1, 2, 4, 8, … */
static inline bool rd_is_power_of_two(size_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* The least power of two >= n; n >= 1. */
static inline size_t rd_power_of_two_from(size_t n)
{
    size_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

#endif
