// SPDX-License-Identifier: MIT
// Each warp function against its definition in the CUDA guide, over all lanes: the kernels assert it.
#include <assert.h>
#include <stdio.h>

__device__ int value_of(int lane)
{
    return lane * 37 % 32 + 100;
}

// The lane that `lane` reads from, in a segment of `width` lanes; its own where that lies outside.
__device__ int down(int lane, int delta, int width)
{
    return lane % width + delta < width ? lane + delta : lane;
}
__device__ int up(int lane, int delta, int width)
{
    return lane % width >= delta ? lane - delta : lane;
}
__device__ int across(int lane, int bits, int width)
{
    return (lane ^ bits) / width <= lane / width ? lane ^ bits : lane;
}
__device__ int from(int lane, int source, int width)
{
    return lane / width * width + source % width;
}

// run shuffles: --grid 1 --block 64 --arg i32[1]:zero
// want shuffles: clean
__global__ void shuffles(int *)
{
    int lane = threadIdx.x % 32, mine = value_of(lane);
    for (int width = 1; width <= 32; width *= 2)
        for (int k = 0; k < 32; k++) {
            assert(__shfl_down_sync(0xffffffff, mine, k, width) == value_of(down(lane, k, width)));
            assert(__shfl_up_sync(0xffffffff, mine, k, width) == value_of(up(lane, k, width)));
            assert(__shfl_xor_sync(0xffffffff, mine, k, width) == value_of(across(lane, k, width)));
            assert(__shfl_sync(0xffffffff, mine, k, width) == value_of(from(lane, k, width)));
            assert(__shfl_sync(0xffffffff, (double)mine, k, width) == value_of(from(lane, k, width)));
        }
}

// run votes: --grid 1 --block 32 --arg i32[1]:zero
// want votes: clean
__global__ void votes(int *)
{
    int lane = threadIdx.x;
    for (int k = 0; k <= 32; k++) {
        unsigned low = k == 32 ? 0xffffffffu : (1u << k) - 1;
        assert(__ballot_sync(0xffffffff, lane < k) == low);
        assert(__any_sync(0xffffffff, lane < k) == (k > 0));
        assert(__all_sync(0xffffffff, lane < k) == (k == 32));
        assert(__reduce_add_sync(0xffffffff, lane < k ? 1 : 0) == k);
        assert(__reduce_max_sync(0xffffffff, lane - k) == 31 - k);
        assert(__reduce_min_sync(0xffffffff, lane - k) == -k);
        assert(__reduce_or_sync(0xffffffff, lane < k ? 1u << lane : 0) == low);
        assert(__reduce_and_sync(0xffffffff, ~(lane < k ? 1u << lane : 0)) == ~low);
        assert(__reduce_xor_sync(0xffffffff, lane < k ? 1u << lane : 0) == low);
    }
}

// run a_part_of_the_warp: --grid 1 --block 32 --arg i32[1]:zero
// want a_part_of_the_warp: clean
__global__ void a_part_of_the_warp(int *)
{
    if (threadIdx.x % 3 == 1) {
        unsigned mask = __activemask();
        assert(mask == 0x92492492u);
        assert(__all_sync(mask, threadIdx.x % 3 == 1));
        assert(__reduce_add_sync(mask, 1u) == 11);
    }
}

// The device takes five bits of the distance.
// run far_shuffles: --grid 1 --block 32 --arg i32[1]:zero
// want far_shuffles: clean
__global__ void far_shuffles(int *)
{
    int lane = threadIdx.x;
    assert(__shfl_down_sync(0xffffffff, lane, 35, 32) == down(lane, 3, 32));
    assert(__shfl_up_sync(0xffffffff, lane, 35, 32) == up(lane, 3, 32));
    assert(__shfl_xor_sync(0xffffffff, lane, 35, 32) == (lane ^ 3));
    assert(__shfl_sync(0xffffffff, lane, 67) == 3 && __shfl_sync(0xffffffff, lane, -1) == 31);
}

// Values of all types.
template <class T> __device__ void shuffle_of(T mine, T its)
{
    assert(__shfl_xor_sync(0xffffffff, mine, 5) == its);
    assert(__shfl_sync(0xffffffff, mine, (threadIdx.x % 32) ^ 5) == its);
}

