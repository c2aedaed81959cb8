// SPDX-License-Identifier: MIT
/* The fold of a block's array in shared memory, which many kernels share: what each cell holds at
 * the checkpoint of width w, and what a block ends with. */
#ifndef RD_BLOCK_FOLD_H
#define RD_BLOCK_FOLD_H

#include "passes.h"
#include "terms.h"

/* Members of an rd_point_invariant: the cache has one cell a thread, and thread t of block k starts
 * with the sum of the terms that it strides over. The variable is the width. */
size_t rd_block_fold_cells(const struct rd_shape *shape);
void rd_block_fold_advance(struct rd_expect *expect, const struct rd_place *at, bool first);
/* All kernels that have it, but not the one that adds the blocks' sums behind them. */
size_t rd_block_fold_passes(const struct rd_passing *by);

/* Puts what the threads of block k start with into the expectation: sums of terms of this kind. */
void rd_block_fold_begin(struct rd_expect *expect, rd_term_fn *term, uint64_t block);

/* What block k ends with: the sum over its threads, of terms of this kind. */
rd_bits rd_block_fold_sum(const struct rd_expect *expect, rd_term_fn *term, uint64_t block);

/* Members of an rd_program for a launch that leaves one sum a block in A: A is 0 before it, and
 * A[k] is block k's sum after it. */
size_t rd_block_sums_cells(const struct rd_shape *shape);
void rd_block_sums_advance(struct rd_expect *expect, unsigned step);

/* Blocks of a run where the user says nothing: enough for one thread an element, but at most 32. */
size_t rd_block_fold_grid(const struct rd_shape *shape);

#endif
