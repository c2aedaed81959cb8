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

static double without_subnormal(double x)
{
    return fabs(x) < (double)FLT_MIN ? copysign(0, x) : x;
}

/* ---- operations ---- */

static double saturated(double x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

/* Part k of a packed operand; of others all. */
static double part(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, unsigned number,
                   unsigned k)
{
    struct rd_ptx_type type = i->types[0];
    double x = rd_ptx_real_of(rd_ptx_get(m, number, type) >> (type.is_packed ? 16 * k : 0), type);
    return rd_ptx_is(i, RD_PTX_FTZ) && type.bits == 32 && !type.is_packed ? without_subnormal(x)
                                                                          : x;
}

typedef double operation(const double *x, struct rd_ptx_type type);

/* Each operation is made in the rounding that is asked for, and then rounded to the type in it. */
static void apply(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, operation *make)
{
    struct rd_ptx_type type = i->types[0];
    int rounding = rounding_of(i);
    uint64_t bits = 0;
    for (unsigned k = 0; k < (type.is_packed ? 2u : 1u); k++) {
        volatile double x[3] = {0, 0, 0};
        double copy[3];
        for (unsigned n = 1; n < i->n && n <= 3; n++)
            x[n - 1] = part(m, i, n, k);
        memcpy(copy, (const double *)x, sizeof copy);
        fesetround(rd_ptx_is_half(type) ? FE_TONEAREST : rounding);
        volatile double result = make(copy, type);
        fesetround(FE_TONEAREST);
        double value = result;
        if (rd_ptx_is(i, RD_PTX_SAT))
            value = saturated(value);
        if (rd_ptx_is(i, RD_PTX_RELU))
            value = value > 0 ? value : 0;
        uint64_t one =
            rounded(value, type, rounding) & rd_ptx_mask(rd_ptx_is_half(type) ? 16 : type.bits);
        if (rd_ptx_is(i, RD_PTX_FTZ) && type.bits == 32 && !type.is_packed)
            one = rounded(without_subnormal(rd_ptx_real_of(one, type)), type, FE_TONEAREST);
        bits |= one << 16 * k;
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
        return rd_half_odd((long double)(x[0] * x[1]) + x[2]);
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
REAL(rd_ptx_run_rcp, reciprocal)
REAL(rd_ptx_run_sqrt, root)
REAL(rd_ptx_run_rsqrt, reciprocal_root)
REAL(rd_ptx_run_sin, sin_of)
REAL(rd_ptx_run_cos, cos_of)
REAL(rd_ptx_run_ex2, exp2_of)
REAL(rd_ptx_run_lg2, log2_of)
REAL(rd_ptx_run_tanh, tanh_of)

/* ---- signs, and the least and the greatest: on bits, so that a NaN stays as it is ---- */

static uint64_t signs_of(struct rd_ptx_type type)
{
    return type.is_packed ? 0x80008000 : UINT64_C(1) << (type.bits - 1);
}

void rd_ptx_real_abs(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_abs(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    rd_ptx_put(m, 0, rd_ptx_get(m, 1, i->types[0]) & ~signs_of(i->types[0]));
}

void rd_ptx_real_neg(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_neg(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    rd_ptx_put(m, 0, rd_ptx_get(m, 1, i->types[0]) ^ signs_of(i->types[0]));
}

void rd_ptx_run_copysign(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t sign = rd_ptx_get(m, 1, i->types[0]), rest = rd_ptx_get(m, 2, i->types[0]),
             mask = signs_of(i->types[0]);
    rd_ptx_put(m, 0, (sign & mask) | (rest & ~mask));
}

/* A number wins over a NaN, but with .NaN; -0 is below 0. */
static bool is_chosen(double x, double y, bool least, bool nan_wins)
{
    if (isnan(x) || isnan(y))
        return nan_wins ? isnan(x) : !isnan(x);
    if (x == y)
        return least ? signbit(x) : !signbit(x);
    return least ? x < y : x > y;
}

static void choose(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, bool least)
{
    struct rd_ptx_type type = i->types[0];
    unsigned width = rd_ptx_is_half(type) ? 16 : type.bits;
    uint64_t x = rd_ptx_get(m, 1, type), y = rd_ptx_get(m, 2, type), bits = 0;
    for (unsigned k = 0; k < (type.is_packed ? 2u : 1u); k++) {
        uint64_t one = x >> 16 * k & rd_ptx_mask(width), other = y >> 16 * k & rd_ptx_mask(width);
        bool first = is_chosen(rd_ptx_real_of(one, type), rd_ptx_real_of(other, type), least,
                               rd_ptx_is(i, RD_PTX_NAN));
        bits |= (first ? one : other) << 16 * k;
    }
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

/* What is too large becomes the largest, and no number 0. */
static uint64_t integer_of(double x, struct rd_ptx_type type)
{
    bool is_signed = type.kind == RD_PTX_SIGNED;
    double most = ldexp(1, (int)type.bits - is_signed), least = is_signed ? -most : 0;
    if (isnan(x))
        return 0;
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
    double value = to.bits == 32 && !to.is_packed ? (double)narrow : wide;
    put_typed(m, rounded(rd_ptx_is(i, RD_PTX_SAT) ? saturated(value) : value, to, rounding), to);
}

static double source(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, unsigned number)
{
    double x = rd_ptx_real_of(rd_ptx_get(m, number, i->types[1]), i->types[1]);
    if (rd_ptx_is(i, RD_PTX_FTZ) && i->types[1].bits == 32)
        x = without_subnormal(x);
    if (rd_ptx_is(i, RD_PTX_SAT) && is_real(i->types[0]))
        x = saturated(x);
    if (rd_ptx_is(i, RD_PTX_RELU))
        x = x > 0 ? x : 0;
    return x;
}

void rd_ptx_run_cvt(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type to = i->types[0], from = i->types[1];
    bool whole = rd_ptx_is(i, RD_PTX_RNI) || rd_ptx_is(i, RD_PTX_RZI) || rd_ptx_is(i, RD_PTX_RMI) ||
                 rd_ptx_is(i, RD_PTX_RPI);
    if (to.is_packed) {
        if (i->n != 3 || from.bits != 32)
            rd_ptx_refuse(m, "such a PTX instruction 'cvt' to a packed type");
        uint64_t high = rounded(source(m, i, 1), to, rounding_of(i)),
                 low = rounded(source(m, i, 2), to, rounding_of(i));
        rd_ptx_put(m, 0, (high & 0xffff) << 16 | (low & 0xffff));
    } else if (i->n != 2) {
        rd_ptx_refuse(m, "such a PTX instruction 'cvt' of three operands");
    } else if (to.kind == RD_PTX_TF) {
        rd_ptx_put(m, 0, rd_ptx_tf32(source(m, i, 1), rd_ptx_is(i, RD_PTX_RNA)));
    } else if (!is_real(to) && !is_real(from)) {
        convert_integer(m, i);
    } else if (!is_real(from)) {
        convert_to_real(m, i);
    } else if (!is_real(to)) {
        put_typed(m, integer_of(to_whole(i, source(m, i, 1)), to), to);
    } else {
        double x = source(m, i, 1);
        put_typed(m, rounded(whole ? to_whole(i, x) : x, to, rounding_of(i)), to);
    }
}

/* ---- comparisons ---- */

/* -1, 0 or 1; 2: one of the two is no number. */
static int compare(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i,
                   struct rd_ptx_type type)
{
    uint64_t x = rd_ptx_get(m, 1, type), y = rd_ptx_get(m, 2, type);
    if (is_real(type)) {
        double a = rd_ptx_real_of(x, type), b = rd_ptx_real_of(y, type);
        if (rd_ptx_is(i, RD_PTX_FTZ)) {
            a = without_subnormal(a);
            b = without_subnormal(b);
        }
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
