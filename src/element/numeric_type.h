// SPDX-License-Identifier: MIT
/* Shared by the files of a type's arithmetic: numeric.c, numeric_expect.c and numeric_compare.c
 * are compiled once per element type, with -DRD_TYPE=i32 and so on. What the types share is plain C
 * over `elem`; where floats and integers part, an #if on IS_FLOAT says so. */
#ifndef RD_ELEMENT_NUMERIC_TYPE_H
#define RD_ELEMENT_NUMERIC_TYPE_H

#include "reductio/numeric.h"
#include "element.h"
#include "element/half_bits.h"
#include "element/operation_table.h"
#include "element/type_facts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define TRAIT(trait) RD_PASTE(trait##_, RD_TYPE)

/* The kind of the type. */
#define KIND(trait) RD_BY_KIND(trait)

#define IS_FLOAT_signed   0
#define IS_FLOAT_unsigned 0
#define IS_FLOAT_real     1
#define IS_FLOAT_half     1
#define IS_FLOAT          KIND(IS_FLOAT)

/* Floats of 16 bits, which are held as their bits and computed in double: see half_bits.h. */
#define IS_HALF_signed   0
#define IS_HALF_unsigned 0
#define IS_HALF_real     0
#define IS_HALF_half     1
#define IS_HALF          KIND(IS_HALF)

#define IS_SIGNED_signed   1
#define IS_SIGNED_unsigned 0
#define IS_SIGNED_real     1
#define IS_SIGNED_half     1
#define IS_SIGNED          KIND(IS_SIGNED)

/* The bits of an element as an integer of its size; arrays of elements are read through it. */
typedef __typeof__(__builtin_choose_expr(
    sizeof(elem) == 8, (uint64_t)0,
    __builtin_choose_expr(sizeof(elem) == 4, (uint32_t)0, (uint16_t)0))) __attribute__((may_alias))
bits;

/* Elements are computed in another type: number_of an element, and the element that is nearest to a number. */
#if IS_HALF

typedef double computed;

static inline computed number_of(elem e)
{
    return rd_half_value(e.bits, TRAIT(DIGITS), TRAIT(LEAST_EXPONENT));
}

static inline elem rounded(computed x)
{
    return (elem){rd_half_nearest(x, TRAIT(DIGITS), TRAIT(LEAST_EXPONENT))};
}

static inline elem of_unsigned(uint64_t value)
{
    return rounded(rd_half_odd(value));
}

#else

typedef elem computed;

static inline computed number_of(elem e)
{
    return e;
}

static inline elem rounded(computed x)
{
    return x;
}

static inline elem of_unsigned(uint64_t value)
{
    return (elem)value;
}

#endif

/* Least number of cells for a parallel loop: with fewer it costs more than it saves. */
enum { PARALLEL_MIN = 1 << 16 };

/* Cells that a thread takes at a time: they stay in its cache from one use to the next. */
enum { BLOCK = 1 << 13 };

/* A function whose loops run at the memory's speed only in wide registers is compiled for them, too,
 * and the loader takes what the processor has. (clang 14 would make the clones of static functions
 * global, under one name for all types.) */
#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__
#define WIDE_TOO __attribute__((target_clones("avx2", "default")))
#else
#define WIDE_TOO
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))

static inline rd_bits load(const void *cells, size_t index)
{
    bits value;
    memcpy(&value, (const elem *)cells + index, sizeof value);
    return value;
}

static inline void store(void *cells, size_t index, rd_bits value)
{
    bits narrow = (bits)value;
    memcpy((elem *)cells + index, &narrow, sizeof narrow);
}

static inline elem elem_of(rd_bits value)
{
    elem e;
    store(&e, 0, value);
    return e;
}

static inline bool is_nan(rd_bits value)
{
#if IS_FLOAT
    return isnan(number_of(elem_of(value)));
#else
    (void)value;
    return false;
#endif
}

/* Neither C nor CUDA says which NaN an operation yields (an x86 passes an operand's payload on, a
 * GPU makes a canonical one), so any NaN is as good as any other. */
static inline bool same(rd_bits x, rd_bits y)
{
    return x == y || (is_nan(x) && is_nan(y));
}

#if IS_FLOAT

/* Exact sums are kept in a wider type: its rounding is allowed for in limit_of. */
#define WIDE_32 double
#define WIDE_64 long double
#define WIDE_16 double
typedef RD_BY_WIDTH(WIDE) wide;
#define WIDE_UNIT ((sizeof(wide) == sizeof(double) ? DBL_EPSILON : LDBL_EPSILON) / 2)

/* Magnitude below which atomics flush a number to zero. */
#define FLUSHED (!IS_HALF && sizeof(elem) == sizeof(float) ? TRAIT(LEAST_NORMAL) : 0)

/* The unit roundoff. Half of the smallest number is that much of the least normal one. */
#define UNIT      (1 / (wide)(UINT64_C(1) << TRAIT(DIGITS)))
#define UNDERFLOW (TRAIT(LEAST_NORMAL) * UNIT)

/* Sums below this have 16 units in the last place to a whole number at least: what rounds a little is no other whole number. */
#define EXACT_BELOW ((wide)(UINT64_C(1) << (TRAIT(DIGITS) - 4)))

static inline wide magnitude(wide x)
{
    return x < 0 ? -x : x;
}

