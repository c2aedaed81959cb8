// SPDX-License-Identifier: MIT
/* The ladder's first rungs: a block sums in shared memory, one cell a thread. The grid has a thread
 * an element, or for two, and the host adds the blocks' sums.
 *
 *      interleaved, s = 1:   x:  [ x0 x1 x2 x3 x4 x5 x6 x7 ]
 *                                   +--+  +--+  +--+  +--+
 *      sequential,  w = 8:   x:  [ x0 x1 x2 x3 | x4 x5 x6 x7 ]
 *                                   +  +  +  +
 *                                  x4 x5 x6 x7
 *
 * invariants/ladder_shared.c says what holds at each checkpoint, and why. */
#include "ladder.h"

/* Puts the thread's element into its cell; nothing beyond the end. */
__device__ inline void load_one(elem *x, const elem *a, size_t n)
{
    elem own = IDENTITY;
    if (GLOBAL_THREAD < n)
        own = OP(own, a[GLOBAL_THREAD]);
    x[threadIdx.x] = own;
    __syncthreads();
}

/* Adds the upper half of the cells onto the lower, until x[0] is their sum. */
__device__ inline void fold(elem *x)
{
    unsigned t = threadIdx.x;
    for (unsigned w = width_of(blockDim.x); w > 1; w /= 2) {
        CHECKPOINT(SEQUENTIAL, x, blockDim.x, w);
        unsigned s = w / 2;
        if (t < s && t + s < blockDim.x)
            x[t] = OP(x[t], x[t + s]);
        __syncthreads();
    }
    CHECKPOINT(SEQUENTIAL, x, blockDim.x, 1);
}

/* The bottom of the ladder, as one would write it down first. */
EXTERN_C __global__ void NAME(ladder_interleaved_modulo)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    unsigned t = threadIdx.x, s;
    load_one(x, a, n);
    for (s = 1; s < blockDim.x; s *= 2) {
        CHECKPOINT(INTERLEAVED, x, blockDim.x, s);
        if (t % (2 * s) == 0 && t + s < blockDim.x)
            x[t] = OP(x[t], x[t + s]);
        __syncthreads();
    }
    CHECKPOINT(INTERLEAVED, x, blockDim.x, s);
    if (t == 0)
        A[blockIdx.x] = x[0];
}
LAUNCHABLE(ladder_interleaved_modulo, const elem *, elem *, size_t)

/* Improves on interleaved-modulo: no remainder, which is slow, and the threads that add are the first
 * ones, side by side, so that whole warps have work or none. What it does not cure: in a warp the
 * cells lie 2s apart, so that several are in the same bank of shared memory: bank conflicts. */
EXTERN_C __global__ void NAME(ladder_interleaved_strided)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    unsigned t = threadIdx.x, s;
    load_one(x, a, n);
    for (s = 1; s < blockDim.x; s *= 2) {
        CHECKPOINT(INTERLEAVED, x, blockDim.x, s);
        unsigned i = 2 * s * t;
        if (i + s < blockDim.x)
            x[i] = OP(x[i], x[i + s]);
        __syncthreads();
    }
    CHECKPOINT(INTERLEAVED, x, blockDim.x, s);
    if (t == 0)
        A[blockIdx.x] = x[0];
}
LAUNCHABLE(ladder_interleaved_strided, const elem *, elem *, size_t)

/* Improves on interleaved-strided: neighbouring threads have neighbouring cells, each in a bank of its
 * own. On an H200 it gains next to nothing today: 684 GB/s, and 680 (bench/README.md). What it does not
 * cure: up to half of the threads do nothing but load. */
EXTERN_C __global__ void NAME(ladder_sequential)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    load_one(x, a, n);
    fold(x);
    if (threadIdx.x == 0)
        A[blockIdx.x] = x[0];
}
LAUNCHABLE(ladder_sequential, const elem *, elem *, size_t)

/* Improves on sequential: a thread adds two elements as it loads them, so that half as many blocks
 * do, and no thread only loads. What it does not cure: the last rounds, in which one warp works and
 * the whole block meets at a barrier. */
EXTERN_C __global__ void NAME(ladder_first_add)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    load_two(x, a, n);
    fold(x);
    if (threadIdx.x == 0)
        A[blockIdx.x] = x[0];
}
LAUNCHABLE(ladder_first_add, const elem *, elem *, size_t)

ALSO_OF_HALVES
