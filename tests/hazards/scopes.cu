// SPDX-License-Identifier: MIT
// Every kind of race in each of its scopes, each beside the kernel that is right: among the threads of a warp, the
// warps of a block and the blocks of a grid.

// ---- one reads what another writes ----

// run reads_in_warp: --grid 1 --block 31 --arg i32[31]:iota
// want reads_in_warp: race/read-write/warp
// taught reads_in_warp: race/read-write/warp: __syncwarp()
// right reads_in_warp: reads_behind_warp_barrier
__global__ void reads_in_warp(int *a)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}

// run reads_behind_warp_barrier: --grid 1 --block 32 --arg i32[32]:iota
// want reads_behind_warp_barrier: clean
__global__ void reads_behind_warp_barrier(int *a)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}

// Only the first and the last thread: they are of different warps.
// run reads_in_block: --grid 1 --block 33 --arg i32[33]:zero
// want reads_in_block: race/read-write/block
// taught reads_in_block: race/read-write/block: put __syncthreads() between
// right reads_in_block: reads_behind_barrier
__global__ void reads_in_block(int *out)
{
    __shared__ int first;
    if (threadIdx.x == blockDim.x - 1)
        first = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        first = 7;
    if (threadIdx.x == blockDim.x - 1)
        out[threadIdx.x] = first;
}

// run reads_behind_barrier: --grid 1 --block 1023 --arg i32[1023]:zero
// want reads_behind_barrier: clean
__global__ void reads_behind_barrier(int *out)
{
    __shared__ int first;
    if (threadIdx.x == 0)
        first = 7;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        out[threadIdx.x] = first;
}

// run reads_in_grid: --grid 2 --block 32 --arg i32[64]:iota
// want reads_in_grid: race/read-write/grid
// taught reads_in_grid: race/read-write/grid: a launch of its own; this_grid().sync(); atomic
// right reads_in_grid: reads_its_own_block
__global__ void reads_in_grid(int *a)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    int next = a[(i + blockDim.x) % n];
    __syncthreads();
    a[i] = next;
}

// run reads_its_own_block: --grid 2 --block 33 --arg i32[66]:iota
// want reads_its_own_block: clean
__global__ void reads_its_own_block(int *a)
{
    unsigned at = blockIdx.x * blockDim.x, k = threadIdx.x;
    int next = a[at + (k + 1) % blockDim.x];
    __syncthreads();
    a[at + k] = next;
}

// ---- two write ----

// run writes_in_warp: --grid 1 --block 64 --arg i32[64]:zero
// want writes_in_warp: race/write-write/warp
// taught writes_in_warp: race/write-write/warp: let one thread write; __syncwarp()
// right writes_in_warp: writes_apart
__global__ void writes_in_warp(int *out)
{
    __shared__ int pairs[32];
    pairs[threadIdx.x / 2] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = pairs[threadIdx.x / 2];
}

// run writes_apart: --grid 1 --block 64 --arg i32[64]:zero
// want writes_apart: clean
__global__ void writes_apart(int *out)
{
    __shared__ int cells[64];
    cells[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x ^ 1];
}

// run writes_in_block: --grid 1 --block 64 --arg i32[64]:zero
// want writes_in_block: race/write-write/block
// taught writes_in_block: race/write-write/block: put __syncthreads() between
// right writes_in_block: writes_in_turn
__global__ void writes_in_block(int *out)
{
    __shared__ int lanes[32];
    lanes[threadIdx.x % 32] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = lanes[threadIdx.x % 32];
}

// run writes_in_turn: --grid 1 --block 64 --arg i32[64]:zero
// want writes_in_turn: clean
__global__ void writes_in_turn(int *out)
{
    __shared__ int lanes[32];
    for (unsigned warp = 0; warp < 2; warp++) {
        if (threadIdx.x / 32 == warp)
            lanes[threadIdx.x % 32] = (int)threadIdx.x;
        __syncthreads();
    }
    out[threadIdx.x] = lanes[threadIdx.x % 32];
}

// A block too few elements apart: the last of one block is the first of the next.
// run writes_in_grid: --grid 3 --block 32 --arg i32[96]:zero
// want writes_in_grid: race/write-write/grid
// right writes_in_grid: writes_in_blocks
__global__ void writes_in_grid(int *a)
{
    a[blockIdx.x * (blockDim.x - 1) + threadIdx.x] = (int)(blockIdx.x * 100 + threadIdx.x);
}

// run writes_in_blocks: --grid 3 --block 32 --arg i32[96]:zero
// want writes_in_blocks: clean
__global__ void writes_in_blocks(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = (int)(blockIdx.x * 100 + threadIdx.x);
}

// ---- two write the same ----

// run agrees_in_warp: --grid 1 --block 32 --arg i32[32]:iota --arg i32[1]:zero
// want agrees_in_warp: race/same-value/warp
// taught agrees_in_warp: race/same-value/warp: if (threadIdx.x == 0)
// right agrees_in_warp: agrees_by_vote
__global__ void agrees_in_warp(const int *a, int *found)
{
    if (a[threadIdx.x] > 29)
        *found = 1;
}

// run agrees_by_vote: --grid 1 --block 32 --arg i32[32]:iota --arg i32[1]:zero
// want agrees_by_vote: clean
__global__ void agrees_by_vote(const int *a, int *found)
{
    int any = __any_sync(0xffffffffu, a[threadIdx.x] > 29);
    if (any && threadIdx.x == 0)
        *found = 1;
}

// run agrees_in_block: --grid 1 --block 65 --arg i32[65]:iota --arg i32[1]:zero
// want agrees_in_block: race/same-value/block
// taught agrees_in_block: race/same-value/block: if (threadIdx.x == 0)
// right agrees_in_block: agrees_at_a_barrier
__global__ void agrees_in_block(const int *a, int *out)
{
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (a[threadIdx.x] % 32 == 0)
        found = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = found;
}

// run agrees_at_a_barrier: --grid 1 --block 65 --arg i32[65]:iota --arg i32[1]:zero
// want agrees_at_a_barrier: clean
__global__ void agrees_at_a_barrier(const int *a, int *out)
{
    int found = __syncthreads_or(a[threadIdx.x] % 32 == 0);
    if (threadIdx.x == 0)
        *out = found;
}

// run agrees_in_grid: --grid 2 --block 1 --arg i32[1]:zero
// want agrees_in_grid: race/same-value/grid
// taught agrees_in_grid: race/same-value/grid: if (blockIdx.x == 0)
// right agrees_in_grid: agrees_by_atomic
__global__ void agrees_in_grid(int *found)
{
    *found = 1;
}

// run agrees_by_atomic: --grid 2 --block 1 --arg i32[1]:zero
// want agrees_by_atomic: clean
__global__ void agrees_by_atomic(int *found)
{
    atomicOr(found, 1);
}
