// SPDX-License-Identifier: MIT
/* The invariants inside the kernels of the ladder's rungs that load packs of elements. */
#include "ladder.h"
#include "terms.h"

/* A pack of elements that are loaded together. */
enum { PACK = 4 };

/* ---- the loop over packs ---- */

/* In a trip each thread loads 64 bytes: four packs of elements of 4 bytes, two of 8 bytes. */
static size_t packs_of_a_trip(const struct rd_passing *by)
{
    size_t pack_bytes = PACK * rd_numeric(by->type)->size_bytes;
    return 64 / pack_bytes * rd_grid_threads(by->shape);
}

static size_t stride_passes(const struct rd_passing *by)
{
    size_t packs = by->shape->n / PACK, trip = packs_of_a_trip(by);
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
};

/* ---- the last block adds the blocks' sums ---- */

static const struct rd_point_invariant partials = {
    .point = RD_POINT_SHUFFLE_PARTIALS,
    .array = "r",
    .variable = "w",
    .of_last_block = true,
    .passes = rd_passes_shuffle_of_first,
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
};

const struct rd_point_invariant *const rd_ladder_atomic_points[] = {
    &pack_stride, &rd_ladder_lanes, &rd_ladder_warp_sums, &rd_ladder_sums, NULL};
const struct rd_point_invariant *const rd_ladder_last_block_points[] = {
    &pack_stride, &rd_ladder_lanes, &rd_ladder_warp_sums, &rd_ladder_sums, &partials, NULL};
const struct rd_point_invariant *const rd_ladder_cooperative_points[] = {
    &pack_stride,    &rd_ladder_lanes,     &rd_ladder_warp_sums,
    &rd_ladder_sums, &partials_of_block_0, NULL};
