// SPDX-License-Identifier: MIT
/* Heights of expression trees: arithmetic that counts, of each value, the roundings on the longest way to it. Each sum and
 * each product rounds once, but to add nothing rounds nothing. A number is 1 more than the height, and 0 for nothing, which
 * makes all of it a maximum and an addition. */
#include "law/lanes.h"
#include "element/strided.h"

#include <string.h>

/* Tells whether the result is one of the terms, so that nothing is rounded. */
static bool picks_a_term(enum rd_operation operation)
{
    return operation == RD_OPERATION_MIN || operation == RD_OPERATION_MAX;
}

/* A byte is enough for most trees, and takes a quarter of the memory: MOST there stands for all that is beyond it. */
#define HEIGHTS(name, elem, MOST)                                                                  \
    static void name##_input(void *values, const void *array, size_t first, ptrdiff_t stride,      \
                             size_t count)                                                         \
    {                                                                                              \
        (void)array, (void)first, (void)stride;                                                    \
        for (size_t k = 0; k < count; k++)                                                         \
            ((elem *)values)[k] = 1;                                                               \
    }                                                                                              \
    static void name##_number(void *values, int64_t number, int64_t slope, size_t count)           \
    {                                                                                              \
        for (size_t k = 0; k < count; k++)                                                         \
            ((elem *)values)[k] = number + (int64_t)k * slope != 0;                                \
    }                                                                                              \
    static void name##_identity(enum rd_operation operation, void *values, size_t count)           \
    {                                                                                              \
        (void)operation;                                                                           \
        memset(values, 0, count * sizeof(elem));                                                   \
    }                                                                                              \
    static inline elem name##_of_sum(elem x, elem y)                                               \
    {                                                                                              \
        const elem more = x > y ? x : y;                                                           \
        return (elem)(more + (elem)((x != 0) & (y != 0) & (more != (MOST))));                      \
    }                                                                                              \
    static void name##_combine(enum rd_operation operation, void *x, const void *y, size_t count)  \
    {                                                                                              \
        elem *left = x;                                                                            \
        const elem *right = y;                                                                     \
        if (picks_a_term(operation)) {                                                             \
            for (size_t k = 0; k < count; k++)                                                     \
                left[k] = left[k] > right[k] ? left[k] : right[k];                                 \
            return;                                                                                \
        }                                                                                          \
        _Pragma("omp simd") for (size_t k = 0; k < count; k++) left[k] =                           \
            name##_of_sum(left[k], right[k]);                                                      \
    }                                                                                              \
    static void name##_subtract(void *x, const void *y, size_t count)                              \
    {                                                                                              \
        name##_combine(RD_OPERATION_SUM, x, y, count);                                             \
    }                                                                                              \
    static void name##_times(void *x, const void *y, size_t count)                                 \
    {                                                                                              \
        elem *left = x;                                                                            \
        const elem *right = y;                                                                     \
        for (size_t k = 0; k < count; k++) {                                                       \
            const uint64_t both = (uint64_t)left[k] + right[k];                                    \
            left[k] = (elem)(left[k] == 0 || right[k] == 0 ? 0 : both < (MOST) ? both : (MOST));   \
        }                                                                                          \
    }                                                                                              \
    static void name##_reduce(enum rd_operation operation, void *x, const void *terms,             \
                              size_t count)                                                        \
    {                                                                                              \
        elem all = *(elem *)x;                                                                     \
        for (size_t k = 0; k < count; k++) {                                                       \
            const elem term = ((const elem *)terms)[k];                                            \
            all = !picks_a_term(operation) ? name##_of_sum(all, term) : term > all ? term : all;   \
        }                                                                                          \
        *(elem *)x = all;                                                                          \
    }

HEIGHTS(byte, uint8_t, UINT8_MAX)
HEIGHTS(word, uint32_t, (uint32_t)1 << 30)

/* None of them stands for what is beyond a byte. */
static bool bytes_fit(const void *values, size_t count)
{
    return !memchr(values, UINT8_MAX, count);
}

const struct rd_lanes rd_law_heights = {
    .size_bytes = sizeof(uint8_t),
    .input = byte_input,
    .load = RD_STRIDED_LOAD(uint8_t),
    .store = RD_STRIDED_STORE(uint8_t),
    .number = byte_number,
    .identity = byte_identity,
    .combine = byte_combine,
    .subtract = byte_subtract,
    .times = byte_times,
    .reduce = byte_reduce,
    .fits = bytes_fit,
};

const struct rd_lanes rd_law_great_heights = {
    .size_bytes = sizeof(uint32_t),
    .input = word_input,
    .load = RD_STRIDED_LOAD(uint32_t),
    .store = RD_STRIDED_STORE(uint32_t),
    .number = word_number,
    .identity = word_identity,
    .combine = word_combine,
    .subtract = word_subtract,
    .times = word_times,
    .reduce = word_reduce,
};
