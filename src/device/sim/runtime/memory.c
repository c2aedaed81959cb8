// SPDX-License-Identifier: MIT
/* CUDA Runtime API, "Memory Management" and "Stream Ordered Memory Allocator". */
#include "device/sim/api/hooks.h"
#include "device/sim/file/file.h"
#include "device/sim/runtime/graphs.h"

#include <stdlib.h>
#include <string.h>

enum { PITCH_BYTES = 512 };

/* A pool has attributes only: what is freed goes back at once. */
struct CUmemPoolHandle_st {
    uint64_t values[cudaMemPoolAttrUsedMemHigh + 1];
};

static struct CUmemPoolHandle_st pool_of_all; /* of all devices */

/* To a kernel the two are malloc() and free(). The pointer is the kernel's, and may lie in memory that others access. */
static cudaError_t take_in_kernel(void **pointer, size_t size_bytes, void *pc)
{
    void *memory = rd_sim_kernel_malloc(size_bytes, (uintptr_t)pc);
    rd_sim_accessed(pointer, sizeof *pointer, true, pc);
    *pointer = memory;
    return memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

RD_HOOK cudaError_t cudaMalloc(void **pointer, size_t size_bytes)
{
    if (rd_sim_is_running())
        return take_in_kernel(pointer, size_bytes, __builtin_return_address(0));
    RD_BEGIN(cudaMalloc);
    RD_END(rd_sim_memory_take(&call, pointer, size_bytes, RD_SIM_MEMORY_DEVICE, 0));
}

RD_HOOK cudaError_t cudaMallocManaged(void **pointer, size_t size_bytes, unsigned flags)
{
    RD_BEGIN(cudaMallocManaged);
    RD_END(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost
               ? rd_sim_memory_take(&call, pointer, size_bytes, RD_SIM_MEMORY_MANAGED, flags)
               : cudaErrorInvalidValue);
}

RD_HOOK cudaError_t cudaMallocHost(void **pointer, size_t size_bytes)
{
    RD_BEGIN(cudaMallocHost);
    RD_END(rd_sim_memory_take(&call, pointer, size_bytes, RD_SIM_MEMORY_PINNED, 0));
}

RD_HOOK cudaError_t cudaHostAlloc(void **pointer, size_t size_bytes, unsigned flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    RD_BEGIN(cudaHostAlloc);
    RD_END(flags & ~known
               ? cudaErrorInvalidValue
               : rd_sim_memory_take(&call, pointer, size_bytes, RD_SIM_MEMORY_PINNED, flags));
}

static size_t pitch_of(size_t width)
{
    return (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
}

RD_HOOK cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    RD_BEGIN(cudaMallocPitch);
    if (!pitch)
        RD_END(cudaErrorInvalidValue);
    *pitch = pitch_of(width);
    RD_END(rd_sim_memory_take(&call, pointer, *pitch * height, RD_SIM_MEMORY_DEVICE, 0));
}

RD_HOOK cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent)
{
    RD_BEGIN(cudaMalloc3D);
    if (!pitched)
        RD_END(cudaErrorInvalidValue);
    size_t pitch = pitch_of(extent.width);
    *pitched =
        (struct cudaPitchedPtr){.pitch = pitch, .xsize = extent.width, .ysize = extent.height};
    RD_END(rd_sim_memory_take(&call, &pitched->ptr, pitch * extent.height * extent.depth,
                              RD_SIM_MEMORY_DEVICE, 0));
}

/* The host waits for all that the device does. */
static cudaError_t give(const struct rd_sim_host_call *call, void *pointer, bool of_host)
{
    if (!pointer)
        return cudaSuccess;
    if (rd_sim_memory_is_not_to_give(call, pointer, of_host))
        return cudaErrorInvalidValue;
    rd_sim_stream_await(NULL);
    return rd_sim_memory_give(call, pointer);
}

RD_HOOK cudaError_t cudaFree(void *pointer)
{
    if (rd_sim_is_running()) {
        rd_sim_kernel_free(pointer, (uintptr_t)__builtin_return_address(0));
        return cudaSuccess;
    }
    RD_BEGIN(cudaFree);
    RD_END(give(&call, pointer, false));
}

RD_HOOK cudaError_t cudaFreeHost(void *pointer)
{
    RD_BEGIN(cudaFreeHost);
    RD_END(give(&call, pointer, true));
}

