// SPDX-License-Identifier: MIT
/* The first puzzle with shared memory: a block loads its elements, meets, and uses them.
 *
 *      a:      [ 0 1 2 3 | 4 5 6 . ]       n = 7, two blocks of 4
 *                v v v v   v v v
 *      copy:   [ 0 1 2 3 ] [ 4 5 6 ? ]     each block has an array of its own
 *              -----------  ---------      all 4 threads of a block come to the barrier
 *      out:    [ . . . .   . . . . ]
 *
 * invariants/puzzle_shared.c says what they leave in `out`. */
#include "kernel.h"

/* Puzzle 8: by way of shared memory. The guard is around the work; all threads come to the barrier.
 */
EXTERN_C __global__ void NAME(puzzle_shared)(const elem *a, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, copy);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD;
    if (i < n)
        copy[t] = a[i];
    __syncthreads();
    if (i < n)
        out[i] = copy[t] + 10;
}
LAUNCHABLE(puzzle_shared, const elem *, elem *, size_t)

/* A fault: the barrier within the guard. */
EXTERN_C __global__ void NAME(puzzle_shared_branch)(const elem *a, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, copy);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD;
    if (i < n) {
        copy[t] = a[i];
        __syncthreads();
        out[i] = copy[t] + 10;
    }
}
LAUNCHABLE(puzzle_shared_branch, const elem *, elem *, size_t)
