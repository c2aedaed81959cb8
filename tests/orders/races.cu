// SPDX-License-Identifier: MIT
// Races that one order of blocks or threads hides: an accident orders the two accesses, and another order does not.
#include <cuda/atomic>

// The highest block adds what the others have left: it is the last to begin, not the last to end. That they draw
// numbers, which nobody looks at, orders them by accident.
// run highest_adds: --grid 4 --block 32 --arg i32[4]:zero --arg i32[1]:zero --arg u32[1]:zero
// want highest_adds: race/read-write/grid
// right highest_adds: last_adds
__global__ void highest_adds(int *partial, int *out, unsigned *count)
{
    if (threadIdx.x != 0)
        return;
    partial[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicAdd(count, 1);
    if (blockIdx.x == gridDim.x - 1) {
        __threadfence();
        int sum = 0;
        for (unsigned k = 0; k < gridDim.x; k++)
            sum += partial[k];
        *out = sum;
    }
}

// run last_adds: --grid 4 --block 32 --arg i32[4]:zero --arg i32[1]:zero --arg u32[1]:zero
// want last_adds: clean
__global__ void last_adds(int *partial, int *out, unsigned *count)
{
    if (threadIdx.x != 0)
        return;
    partial[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        __threadfence();
        int sum = 0;
        for (unsigned k = 0; k < gridDim.x; k++)
            sum += partial[k];
        *out = sum;
    }
}

// A flag that is looked at once: it has been set if the other block came first.
// run looks_once: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[1]:zero
// want looks_once: race/read-write/grid
// right looks_once: waits
__global__ void looks_once(int *data, int *out, int *flag)
{
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        atomicAdd(flag, 0);
        __threadfence();
        *out = *data;
    }
}

// run waits: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[1]:zero
// want waits: clean
__global__ void waits(int *data, int *out, int *flag)
{
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence();
        *out = *data;
    }
}

// Reads the flag once, and the data only if the flag was set: right, though the result depends on the order.
// run asks_first: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[1]:zero
// want asks_first: order-dependent
// right asks_first: waits
__global__ void asks_first(int *data, int *out, int *flag)
{
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
        __threadfence();
        *out = *data;
    }
}

// Two locks: each block takes one, and both change the same sum.
// run two_locks: --grid 2 --block 1 --arg i32[2]:zero --arg i32[1]:zero --arg u32[1]:zero
// want two_locks: race/read-write/grid
// right two_locks: one_lock
__global__ void two_locks(int *mutex, int *sum, unsigned *entered)
{
    while (atomicCAS(&mutex[blockIdx.x], 0, 1) != 0)
        ;
    __threadfence();
    sum[0] += blockIdx.x + 1;
    __threadfence();
    atomicExch(&mutex[blockIdx.x], 0);
}

// The lock is taken for a statistic, and the sum stands in front of it: by accident of the order it is ordered.
// run in_front_of_the_lock: --grid 3 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[1]:zero
// want in_front_of_the_lock: race/grid
// right in_front_of_the_lock: one_lock
__global__ void in_front_of_the_lock(int *mutex, int *sum, int *entered)
{
    __threadfence();
    sum[0] += blockIdx.x + 1;
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    __threadfence();
    entered[0] += 1;
    __threadfence();
    atomicExch(mutex, 0);
}

// run one_lock: --grid 3 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[1]:zero
// want one_lock: clean
__global__ void one_lock(int *mutex, int *sum, int *entered)
{
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    __threadfence();
    sum[0] += blockIdx.x + 1;
    entered[0] += 1;
    __threadfence();
    atomicExch(mutex, 0);
}

// Within a block: warp 1 reads what warp 0 has written, if warp 0 came first to the counter.
// run counter_in_shared: --grid 1 --block 64 --arg i32[1]:zero
// want counter_in_shared: race/read-write/block
// right counter_in_shared: barrier_in_shared
__global__ void counter_in_shared(int *out)
{
    __shared__ int data, count;
    if (threadIdx.x == 0)
        data = count = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        data = 7;
    __threadfence_block();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&count, 1);
    if (threadIdx.x == 32)
        *out = data;
}

// run barrier_in_shared: --grid 1 --block 64 --arg i32[1]:zero
// want barrier_in_shared: clean
__global__ void barrier_in_shared(int *out)
{
    __shared__ int data;
    if (threadIdx.x == 0)
        data = 7;
    __syncthreads();
    if (threadIdx.x == 32)
        *out = data;
}

// Handed on in a chain, where one link is there only if its block came late.
// run broken_chain: --grid 3 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[3]:zero
// want broken_chain: race/read-write/grid
// right broken_chain: whole_chain
__global__ void broken_chain(int *data, int *out, int *flags)
{
    if (blockIdx.x == 0)
        *data = 7;
    else if (blockIdx.x == 1)
        atomicAdd(&flags[0], 0);
    else
        while (atomicAdd(&flags[1], 0) == 0)
            ;
    __threadfence();
    if (blockIdx.x == 2)
        *out = *data;
    atomicExch(&flags[blockIdx.x], 1);
}

// run whole_chain: --grid 3 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[3]:zero
// want whole_chain: clean
__global__ void whole_chain(int *data, int *out, int *flags)
{
    if (blockIdx.x == 0)
        *data = 7;
    else
        while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0)
            ;
    __threadfence();
    if (blockIdx.x == 2)
        *out = *data;
    atomicExch(&flags[blockIdx.x], 1);
}