/* ---- in the order of a stream ---- */

/* A node of the graph takes it. */
static cudaError_t capture_take(const struct rd_sim_host_call *call, void **pointer,
                                size_t size_bytes, struct CUstream_st *stream)
{
    if (size_bytes == 0)
        return cudaErrorInvalidValue;
    cudaError_t error = rd_sim_memory_take_for_graph(call, pointer, size_bytes);
    if (error != cudaSuccess)
        return error;
    const struct rd_sim_task operation = {.type = cudaGraphNodeTypeMemAlloc,
                                          .call = *call,
                                          .memory = *pointer,
                                          .size_bytes = size_bytes};
    return rd_sim_submit(stream, &operation);
}

static cudaError_t take_in(const struct rd_sim_host_call *call, void **pointer, size_t size_bytes,
                           cudaStream_t handle)
{
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture)
        return capture_take(call, pointer, size_bytes, stream);
    cudaError_t error = rd_sim_memory_take(call, pointer, size_bytes, RD_SIM_MEMORY_DEVICE, 0);
    if (error != cudaSuccess || !*pointer)
        return error;
    struct rd_sim_step step = rd_sim_stream_step(stream, &call->place, call->name);
    if (rd_sim_stream_may_race(stream))
        rd_sim_step_accesses(&step, (uintptr_t)*pointer, size_bytes, true);
    rd_sim_step_end(&step);
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaMallocAsync(void **pointer, size_t size_bytes, cudaStream_t stream)
{
    RD_BEGIN(cudaMallocAsync);
    RD_END(take_in(&call, pointer, size_bytes, stream));
}

RD_HOOK cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size_bytes, cudaMemPool_t pool,
                                            cudaStream_t stream)
{
    RD_BEGIN(cudaMallocFromPoolAsync);
    RD_END(pool ? take_in(&call, pointer, size_bytes, stream) : cudaErrorInvalidValue);
}

RD_HOOK cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle)
{
    RD_BEGIN(cudaFreeAsync);
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream)
        RD_END(cudaErrorInvalidResourceHandle);
    if (!pointer)
        RD_END(cudaSuccess);
    if (!(stream->capture && rd_sim_memory_is_of_graph(pointer)) &&
        rd_sim_memory_is_not_to_give(&call, pointer, false))
        RD_END(cudaErrorInvalidValue);
    const struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeMemFree,
        .call = call,
        .memory = pointer,
        .size_bytes = rd_sim_allocation_at(pointer)->size_bytes,
    };
    RD_END(rd_sim_submit(stream, &operation));
}

RD_HOOK cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    (void)device;
    RD_BEGIN(cudaDeviceGetDefaultMemPool);
    if (!pool)
        RD_END(cudaErrorInvalidValue);
    *pool = &pool_of_all;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    (void)device;
    RD_BEGIN(cudaDeviceGetMemPool);
    if (!pool)
        RD_END(cudaErrorInvalidValue);
    *pool = &pool_of_all;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    (void)device;
    RD_BEGIN(cudaDeviceSetMemPool);
    RD_END(pool ? cudaSuccess : cudaErrorInvalidValue);
}

RD_HOOK cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    RD_BEGIN(cudaMemPoolCreate);
    if (!pool || !props)
        RD_END(cudaErrorInvalidValue);
    *pool = calloc(1, sizeof **pool);
    RD_END(*pool ? cudaSuccess : cudaErrorMemoryAllocation);
}

RD_HOOK cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    RD_BEGIN(cudaMemPoolDestroy);
    if (!pool || pool == &pool_of_all)
        RD_END(cudaErrorInvalidValue);
    free(pool);
    RD_END(cudaSuccess);
}

/* Attributes of 1 to 3 are ints, the others 64 bits. */
static cudaError_t pool_value(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value,
                              bool sets)
{
    if (!pool || !value || attribute < 1 || attribute > cudaMemPoolAttrUsedMemHigh)
        return cudaErrorInvalidValue;
    size_t size =
        attribute <= cudaMemPoolReuseAllowInternalDependencies ? sizeof(int) : sizeof(uint64_t);
    if (attribute == cudaMemPoolAttrReservedMemCurrent ||
        attribute == cudaMemPoolAttrUsedMemCurrent)
        pool->values[attribute] = rd_sim_memory_live_bytes();
    if (sets)
        memcpy(&pool->values[attribute], value, size);
    else
        memcpy(value, &pool->values[attribute], size);
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                            void *value)
{
    RD_BEGIN(cudaMemPoolSetAttribute);
    RD_END(pool_value(pool, attribute, value, true));
}

