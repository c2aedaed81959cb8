// SPDX-License-Identifier: MIT
/* Puzzle 14: the product of two squares of n x n, tile by tile.
 *
 *      a:  rows of the block            b:  columns of the block
 *
 *          . . .  . . .  . .                . . . | # # # | . .
 *          # # #  # # #  # #                . . . | # # # | . .        T = 3, n = 8
 *          # # #  # # #  # #                . . . | # # # | . .        block (1, 1) has
 *          # # #  # # #  # #                . . . | # # # | . .        rows and columns 3 .. 5
 *          . . .  . . .  . .                . . . | # # # | . .
 *          tile 0 tile 1 tile 2             ... tile 0 above, then 1, then 2
 *
 * invariants/puzzle_matmul.c says what holds at the head of the loop over tiles. */
#include "kernel.h"

EXTERN_C __global__ void NAME(puzzle_matmul)(const elem *a, const elem *b, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, a_tile);
    unsigned side = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    size_t column = GLOBAL_THREAD, row = GLOBAL_THREAD_Y;
    elem *b_tile = a_tile + side * side;
    elem sum = 0;
    for (size_t first = 0; first < n; first += side) {
        CHECKPOINT_LANE(TILE, sum, first);
        a_tile[y * side + x] = row < n && first + x < n ? a[row * n + first + x] : 0;
        b_tile[y * side + x] = column < n && first + y < n ? b[(first + y) * n + column] : 0;
        __syncthreads();
        for (unsigned k = 0; k < side; k++)
            sum += a_tile[y * side + k] * b_tile[k * side + x];
        __syncthreads();
    }
    CHECKPOINT_LANE(TILE, sum, n);
    if (row < n && column < n)
        out[row * n + column] = sum;
}
LAUNCHABLE(puzzle_matmul, const elem *, const elem *, elem *, size_t)

/* A fault: all of a row and of a column from global memory, which the text's count of reads warns
 * of. */
EXTERN_C __global__ void NAME(puzzle_matmul_no_tiles)(const elem *a, const elem *b, elem *out,
                                                      size_t n)
{
    size_t column = GLOBAL_THREAD, row = GLOBAL_THREAD_Y;
    if (row < n && column < n) {
        elem sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + column];
        out[row * n + column] = sum;
    }
}
LAUNCHABLE(puzzle_matmul_no_tiles, const elem *, const elem *, elem *, size_t)

/* A fault: no barrier at the end of the loop, so that the next tile may come too early. */
EXTERN_C __global__ void NAME(puzzle_matmul_one_barrier)(const elem *a, const elem *b, elem *out,
                                                         size_t n)
{
    DYNAMIC_SHARED(elem, a_tile);
    unsigned side = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    size_t column = GLOBAL_THREAD, row = GLOBAL_THREAD_Y;
    elem *b_tile = a_tile + side * side;
    elem sum = 0;
    for (size_t first = 0; first < n; first += side) {
        CHECKPOINT_LANE(TILE, sum, first);
        a_tile[y * side + x] = row < n && first + x < n ? a[row * n + first + x] : 0;
        b_tile[y * side + x] = column < n && first + y < n ? b[(first + y) * n + column] : 0;
        __syncthreads();
        for (unsigned k = 0; k < side; k++)
            sum += a_tile[y * side + k] * b_tile[k * side + x];
    }
    CHECKPOINT_LANE(TILE, sum, n);
    if (row < n && column < n)
        out[row * n + column] = sum;
}
LAUNCHABLE(puzzle_matmul_one_barrier, const elem *, const elem *, elem *, size_t)
