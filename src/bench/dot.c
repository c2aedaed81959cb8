// SPDX-License-Identifier: MIT
#include "bench/times.h"

#include <stdlib.h>

/* A vector on the host and on the device, and the device's sums. */
struct work {
    struct rd_device *device;
    size_t n, blocks;
    float *a, *b;
    struct rd_buffer *device_a, *device_b, *device_sums;
    float *first; /* host memory for one sum */
};

static void free_host(struct work *work)
{
    free(work->a);
    free(work->b);
    work->a = work->b = NULL;
}

static void free_device(struct work *work)
{
    const struct rd_device_ops *ops = work->device->ops;
    ops->free(work->device, work->device_a);
    ops->free(work->device, work->device_b);
    ops->free(work->device, work->device_sums);
    ops->host_free(work->device, work->first);
    work->device_a = work->device_b = work->device_sums = NULL;
    work->first = NULL;
}

static enum rd_status make_host(struct work *work, struct rd_error *error)
{
    work->a = malloc(work->n * sizeof *work->a);
    work->b = malloc(work->n * sizeof *work->b);
    if (!work->a || !work->b) {
        free_host(work);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for two vectors of %zu elements",
                       work->n);
    }
    for (size_t i = 0; i < work->n; i++) {
        work->a[i] = 0.5f;
        work->b[i] = 2.0f;
    }
    return RD_OK;
}

static enum rd_status make_device(struct work *work, struct rd_error *error)
{
    const struct rd_device_ops *ops = work->device->ops;
    struct rd_device *device = work->device;
    size_t size_bytes = work->n * sizeof(float);
    void *first = NULL;
    enum rd_status status = ops->alloc(device, size_bytes, &work->device_a, error);
    if (status == RD_OK)
        status = ops->alloc(device, size_bytes, &work->device_b, error);
    if (status == RD_OK)
        status = ops->alloc(device, work->blocks * sizeof(float), &work->device_sums, error);
    if (status == RD_OK)
        status = ops->host_alloc(device, sizeof(float), &first, error);
    work->first = first;
    if (status == RD_OK)
        status = ops->write(device, work->device_a, work->a, size_bytes, error);
    if (status == RD_OK)
        status = ops->write(device, work->device_b, work->b, size_bytes, error);
    if (status != RD_OK)
        free_device(work);
    return status;
}

/* Until a sum can be read: the launch is over then. */
static enum rd_status launch(struct work *work, struct rd_error *error)
{
    const struct rd_device_ops *ops = work->device->ops;
    const struct rd_launch launch = {
        .kernel = RD_KERNEL_DOT_SHARED,
        .type = RD_TYPE_F32,
        .grid = work->blocks,
        .block = RD_BLOCK_DEFAULT,
        .shared_bytes = RD_BLOCK_DEFAULT * sizeof(float),
        .n_args = 4,
        .args = {{.buffer = work->device_a, .name = "a"},
                 {.buffer = work->device_b, .name = "b"},
                 {.buffer = work->device_sums, .name = "sums"},
                 {.scalar = work->n, .name = "n"}},
    };
    enum rd_status status = ops->launch(work->device, &launch, error);
    if (status == RD_OK)
        status = ops->read(work->device, work->device_sums, RD_TYPE_F32,
                           (struct rd_cells){.first = 0, .count = 1, .stride = 1}, work->first, 0,
                           error);
    return status == RD_OK ? ops->wait(work->device, 0, error) : status;
}

/* The sequential loop; volatile, so that it is not left out. */
static void sum_on_host(const struct work *work)
{
    volatile float result;
    float sum = 0;
    for (size_t i = 0; i < work->n; i++)
        sum += work->a[i] * work->b[i];
    result = sum;
    (void)result;
}

static enum rd_status time_once(struct work *work, struct rd_bench_dot *times,
                                struct rd_error *error)
{
    double start_s = rd_bench_now_s(), mark_s;
    enum rd_status status = make_host(work, error);
    if (status != RD_OK)
        return status;
    mark_s = rd_bench_now_s();
    sum_on_host(work);
    times->host_s = rd_bench_now_s() - mark_s;
    free_host(work);
    times->host_whole_s = rd_bench_now_s() - start_s;

    start_s = rd_bench_now_s();
    status = make_host(work, error);
    if (status != RD_OK)
        return status;
    status = make_device(work, error);
    if (status == RD_OK) {
        mark_s = rd_bench_now_s();
        status = launch(work, error);
        times->kernel_s = rd_bench_now_s() - mark_s;
        free_device(work);
    }
    free_host(work);
    times->whole_s = rd_bench_now_s() - start_s;
    return status;
}

enum rd_status rd_bench_dot(struct rd_device *device, size_t n, unsigned repeats,
                            struct rd_bench_dot *result, struct rd_error *error)
{
    double kernel[RD_BENCH_REPEATS_MAX], whole[RD_BENCH_REPEATS_MAX];
    double host[RD_BENCH_REPEATS_MAX], host_whole[RD_BENCH_REPEATS_MAX];
    struct work work = {.device = device, .n = n};
    struct rd_bench_dot times;
    enum rd_status status = rd_bench_repeats_check(repeats, error);
    if (status == RD_OK && n == 0)
        status = rd_fail(error, RD_ERROR_USAGE, "'n' is 0: a dot product takes at least 1 element");
    work.blocks = (n + RD_BLOCK_DEFAULT - 1) / RD_BLOCK_DEFAULT;
    if (status == RD_OK)
        status = time_once(&work, &times, error);
    for (unsigned i = 0; status == RD_OK && i < repeats; i++) {
        status = time_once(&work, &times, error);
        kernel[i] = times.kernel_s;
        whole[i] = times.whole_s;
        host[i] = times.host_s;
        host_whole[i] = times.host_whole_s;
    }
    if (status != RD_OK)
        return status;
    *result = (struct rd_bench_dot){
        .kernel_s = rd_bench_median(kernel, repeats),
        .whole_s = rd_bench_median(whole, repeats),
        .host_s = rd_bench_median(host, repeats),
        .host_whole_s = rd_bench_median(host_whole, repeats),
    };
    return RD_OK;
}