// run typed_shuffles: --grid 1 --block 32 --arg i32[1]:zero
// want typed_shuffles: clean
__global__ void typed_shuffles(int *)
{
    int lane = threadIdx.x, other = lane ^ 5;
    shuffle_of(lane - 16, other - 16);
    shuffle_of(lane + 0xffffff00u, other + 0xffffff00u);
    shuffle_of((lane - 16) * 0x123456789ll, (other - 16) * 0x123456789ll);
    shuffle_of(lane * 0x9123456789abcdefull, other * 0x9123456789abcdefull);
    shuffle_of(lane * 0.1f, other * 0.1f);
    shuffle_of(lane * 0.1, other * 0.1);
}

// Warps that are a part of one: what is not there does not count, and nobody waits for it.
// run partial_warps: --grid 2 --block 45 --arg i32[1]:zero
// want partial_warps: clean
__global__ void partial_warps(int *)
{
    int lane = threadIdx.x % 32, n = threadIdx.x < 32 ? 32 : 13;
    unsigned there = n == 32 ? 0xffffffffu : (1u << n) - 1, most = 0;
    int same = 0;
    assert(__match_all_sync(0xffffffff, 7, &same) == there && same == 1);
    assert(__activemask() == there);
    for (int k = 0; k < n; k++) {
        assert(__ballot_sync(there, lane == k) == 1u << k);
        assert(__ballot_sync(0xffffffff, lane != k) == (there & ~(1u << k)));
        assert(__any_sync(there, lane == k) && !__any_sync(there, lane > k && k == n - 1));
        assert(__all_sync(there, lane < n) && !__all_sync(there, lane != k));
        assert(__shfl_sync(there, value_of(lane), k) == value_of(k));
        assert(__match_any_sync(there, lane / 4) == (0xfu << lane / 4 * 4 & there));
        most = max(most, value_of(k) ^ 0x80000000u);
    }
    assert(__reduce_add_sync(there, lane) == n * (n - 1) / 2);
    assert(__reduce_max_sync(there, value_of(lane) ^ 0x80000000u) == most);
    assert(__reduce_min_sync(there, -lane) == 1 - n && __reduce_max_sync(there, -lane) == 0);
    assert(__reduce_or_sync(there, 1u << lane) == there);
    assert(__reduce_and_sync(there, ~(1u << lane)) == ~there);
    assert(__reduce_xor_sync(there, 3u << lane) == (n == 32 ? 0x00000001u : 0x00002001u));
    for (int width = 1; width <= 8; width *= 2)
        for (int k = 0; k < width; k++)
            if (lane < 8) { /* whole segments */
                assert(__shfl_down_sync(0xff, lane, k, width) == down(lane, k, width));
                assert(__shfl_up_sync(0xff, lane, k, width) == up(lane, k, width));
                assert(__shfl_xor_sync(0xff, lane, k, width) == across(lane, k, width));
            }
}

// Lane 12 is the last one of the second warp.
// run over_the_end: --grid 1 --block 45 --arg i32[45]:iota
// want over_the_end: shuffle-from-inactive-lane
// right over_the_end: to_the_end
__global__ void over_the_end(int *a)
{
    a[threadIdx.x] += __shfl_down_sync(0xffffffff, a[threadIdx.x], 1);
}

// run to_the_end: --grid 1 --block 45 --arg i32[45]:iota
// want to_the_end: clean
__global__ void to_the_end(int *a)
{
    int i = threadIdx.x, sum = a[i], there = i < 32 ? 32 : 13;
    for (int delta = 16; delta > 0; delta /= 2) {
        int from = i % 32 + delta < there ? i % 32 + delta : i % 32;
        int its = __shfl_sync(there == 32 ? 0xffffffff : 0x1fff, sum, from);
        sum += from == i % 32 ? 0 : its;
    }
    if (i % 32 == 0)
        assert(sum == (i == 0 ? 31 * 16 : 13 * 38));
}

// Each lane alone, each pair, and both halves at once: masks name who takes part.
// run masks: --grid 1 --block 32 --arg i32[1]:zero
// want masks: clean
__global__ void masks(int *)
{
    int lane = threadIdx.x;
    for (int k = 0; k < 32; k++) {
        if (lane == k)
            assert(__ballot_sync(1u << k, 1) == 1u << k && __shfl_sync(1u << k, lane, k) == k);
        unsigned pair = 1u << k | 1u << (k * 7 + 3) % 32;
        if (pair >> lane & 1) {
            int other = __ffs(pair & ~(1u << lane)) - 1;
            if (other >= 0)
                assert(__shfl_sync(pair, value_of(lane), other) == value_of(other));
            assert(__reduce_add_sync(pair, 1) == __popc(pair) && __any_sync(pair, lane == k));
        }
    }
    if (lane < 16)
        assert(__reduce_add_sync(0x0000ffff, lane) == 120);
    else
        assert(__reduce_add_sync(0xffff0000, lane) == 376 && __all_sync(0xffff0000, lane > 15));
    __syncwarp();
    __syncwarp(0xffffffff);
}

