// SPDX-License-Identifier: MIT
// Warps: not in lockstep; what orders their lanes, and what does not.
#include <assert.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// run old_tail: --grid 1 --block 32 --arg i32[32]:iota
// want old_tail: race/read-write/warp
// right old_tail: tail_with_barriers
__global__ void old_tail(int *a)
{
    __shared__ volatile int s[64];
    unsigned t = threadIdx.x;
    s[t] = a[t];
    s[t + 32] = 0;
    __syncthreads();
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    a[t] = s[t];
}

// run tail_with_barriers: --grid 1 --block 64 --arg i32[64]:iota
// want tail_with_barriers: clean
__global__ void tail_with_barriers(int *a)
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        int v = s[t];
        for (int o = 32; o > 0; o /= 2) {
            v += t + o < 64 ? s[t + o] : 0;
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
    }
    if (t == 0)
        a[0] = s[0];
}

// A warp barrier orders its warp only.
// run other_warp: --grid 1 --block 64 --arg i32[64]:iota
// want other_warp: race/read-write/block
// right other_warp: same_warp
__global__ void other_warp(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[threadIdx.x ^ 32];
}

// run same_warp: --grid 1 --block 64 --arg i32[64]:iota
// want same_warp: clean
__global__ void same_warp(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[threadIdx.x ^ 31];
}

// All read at one place; the first reader then writes, behind a barrier of its warp: only the reads of the other warp race.
// run first_reader_writes: --grid 1 --block 64 --arg i32[64]:iota
// want first_reader_writes: race/read-write/block
// right first_reader_writes: first_reader_writes_behind_barrier
__global__ void first_reader_writes(int *a)
{
    __shared__ int s;
    unsigned t = threadIdx.x;
    if (t == 0)
        s = a[0];
    __syncthreads();
    a[t] = s;
    __syncwarp();
    if (t == 0)
        s = 1;
}

// run first_reader_writes_behind_barrier: --grid 1 --block 64 --arg i32[64]:iota
// want first_reader_writes_behind_barrier: clean
__global__ void first_reader_writes_behind_barrier(int *a)
{
    __shared__ int s;
    unsigned t = threadIdx.x;
    if (t == 0)
        s = a[0];
    __syncthreads();
    a[t] = s;
    __syncthreads();
    if (t == 0)
        s = 1;
}

// A write by one warp, a warp barrier, a read by the same warp; the other warp's read races with the write.
// run write_before_warp_barrier: --grid 1 --block 64 --arg i32[64]:zero
// want write_before_warp_barrier: race
__global__ void write_before_warp_barrier(int *a)
{
    __shared__ int s[1];
    if (threadIdx.x == 0)
        s[0] = 1;
    __syncwarp();
    if (threadIdx.x == 1 || threadIdx.x == 33)
        a[threadIdx.x] = s[0];
}

// A shuffle is no barrier for memory.
// run shuffle_orders_nothing: --grid 1 --block 32 --arg i32[32]:iota
// want shuffle_orders_nothing: race/read-write/warp
__global__ void shuffle_orders_nothing(int *a)
{
    __shared__ int s[32];
    s[threadIdx.x] = a[threadIdx.x];
    __shfl_sync(0xffffffff, 1, 0);
    a[threadIdx.x] = s[31 - threadIdx.x];
}

// run half_warps: --grid 1 --block 32 --arg i32[32]:iota
// want half_warps: clean
__global__ void half_warps(int *a)
{
    __shared__ int s[32];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = a[threadIdx.x];
    tile.sync();
    a[threadIdx.x] = s[threadIdx.x ^ 15];
}

// run half_warps_crossed: --grid 1 --block 32 --arg i32[32]:iota
// want half_warps_crossed: race
// right half_warps_crossed: half_warps
__global__ void half_warps_crossed(int *a)
{
    __shared__ int s[32];
    s[threadIdx.x] = 0;
    __syncthreads();
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = a[threadIdx.x];
    tile.sync();
    a[threadIdx.x] = s[threadIdx.x ^ 16];
}

// run shuffle_sum: --grid 1 --block 96 --arg i32[96]:iota --arg i32[3]:uninit
// want shuffle_sum: clean
__global__ void shuffle_sum(const int *a, int *out)
{
    int v = a[threadIdx.x];
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = v;
}

