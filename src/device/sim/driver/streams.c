// SPDX-License-Identifier: MIT
/* CUDA Driver API, "Stream Management" and "Event Management": streams and events are those of the runtime. */
#include "device/sim/driver/driver.h"

RD_HOOK CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    RD_CU_BEGIN(cuStreamCreate, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamCreateWithFlags(stream, flags));
}

RD_HOOK CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    RD_CU_BEGIN(cuStreamCreateWithPriority, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamCreateWithPriority(stream, flags, priority));
}

RD_HOOK CUresult cuStreamDestroy(CUstream stream)
{
    RD_CU_BEGIN(cuStreamDestroy, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamDestroy(stream));
}

RD_HOOK CUresult cuStreamQuery(CUstream stream)
{
    RD_CU_BEGIN(cuStreamQuery, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamQuery(stream));
}

RD_HOOK CUresult cuStreamSynchronize(CUstream stream)
{
    RD_CU_BEGIN(cuStreamSynchronize, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamSynchronize(stream));
}

RD_HOOK CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    RD_CU_BEGIN(cuStreamWaitEvent, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamWaitEvent(stream, event, flags));
}

RD_HOOK CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    RD_CU_BEGIN(cuStreamGetPriority, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamGetPriority(stream, priority));
}

RD_HOOK CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    RD_CU_BEGIN(cuStreamGetFlags, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamGetFlags(stream, flags));
}

RD_HOOK CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                                     unsigned flags)
{
    RD_CU_BEGIN(cuStreamAddCallback, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamAddCallback(stream, (cudaStreamCallback_t)(void *)callback, data, flags));
}

RD_HOOK CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    RD_CU_BEGIN(cuLaunchHostFunc, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaLaunchHostFunc(stream, function, data));
}

RD_HOOK CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t size_bytes,
                                        unsigned flags)
{
    RD_CU_BEGIN(cuStreamAttachMemAsync, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaStreamAttachMemAsync(stream, (void *)(uintptr_t)pointer, size_bytes, flags));
}

RD_HOOK CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    RD_CU_BEGIN(cuEventCreate, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaEventCreateWithFlags(event, flags));
}

RD_HOOK CUresult cuEventDestroy(CUevent event)
{
    RD_CU_BEGIN(cuEventDestroy, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaEventDestroy(event));
}

RD_HOOK CUresult cuEventRecord(CUevent event, CUstream stream)
{
    RD_CU_BEGIN(cuEventRecord, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaEventRecord(event, stream));
}

RD_HOOK CUresult cuEventQuery(CUevent event)
{
    RD_CU_BEGIN(cuEventQuery, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaEventQuery(event));
}

RD_HOOK CUresult cuEventSynchronize(CUevent event)
{
    RD_CU_BEGIN(cuEventSynchronize, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaEventSynchronize(event));
}

RD_HOOK CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    RD_CU_BEGIN(cuEventElapsedTime, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaEventElapsedTime(milliseconds, start, end));
}
