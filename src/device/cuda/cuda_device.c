// SPDX-License-Identifier: MIT
/* A GPU as a device, through the CUDA runtime's C interface. All work goes to one stream, so that
 * it happens in the order in which it was asked for. */
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_error.h"
#include "device/cuda/cuda_log.h"
#include "kernel_units.h"
#include "observed_families.h"
#include "reductio/operation.h"
#include "base/random.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Blocks of the kernels that gather and digest; of the latter no more than a GPU has at once. */
enum { GATHER_BLOCK = 256, DIGEST_BLOCK = 256, DIGEST_GRID_MAX = 1024 };

/* Poison of fresh memory: nothing that could pass for a result. */
enum { POISON = 0xa5 };

struct rd_buffer {
    void *memory;
};

/* One read on its way: where strided cells are gathered, and the event that it has arrived. */
struct slot {
    void *gathered;
    size_t gathered_bytes;
    cudaEvent_t arrived;
};

struct cuda {
    struct rd_device device;
    char description[320];
    struct rd_device_limits limits;
    cudaStream_t stream;
    bool lost; /* a kernel does not end: nothing more can be asked of it */
    struct slot slots[RD_READ_SLOTS];
    void *digest;                /* made when it is first asked for */
    cudaEvent_t marks[RD_MARKS]; /* made when they are first put */
};

/* The host's stubs of the kernels, as nvcc makes them; only their addresses are used. A family
 * without checkpoints has no observed kernels. */
#define DECLARE(kernel)                                                                            \
    void cuda_##kernel(void);                                                                      \
    __attribute__((weak)) void cuda_observed_##kernel(void);
#define DECLARE_UNIT(name, NAME, type, TYPE) DECLARE(name##_##type)
RD_KERNEL_UNITS(DECLARE_UNIT)