// run mask_too_small: --grid 1 --block 32 --arg i32[32]:iota
// want mask_too_small: shuffle-from-inactive-lane
// taught mask_too_small: shuffle-from-inactive-lane: put all lanes that are read into the mask
// right mask_too_small: mask_right
__global__ void mask_too_small(int *a)
{
    if (threadIdx.x < 16)
        a[threadIdx.x] = __shfl_down_sync(0xffff, a[threadIdx.x], 8);
}

// run mask_right: --grid 1 --block 32 --arg i32[32]:iota
// want mask_right: clean
__global__ void mask_right(int *a)
{
    if (threadIdx.x < 16)
        a[threadIdx.x] = __shfl_down_sync(0xffff, a[threadIdx.x], 8, 16);
}

// run mask_names_absent: --grid 1 --block 64 --arg i32[64]:iota
// want mask_names_absent: mask-mismatch
// taught mask_names_absent: mask-mismatch: and no others
// right mask_names_absent: mask_right
__global__ void mask_names_absent(int *a)
{
    if (threadIdx.x < 16)
        a[threadIdx.x] = __any_sync(0xffffffff, 1);
    __syncthreads();
}

// Each half names other lanes at one __syncwarp(), and the upper half exits.
// run masks_differ_then_exit: --grid 1 --block 64 --arg i32[64]:iota
// want masks_differ_then_exit: mask-mismatch
// right masks_differ_then_exit: halves_apart
__global__ void masks_differ_then_exit(int *a)
{
    a[threadIdx.x] += 1;
    __syncwarp(threadIdx.x % 32 < 16 ? 0xffffffff : 0xffff0000);
}

// run halves_apart: --grid 1 --block 64 --arg i32[64]:iota
// want halves_apart: clean
__global__ void halves_apart(int *a)
{
    a[threadIdx.x] += 1;
    __syncwarp(threadIdx.x % 32 < 16 ? 0x0000ffff : 0xffff0000);
}

// The upper half has synchronised on its own, and is gone before the whole warp meets.
// run half_leaves: --grid 1 --block 64 --arg i32[64]:iota
// want half_leaves: clean
__global__ void half_leaves(int *a)
{
    if (threadIdx.x % 32 >= 16) {
        a[threadIdx.x] += 1;
        __syncwarp(0xffff0000);
        return;
    }
    __syncwarp();
}

// Half as many lanes in each trip, and each names those that are left.
// run fewer_and_fewer: --grid 1 --block 32 --arg i32[32]:iota
// want fewer_and_fewer: clean
__global__ void fewer_and_fewer(int *a)
{
    for (unsigned o = 16; o > 0 && threadIdx.x < o; o /= 2) {
        int above = a[threadIdx.x + o];
        a[threadIdx.x] += above;
        __syncwarp((1u << o) - 1);
    }
}

// run mask_without_itself: --grid 1 --block 32 --arg i32[32]:iota
// want mask_without_itself: mask-mismatch
// taught mask_without_itself: mask-mismatch: must be in its mask
// right mask_without_itself: ballot_first
__global__ void mask_without_itself(int *a)
{
    if (threadIdx.x < 2)
        a[threadIdx.x] = (int)__ballot_sync(1, 1);
}

// run ballot_first: --grid 1 --block 40 --arg i32[40]:iota
// want ballot_first: clean
__global__ void ballot_first(int *a)
{
    unsigned mask = __ballot_sync(threadIdx.x < 32 ? 0xffffffff : 0xff, threadIdx.x % 2);
    if (threadIdx.x % 2)
        a[threadIdx.x] = (int)__reduce_add_sync(mask, 1u);
}

// run active: --grid 1 --block 32 --arg u32[32]:zero
// want active: clean
__global__ void active(unsigned *a)
{
    if (threadIdx.x < 5)
        a[threadIdx.x] = __activemask();
}

// Behind lanes that have exited with a mask of their own; the line is one.
// run active_behind_exits: --grid 1 --block 32 --arg u32[1]:zero
// want active_behind_exits: clean
__global__ void active_behind_exits(unsigned *a)
{
    const unsigned lanes = threadIdx.x % 2 ? 0xaaaaaaaau : 0x55555555u;
    unsigned sum = __reduce_add_sync(lanes, 1u) + (threadIdx.x == 0 ? __popc(__activemask()) : 0);
    if (threadIdx.x == 0)
        a[0] = sum;
}

