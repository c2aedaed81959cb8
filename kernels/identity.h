// SPDX-License-Identifier: MIT
/* IDENTITY: the result of nothing, which changes nothing that OP combines it with (operation.h). With it kernels fill up
 * where there are no elements.
 *
 * It is guarded as operation.h is. */
#if defined __CUDACC__ || !defined RD_KERNEL_IDENTITY_H
#define RD_KERNEL_IDENTITY_H

#include "operation.h"

#ifndef RD_SELECTS

#define LARGEST_signed    (INT64_MAX >> (64 - RD_WIDTH))
#define LARGEST_unsigned  (UINT64_MAX >> (64 - RD_WIDTH))
#define SMALLEST_signed   (INT64_MIN >> (64 - RD_WIDTH))
#define SMALLEST_unsigned 0

/* A NaN, and not an infinity: combined with an infinity, inputs that are all NaN would become that infinity, while a NaN
 * loses to every number and leaves a NaN as it is. */
#define LARGEST_half  __builtin_nanf("")
#define LARGEST_real  __builtin_nan("")
#define SMALLEST_half __builtin_nanf("")
#define SMALLEST_real __builtin_nan("")

__device__ inline elem largest(void)
{
    return ELEM(RD_BY_KIND(LARGEST));
}

__device__ inline elem smallest(void)
{
    return ELEM(RD_BY_KIND(SMALLEST));
}

#ifdef RD_OVER
#define IDENTITY_CASE(name, NAME, selects, integers)                                               \
    IF_##selects##_##integers(case RD_OPERATION_##NAME : return IDENTITY_##name();)

__device__ inline elem neutral(void)
{
    switch (rd_of_launch.operation) {
        RD_OPERATIONS_OVER(IDENTITY_CASE)
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

#endif