struct stub {
    void (*plain)(void), (*observed)(void);
};
#define UNIT(name, NAME, type, TYPE)                                                               \
    [RD_KERNEL_##NAME][RD_TYPE_##TYPE] = {cuda_##name##_##type, cuda_observed_##name##_##type},
static const struct stub kernels[RD_KERNEL_COUNT][RD_TYPE_COUNT] = {RD_KERNEL_UNITS(UNIT)};

/* Builds for operations other than the sum: the operation is named to the kernel's family before the launch
 * (kernels/over.h). */
typedef int name_operation(int operation, const void *input, cudaStream_t stream);
#define DECLARE_OVER(name, NAME, op, OP, type, TYPE, build, family)                                \
    DECLARE(build##_##name##_##type)                                                               \
    name_operation cuda_operation_of_##build##_##family;                                           \
    __attribute__((weak)) name_operation cuda_observed_operation_of_##build##_##family;
RD_KERNEL_UNITS_OVER(DECLARE_OVER)

struct over_stub {
    struct stub stub;
    name_operation *name, *name_observed;
};
#define UNIT_OVER(name, NAME, op, OP, type, TYPE, build, family)                                   \
    [RD_KERNEL_##NAME][RD_TYPE_##TYPE][RD_OPERATION_##OP] = {                                      \
        {cuda_##build##_##name##_##type, cuda_observed_##build##_##name##_##type},                 \
        cuda_operation_of_##build##_##family,                                                      \
        cuda_observed_operation_of_##build##_##family},
static const struct over_stub over[RD_KERNEL_COUNT][RD_TYPE_COUNT][RD_OPERATION_COUNT] = {
    RD_KERNEL_UNITS_OVER(UNIT_OVER)};

/* Every CUDA call passes through here: its name, and CUDA's own name for what went wrong. */
static enum rd_status check(cudaError_t result, const char *call, struct rd_error *error)
{
    return rd_cuda_check(result, call, "", error);
}

/* ---- opening and closing ---- */

static void cuda_close(struct rd_device *device)
{
    struct cuda *cuda = (struct cuda *)device;
    for (int s = 0; s < RD_READ_SLOTS && !cuda->lost; s++) {
        cudaFree(cuda->slots[s].gathered);
        if (cuda->slots[s].arrived)
            cudaEventDestroy(cuda->slots[s].arrived);
    }
    if (!cuda->lost)
        cudaFree(cuda->digest);
    for (int m = 0; m < RD_MARKS && !cuda->lost; m++)
        if (cuda->marks[m])
            cudaEventDestroy(cuda->marks[m]);
    if (cuda->stream && !cuda->lost)
        cudaStreamDestroy(cuda->stream);
    free(cuda);
}

static enum rd_status read_attributes(struct cuda *cuda, struct rd_error *error)
{
    struct cudaDeviceProp properties;
    enum rd_status status =
        check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties", error);
    if (status != RD_OK)
        return status;
    snprintf(cuda->description, sizeof cuda->description, "%s, compute capability %d.%d",
             properties.name, properties.major, properties.minor);
    cuda->limits = (struct rd_device_limits){
        .grid_max = (size_t)properties.maxGridSize[0],
        .block_max = (unsigned)properties.maxThreadsPerBlock,
        .shared_max = properties.sharedMemPerBlockOptin,
    };
    return RD_OK;
}

static enum rd_status cuda_open(struct rd_device **device, struct rd_error *error)
{
    int count = 0;
    enum rd_status status = check(cudaGetDeviceCount(&count), "cudaGetDeviceCount", error);
    if (status == RD_OK && count == 0)
        status = check(cudaErrorNoDevice, "cudaGetDeviceCount", error);
    if (status != RD_OK) {
        struct rd_error cause = *error;
        return rd_fail(error, status, "no GPU can be used: %s", cause.text);
    }

    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the device");
    cuda->device.ops = &rd_device_cuda;
    status = read_attributes(cuda, error);
    if (status == RD_OK)
        status = check(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking),
                       "cudaStreamCreateWithFlags", error);
    for (int s = 0; s < RD_READ_SLOTS && status == RD_OK; s++)
        status = check(cudaEventCreateWithFlags(&cuda->slots[s].arrived, cudaEventDisableTiming),
                       "cudaEventCreateWithFlags", error);
    if (status == RD_OK)
        *device = &cuda->device;
    else
        cuda_close(&cuda->device);
    return status;
}

static const char *cuda_describe(const struct rd_device *device)
{
    return ((const struct cuda *)device)->description;
}

static void cuda_limits(const struct rd_device *device, struct rd_device_limits *limits)
{
    *limits = ((const struct cuda *)device)->limits;
}

/* ---- memory ---- */

static void cuda_free(struct rd_device *device, struct rd_buffer *buffer)
{
    if (buffer && !((struct cuda *)device)->lost) /* else it would wait for the kernel */
        cudaFree(buffer->memory);
    free(buffer);
}

static enum rd_status cuda_alloc(struct rd_device *device, size_t size_bytes,
                                 struct rd_buffer **buffer, struct rd_error *error)
{
    struct cuda *cuda = (struct cuda *)device;
    size_t slack_bytes = cuda->limits.block_max * sizeof(uint64_t);
    struct rd_buffer *b = calloc(1, sizeof *b);
    if (!b)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a buffer");
    enum rd_status status =
        check(cudaMalloc(&b->memory, size_bytes + slack_bytes), "cudaMalloc", error);
    if (status == RD_OK)
        status = check(cudaMemsetAsync(b->memory, POISON, size_bytes + slack_bytes, cuda->stream),
                       "cudaMemsetAsync", error);
    if (status == RD_OK)
        *buffer = b;
    else
        cuda_free(device, b);
    return status;
}

static enum rd_status cuda_host_alloc(struct rd_device *device, size_t size_bytes, void **memory,
                                      struct rd_error *error)
{
    (void)device;
    return check(cudaHostAlloc(memory, size_bytes, cudaHostAllocDefault), "cudaHostAlloc", error);
}

static void cuda_host_free(struct rd_device *device, void *memory)
{
    if (memory && !((struct cuda *)device)->lost)
        cudaFreeHost(memory);
}

static enum rd_status cuda_write(struct rd_device *device, struct rd_buffer *buffer,
                                 const void *host, size_t size_bytes, struct rd_error *error)
{
    struct cuda *cuda = (struct cuda *)device;
    enum rd_status status = check(
        cudaMemcpyAsync(buffer->memory, host, size_bytes, cudaMemcpyHostToDevice, cuda->stream),
        "cudaMemcpyAsync", error);
    return status == RD_OK
               ? check(cudaStreamSynchronize(cuda->stream), "cudaStreamSynchronize", error)
               : status;
}

/* ---- launches ---- */

/* More than this much dynamic shared memory a kernel gets only if it is asked for. */
enum { SHARED_DEFAULT = 48 * 1024 };

static cudaError_t start_kernel(struct cuda *cuda, const void *stub, const struct rd_launch *launch,
                                void **arguments)
{
    struct dim3 grid = {(unsigned)launch->grid, launch->grid_y ? launch->grid_y : 1, 1};
    struct dim3 block = {launch->block, launch->block_y ? launch->block_y : 1, 1};
    cudaError_t result = cudaSuccess;
    if (launch->grid > UINT32_MAX) /* cudaLaunchKernel would not see more */
        return cudaErrorInvalidConfiguration;
    if (launch->shared_bytes > SHARED_DEFAULT)
        result = cudaFuncSetAttribute(stub, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)launch->shared_bytes);
    if (result != cudaSuccess)
        return result;
    if (launch->cooperative)
        return cudaLaunchCooperativeKernel(stub, grid, block, arguments, launch->shared_bytes,
                                           cuda->stream);
    return cudaLaunchKernel(stub, grid, block, arguments, launch->shared_bytes, cuda->stream);
}

static enum rd_status launch_kernel(struct cuda *cuda, const void *stub,
                                    const struct rd_launch *launch, void **arguments,
                                    struct rd_error *error)
{
    cudaError_t result = start_kernel(cuda, stub, launch, arguments);
    if (result == cudaSuccess)
        return RD_OK;
    cudaGetLastError(); /* a refused launch must not be found again by a later call */
    if (result == cudaErrorCooperativeLaunchTooLarge)
        return rd_launch_too_large(launch, cudaGetErrorName(result), error);
    /* CUDA's name for an illegal launch has changed between releases; the limits tell it is one. */
    enum rd_status status = rd_launch_check(launch, &cuda->limits, cudaGetErrorName(result), error);
    if (status == RD_OK && result == cudaErrorLaunchOutOfResources)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "%s: the kernel needs more registers for a block of %u threads than there are",
            cudaGetErrorName(result), rd_launch_threads(launch));
    return status == RD_OK ? check(result, "cudaLaunchKernel", error) : status;
}

/* Waits until all that was asked for is done, but no longer than the limit. */
static enum rd_status wait_until(struct cuda *cuda, unsigned limit_s, struct rd_error *error)
{
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    for (unsigned ms = 0; ms < limit_s * 1000; ms++) {
        cudaError_t result = cudaStreamQuery(cuda->stream);
        if (result != cudaErrorNotReady)
            return check(result, "cudaStreamQuery", error);
        nanosleep(&pause, NULL);
    }
    cuda->lost = true;
    return rd_fail(
        error, RD_ERROR_HUNG,
        "the kernel was still running after %u s: its threads wait for each other, or its "
        "loop has no end",
        limit_s);
}

/* NULL in plain: there is none. */
static struct stub stub_of(const struct rd_launch *launch)
{
    if (launch->kernel >= RD_KERNEL_COUNT) /* a client's, of the simulator */
        return (struct stub){NULL, NULL};
    if (launch->operation == RD_OPERATION_SUM)
        return kernels[launch->kernel][launch->type];
    return over[launch->kernel][launch->type][launch->operation].stub;
}

/* The input is the last argument, of operations that select. */
static enum rd_status tell_operation(struct cuda *cuda, const struct rd_launch *launch,
                                     bool observed, struct rd_error *error)
{
    const struct over_stub *stub = &over[launch->kernel][launch->type][launch->operation];
    name_operation *const name = observed ? stub->name_observed : stub->name;
    const void *input = NULL;
    if (!name)
        return RD_OK;
    if (rd_operation_selects(launch->operation))
        input = launch->args[launch->n_args - 1].buffer->memory;
    return check((cudaError_t)name((int)launch->operation, input, cuda->stream),
                 "cudaMemcpyToSymbolAsync", error);
}

static const void *place_of(const struct rd_buffer *buffer)
{
    return &buffer->memory;
}

static enum rd_status cuda_launch(struct rd_device *device, const struct rd_launch *launch,
                                  struct rd_error *error)
{
    struct cuda *cuda = (struct cuda *)device;
    void *arguments[RD_ARG_MAX];
    if (rd_launch_check_members(launch, error) != RD_OK)
        return RD_ERROR_USAGE;
    const struct stub stub = stub_of(launch);
    enum rd_status status = rd_launch_set_up(launch, stub.plain, place_of, arguments, error);
    const bool observed = stub.observed && launch->watch;
    if (status == RD_OK)
        status = tell_operation(cuda, launch, observed, error);
    if (status != RD_OK)
        return status;
    struct rd_cuda_log log = {.watch = observed ? launch->watch : NULL};
    if (log.watch)
        status = rd_cuda_log_begin(&log, launch, cuda->stream, error);
    if (status == RD_OK)
        status = launch_kernel(cuda, (const void *)(log.watch ? stub.observed : stub.plain), launch,
                               arguments, error);
    if (status == RD_OK && launch->time_limit_s > 0)
        status = wait_until(cuda, launch->time_limit_s, error);
    if (log.watch && status == RD_OK)
        status = rd_cuda_log_tell(&log, cuda->stream, error);
    if (log.watch && !cuda->lost)
        rd_cuda_log_finish(&log, cuda->stream);
    return status;
}

/* ---- reading ---- */

/* Brings strided cells together on the device, in the slot's own memory. */
static enum rd_status gather(struct cuda *cuda, struct slot *slot, const char *first,
                             enum rd_type type, const struct rd_cells *cells,
                             struct rd_error *error)
{
    size_t size_bytes = cells->count * rd_numeric(type)->size_bytes;
    enum rd_status status = RD_OK;
    if (slot->gathered_bytes < size_bytes) {
        cudaFree(slot->gathered);
        slot->gathered = NULL;
        slot->gathered_bytes = 0;
        status = check(cudaMalloc(&slot->gathered, size_bytes), "cudaMalloc", error);
        if (status != RD_OK)
            return status;
        slot->gathered_bytes = size_bytes;
    }
    size_t stride = cells->stride, count = cells->count;
    void *arguments[] = {&first, &slot->gathered, &stride, &count};
    const struct rd_launch launch = {
        .kernel = RD_KERNEL_GATHER,
        .type = type,
        .grid = (count + GATHER_BLOCK - 1) / GATHER_BLOCK,
        .block = GATHER_BLOCK,
    };
    return launch_kernel(cuda, (const void *)kernels[RD_KERNEL_GATHER][type].plain, &launch,
                         arguments, error);
}

static enum rd_status cuda_read(struct rd_device *device, struct rd_buffer *buffer,
                                enum rd_type type, struct rd_cells cells, void *host,
                                unsigned slot_number, struct rd_error *error)
{
    struct cuda *cuda = (struct cuda *)device;
    struct slot *slot = &cuda->slots[slot_number];
    size_t size = rd_numeric(type)->size_bytes;
    const void *from = (char *)buffer->memory + cells.first * cells.stride * size;
    enum rd_status status = RD_OK;
    if (cells.stride > 1) {
        status = gather(cuda, slot, from, type, &cells, error);
        from = slot->gathered;
    }
    if (status == RD_OK)
        status = check(
            cudaMemcpyAsync(host, from, cells.count * size, cudaMemcpyDeviceToHost, cuda->stream),
            "cudaMemcpyAsync", error);
    if (status == RD_OK)
        status = check(cudaEventRecord(slot->arrived, cuda->stream), "cudaEventRecord", error);
    return status;
}

static enum rd_status cuda_wait(struct rd_device *device, unsigned slot, struct rd_error *error)
{
    struct cuda *cuda = (struct cuda *)device;
    return check(cudaEventSynchronize(cuda->slots[slot].arrived), "cudaEventSynchronize", error);
}

/* ---- digests ---- */

/* Rest behind the last whole word: one of an odd number of elements of 16 bits. */
static enum rd_status digest_rest(struct cuda *cuda, const struct rd_buffer *buffer, size_t count,
                                  size_t size_bytes, uint64_t *sum, struct rd_error *error)
{
    const size_t words_bytes = count * sizeof(uint32_t);
    uint32_t rest = 0;
    if (words_bytes == size_bytes)
        return RD_OK;
    enum rd_status status =
        check(cudaMemcpyAsync(&rest, (const char *)buffer->memory + words_bytes,
                              size_bytes - words_bytes, cudaMemcpyDeviceToHost, cuda->stream),
              "cudaMemcpyAsync", error);
    if (status == RD_OK)
        status = check(cudaStreamSynchronize(cuda->stream), "cudaStreamSynchronize", error);
    *sum += rd_random_mix(rest ^ rd_random_mix(count + 1));
    return status;
}

static enum rd_status cuda_digest(struct rd_device *device, struct rd_buffer *buffer,
                                  size_t size_bytes, uint64_t *digest, struct rd_error *error)
{
    struct cuda *cuda = (struct cuda *)device;
    size_t count = size_bytes / sizeof(uint32_t);
    size_t blocks = (count + DIGEST_BLOCK - 1) / DIGEST_BLOCK;
    const struct rd_launch launch = {
        .kernel = RD_KERNEL_DIGEST,
        .type = RD_TYPE_U32,
        .grid = blocks < DIGEST_GRID_MAX ? blocks : DIGEST_GRID_MAX,
        .block = DIGEST_BLOCK,
    };
    uint64_t sum = 0;
    void *arguments[] = {&buffer->memory, &cuda->digest, &count};
    enum rd_status status = RD_OK;
    if (!cuda->digest)
        status = check(cudaMalloc(&cuda->digest, sizeof sum), "cudaMalloc", error);
    if (status == RD_OK)
        status = check(cudaMemsetAsync(cuda->digest, 0, sizeof sum, cuda->stream),
                       "cudaMemsetAsync", error);
    if (status == RD_OK && count > 0)
        status = launch_kernel(cuda, (const void *)kernels[launch.kernel][launch.type].plain,
                               &launch, arguments, error);
    if (status == RD_OK)
        status = check(
            cudaMemcpyAsync(&sum, cuda->digest, sizeof sum, cudaMemcpyDeviceToHost, cuda->stream),
            "cudaMemcpyAsync", error);
    if (status == RD_OK)
        status = check(cudaStreamSynchronize(cuda->stream), "cudaStreamSynchronize", error);
    if (status == RD_OK)
        status = digest_rest(cuda, buffer, count, size_bytes, &sum, error);
    if (status == RD_OK)
        *digest = sum;
    return status;
}

/* ---- time ---- */

static enum rd_status cuda_mark(struct rd_device *device, unsigned slot, struct rd_error *error)
{
    struct cuda *cuda = (struct cuda *)device;
    enum rd_status status = RD_OK;
    if (!cuda->marks[slot])
        status = check(cudaEventCreate(&cuda->marks[slot]), "cudaEventCreate", error);
    return status == RD_OK
               ? check(cudaEventRecord(cuda->marks[slot], cuda->stream), "cudaEventRecord", error)
               : status;
}

static enum rd_status cuda_between(struct rd_device *device, unsigned from, unsigned to,
                                   double *seconds, struct rd_error *error)
{
    struct cuda *cuda = (struct cuda *)device;
    float ms;
    enum rd_status status =
        check(cudaEventSynchronize(cuda->marks[to]), "cudaEventSynchronize", error);
    if (status == RD_OK)
        status = check(cudaEventElapsedTime(&ms, cuda->marks[from], cuda->marks[to]),
                       "cudaEventElapsedTime", error);
    if (status == RD_OK)
        *seconds = 1e-3 * (double)ms;
    return status;
}

const struct rd_device_ops rd_device_cuda = {
    .name = "cuda",
    .open = cuda_open,
    .close = cuda_close,
    .describe = cuda_describe,
    .limits = cuda_limits,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .host_alloc = cuda_host_alloc,
    .host_free = cuda_host_free,
    .write = cuda_write,
    .read = cuda_read,
    .wait = cuda_wait,
    .launch = cuda_launch,
    .digest = cuda_digest,
    .mark = cuda_mark,
    .between = cuda_between,
};
