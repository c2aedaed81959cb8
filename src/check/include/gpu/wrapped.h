// SPDX-License-Identifier: MIT
/* The functions of CUDA's runtime that the recorder stands in front of. */
#ifndef RD_GPU_WRAPPED_H
#define RD_GPU_WRAPPED_H

#include <cuda_runtime_api.h>
#include <stddef.h>

/* Kernels by function or handle: X(name, type of that). */
#define RD_GPU_LAUNCHES(X)                                                                         \
    X(cudaLaunchKernel, const void *)                                                              \
    X(cudaLaunchKernel_ptsz, const void *)                                                         \
    X(cudaLaunchCooperativeKernel, const void *)                                                   \
    X(cudaLaunchCooperativeKernel_ptsz, const void *)                                              \
    X(__cudaLaunchKernel, cudaKernel_t)                                                            \
    X(__cudaLaunchKernel_ptsz, cudaKernel_t)
#define RD_GPU_LAUNCHES_EXTENDED(X) X(cudaLaunchKernelExC) X(cudaLaunchKernelExC_ptsz)
#define RD_GPU_GRAPH_LAUNCHES(X)    X(cudaGraphLaunch) X(cudaGraphLaunch_ptsz)
#define RD_GPU_CAPTURES(X)          X(cudaStreamBeginCapture) X(cudaStreamBeginCapture_ptsz)
#define RD_GPU_CAPTURE_ENDS(X)      X(cudaStreamEndCapture) X(cudaStreamEndCapture_ptsz)

/* Memory: X(name, (parameters), (arguments)). */
#define RD_GPU_MAKERS(X)                                                                           \
    X(cudaMalloc, (void **memory, size_t size_bytes), (memory, size_bytes))                        \
    X(cudaMallocHost, (void **memory, size_t size_bytes), (memory, size_bytes))                    \
    X(cudaMallocManaged, (void **memory, size_t size_bytes, unsigned flags),                       \
      (memory, size_bytes, flags))                                                                 \
    X(cudaHostAlloc, (void **memory, size_t size_bytes, unsigned flags),                           \
      (memory, size_bytes, flags))                                                                 \
    X(cudaMallocAsync, (void **memory, size_t size_bytes, cudaStream_t stream),                    \
      (memory, size_bytes, stream))                                                                \
    X(cudaMallocAsync_ptsz, (void **memory, size_t size_bytes, cudaStream_t stream),               \
      (memory, size_bytes, stream))                                                                \
    X(cudaMallocFromPoolAsync,                                                                     \
      (void **memory, size_t size_bytes, cudaMemPool_t pool, cudaStream_t stream),                 \
      (memory, size_bytes, pool, stream))
#define RD_GPU_FREERS(X)                                                                           \
    X(cudaFree, (void *memory), (memory))                                                          \
    X(cudaFreeHost, (void *memory), (memory))                                                      \
    X(cudaHostUnregister, (void *memory), (memory))                                                \
    X(cudaFreeAsync, (void *memory, cudaStream_t stream), (memory, stream))                        \
    X(cudaFreeAsync_ptsz, (void *memory, cudaStream_t stream), (memory, stream))

#define RD_GPU_BOTH(type, name, parameters)                                                        \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;

#define RD_GPU_LAUNCH(name, function)                                                              \
    RD_GPU_BOTH(cudaError_t, name, (function, dim3, dim3, void **, size_t, cudaStream_t))
#define RD_GPU_LAUNCH_EXTENDED(name)                                                               \
    RD_GPU_BOTH(cudaError_t, name, (const cudaLaunchConfig_t *, const void *, void **))
#define RD_GPU_GRAPH_LAUNCH(name) RD_GPU_BOTH(cudaError_t, name, (cudaGraphExec_t, cudaStream_t))
#define RD_GPU_CAPTURE(name)                                                                       \
    RD_GPU_BOTH(cudaError_t, name, (cudaStream_t, enum cudaStreamCaptureMode))
#define RD_GPU_CAPTURE_END(name)                   RD_GPU_BOTH(cudaError_t, name, (cudaStream_t, cudaGraph_t *))
#define RD_GPU_MEMORY(name, parameters, arguments) RD_GPU_BOTH(cudaError_t, name, parameters)
RD_GPU_LAUNCHES(RD_GPU_LAUNCH)
RD_GPU_LAUNCHES_EXTENDED(RD_GPU_LAUNCH_EXTENDED)
RD_GPU_GRAPH_LAUNCHES(RD_GPU_GRAPH_LAUNCH)
RD_GPU_CAPTURES(RD_GPU_CAPTURE)
RD_GPU_CAPTURE_ENDS(RD_GPU_CAPTURE_END)
RD_GPU_MAKERS(RD_GPU_MEMORY)
RD_GPU_FREERS(RD_GPU_MEMORY)
RD_GPU_BOTH(cudaError_t, __cudaGetKernel, (cudaKernel_t *, const void *))
RD_GPU_BOTH(cudaError_t, cudaStreamCreate, (cudaStream_t *))
RD_GPU_BOTH(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t *, unsigned))
RD_GPU_BOTH(cudaError_t, cudaStreamCreateWithPriority, (cudaStream_t *, unsigned, int))
RD_GPU_BOTH(cudaError_t, cudaStreamDestroy, (cudaStream_t))
RD_GPU_BOTH(cudaError_t, cudaMallocPitch, (void **, size_t *, size_t, size_t))
RD_GPU_BOTH(cudaError_t, cudaHostRegister, (void *, size_t, unsigned))
RD_GPU_BOTH(cudaError_t, cudaGetSymbolAddress, (void **, const void *))
RD_GPU_BOTH(cudaError_t, cudaDeviceReset, (void))
RD_GPU_BOTH(void, __cudaRegisterFunction,
            (void **, const char *, char *, const char *, int, void *, void *, void *, void *,
             int *))
RD_GPU_BOTH(void, __cudaRegisterVar, (void **, char *, char *, const char *, int, size_t, int, int))

void rd_gpu_launch_at(const char *kernel, const char *file, unsigned line);

#endif
