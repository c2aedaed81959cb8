// SPDX-License-Identifier: MIT
/* Puzzles in which a block adds what its threads have loaded. invariants/puzzle_dot.c and
 * invariants/puzzle_sums.c say what holds at each checkpoint. */
#include "kernel.h"

/* Puzzle 10: one thread adds the products of all.
 *
 *      product:  [ p0 p1 p2 p3 p4 p5 p6 p7 ]
 *                  +  +  +  +  +  +  +  +      thread 0, one after the other
 */
EXTERN_C __global__ void NAME(puzzle_dot)(const elem *a, const elem *b, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, product);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD;
    product[t] = i < n ? a[i] * b[i] : 0;
    __syncthreads();
    if (t == 0) {
        elem total = 0;
        for (unsigned j = 0; j < blockDim.x; j++) {
            total += product[j];
            CHECKPOINT_LANE(SERIAL, total, j + 1);
        }
        out[blockIdx.x] = total;
    }
}
LAUNCHABLE(puzzle_dot, const elem *, const elem *, elem *, size_t)

/* A fault: adds as many products as there are, not as many as its block has made. */
EXTERN_C __global__ void NAME(puzzle_dot_beyond_the_block)(const elem *a, const elem *b, elem *out,
                                                           size_t n)
{
    DYNAMIC_SHARED(elem, product);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD;
    product[t] = i < n ? a[i] * b[i] : 0;
    __syncthreads();
    if (t == 0) {
        elem total = 0;
        for (size_t j = 0; j < n; j++)
            total += product[j];
        out[blockIdx.x] = total;
    }
}
LAUNCHABLE(puzzle_dot_beyond_the_block, const elem *, const elem *, elem *, size_t)

/* A fault: all blocks leave their sums in the same cell. */
EXTERN_C __global__ void NAME(puzzle_dot_one_cell)(const elem *a, const elem *b, elem *out,
                                                   size_t n)
{
    DYNAMIC_SHARED(elem, product);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD;
    product[t] = i < n ? a[i] * b[i] : 0;
    __syncthreads();
    if (t == 0) {
        elem total = 0;
        for (unsigned j = 0; j < blockDim.x; j++) {
            total += product[j];
            CHECKPOINT_LANE(SERIAL, total, j + 1);
        }
        out[0] = total;
    }
}
LAUNCHABLE(puzzle_dot_one_cell, const elem *, const elem *, elem *, size_t)

/* Puzzle 12: the block folds. A block is a power of two.
 *
 *      cache:  [ x0 x1 x2 x3 | x4 x5 x6 x7 ]       s = 4
 *                 +  +  +  +
 *                x4 x5 x6 x7
 */
EXTERN_C __global__ void NAME(puzzle_block_sum)(const elem *a, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD;
    cache[t] = i < n ? a[i] : 0;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 2 * s);
        if (t < s)
            cache[t] += cache[t + s];
        __syncthreads();
    }
    CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 1);
    if (t == 0)
        out[blockIdx.x] = cache[0];
}
LAUNCHABLE(puzzle_block_sum, const elem *, elem *, size_t)

/* Puzzle 13: the same for each row; blockIdx.y says which.
 *
 *      rows 0 .. 3 of n       out: a row of as many cells as blocks
 */
EXTERN_C __global__ void NAME(puzzle_axis_sum)(const elem *a, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD, row = blockIdx.y;
    cache[t] = i < n ? a[row * n + i] : 0;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 2 * s);
        if (t < s)
            cache[t] += cache[t + s];
        __syncthreads();
    }
    CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 1);
    if (t == 0)
        out[row * gridDim.x + blockIdx.x] = cache[0];
}
LAUNCHABLE(puzzle_axis_sum, const elem *, elem *, size_t)

/* A fault: writes the result within the loop. */
EXTERN_C __global__ void NAME(puzzle_axis_sum_write_in_loop)(const elem *a, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD, row = blockIdx.y;
    cache[t] = i < n ? a[row * n + i] : 0;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 2 * s);
        if (t < s)
            cache[t] += cache[t + s];
        __syncthreads();
        if (t == 0)
            out[row * gridDim.x + blockIdx.x] = cache[0];
    }
    CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 1);
}
LAUNCHABLE(puzzle_axis_sum_write_in_loop, const elem *, elem *, size_t)
