// SPDX-License-Identifier: MIT
/* The host's words of CUDA for the prover, as far as programs of one device use them. */
#ifndef RD_PROVE_HOST_H
#define RD_PROVE_HOST_H

/* Of a text that names nothing of std: the special functions alone, with what they need, are three fifths of all that is read. What
 * <math.h> has outside of std is the same without them. */
#if defined RD_PROVE_NO_STD && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <math.h>

enum cudaError_t {
    cudaSuccess,
    cudaErrorInvalidValue,
    cudaErrorMemoryAllocation,
    cudaErrorUnknown
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
typedef struct rd_prove_stream *cudaStream_t;
typedef struct rd_prove_event *cudaEvent_t;

/* A launch k<<<grid, block>>>(x) is read as (rd_prove_launch(grid, block), k(x)). */
void rd_prove_launch(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = 0);

/* Annotations: of laws with an array, and of conditions; and a number that may be any. */
int rd_prove_law(int site, ...);
template <class RD_V, class... RD_N>
auto rd_prove_law(int site, RD_V &vector, RD_N... names) -> decltype(vector.data(), 0);
int rd_prove_condition(int site, ...);
int rd_prove_any();

template <class RD_T> cudaError_t cudaMalloc(RD_T **p, size_t size_bytes);
template <class RD_T>
cudaError_t cudaMallocManaged(RD_T **p, size_t size_bytes, unsigned flags = 1);
template <class RD_T> cudaError_t cudaMallocHost(RD_T **p, size_t size_bytes);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size_bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size_bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = 0);
cudaError_t cudaMemset(void *p, int value, size_t size_bytes);
cudaError_t cudaMemsetAsync(void *p, int value, size_t size_bytes, cudaStream_t stream = 0);
template <class RD_T>
cudaError_t cudaMemcpyToSymbol(const RD_T &symbol, const void *from, size_t size_bytes,
                               size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class RD_T>
cudaError_t cudaMemcpyFromSymbol(void *to, const RD_T &symbol, size_t size_bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventDestroy(cudaEvent_t event);

#define RD_PROVE_LEAST(type)                                                                       \
    type min(type x, type y);                                                                      \
    type max(type x, type y);
RD_PROVE_LEAST(int)
RD_PROVE_LEAST(unsigned)
RD_PROVE_LEAST(long)
RD_PROVE_LEAST(unsigned long)
RD_PROVE_LEAST(long long)
RD_PROVE_LEAST(unsigned long long)
RD_PROVE_LEAST(float)
RD_PROVE_LEAST(double)

#define RD_PROVE_VECTORS(type, name)                                                               \
    struct name##2                                                                                 \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct name##4                                                                                 \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };
RD_PROVE_VECTORS(int, int)
RD_PROVE_VECTORS(float, float)
RD_PROVE_VECTORS(double, double)
struct uint2 {
    unsigned x, y;
};
struct uint4 {
    unsigned x, y, z, w;
};
float2 make_float2(float x, float y);
float4 make_float4(float x, float y, float z, float w);
int2 make_int2(int x, int y);
int4 make_int4(int x, int y, int z, int w);

#endif
