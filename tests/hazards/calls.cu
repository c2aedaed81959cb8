// SPDX-License-Identifier: MIT
// Barriers in functions: threads that come to one by different calls are in different branches.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ __noinline__ void sync_all()
{
    __syncthreads();
}
__device__ __forceinline__ void sync_inlined()
{
    __syncthreads();
}
__device__ __noinline__ void sync_deep()
{
    sync_all();
}

// run both_branches: --grid 1 --block 64 --arg i32[64]:zero
// want both_branches: barrier-divergence
// taught both_branches: barrier-divergence: take the call out of the branch
// right both_branches: one_call
__global__ void both_branches(int *a)
{
    a[threadIdx.x] = 1;
    if (threadIdx.x < 16) sync_all(); else sync_all();
}

// run one_call: --grid 2 --block 64 --arg i32[64]:zero
// want one_call: clean
__global__ void one_call(int *a)
{
    if (blockIdx.x == 0)
        a[threadIdx.x] = threadIdx.x < 16 ? 1 : 2;
    sync_all();
}

// run both_inlined: --grid 1 --block 64 --arg i32[64]:zero
// want both_inlined: barrier-divergence
// right both_inlined: one_inlined
__global__ void both_inlined(int *a)
{
    a[threadIdx.x] = 1;
    if (threadIdx.x < 16) sync_inlined(); else sync_inlined();
}

// run one_inlined: --grid 1 --block 64 --arg i32[64]:zero
// want one_inlined: clean
__global__ void one_inlined(int *a)
{
    a[threadIdx.x] = threadIdx.x < 16 ? 1 : 2;
    sync_inlined();
    sync_inlined();
}

// run both_deep: --grid 1 --block 64 --arg i32[64]:zero
// want both_deep: barrier-divergence
// right both_deep: twice_deep
__global__ void both_deep(int *a)
{
    if (threadIdx.x % 2) {
        a[threadIdx.x] = 1;
        sync_deep();
    } else {
        a[threadIdx.x] = 2;
        sync_deep();
    }
}

// run deep_and_flat: --grid 1 --block 64 --arg i32[64]:zero
// want deep_and_flat: barrier-divergence
// right deep_and_flat: twice_deep
__global__ void deep_and_flat(int *a)
{
    a[threadIdx.x] = 1;
    if (threadIdx.x < 63)
        sync_deep();
    else
        sync_all();
}

// All threads call it twice, and again in each trip of a loop.
// run twice_deep: --grid 2 --block 96 --arg i32[192]:zero
// want twice_deep: clean
__global__ void twice_deep(int *a)
{
    sync_deep();
    a[blockIdx.x * 96 + threadIdx.x] = 1;
    sync_deep();
    for (unsigned k = 0; k < 5; k++) {
        if (threadIdx.x % 5 == k)
            a[blockIdx.x * 96 + threadIdx.x] += 1;
        sync_deep();
    }
}

// The whole block takes one branch, or the other.
// run branch_of_blocks: --grid 4 --block 64 --arg i32[256]:zero
// want branch_of_blocks: clean
__global__ void branch_of_blocks(int *a)
{
    if (blockIdx.x % 2)
        sync_all();
    else
        sync_all();
    a[blockIdx.x * 64 + threadIdx.x] = 1;
}

// A copy of the source for each trip: all threads come to the same.
// run unrolled: --grid 1 --block 64 --arg i32[64]:zero
// want unrolled: clean
__global__ void unrolled(int *a)
{
#pragma unroll
    for (unsigned k = 0; k < 4; k++) {
        if (threadIdx.x % 4 == k)
            a[threadIdx.x] += 1;
        sync_inlined();
    }
}

// The optimiser makes a copy of the call for threads below n, and one for the others.
// run copied: --grid 1 --block 64 --arg i32[64]:zero --arg 16
// want copied: clean
__global__ __attribute__((optimize("O3"))) void copied(int *a, unsigned n)
{
    const bool low = threadIdx.x < n;
    for (unsigned k = 0; k < 3; k++) {
        if (low)
            a[threadIdx.x] += 1;
        else
            a[threadIdx.x] += 2;
        sync_inlined();
        if (low)
            a[threadIdx.x] += 3;
        sync_all();
    }
}

// run both_optimised: --grid 1 --block 64 --arg i32[64]:zero
// want both_optimised: barrier-divergence
// right both_optimised: copied
__global__ __attribute__((optimize("O3"))) void both_optimised(int *a)
{
    a[threadIdx.x] = 1;
    if (threadIdx.x < 16) sync_inlined(); else sync_inlined();
}

__device__ int ends_by_depth(int *a, int depth)
{
    if (depth > 0)
        return ends_by_depth(a, depth - 1) + a[threadIdx.x];
    __syncthreads();
    return 1;
}

// run same_depth: --grid 1 --block 64 --arg i32[64]:one
// want same_depth: clean
__global__ void same_depth(int *a)
{
    a[threadIdx.x] = ends_by_depth(a, 5);
}

// run other_depth: --grid 1 --block 64 --arg i32[64]:one
// want other_depth: barrier-divergence
// right other_depth: same_depth
__global__ void other_depth(int *a)
{
    a[threadIdx.x] = ends_by_depth(a, threadIdx.x < 32 ? 5 : 6);
}

__device__ __noinline__ int count(int value)
{
    return __syncthreads_count(value);
}

// run counts_in_both: --grid 1 --block 64 --arg i32[64]:zero
// want counts_in_both: barrier-divergence
// right counts_in_both: counts_in_one
__global__ void counts_in_both(int *a)
{
    if (threadIdx.x % 2)
        a[threadIdx.x] = count(1);
    else
        a[threadIdx.x] = count(0);
}