// run matches: --grid 1 --block 64 --arg i32[1]:zero
// want matches: clean
__global__ void matches(int *)
{
    int lane = threadIdx.x % 32, same = -1;
    for (int k = 1; k <= 32; k++) {
        unsigned mine = 0;
        for (int other = 0; other < 32; other++)
            mine |= (unsigned)(other % k == lane % k) << other;
        assert(__match_any_sync(0xffffffff, lane % k) == mine);
        assert(__match_any_sync(0xffffffff, (lane % k) * 0x100000000ll) == mine);
        assert(__match_any_sync(0xffffffff, (lane % k) * 0.5) == mine);
        assert(__match_all_sync(0xffffffff, lane % k, &same) == (k == 1 ? 0xffffffff : 0));
        assert(same == (k == 1));
    }
}

// The forms of the block's barrier, over blocks of all shapes.
// run barrier_counts: --grid 1 --block 5,3,7 --arg i32[1]:zero
// want barrier_counts: clean
__global__ void barrier_counts(int *)
{
    int n = blockDim.x * blockDim.y * blockDim.z;
    int me = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int k = 0; k <= n; k++) {
        assert(__syncthreads_count(me < k ? -7 : 0) == k);
        assert(!!__syncthreads_and(me >= k) == (k == 0));
        assert(!!__syncthreads_or(me < k) == (k > 0));
    }
    assert(__syncthreads_and(256) && __syncthreads_or(me == n - 1) && __syncthreads_count(me) == n - 1);
}

// run counts_of_one: --grid 3 --block 1 --arg i32[1]:zero
// want counts_of_one: clean
__global__ void counts_of_one(int *)
{
    assert(__syncthreads_count(1) == 1 && __syncthreads_count(0) == 0 && !__syncthreads_or(0));
    assert(__syncthreads_and(1) && __ballot_sync(1, 1) == 1 && __activemask() == 1);
}

// run counts_of_1024: --grid 1 --block 1024 --arg i32[1]:zero
// want counts_of_1024: clean
__global__ void counts_of_1024(int *)
{
    assert(__syncthreads_count(threadIdx.x % 3 == 0) == 342);
    assert(!__syncthreads_and(threadIdx.x < 1023) && __syncthreads_or(threadIdx.x == 1023));
}

// Time does not go back, neither for a thread nor over a barrier.
// run clocks: --grid 1 --block 64 --arg i32[1]:zero
// want clocks: clean
__global__ void clocks(int *)
{
    __shared__ long long first;
    long long start = clock64(), end = clock64();
    assert(end >= start);
    if (threadIdx.x == 5)
        first = start;
    __syncthreads();
    assert(clock64() >= first);
}

// run width_of_twelve: --grid 1 --block 32 --arg i32[32]:iota
// want width_of_twelve: shuffle-width
// taught width_of_twelve: shuffle-width: 1, 2, 4, 8, 16 or 32 lanes; round the width up
// right width_of_twelve: width_of_sixteen
__global__ void width_of_twelve(int *a)
{
    a[threadIdx.x] = __shfl_sync(0xffffffff, a[threadIdx.x], 3, 12);
}

// run width_of_sixteen: --grid 1 --block 32 --arg i32[32]:iota
// want width_of_sixteen: clean
__global__ void width_of_sixteen(int *a)
{
    a[threadIdx.x] = __shfl_sync(0xffffffff, a[threadIdx.x], 3, 16);
}

// run printf_fewer: --grid 1 --block 1 --arg i32[1]:zero
// want printf_fewer: printf-arguments
// taught printf_fewer: printf-arguments: give each conversion one argument of its type
// right printf_fewer: printf_right
__global__ void printf_fewer(int *a)
{
    printf("%d %d\n", a[0]);
}

// run printf_right: --grid 1 --block 1 --arg i32[1]:zero
// want printf_right: clean
__global__ void printf_right(int *a)
{
    printf("%d %s %%\n", a[0], "text");
}
