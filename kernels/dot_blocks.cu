// SPDX-License-Identifier: MIT
/* Dot products in blocks: each thread strides over the whole grid, then each block folds its
 * threads' sums in shared memory, and one thread writes the block's sum.
 *
 *      thread t of the grid adds   a[t]*b[t] + a[t+G]*b[t+G] + …        G = threads of the grid
 *
 *      cache:  [ x0 x1 x2 x3 | x4 x5 x6 x7 ]       s = 4
 *                 +  +  +  +
 *                x4 x5 x6 x7
 *
 * invariants/dot_blocks.c says what holds at each checkpoint, and why. */
#include "arithmetic.h"

/* The block is a power of two; c has one cell a block. */
EXTERN_C __global__ void NAME(dot_shared)(const elem *a, const elem *b, elem *c, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    unsigned t = threadIdx.x;
    elem sum = ELEM(0);
    for (size_t i = GLOBAL_THREAD; i < n; i += GRID_THREADS)
        sum = ADD(sum, MULTIPLY(a[i], b[i]));
    cache[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 2 * s);
        if (t < s)
            cache[t] = ADD(cache[t], cache[t + s]);
        __syncthreads();
    }
    CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 1);
    if (t == 0)
        c[blockIdx.x] = cache[0];
}
LAUNCHABLE(dot_shared, const elem *, const elem *, elem *, size_t)

/* A fault: a cache of a fixed size, whatever the block. */
EXTERN_C __global__ void NAME(dot_fixed_cache)(const elem *a, const elem *b, elem *c, size_t n)
{
    __shared__ elem cache[256];
    unsigned t = threadIdx.x;
    elem sum = ELEM(0);
    for (size_t i = GLOBAL_THREAD; i < n; i += GRID_THREADS)
        sum = ADD(sum, MULTIPLY(a[i], b[i]));
    cache[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            cache[t] = ADD(cache[t], cache[t + s]);
        __syncthreads();
    }
    if (t == 0)
        c[blockIdx.x] = cache[0];
}
LAUNCHABLE(dot_fixed_cache, const elem *, const elem *, elem *, size_t)

/* The blocks' sums, folded by one block, in place: c[0] is then the sum of c[0..count). */
EXTERN_C __global__ void NAME(sum_partials)(elem *c, size_t count)
{
    DYNAMIC_SHARED(elem, cache);
    unsigned t = threadIdx.x;
    elem sum = ELEM(0);
    for (size_t i = t; i < count; i += blockDim.x)
        sum = ADD(sum, c[i]);
    cache[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        CHECKPOINT(PARTIALS, cache, blockDim.x, 2 * s);
        if (t < s)
            cache[t] = ADD(cache[t], cache[t + s]);
        __syncthreads();
    }
    CHECKPOINT(PARTIALS, cache, blockDim.x, 1);
    if (t == 0)
        c[0] = cache[0];
}
LAUNCHABLE(sum_partials, elem *, size_t)

ALSO_OF_HALVES