// run counts_in_one: --grid 1 --block 64 --arg i32[64]:zero
// want counts_in_one: clean
__global__ void counts_in_one(int *a)
{
    a[threadIdx.x] = count(threadIdx.x % 2);
}

template <class T> __device__ void sync_as(const T &group)
{
    group.sync();
}

// run group_in_both: --grid 1 --block 64 --arg i32[64]:zero
// want group_in_both: barrier-divergence
// right group_in_both: group_in_one
__global__ void group_in_both(int *a)
{
    cg::thread_block block = cg::this_thread_block();
    a[threadIdx.x] = 1;
    if (threadIdx.x < 32)
        sync_as(block);
    else
        sync_as(block);
}

// run group_in_one: --grid 1 --block 64 --arg i32[64]:zero
// want group_in_one: clean
__global__ void group_in_one(int *a)
{
    cg::thread_block block = cg::this_thread_block();
    a[threadIdx.x] = 1;
    sync_as(block);
    cg::sync(block);
}

// run grid_in_both: --grid 2 --block 32 --arg i32[64]:zero
// want grid_in_both: barrier-divergence
// right grid_in_both: grid_in_one
__global__ void grid_in_both(int *a)
{
    cg::grid_group grid = cg::this_grid();
    a[blockIdx.x * 32 + threadIdx.x] = 1;
    if (threadIdx.x < 8)
        sync_as(grid);
    else
        sync_as(grid);
}

// Blocks may come from different places.
// run grid_in_one: --grid 2 --block 32 --arg i32[64]:zero
// want grid_in_one: clean
__global__ void grid_in_one(int *a)
{
    cg::grid_group grid = cg::this_grid();
    a[blockIdx.x * 32 + threadIdx.x] = 1;
    if (blockIdx.x == 0)
        sync_as(grid);
    else
        sync_as(grid);
}

__device__ __noinline__ void sync_warp(unsigned mask)
{
    __syncwarp(mask);
}

// run warp_in_both: --grid 1 --block 64 --arg i32[64]:zero
// want warp_in_both: mask-mismatch
// taught warp_in_both: mask-mismatch: take the call out of the branch
// right warp_in_both: warp_in_halves
__global__ void warp_in_both(int *a)
{
    if (threadIdx.x % 32 < 16) {
        a[threadIdx.x] = 1;
        sync_warp(0xffffffff);
    } else {
        sync_warp(0xffffffff);
    }
}

// run warp_in_halves: --grid 1 --block 64 --arg i32[64]:zero
// want warp_in_halves: clean
__global__ void warp_in_halves(int *a)
{
    if (threadIdx.x % 32 < 16) {
        a[threadIdx.x] = 1;
        sync_warp(0x0000ffff);
    } else {
        sync_warp(0xffff0000);
    }
    if (threadIdx.x < 32)
        sync_warp(0xffffffff);
    else
        sync_warp(0xffffffff);
}

__device__ __noinline__ int sum_of_warp(int v)
{
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}

// run shuffles_in_both: --grid 1 --block 32 --arg i32[32]:one
// want shuffles_in_both: mask-mismatch
// right shuffles_in_both: shuffles_in_one
__global__ void shuffles_in_both(int *a)
{
    int v = a[threadIdx.x];
    a[threadIdx.x] = threadIdx.x % 2 ? sum_of_warp(v) : sum_of_warp(-v);
}

// run shuffles_in_one: --grid 1 --block 32 --arg i32[32]:one
// want shuffles_in_one: clean
__global__ void shuffles_in_one(int *a)
{
    int v = a[threadIdx.x];
    a[threadIdx.x] = sum_of_warp(threadIdx.x % 2 ? v : -v);
    a[threadIdx.x] += sum_of_warp(v);
}

#define SYNC() sync_all()

// run macro_in_both: --grid 1 --block 64 --arg i32[64]:zero
// want macro_in_both: barrier-divergence
// right macro_in_both: one_call
__global__ void macro_in_both(int *a)
{
    if (threadIdx.x < 7)
        SYNC();
    else
        SYNC();
}

// run lambda_in_both: --grid 1 --block 64 --arg i32[64]:zero
// want lambda_in_both: barrier-divergence
// right lambda_in_both: lambda_in_one
__global__ void lambda_in_both(int *a)
{
    auto sync = [&] { a[threadIdx.x] = 1; __syncthreads(); };
    threadIdx.x < 7 ? sync() : sync();
}

// run lambda_in_one: --grid 1 --block 64 --arg i32[64]:zero
// want lambda_in_one: clean
__global__ void lambda_in_one(int *a)
{
    auto sync = [&] { a[threadIdx.x] = 1; __syncthreads(); };
    void (*other)() = sync_all;
    for (int k = 0; k < 3; k++) {
        sync();
        other();
    }
}

template <int N> __device__ void sync_number()
{
    __syncthreads();
}

// run instances: --grid 1 --block 64 --arg i32[64]:zero
// want instances: barrier-divergence
// right instances: one_call
__global__ void instances(int *a)
{
    if (threadIdx.x < 32)
        sync_number<1>();
    else
        sync_number<2>();
}

// run one_per_warp: --grid 1 --block 96 --arg i32[96]:zero
// want one_per_warp: barrier-divergence
// right one_per_warp: one_call
__global__ void one_per_warp(int *a)
{
    switch (threadIdx.x / 32) {
    case 0:
        sync_all();
        break;
    case 1:
        sync_all();
        break;
    default:
        sync_all();
    }
}
