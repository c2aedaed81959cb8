// SPDX-License-Identifier: MIT
/* Elements side by side: see numeric_lanes.h. One per element type. */
#include "element/numeric_type.h"
#include "reductio/numeric_lanes.h"
#include "reductio/operation.h"
#include "element/strided.h"

/* Each operation has its own loop: the choice stands outside. */
#define EACH_OPERATION(operation, CASE)                                                            \
    switch (operation) {                                                                           \
        RD_OPERATIONS(CASE)                                                                        \
    }

static elem of_number(int64_t number)
{
#if IS_FLOAT
    if (number < 0)
        return rounded(0 - number_of(of_unsigned(-(uint64_t)number)));
#endif
    return of_unsigned((uint64_t)number);
}

static void number_lanes(void *values, int64_t number, int64_t slope, size_t count)
{
    elem *to = values;
    for (size_t k = 0; k < count; k++)
        to[k] = of_number(number + (int64_t)k * slope);
}

static void identity_lanes(enum rd_operation operation, void *values, size_t count)
{
    rd_bits identity = 0;
    rd_operation_identity(operation, &NAME(rd_numeric)[RD_OPERATION_SUM], &identity);
    for (size_t k = 0; k < count; k++)
        store(values, k, identity);
}

static ALWAYS_INLINE void combine_by(enum rd_operation operation, elem *restrict x,
                                     const elem *restrict y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        x[k] = combined(operation, x[k], y[k]);
}

