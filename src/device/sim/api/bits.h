// SPDX-License-Identifier: MIT
/* The bits of floats. */
#ifndef RD_SIM_BITS_H
#define RD_SIM_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t rd_sim_bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

static inline uint64_t rd_sim_bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

#endif
