// SPDX-License-Identifier: MIT
// Kernels whose result depends on which thread or block comes first, though none of them races; each beside one that
// does the same and does not.
#include <cuda/atomic>

// run last_block_to_come: --grid 4 --block 32 --arg i32[1]:zero
// want last_block_to_come: order-dependent
// right last_block_to_come: highest_block
__global__ void last_block_to_come(int *out)
{
    if (threadIdx.x == 0)
        atomicExch(out, blockIdx.x);
}

// run highest_block: --grid 4 --block 32 --arg i32[1]:zero
// want highest_block: clean
__global__ void highest_block(int *out)
{
    if (threadIdx.x == 0)
        atomicMax(out, blockIdx.x);
}

// run last_warp_to_come: --grid 1 --block 64 --arg i32[1]:zero
// want last_warp_to_come: order-dependent
// right last_warp_to_come: all_warps
__global__ void last_warp_to_come(int *out)
{
    __shared__ int last;
    if (threadIdx.x == 0)
        last = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicExch(&last, threadIdx.x / 32);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = last;
}

// run all_warps: --grid 1 --block 64 --arg i32[1]:zero
// want all_warps: clean
__global__ void all_warps(int *out)
{
    __shared__ int all;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicOr(&all, 1 << threadIdx.x / 32);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = all;
}

// run slots_of_blocks: --grid 4 --block 32 --arg u32[1]:zero --arg i32[4]:zero
// want slots_of_blocks: order-dependent
// right slots_of_blocks: slots_counted
__global__ void slots_of_blocks(unsigned *next, int *out)
{
    if (threadIdx.x == 0)
        out[atomicAdd(next, 1)] = blockIdx.x;
}

// run slots_counted: --grid 4 --block 32 --arg u32[1]:zero --arg i32[4]:zero
// want slots_counted: clean
__global__ void slots_counted(unsigned *next, int *out)
{
    if (threadIdx.x == 0)
        out[atomicAdd(next, 1)] = 1;
}

// Even numbers, one behind the other, in the order in which they were drawn.
// run compacted: --grid 1 --block 64 --arg i32[64]:random:3 --arg i32[64]:zero --arg u32[1]:zero
// want compacted: order-dependent
// right compacted: compacted_by_scan
__global__ void compacted(const int *a, int *out, unsigned *n)
{
    if (a[threadIdx.x] % 2 == 0)
        out[atomicAdd(n, 1)] = a[threadIdx.x];
}

// run compacted_by_scan: --grid 1 --block 64 --arg i32[64]:random:3 --arg i32[64]:zero --arg u32[1]:zero
// want compacted_by_scan: clean
__global__ void compacted_by_scan(const int *a, int *out, unsigned *n)
{
    unsigned before = 0;
    for (unsigned k = 0; k < threadIdx.x; k++)
        before += a[k] % 2 == 0;
    if (a[threadIdx.x] % 2 == 0) {
        out[before] = a[threadIdx.x];
        atomicAdd(n, 1);
    }
}

// Floats, whose sum rounds in the order of the additions: of blocks, of warps, of threads.
// run floats_of_blocks: --grid 8 --block 1 --arg f32[8]:random:1 --arg f32[1]:zero
// want floats_of_blocks: order-dependent
// right floats_of_blocks: integers_of_blocks
__global__ void floats_of_blocks(const float *a, float *sum)
{
    atomicAdd(sum, a[blockIdx.x]);
}

// run integers_of_blocks: --grid 8 --block 1 --arg i32[8]:random:1 --arg i32[1]:zero
// want integers_of_blocks: clean
__global__ void integers_of_blocks(const int *a, int *sum)
{
    atomicAdd(sum, a[blockIdx.x]);
}

