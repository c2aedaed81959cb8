// SPDX-License-Identifier: MIT
/* Checkpoints: where a loop in a kernel stands, its invariant is named.
 *
 *     for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
 *         CHECKPOINT(SEQUENTIAL, cache, blockDim.x, s);
 *         ...
 *
 * says: here, at the head of the loop, all threads of the block have met at a barrier, and the
 * invariant SEQUENTIAL holds of the array `cache` of blockDim.x elements, with the loop's variable
 * at s. CHECKPOINT_LANE(SHUFFLE_DOWN, sum, offset) says it of the values that the lanes of a warp
 * keep in `sum`. The invariants are in invariants/. A point is known by being named in a kernel's file.
 *
 * A kernel is built twice for the GPU. As users run it, a checkpoint is nothing at all. In the
 * observed build each thread copies its share of the array into a log, which the host reads after
 * the launch. The simulator hands the array over as it stands. */
#ifndef RD_KERNEL_CHECKPOINT_H
#define RD_KERNEL_CHECKPOINT_H

#if !defined __CUDACC__
#include "kernels.h"
#define CHECKPOINT(point, array, count, variable)                                                  \
    rd_sim_checkpoint(RD_POINT_##point, array, count, sizeof *(array), variable)
#define CHECKPOINT_LANE(point, value, variable)                                                    \
    __extension__({                                                                                \
        __typeof__(value) rd_value = (value);                                                      \
        rd_sim_checkpoint_lane(RD_POINT_##point, &rd_value, sizeof rd_value, variable);            \
    })
#elif defined RD_OBSERVED
#include "kernels.h"

#include "observe.cuh"
#else
#define CHECKPOINT(point, array, count, variable)
#define CHECKPOINT_LANE(point, value, variable)
#endif

#endif
