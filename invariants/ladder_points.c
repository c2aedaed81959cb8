// SPDX-License-Identifier: MIT
/* The invariants inside kernels that several rungs of the ladder share. */
#include "ladder.h"

/* By what the kernels leave to the last warp. */
static size_t fold_passes(const struct rd_passing *by)
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
static size_t last_warp_passes(const struct rd_passing *by)
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

const struct rd_point_invariant rd_ladder_sequential = {
    .point = RD_POINT_SEQUENTIAL,
    .array = "x",
    .variable = "w",
    .passes = fold_passes,
};

const struct rd_point_invariant rd_ladder_last_warp = {
    .point = RD_POINT_SHUFFLE_DOWN,
    .array = "r",
    .variable = "w",
    .passes = last_warp_passes,
};

const struct rd_point_invariant rd_ladder_lanes = {
    .point = RD_POINT_SHUFFLE_DOWN,
    .array = "r",
    .variable = "w",
};

/* It stands behind the barrier, which a fault lacks. */
static size_t warp_sums_passes(const struct rd_passing *by)
{
    return by->round->kernel != RD_KERNEL_LADDER_NO_BARRIER;
}

const struct rd_point_invariant rd_ladder_warp_sums = {
    .point = RD_POINT_WARP_SUMS,
    .array = "s",
    .variable = "warps",
    .passes = warp_sums_passes,
};

const struct rd_point_invariant rd_ladder_sums = {
    .point = RD_POINT_SHUFFLE_SUMS,
    .array = "r",
    .variable = "w",
    .passes = rd_passes_shuffle_of_first,
};

const struct rd_point_invariant rd_ladder_grid_stride = {
    .point = RD_POINT_GRID_STRIDE,
    .array = "r",
    .variable = "base",
    .passes = rd_passes_grid_stride,
    .variable_at = rd_pass_grid_stride,
};
