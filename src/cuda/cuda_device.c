// SPDX-License-Identifier: MIT
/* A GPU as a device, through the CUDA runtime's C interface. All work goes to one stream, so that
 * it happens in the order in which it was asked for. */
#include "cuda/cuda_device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

/* Blocks of the gather kernel. */
enum { GATHER_BLOCK = 256 };

/* What fresh memory holds: nothing that could pass for a result. */
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
    struct slot slots[RD_READ_SLOTS];
};

/* The host's stubs of the kernels, as nvcc makes them; only their addresses are used. */
#define DECLARE(name, NAME)                                                                        \
    void cuda_##name##_i32(void);                                                                  \
    void cuda_##name##_u32(void);                                                                  \
    void cuda_##name##_u64(void);                                                                  \
    void cuda_##name##_f32(void);                                                                  \
    void cuda_##name##_f64(void);
RD_KERNELS(DECLARE)
#define ENTRY(name, NAME)                                                                          \
    [RD_KERNEL_##NAME] = {                                                                         \
        [RD_TYPE_I32] = cuda_##name##_i32, [RD_TYPE_U32] = cuda_##name##_u32,                      \
        [RD_TYPE_U64] = cuda_##name##_u64, [RD_TYPE_F32] = cuda_##name##_f32,                      \
        [RD_TYPE_F64] = cuda_##name##_f64,                                                         \
    },
static void (*const kernels[RD_KERNEL_COUNT][RD_TYPE_COUNT])(void) = {RD_KERNELS(ENTRY)};

/* Every CUDA call passes through here: its name, and CUDA's own name for what went wrong. */
static enum rd_status check(cudaError_t result, const char *call, struct rd_error *error)
{
    if (result == cudaSuccess)
        return RD_OK;
    enum rd_status status = result == cudaErrorMemoryAllocation ? RD_ERROR_MEMORY : RD_ERROR_DEVICE;
    return rd_fail(error, status, "%s: %s (%s)", cudaGetErrorName(result),
                   cudaGetErrorString(result), call);
}

/* ---- opening and closing ---- */

static void cuda_close(struct rd_device *device)
{
    struct cuda *cuda = (struct cuda *)device;
    for (int s = 0; s < RD_READ_SLOTS; s++) {
        cudaFree(cuda->slots[s].gathered);
        if (cuda->slots[s].arrived)
            cudaEventDestroy(cuda->slots[s].arrived);
    }
    if (cuda->stream)
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
    };
    return RD_OK;
}

static enum rd_status cuda_open(struct rd_device **device, struct rd_error *error)
{
    int count = 0;
    enum rd_status status = check(cudaGetDeviceCount(&count), "cudaGetDeviceCount", error);
    if (status == RD_OK && count == 0)
        status = check(cudaErrorNoDevice, "cudaGetDeviceCount", error);
    if (status != RD_OK)
        return status;

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
    (void)device;
    if (buffer)
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
    (void)device;
    if (memory)
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

static enum rd_status launch_kernel(struct cuda *cuda, enum rd_kernel kernel, enum rd_type type,
                                    size_t grid, unsigned block, void **arguments,
                                    struct rd_error *error)
{
    const struct rd_launch launch = {.grid = grid, .block = block};
    cudaError_t result = cudaErrorInvalidConfiguration;
    if (grid <= UINT32_MAX) /* cudaLaunchKernel would not see more */
        result = cudaLaunchKernel((const void *)kernels[kernel][type],
                                  (struct dim3){(unsigned)grid, 1, 1}, (struct dim3){block, 1, 1},
                                  arguments, 0, cuda->stream);
    if (result == cudaSuccess)
        return RD_OK;
    cudaGetLastError(); /* a refused launch must not be found again by a later call */
    /* CUDA's name for an illegal launch has changed between releases; the limits tell it is one. */
    enum rd_status status =
        rd_launch_check(&launch, &cuda->limits, cudaGetErrorName(result), error);
    return status == RD_OK ? check(result, "cudaLaunchKernel", error) : status;
}

static enum rd_status cuda_launch(struct rd_device *device, const struct rd_launch *launch,
                                  struct rd_error *error)
{
    void *arguments[RD_ARG_MAX];
    for (unsigned i = 0; i < launch->n_args; i++) {
        const struct rd_arg *arg = &launch->args[i];
        arguments[i] = arg->buffer ? (void *)&arg->buffer->memory : (void *)(uintptr_t)&arg->scalar;
    }
    return launch_kernel((struct cuda *)device, launch->kernel, launch->type, launch->grid,
                         launch->block, arguments, error);
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
    return launch_kernel(cuda, RD_KERNEL_GATHER, type, (count + GATHER_BLOCK - 1) / GATHER_BLOCK,
                         GATHER_BLOCK, arguments, error);
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
};