// Fences with atomics: the last block to come adds the others' partials.
// run last_block: --grid 4 --block 32 --arg i32[128]:one --arg i32[4]:uninit --arg u32[1]:zero --arg i32[1]:uninit
// want last_block: clean
__global__ void last_block(const int *a, int *partial, unsigned *ticket, int *out)
{
    __shared__ bool last;
    int v = a[blockIdx.x * 32 + threadIdx.x];
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 4) {
        int w = partial[threadIdx.x];
        w += __shfl_down_sync(0xf, w, 2, 4);
        w += __shfl_down_sync(0xf, w, 1, 4);
        if (threadIdx.x == 0)
            out[0] = w;
    }
}

// run last_block_no_fence: --grid 4 --block 32 --arg i32[4]:uninit --arg u32[1]:zero --arg i32[1]:uninit
// want last_block_no_fence: race/read-write/grid
// taught last_block_no_fence: race/read-write/grid: put __threadfence() behind the write; cuda::atomic
// right last_block_no_fence: last_block
__global__ void last_block_no_fence(int *partial, unsigned *ticket, int *out)
{
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = 1;
        if (atomicInc(ticket, gridDim.x) == gridDim.x - 1)
            out[0] = partial[0] + partial[1] + partial[2] + partial[3];
    }
}

// run lock: --grid 2 --block 4 --arg i32[1]:zero --arg i32[1]:zero
// want lock: clean
__global__ void lock(int *mutex, int *sum)
{
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicExch(mutex, 0);
}

// The rule for a mask is of threads that have not exited: they alone must make the same call.
// run exited_need_not_come: --grid 1 --block 40 --arg u32[40]:zero
// want exited_need_not_come: clean
__global__ void exited_need_not_come(unsigned *a)
{
    const unsigned t = threadIdx.x, lane = t % 32;
    if (lane >= 5)
        return;
    for (unsigned k = 0; k <= lane; k++) { // fewer and fewer
        unsigned here = __ballot_sync(0xffffffff, 1);
        assert(here >> lane & 1 && here < 32);
    }
    if (lane == 4)
        a[t] = __shfl_sync(0xffffffff, t, 4);
}

// But nobody knows what they would have to say.
// run exited_say_nothing: --grid 1 --block 32 --arg u32[32]:zero
// want exited_say_nothing: shuffle-from-inactive-lane
// right exited_say_nothing: exited_need_not_come
__global__ void exited_say_nothing(unsigned *a)
{
    if (threadIdx.x >= 20)
        return;
    a[threadIdx.x] = __shfl_down_sync(0xffffffff, threadIdx.x, 1);
}

// The old warp tail: one fault, whichever two of its lines meet.
// run tail_in_lockstep: --grid 2 --block 64 --arg i32[128]:one --arg i32[2]:zero
// want tail_in_lockstep: race
// taught tail_in_lockstep: race/read-write/warp: since Volta; volatile; __syncwarp(); __shfl_down_sync()
// right tail_in_lockstep: tail_in_step
__device__ void tail_of(volatile int *s, unsigned t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}
__global__ void tail_in_lockstep(const int *a, int *out)
{
    __shared__ int s[96];
    s[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
    if (threadIdx.x < 32)
        s[64 + threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        tail_of(s, threadIdx.x);
    if (threadIdx.x == 0)
        out[blockIdx.x] = *(volatile int *)s;
}

// run tail_in_step: --grid 2 --block 64 --arg i32[128]:one --arg i32[2]:zero
// want tail_in_step: clean
__global__ void tail_in_step(const int *a, int *out)
{
    __shared__ int shared[96];
    volatile int *s = shared;
    const unsigned t = threadIdx.x;
    s[t] = a[blockIdx.x * 64 + t];
    if (t < 32)
        s[64 + t] = 0;
    __syncthreads();
    for (unsigned half = 32; t < 32 && half > 0; half /= 2) {
        int v = s[t] + s[t + half];
        __syncwarp();
        s[t] = v;
        __syncwarp();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
