// SPDX-License-Identifier: MIT
// Cooperative groups within a block, each function against its definition over all threads.
#include <assert.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__device__ int value_of(int thread)
{
    return thread * 37 % 101 - 50;
}

// A value that no single shuffle carries.
struct wide {
    int a[5];
    char b;
};

template <int N> __device__ void in_tiles()
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<N> tile = cg::tiled_partition<N>(block);
    int me = block.thread_rank(), first = me / N * N, rank = me % N, sum = 0, most = -100;
    assert(tile.thread_rank() == rank && tile.size() == N && tile.num_threads() == N);
    assert(tile.meta_group_rank() == me / N && tile.meta_group_size() == (block.size() + N - 1) / N);
    for (int k = 0; k < N; k++) {
        assert(tile.shfl(value_of(me), k) == value_of(first + k));
        assert(tile.shfl_up(value_of(me), k) == value_of(rank >= k ? me - k : me));
        assert(tile.shfl_down(value_of(me), k) == value_of(rank + k < N ? me + k : me));
        assert(tile.shfl_xor(value_of(me), k) == value_of(first + (rank ^ k)));
        assert(tile.any(rank == k) && tile.any(rank == N) == 0);
        assert(tile.all(rank < N) && !tile.all(rank != k));
        assert(tile.ballot(rank == k) == 1u << k);
        sum += value_of(first + k);
        most = max(most, value_of(first + k));
    }
    unsigned odd = 0xaaaaaaaau & (N == 32 ? ~0u : (1u << N % 32) - 1);
    assert(tile.match_any(rank % 2) == (rank % 2 ? odd : (N == 1 ? 1 : odd >> 1)));
    int same = 7;
    assert(tile.match_all(first, same) == (N == 32 ? ~0u : (1u << N % 32) - 1) && same);
    assert(tile.match_all(rank, same) == (N == 1 ? 1 : 0) && same == (N == 1));
    assert(cg::reduce(tile, value_of(me), cg::plus<int>()) == sum);
    assert(cg::reduce(tile, value_of(me), cg::greater<int>()) == most);
    assert(cg::reduce(tile, -value_of(me), cg::less<int>()) == -most);
    assert(cg::reduce(tile, 1ull << rank, cg::bit_or<unsigned long long>()) == (1ull << N) - 1);
    assert(cg::reduce(tile, 1u << rank, cg::bit_xor<unsigned>()) == (unsigned)((1ull << N) - 1));
    assert(cg::reduce(tile, ~(1u << rank), cg::bit_and<unsigned>()) == ~(unsigned)((1ull << N) - 1));
    assert(cg::inclusive_scan(tile, 2) == 2 * (rank + 1) && cg::exclusive_scan(tile, 2) == 2 * rank);
    wide w = {{me, 1, 2, 3, me + 4}, (char)rank};
    w = tile.shfl(w, N - 1);
    assert(w.a[0] == first + N - 1 && w.a[4] == first + N + 3 && w.b == N - 1);
    tile.sync();
}

// run tiles: --grid 1 --block 16,4 --arg i32[1]:zero
// want tiles: clean
__global__ void tiles(int *)
{
    in_tiles<1>();
    in_tiles<2>();
    in_tiles<4>();
    in_tiles<8>();
    in_tiles<16>();
    in_tiles<32>();
}

// Floats: the order of the additions is that of CUDA's header, to the last bit.
// run float_sums: --grid 1 --block 64 --arg f32[64]:random:7 --arg f32[192]:uninit
// want float_sums: clean
__global__ void float_sums(const float *a, float *out)
{
    cg::thread_block block = cg::this_thread_block();
    int me = block.thread_rank();
    out[me] = cg::reduce(cg::tiled_partition<32>(block), a[me], cg::plus<float>());
    out[64 + me] = cg::inclusive_scan(cg::tiled_partition<8>(block), a[me], cg::plus<float>());
    if (me % 5 != 2) {
        cg::coalesced_group some = cg::coalesced_threads();
        out[128 + me] = cg::reduce(some, a[me], cg::plus<float>());
    } else {
        out[128 + me] = 0;
    }
}

