// SPDX-License-Identifier: MIT
// Each warp function against its definition in the CUDA guide, over all lanes: the kernels assert it.
#include <assert.h>

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

// run shuffles: --block 64 --arg i32[1]:zero
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

// run votes: --block 32 --arg i32[1]:zero
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

// run a_part_of_the_warp: --block 32 --arg i32[1]:zero
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

// run atomics: --block 32 --arg i32[8]:zero --arg u32[4]:zero --arg f32[1]:zero --arg u64[1]:zero
// want atomics: clean
__global__ void atomics(int *i, unsigned *u, float *f, unsigned long long *w)
{
    int t = threadIdx.x;
    atomicAdd(&i[0], t);
    atomicSub(&i[1], t);
    atomicMax(&i[2], t);
    atomicMin(&i[3], -t);
    atomicOr(&i[4], 1 << t);
    atomicXor(&i[5], 1 << t);
    atomicCAS(&i[6], 0, 7);
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 9);
    atomicAdd(f, 0.5f);
    atomicAdd(w, 1ull << 40);
    __syncthreads();
    assert(i[0] == 496 && i[1] == -496 && i[2] == 31 && i[3] == -31 && i[4] == -1 && i[5] == -1);
    assert(i[6] == 7 && u[0] == 2 && u[1] == 8 && f[0] == 16 && w[0] == 32ull << 40);
}

// run atomics_wrongly: --block 32 --arg i32[1]:zero
// want atomics_wrongly: assert-failed
__global__ void atomics_wrongly(int *i)
{
    atomicAdd(i, 1);
    __syncthreads();
    assert(i[0] == 31);
}
