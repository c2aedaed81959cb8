// SPDX-License-Identifier: MIT
#include "block_fold.h"

/* ---- at a checkpoint ---- */

void rd_block_fold_begin(struct rd_expect *expect, rd_term_fn *term, uint64_t block)
{
    const struct rd_shape *shape = &expect->shape;
    expect->width = shape->block;
    for (size_t t = 0; t < shape->block; t++)
        expect->numeric->store(
            expect->cells, t,
            rd_stride_sum_of(expect, term, block * shape->block + t, rd_grid_threads(shape)));
}

void rd_block_fold_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    if (first)
        rd_block_fold_begin(expect, rd_term, at->block);
    rd_tree_fold(expect, at->variable);
}

size_t rd_block_fold_passes(const struct rd_passing *by)
{
    return by->round->kernel == RD_KERNEL_SUM_PARTIALS ? 0 : rd_passes_fold(by);
}

/* ---- after the launch ---- */

rd_bits rd_block_fold_sum(const struct rd_expect *expect, rd_term_fn *term, uint64_t block)
{
    rd_bits cells[RD_BLOCK_MAX];
    struct rd_expect cache = *expect;
    cache.cells = cells;
    rd_block_fold_begin(&cache, term, block);
    rd_tree_fold(&cache, 1);
    return expect->numeric->load(cells, 0);
}

void rd_block_sums_advance(struct rd_expect *expect, unsigned step)
{
    const struct rd_shape *shape = &expect->shape;
    if (step == 0)
        return;
    for (uint64_t k = 0; k < shape->grid; k++)
        expect->numeric->store(expect->cells, k, rd_block_fold_sum(expect, rd_term, k));
    /* A product, what a block makes, and what adds the blocks' sums, one after the other. */
    expect->height =
        (expect->b != NULL) + rd_block_height(shape, expect->n_inputs) + (unsigned)shape->grid - 1;
}