// run threads_together: --grid 1 --block 50 --arg i32[1]:zero
// want threads_together: clean
__global__ void threads_together(int *)
{
    int lane = threadIdx.x % 32, lanes = threadIdx.x < 32 ? 32 : 18, first = threadIdx.x - lane;
    if (lane % 3 != 1)
        return;
    cg::coalesced_group group = cg::coalesced_threads();
    int rank = lane / 3, n = (lanes + 1) / 3, sum = 0;
    assert(group.size() == n && group.num_threads() == n && group.thread_rank() == rank);
    assert(group.meta_group_rank() == 0 && group.meta_group_size() == 1);
    for (int k = 0; k < n; k++) {
        int up = rank >= k ? lane - 3 * k : lane, down = rank + k < n ? lane + 3 * k : lane;
        assert(group.shfl(value_of(lane), k) == value_of(3 * k + 1));
        assert(group.shfl_up(value_of(lane), k) == value_of(up));
        assert(group.shfl_down(value_of(lane), k) == value_of(down));
        assert(group.ballot(rank == k) == 1u << k);
        assert(group.any(rank == k) && group.all(rank < n) && !group.all(rank == k));
        sum += value_of(3 * k + 1);
    }
    assert(cg::reduce(group, value_of(lane), cg::plus<int>()) == sum);
    assert(cg::inclusive_scan(group, 1) == rank + 1 && cg::exclusive_scan(group, 1) == rank);
    assert(group.match_any(first) == (1u << n) - 1);
    group.sync();
    cg::coalesced_group part = cg::tiled_partition(group, 4);
    assert(part.thread_rank() == rank % 4 && part.size() == min(4, n - rank / 4 * 4));
    assert(part.meta_group_rank() == rank / 4 && part.meta_group_size() == (n + 3) / 4);
    assert(part.shfl(lane, 0) == 3 * (rank / 4 * 4) + 1);
}

// run parts: --grid 1 --block 64 --arg i32[1]:zero
// want parts: clean
__global__ void parts(int *)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    int lane = warp.thread_rank();
    auto half = cg::tiled_partition<16>(warp);
    assert(half.meta_group_rank() == lane / 16 && half.meta_group_size() == 2);
    assert(half.shfl(lane, 0) == lane / 16 * 16);
    cg::coalesced_group alike = cg::labeled_partition(warp, lane % 5);
    assert(alike.size() == (lane % 5 < 2 ? 7 : 6) && alike.thread_rank() == lane / 5);
    assert(alike.meta_group_rank() == lane % 5 && alike.meta_group_size() == 5);
    assert(cg::reduce(alike, 1, cg::plus<int>()) == alike.size());
    cg::coalesced_group few = cg::binary_partition(warp, lane >= 20);
    assert(few.size() == (lane < 20 ? 20 : 12) && few.thread_rank() == (lane < 20 ? lane : lane - 20));
    assert(few.meta_group_rank() == (lane >= 20) && few.meta_group_size() == 2);
    assert(cg::binary_partition(warp, true).size() == 32);
}

__device__ int sum_of(cg::thread_group group, int *scratch, int value)
{
    int me = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        scratch[me] = value;
        group.sync();
        if (me < half)
            value += scratch[me + half];
        group.sync();
    }
    return value;
}

// A function that takes any group: the block, tiles of it, threads that run together.
// run any_group: --grid 1 --block 64 --arg i32[64]:iota --arg i32[3]:uninit
// want any_group: clean
__global__ void any_group(const int *a, int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    int me = block.thread_rank(), sum = sum_of(block, s, a[me]);
    if (me == 0)
        out[0] = sum;
    cg::thread_group tile = cg::tiled_partition(block, 8);
    assert(tile.size() == 8 && tile.thread_rank() == me % 8);
    sum = sum_of(tile, s + me / 8 * 8, a[me]);
    if (me == 8)
        out[1] = sum;
    cg::thread_group pair = cg::tiled_partition(tile, 2);
    assert(pair.size() == 2 && cg::thread_rank(pair) == me % 2);
    sum = sum_of(cg::tiled_partition<4>(block), s + me / 4 * 4, a[me]);
    if (me == 60)
        out[2] = sum;
}

// run any_group_races: --grid 1 --block 64 --arg i32[64]:iota --arg i32[8]:uninit
// want any_group_races: race/read-write/warp
__global__ void any_group_races(const int *a, int *out)
{
    __shared__ int s[64];
    cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 8);
    int me = threadIdx.x, sum = 0;
    s[me] = 0;
    __syncthreads();
    s[me] = a[me];
    if (tile.thread_rank() == 0) {
        for (int k = 0; k < 8; k++)
            sum += s[me + k];
        out[me / 8] = sum;
    }
}

// The tile's barrier orders the tile, not the warp.
// run past_the_tile: --grid 1 --block 32 --arg i32[32]:iota --arg i32[32]:uninit
// want past_the_tile: race/read-write/warp
__global__ void past_the_tile(const int *a, int *out)
{
    __shared__ int s[32];
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x] = a[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

// A tile of which a part has left has other lanes than it thinks.
// run tile_with_a_hole: --grid 1 --block 32 --arg i32[32]:iota
// want tile_with_a_hole: shuffle-from-inactive-lane
__global__ void tile_with_a_hole(int *a)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    if (threadIdx.x % 8 == 7)
        return;
    a[threadIdx.x] = cg::reduce(tile, a[threadIdx.x], cg::plus<int>());
}
