// SPDX-License-Identifier: MIT
/* What the puzzles share: a launch with a thread for each element, in one dimension or two, and an
 * array that starts as zeros and gets each of its cells in one round. */
#ifndef RD_PUZZLES_H
#define RD_PUZZLES_H

#include "program.h"

/* ---- both ---- */

/* The paragraph of a map: each element from those of the same number. */
#define RD_LAW_MAP(inputs, value)                                                                  \
    "input " inputs "\n"                                                                           \
    "array A[n]\n"                                                                                 \
    "law when d = 0: for 0 <= i < n: A[i] = 0; when d = 1: for 0 <= i < n: A[i] = " value "\n"

/* ---- one dimension ---- */

#define RD_PUZZLE_TEN_GOAL "A[i] = a[i] + 10 for all i"

/* ---- two dimensions: n rows of n, blocks of block x block threads ---- */

/* Refuses blocks of more threads than a block has, and more rows than a grid has. */
enum rd_status rd_puzzle_square_accept(const struct rd_shape *shape, struct rd_error *error);

#endif
