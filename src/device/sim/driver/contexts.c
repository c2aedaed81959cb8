// SPDX-License-Identifier: MIT
/* CUDA Driver API, "Context Management" and "Primary Context Management". What the runtime does goes on in the context that is
 * current, or in the primary one of its device. */
#include "device/sim/driver/driver.h"
#include "device/sim/runtime/streams.h"

#include <stdlib.h>

enum { DEVICES_MAX = 16 };

static bool is_device(int device)
{
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess && device >= 0 && device < n &&
           device < DEVICES_MAX;
}

RD_HOOK CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
    RD_CU_BEGIN(cuCtxCreate, RD_CU_NEEDS_INIT);
    if (!context || flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    if (!is_device(device))
        RD_CU_END(CUDA_ERROR_INVALID_DEVICE);
    struct CUctx_st *made = calloc(1, sizeof *made);
    if (!made)
        RD_CU_END(CUDA_ERROR_OUT_OF_MEMORY);
    *made = (struct CUctx_st){.device = device, .flags = flags};
    rd_sim_context_add(made);
    *context = made;
    RD_CU_END(rd_sim_context_push(made));
}

/* All that was made in it goes with it. Where it is current, it no longer is. */
RD_HOOK CUresult cuCtxDestroy(CUcontext context)
{
    RD_CU_BEGIN(cuCtxDestroy, RD_CU_NEEDS_INIT);
    if (!rd_sim_context_is(context) || context->is_primary)
        RD_CU_END(CUDA_ERROR_INVALID_CONTEXT);
    rd_sim_stream_await(NULL);
    rd_sim_allocations_end(&cu.call, context);
    rd_sim_streams_end(context);
    context->destroyed = true;
    if (rd_sim_context_top() == context)
        rd_sim_context_pop();
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuCtxPushCurrent(CUcontext context)
{
    RD_CU_BEGIN(cuCtxPushCurrent, RD_CU_NEEDS_INIT);
    RD_CU_END(rd_sim_context_is(context) ? rd_sim_context_push(context)
                                         : CUDA_ERROR_INVALID_CONTEXT);
}

RD_HOOK CUresult cuCtxPopCurrent(CUcontext *context)
{
    RD_CU_BEGIN(cuCtxPopCurrent, RD_CU_NEEDS_INIT);
    if (!rd_sim_context_top())
        RD_CU_END(CUDA_ERROR_INVALID_CONTEXT);
    if (context)
        *context = rd_sim_context_top();
    rd_sim_context_pop();
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuCtxSetCurrent(CUcontext context)
{
    RD_CU_BEGIN(cuCtxSetCurrent, RD_CU_NEEDS_INIT);
    if (context && !rd_sim_context_is(context))
        RD_CU_END(CUDA_ERROR_INVALID_CONTEXT);
    rd_sim_context_pop();
    RD_CU_END(context ? rd_sim_context_push(context) : CUDA_SUCCESS);
}

RD_HOOK CUresult cuCtxGetCurrent(CUcontext *context)
{
    RD_CU_BEGIN(cuCtxGetCurrent, RD_CU_NEEDS_INIT);
    if (!context)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    *context = rd_sim_context_now();
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuCtxGetDevice(CUdevice *device)
{
    RD_CU_BEGIN(cuCtxGetDevice, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaGetDevice(device));
}

RD_HOOK CUresult cuCtxGetFlags(unsigned *flags)
{
    RD_CU_BEGIN(cuCtxGetFlags, RD_CU_NEEDS_CONTEXT);
    if (!flags)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    *flags = rd_sim_context_now()->flags;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    RD_CU_BEGIN(cuCtxGetApiVersion, RD_CU_NEEDS_INIT);
    if (context && !rd_sim_context_is(context))
        RD_CU_END(CUDA_ERROR_INVALID_CONTEXT);
    if (!version)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    *version = 3020;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuCtxSynchronize(void)
{
    RD_CU_BEGIN(cuCtxSynchronize, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaDeviceSynchronize());
}

/* ---- settings ---- */

RD_HOOK CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    RD_CU_BEGIN(cuCtxSetLimit, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

RD_HOOK CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    RD_CU_BEGIN(cuCtxGetLimit, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

RD_HOOK CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    RD_CU_BEGIN(cuCtxSetCacheConfig, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

RD_HOOK CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    RD_CU_BEGIN(cuCtxGetCacheConfig, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaDeviceGetCacheConfig((enum cudaFuncCache *)config));
}

RD_HOOK CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    RD_CU_BEGIN(cuCtxSetSharedMemConfig, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

RD_HOOK CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    RD_CU_BEGIN(cuCtxGetSharedMemConfig, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaDeviceGetSharedMemConfig((enum cudaSharedMemConfig *)config));
}

RD_HOOK CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    RD_CU_BEGIN(cuCtxGetStreamPriorityRange, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaDeviceGetStreamPriorityRange(least, greatest));
}

RD_HOOK CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    RD_CU_BEGIN(cuCtxEnablePeerAccess, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(rd_sim_context_is(peer) ? cudaDeviceEnablePeerAccess(peer->device, flags)
                                     : cudaErrorDeviceUninitialized);
}

RD_HOOK CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    RD_CU_BEGIN(cuCtxDisablePeerAccess, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(rd_sim_context_is(peer) ? cudaDeviceDisablePeerAccess(peer->device)
                                     : cudaErrorDeviceUninitialized);
}

/* ---- primary contexts ---- */

RD_HOOK CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    RD_CU_BEGIN(cuDevicePrimaryCtxRetain, RD_CU_NEEDS_INIT);
    if (!context || !is_device(device))
        RD_CU_END(context ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE);
    *context = rd_sim_context_primary(device);
    (*context)->n_retained++;
    RD_CU_END(CUDA_SUCCESS);
}

/* What the last release frees, the runtime may have made: its end tells of it. */
RD_HOOK CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    RD_CU_BEGIN(cuDevicePrimaryCtxRelease, RD_CU_NEEDS_INIT);
    if (!is_device(device))
        RD_CU_END(CUDA_ERROR_INVALID_DEVICE);
    if (rd_sim_context_primary(device)->n_retained == 0)
        RD_CU_END(CUDA_ERROR_INVALID_CONTEXT);
    rd_sim_context_primary(device)->n_retained--;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    RD_CU_BEGIN(cuDevicePrimaryCtxReset, RD_CU_NEEDS_INIT);
    RD_CU_DO(is_device(device) ? cudaDeviceReset() : cudaErrorInvalidDevice);
}

RD_HOOK CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
    RD_CU_BEGIN(cuDevicePrimaryCtxSetFlags, RD_CU_NEEDS_INIT);
    if (!is_device(device))
        RD_CU_END(CUDA_ERROR_INVALID_DEVICE);
    rd_sim_context_primary(device)->flags = flags;
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    RD_CU_BEGIN(cuDevicePrimaryCtxGetState, RD_CU_NEEDS_INIT);
    if (!is_device(device))
        RD_CU_END(CUDA_ERROR_INVALID_DEVICE);
    if (flags)
        *flags = rd_sim_context_primary(device)->flags;
    if (active)
        *active = rd_sim_context_primary(device)->n_retained > 0 || rd_sim_runtime_is_used();
    RD_CU_END(CUDA_SUCCESS);
}
