// SPDX-License-Identifier: MIT
/* The kernels that are compiled for other operations than the sum, too, as the devices' tables have them. Private.
 *
 * RD_KERNELS_OVER(X) is X(kernel, KERNEL, operation, OPERATION, type, TYPE) for each of them. */
#ifndef RD_OPERATION_KERNELS_H
#define RD_OPERATION_KERNELS_H

#include "kernels.h"

#define RD_OVER_INTEGERS(X, k, K, o, O)                                                            \
    X(k, K, o, O, i32, I32)                                                                        \
    X(k, K, o, O, u32, U32)                                                                        \
    X(k, K, o, O, i64, I64)                                                                        \
    X(k, K, o, O, u64, U64)
#define RD_OVER_ALL(X, k, K, o, O)                                                                 \
    RD_OVER_INTEGERS(X, k, K, o, O) X(k, K, o, O, f32, F32) X(k, K, o, O, f64, F64)

#define RD_KERNEL_OVER(X, k, K)                                                                    \
    RD_OVER_ALL(X, k, K, product, PRODUCT)                                                         \
    RD_OVER_ALL(X, k, K, min, MIN)                                                                 \
    RD_OVER_ALL(X, k, K, max, MAX)                                                                 \
    RD_OVER_INTEGERS(X, k, K, and, AND)                                                            \
    RD_OVER_INTEGERS(X, k, K, or, OR)                                                              \
    RD_OVER_INTEGERS(X, k, K, xor, XOR)

#define RD_KERNELS_OVER(X)                                                                         \
    RD_KERNEL_OVER(X, fold, FOLD)                                                                  \
    RD_KERNEL_OVER(X, fold_missing_guard, FOLD_MISSING_GUARD)                                      \
    RD_KERNEL_OVER(X, fold_wrong_half, FOLD_WRONG_HALF)                                            \
    RD_KERNEL_OVER(X, fold_guard, FOLD_GUARD)                                                      \
    RD_KERNEL_OVER(X, fold_guard_zero, FOLD_GUARD_ZERO)                                            \
    RD_KERNEL_OVER(X, fold_ceil, FOLD_CEIL)                                                        \
    RD_KERNEL_OVER(X, tournament, TOURNAMENT)                                                      \
    RD_KERNEL_OVER(X, tournament_lost_tail, TOURNAMENT_LOST_TAIL)                                  \
    RD_KERNEL_OVER(X, tournament_stride_one, TOURNAMENT_STRIDE_ONE)

#endif
