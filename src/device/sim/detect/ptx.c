// SPDX-License-Identifier: MIT
#include "device/sim/detect/ptx.h"

#include <math.h>
#include <string.h>

struct rd_sim_number rd_sim_number_of(char letter, unsigned bits, uint64_t value)
{
    unsigned above = bits < 64 ? 64 - bits : 0;
    value <<= above;
    value = letter == 'i' ? (uint64_t)((int64_t)value >> above) : value >> above;
    return (struct rd_sim_number){letter, bits, value};
}

double rd_sim_number_real(struct rd_sim_number number)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)number.value;
    memcpy(&wide, &number.value, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return number.bits == 32 ? (double)narrow : wide;
}

struct rd_sim_number rd_sim_ptx_shift(struct rd_sim_number value, uint64_t amount, bool to_the_left)
{
    uint32_t by = (uint32_t)amount;
    uint64_t result;
    if (to_the_left)
        result = by < value.bits ? value.value << by : 0;
    else if (value.letter == 'i')
        result = (uint64_t)((int64_t)value.value >> (by < value.bits ? by : 63));
    else
        result = by < value.bits ? value.value >> by : 0;
    return rd_sim_number_of(value.letter, value.bits, result);
}

/* The nearest integer of a type of 32 or 64 bits. */
static uint64_t clamp(double x, char letter, unsigned bits)
{
    double end = ldexp(1, (int)bits - (letter == 'i'));
    if (x >= end)
        return letter == 'i' ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    if (letter == 'i')
        return x < -end ? (uint64_t)1 << (bits - 1) : (uint64_t)(int64_t)x;
    return x > 0 ? (uint64_t)x : 0;
}

struct rd_sim_number rd_sim_ptx_convert(struct rd_sim_number from, struct rd_sim_number to)
{
    unsigned bits = to.bits <= 32 ? 32 : 64;
    double x = rd_sim_number_real(from);
    uint64_t result;
    if (x != x)
        result = from.bits == 32 && bits == 32 ? 0 : (uint64_t)1 << (bits - 1);
    else
        result = clamp(x, to.letter, bits);
    return rd_sim_number_of(to.letter, to.bits, result);
}

void rd_sim_ptx_divide(struct rd_sim_number left, struct rd_sim_number right,
                       struct rd_sim_number *quotient, struct rd_sim_number *remainder)
{
    uint64_t ones = left.bits == 64 && left.value <= UINT32_MAX ? UINT32_MAX : UINT64_MAX;
    bool by_zero = right.value == 0;
    *quotient = rd_sim_number_of(left.letter, left.bits, by_zero ? ones : left.value);
    *remainder = rd_sim_number_of(left.letter, left.bits, by_zero ? ones : 0);
}
