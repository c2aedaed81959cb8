// SPDX-License-Identifier: MIT
/* CUDA Runtime API, "Stream Management": its functions. */
#include "device/sim/api/hooks.h"
#include "device/sim/runtime/graphs.h"

RD_HOOK cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    RD_BEGIN(cudaStreamCreate);
    RD_END(rd_sim_stream_create(stream, 0, 0));
}

RD_HOOK cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    if (rd_sim_is_running()) /* of a kernel's launches, whose order is that of one stream */
        return cudaSuccess;
    RD_BEGIN(cudaStreamCreateWithFlags);
    RD_END(rd_sim_stream_create(stream, flags, 0));
}

RD_HOOK cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    RD_BEGIN(cudaStreamCreateWithPriority);
    RD_END(rd_sim_stream_create(stream, flags, priority));
}

/* Keeps the order of a destroyed stream, whose operations go on. */
RD_HOOK cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    if (rd_sim_is_running())
        return cudaSuccess;
    RD_BEGIN(cudaStreamDestroy);
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || stream->number == 0 || handle == cudaStreamPerThread)
        RD_END(cudaErrorInvalidResourceHandle);
    stream->destroyed = true;
    RD_END(cudaSuccess);
}

static cudaError_t await(cudaStream_t handle)
{
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture)
        return rd_sim_capture_fails(stream);
    rd_sim_stream_await(stream);
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    RD_BEGIN(cudaStreamSynchronize);
    RD_END(await(stream));
}

RD_HOOK cudaError_t cudaStreamQuery(cudaStream_t handle)
{
    RD_BEGIN(cudaStreamQuery);
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (stream && !stream->capture && !rd_sim_stream_is_done(stream))
        RD_END(cudaErrorNotReady);
    RD_END(await(handle));
}

RD_HOOK cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority)
{
    RD_BEGIN(cudaStreamGetPriority);
    const struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !priority)
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *priority = stream->priority;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags)
{
    RD_BEGIN(cudaStreamGetFlags);
    const struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !flags)
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *flags = stream->flags;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    RD_BEGIN(cudaDeviceGetStreamPriorityRange);
    if (least)
        *least = RD_SIM_PRIORITY_LEAST;
    if (greatest)
        *greatest = RD_SIM_PRIORITY_GREATEST;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t size_bytes,
                                             unsigned flags)
{
    (void)pointer, (void)size_bytes, (void)flags;
    RD_BEGIN(cudaStreamAttachMemAsync);
    RD_END(rd_sim_stream_of(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

RD_HOOK cudaError_t cudaDeviceSynchronize(void)
{
    RD_BEGIN(cudaDeviceSynchronize);
    rd_sim_stream_await(NULL);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaThreadSynchronize(void)
{
    RD_BEGIN(cudaThreadSynchronize);
    rd_sim_stream_await(NULL);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id)
{
    RD_BEGIN(cudaStreamGetId);
    const struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !id)
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *id = stream->number;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device)
{
    RD_BEGIN(cudaStreamGetDevice);
    const struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !device)
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *device = stream->device;
    RD_END(cudaSuccess);
}
