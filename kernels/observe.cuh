// SPDX-License-Identifier: MIT
/* The GPU's side of checkpoint.h, in the observed build: each thread copies its share into
 * the log. */
#ifndef RD_KERNEL_OBSERVE_CUH
#define RD_KERNEL_OBSERVE_CUH

#include "log.h"

static __device__ struct rd_log *rd_log_of_launch;

/* The host tells this family's kernels where the log of the next launch is. NULL:
 * nobody observes. */
extern "C" int RD_PASTE(cuda_observe_, RD_FAMILY)(struct rd_log *log, cudaStream_t stream)
{
    return cudaMemcpyToSymbolAsync(rd_log_of_launch, &log, sizeof log, 0, cudaMemcpyHostToDevice,
                                   stream);
}

/* The slot of this block; n_slots where it has none. */
static __device__ uint32_t rd_log_slot(const struct rd_log *log)
{
    uint64_t block = (uint64_t)blockIdx.y * gridDim.x + blockIdx.x;
    if (log->all)
        return block < log->n_slots ? (uint32_t)block : log->n_slots;
    for (uint32_t k = 0; k < log->n_slots; k++)
        if (log->listed[k] == block)
            return k;
    return log->n_slots;
}

static __device__ unsigned rd_log_thread()
{
    return threadIdx.y * blockDim.x + threadIdx.x;
}

/* The head of the entry for this thread's warp. */
static __device__ struct rd_log_head *rd_log_head_of(const struct rd_log *log, size_t entry)
{
    return &log->heads[entry * log->warps + rd_log_thread() / 32];
}

/* The entry of this thread's next checkpoint, with its head filled in; SIZE_MAX where there is no
 * room for it. */
static __device__ size_t rd_log_entry(struct rd_log *log, unsigned point, uint32_t n_cells,
                                      uint64_t variable)
{
    uint32_t slot = rd_log_slot(log);
    unsigned thread = rd_log_thread();
    if (slot == log->n_slots) {
        if (log->all)
            log->truncated = 1;
        return SIZE_MAX;
    }
    uint32_t number = log->counts[(size_t)slot * log->threads + thread]++;
    if (number >= log->count_max) { /* its loop may have no end */
        log->endless = 1;
        asm volatile("exit;");
    }
    if (number >= log->entries) {
        log->truncated = 1;
        return SIZE_MAX;
    }
    size_t entry = (size_t)slot * log->entries + number;
    struct rd_log_head *head = rd_log_head_of(log, entry);
    atomicMax((unsigned long long *)&head->variable, (unsigned long long)variable);
    atomicMax((unsigned long long *)&head->complement, ~(unsigned long long)variable);
    atomicOr(&head->points, 1u << point);
    atomicOr(&head->present, 1u << thread % 32);
    head->n_cells = n_cells;
    return entry;
}

/* Tells whether two elements differ in any bit. */
template <class T> static __device__ bool rd_log_differs(T x, T y)
{
    const uint16_t *left = (const uint16_t *)&x, *right = (const uint16_t *)&y;
    bool differs = false;
    for (unsigned k = 0; k < sizeof(T) / sizeof *left; k++)
        differs |= left[k] != right[k];
    return differs;
}

/* No thread goes on before the whole array is copied, and looked at once more: what is another then was
 * written by a thread that was yet to come. */
template <class T>
static __device__ void rd_log_array(unsigned point, const T *array, size_t count, uint64_t variable)
{
    struct rd_log *log = rd_log_of_launch;
    if (!log)
        return;
    size_t entry = rd_log_entry(log, point, (uint32_t)count, variable);
    size_t copied = entry != SIZE_MAX && count <= log->cells ? count : 0;
    size_t first = rd_log_thread(), stride = blockDim.x * blockDim.y;
    T *values = (T *)log->values + (copied > 0 ? entry * log->cells : 0);
    for (size_t k = first; k < copied; k += stride)
        values[k] = array[k];
    __syncthreads();
    for (size_t k = first; k < copied; k += stride)
        if (rd_log_differs(values[k], array[k]))
            rd_log_head_of(log, entry)->written = 1;
    __syncthreads();
}

template <class T> static __device__ void rd_log_lane(unsigned point, T value, uint64_t variable)
{
    struct rd_log *log = rd_log_of_launch;
    size_t entry = log ? rd_log_entry(log, point, 0, variable) : SIZE_MAX;
    unsigned thread = rd_log_thread();
    if (entry == SIZE_MAX)
        return;
    ((T *)log->values)[entry * log->cells + thread] = value;
}

#define CHECKPOINT(point, array, count, variable)                                                  \
    rd_log_array(RD_POINT_##point, (const elem *)(array), count, variable)
#define CHECKPOINT_LANE(point, value, variable)                                                    \
    rd_log_lane(RD_POINT_##point, (elem)(value), variable)

#endif
