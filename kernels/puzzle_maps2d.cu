// SPDX-License-Identifier: MIT
/* Puzzles in two dimensions: n rows of n elements, one behind the other, and square blocks of
 * threads. Columns are x, so that threads side by side touch elements side by side.
 *
 *                 blockIdx.x = 0   1
 *                  +-------+-------+
 *      blockIdx.y  | . . . | . . | x      n = 5, blocks of 3 x 3: 36 threads for 25 elements;
 *          = 0     | . . . | . . | x      those at x have none
 *                  | . . . | . . | x
 *                  +-------+-------+
 *          = 1     | . . . | . . | x
 *                  | . . . | . . | x
 *                  | x x x | x x x x
 *
 * invariants/puzzle_maps2d.c says what they leave in `out`. */
#include "kernel.h"

/* Puzzles 4 and 7: the same, in one block and in several. */
EXTERN_C __global__ void NAME(puzzle_map2d)(const elem *a, elem *out, size_t n)
{
    size_t column = GLOBAL_THREAD, row = GLOBAL_THREAD_Y;
    if (row < n && column < n)
        out[row * n + column] = a[row * n + column] + 10;
}
LAUNCHABLE(puzzle_map2d, const elem *, elem *, size_t)

/* Puzzle 5: a is a column, b is a row. */
EXTERN_C __global__ void NAME(puzzle_broadcast)(const elem *a, const elem *b, elem *out, size_t n)
{
    size_t column = GLOBAL_THREAD, row = GLOBAL_THREAD_Y;
    if (row < n && column < n)
        out[row * n + column] = a[row] + b[column];
}
LAUNCHABLE(puzzle_broadcast, const elem *, const elem *, elem *, size_t)

/* A fault: each thread makes all elements. */
EXTERN_C __global__ void NAME(puzzle_map2d_every_cell)(const elem *a, elem *out, size_t n)
{
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < n; column++)
            out[row * n + column] = a[row * n + column] + 10;
}
LAUNCHABLE(puzzle_map2d_every_cell, const elem *, elem *, size_t)

/* A fault: each thread makes all elements. */
EXTERN_C __global__ void NAME(puzzle_broadcast_every_cell)(const elem *a, const elem *b, elem *out,
                                                           size_t n)
{
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < n; column++)
            out[row * n + column] = a[row] + b[column];
}
LAUNCHABLE(puzzle_broadcast_every_cell, const elem *, const elem *, elem *, size_t)
