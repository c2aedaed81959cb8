// SPDX-License-Identifier: MIT
/* The fold of any n: with a guard (fold_guard), or with halves rounded up (fold_ceil).
 *
 *      guard, n = 6:  A:  [ 0  1  2  3 | 4  5 ]      half = 4: cells 2 and 3 have no partner
 *      ceil,  n = 5:  A:  [ 0  1  2 | 3  4 ]         half = 3: cell 2, the middle, has none
 *
 * invariants/fold_any.c says what holds after each round, and why. */
#include "operation.h"

/* Any n: half = P/2, P/4, …, 1 for P the least power of two >= n. In the first round the partner of
 * i may lie beyond the end; in later rounds it never does. */
EXTERN_C __global__ void NAME(fold_guard)(elem *A, size_t half, size_t n)
{
    size_t i = GLOBAL_THREAD;
    if (i < half && i + half < n)
        A[i] = OP(A[i], A[i + half]);
}
LAUNCHABLE(fold_guard, elem *, size_t, size_t)

/* A fault: what lies beyond the end is combined as 0, which is the identity of sums and of no maximum. */
EXTERN_C __global__ void NAME(fold_guard_zero)(elem *A, size_t half, size_t n)
{
    size_t i = GLOBAL_THREAD;
    if (i < half && i < n) {
        elem other = {0};
        if (i + half < n)
            other = A[i + half];
        A[i] = OP(A[i], other);
    }
}
LAUNCHABLE(fold_guard_zero, elem *, size_t, size_t)

/* Any n: of m live cells the upper floor(m/2) go onto the lower; half = ceil(m/2). Where m is odd,
 * the middle cell has no partner and stays as it is. */
EXTERN_C __global__ void NAME(fold_ceil)(elem *A, size_t half, size_t m)
{
    size_t i = GLOBAL_THREAD;
    if (i + half < m)
        A[i] = OP(A[i], A[i + half]);
}
LAUNCHABLE(fold_ceil, elem *, size_t, size_t)

ALSO_OF_HALVES
