// SPDX-License-Identifier: MIT
// Fences with atomics: what they order, for whom, and what they do not.
#include <cuda/atomic>

__device__ int flag;
__device__ unsigned ticket;

// run counts: --grid 2 --block 40 --arg i32[1]:zero
// want counts: clean
__global__ void counts(int *sum)
{
    atomicAdd(sum, 1);
}

// run counts_for_block: --grid 2 --block 40 --arg i32[1]:zero
// want counts_for_block: race/grid
// taught counts_for_block: race/write-write/grid: as atomicAdd_block
__global__ void counts_for_block(int *sum)
{
    atomicAdd_block(sum, 1);
}

// run counts_for_block_own: --grid 2 --block 40 --arg i32[2]:zero
// want counts_for_block_own: clean
__global__ void counts_for_block_own(int *sum)
{
    atomicAdd_block(&sum[blockIdx.x], 1);
}

// run counts_for_some: --grid 2 --block 2 --arg i32[1]:zero
// want counts_for_some: race/grid
__global__ void counts_for_some(int *sum)
{
    if (blockIdx.x == 0)
        atomicAdd_block(sum, 1);
    else
        atomicAdd(sum, 1);
}

// run message: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[1]:zero
// want message: clean
__global__ void message(int *data, int *out, int *flag)
{
    if (blockIdx.x == 0) {
        data[0] = 7;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        out[0] = data[0];
    }
}

// run message_for_block: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero
// want message_for_block: race/read-write/grid
// taught message_for_block: race/read-write/grid: put __threadfence() behind the write
__global__ void message_for_block(int *data, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 7;
        __threadfence_block();
        atomicExch(&flag, 1);
    } else {
        while (atomicAdd(&flag, 0) == 0)
            ;
        out[0] = data[0];
    }
}

// run message_in_block: --grid 1 --block 40 --arg i32[1]:zero --arg i32[2]:zero --arg i32[1]:zero
// want message_in_block: clean
__global__ void message_in_block(int *data, int *out, int *flag)
{
    if (threadIdx.x == 0) {
        data[0] = 7;
        __threadfence_block();
        atomicExch_block(flag, 1);
        out[1] = data[0]; // reads do not race with each other
    } else if (threadIdx.x == 39) {
        while (atomicAdd_block(flag, 0) == 0)
            ;
        out[0] = data[0];
    }
}

// run message_changed: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero
// want message_changed: race/grid
__global__ void message_changed(int *data, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 7;
        __threadfence();
        atomicExch(&flag, 1);
        data[0] = 8;
    } else {
        while (atomicAdd(&flag, 0) == 0)
            ;
        out[0] = data[0];
    }
}

// run message_read_late: --grid 2 --block 1 --arg i32[1]:one --arg i32[1]:zero
// want message_read_late: race/read-write/grid
__global__ void message_read_late(int *data, int *out)
{
    if (blockIdx.x == 0) {
        __threadfence();
        atomicExch(&flag, 1);
        out[0] = data[0];
    } else {
        while (atomicAdd(&flag, 0) == 0)
            ;
        data[0] = 7;
    }
}

// run message_passed_on: --grid 3 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[4]:zero
// want message_passed_on: clean
__global__ void message_passed_on(int *data, int *out, int *flags)
{
    if (blockIdx.x == 0)
        data[0] = 7;
    else
        while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0)
            ;
    if (blockIdx.x == 2)
        out[0] = data[0];
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1);
}

// run message_of_warp: --grid 2 --block 32 --arg i32[32]:zero --arg i32[32]:zero --arg i32[1]:zero
// want message_of_warp: clean
__global__ void message_of_warp(int *data, int *out, int *flag)
{
    if (blockIdx.x == 0)
        data[threadIdx.x] = 7;
    __syncwarp();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        __threadfence();
        atomicExch(flag, 1);
    } else if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0)
            ;
    }
    __syncwarp();
    if (blockIdx.x == 1)
        out[threadIdx.x] = data[31 - threadIdx.x];
}

// run message_without_warp: --grid 2 --block 32 --arg i32[32]:zero --arg i32[32]:zero
// want message_without_warp: race/read-write/grid
// taught message_without_warp: race/read-write/grid: in each thread that writes, and a barrier; __syncwarp()
__global__ void message_without_warp(int *data, int *out)
{
    if (blockIdx.x == 0)
        data[threadIdx.x] = 7;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        __threadfence();
        atomicExch(&flag, 1);
    } else if (threadIdx.x == 0) {
        while (atomicAdd(&flag, 0) == 0)
            ;
    }
    __syncwarp();
    if (blockIdx.x == 1)
        out[threadIdx.x] = data[31 - threadIdx.x];
}

// Each block's thread 0 fences, and others do in between. The last one starts the count anew.
// run last_resets: --grid 5 --block 64 --arg i32[5]:uninit --arg i32[1]:uninit --arg u32[1]:zero
// want last_resets: clean
__global__ void last_resets(int *partial, int *out, unsigned *ticket)
{
    __shared__ bool last;
    if (threadIdx.x == 0)
        partial[blockIdx.x] = (int)blockIdx.x;
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        out[0] = partial[0] + partial[1] + partial[2] + partial[3] + partial[4];
        *ticket = 0;
    }
}

// run any_resets: --grid 5 --block 1
// want any_resets: race/grid
__global__ void any_resets()
{
    __threadfence();
    if (blockIdx.x < 3)
        atomicInc(&ticket, gridDim.x);
    if (blockIdx.x == 3)
        ticket = 0;
}

