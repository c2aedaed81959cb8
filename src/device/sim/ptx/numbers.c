// SPDX-License-Identifier: MIT
/* Floats of all types, as numbers and as bits. */
#include "device/sim/ptx/ptx_internal.h"
#include "element/half_bits.h"
#include "element/type_facts.h"

static int digits_of(struct rd_ptx_type type)
{
    return type.kind == RD_PTX_BF ? DIGITS_bf16 : DIGITS_f16;
}

static int least_exponent_of(struct rd_ptx_type type)
{
    return type.kind == RD_PTX_BF ? LEAST_EXPONENT_bf16 : LEAST_EXPONENT_f16;
}

double rd_ptx_real_of(uint64_t bits, struct rd_ptx_type type)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)bits;
    if (rd_ptx_is_half(type))
        return rd_half_value((uint16_t)bits, digits_of(type), least_exponent_of(type));
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return type.bits == 64 ? wide : (double)narrow;
}

/* The bits of a float of 32, in the current rounding. */
static uint64_t bits_of_float(double x)
{
    volatile double from = x; /* rounded at run time */
    volatile float narrow = (float)from;
    float value = narrow;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A tf32 has 10 digits behind the point of a float of 32 bits. */
uint64_t rd_ptx_tf32(double x, const struct rd_ptx_instruction *i)
{
    uint64_t bits = bits_of_float(x);
    bool is_finite = (bits >> 23 & 255) < 255;
    if (is_finite && rd_ptx_is(i, RD_PTX_RNA))
        bits += 0x1000;
    else if (is_finite && !rd_ptx_is(i, RD_PTX_RZ))
        bits += 0xfff + (bits >> 13 & 1);
    return bits & ~UINT64_C(0x1fff);
}

uint64_t rd_ptx_without_subnormal(uint64_t bits, struct rd_ptx_type type)
{
    uint64_t sign = UINT64_C(1) << (type.bits - 1);
    int digits = rd_ptx_is_half(type) ? digits_of(type) : type.bits == 64 ? 53 : 24;
    return (bits & (sign - 1)) >> (digits - 1) ? bits : bits & sign;
}

uint64_t rd_ptx_canonical_nan(struct rd_ptx_type type)
{
    return type.kind == RD_PTX_TF ? 0x7fffe000 : rd_ptx_mask(type.bits - 1);
}

uint64_t rd_ptx_nearest(double x, struct rd_ptx_type type)
{
    uint64_t bits;
    if (type.is_packed) {
        uint64_t half = rd_half_nearest(x, digits_of(type), least_exponent_of(type));
        return half << 16 | half;
    }
    if (rd_ptx_is_half(type))
        return rd_half_nearest(x, digits_of(type), least_exponent_of(type));
    memcpy(&bits, &x, sizeof bits);
    return type.bits == 64 ? bits : bits_of_float(x);
}
