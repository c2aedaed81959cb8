// SPDX-License-Identifier: MIT
// The barrier of the whole grid: what it orders, what it keeps, and what is wrong at it.
#include <assert.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// run sum_of_the_grid: --grid 7 --block 64 --arg i32[448]:iota --arg i32[7]:uninit --arg i32[1]:uninit
// want sum_of_the_grid: clean
__global__ void sum_of_the_grid(const int *a, int *partial, int *out)
{
    __shared__ int s[64];
    cg::grid_group grid = cg::this_grid();
    s[threadIdx.x] = a[grid.thread_rank()];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s[0];
    grid.sync();
    if (grid.thread_rank() == 0) {
        int sum = 0;
        for (unsigned k = 0; k < grid.num_blocks(); k++)
            sum += partial[k];
        out[0] = sum;
        assert(sum == 447 * 448 / 2);
    }
}

// A barrier of the block orders the block only.
// run block_barrier_only: --grid 7 --block 64 --arg i32[448]:zero --arg i32[448]:uninit
// want block_barrier_only: race/read-write/grid
// right block_barrier_only: grid_barrier_between
__global__ void block_barrier_only(int *a, int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    a[i] = 1;
    __syncthreads();
    out[i] = a[447 - i];
}

// run grid_barrier_between: --grid 7 --block 64 --arg i32[448]:zero --arg i32[448]:uninit
// want grid_barrier_between: clean
__global__ void grid_barrier_between(int *a, int *out)
{
    unsigned i = cg::this_grid().thread_rank();
    a[i] = 1;
    cg::sync(cg::this_grid());
    out[i] = a[447 - i];
}

// Accesses behind a barrier race whatever was before it.
// run race_behind: --grid 7 --block 64 --arg i32[448]:zero --arg i32[448]:uninit
// want race_behind: race/read-write/grid
// right race_behind: grid_barrier_between
__global__ void race_behind(int *a, int *out)
{
    unsigned i = cg::this_grid().thread_rank();
    a[i] = 1;
    cg::this_grid().sync();
    out[i] = a[447 - i];
    a[i] = 2;
}

// Each of many rounds reads what other blocks wrote in the one before.
// run rounds: --grid 5 --block 33 --arg i64[165]:iota --arg i64[165]:uninit
// want rounds: clean
__global__ void rounds(long long *a, long long *b)
{
    unsigned i = cg::this_grid().thread_rank(), n = cg::this_grid().size();
    for (int round = 0; round < 20; round++) {
        b[i] = a[(i + 1) % n];
        cg::this_grid().sync();
        a[i] = b[(i + 40) % n];
        cg::this_grid().sync();
    }
    assert(a[i] == (long long)((i + 20 * 41) % n));
}

// run one_round_too_few: --grid 5 --block 33 --arg i64[165]:iota --arg i64[165]:uninit
// want one_round_too_few: race/read-write/grid
// right one_round_too_few: rounds
__global__ void one_round_too_few(long long *a, long long *b)
{
    unsigned i = cg::this_grid().thread_rank(), n = cg::this_grid().size();
    for (int round = 0; round < 3; round++) {
        b[i] = a[(i + 1) % n];
        cg::this_grid().sync();
        a[i] = b[(i + 40) % n];
    }
}

// A block's shared memory, its locals and its place are what they were, with parts not yet written.
// run what_a_block_keeps: --grid 3,2 --block 8,4,3 --shared 384 --arg i32[1]:zero
// want what_a_block_keeps: clean
__global__ void what_a_block_keeps(int *)
{
    extern __shared__ int dynamic[];
    __shared__ int s[96];
    __shared__ char bytes[3];
    cg::grid_group grid = cg::this_grid();
    int rank = cg::this_thread_block().thread_rank(), locals[5];
    unsigned long long mine = grid.thread_rank();
    s[rank] = mine;
    if (rank < 2)
        bytes[rank] = blockIdx.x + rank;
    for (int k = 0; k < 5; k++)
        locals[k] = mine * k;
    for (int round = 0; round < 3; round++) {
        grid.sync();
        assert(s[95 - rank] == grid.block_rank() * 96 + 95 - rank);
        assert(bytes[0] == blockIdx.x && bytes[1] == blockIdx.x + 1);
        for (int k = 0; k < 5; k++)
            assert(locals[k] == mine * k);
        assert(grid.thread_rank() == mine);
    }
    if (rank == 0)
        bytes[2] = 1;
    dynamic[rank] = mine;
    grid.sync();
    assert(bytes[2] == 1 && dynamic[95 - rank] == s[95 - rank]);
}

// run shared_stays_unwritten: --grid 4 --block 32 --arg i32[128]:uninit
// want shared_stays_unwritten: uninitialised/shared
// right shared_stays_unwritten: what_a_block_keeps
__global__ void shared_stays_unwritten(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    cg::this_grid().sync();
    a[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x + 1];
}

// run a_byte_stays_unwritten: --grid 4 --block 1 --arg i8[4]:uninit
// want a_byte_stays_unwritten: uninitialised/shared
__global__ void a_byte_stays_unwritten(signed char *a)
{
    __shared__ signed char s[4];
    s[0] = s[1] = s[3] = 1;
    cg::this_grid().sync();
    a[blockIdx.x] = s[0] + s[1] + s[2];
}