RD_HOOK cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                            void *value)
{
    RD_BEGIN(cudaMemPoolGetAttribute);
    RD_END(pool_value(pool, attribute, value, false));
}

RD_HOOK cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t size_bytes)
{
    (void)size_bytes;
    RD_BEGIN(cudaMemPoolTrimTo);
    RD_END(pool ? cudaSuccess : cudaErrorInvalidValue);
}

RD_HOOK cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                         size_t count)
{
    RD_BEGIN(cudaMemPoolSetAccess);
    rd_sim_pools_share();
    RD_END(pool && (list || count == 0) ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- pinned memory ---- */

RD_HOOK cudaError_t cudaHostRegister(void *pointer, size_t size_bytes, unsigned flags)
{
    RD_BEGIN(cudaHostRegister);
    RD_END(rd_sim_memory_register(&call, pointer, size_bytes, flags));
}

RD_HOOK cudaError_t cudaHostUnregister(void *pointer)
{
    RD_BEGIN(cudaHostUnregister);
    rd_sim_stream_await(NULL);
    RD_END(rd_sim_memory_unregister(&call, pointer));
}

RD_HOOK cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    RD_BEGIN(cudaHostGetDevicePointer);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(host);
    if (!device || flags || !allocation || allocation->freed ||
        allocation->kind == RD_SIM_MEMORY_DEVICE)
        RD_END(cudaErrorInvalidValue);
    *device = host; /* as all devices have cudaDevAttrCanUseHostPointerForRegisteredMem */
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    RD_BEGIN(cudaHostGetFlags);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(host);
    if (!flags || !allocation || allocation->kind != RD_SIM_MEMORY_PINNED)
        RD_END(cudaErrorInvalidValue);
    *flags = allocation->flags | cudaHostAllocMapped;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    RD_BEGIN(cudaMemGetInfo);
    size_t most = rd_sim_device_bytes();
    if (total)
        *total = most;
    if (available)
        *available = most - rd_sim_memory_live_bytes();
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                             const void *pointer)
{
    static const enum cudaMemoryType types[] = {
        [RD_SIM_MEMORY_DEVICE] = cudaMemoryTypeDevice,
        [RD_SIM_MEMORY_MANAGED] = cudaMemoryTypeManaged,
        [RD_SIM_MEMORY_PINNED] = cudaMemoryTypeHost,
    };
    RD_BEGIN(cudaPointerGetAttributes);
    if (!attributes)
        RD_END(cudaErrorInvalidValue);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(pointer);
    bool is_there = allocation && !allocation->freed,
         is_managed = !is_there && rd_sim_is_managed_variable((uintptr_t)pointer),
         is_variable = is_managed || rd_sim_is_device_variable((uintptr_t)pointer);
    *attributes = (struct cudaPointerAttributes){
        .type = is_there      ? types[allocation->kind]
                : is_managed  ? cudaMemoryTypeManaged
                : is_variable ? cudaMemoryTypeDevice
                              : cudaMemoryTypeUnregistered,
        .device = is_there      ? allocation->device
                  : is_variable ? rd_sim_device_now()
                                : cudaInvalidDeviceId,
        .devicePointer = is_there || is_variable ? (void *)pointer : NULL,
        .hostPointer = (is_there && allocation->kind != RD_SIM_MEMORY_DEVICE) || is_managed ||
                               (!is_there && !is_variable)
                           ? (void *)pointer
                           : NULL,
    };
    RD_END(cudaSuccess);
}

/* Frees all that is there, and tells leaks as at the program's end. */
static cudaError_t reset(const struct rd_sim_host_call *call)
{
    rd_sim_stream_await(NULL);
    rd_sim_launches_tell_leaks();
    rd_sim_allocations_tell_leaks();
    rd_sim_allocations_drop(call);
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaDeviceReset(void)
{
    RD_BEGIN(cudaDeviceReset);
    RD_END(reset(&call));
}

RD_HOOK cudaError_t cudaThreadExit(void)
{
    RD_BEGIN(cudaThreadExit);
    RD_END(reset(&call));
}