WIDE_TOO static void combine_lanes(enum rd_operation operation, void *x, const void *y,
                                   size_t count)
{
#define COMBINE(name, NAME, selects, integers)                                                     \
    case RD_OPERATION_##NAME:                                                                      \
        combine_by(RD_OPERATION_##NAME, x, y, count);                                              \
        break;
    EACH_OPERATION(operation, COMBINE)
}

static void subtract_lanes(void *x, const void *y, size_t count)
{
    elem *left = x;
    const elem *right = y;
    for (size_t k = 0; k < count; k++)
        left[k] = rounded(number_of(left[k]) - number_of(right[k]));
}

static void times_lanes(void *x, const void *y, size_t count)
{
    elem *left = x;
    const elem *right = y;
    for (size_t k = 0; k < count; k++)
        left[k] = rounded(number_of(left[k]) * number_of(right[k]));
}

static ALWAYS_INLINE void reduce_by(enum rd_operation operation, elem *x, const elem *terms,
                                    size_t count)
{
    elem result = *x;
    for (size_t k = 0; k < count; k++)
        result = combined(operation, result, terms[k]);
    *x = result;
}

static void reduce_lanes(enum rd_operation operation, void *x, const void *terms, size_t count)
{
#define REDUCE(name, NAME, selects, integers)                                                      \
    case RD_OPERATION_##NAME:                                                                      \
        reduce_by(RD_OPERATION_##NAME, x, terms, count);                                           \
        break;
    EACH_OPERATION(operation, REDUCE)
}

_Static_assert(sizeof(elem) == 2 || sizeof(elem) == 4 || sizeof(elem) == 8,
               "strided.h copies no others");

static bool has_lanes(enum rd_operation operation)
{
    return rd_numeric_over(NAME(rd_numeric)->type, operation);
}

const struct rd_lanes NAME(rd_lanes) = {
    .size_bytes = sizeof(elem),
    .input = RD_STRIDED_LOAD(elem),
    .load = RD_STRIDED_LOAD(elem),
    .store = RD_STRIDED_STORE(elem),
    .number = number_lanes,
    .identity = identity_lanes,
    .combine = combine_lanes,
    .subtract = subtract_lanes,
    .times = times_lanes,
    .reduce = reduce_lanes,
    .has = has_lanes,
};

#if IS_FLOAT

/* ---- sums in wider arithmetic, and of magnitudes ---- */

static void load_wide(void *values, const void *array, size_t first, ptrdiff_t stride, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((wide *)values)[k] = ((const wide *)array + first)[(ptrdiff_t)k * stride];
}

static void store_wide(void *array, size_t first, ptrdiff_t stride, const void *values,
                       size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((wide *)array + first)[(ptrdiff_t)k * stride] = ((const wide *)values)[k];
}

static void input_exact(void *values, const void *array, size_t first, ptrdiff_t stride,
                        size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((wide *)values)[k] = number_of(((const elem *)array + first)[(ptrdiff_t)k * stride]);
}

static void input_weight(void *values, const void *array, size_t first, ptrdiff_t stride,
                         size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((wide *)values)[k] =
            magnitude(number_of(((const elem *)array + first)[(ptrdiff_t)k * stride]));
}

static void number_exact(void *values, int64_t number, int64_t slope, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((wide *)values)[k] = (wide)(number + (int64_t)k * slope);
}

static void number_weight(void *values, int64_t number, int64_t slope, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((wide *)values)[k] = magnitude((wide)(number + (int64_t)k * slope));
}

static void identity_wide(enum rd_operation operation, void *values, size_t count)
{
    const wide identity = operation == RD_OPERATION_PRODUCT ? 1
                          : operation == RD_OPERATION_MIN   ? INFINITY
                          : operation == RD_OPERATION_MAX   ? -INFINITY
                                                            : 0;
    for (size_t k = 0; k < count; k++)
        ((wide *)values)[k] = identity;
}

/* Floats have no other operation: see has_lanes. */
static wide combine_two(enum rd_operation operation, wide x, wide y)
{
    switch (operation) {
    case RD_OPERATION_PRODUCT:
        return x * y;
    case RD_OPERATION_MIN:
        return y < x || isnan(x) ? y : x;
    case RD_OPERATION_MAX:
        return y > x || isnan(x) ? y : x;
    default:
        return x + y;
    }
}

static void combine_wide(enum rd_operation operation, void *x, const void *y, size_t count)
{
    for (size_t k = 0; k < count && operation != RD_OPERATION_SUM; k++)
        ((wide *)x)[k] = combine_two(operation, ((wide *)x)[k], ((const wide *)y)[k]);
    for (size_t k = 0; k < count && operation == RD_OPERATION_SUM; k++)
        ((wide *)x)[k] += ((const wide *)y)[k];
}

static void subtract_wide(void *x, const void *y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((wide *)x)[k] -= ((const wide *)y)[k];
}

/* Subtracted values weigh as added ones. */
static void subtract_weight(void *x, const void *y, size_t count)
{
    combine_wide(RD_OPERATION_SUM, x, y, count);
}

static void times_wide(void *x, const void *y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((wide *)x)[k] *= ((const wide *)y)[k];
}

static void reduce_wide(enum rd_operation operation, void *x, const void *terms, size_t count)
{
    wide result = *(wide *)x;
    for (size_t k = 0; k < count && operation != RD_OPERATION_SUM; k++)
        result = combine_two(operation, result, ((const wide *)terms)[k]);
    for (size_t k = 0; k < count && operation == RD_OPERATION_SUM; k++)
        result += ((const wide *)terms)[k];
    *(wide *)x = result;
}

#define WIDE_LANES(name, input_, number_, subtract_)                                               \
    const struct rd_lanes NAME(name) = {                                                           \
        .size_bytes = sizeof(wide),                                                                \
        .input = input_,                                                                           \
        .load = load_wide,                                                                         \
        .store = store_wide,                                                                       \
        .number = number_,                                                                         \
        .identity = identity_wide,                                                                 \
        .combine = combine_wide,                                                                   \
        .subtract = subtract_,                                                                     \
        .times = times_wide,                                                                       \
        .reduce = reduce_wide,                                                                     \
        .has = has_lanes,                                                                          \
    }
WIDE_LANES(rd_lanes_exact, input_exact, number_exact, subtract_wide);
WIDE_LANES(rd_lanes_weight, input_weight, number_weight, subtract_weight);

#endif