// run race_in_shared_behind: --grid 4 --block 64 --arg i32[256]:uninit
// want race_in_shared_behind: race/read-write
__global__ void race_in_shared_behind(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    cg::this_grid().sync();
    s[threadIdx.x] = 2;
    a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

// run a_thread_leaves: --grid 3 --block 40 --arg i32[120]:zero
// want a_thread_leaves: barrier-skipped-by-exit
// right a_thread_leaves: all_leave_behind_it
__global__ void a_thread_leaves(int *a)
{
    if (blockIdx.x == 1 && threadIdx.x == 39)
        return;
    cg::this_grid().sync();
    a[blockIdx.x * 40 + threadIdx.x] = 1;
}

// run a_block_leaves: --grid 3 --block 40 --arg i32[120]:zero
// want a_block_leaves: barrier-skipped-by-exit
// taught a_block_leaves: barrier-skipped-by-exit: All threads of all blocks
// right a_block_leaves: all_leave_behind_it
__global__ void a_block_leaves(int *a)
{
    if (blockIdx.x == 2)
        return;
    cg::this_grid().sync();
    a[blockIdx.x * 40 + threadIdx.x] = 1;
}

// The last block leaves behind the first of two barriers.
// run leaves_between: --grid 3 --block 40 --arg i32[120]:zero
// want leaves_between: barrier-skipped-by-exit
// right leaves_between: all_leave_behind_it
__global__ void leaves_between(int *a)
{
    cg::this_grid().sync();
    if (blockIdx.x == 2)
        return;
    cg::this_grid().sync();
    a[blockIdx.x * 40 + threadIdx.x] = 1;
}

// run all_leave_behind_it: --grid 3 --block 40 --arg i32[120]:zero
// want all_leave_behind_it: clean
__global__ void all_leave_behind_it(int *a)
{
    cg::this_grid().sync();
    if (blockIdx.x == 2 || threadIdx.x > 7)
        return;
    a[blockIdx.x * 40 + threadIdx.x] = 1;
}

// A part of the block at its own barrier: it goes on, and does not come to the grid's.
// run at_two_barriers: --grid 2 --block 64 --arg i32[64]:zero
// want at_two_barriers: barrier-divergence
__global__ void at_two_barriers(int *a)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        cg::this_grid().sync();
    if (blockIdx.x == 0)
        a[threadIdx.x] = 1;
}

// Threads of a block meet at one place; blocks only count each other.
// run two_places_in_a_block: --grid 2 --block 64 --arg i32[128]:zero
// want two_places_in_a_block: barrier-divergence
// right two_places_in_a_block: a_place_for_each_block
__global__ void two_places_in_a_block(int *a)
{
    if (threadIdx.x < 32)
        cg::this_grid().sync();
    else
        cg::this_grid().sync();
    a[blockIdx.x * 64 + threadIdx.x] = 1;
}

// run a_place_for_each_block: --grid 2 --block 64 --arg i32[128]:zero
// want a_place_for_each_block: clean
__global__ void a_place_for_each_block(int *a)
{
    if (blockIdx.x == 0)
        cg::this_grid().sync();
    else
        cg::this_grid().sync();
    a[blockIdx.x * 64 + threadIdx.x] = 1;
}

// More blocks than the device holds at once would wait for each other forever.
// run too_many_blocks: --grid 2113 --block 128 --arg i32[1]:zero
// want too_many_blocks: illegal-launch
// taught too_many_blocks: illegal-launch: cudaLaunchCooperativeKernel
// right too_many_blocks: as_many_blocks_as_fit
__global__ void too_many_blocks(int *a)
{
    __shared__ int s[128];
    s[threadIdx.x] = a[0];
    cg::this_grid().sync();
    assert(false);
}

// run as_many_blocks_as_fit: --grid 2112 --block 128 --arg i32[1]:zero
// want as_many_blocks_as_fit: clean
__global__ void as_many_blocks_as_fit(int *a)
{
    cg::this_grid().sync();
    if (cg::this_grid().thread_rank() == 2112 * 128 - 1)
        a[0] = 1;
}

// run is_in_order: --grid 2,3,2 --block 4,3,2 --arg i32[288]:zero
// want is_in_order: clean
__global__ void is_in_order(int *a)
{
    cg::grid_group g = cg::this_grid();
    unsigned block = (blockIdx.z * 3 + blockIdx.y) * 2 + blockIdx.x;
    unsigned thread = (threadIdx.z * 3 + threadIdx.y) * 4 + threadIdx.x;
    assert(g.is_valid() && g.size() == 288 && g.num_threads() == 288 && g.num_blocks() == 12);
    assert(g.block_rank() == block && g.thread_rank() == block * 24 + thread);
    assert(g.dim_blocks().x == 2 && g.dim_blocks().y == 3 && g.dim_blocks().z == 2);
    assert(g.group_dim().x == 2 && g.group_dim().y == 3 && g.group_dim().z == 2);
    assert(g.block_index().x == blockIdx.x && g.block_index().z == blockIdx.z);
    a[g.thread_rank()] = 1;
    g.sync();
    assert(a[287 - g.thread_rank()] == 1);
}
