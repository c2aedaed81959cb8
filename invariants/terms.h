// SPDX-License-Identifier: MIT
/* What invariants of blocks share: the terms that are summed, which thread adds which of them, and
 * the trees in which blocks add. All of it is worked out from the input alone, one rounding after
 * the other as the kernels' documents have it. */
#ifndef RD_TERMS_H
#define RD_TERMS_H

#include "program.h"

/* Term j: a[j]*b[j], or a[j] where there is no b. */
rd_bits rd_term(const struct rd_expect *expect, size_t j);

/* A term of another kind; a[j]^2. */
typedef rd_bits rd_term_fn(const struct rd_expect *expect, size_t j);
rd_bits rd_term_square(const struct rd_expect *expect, size_t j);
rd_bits rd_stride_sum_of(const struct rd_expect *expect, rd_term_fn *term, size_t first,
                         size_t stride);

/* 0 + term(first) + term(first + stride) + …, as far as there are inputs. */
rd_bits rd_stride_sum(const struct rd_expect *expect, size_t first, size_t stride);

/* 0 + the first of these terms + the second + … */
rd_bits rd_terms_sum(const struct rd_expect *expect, const struct rd_terms *terms);

/* How many threads the grid has: what a thread strides over. */
size_t rd_grid_threads(const struct rd_shape *shape);
/* The thread of the grid that adds input j, when threads stride over the grid: j mod
 * their number. */
/* How many terms the busiest of them adds. */
size_t rd_trips(const struct rd_shape *shape, size_t n_inputs);

/* The height of what the busiest of them adds, and of what a block makes that folds it: the additions
 * on the longest way, but for the first of a thread, as 0 + x rounds nothing. */
unsigned rd_trips_height(const struct rd_shape *shape, size_t n_inputs);
unsigned rd_block_height(const struct rd_shape *shape, size_t n_inputs);

/* Moves cells[0..w) to cells[0..h), h = ceil(w/2): cells[i] = cells[i] + cells[i+h] where there is
 * one, until `width` are left. expect->width is how many there are now. */
void rd_tree_fold(struct rd_expect *expect, size_t width);

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
