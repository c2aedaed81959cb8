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

/* The entry of this thread's next checkpoint, with its head filled in; SIZE_MAX where there is no
 * room for it. All lanes of a warp that meet here write the same head. */
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
    if (number >= log->entries || n_cells > log->cells) {
        log->truncated = 1;
        return SIZE_MAX;
    }
    size_t entry = (size_t)slot * log->entries + number;
    struct rd_log_head *head = &log->heads[entry * log->warps + thread / 32];
    head->variable = variable;
    head->n_cells = n_cells;
    head->point = point + 1;
    return entry;
}

/* Nobody goes on before the whole array is copied. */
template <class T>
static __device__ void rd_log_array(unsigned point, const T *array, size_t count, uint64_t variable)
{
    struct rd_log *log = rd_log_of_launch;
    if (!log)
        return;
    size_t entry = rd_log_entry(log, point, (uint32_t)count, variable);
    if (entry != SIZE_MAX)
        for (size_t k = rd_log_thread(); k < count; k += blockDim.x * blockDim.y)
            ((T *)log->values)[entry * log->cells + k] = array[k];
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
    atomicOr(&log->heads[entry * log->warps + thread / 32].present, 1u << thread % 32);
}

#define CHECKPOINT(point, array, count, variable)                                                  \
    rd_log_array(RD_POINT_##point, (const elem *)(array), count, variable)
#define CHECKPOINT_LANE(point, value, variable)                                                    \
    rd_log_lane(RD_POINT_##point, (elem)(value), variable)

#endif
