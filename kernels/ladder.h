// SPDX-License-Identifier: MIT
/* Shared by the rungs of the ladder: folds in shared memory, sums over the lanes of a warp and over
 * the warps of a block. A block may have any number of threads, so that its last warp may lack
 * lanes. What is called a sum here is of the operation OP: see operation.h.
 *
 * It is guarded as operation.h is. */
#if defined __CUDACC__ || !defined RD_KERNEL_LADDER_H
#define RD_KERNEL_LADDER_H

#include "identity.h"

#define LANES 32u

/* Lanes 0 .. count-1, as a mask; 1 <= count <= 32. */
__device__ inline unsigned mask_of(unsigned count)
{
    return 0xffffffffu >> (LANES - count);
}

/* Number of lanes of this thread's warp, as of the block's first, which is never larger. */
__device__ inline unsigned lanes_here(void)
{
    unsigned left = blockDim.x - threadIdx.x / LANES * LANES;
    return left < LANES ? left : LANES;
}
__device__ inline unsigned lanes_of_first(void)
{
    return blockDim.x < LANES ? blockDim.x : LANES;
}

/* The least power of two >= count. */
__device__ inline unsigned width_of(unsigned count)
{
    unsigned width = 1;
    while (width < count)
        width *= 2;
    return width;
}

/* Puts a[i] + a[i + T] into the thread's cell; nothing for what lies beyond the end. */
__device__ inline void load_two(elem *x, const elem *a, size_t n)
{
    size_t i = GLOBAL_THREAD + (size_t)blockIdx.x * blockDim.x;
    elem own = IDENTITY;
    if (i < n)
        own = OP(own, a[i]);
    if (i + blockDim.x < n)
        own = OP(own, a[i + blockDim.x]);
    x[threadIdx.x] = own;
    __syncthreads();
}

/* x[t] += x[t + s], t < s, where the block has a thread t + s; nothing where it has no more
 * than s. */
__device__ inline void halve(elem *x, unsigned s)
{
    unsigned t = threadIdx.x;
    if (blockDim.x <= s) /* all threads of the block, or none */
        return;
    CHECKPOINT(SEQUENTIAL, x, blockDim.x, 2 * s);
    if (t < s && t + s < blockDim.x)
        x[t] = OP(x[t], x[t + s]);
    __syncthreads();
}

/* Defines a function that sums `own` over the first `lanes` lanes of a warp, by shuffles. Lane 0
 * gets the sum; what the others get is of no use.
 *
 *      own:  [ r0 r1 r2 r3 | r4 r5 r6 r7 ]      o = 4
 *              +  +  +  +
 *             r4 r5 r6 r7                        from o lanes further down
 *
 * A lane that would read beyond the last reads itself, and adds nothing. All `lanes` lanes must
 * call it, and no others. One function a checkpoint: a warp's values, sums of warps, and sums of
 * blocks have each their own invariant. */
#define LANES_SUM(name, POINT)                                                                     \
    __device__ inline elem name(elem own, unsigned lanes)                                          \
    {                                                                                              \
        unsigned lane = threadIdx.x % LANES;                                                       \
        for (unsigned o = LANES / 2; o > 0; o /= 2) {                                              \
            CHECKPOINT_LANE(POINT, own, 2 * o);                                                    \
            unsigned reach = lane + o < lanes ? o : 0;                                             \
            elem other = __shfl_down_sync(mask_of(lanes), own, reach);                             \
            if (reach > 0)                                                                         \
                own = OP(own, other);                                                              \
        }                                                                                          \
        CHECKPOINT_LANE(POINT, own, 1);                                                            \
        return own;                                                                                \
    }
LANES_SUM(sum_of_lanes, SHUFFLE_DOWN)
LANES_SUM(sum_of_sums, SHUFFLE_SUMS)
LANES_SUM(sum_of_partials, SHUFFLE_PARTIALS)

/* Folds x, one cell a thread, and returns the sum to thread 0: in shared memory down to 32 cells,
 * and those by shuffles. Each s is a constant, so that no loop is left. */
__device__ inline elem fold_of_block(elem *x)
{
    elem sum = IDENTITY;
    halve(x, 512);
    halve(x, 256);
    halve(x, 128);
    halve(x, 64);
    halve(x, 32);
    if (threadIdx.x < LANES) {
        elem own = x[threadIdx.x];
        sum = sum_of_lanes(own, lanes_of_first());
    }
    return sum;
}

/* The first warp adds s[0] .. s[count-1], each lane those that lie as many apart as it has lanes.
 * Thread 0 gets the sum. */
__device__ inline elem sum_of_shared(const elem *s, unsigned count)
{
    unsigned t = threadIdx.x, lanes = lanes_of_first();
    elem sum = IDENTITY;
    if (t < lanes) {
        for (unsigned k = t; k < count; k += lanes)
            sum = OP(sum, s[k]);
        sum = sum_of_sums(sum, lanes);
    }
    return sum;
}

/* Sums `own` over the block by shuffles twice: within each warp, and over the warps' sums, for
 * which s has a cell each. Thread 0 gets the sum. */
__device__ inline elem sum_of_block(elem *s, elem own)
{
    unsigned t = threadIdx.x, warps = (blockDim.x + LANES - 1) / LANES;
    elem sum = sum_of_lanes(own, lanes_here());
    if (t % LANES == 0)
        s[t / LANES] = sum;
    __syncthreads();
    CHECKPOINT(WARP_SUMS, s, warps, warps);
    return sum_of_shared(s, warps);
}

#endif
