// SPDX-License-Identifier: MIT
/* Instructions on floats. Those that PTX calls approximate are exact here, to the last digit but one. */
#include "device/sim/ptx/ptx_internal.h"
#include "element/half_bits.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

/* ---- rounding ---- */

static int rounding_of(const struct rd_ptx_instruction *i)
{
    return rd_ptx_is(i, RD_PTX_RZ)   ? FE_TOWARDZERO
           : rd_ptx_is(i, RD_PTX_RM) ? FE_DOWNWARD
           : rd_ptx_is(i, RD_PTX_RP) ? FE_UPWARD
                                     : FE_TONEAREST;
}

static bool goes_beyond(double rounded, double x, int rounding)
{
    return (rounding == FE_TOWARDZERO && fabs(rounded) > fabs(x)) ||
           (rounding == FE_DOWNWARD && rounded > x) || (rounding == FE_UPWARD && rounded < x);
}

/* The next number of 16 bits towards the side that is rounded to. */
static uint16_t step(uint16_t bits, int rounding)
{
    bool negative = bits >> 15;
    if (rounding == FE_TOWARDZERO || (rounding == FE_DOWNWARD && !negative) ||
        (rounding == FE_UPWARD && negative))
        return (bits & 0x7fff) ? (uint16_t)(bits - 1)
                               : (uint16_t)(rounding == FE_DOWNWARD ? 0x8001 : 1);
    return (uint16_t)(bits + 1);
}

static uint64_t rounded(double x, struct rd_ptx_type type, int rounding)
{
    if (!rd_ptx_is_half(type) || isnan(x)) {
        fesetround(rounding);
        uint64_t bits = rd_ptx_nearest(x, type);
        fesetround(FE_TONEAREST);
        return bits;
    }
    struct rd_ptx_type one = {type.kind, 16, false};
    uint16_t half = (uint16_t)rd_ptx_nearest(x, one);
    if (rounding != FE_TONEAREST && goes_beyond(rd_ptx_real_of(half, one), x, rounding))
        half = step(half, rounding);
    return half;
}

/* ---- operations ---- */