// run lock_without_fence: --grid 2 --block 2 --arg i32[1]:zero --arg i32[1]:zero
// want lock_without_fence: race
__global__ void lock_without_fence(int *mutex, int *sum)
{
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    sum[0] += 1;
    __threadfence();
    atomicExch(mutex, 0);
}

// run lock_of_block: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero
// want lock_of_block: race/grid
__global__ void lock_of_block(int *mutex, int *sum)
{
    while (atomicCAS_block(mutex, 0, 1) != 0)
        ;
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicExch_block(mutex, 0);
}

// run lock_of_readers: --grid 4 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[4]:zero
// want lock_of_readers: clean
// gpu lock_of_readers: who takes the lock first is not known
__global__ void lock_of_readers(int *mutex, int *sum, int *out)
{
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    __threadfence();
    if (blockIdx.x == 3)
        sum[0] = 1;
    else
        out[blockIdx.x] = sum[0];
    __threadfence();
    atomicExch(mutex, 0);
}

// run orders: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero --arg i32[1]:zero
// want orders: clean
__global__ void orders(int *data, int *out, int *flag)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        data[0] = 7;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        out[0] = data[0];
    }
}

// run orders_relaxed: --grid 2 --block 1 --arg i32[1]:zero --arg i32[1]:zero
// want orders_relaxed: race/read-write/grid
// taught orders_relaxed: race/read-write/grid: release and acquire
__global__ void orders_relaxed(int *data, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(flag);
    if (blockIdx.x == 0) {
        data[0] = 7;
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0)
            ;
        out[0] = data[0];
    }
}

// A block that waits for a later one: all of them are on the device at once.
// run waits_for_the_next: --grid 4 --block 32 --steps 100000 --arg i32[4]:zero --arg i32[4]:zero --arg i32[4]:zero
// want waits_for_the_next: clean
__global__ void waits_for_the_next(int *data, int *out, int *flags)
{
    unsigned b = blockIdx.x;
    if (threadIdx.x > 0)
        return;
    if (b + 1 < gridDim.x) {
        while (atomicAdd(&flags[b + 1], 0) == 0)
            ;
        __threadfence();
        out[b] = data[b + 1];
    }
    data[b] = (int)b;
    __threadfence();
    atomicExch(&flags[b], 1);
}

// right waits_for_the_next_unfenced: waits_for_the_next
// run waits_for_the_next_unfenced: --grid 4 --block 32 --steps 100000 --arg i32[4]:zero --arg i32[4]:zero --arg i32[4]:zero
// want waits_for_the_next_unfenced: race/read-write/grid
__global__ void waits_for_the_next_unfenced(int *data, int *out, int *flags)
{
    unsigned b = blockIdx.x;
    if (threadIdx.x > 0)
        return;
    if (b + 1 < gridDim.x) {
        while (atomicAdd(&flags[b + 1], 0) == 0)
            ;
        out[b] = data[b + 1];
    }
    data[b] = (int)b;
    atomicExch(&flags[b], 1);
}

// A thread that tells of the block's writes must have waited for the writers, whatever fences there are.
// run ticket_fence_wrong_thread: --grid 4 --block 64 --arg i32[256]:uninit --arg u32[1]:zero --arg i32[1]:uninit
// want ticket_fence_wrong_thread: race/read-write/grid
__global__ void ticket_fence_wrong_thread(int *partial, unsigned *tickets, int *out)
{
    __shared__ bool last;
    partial[blockIdx.x * 64 + threadIdx.x] = (int)threadIdx.x;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < 256; k++)
            sum += partial[k];
        out[0] = sum;
    }
}

// run ticket_each_fences: --grid 4 --block 64 --arg i32[256]:uninit --arg u32[1]:zero --arg i32[1]:uninit
// want ticket_each_fences: race/read-write/grid
__global__ void ticket_each_fences(int *partial, unsigned *tickets, int *out)
{
    __shared__ bool last;
    partial[blockIdx.x * 64 + threadIdx.x] = (int)threadIdx.x;
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < 256; k++)
            sum += partial[k];
        out[0] = sum;
    }
}

// run ticket_barrier_alone: --grid 4 --block 64 --arg i32[256]:uninit --arg u32[1]:zero --arg i32[2]:uninit
// want ticket_barrier_alone: race/read-write/grid
__global__ void ticket_barrier_alone(int *partial, unsigned *tickets, int *out)
{
    __shared__ bool last;
    partial[blockIdx.x * 64 + threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x < 2)
        out[threadIdx.x] = partial[threadIdx.x * 64 + 1];
}

// run ticket_fence_and_barrier: --grid 4 --block 64 --arg i32[256]:uninit --arg u32[1]:zero --arg i32[2]:uninit
// want ticket_fence_and_barrier: clean
__global__ void ticket_fence_and_barrier(int *partial, unsigned *tickets, int *out)
{
    __shared__ bool last;
    partial[blockIdx.x * 64 + threadIdx.x] = (int)threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x < 2)
        out[threadIdx.x] = partial[threadIdx.x * 64 + 1];
}

// Lanes that have met say as much as a barrier.
// run ticket_of_a_warp: --grid 4 --block 32 --arg i32[128]:uninit --arg u32[1]:zero --arg i32[1]:uninit
// want ticket_of_a_warp: race/read-write/grid
__global__ void ticket_of_a_warp(int *partial, unsigned *tickets, int *out)
{
    partial[blockIdx.x * 32 + threadIdx.x] = (int)threadIdx.x;
    __syncwarp();
    if (threadIdx.x == 0 && atomicInc(tickets, gridDim.x) == gridDim.x - 1)
        out[0] = partial[1] + partial[33];
}
