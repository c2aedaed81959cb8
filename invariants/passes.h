// SPDX-License-Identifier: MIT
/* How often kernels come to checkpoints, where not at each of the law's steps: members of an rd_point_invariant that
 * several of them share. */
#ifndef RD_PASSES_H
#define RD_PASSES_H

#include "program.h"

/* A fold of the block's threads, by all of them: w = P, P/2, …, 1, where P is the least power of two that
 * is not less than their number. */
size_t rd_passes_fold(const struct rd_passing *by);

/* The same in all kernels but the one that adds the blocks' sums behind them. */
size_t rd_passes_block_fold(const struct rd_passing *by);

/* A fold that stops at `width`: w = P, P/2, …, 2 width; none where P is no more than that. */
size_t rd_passes_fold_above(const struct rd_passing *by, size_t width);

/* A shuffle over the lanes of each warp, or of the block's first: w = 32, 16, …, 1. */
size_t rd_passes_shuffle(const struct rd_passing *by);
size_t rd_passes_shuffle_of_first(const struct rd_passing *by);

/* A loop over the whole grid, of a thread each trip: base = 0, G, 2G, …, up to the first that is not below
 * n. */
size_t rd_passes_grid_stride(const struct rd_passing *by);
uint64_t rd_pass_grid_stride(const struct rd_passing *by, size_t k);

#endif
