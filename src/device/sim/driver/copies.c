// SPDX-License-Identifier: MIT
/* CUDA Driver API, "Memory Management": copies and fills. */
#include "device/sim/driver/driver.h"
#include "device/sim/runtime/graphs.h"

static void *memory(CUdeviceptr pointer)
{
    return (void *)(uintptr_t)pointer;
}

RD_HOOK CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size_bytes)
{
    RD_CU_BEGIN(cuMemcpy, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemcpy(memory(to), memory(from), size_bytes, cudaMemcpyDefault));
}

RD_HOOK CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size_bytes)
{
    RD_CU_BEGIN(cuMemcpyHtoD, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemcpy(memory(to), from, size_bytes, cudaMemcpyHostToDevice));
}

RD_HOOK CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size_bytes)
{
    RD_CU_BEGIN(cuMemcpyDtoH, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemcpy(to, memory(from), size_bytes, cudaMemcpyDeviceToHost));
}

RD_HOOK CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size_bytes)
{
    RD_CU_BEGIN(cuMemcpyDtoD, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemcpy(memory(to), memory(from), size_bytes, cudaMemcpyDeviceToDevice));
}

RD_HOOK CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    RD_CU_BEGIN(cuMemcpyAsync, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemcpyAsync(memory(to), memory(from), size_bytes, cudaMemcpyDefault, stream));
}

RD_HOOK CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size_bytes,
                                   CUstream stream)
{
    RD_CU_BEGIN(cuMemcpyHtoDAsync, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemcpyAsync(memory(to), from, size_bytes, cudaMemcpyHostToDevice, stream));
}

RD_HOOK CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    RD_CU_BEGIN(cuMemcpyDtoHAsync, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(cudaMemcpyAsync(to, memory(from), size_bytes, cudaMemcpyDeviceToHost, stream));
}

RD_HOOK CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size_bytes,
                                   CUstream stream)
{
    RD_CU_BEGIN(cuMemcpyDtoDAsync, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(
        cudaMemcpyAsync(memory(to), memory(from), size_bytes, cudaMemcpyDeviceToDevice, stream));
}

/* Contexts that copy between each other, as far as they are there. */
static cudaError_t check_peers(const struct CUctx_st *to, const struct CUctx_st *from)
{
    return rd_sim_context_is(to) && rd_sim_context_is(from) ? cudaSuccess
                                                            : cudaErrorDeviceUninitialized;
}

RD_HOOK CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                              CUcontext from_context, size_t size_bytes)
{
    RD_CU_BEGIN(cuMemcpyPeer, RD_CU_NEEDS_CONTEXT);
    const cudaError_t error = check_peers(to_context, from_context);
    RD_CU_DO(error != cudaSuccess ? error
                                  : cudaMemcpyPeer(memory(to), to_context->device, memory(from),
                                                   from_context->device, size_bytes));
}

RD_HOOK CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                   CUcontext from_context, size_t size_bytes, CUstream stream)
{
    RD_CU_BEGIN(cuMemcpyPeerAsync, RD_CU_NEEDS_CONTEXT);
    const cudaError_t error = check_peers(to_context, from_context);
    RD_CU_DO(error != cudaSuccess
                 ? error
                 : cudaMemcpyPeerAsync(memory(to), to_context->device, memory(from),
                                       from_context->device, size_bytes, stream));
}

RD_HOOK CUresult rd_cu_rows(const char *name, void *to, size_t to_pitch, const void *from,
                            size_t from_pitch, size_t width, size_t height, CUstream stream,
                            int waits)
{
    RD_CU_BEGIN_NAMED(name, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(waits ? cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, cudaMemcpyDefault)
                   : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height,
                                       cudaMemcpyDefault, stream));
}

RD_HOOK CUresult rd_cu_box(const char *name, const struct cudaMemcpy3DParms *copy, CUstream stream,
                           int waits)
{
    RD_CU_BEGIN_NAMED(name, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(waits ? cudaMemcpy3D(copy) : cudaMemcpy3DAsync(copy, stream));
}

/* ---- fills ---- */

/* Fills rows of `width` elements, each of so many bytes. */
static cudaError_t fill(const struct rd_sim_driver_call *cu, CUdeviceptr to, size_t pitch,
                        unsigned value, unsigned value_bytes, size_t width, size_t height,
                        CUstream handle)
{
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    const struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeMemset,
        .call = cu->call,
        .box = {.to = memory(to),
                .to_pitch = height > 1 ? pitch : width * value_bytes,
                .width = width * value_bytes,
                .height = height,
                .depth = 1,
                .value = value,
                .value_bytes = value_bytes},
    };
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (to % value_bytes != 0 || (height > 1 && pitch % value_bytes != 0))
        return cudaErrorInvalidValue;
    return width == 0 || height == 0 ? cudaSuccess : rd_sim_submit(stream, &operation);
}

RD_HOOK CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t n)
{
    RD_CU_BEGIN(cuMemsetD8, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, 0, value, 1, n, 1, NULL));
}

RD_HOOK CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t n)
{
    RD_CU_BEGIN(cuMemsetD16, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, 0, value, 2, n, 1, NULL));
}

RD_HOOK CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t n)
{
    RD_CU_BEGIN(cuMemsetD32, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, 0, value, 4, n, 1, NULL));
}

RD_HOOK CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream stream)
{
    RD_CU_BEGIN(cuMemsetD8Async, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, 0, value, 1, n, 1, stream));
}

RD_HOOK CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t n, CUstream stream)
{
    RD_CU_BEGIN(cuMemsetD16Async, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, 0, value, 2, n, 1, stream));
}

RD_HOOK CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t n, CUstream stream)
{
    RD_CU_BEGIN(cuMemsetD32Async, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, 0, value, 4, n, 1, stream));
}

RD_HOOK CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                              size_t height)
{
    RD_CU_BEGIN(cuMemsetD2D8, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, pitch, value, 1, width, height, NULL));
}

RD_HOOK CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                               size_t height)
{
    RD_CU_BEGIN(cuMemsetD2D16, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, pitch, value, 2, width, height, NULL));
}

RD_HOOK CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                               size_t height)
{
    RD_CU_BEGIN(cuMemsetD2D32, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, pitch, value, 4, width, height, NULL));
}

RD_HOOK CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                                   size_t height, CUstream stream)
{
    RD_CU_BEGIN(cuMemsetD2D8Async, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, pitch, value, 1, width, height, stream));
}

RD_HOOK CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value,
                                    size_t width, size_t height, CUstream stream)
{
    RD_CU_BEGIN(cuMemsetD2D16Async, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, pitch, value, 2, width, height, stream));
}

RD_HOOK CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                                    size_t height, CUstream stream)
{
    RD_CU_BEGIN(cuMemsetD2D32Async, RD_CU_NEEDS_CONTEXT);
    RD_CU_DO(fill(&cu, to, pitch, value, 4, width, height, stream));
}
