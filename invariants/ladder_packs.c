// SPDX-License-Identifier: MIT
/* The invariants of the ladder's rungs that load packs of elements: inside their kernels, and of A[0]
 * after the launch. */
#include "ladder.h"
#include "terms.h"

/* ---- the loop over packs ---- */

/* A run of the packs before `base`, and of no tail, is one of so many elements. */
static void stride_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    size_t packs = expect->n_inputs / RD_LADDER_PACK;
    struct rd_expect until = *expect;
    (void)first;
    until.n_inputs = (at->variable < packs ? at->variable : packs) * RD_LADDER_PACK;
    for (size_t l = 0; l < rd_ladder_lanes(&expect->shape, at->warp); l++)
        expect->numeric->store(
            expect->cells, l,
            rd_ladder_packs.own(&until, rd_ladder_first_thread(&expect->shape, at) + l));
}

/* In a trip each thread loads 64 bytes: four packs of elements of 4 bytes, two of 8 bytes. */
static size_t packs_of_a_trip(const struct rd_passing *by)
{
    size_t pack_bytes = RD_LADDER_PACK * rd_numeric(by->type)->size_bytes;
    return 64 / pack_bytes * rd_grid_threads(by->shape);
}

static size_t stride_passes(const struct rd_passing *by)
{
    size_t packs = by->shape->n / RD_LADDER_PACK, trip = packs_of_a_trip(by);
    return (packs + trip - 1) / trip + 1;
}

static uint64_t stride_at(const struct rd_passing *by, size_t k)
{
    return k * packs_of_a_trip(by);
}

static const struct rd_point_invariant pack_stride = {
    .point = RD_POINT_PACK_STRIDE,
    .array = "r",
    .variable = "base",
    .passes = stride_passes,
    .variable_at = stride_at,
    .advance = stride_advance,
};

/* ---- the block, by shuffles twice ---- */

static void lanes_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    rd_ladder_lanes_advance(expect, &rd_ladder_packs, at, first);
}

static const struct rd_point_invariant lanes = {
    .point = RD_POINT_SHUFFLE_DOWN,
    .array = "r",
    .variable = "w",
    .advance = lanes_advance,
};

static void warp_sums_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    (void)first;
    rd_ladder_warp_sums_advance(expect, &rd_ladder_packs, at);
}

static const struct rd_point_invariant warp_sums = {
    .point = RD_POINT_WARP_SUMS,
    .array = "s",
    .variable = "warps",
    .passes = rd_ladder_warp_sums_passes,
    .advance = warp_sums_advance,
};

static void sums_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    rd_ladder_sums_advance(expect, &rd_ladder_packs, at, first);
}

static const struct rd_point_invariant sums = {
    .point = RD_POINT_SHUFFLE_SUMS,
    .array = "r",
    .variable = "w",
    .passes = rd_passes_shuffle_of_first,
    .advance = sums_advance,
};

/* ---- the last block adds the blocks' sums ---- */

/* Puts lane l's sum of the partials l, l + L, … into the cells; they are made one after the other. */
static void gather_partials(struct rd_expect *expect)
{
    const struct rd_numeric *numeric = expect->numeric;
    size_t L = rd_ladder_lanes(&expect->shape, 0);
    for (size_t l = 0; l < L; l++)
        numeric->store(expect->cells, l, numeric->from_u64(0));
    for (uint64_t k = 0; k < expect->shape.grid; k++)
        numeric->store(expect->cells, k % L,
                       numeric->add(numeric->load(expect->cells, k % L),
                                    rd_ladder_twice(expect, &rd_ladder_packs, k)));
    expect->width = RD_WARP_LANES;
}

static void partials_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    if (first)
        gather_partials(expect);
    rd_ladder_halve(expect, rd_ladder_lanes(&expect->shape, 0), at->variable);
}

static const struct rd_point_invariant partials = {
    .point = RD_POINT_SHUFFLE_PARTIALS,
    .array = "r",
    .variable = "w",
    .of_last_block = true,
    .passes = rd_passes_shuffle_of_first,
    .advance = partials_advance,
};

/* Behind a barrier of the grid, it is the first block that adds. */
static size_t of_block_0(const struct rd_passing *by)
{
    return by->block == 0 ? rd_passes_shuffle_of_first(by) : 0;
}

static const struct rd_point_invariant partials_of_block_0 = {
    .point = RD_POINT_SHUFFLE_PARTIALS,
    .array = "r",
    .variable = "w",
    .passes = of_block_0,
    .advance = partials_advance,
};

const struct rd_point_invariant *const rd_ladder_atomic_points[] = {&pack_stride, &lanes,
                                                                    &warp_sums, &sums, NULL};
const struct rd_point_invariant *const rd_ladder_last_block_points[] = {
    &pack_stride, &lanes, &warp_sums, &sums, &partials, NULL};
const struct rd_point_invariant *const rd_ladder_cooperative_points[] = {
    &pack_stride, &lanes, &warp_sums, &sums, &partials_of_block_0, NULL};

/* ---- A[0], after the launch ---- */

void rd_ladder_any_order_advance(struct rd_expect *expect, unsigned step)
{
    if (step == 0)
        return;
    rd_ladder_set_height(expect, &rd_ladder_packs, expect->shape.grid - 1); /* A[0] is 0 before */
    expect->numeric->sum_any_order(expect);
}

void rd_ladder_last_block_advance(struct rd_expect *expect, unsigned step)
{
    struct rd_expect lane = *expect;
    rd_bits cells[RD_WARP_LANES] = {0};
    size_t L = rd_ladder_lanes(&expect->shape, 0), B = expect->shape.grid;
    if (step == 0)
        return;
    lane.cells = cells;
    gather_partials(&lane);
    rd_ladder_halve(&lane, L, 1);
    expect->numeric->store(expect->cells, 0, expect->numeric->load(cells, 0));
    rd_ladder_set_height(expect, &rd_ladder_packs,
                         (B + L - 1) / L - 1 + rd_tree_height(B < L ? B : L));
}
