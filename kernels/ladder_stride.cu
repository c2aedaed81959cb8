// SPDX-License-Identifier: MIT
/* The ladder's rungs whose grid does not grow with n: each thread strides over the whole grid.
 *
 *      a:  [ 0 1 2 3 4 5 6 7 | 8 9 … 15 | 16 …      G = 8 threads in the grid
 *            t               + t        + t         thread t adds a[t] + a[t+G] + a[t+2G] + …
 *
 * The loops run as often for each thread of a block: a thread beyond the end adds nothing. The
 * invariants are in invariants/ladder_stride.c. */
#include "ladder.h"

/* The sum of what the thread strides over. */
__device__ inline elem sum_of_stride(const elem *a, size_t n)
{
    elem own = IDENTITY;
    size_t base;
    for (base = 0; base < n; base += GRID_THREADS) {
        CHECKPOINT_LANE(GRID_STRIDE, own, base);
        if (base + GLOBAL_THREAD < n)
            own = OP(own, a[base + GLOBAL_THREAD]);
    }
    CHECKPOINT_LANE(GRID_STRIDE, own, base);
    return own;
}

/* Improves on unrolled: any number of blocks will do, so that there are as many as the GPU holds at a
 * time. Most additions are now made in a register, and a block is folded once, not once for each 2T
 * elements. What it does not cure: the fold's barriers, six for 1024 threads. */
EXTERN_C __global__ void NAME(ladder_grid_stride)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    elem own = sum_of_stride(a, n);
    x[threadIdx.x] = own;
    __syncthreads();
    elem sum = fold_of_block(x);
    if (threadIdx.x == 0)
        A[blockIdx.x] = sum;
}
LAUNCHABLE(ladder_grid_stride, const elem *, elem *, size_t)

/* A fault: the index is too narrow and wraps. It has 16 bits here, so that 65537 elements show it;
 * an `unsigned` does the same at 2^32. An `int` overflows at 2^31, which is undefined. */
EXTERN_C __global__ void NAME(ladder_index_wraps)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, x);
    elem own = IDENTITY;
    size_t base;
    for (base = 0; base < n; base += GRID_THREADS) {
        CHECKPOINT_LANE(GRID_STRIDE, own, base);
        uint16_t i = (uint16_t)(base + GLOBAL_THREAD);
        if (i < n)
            own = OP(own, a[i]);
    }
    CHECKPOINT_LANE(GRID_STRIDE, own, base);
    x[threadIdx.x] = own;
    __syncthreads();
    elem sum = fold_of_block(x);
    if (threadIdx.x == 0)
        A[blockIdx.x] = sum;
}
LAUNCHABLE(ladder_index_wraps, const elem *, elem *, size_t)

/* Another way than grid-stride: shuffles also where there are several warps. Each warp sums its lanes, and
 * the first warp the warps' sums: one barrier, and a cell of shared memory a warp. On an H200 that gains
 * nothing today: 2456 GB/s, and 2452 (bench/README.md). */
EXTERN_C __global__ void NAME(ladder_shuffles_twice)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, s);
    elem sum = sum_of_block(s, sum_of_stride(a, n));
    if (threadIdx.x == 0)
        A[blockIdx.x] = sum;
}
LAUNCHABLE(ladder_shuffles_twice, const elem *, elem *, size_t)

/* A fault: the first warp reads the warps' sums, and nothing says that they are there. */
EXTERN_C __global__ void NAME(ladder_no_barrier)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, s);
    unsigned t = threadIdx.x, warps = (blockDim.x + LANES - 1) / LANES;
    elem sum = sum_of_lanes(sum_of_stride(a, n), lanes_here());
    if (t % LANES == 0)
        s[t / LANES] = sum;
    sum = sum_of_shared(s, warps);
    if (t == 0)
        A[blockIdx.x] = sum;
}
LAUNCHABLE(ladder_no_barrier, const elem *, elem *, size_t)

/* Lanes that work together: a warp has two tiles. */
#define TILE 16u

/* Sums `own` over the first `lanes` lanes of the thread's tile; each of them gets the sum, the same to
 * the bit, since x + y is y + x. Where the partner l ^ o is missing, a lane further up holds the same
 * as it would, or there is nothing to add. */
__device__ inline elem sum_of_tile(elem own, unsigned lanes)
{
    unsigned first = threadIdx.x % LANES / TILE * TILE, lane = threadIdx.x % TILE;
    for (unsigned o = TILE / 2; o > 0; o /= 2) {
        CHECKPOINT_LANE(SHUFFLE_XOR, own, 2 * o);
        unsigned partner = lane ^ o;
        if (partner >= lanes)
            partner %= 2 * o;
        bool there = partner < lanes;
        elem other = __shfl_sync(mask_of(lanes) << first, own, first + (there ? partner : lane));
        if (there)
            own = OP(own, other);
    }
    CHECKPOINT_LANE(SHUFFLE_XOR, own, 1);
    return own;
}

/* Another way than shuffles-twice, and as fast on an H200 (2455 and 2456 GB/s): a butterfly, in which no
 * lane is idle, and all lanes of a tile end with its sum, as cooperative groups' reduce gives it, with no
 * further shuffle to hand it round. A tile's mask names its own lanes only: the warp's two tiles need not
 * wait for each other. */
EXTERN_C __global__ void NAME(ladder_tiles)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, s);
    unsigned t = threadIdx.x, left = blockDim.x - t / TILE * TILE;
    unsigned tiles = (blockDim.x + TILE - 1) / TILE;
    elem sum = sum_of_tile(sum_of_stride(a, n), left < TILE ? left : TILE);
    if (t % TILE == 0)
        s[t / TILE] = sum;
    __syncthreads();
    CHECKPOINT(TILE_SUMS, s, tiles, tiles);
    sum = sum_of_shared(s, tiles);
    if (t == 0)
        A[blockIdx.x] = sum;
}
LAUNCHABLE(ladder_tiles, const elem *, elem *, size_t)

ALSO_OF_HALVES
