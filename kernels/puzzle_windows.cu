// SPDX-License-Identifier: MIT
/* Puzzles in which an element of the result is made from elements side by side, which other threads of
 * the block have loaded. invariants/puzzle_windows.c says what they leave in `out`. */
#include "kernel.h"

/* Puzzle 9: each element and the two before it. A thread reads one element and writes one, so that
 * all blocks but the first begin with two threads that load for the others, and write nothing:
 *
 *      block 0:  i = 0 1 2 3 4 5 6 7                           T = 8
 *      block 1:                  6 7 8 9 ...                   begins at T - 2
 *                                - - ^ ^
 */
EXTERN_C __global__ void NAME(puzzle_pool)(const elem *a, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, copy);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD - 2 * (size_t)blockIdx.x;
    if (i < n)
        copy[t] = a[i];
    __syncthreads();
    if (i < n && (t >= 2 || blockIdx.x == 0)) {
        elem sum = 0;
        for (unsigned back = 0; back < 3 && back <= t; back++)
            sum += copy[t - back];
        out[i] = sum;
    }
}
LAUNCHABLE(puzzle_pool, const elem *, elem *, size_t)

/* A fault: blocks that begin where the one before ends, as if nobody were there. */
EXTERN_C __global__ void NAME(puzzle_pool_no_halo)(const elem *a, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, copy);
    unsigned t = threadIdx.x;
    size_t i = GLOBAL_THREAD;
    if (i < n)
        copy[t] = a[i];
    __syncthreads();
    if (i < n) {
        elem sum = 0;
        for (unsigned back = 0; back < 3 && back <= t; back++)
            sum += copy[t - back];
        out[i] = sum;
    }
}
LAUNCHABLE(puzzle_pool_no_halo, const elem *, elem *, size_t)

/* Puzzle 11: each element and the m - 1 behind it, times b. A thread reads its element, and one more:
 * of the halo, which belongs to the next block, or of b:
 *
 *      thread:     0  1  2  3  4  5  6  7                      T = 8, m = 4
 *      a_tile:   [ a0 a1 a2 a3 a4 a5 a6 a7 | a8 a9 a10 ]       first read, then the halo by 0 .. 2
 *      b_tile:   [ b0 b1 b2 b3 ]                               by threads 3 .. 6
 */
EXTERN_C __global__ void NAME(puzzle_conv1d)(const elem *a, const elem *b, elem *out, size_t n,
                                             size_t m)
{
    DYNAMIC_SHARED(elem, a_tile);
    size_t t = threadIdx.x, i = GLOBAL_THREAD, halo = m - 1;
    elem *b_tile = a_tile + blockDim.x + halo;
    a_tile[t] = i < n ? a[i] : 0;
    if (t < halo)
        a_tile[blockDim.x + t] = i + blockDim.x < n ? a[i + blockDim.x] : 0;
    else if (t < halo + m)
        b_tile[t - halo] = b[t - halo];
    __syncthreads();
    if (i < n) {
        elem sum = 0;
        for (size_t j = 0; j < m && i + j < n; j++)
            sum += a_tile[t + j] * b_tile[j];
        out[i] = sum;
    }
}
LAUNCHABLE(puzzle_conv1d, const elem *, const elem *, elem *, size_t, size_t)

/* A fault: the first threads load of all three: their element, the halo and b. */
EXTERN_C __global__ void NAME(puzzle_conv1d_three_reads)(const elem *a, const elem *b, elem *out,
                                                         size_t n, size_t m)
{
    DYNAMIC_SHARED(elem, a_tile);
    size_t t = threadIdx.x, i = GLOBAL_THREAD, halo = m - 1;
    elem *b_tile = a_tile + blockDim.x + halo;
    a_tile[t] = i < n ? a[i] : 0;
    if (t < m)
        b_tile[t] = b[t];
    if (t < halo)
        a_tile[blockDim.x + t] = i + blockDim.x < n ? a[i + blockDim.x] : 0;
    __syncthreads();
    if (i < n) {
        elem sum = 0;
        for (size_t j = 0; j < m && i + j < n; j++)
            sum += a_tile[t + j] * b_tile[j];
        out[i] = sum;
    }
}
LAUNCHABLE(puzzle_conv1d_three_reads, const elem *, const elem *, elem *, size_t, size_t)

/* A fault: room for 4 elements of b, and a loop over all m. */
EXTERN_C __global__ void NAME(puzzle_conv1d_room_for_4)(const elem *a, const elem *b, elem *out,
                                                        size_t n, size_t m)
{
    DYNAMIC_SHARED(elem, a_tile);
    __shared__ elem b_tile[4];
    size_t t = threadIdx.x, i = GLOBAL_THREAD, halo = m - 1;
    a_tile[t] = i < n ? a[i] : 0;
    if (t < halo)
        a_tile[blockDim.x + t] = i + blockDim.x < n ? a[i + blockDim.x] : 0;
    else if (t - halo < 4)
        b_tile[t - halo] = t - halo < m ? b[t - halo] : 0;
    __syncthreads();
    if (i < n) {
        elem sum = 0;
        for (size_t j = 0; j < m && i + j < n; j++)
            sum += a_tile[t + j] * b_tile[j];
        out[i] = sum;
    }
}
LAUNCHABLE(puzzle_conv1d_room_for_4, const elem *, const elem *, elem *, size_t, size_t)
