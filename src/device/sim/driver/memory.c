// SPDX-License-Identifier: MIT
/* CUDA Driver API, "Memory Management" and "Unified Addressing": allocation. */
#include "device/sim/driver/driver.h"

static void *memory(CUdeviceptr pointer)
{
    return (void *)(uintptr_t)pointer;
}

/* The driver refuses to allocate no bytes, for which the runtime gives null. */
static CUresult taken(cudaError_t error, CUdeviceptr *pointer, void *made)
{
    if (error == cudaSuccess)
        *pointer = (CUdeviceptr)(uintptr_t)made;
    return rd_sim_driver_result(error);
}

RD_HOOK CUresult cuMemAlloc(CUdeviceptr *pointer, size_t size_bytes)
{
    void *made = NULL;
    RD_CU_BEGIN(cuMemAlloc, RD_CU_NEEDS_CONTEXT);
    if (!pointer || size_bytes == 0)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaMalloc(&made, size_bytes);
    RD_CU_END(taken(error, pointer, made));
}

RD_HOOK CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                                 unsigned element_bytes)
{
    void *made = NULL;
    RD_CU_BEGIN(cuMemAllocPitch, RD_CU_NEEDS_CONTEXT);
    if (!pointer || width == 0 || height == 0 ||
        (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaMallocPitch(&made, pitch, width, height);
    RD_CU_END(taken(error, pointer, made));
}

RD_HOOK CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t size_bytes, unsigned flags)
{
    void *made = NULL;
    RD_CU_BEGIN(cuMemAllocManaged, RD_CU_NEEDS_CONTEXT);
    if (!pointer || size_bytes == 0)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaMallocManaged(&made, size_bytes, flags);
    RD_CU_END(taken(error, pointer, made));
}

RD_HOOK CUresult cuMemAllocHost(void **pointer, size_t size_bytes)
{
    RD_CU_BEGIN(cuMemAllocHost, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(size_bytes ? cudaMallocHost(pointer, size_bytes) : cudaErrorInvalidValue);
}

RD_HOOK CUresult cuMemHostAlloc(void **pointer, size_t size_bytes, unsigned flags)
{
    RD_CU_BEGIN(cuMemHostAlloc, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(size_bytes ? cudaHostAlloc(pointer, size_bytes, flags) : cudaErrorInvalidValue);
}

RD_HOOK CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t size_bytes, CUstream stream)
{
    void *made = NULL;
    RD_CU_BEGIN(cuMemAllocAsync, RD_CU_NEEDS_CONTEXT);
    if (!pointer || size_bytes == 0)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaMallocAsync(&made, size_bytes, stream);
    RD_CU_END(taken(error, pointer, made));
}

RD_HOOK CUresult cuMemFree(CUdeviceptr pointer)
{
    RD_CU_BEGIN(cuMemFree, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaFree(memory(pointer)));
}

RD_HOOK CUresult cuMemFreeHost(void *pointer)
{
    RD_CU_BEGIN(cuMemFreeHost, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaFreeHost(pointer));
}

RD_HOOK CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream)
{
    RD_CU_BEGIN(cuMemFreeAsync, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaFreeAsync(memory(pointer), stream));
}

RD_HOOK CUresult cuMemHostRegister(void *pointer, size_t size_bytes, unsigned flags)
{
    RD_CU_BEGIN(cuMemHostRegister, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaHostRegister(pointer, size_bytes, flags));
}

RD_HOOK CUresult cuMemHostUnregister(void *pointer)
{
    RD_CU_BEGIN(cuMemHostUnregister, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaHostUnregister(pointer));
}

RD_HOOK CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags)
{
    void *found = NULL;
    RD_CU_BEGIN(cuMemHostGetDevicePointer, RD_CU_NEEDS_CONTEXT);
    if (!device)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaHostGetDevicePointer(&found, host, flags);
    RD_CU_END(taken(error, device, found));
}

RD_HOOK CUresult cuMemHostGetFlags(unsigned *flags, void *host)
{
    RD_CU_BEGIN(cuMemHostGetFlags, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaHostGetFlags(flags, host));
}

RD_HOOK CUresult cuMemGetInfo(size_t *available, size_t *total)
{
    RD_CU_BEGIN(cuMemGetInfo, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemGetInfo(available, total));
}

RD_HOOK CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size_bytes, CUdeviceptr pointer)
{
    RD_CU_BEGIN(cuMemGetAddressRange, RD_CU_NEEDS_CONTEXT);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(memory(pointer));
    if (!allocation || allocation->freed)
        RD_CU_END(CUDA_ERROR_NOT_FOUND);
    if (base)
        *base = allocation->base;
    if (size_bytes)
        *size_bytes = allocation->size_bytes;
    RD_CU_END(CUDA_SUCCESS);
}

/* Writes the value of an attribute that has one. */
static CUresult write_attribute(void *value, CUpointer_attribute attribute,
                                const struct rd_sim_allocation *allocation, CUdeviceptr pointer)
{
    static const CUmemorytype types[] = {
        [RD_SIM_MEMORY_DEVICE] = CU_MEMORYTYPE_DEVICE,
        [RD_SIM_MEMORY_MANAGED] = CU_MEMORYTYPE_DEVICE,
        [RD_SIM_MEMORY_PINNED] = CU_MEMORYTYPE_HOST,
    };
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)value = rd_sim_context_now();
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = types[allocation->kind];
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = pointer;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)value = memory(pointer);
        return allocation->kind == RD_SIM_MEMORY_DEVICE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)value = allocation->kind == RD_SIM_MEMORY_MANAGED;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = allocation->device;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(CUdeviceptr *)value = allocation->base;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)value = allocation->size_bytes;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

RD_HOOK CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute,
                                       CUdeviceptr pointer)
{
    RD_CU_BEGIN(cuPointerGetAttribute, RD_CU_NEEDS_INIT);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(memory(pointer));
    RD_CU_END(value && allocation && !allocation->freed
                  ? write_attribute(value, attribute, allocation, pointer)
                  : CUDA_ERROR_INVALID_VALUE);
}

RD_HOOK CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t size_bytes, CUdevice device,
                                    CUstream stream)
{
    RD_CU_BEGIN(cuMemPrefetchAsync, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemPrefetchAsync(memory(pointer), size_bytes, device, stream));
}

RD_HOOK CUresult cuMemAdvise(CUdeviceptr pointer, size_t size_bytes, CUmem_advise advice,
                             CUdevice device)
{
    RD_CU_BEGIN(cuMemAdvise, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemAdvise(memory(pointer), size_bytes, (enum cudaMemoryAdvise)advice, device));
}
