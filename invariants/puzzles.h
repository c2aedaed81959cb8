// SPDX-License-Identifier: MIT
/* Definitions shared by the puzzles: a launch with a thread for each element, in one dimension or two, and an
 * array that starts as zeros and gets each of its cells in one round. */
#ifndef RD_PUZZLES_H
#define RD_PUZZLES_H

#include "reductio/program.h"

/* ---- both ---- */

/* The paragraph of a map: each element from those of the same number. */
#define RD_LAW_MAP(inputs, value)                                                                  \
    "input " inputs "\n"                                                                           \
    "array A[n]\n"                                                                                 \
    "law when d = 0: for 0 <= i < n: A[i] = 0; when d = 1: for 0 <= i < n: A[i] = " value "\n"

/* ---- one dimension ---- */

#define RD_LAW_ADD_TEN RD_LAW_MAP("a[n]", "a[i] + 10")

#define RD_PUZZLE_TEN_GOAL "A[i] = a[i] + 10 for all i"

/* ---- two dimensions: n rows of n, blocks of block x block threads ---- */

/* 32 x 32 threads are a block of 1024, and so many blocks there are in y on every CUDA device so far. */
#define RD_PUZZLE_ACCEPT_SQUARE                                                                    \
    "T <= 32 else 'block' is {T}, the side of a square, and a block of {T} x {T} threads is more " \
    "than 1024: use at most 32\n"                                                                  \
    "ceil(n / T) <= 65535 else 'n' is {n}, the side of a square, and a grid has at most 65535 "    \
    "rows of blocks: use at most {65535*T}, or larger blocks\n"

#endif
