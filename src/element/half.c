// SPDX-License-Identifier: MIT
/* Arithmetic of 16-bit floats for kernels in the simulator. */
#pragma GCC visibility push(default) /* to kernels of clients, too */
#include "half.h"
#pragma GCC visibility pop
#include "element/half_bits.h"
#include "element/type_facts.h"

#include <math.h>

/* Min and max prefer a number to a NaN, and -0 is less than 0: see operation.h of the kernels. */
static bool is_less(double x, double y)
{
    return x < y || (x == y && signbit(x) && !signbit(y));
}

#define HALF(name)                                                                                 \
    static double value_##name(rd_##name x)                                                        \
    {                                                                                              \
        return rd_half_value(x.bits, DIGITS_##name, LEAST_EXPONENT_##name);                        \
    }                                                                                              \
    static rd_##name nearest_##name(double x)                                                      \
    {                                                                                              \
        return (rd_##name){rd_half_nearest(x, DIGITS_##name, LEAST_EXPONENT_##name)};              \
    }                                                                                              \
    rd_##name rd_##name##_of(float x)                                                              \
    {                                                                                              \
        return nearest_##name(x);                                                                  \
    }                                                                                              \
    rd_##name rd_##name##_sum(rd_##name x, rd_##name y)                                            \
    {                                                                                              \
        return nearest_##name(value_##name(x) + value_##name(y));                                  \
    }                                                                                              \
    rd_##name rd_##name##_difference(rd_##name x, rd_##name y)                                     \
    {                                                                                              \
        return nearest_##name(value_##name(x) - value_##name(y));                                  \
    }                                                                                              \
    rd_##name rd_##name##_product(rd_##name x, rd_##name y)                                        \
    {                                                                                              \
        return nearest_##name(value_##name(x) * value_##name(y));                                  \
    }                                                                                              \
    rd_##name rd_##name##_least(rd_##name x, rd_##name y)                                          \
    {                                                                                              \
        const double of_x = value_##name(x), of_y = value_##name(y);                               \
        return isnan(of_x) || is_less(of_y, of_x) ? y : x;                                         \
    }                                                                                              \
    rd_##name rd_##name##_most(rd_##name x, rd_##name y)                                           \
    {                                                                                              \
        const double of_x = value_##name(x), of_y = value_##name(y);                               \
        return isnan(of_x) || is_less(of_x, of_y) ? y : x;                                         \
    }
#define HALF_OF_ROW(name, NAME, elem, kind) HALF(name)
RD_HALF_TYPES(HALF_OF_ROW)
