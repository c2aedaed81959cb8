// SPDX-License-Identifier: MIT
/* The sum of a vector in one launch of several blocks. Shared memory is one array a block, and a
 * barrier is for one block: how the blocks' sums come together is what these kernels differ in.
 * invariants/multi_block.c has the right ones' invariants, multi_block_faults.c what is wrong with the
 * others. */
#include "arithmetic.h"

#include "cooperative.h"

/* Strides over the grid, and folds the block's array. All threads get the block's sum. */
__device__ inline elem sum_block(const elem *v, size_t n, elem *cache)
{
    unsigned t = threadIdx.x;
    elem sum = ELEM(0);
    for (size_t i = GLOBAL_THREAD; i < n; i += GRID_THREADS)
        sum = ADD(sum, v[i]);
    cache[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        CHECKPOINT(BLOCK_SUM, cache, blockDim.x, 2 * s);
        if (t < s)
            cache[t] = ADD(cache[t], cache[t + s]);
        __syncthreads();
    }
    CHECKPOINT(BLOCK_SUM, cache, blockDim.x, 1);
    return cache[0];
}

/* Adds the blocks' sums, one after the other, into out[0]. The checkpoints are at k = 0, 1, 2, 4, … and at the end. */
__device__ inline void add_in_order(const elem *partials, elem *out)
{
    elem total = ELEM(0);
    for (unsigned k = 0; k < gridDim.x; k++) {
        if ((k & (k - 1)) == 0) {
            CHECKPOINT_LANE(SERIAL, total, k);
        }
        total = ADD(total, partials[k]);
    }
    CHECKPOINT_LANE(SERIAL, total, gridDim.x);
    out[0] = total;
}

/* The first of two launches: one sum a block. The second is sum_partials. */
EXTERN_C __global__ void NAME(block_sums)(const elem *v, elem *partials, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    elem sum = sum_block(v, n, cache);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}
LAUNCHABLE(block_sums, const elem *, elem *, size_t)

/* All blocks are resident, and meet before the first one adds their sums. */
EXTERN_C __global__ void NAME(sum_grid_sync)(const elem *v, elem *partials, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    elem sum = sum_block(v, n, cache);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
    GRID_SYNC();
    if (GLOBAL_THREAD == 0)
        add_in_order(partials, out);
}
LAUNCHABLE_COMMUNICATING(sum_grid_sync, const elem *, elem *, elem *, size_t)

/* The thread that draws the last ticket knows that all sums are there: each was published, by a fence, before
 * its block drew, and each draw reads what the one before it has left. The ticket is 0 before. */
EXTERN_C __global__ void NAME(sum_last_block)(const elem *v, elem *partials, unsigned *tickets,
                                              elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    elem sum = sum_block(v, n, cache);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence();
        if (atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            add_in_order(partials, out);
        }
    }
}
LAUNCHABLE_COMMUNICATING(sum_last_block, const elem *, elem *, unsigned *, elem *, size_t)

/* Each block adds its sum when it is done, whoever is first. */
EXTERN_C __global__ void NAME(sum_atomic)(const elem *v, elem *out, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    elem sum = sum_block(v, n, cache);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
LAUNCHABLE_COMMUNICATING(sum_atomic, const elem *, elem *, size_t)

/* ---- faults: v has gridDim.x * blockDim.x cells, and is spoilt ---- */

/* All that can be wrong with it, is: see the four below. */
EXTERN_C __global__ void NAME(multi_block)(elem *v, elem *out)
{
    DYNAMIC_SHARED(elem, vector);
    unsigned id = GLOBAL_THREAD, t = threadIdx.x;
    vector[id] = v[id];
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2)
        if (t < step) {
            vector[id] = ADD(vector[id], vector[id + step]);
            __syncthreads();
        }
    __syncthreads();
    if (t == 0) {
        v[id] = vector[id];
        __syncthreads();
    }
    if (id < gridDim.x) {
        v[id] = v[id * blockDim.x];
        __syncthreads();
    }
    for (unsigned step = gridDim.x / 2; step > 0; step /= 2)
        if (id < step)
            v[id] = ADD(v[id], v[id + step]);
    __syncthreads();
    if (id == 0)
        out[0] = v[0];
}
LAUNCHABLE(multi_block, elem *, elem *)

/* Takes the block's array for a part of one array of the grid. */
EXTERN_C __global__ void NAME(multi_block_shared_split)(const elem *v, elem *partials)
{
    DYNAMIC_SHARED(elem, vector);
    unsigned id = GLOBAL_THREAD, t = threadIdx.x;
    vector[id] = v[id];
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            vector[id] = ADD(vector[id], vector[id + step]);
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = vector[id];
}
LAUNCHABLE(multi_block_shared_split, const elem *, elem *)

/* Only the threads that add come to the barrier. */
EXTERN_C __global__ void NAME(multi_block_divergent_barrier)(const elem *v, elem *partials)
{
    DYNAMIC_SHARED(elem, vector);
    unsigned t = threadIdx.x;
    vector[t] = v[GLOBAL_THREAD];
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2)
        if (t < step) {
            vector[t] = ADD(vector[t], vector[t + step]);
            __syncthreads();
        }
    if (t == 0)
        partials[blockIdx.x] = vector[0];
}
LAUNCHABLE(multi_block_divergent_barrier, const elem *, elem *)

/* The first block's threads fetch the other blocks' sums, which may not be there yet. */
EXTERN_C __global__ void NAME(multi_block_no_grid_barrier)(elem *v, elem *out)
{
    DYNAMIC_SHARED(elem, vector);
    unsigned t = threadIdx.x, id = GLOBAL_THREAD;
    vector[t] = v[id];
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            vector[t] = ADD(vector[t], vector[t + step]);
        __syncthreads();
    }
    if (t == 0)
        v[id] = vector[0];
    __syncthreads();
    if (id == 0) {
        elem total = ELEM(0);
        for (unsigned k = 0; k < gridDim.x; k++)
            total = ADD(total, v[k * blockDim.x]);
        out[0] = total;
    }
}
LAUNCHABLE(multi_block_no_grid_barrier, elem *, elem *)

/* The last rounds follow each other with no barrier between. */
EXTERN_C __global__ void NAME(multi_block_no_round_barrier)(elem *v, elem *out)
{
    DYNAMIC_SHARED(elem, vector);
    unsigned t = threadIdx.x, id = GLOBAL_THREAD;
    vector[t] = v[id];
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            vector[t] = ADD(vector[t], vector[t + step]);
        __syncthreads();
    }
    if (t == 0)
        v[id] = vector[0];
    GRID_SYNC();
    if (id < gridDim.x)
        vector[t] = v[id * blockDim.x];
    for (unsigned step = gridDim.x / 2; step > 0; step /= 2)
        if (id < step)
            vector[t] = ADD(vector[t], vector[t + step]);
    if (id == 0)
        out[0] = vector[0];
}
LAUNCHABLE_COMMUNICATING(multi_block_no_round_barrier, elem *, elem *)

ALSO_OF_HALVES
