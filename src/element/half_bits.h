// SPDX-License-Identifier: MIT
/* The bits of floats of 16 bits, from numbers and back. A double has more than 2p + 2 digits for the p of either format,
 * so that a sum, a difference or a product which is made in double and then rounded to p digits is rounded as if once
 * (Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30, 1995); products are exact there. */
#ifndef RD_ELEMENT_HALF_BITS_H
#define RD_ELEMENT_HALF_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A format has p binary digits, the hidden one included, and 2^least_exponent as the least normal number. */

/* The number nearest to x, ties to even; a NaN is the quiet one without a payload, of x's sign. */
static inline uint16_t rd_half_nearest(double x, int digits, int least_exponent)
{
    const uint64_t one = 1, infinity = 0x8000 - (one << (digits - 1));
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t sign = bits >> 63 << 15, magnitude = bits & ~(one << 63);
    if (magnitude > UINT64_C(0x7ff) << 52)
        return (uint16_t)(sign | infinity | one << (digits - 2));
    const int exponent = (int)(magnitude >> 52) - 1023;
    const int below = exponent < least_exponent ? least_exponent - exponent : 0;
    const int dropped = 53 - digits + below;
    if (dropped > 54) /* less than half of the smallest number, or 0 */
        return (uint16_t)sign;
    const uint64_t significand = (magnitude & ((one << 52) - 1)) | one << 52;
    const uint64_t rest = significand & ((one << dropped) - 1), half = one << (dropped - 1);
    uint64_t result = significand >> dropped;
    result += rest > half || (rest == half && result & 1);
    /* The hidden digit counts as one exponent, and so does what rounding carries into it. */
    if (below == 0)
        result += (uint64_t)(exponent - least_exponent) << (digits - 1);
    return (uint16_t)(sign | (result < infinity ? result : infinity));
}

/* The number that the bits stand for. */
static inline double rd_half_value(uint16_t bits, int digits, int least_exponent)
{
    const uint64_t magnitude = bits & 0x7fff,
                   infinity = UINT64_C(0x8000) - (UINT64_C(1) << (digits - 1));
    uint64_t wide = magnitude << (53 - digits);
    double value;
    if (magnitude >= infinity) {
        wide |= UINT64_C(0x7ff) << 52;
        wide |= (uint64_t)(bits >> 15) << 63;
        memcpy(&value, &wide, sizeof value);
        return value;
    }
    /* The same digits with an exponent that counts from elsewhere; a subnormal number becomes a normal one. */
    const uint64_t unit_bits = (uint64_t)(1023 + 1022 + least_exponent) << 52;
    double unit;
    memcpy(&value, &wide, sizeof value);
    memcpy(&unit, &unit_bits, sizeof unit);
    value *= unit;
    return bits >> 15 ? -value : value;
}

/* A double between which and x no number of 16 bits lies, nor the middle of two, unless x is one itself: rounded to an
 * odd last digit where it isn't exact. */
static inline double rd_half_odd(long double x)
{
    double near = (double)x;
    uint64_t bits;
    const long double miss = x < 0 ? near - x : x - near; /* of magnitudes */
    memcpy(&bits, &near, sizeof bits);
    if (miss == 0 || miss != miss || bits & 1)
        return near;
    bits += miss > 0 ? 1 : UINT64_MAX;
    memcpy(&near, &bits, sizeof near);
    return near;
}

/* The same of a sum of two doubles, however far their exponents lie apart; to nearest (Knuth's exact sum). */
static inline double rd_half_odd_sum(double x, double y)
{
    volatile double sum = x + y, part = sum - x, rest = sum - part;
    double near = sum;
    const double miss = (x - rest) + (y - part);
    uint64_t bits;
    memcpy(&bits, &near, sizeof bits);
    if (miss == 0 || miss != miss || bits & 1)
        return near;
    bits += (miss > 0) == (near > 0) ? 1 : UINT64_MAX;
    memcpy(&near, &bits, sizeof near);
    return near;
}

#endif
