// SPDX-License-Identifier: MIT
/* The fold: the upper part of the array is added onto the lower (OP: see operation.h). One launch is one round.
 *
 *      A:  [ 0  1  2  3 | 4  5  6  7 ]      half = 4
 *            +  +  +  +
 *            4  5  6  7
 *      A:  [ 4  6 | 8 10 | 4  5  6  7 ]     half = 2, and so on
 *
 * invariants/fold.c says what holds after each round, and why. */
#include "operation.h"

/* n is a power of two, half = n/2, n/4, …, 1. Each cell is read and written by one thread only. */
EXTERN_C __global__ void NAME(fold)(elem *A, size_t half)
{
    size_t i = GLOBAL_THREAD;
    if (i < half)
        A[i] = OP(A[i], A[i + half]);
}
LAUNCHABLE(fold, elem *, size_t)

/* A fault: launched with more threads than half, since a block is a block. */
EXTERN_C __global__ void NAME(fold_missing_guard)(elem *A, size_t half)
{
    size_t i = GLOBAL_THREAD;
    A[i] = OP(A[i], A[i + half]);
}
LAUNCHABLE(fold_missing_guard, elem *, size_t)

/* A fault: off by one in the partner. */
EXTERN_C __global__ void NAME(fold_wrong_half)(elem *A, size_t half)
{
    size_t i = GLOBAL_THREAD;
    if (i < half)
        A[i] = OP(A[i], A[i + half - 1]);
}
LAUNCHABLE(fold_wrong_half, elem *, size_t)

/* A fault: of two inputs that are equal, A[i] keeps its own, whichever index is lower. */
EXTERN_C __global__ void NAME(fold_tie)(elem *A, size_t half)
{
    size_t i = GLOBAL_THREAD;
    if (i < half)
        A[i] = OP_BY_VALUE(A[i], A[i + half]);
}
LAUNCHABLE(fold_tie, elem *, size_t)

ALSO_OF_HALVES
