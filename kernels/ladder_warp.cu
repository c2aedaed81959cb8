// SPDX-License-Identifier: MIT
/* The ladder's rungs in which the last warp works by itself, and the faults that lie there.
 *
 *      shared memory:  w = 1024 … 64, a barrier a round       by all warps
 *      registers:      o = 16, 8, 4, 2, 1, a shuffle a round  by the first warp
 *
 * Each thread loads two elements, as in first-add. invariants/ladder_warp.c says what holds at each
 * checkpoint, and why. */
#include "ladder.h"

/* Folds down to so many cells, 32 or 64. */
__device__ inline void fold_to(elem *x, unsigned width)
{
    unsigned t = threadIdx.x;
    for (unsigned w = width_of(blockDim.x); w > width; w /= 2) {
        CHECKPOINT(SEQUENTIAL, x, blockDim.x, w);
        unsigned s = w / 2;
        if (t < s && t + s < blockDim.x)
            x[t] = OP(x[t], x[t + s]);
        __syncthreads();
    }
}

/* Improves on first-add: the last 32 cells are summed in registers, by shuffles. Lanes need no barrier
 * of the block for that, and the other warps are done. What it does not cure: the loop's own counting
 * and comparing. */
EXTERN_C __global__ void NAME(ladder_warp_shuffle)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    unsigned t = threadIdx.x;
    load_two(x, a, n);
    fold_to(x, LANES);
    if (t < LANES) {
        elem own = x[t], sum = sum_of_lanes(own, lanes_of_first());
        if (t == 0)
            A[blockIdx.x] = sum;
    }
}
LAUNCHABLE(ladder_warp_shuffle, const elem *, elem *, size_t)

/* A fault: only the 16 lanes that keep the sum shuffle, though they read from the other 16. */
EXTERN_C __global__ void NAME(ladder_short_mask)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    unsigned t = threadIdx.x;
    load_two(x, a, n);
    fold_to(x, LANES);
    if (t < 16) {
        elem sum = x[t];
        for (unsigned o = 16; o > 0; o /= 2)
            sum = OP(sum, __shfl_down_sync(0xffff, sum, o));
        if (t == 0)
            A[blockIdx.x] = sum;
    }
}
LAUNCHABLE(ladder_short_mask, const elem *, elem *, size_t)

/* A fault: the last warp without barriers, as it was written when a warp was thought to run in
 * lockstep. `volatile` makes each line read and write memory; it orders nothing. */
EXTERN_C __global__ void NAME(ladder_lockstep)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    volatile elem *v = x;
    unsigned t = threadIdx.x;
    load_two(x, a, n);
    fold_to(x, 2 * LANES);
    if (t < LANES) {
        v[t] = OP(v[t], v[t + 32]);
        v[t] = OP(v[t], v[t + 16]);
        v[t] = OP(v[t], v[t + 8]);
        v[t] = OP(v[t], v[t + 4]);
        v[t] = OP(v[t], v[t + 2]);
        v[t] = OP(v[t], v[t + 1]);
    }
    if (t == 0)
        A[blockIdx.x] = v[0];
}
LAUNCHABLE_COMMUNICATING(ladder_lockstep, const elem *, elem *, size_t)

/* A fault: a barrier of the warp a round where there must be two. Lane 0 reads x[16] while lane 16
 * adds x[32] to it. */
EXTERN_C __global__ void NAME(ladder_one_syncwarp)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    unsigned t = threadIdx.x;
    load_two(x, a, n);
    fold_to(x, 2 * LANES);
    for (unsigned s = LANES; s > 0 && t < LANES; s /= 2) {
        x[t] = OP(x[t], x[t + s]);
        __syncwarp();
    }
    if (t == 0)
        A[blockIdx.x] = x[0];
}
LAUNCHABLE(ladder_one_syncwarp, const elem *, elem *, size_t)

/* A fault: the same lines, and the lanes are serialised, from the last to the first. */
EXTERN_C __global__ void NAME(ladder_descending)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    unsigned t = threadIdx.x;
    load_two(x, a, n);
    fold_to(x, 2 * LANES);
    for (unsigned s = LANES; s > 0 && t < LANES; s /= 2) {
        for (unsigned turn = LANES; turn > 0; turn--) {
            if (t == turn - 1)
                x[t] = OP(x[t], x[t + s]);
            __syncwarp();
        }
    }
    if (t == 0)
        A[blockIdx.x] = x[0];
}
LAUNCHABLE(ladder_descending, const elem *, elem *, size_t)

/* Improves on warp-shuffle: the rounds are written out for every block there can be, so that each
 * width is a constant and nothing is counted. What it does not cure: as many blocks as there are
 * elements ask for, which come and go. */
EXTERN_C __global__ void NAME(ladder_unrolled)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    load_two(x, a, n);
    elem sum = fold_of_block(x);
    if (threadIdx.x == 0)
        A[blockIdx.x] = sum;
}
LAUNCHABLE(ladder_unrolled, const elem *, elem *, size_t)

/* A fault: unrolled when a block had at most 512 threads. */
EXTERN_C __global__ void NAME(ladder_stops_at_512)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    unsigned t = threadIdx.x;
    load_two(x, a, n);
    halve(x, 256);
    halve(x, 128);
    halve(x, 64);
    halve(x, 32);
    if (t < LANES) {
        elem own = x[t], sum = sum_of_lanes(own, lanes_of_first());
        if (t == 0)
            A[blockIdx.x] = sum;
    }
}
LAUNCHABLE(ladder_stops_at_512, const elem *, elem *, size_t)

ALSO_OF_HALVES
