// SPDX-License-Identifier: MIT
/* Solves comparisons for a bound variable: the values that they leave. Private to src/law. */
#ifndef RD_LAW_SOLVE_H
#define RD_LAW_SOLVE_H

#include <stdint.h>

/* v with least <= v <= most and (v - residue) mod modulus < window; modulus 0: any. */
struct candidates {
    int64_t least, most;
    int64_t residue, modulus, window;
};

/* The values that a side must have: an interval or, with a modulus, a window of remainders. */
struct target {
    int64_t least, most;
    int64_t residue, modulus, window;
};

static inline int64_t floor_quotient(int64_t x, int64_t y)
{
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static inline int64_t ceil_quotient(int64_t x, int64_t y)
{
    return x / y + (x % y != 0 && (x < 0) == (y < 0));
}

static inline int64_t floor_remainder(int64_t x, int64_t y)
{
    const int64_t remainder = x % y;
    return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}

#endif
