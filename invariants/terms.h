// SPDX-License-Identifier: MIT
/* What invariants of blocks share: the terms that are summed, which thread adds which of them, and
 * the trees in which blocks add. All of it is worked out from the input alone, one rounding after
 * the other as the kernels' documents have it. */
#ifndef RD_TERMS_H
#define RD_TERMS_H

#include "program.h"

/* A term of another kind; a[j]^2. */
typedef rd_bits rd_term_fn(const struct rd_expect *expect, size_t j);

/* How many threads the grid has: what a thread strides over. */
size_t rd_grid_threads(const struct rd_shape *shape);
/* The thread of the grid that adds input j, when threads stride over the grid: j mod
 * their number. */
/* How many terms the busiest of them adds. */
size_t rd_trips(const struct rd_shape *shape, size_t n_inputs);

/* The smallest h with 2^h >= n: the height of a balanced tree of n leaves. */
unsigned rd_tree_height(size_t n);

/* ceil(n / block), and no more than grid_max: the blocks for one thread an element. */
size_t rd_grid_for(size_t n, unsigned block, size_t grid_max);

/* "for 0 <= i < 8: A[i] = 0", of so many cells: what is said before a launch that writes them all. */
/* "t" or "8 + t": a sum with what may be 0 in front. Returns text. */
enum { RD_SUM_TEXT_SIZE = 64 };

/* Refuses a block that is not a power of two. */
enum rd_status rd_accept_block_power_of_two(const struct rd_shape *shape, struct rd_error *error);

#endif
