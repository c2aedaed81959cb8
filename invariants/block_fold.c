// SPDX-License-Identifier: MIT
#include "block_fold.h"

/* ---- at a checkpoint ---- */

size_t rd_block_fold_passes(const struct rd_passing *by)
{
    return by->round->kernel == RD_KERNEL_SUM_PARTIALS ? 0 : rd_passes_fold(by);
}

/* ---- after the launch ---- */
