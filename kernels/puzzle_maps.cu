// SPDX-License-Identifier: MIT
/* Puzzles in one dimension: a thread makes one element of the result from the elements of the same
 * number.
 *
 *      block:       0           1           2
 *      thread:   0 1 2 3     0 1 2 3     0 1 2 3
 *      i:        0 1 2 3     4 5 6 7     8 . . .       n = 9: three threads are idle
 *
 * invariants/puzzle_maps.c says what they leave in `out`. */
#include "kernel.h"

/* Puzzles 1, 3 and 6: the same, launched with as many threads as elements, with more, and in
 * several blocks. */
EXTERN_C __global__ void NAME(puzzle_map)(const elem *a, elem *out, size_t n)
{
    size_t i = GLOBAL_THREAD;
    if (i < n)
        out[i] = a[i] + 10;
}
LAUNCHABLE(puzzle_map, const elem *, elem *, size_t)

/* Puzzle 2. */
EXTERN_C __global__ void NAME(puzzle_zip)(const elem *a, const elem *b, elem *out, size_t n)
{
    size_t i = GLOBAL_THREAD;
    if (i < n)
        out[i] = a[i] + b[i];
}
LAUNCHABLE(puzzle_zip, const elem *, const elem *, elem *, size_t)

/* A fault: no guard. */
EXTERN_C __global__ void NAME(puzzle_map_no_guard)(const elem *a, elem *out)
{
    size_t i = GLOBAL_THREAD;
    out[i] = a[i] + 10;
}
LAUNCHABLE(puzzle_map_no_guard, const elem *, elem *)

/* A fault: no guard. */
EXTERN_C __global__ void NAME(puzzle_zip_no_guard)(const elem *a, const elem *b, elem *out)
{
    size_t i = GLOBAL_THREAD;
    out[i] = a[i] + b[i];
}
LAUNCHABLE(puzzle_zip_no_guard, const elem *, const elem *, elem *)

/* A fault: a loop where the guard should be, so that each thread makes all elements. */
EXTERN_C __global__ void NAME(puzzle_guard_every_cell)(const elem *a, elem *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = a[i] + 10;
}
LAUNCHABLE(puzzle_guard_every_cell, const elem *, elem *, size_t)
