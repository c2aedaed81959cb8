// SPDX-License-Identifier: MIT
// Barriers: divergence, exits, and what is neither.

// run in_a_branch: --grid 1 --block 64 --arg i32[64]:zero
// want in_a_branch: barrier-divergence
// right in_a_branch: one_site
__global__ void in_a_branch(int *a)
{
    if (threadIdx.x < 40) {
        a[threadIdx.x] = 1;
        __syncthreads();
    }
}

// run two_sites: --grid 1 --block 64 --arg i32[64]:zero
// want two_sites: barrier-divergence
// taught two_sites: barrier-divergence: take it out of the branch
// right two_sites: one_site
__global__ void two_sites(int *a)
{
    if (threadIdx.x < 32) {
        a[threadIdx.x] = 1;
        __syncthreads();
    } else {
        a[threadIdx.x] = 2;
        __syncthreads();
    }
}

// run one_site: --grid 1 --block 64 --arg i32[64]:zero
// want one_site: clean
__global__ void one_site(int *a)
{
    a[threadIdx.x] = threadIdx.x < 32 ? 1 : 2;
    __syncthreads();
}

// run early_return: --grid 1 --block 33 --arg i32[64]:zero
// want early_return: barrier-skipped-by-exit
// taught early_return: barrier-skipped-by-exit: All threads of a block
// right early_return: return_behind
__global__ void early_return(int *a)
{
    if (threadIdx.x == 32)
        return;
    a[threadIdx.x] = 1;
    __syncthreads();
    a[threadIdx.x] += 1;
}

// run return_behind: --grid 1 --block 33 --arg i32[64]:zero
// want return_behind: clean
__global__ void return_behind(int *a)
{
    a[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 32)
        return;
    a[threadIdx.x] += 1;
}

// The same line in different iterations: one site.
// run loop: --grid 1 --block 96 --arg i32[96]:zero
// want loop: clean
__global__ void loop(int *a)
{
    for (int k = 0; k < 7; k++) {
        a[(threadIdx.x + k) % 96] += 1;
        __syncthreads();
    }
}

// run loop_uneven: --grid 1 --block 32 --arg i32[32]:zero
// want loop_uneven: barrier-divergence
// right loop_uneven: loop
__global__ void loop_uneven(int *a)
{
    for (unsigned k = 0; k <= threadIdx.x / 16; k++) {
        a[threadIdx.x] += 1;
        __syncthreads();
    }
}

// run counts: --grid 1 --block 100 --arg i32[3]:zero
// want counts: clean
__global__ void counts(int *out)
{
    int n = __syncthreads_count(threadIdx.x < 30);
    int all = __syncthreads_and(threadIdx.x < 100);
    int any = __syncthreads_or(threadIdx.x == 1000);
    if (threadIdx.x == 0 && n == 30 && all && !any)
        out[0] = 1;
}

// run in_three_dimensions: --grid 2,2,2 --block 8,16,8 --arg i32[8192]:zero
// want in_three_dimensions: clean
__global__ void in_three_dimensions(int *a)
{
    __shared__ int s[8][16][8];
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    s[threadIdx.z][threadIdx.y][threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    a[block * 1024 + (threadIdx.z * 16 + threadIdx.y) * 8 + threadIdx.x] =
        s[7 - threadIdx.z][15 - threadIdx.y][7 - threadIdx.x];
}

// run never_ends: --grid 1 --block 2 --steps 100000 --arg i32[2]:zero
// want never_ends: no-termination
// taught never_ends: no-termination: the loop's condition
// right never_ends: waits
__global__ void never_ends(volatile int *a)
{
    while (a[0] == 0)
        ;
}

// A thread that waits for another, which comes.
// run waits: --grid 1 --block 2 --arg i32[1]:zero
// want waits: clean
__global__ void waits(int *a)
{
    if (threadIdx.x == 0)
        while (atomicAdd(a, 0) == 0)
            ;
    else
        atomicAdd(a, 1);
}

// run asserts: --grid 1 --block 4 --arg i32[4]:iota
// want asserts: assert-failed
// taught asserts: assert-failed: what made it false
// right asserts: asserts_rightly
#include <assert.h>
__global__ void asserts(int *a)
{
    assert(a[threadIdx.x] < 3);
}

// run asserts_rightly: --grid 1 --block 4 --arg i32[4]:iota
// want asserts_rightly: clean
__global__ void asserts_rightly(int *a)
{
    assert(a[threadIdx.x] < 4);
}

// Threads that end deep in their calls leave their stacks to others.
// run asserts_in_depth: --grid 8 --block 96 --arg i32[768]:zero
// want asserts_in_depth: assert-failed
__device__ int fails_below(volatile int *a, int depth)
{
    volatile int kept = depth;
    assert(depth > 0 || a[0] != 0);
    __syncwarp(__activemask());
    return depth > 0 ? fails_below(a, depth - 1) + kept : kept;
}
__global__ void asserts_in_depth(int *a)
{
    if (threadIdx.x % 3 == 1)
        fails_below(a + blockIdx.x * blockDim.x + threadIdx.x, threadIdx.x % 17);
}

// Others spin for longer than the run may take, and the barriers are never left.
// run spins_beside_barriers: --grid 1 --block 96 --timeout 2 --arg i32[96]:zero
// want spins_beside_barriers: barrier-divergence, no-termination
__global__ void spins_beside_barriers(volatile int *a)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else if (threadIdx.x < 64)
        __syncthreads();
    else
        while (a[threadIdx.x] == 0)
            ;
}
