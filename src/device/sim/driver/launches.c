// SPDX-License-Identifier: MIT
/* CUDA Driver API, "Execution Control" and "Occupancy". */
#include "device/sim/driver/driver.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const void *address_of(const struct CUfunc_st *function)
{
    return function->kernel->function;
}

/* ---- values of parameters ---- */

/* Values in one buffer: each lies where the one before ends, as its type is aligned. The closure begins with 16 bytes of its own. */
enum { CLOSURE_HEAD = 16, VALUES_MAX = 1024 };

struct buffer {
    char *bytes;
    size_t size_bytes;
};

/* Reads the list that ends with CU_LAUNCH_PARAM_END. */
static bool read_extra(void **extra, struct buffer *buffer)
{
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer->bytes = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
            buffer->size_bytes = *(const size_t *)extra[1];
        else
            return false;
    }
    return true;
}

/* Samples of NVIDIA's give the size as an int, whose neighbours nobody has set. */
static size_t size_of(const struct buffer *buffer)
{
    return buffer->size_bytes > UINT_MAX ? (unsigned)buffer->size_bytes : buffer->size_bytes;
}

static size_t end_of(const struct rd_sim_kernel *kernel, unsigned k)
{
    return kernel->offsets[k] - CLOSURE_HEAD + kernel->parameters[k].size;
}

static void tell(const struct rd_sim_host_call *call, const struct rd_sim_kernel *kernel,
                 const char *what, size_t given, size_t wanted)
{
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_ILLEGAL_LAUNCH,
        .place = call->place,
        .lesson = "The driver knows a kernel's parameters by their sizes alone, and reads as many "
                  "values as it has: give "
                  "one for each, in their order.",
    };
    rd_sim_host_tell(&finding, "%s gives %s %zu %s, where its %u parameters take %zu,", call->name,
                     kernel->name, given, what, kernel->n, wanted);
}

/* Sets where each value is. */
static CUresult take_values(const struct rd_sim_host_call *call, const struct rd_sim_kernel *kernel,
                            const struct rd_cu_launching *launch, void *values[VALUES_MAX])
{
    struct buffer buffer = {NULL, 0};
    if (kernel->n > VALUES_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if (launch->values && launch->extra)
        return CUDA_ERROR_INVALID_VALUE;
    if (launch->values && launch->n > 0 && launch->n < kernel->n) {
        tell(call, kernel, launch->n == 1 ? "value" : "values", launch->n, kernel->n);
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned k = 0; launch->values && k < kernel->n; k++) {
        values[k] = launch->values[k];
        if (!values[k])
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (launch->values || kernel->n == 0)
        return CUDA_SUCCESS;
    if (!launch->extra || !read_extra(launch->extra, &buffer) || !buffer.bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (size_of(&buffer) < end_of(kernel, kernel->n - 1)) {
        tell(call, kernel, "bytes of values", size_of(&buffer), end_of(kernel, kernel->n - 1));
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned k = 0; k < kernel->n; k++)
        values[k] = buffer.bytes + kernel->offsets[k] - CLOSURE_HEAD;
    return CUDA_SUCCESS;
}

/* ---- launches ---- */

RD_HOOK CUresult rd_cu_launch(CUfunction function, const struct rd_cu_launching *launch)
{
    const rd_dim3 grid = {launch->grid[0], launch->grid[1], launch->grid[2]};
    const rd_dim3 block = {launch->block[0], launch->block[1], launch->block[2]};
    static _Thread_local void *values[VALUES_MAX];
    RD_CU_BEGIN_NAMED(launch->name, RD_CU_NEEDS_CONTEXT);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    const CUresult result = take_values(&cu.call, function->kernel, launch, values);
    if (result != CUDA_SUCCESS)
        RD_CU_END(result);
    if (strcmp(launch->name, "cuLaunchCooperativeKernel") == 0)
        RD_CU_DO(cudaLaunchCooperativeKernel(address_of(function), grid, block, values,
                                             launch->shared_bytes, launch->stream));
    RD_CU_DO(cudaLaunchKernel(address_of(function), grid, block, values, launch->shared_bytes,
                              launch->stream));
}

/* ---- attributes ---- */

/* The value of an attribute. */
static int value_of(const struct cudaFuncAttributes *all, CUfunction_attribute attribute)
{
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        return all->maxThreadsPerBlock;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        return (int)all->sharedSizeBytes;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        return (int)all->constSizeBytes;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        return (int)all->localSizeBytes;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        return all->numRegs;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        return all->ptxVersion;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        return all->binaryVersion;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        return all->maxDynamicSharedSizeBytes;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return all->preferredShmemCarveout;
    default:
        return 0;
    }
}

RD_HOOK CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    struct cudaFuncAttributes all;
    RD_CU_BEGIN(cuFuncGetAttribute, RD_CU_NEEDS_CONTEXT);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    const cudaError_t error = cudaFuncGetAttributes(&all, address_of(function));
    if (error != cudaSuccess)
        RD_CU_DO(error);
    if (!value || attribute >= CU_FUNC_ATTRIBUTE_MAX)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    *value = value_of(&all, attribute);
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    RD_CU_BEGIN(cuFuncSetAttribute, RD_CU_NEEDS_CONTEXT);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    RD_CU_DO(cudaFuncSetAttribute(address_of(function), (enum cudaFuncAttribute)attribute, value));
}

RD_HOOK CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    RD_CU_BEGIN(cuFuncSetCacheConfig, RD_CU_NEEDS_CONTEXT);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    RD_CU_DO(cudaFuncSetCacheConfig(address_of(function), (enum cudaFuncCache)config));
}

