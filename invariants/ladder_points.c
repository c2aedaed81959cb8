// SPDX-License-Identifier: MIT
/* The invariants inside kernels that several rungs of the ladder share. */
#include "ladder.h"
#include "powers_of_two.h"

/* ---- folds in shared memory ---- */

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

/* ---- what lanes bring ---- */

/* ---- shuffles ---- */

/* ---- the warps' sums ---- */

/* It stands behind the barrier, which a fault lacks. */
size_t rd_ladder_warp_sums_passes(const struct rd_passing *by)
{
    return by->round->kernel != RD_KERNEL_LADDER_NO_BARRIER;
}
