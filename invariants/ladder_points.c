// SPDX-License-Identifier: MIT
/* The invariants inside kernels that several rungs of the ladder share. */
#include "ladder.h"
#include "powers_of_two.h"

static size_t least(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* ---- folds in shared memory ---- */

void rd_ladder_fold_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                            const struct rd_place *at, bool first)
{
    size_t T = expect->shape.block;
    if (first) {
        expect->width = rd_power_of_two_from(T);
        for (size_t t = 0; t < T; t++)
            expect->numeric->store(expect->cells, t, load->own(expect, at->block * T + t));
    }
    rd_ladder_halve(expect, T, at->variable);
}

/* By what the kernels leave to the last warp. */
size_t rd_ladder_fold_passes(const struct rd_passing *by)
{
    switch (by->round->kernel) {
    case RD_KERNEL_LADDER_SEQUENTIAL:
    case RD_KERNEL_LADDER_FIRST_ADD:
        return rd_passes_fold(by);
    case RD_KERNEL_LADDER_LOCKSTEP:
    case RD_KERNEL_LADDER_ONE_SYNCWARP:
    case RD_KERNEL_LADDER_DESCENDING:
        return rd_passes_fold_above(by, 2 * RD_WARP_LANES);
    default:
        return rd_passes_fold_above(by, RD_WARP_LANES);
    }
}

/* Faults whose last warp does otherwise have no checkpoints there. */
size_t rd_ladder_last_warp_passes(const struct rd_passing *by)
{
    switch (by->round->kernel) {
    case RD_KERNEL_LADDER_SHORT_MASK:
    case RD_KERNEL_LADDER_LOCKSTEP:
    case RD_KERNEL_LADDER_ONE_SYNCWARP:
    case RD_KERNEL_LADDER_DESCENDING:
        return 0;
    default:
        return rd_passes_shuffle_of_first(by);
    }
}

void rd_ladder_last_warp_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                                 const struct rd_place *at, bool first)
{
    size_t T = expect->shape.block, lanes = rd_ladder_lanes(&expect->shape, 0);
    if (first) {
        const struct rd_place end = {.block = at->block, .variable = RD_WARP_LANES};
        struct rd_expect block = *expect;
        rd_bits cells[RD_BLOCK_MAX];
        block.cells = cells;
        rd_ladder_fold_advance(&block, load, &end, true);
        for (size_t l = 0; l < lanes; l++)
            expect->numeric->store(expect->cells, l, expect->numeric->load(cells, l));
        expect->width = RD_WARP_LANES;
    }
    rd_ladder_halve(expect, least(T, RD_WARP_LANES), at->variable);
}

/* ---- what lanes bring ---- */

size_t rd_ladder_first_thread(const struct rd_shape *shape, const struct rd_place *at)
{
    return at->block * shape->block + (size_t)at->warp * RD_WARP_LANES;
}

/* ---- shuffles ---- */

void rd_ladder_lanes_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                             const struct rd_place *at, bool first)
{
    size_t lanes = rd_ladder_lanes(&expect->shape, at->warp);
    size_t thread = rd_ladder_first_thread(&expect->shape, at);
    if (first) {
        expect->width = RD_WARP_LANES;
        for (size_t l = 0; l < lanes; l++)
            expect->numeric->store(expect->cells, l, load->own(expect, thread + l));
    }
    rd_ladder_halve(expect, lanes, at->variable);
}

/* ---- the warps' sums ---- */

void rd_ladder_warp_sums_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                                 const struct rd_place *at)
{
    rd_bits sums[RD_WARP_LANES];
    rd_ladder_warp_sums(expect, load, at->block, sums);
    for (size_t w = 0; w < rd_ladder_parts(&expect->shape, RD_WARP_LANES); w++)
        expect->numeric->store(expect->cells, w, sums[w]);
}

/* It stands behind the barrier, which a fault lacks. */
size_t rd_ladder_warp_sums_passes(const struct rd_passing *by)
{
    return by->round->kernel != RD_KERNEL_LADDER_NO_BARRIER;
}

void rd_ladder_sums_advance(struct rd_expect *expect, const struct rd_ladder_load *load,
                            const struct rd_place *at, bool first)
{
    rd_bits sums[RD_WARP_LANES];
    if (first) {
        rd_ladder_warp_sums(expect, load, at->block, sums);
        rd_ladder_gather(expect, sums, rd_ladder_parts(&expect->shape, RD_WARP_LANES));
    }
    rd_ladder_halve(expect, rd_ladder_lanes(&expect->shape, 0), at->variable);
}