RD_HOOK CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
    RD_CU_BEGIN(cuFuncSetSharedMemConfig, RD_CU_NEEDS_CONTEXT);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    RD_CU_DO(cudaFuncSetSharedMemConfig(address_of(function), (enum cudaSharedMemConfig)config));
}

RD_HOOK CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    RD_CU_BEGIN(cuFuncGetModule, RD_CU_NEEDS_CONTEXT);
    if (!module || !rd_sim_function_is(function))
        RD_CU_END(module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
    *module = function->module;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuFuncGetName(const char **name, CUfunction function)
{
    RD_CU_BEGIN(cuFuncGetName, RD_CU_NEEDS_CONTEXT);
    if (!name || !rd_sim_function_is(function))
        RD_CU_END(name ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
    *name = function->symbol;
    RD_CU_END(CUDA_SUCCESS);
}

/* ---- occupancy ---- */

RD_HOOK CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                             int threads, size_t shared_bytes)
{
    RD_CU_BEGIN(cuOccupancyMaxActiveBlocksPerMultiprocessor, RD_CU_NEEDS_CONTEXT);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    RD_CU_DO(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, address_of(function), threads,
                                                           shared_bytes));
}

RD_HOOK CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t shared_bytes, unsigned flags)
{
    RD_CU_BEGIN(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, RD_CU_NEEDS_CONTEXT);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    RD_CU_DO(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, address_of(function),
                                                                    threads, shared_bytes, flags));
}

RD_HOOK CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, CUfunction function,
                                                         int blocks, int threads)
{
    RD_CU_BEGIN(cuOccupancyAvailableDynamicSMemPerBlock, RD_CU_NEEDS_CONTEXT);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    RD_CU_DO(cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, address_of(function), blocks,
                                                       threads));
}

/* The largest block of those with which most threads are on a multiprocessor. */
RD_HOOK CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                                  CUoccupancyB2DSize shared_of, size_t shared_bytes,
                                                  int limit)
{
    enum { THREADS_MAX = 1024, WARP = 32 };
    struct cudaFuncAttributes all;
    int best = 0, threads = 0, processors = 0;
    RD_CU_BEGIN(cuOccupancyMaxPotentialBlockSize, RD_CU_NEEDS_CONTEXT);
    if (!grid || !block || limit < 0)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    if (!rd_sim_function_is(function))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    cudaError_t error = cudaFuncGetAttributes(&all, address_of(function));
    int most = limit > 0 && limit < THREADS_MAX ? limit : THREADS_MAX;
    if (error == cudaSuccess && all.maxThreadsPerBlock < most)
        most = all.maxThreadsPerBlock;
    for (int size = most; size > 0 && error == cudaSuccess;
         size = size % WARP ? size - size % WARP : size - WARP) {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, address_of(function), size, shared_of ? shared_of(size) : shared_bytes);
        if (blocks * size > threads) {
            threads = blocks * size;
            best = size;
        }
    }
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                                       rd_sim_device_now());
    *block = best;
    *grid = best > 0 ? threads / best * processors : 0;
    RD_CU_DO(error);
}