/* An exact value in the type: one rounding. */
static inline elem of_long_double(long double x)
{
#if IS_HALF
    return rounded(rd_half_odd(x));
#else
    return (elem)x;
#endif
}

/* The smaller of two bounds: g_h, which says nothing from h*u = 1 on, and n*u, which holds for any
 * number n of terms and any order of additions, products included (Jeannerod and Rump, "Improved
 * error bounds for inner products in floating-point arithmetic", SIMAX 34, 2013). From 1 on it
 * would allow a sum of 0, whatever the terms: nothing is promised then. */
static inline wide documented_limit(const struct rd_expect *expect, unsigned height)
{
    wide hu = height * UNIT, nu = expect->n_inputs * UNIT;
    if (expect->roundings_max > 0) /* the number of terms is not known */
        nu = (wide)INFINITY;
    wide limit = hu < 1 && hu / (1 - hu) < nu ? hu / (1 - hu) : nu;
    return limit < 1 ? limit : (wide)INFINITY;
}

/* The same, widened by what the wide sum itself may be off: it has as many roundings as the tree and one
 * more for a product, on values of at most `weight`. */
static inline wide relative_limit_of(const struct rd_expect *expect, unsigned height)
{
    return height > 0 ? documented_limit(expect, height) + 2 * ((wide)height + 1) * WIDE_UNIT : 0;
}

static inline wide relative_limit(const struct rd_expect *expect)
{
    return relative_limit_of(expect, expect->height);
}

/* A product may also lose up to half the smallest number where it underflows. An atomic sum of floats of 32
 * bits, one a block where the order is any, takes subnormal numbers for zeros, and gives none: its term
 * and its result may each lose as much as the smallest normal number (PTX ISA, "atom"). Either is then
 * rounded as the sum is. */
static inline wide absolute_limit(const struct rd_expect *expect)
{
    const bool has_products = expect->b || (expect->has_products && expect->height > 0);
    wide products = has_products ? expect->n_inputs * UNDERFLOW : 0;
    wide atomics = expect->any_order ? 2 * (wide)expect->shape.grid * FLUSHED : 0;
    return products + atomics > 0 ? (products + atomics) * (1 + relative_limit(expect)) : 0;
}

#endif

static inline elem least(elem x, elem y)
{
#if IS_FLOAT
    if (isnan(number_of(x)) || isnan(number_of(y)))
        return isnan(number_of(x)) ? y : x;
    if (number_of(x) == number_of(y))
        return signbit(number_of(x)) ? x : y;
#endif
    return number_of(y) < number_of(x) ? y : x;
}

static inline elem most(elem x, elem y)
{
#if IS_FLOAT
    if (isnan(number_of(x)) || isnan(number_of(y)))
        return isnan(number_of(x)) ? y : x;
    if (number_of(x) == number_of(y))
        return signbit(number_of(x)) ? y : x;
#endif
    return number_of(x) < number_of(y) ? y : x;
}

/* x and y combined. Where the operation is a constant, nothing is left of the choice. */
#define ADD(x, y)      rounded(number_of(x) + number_of(y))
#define MULTIPLY(x, y) rounded(number_of(x) * number_of(y))
#if IS_FLOAT
#define OF_BITS(result) x /* floats have none of these operations */
#else
#define OF_BITS(result) (elem)(result)
#endif
#define COMBINED(NAME, result, ...)                                                                \
    case RD_OPERATION_##NAME:                                                                      \
        return result;

static ALWAYS_INLINE elem combined(enum rd_operation operation, elem x, elem y)
{
    switch (operation) {
        RD_OPERATION_ROWS(COMBINED)
    }
    return x;
}

extern const struct rd_lanes NAME(rd_lanes), NAME(rd_indices_lanes);
#if IS_FLOAT
extern const struct rd_lanes NAME(rd_lanes_exact), NAME(rd_lanes_weight);
#endif
extern const struct rd_numeric NAME(rd_numeric)[RD_OPERATION_COUNT];

/* Works out the cells [first, last) that the pending round writes. */
void NAME(rd_expect_apply)(struct rd_expect *expect, size_t first, size_t last);

/* The members of rd_numeric that are defined in the other files, as numeric.h documents them. */
void NAME(rd_expect_begin)(struct rd_expect *expect);
void NAME(rd_expect_multiply)(struct rd_expect *expect);
void NAME(rd_expect_fold)(struct rd_expect *expect, size_t len, size_t half);
void NAME(rd_expect_pair)(struct rd_expect *expect, size_t stride);
void NAME(rd_expect_settle)(struct rd_expect *expect);
void NAME(rd_expect_compare)(struct rd_expect *expect, size_t first, size_t count, size_t stride,
                             const void *actual, size_t actual_stride, struct rd_comparison *found);
size_t NAME(rd_expect_frame)(const struct rd_expect *expect, size_t count, size_t stride,
                             const void *actual);
void NAME(rd_expect_deviation)(const struct rd_expect *expect, size_t i, rd_bits actual,
                               struct rd_deviation *result);
void NAME(rd_expect_total)(const struct rd_expect *expect, rd_bits actual, rd_bits *sum,
                           struct rd_deviation *result);
void NAME(rd_expect_sum_any_order)(struct rd_expect *expect);
size_t NAME(rd_expect_elementwise)(const struct rd_expect *expect, const void *cells,
                                   rd_bits *wanted);

#endif
