// SPDX-License-Identifier: MIT
/* IDENTITY: the result of nothing, which changes nothing that OP combines it with (operation.h). With it kernels fill up
 * where there are no elements.
 *
 * It has no include guard, as operation.h hasn't. */
#include "operation.h"

#ifndef RD_SELECTS

#define LARGEST_i32  INT32_MAX
#define LARGEST_u32  UINT32_MAX
#define LARGEST_i64  INT64_MAX
#define LARGEST_u64  UINT64_MAX
#define SMALLEST_i32 INT32_MIN
#define SMALLEST_u32 0
#define SMALLEST_i64 INT64_MIN
#define SMALLEST_u64 0

/* A NaN, and not an infinity: combined with an infinity, inputs that are all NaN would become that infinity, while a NaN
 * loses to every number and leaves a NaN as it is. */
#define LARGEST_f16   __builtin_nanf("")
#define LARGEST_bf16  __builtin_nanf("")
#define LARGEST_f32   __builtin_nanf("")
#define LARGEST_f64   __builtin_nan("")
#define SMALLEST_f16  __builtin_nanf("")
#define SMALLEST_bf16 __builtin_nanf("")
#define SMALLEST_f32  __builtin_nanf("")
#define SMALLEST_f64  __builtin_nan("")

__device__ inline elem largest(void)
{
    return ELEM(RD_PASTE(LARGEST_, RD_TYPE));
}

__device__ inline elem smallest(void)
{
    return ELEM(RD_PASTE(SMALLEST_, RD_TYPE));
}

#define IDENTITY_sum()     ELEM(0)
#define IDENTITY_product() ELEM(1)
#define IDENTITY_min()     largest()
#define IDENTITY_max()     smallest()
#define IDENTITY_and()     ~(elem)0
#define IDENTITY_or()      ELEM(0)
#define IDENTITY_xor()     ELEM(0)

#ifdef RD_OVER
#define NOTHING_INTEGER                                                                            \
    case RD_OPERATION_AND:                                                                         \
        return IDENTITY_and();                                                                     \
    case RD_OPERATION_OR:                                                                          \
    case RD_OPERATION_XOR:                                                                         \
        return 0;
#define NOTHING_FLOAT
#define NOTHING_HALF

__device__ inline elem neutral(void)
{
    switch (rd_of_launch.operation) {
    case RD_OPERATION_PRODUCT:
        return IDENTITY_product();
    case RD_OPERATION_MIN:
        return IDENTITY_min();
    case RD_OPERATION_MAX:
        return IDENTITY_max();
        OF_KIND(NOTHING)
    default:
        rd_no_operation();
        return ELEM(0);
    }
}
#define IDENTITY_any() neutral()
#endif

#define IDENTITY RD_PASTE(IDENTITY_, OPERATION)()

#else

#define IDENTITY NO_INDEX

#endif
