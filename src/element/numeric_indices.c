// SPDX-License-Identifier: MIT
/* Indices of elements side by side: what the cells of an operation that selects hold. One per element type, whose
 * indices are as wide as it is. */
#include "reductio/numeric_lanes.h"
#include "element/numeric_type.h"
#include "element/strided.h"

static void input_indices(void *values, const void *array, size_t first, ptrdiff_t stride,
                          size_t count)
{
    (void)array;
    for (size_t k = 0; k < count; k++)
        ((bits *)values)[k] = (bits)(first + (size_t)((ptrdiff_t)k * stride));
}

static void number_indices(void *values, int64_t number, int64_t slope, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((bits *)values)[k] = (bits)(number + (int64_t)k * slope);
}

/* As rd_numeric_no_index() has it. */
static const bits no_index = (bits) ~(bits)0;

static void identity_indices(enum rd_operation operation, void *values, size_t count)
{
    (void)operation;
    for (size_t k = 0; k < count; k++)
        ((bits *)values)[k] = no_index;
}

static void subtract_indices(void *x, const void *y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((bits *)x)[k] -= ((const bits *)y)[k];
}

static void times_indices(void *x, const void *y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((bits *)x)[k] *= ((const bits *)y)[k];
}

/* By what min or max keeps of the two values, so that the value at the index is theirs, too. */
static ALWAYS_INLINE bits selected(enum rd_operation best, const elem *input, size_t n_inputs,
                                   bits x, bits y)
{
    if (x >= n_inputs || y >= n_inputs)
        return x < y ? x : y;
    const rd_bits of_x = load(input, x), of_y = load(input, y);
    const elem kept = combined(best, elem_of(of_x), elem_of(of_y));
    if (same(of_x, of_y))
        return x < y ? x : y;
    return same(load(&kept, 0), of_x) ? x : y;
}

static ALWAYS_INLINE void select_by(enum rd_operation best, const elem *input, size_t n_inputs,
                                    bits *x, const bits *y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        x[k] = selected(best, input, n_inputs, x[k], y[k]);
}

static void select_indices(enum rd_operation operation, const void *input, size_t n_inputs, void *x,
                           const void *y, size_t count)
{
    if (operation == RD_OPERATION_ARGMIN)
        select_by(RD_OPERATION_MIN, input, n_inputs, x, y, count);
    else
        select_by(RD_OPERATION_MAX, input, n_inputs, x, y, count);
}

static void select_one(enum rd_operation operation, const void *input, size_t n_inputs, void *x,
                       const void *terms, size_t count)
{
    for (size_t k = 0; k < count; k++)
        select_indices(operation, input, n_inputs, x, (const bits *)terms + k, 1);
}

const struct rd_lanes NAME(rd_indices_lanes) = {
    .size_bytes = sizeof(bits),
    .input = input_indices,
    .load = RD_STRIDED_LOAD(bits),
    .store = RD_STRIDED_STORE(bits),
    .number = number_indices,
    .identity = identity_indices,
    .subtract = subtract_indices,
    .times = times_indices,
    .select = select_indices,
    .select_one = select_one,
};
