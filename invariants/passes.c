// SPDX-License-Identifier: MIT
#include "passes.h"
#include "powers_of_two.h"
#include "terms.h"

/* The width that a fold of the block begins with. */
static size_t widest(const struct rd_passing *by)
{
    return rd_power_of_two_from(rd_round_threads(by->round));
}

size_t rd_passes_fold(const struct rd_passing *by)
{
    return rd_tree_height(widest(by)) + 1;
}

size_t rd_passes_block_fold(const struct rd_passing *by)
{
    return by->round->kernel == RD_KERNEL_SUM_PARTIALS ? 0 : rd_passes_fold(by);
}

size_t rd_passes_fold_above(const struct rd_passing *by, size_t width)
{
    size_t first = widest(by);
    return first > width ? rd_tree_height(first / width) : 0;
}

size_t rd_passes_shuffle(const struct rd_passing *by)
{
    (void)by;
    return rd_tree_height(RD_WARP_LANES) + 1;
}

size_t rd_passes_shuffle_of_first(const struct rd_passing *by)
{
    return by->warp == 0 ? rd_passes_shuffle(by) : 0;
}

size_t rd_passes_grid_stride(const struct rd_passing *by)
{
    const size_t threads = rd_grid_threads(by->shape);
    return (by->shape->n + threads - 1) / threads + 1;
}

uint64_t rd_pass_grid_stride(const struct rd_passing *by, size_t k)
{
    return k * rd_grid_threads(by->shape);
}
