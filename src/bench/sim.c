// SPDX-License-Identifier: MIT
#include "bench/times.h"
#include "reductio/device.h"
#include "device/sim/object.h"
#include "device/sim/memory/memory.h"
#include "device/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The arguments of a launch. */
struct arrays {
    size_t n_a, n_out; /* elements; 0: there is no such array */
};

struct kernel {
    struct rd_bench_kernel about; /* first, as what callers hold */
    enum rd_kernel kernel;
    size_t shared_bytes;
    struct arrays (*arrays)(size_t threads);
};

static struct arrays block_sum_arrays(size_t threads)
{
    return (struct arrays){.n_a = threads, .n_out = threads / RD_BENCH_SIM_BLOCK};
}

static const struct kernel block_sum = {
    .about =
        {
            .name = "block-sum",
            .summary = "the sum of a block in shared memory, 9 barriers a thread",
            .target_ns = 160,
            .goal_ns = 80,
        },
    .kernel = RD_KERNEL_BLOCK_SUM,
    .shared_bytes = RD_BENCH_SIM_BLOCK * sizeof(float),
    .arrays = block_sum_arrays,
};

static struct arrays fold_arrays(size_t threads)
{
    return (struct arrays){.n_a = 2 * threads};
}

static const struct kernel fold_round = {
    .about =
        {
            .name = "fold-round",
            .summary = "one round of the fold",
            .target_ns = 30,
            .goal_ns = 15,
        },
    .kernel = RD_KERNEL_FOLD,
    .arrays = fold_arrays,
};

const struct rd_bench_kernel *const rd_bench_kernels[] = {&block_sum.about, &fold_round.about,
                                                          NULL};

static uint64_t resident_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static enum rd_status launch(struct rd_device *device, const struct rd_launch *launch,
                             double *seconds, uint64_t *hazards, struct rd_error *error)
{
    size_t count;
    double start = rd_bench_processor_s();
    enum rd_status status = device->ops->launch(device, launch, error);
    *seconds = rd_bench_processor_s() - start;
    device->ops->findings(device, &count);
    *hazards += count;
    return status;
}

/* The simulator's hook passes nothing on. Its threads all run on the one that launches. */
static _Thread_local uint64_t accesses;

static void count(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    (void)address, (void)size_bytes, (void)op, (void)pc;
    accesses++;
}

/* The accesses of a launch: all blocks of these kernels make as many as the first. */
static enum rd_status count_accesses(struct rd_device *device, const struct rd_launch *what,
                                     struct rd_bench_sim *result, struct rd_error *error)
{
    struct rd_launch block = *what;
    double counting_s;
    block.grid = 1;
    accesses = 0;
    rd_sim_here->core.on_access = count;
    enum rd_status status = launch(device, &block, &counting_s, &result->hazards, error);
    rd_sim_here->core.on_access = NULL;
    result->accesses = accesses * what->grid;
    return status;
}

static enum rd_status measure(struct rd_device *device, const struct kernel *kernel, size_t threads,
                              struct rd_buffer *const buffers[2], unsigned repeats,
                              struct rd_bench_sim *result, struct rd_error *error)
{
    double times_s[RD_BENCH_REPEATS_MAX], warm_up_s;
    struct rd_launch what = {
        .kernel = kernel->kernel,
        .type = RD_TYPE_F32,
        .grid = threads / RD_BENCH_SIM_BLOCK,
        .block = RD_BENCH_SIM_BLOCK,
        .shared_bytes = kernel->shared_bytes,
        .n_args = 2,
        .args = {{.buffer = buffers[0], .name = "a"},
                 {.buffer = buffers[1], .scalar = threads, .name = "out"}},
    };
    enum rd_status status = count_accesses(device, &what, result, error);
    if (status == RD_OK)
        status = launch(device, &what, &warm_up_s, &result->hazards, error);
    for (unsigned r = 0; r < repeats && status == RD_OK; r++)
        status = launch(device, &what, &times_s[r], &result->hazards, error);
    if (status != RD_OK)
        return status;
    result->median_s = rd_bench_median(times_s, repeats);
    result->best_s = times_s[0];
    result->shadow_bytes = rd_sim_memory_shadow_bytes();
    result->resident_bytes = resident_bytes();
    return RD_OK;
}

/* Allocates an array of ones; none where n is 0. */
static enum rd_status make_array(struct rd_device *device, size_t n, struct rd_buffer **buffer,
                                 struct rd_error *error)
{
    if (n == 0)
        return RD_OK;
    enum rd_status status = device->ops->alloc(device, n * sizeof(float), buffer, error);
    float *ones = status == RD_OK ? malloc(n * sizeof *ones) : NULL;
    if (status != RD_OK)
        return status;
    if (!ones)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %zu numbers", n);
    for (size_t i = 0; i < n; i++)
        ones[i] = 1;
    status = device->ops->write(device, *buffer, ones, n * sizeof *ones, error);
    free(ones);
    return status;
}

enum rd_status rd_bench_sim(const struct rd_bench_kernel *kernel, size_t threads, unsigned repeats,
                            struct rd_bench_sim *result, struct rd_error *error)
{
    const struct kernel *self = (const struct kernel *)kernel;
    struct rd_device *device = NULL;
    struct rd_buffer *a = NULL, *out = NULL;
    enum rd_status status = rd_bench_repeats_check(repeats, error);
    if (status != RD_OK)
        return status;
    if (threads == 0 || threads % RD_BENCH_SIM_BLOCK != 0)
        return rd_fail(error, RD_ERROR_USAGE, "%zu threads are no multiple of a block of %d",
                       threads, RD_BENCH_SIM_BLOCK);
    status = rd_device_sim.open(&device, error);
    if (status != RD_OK)
        return status;
    const struct arrays arrays = self->arrays(threads);
    struct rd_bench_sim r = {
        .data_bytes = (arrays.n_a + arrays.n_out) * sizeof(float),
    };
    status = make_array(device, arrays.n_a, &a, error);
    if (status == RD_OK)
        status = make_array(device, arrays.n_out, &out, error);
    if (status == RD_OK)
        status =
            measure(device, self, threads, (struct rd_buffer *const[]){a, out}, repeats, &r, error);
    device->ops->free(device, a);
    device->ops->free(device, out);
    device->ops->close(device);
    if (status == RD_OK)
        *result = r;
    return status;
}
