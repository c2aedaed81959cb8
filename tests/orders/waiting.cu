// SPDX-License-Identifier: MIT
// Blocks and warps that wait for each other: they come to an end, and those that never can are told.

// A barrier of the grid made by hand, passed three times.
// run hand_made_barrier: --grid 20 --block 64 --arg i32[1280]:iota --arg i32[1280]:zero --arg u32[1]:zero
// want hand_made_barrier: clean
__global__ void hand_made_barrier(int *a, int *b, unsigned *count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (unsigned round = 1; round <= 3; round++) {
        b[i] = a[(i + 64) % n];
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (atomicAdd(count, 0) < (2 * round - 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
        a[i] = b[i] + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (*(volatile unsigned *)count < 2 * round * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// run barrier_of_too_few: --grid 4 --block 32 --steps 100000 --arg u32[1]:zero
// want barrier_of_too_few: no-termination
// right barrier_of_too_few: hand_made_barrier
__global__ void barrier_of_too_few(unsigned *count)
{
    if (threadIdx.x != 0 || blockIdx.x == 3)
        return;
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x)
        ;
}

// More blocks than the device holds at once: the first wait for ones that can't begin.
// run more_than_are_resident: --grid 4300 --block 1024 --steps 3000 --arg u32[1]:zero
// want more_than_are_resident: no-termination
// right more_than_are_resident: as_many_as_are_resident
__global__ void more_than_are_resident(unsigned *count)
{
    if (threadIdx.x != 0)
        return;
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x)
        ;
}

// run as_many_as_are_resident: --grid 264 --block 1024 --arg u32[1]:zero
// want as_many_as_are_resident: clean
__global__ void as_many_as_are_resident(unsigned *count)
{
    if (threadIdx.x != 0)
        return;
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x)
        ;
}

// run two_take_turns: --grid 2 --block 32 --arg i32[1]:zero --arg i32[1]:zero
// want two_take_turns: clean
__global__ void two_take_turns(volatile int *turn, int *data)
{
    for (int k = 0; k < 5 && threadIdx.x == 0; k++) {
        while (*turn != blockIdx.x)
            ;
        __threadfence();
        data[0] = 2 * data[0] + blockIdx.x;
        __threadfence();
        *turn = 1 - blockIdx.x;
    }
}

// run unfenced_turns: --grid 2 --block 32 --arg i32[1]:zero --arg i32[1]:zero
// want unfenced_turns: race/read-write/grid
// right unfenced_turns: two_take_turns
__global__ void unfenced_turns(volatile int *turn, int *data)
{
    for (int k = 0; k < 5 && threadIdx.x == 0; k++) {
        while (*turn != blockIdx.x)
            ;
        data[0] = 2 * data[0] + blockIdx.x;
        *turn = 1 - blockIdx.x;
    }
}

// Each block waits for the one before, or for the one behind: whichever runs first.
// run from_the_first: --grid 8 --block 32 --arg i32[8]:zero --arg i32[8]:zero
// want from_the_first: clean
__global__ void from_the_first(int *sums, int *flags)
{
    unsigned b = blockIdx.x;
    if (threadIdx.x != 0)
        return;
    int before = 0;
    if (b > 0) {
        while (atomicAdd(&flags[b - 1], 0) == 0)
            ;
        __threadfence();
        before = sums[b - 1];
    }
    sums[b] = before + b;
    __threadfence();
    atomicExch(&flags[b], 1);
}

// run from_the_last: --grid 8 --block 32 --arg i32[8]:zero --arg i32[8]:zero
// want from_the_last: clean
__global__ void from_the_last(int *sums, int *flags)
{
    unsigned b = blockIdx.x;
    if (threadIdx.x != 0)
        return;
    int behind = 0;
    if (b < gridDim.x - 1) {
        while (atomicAdd(&flags[b + 1], 0) == 0)
            ;
        __threadfence();
        behind = sums[b + 1];
    }
    sums[b] = behind + b;
    __threadfence();
    atomicExch(&flags[b], 1);
}

// A warp waits for another of its block.
// run warp_waits: --grid 2 --block 64 --arg i32[2]:zero
// want warp_waits: clean
__global__ void warp_waits(int *out)
{
    __shared__ volatile int flag;
    __shared__ int data;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 63) {
        data = 7 + blockIdx.x;
        __threadfence_block();
        flag = 1;
    }
    if (threadIdx.x == 0) {
        while (flag == 0)
            ;
        __threadfence_block();
        out[blockIdx.x] = data;
    }
}

// Two blocks wait for each other.
// run both_wait: --grid 2 --block 1 --steps 100000 --arg i32[2]:zero
// want both_wait: no-termination
// right both_wait: one_waits
__global__ void both_wait(int *flags)
{
    while (atomicAdd(&flags[1 - blockIdx.x], 0) == 0)
        ;
    atomicExch(&flags[blockIdx.x], 1);
}

// run one_waits: --grid 2 --block 1 --arg i32[2]:zero
// want one_waits: clean
__global__ void one_waits(int *flags)
{
    while (blockIdx.x == 0 && atomicAdd(&flags[1], 0) == 0)
        ;
    atomicExch(&flags[blockIdx.x], 1);
}