static double saturated(double x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

/* The type of each of a pair; of others itself. */
static struct rd_ptx_type single(struct rd_ptx_type type)
{
    return type.is_packed ? (struct rd_ptx_type){type.kind, 16, false} : type;
}

/* The bits with .ftz: a zero of its sign for a subnormal number. */
static uint64_t flushed(const struct rd_ptx_instruction *i, uint64_t bits, struct rd_ptx_type type)
{
    return rd_ptx_is(i, RD_PTX_FTZ) ? rd_ptx_without_subnormal(bits, type) : bits;
}

/* Bits of part k of a packed operand, 0 or 1; of others all, of part 0. */
static uint64_t part_bits(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i,
                          unsigned number, unsigned k)
{
    struct rd_ptx_type one = single(i->types[0]);
    uint64_t bits = rd_ptx_get(m, number, i->types[0]) >> 16 * k & rd_ptx_mask(one.bits);
    return flushed(i, bits, one);
}

/* What .relu makes of a number that was rounded: of a NaN the canonical one. */
static uint64_t positive(uint64_t bits, struct rd_ptx_type type)
{
    double x = rd_ptx_real_of(bits, type);
    return isnan(x) ? rd_ptx_canonical_nan(type) : x > 0 ? bits : 0;
}

typedef double operation(const double *x, struct rd_ptx_type type);

/* Each operation is made in the rounding that is asked for, and then rounded to the type in it. */
static void apply(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, operation *make)
{
    struct rd_ptx_type type = single(i->types[0]);
    int rounding = rounding_of(i);
    uint64_t bits = 0;
    for (unsigned k = 0; k < (i->types[0].is_packed ? 2u : 1u); k++) {
        volatile double x[3] = {0, 0, 0};
        double copy[3];
        for (unsigned n = 1; n < i->n && n <= 3; n++)
            x[n - 1] = rd_ptx_real_of(part_bits(m, i, n, k), type);
        memcpy(copy, (const double *)x, sizeof copy);
        fesetround(rd_ptx_is_half(type) ? FE_TONEAREST : rounding);
        volatile double result = make(copy, type);
        fesetround(FE_TONEAREST);
        double value = result;
        if (rd_ptx_is(i, RD_PTX_SAT))
            value = saturated(value);
        uint64_t one = rounded(value, type, rounding);
        if (rd_ptx_is(i, RD_PTX_RELU))
            one = positive(one, type);
        bits |= flushed(i, one, type) << 16 * k;
    }
    rd_ptx_put(m, 0, bits);
}

static double add(const double *x, struct rd_ptx_type type)
{
    (void)type;
    return x[0] + x[1];
}
static double subtract(const double *x, struct rd_ptx_type type)
{
    (void)type;
    return x[0] - x[1];
}
static double multiply(const double *x, struct rd_ptx_type type)
{
    (void)type;
    return x[0] * x[1];
}
static double divide(const double *x, struct rd_ptx_type type)
{
    (void)type;
    return x[0] / x[1];
}
/* Rounded once. */
static double multiply_add(const double *x, struct rd_ptx_type type)
{
    if (rd_ptx_is_half(type))
        return rd_half_odd_sum(x[0] * x[1], x[2]);
    return type.bits == 64 ? fma(x[0], x[1], x[2])
                           : (double)fmaf((float)x[0], (float)x[1], (float)x[2]);
}
static double reciprocal(const double *x, struct rd_ptx_type type)
{
    (void)type;
    return 1 / x[0];
}
static double root(const double *x, struct rd_ptx_type type)
{
    (void)type;
    return sqrt(x[0]);
}
static double reciprocal_root(const double *x, struct rd_ptx_type type)
{
    (void)type;
    return 1 / sqrt(x[0]);
}
#define OF_LIBRARY(name)                                                                           \
    static double name##_of(const double *x, struct rd_ptx_type type)                              \
    {                                                                                              \
        (void)type;                                                                                \
        return name(x[0]);                                                                         \
    }
OF_LIBRARY(sin)
OF_LIBRARY(cos)
OF_LIBRARY(exp2)
OF_LIBRARY(log2)
OF_LIBRARY(tanh)

#define REAL(name, operation)                                                                      \
    void name(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);                       \
    void name(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)                        \
    {                                                                                              \
        apply(m, i, operation);                                                                    \
    }
REAL(rd_ptx_real_add, add)
REAL(rd_ptx_real_sub, subtract)
REAL(rd_ptx_real_mul, multiply)
REAL(rd_ptx_real_div, divide)
REAL(rd_ptx_run_fma, multiply_add)
REAL(rd_ptx_run_sqrt, root)
REAL(rd_ptx_run_sin, sin_of)
REAL(rd_ptx_run_cos, cos_of)
REAL(rd_ptx_run_ex2, exp2_of)
REAL(rd_ptx_run_lg2, log2_of)
REAL(rd_ptx_run_tanh, tanh_of)

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and write the upper half of a double, the other one is 0. */
static void apply_to_upper_half(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i,
                                operation *make)
{
    struct rd_ptx_type type = i->types[0];
    const uint64_t upper = ~rd_ptx_mask(32);
    double x = rd_ptx_real_of(flushed(i, rd_ptx_get(m, 1, type) & upper, type), type);
    uint64_t bits = rd_ptx_nearest(make(&x, type), type);
    rd_ptx_put(m, 0, flushed(i, bits & upper, type));
}

static bool is_of_upper_half(const struct rd_ptx_instruction *i)
{
    return i->types[0].bits == 64 && rd_ptx_is(i, RD_PTX_FTZ);
}

void rd_ptx_run_rcp(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    (is_of_upper_half(i) ? apply_to_upper_half : apply)(m, i, reciprocal);
}

void rd_ptx_run_rsqrt(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    (is_of_upper_half(i) ? apply_to_upper_half : apply)(m, i, reciprocal_root);
}

/* ---- signs, and the least and the greatest: on bits, so that a NaN stays as it is ---- */

static uint64_t signs_of(struct rd_ptx_type type)
{
    return type.is_packed ? 0x80008000 : UINT64_C(1) << (type.bits - 1);
}

/* Of an instruction that has one. */
static uint64_t flushed_operand(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t low = part_bits(m, i, 1, 0);
    return i->types[0].is_packed ? part_bits(m, i, 1, 1) << 16 | low : low;
}

void rd_ptx_real_abs(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_abs(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    rd_ptx_put(m, 0, flushed_operand(m, i) & ~signs_of(i->types[0]));
}

void rd_ptx_real_neg(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_neg(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    rd_ptx_put(m, 0, flushed_operand(m, i) ^ signs_of(i->types[0]));
}

void rd_ptx_run_copysign(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t sign = rd_ptx_get(m, 1, i->types[0]), rest = rd_ptx_get(m, 2, i->types[0]),
             mask = signs_of(i->types[0]);
    rd_ptx_put(m, 0, (sign & mask) | (rest & ~mask));
}

/* A number wins over a NaN, but with .NaN; -0 is below 0. A NaN that is chosen is the canonical one, but of 64 bits. */
static uint64_t chosen(const struct rd_ptx_instruction *i, uint64_t a, uint64_t b, bool least)
{
    struct rd_ptx_type type = single(i->types[0]);
    double x = rd_ptx_real_of(a, type), y = rd_ptx_real_of(b, type);
    if (isnan(x) || isnan(y)) {
        uint64_t nan = type.bits < 64 ? rd_ptx_canonical_nan(type) : isnan(x) ? a : b;
        bool is_nan = rd_ptx_is(i, RD_PTX_NAN) || (isnan(x) && isnan(y));
        return is_nan ? nan : isnan(x) ? b : a;
    }
    if (x == y)
        return (signbit(x) != 0) == least ? a : b;
    return (x < y) == least ? a : b;
}

static void choose(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, bool least)
{
    uint64_t bits = 0;
    for (unsigned k = 0; k < (i->types[0].is_packed ? 2u : 1u); k++)
        bits |= chosen(i, part_bits(m, i, 1, k), part_bits(m, i, 2, k), least) << 16 * k;
    rd_ptx_put(m, 0, bits);
}

void rd_ptx_real_min(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_min(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    choose(m, i, true);
}

void rd_ptx_real_max(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_max(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    choose(m, i, false);
}

void rd_ptx_run_testp(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    double x = rd_ptx_real_of(rd_ptx_get(m, 1, i->types[0]), i->types[0]);
    double least = i->types[0].bits == 64 ? DBL_MIN : (double)FLT_MIN;
    bool is_small = x != 0 && fabs(x) < least;
    rd_ptx_put(m, 0,
               rd_ptx_is(i, RD_PTX_FINITE)       ? isfinite(x)
               : rd_ptx_is(i, RD_PTX_INFINITE)   ? isinf(x)
               : rd_ptx_is(i, RD_PTX_NUMBER)     ? !isnan(x)
               : rd_ptx_is(i, RD_PTX_NOTANUMBER) ? isnan(x)
               : rd_ptx_is(i, RD_PTX_SUBNORMAL)  ? is_small
                                                 : isfinite(x) && x != 0 && !is_small);
}

/* ---- conversions ---- */

static bool is_real(struct rd_ptx_type type)
{
    return type.kind == RD_PTX_F || type.kind == RD_PTX_BF || type.kind == RD_PTX_TF;
}

/* The sign of a narrow one fills its register. */
static void put_typed(struct rd_ptx_machine *m, uint64_t bits, struct rd_ptx_type type)
{
    rd_ptx_put(m, 0,
               type.kind == RD_PTX_SIGNED ? (uint64_t)rd_ptx_extended(bits, type.bits)
                                          : bits & rd_ptx_mask(type.bits));
}

static bool is_to_whole(const struct rd_ptx_instruction *i)
{
    return rd_ptx_is(i, RD_PTX_RNI) || rd_ptx_is(i, RD_PTX_RZI) || rd_ptx_is(i, RD_PTX_RMI) ||
           rd_ptx_is(i, RD_PTX_RPI);
}

static double to_whole(const struct rd_ptx_instruction *i, double x)
{
    int rounding = rd_ptx_is(i, RD_PTX_RZI)   ? FE_TOWARDZERO
                   : rd_ptx_is(i, RD_PTX_RMI) ? FE_DOWNWARD
                   : rd_ptx_is(i, RD_PTX_RPI) ? FE_UPWARD
                                              : FE_TONEAREST;
    volatile double from = x;
    fesetround(rounding);
    volatile double whole = nearbyint(from);
    fesetround(FE_TONEAREST);
    return whole;
}

/* What is too large becomes the largest; no number 0, or the highest bit alone where one of both has 64 bits. */
static uint64_t integer_of(double x, struct rd_ptx_type from, struct rd_ptx_type type)
{
    bool is_signed = type.kind == RD_PTX_SIGNED;
    double most = ldexp(1, (int)type.bits - is_signed), least = is_signed ? -most : 0;
    if (isnan(x))
        return from.bits < 64 && type.bits < 64 ? 0 : UINT64_C(1) << (type.bits - 1);
    if (x >= most)
        return rd_ptx_mask(type.bits - is_signed);
    if (x <= least)
        return is_signed ? UINT64_C(1) << (type.bits - 1) : 0;
    return is_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static void convert_integer(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type to = i->types[0], from = i->types[1];
    uint64_t bits = rd_ptx_get(m, 1, from);
    bool negative = from.kind == RD_PTX_SIGNED && rd_ptx_extended(bits, from.bits) < 0;
    uint64_t x = negative ? (uint64_t)rd_ptx_extended(bits, from.bits) : bits;
    if (rd_ptx_is(i, RD_PTX_SAT)) {
        bool is_signed = to.kind == RD_PTX_SIGNED;
        uint64_t most = rd_ptx_mask(to.bits - is_signed);
        if (!negative && x > most)
            x = most;
        else if (negative && !is_signed)
            x = 0;
        else if (negative && (int64_t)x < -(int64_t)most - 1)
            x = ~most;
    }
    put_typed(m, x, to);
}

/* Integers of 64 bits have more digits than a double: rounded once. */
static void convert_to_real(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type to = i->types[0], from = i->types[1];
    uint64_t bits = rd_ptx_get(m, 1, from);
    int rounding = rounding_of(i);
    volatile int64_t of_signed = rd_ptx_extended(bits, from.bits);
    volatile uint64_t of_unsigned = bits;
    bool is_signed = from.kind == RD_PTX_SIGNED;
    fesetround(rounding);
    volatile double wide = is_signed ? (double)of_signed : (double)of_unsigned;
    volatile float narrow = is_signed ? (float)of_signed : (float)of_unsigned;
    fesetround(FE_TONEAREST);
    double odd = rd_half_odd(is_signed ? (long double)of_signed : (long double)of_unsigned);
    double value = rd_ptx_is_half(to) ? odd : to.bits == 32 ? (double)narrow : wide;
    put_typed(m, rounded(rd_ptx_is(i, RD_PTX_SAT) ? saturated(value) : value, to, rounding), to);
}

static double source(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, unsigned number)
{
    struct rd_ptx_type from = i->types[1];
    uint64_t bits = rd_ptx_get(m, number, from);
    double x = rd_ptx_real_of(from.bits == 32 ? flushed(i, bits, from) : bits, from);
    return rd_ptx_is(i, RD_PTX_SAT) && is_real(i->types[0]) ? saturated(x) : x;
}

/* A float of that operand, in the type that is asked for; .ftz concerns those of 32 bits alone. */
static uint64_t converted(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i,
                          unsigned number)
{
    struct rd_ptx_type to = single(i->types[0]);
    double x = source(m, i, number);
    uint64_t bits = to.kind == RD_PTX_TF
                        ? rd_ptx_tf32(x, i)
                        : rounded(is_to_whole(i) ? to_whole(i, x) : x, to, rounding_of(i));
    if (rd_ptx_is(i, RD_PTX_RELU))
        return positive(bits, to);
    return to.bits == 32 ? flushed(i, bits, to) : bits;
}

void rd_ptx_run_cvt(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type to = i->types[0], from = i->types[1];
    if (to.is_packed)
        rd_ptx_put(m, 0, converted(m, i, 1) << 16 | converted(m, i, 2));
    else if (!is_real(to) && !is_real(from))
        convert_integer(m, i);
    else if (!is_real(from))
        convert_to_real(m, i);
    else if (!is_real(to))
        put_typed(m, integer_of(to_whole(i, source(m, i, 1)), from, to), to);
    else
        put_typed(m, converted(m, i, 1), to);
}

/* ---- comparisons ---- */

/* -1, 0 or 1; 2: one of the two is no number. */
static int compare(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i,
                   struct rd_ptx_type type)
{
    uint64_t x = rd_ptx_get(m, 1, type), y = rd_ptx_get(m, 2, type);
    if (is_real(type)) {
        double a = rd_ptx_real_of(flushed(i, x, type), type),
               b = rd_ptx_real_of(flushed(i, y, type), type);
        return isnan(a) || isnan(b) ? 2 : (a > b) - (a < b);
    }
    int64_t a = rd_ptx_extended(x, type.bits), b = rd_ptx_extended(y, type.bits);
    return type.kind == RD_PTX_SIGNED ? (a > b) - (a < b) : (x > y) - (x < y);
}

static bool holds(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i,
                  struct rd_ptx_type type)
{
    static const struct {
        enum rd_ptx_word word;
        unsigned of; /* bits of less, equal, greater, no number */
    } all[] = {
        {RD_PTX_EQ, 2},   {RD_PTX_NE, 5},   {RD_PTX_LT, 1},    {RD_PTX_LE, 3},   {RD_PTX_GT, 4},
        {RD_PTX_GE, 6},   {RD_PTX_LO, 1},   {RD_PTX_LS, 3},    {RD_PTX_HI, 4},   {RD_PTX_HS, 6},
        {RD_PTX_EQU, 10}, {RD_PTX_NEU, 13}, {RD_PTX_LTU, 9},   {RD_PTX_LEU, 11}, {RD_PTX_GTU, 12},
        {RD_PTX_GEU, 14}, {RD_PTX_NUM, 7},  {RD_PTX_ISNAN, 8},
    };
    unsigned bit = 1u << (compare(m, i, type) + 1);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (rd_ptx_is(i, all[k].word))
            return all[k].of & bit;
    rd_ptx_refuse(m, "a PTX comparison without one of its signs");
}

static bool combined(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, bool is_true)
{
    if (i->n < 4)
        return is_true;
    bool other = rd_ptx_get(m, 3, rd_ptx_pred);
    return rd_ptx_is(i, RD_PTX_AND)  ? is_true && other
           : rd_ptx_is(i, RD_PTX_OR) ? is_true || other
                                     : is_true != other;
}

void rd_ptx_run_setp(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (i->types[0].is_packed)
        rd_ptx_refuse(m, "the PTX instruction 'setp' of a packed type");
    bool is_true = holds(m, i, i->types[0]);
    bool first = combined(m, i, is_true), second = combined(m, i, !is_true);
    rd_ptx_put(m, 0, first);
    if (i->operands[0].form == RD_PTX_PAIR)
        rd_ptx_put_part(m, &i->operands[0].parts[1], second);
}

void rd_ptx_run_set(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (i->types[1].is_packed)
        rd_ptx_refuse(m, "the PTX instruction 'set' of a packed type");
    bool is_true = combined(m, i, holds(m, i, i->types[1]));
    rd_ptx_put(m, 0,
               !is_true               ? 0
               : is_real(i->types[0]) ? rd_ptx_nearest(1, i->types[0])
                                      : rd_ptx_mask(i->types[0].bits));
}