// run floats_in_shared: --grid 1 --block 128 --arg f64[128]:random:1 --arg f64[1]:zero
// want floats_in_shared: order-dependent
// right floats_in_shared: floats_in_their_order
__global__ void floats_in_shared(const double *a, double *out)
{
    __shared__ double sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, a[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

// run floats_in_their_order: --grid 1 --block 128 --arg f64[128]:random:1 --arg f64[1]:zero
// want floats_in_their_order: clean
__global__ void floats_in_their_order(const double *a, double *out)
{
    double sum = 0;
    for (int k = 0; k < 128 && threadIdx.x == 0; k++)
        sum += a[k];
    if (threadIdx.x == 0)
        *out = sum;
}

// A sum that loads, adds and exchanges: each atomically, and not all three at once.
// run load_add_exchange: --grid 4 --block 32 --arg i32[4]:iota --arg i32[1]:zero
// want load_add_exchange: order-dependent
// right load_add_exchange: added_at_once
__global__ void load_add_exchange(const int *a, int *sum)
{
    if (threadIdx.x == 0) {
        int old = atomicAdd(sum, 0);
        atomicExch(sum, old + a[blockIdx.x]);
    }
}

// run load_add_store: --grid 1 --block 64 --arg i32[64]:iota --arg i32[1]:zero
// want load_add_store: order-dependent
// right load_add_store: added_at_once
__global__ void load_add_store(const int *a, int *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> total(*sum);
    total.store(total.load() + a[threadIdx.x]);
}

// run added_at_once: --grid 4 --block 32 --arg i32[4]:iota --arg i32[1]:zero
// want added_at_once: clean
__global__ void added_at_once(const int *a, int *sum)
{
    if (threadIdx.x == 0)
        atomicAdd(sum, a[blockIdx.x]);
}

// The greatest so far, compared first and then exchanged: a lower one may come in between.
// run test_then_set: --grid 8 --block 1 --arg i32[8]:random:5 --arg i32[1]:zero
// want test_then_set: order-dependent
// right test_then_set: test_and_set
__global__ void test_then_set(const int *a, int *most)
{
    if (a[blockIdx.x] > atomicAdd(most, 0))
        atomicExch(most, a[blockIdx.x]);
}

// run test_and_set: --grid 8 --block 1 --arg i32[8]:random:5 --arg i32[1]:zero
// want test_and_set: clean
__global__ void test_and_set(const int *a, int *most)
{
    int seen = atomicMax(most, a[blockIdx.x]);
    while (a[blockIdx.x] > seen)
        seen = atomicMax(most, a[blockIdx.x]);
}

// The index of a greatest element, of which there are two.
// run index_of_a_tie: --grid 4 --block 1 --arg u64[1]:zero
// want index_of_a_tie: order-dependent
// right index_of_a_tie: least_index_of_a_tie
__global__ void index_of_a_tie(unsigned long long *best)
{
    const unsigned values[] = {3, 9, 9, 1};
    unsigned long long mine = (unsigned long long)values[blockIdx.x] << 32 | blockIdx.x, seen;
    for (;;) {
        seen = atomicCAS(best, 0ull, 0ull);
        if (mine >> 32 <= seen >> 32)
            break;
        if (atomicCAS(best, seen, mine) == seen)
            break;
    }
}

// run least_index_of_a_tie: --grid 4 --block 1 --arg u64[1]:zero
// want least_index_of_a_tie: clean
__global__ void least_index_of_a_tie(unsigned long long *best)
{
    const unsigned values[] = {3, 9, 9, 1};
    atomicMax(best, (unsigned long long)values[blockIdx.x] << 32 | (3 - blockIdx.x));
}

// Two warps of a block, of which one takes what the other is about to change.

// run two_warps_exchange: --grid 1 --block 64 --arg i32[1]:zero
// want two_warps_exchange: order-dependent
// right two_warps_exchange: two_warps_add
__global__ void two_warps_exchange(int *out)
{
    if (threadIdx.x % 32 == 0) {
        int seen = atomicAdd(out, 0);
        atomicExch(out, seen + 1);
    }
}

// run two_warps_add: --grid 1 --block 64 --arg i32[1]:zero
// want two_warps_add: clean
__global__ void two_warps_add(int *out)
{
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, 1);
}

// Memory of the device heap for some of the threads: for whom depends on who asks first.

// run heap_for_some: --grid 1 --block 16 --arg i32[16]:zero
// want heap_for_some: order-dependent
__global__ void heap_for_some(int *out)
{
    char *mine = (char *)malloc(1 << 20);
    out[threadIdx.x] = mine != nullptr;
    __syncthreads();
    free(mine);
}
