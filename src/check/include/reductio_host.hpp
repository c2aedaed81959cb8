// SPDX-License-Identifier: MIT
// The host's side of CUDA, for C++.
#ifndef RD_HOST_HPP
#define RD_HOST_HPP

#include "reductio_launch.h"
#include "reductio_runtime.h"

// ---- memory: pointers to pointers of any type ----

#define RD_HOST static inline __attribute__((always_inline, no_sanitize("thread")))
template <class T> RD_HOST cudaError_t cudaMalloc(T **pointer, size_t size_bytes)
{
    return cudaMalloc((void **)pointer, size_bytes);
}
template <class T>
RD_HOST cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T>
RD_HOST cudaError_t cudaMallocManaged(T **pointer, size_t size_bytes,
                                      unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)pointer, size_bytes, flags);
}
template <class T>
RD_HOST cudaError_t cudaMallocHost(T **pointer, size_t size_bytes,
                                   unsigned flags = cudaHostAllocDefault)
{
    return flags == cudaHostAllocDefault ? cudaMallocHost((void **)pointer, size_bytes)
                                         : cudaHostAlloc((void **)pointer, size_bytes, flags);
}
template <class T> RD_HOST cudaError_t cudaHostAlloc(T **pointer, size_t size_bytes, unsigned flags)
{
    return cudaHostAlloc((void **)pointer, size_bytes, flags);
}
template <class T>
RD_HOST cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T>
RD_HOST cudaError_t cudaMallocAsync(T **pointer, size_t size_bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)pointer, size_bytes, stream);
}
template <class T>
RD_HOST cudaError_t cudaMallocAsync(T **pointer, size_t size_bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, size_bytes, pool, stream);
}
template <class T>
RD_HOST cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size_bytes, cudaMemPool_t pool,
                                            cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, size_bytes, pool, stream);
}

// ---- variables of the device, by name ----

template <class T>
RD_HOST cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size_bytes,
                                       size_t offset = 0,
                                       cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, size_bytes, offset, kind);
}
template <class T>
RD_HOST cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size_bytes,
                                         size_t offset = 0,
                                         cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, size_bytes, offset, kind);
}
template <class T>
RD_HOST cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size_bytes,
                                            size_t offset, cudaMemcpyKind kind,
                                            cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, size_bytes, offset, kind, stream);
}
template <class T>
RD_HOST cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size_bytes,
                                              size_t offset, cudaMemcpyKind kind,
                                              cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size_bytes, offset, kind, stream);
}
template <class T, class U> RD_HOST cudaError_t cudaGetSymbolAddress(T **pointer, const U &symbol)
{
    return cudaGetSymbolAddress((void **)pointer, (const void *)&symbol);
}
template <class T> RD_HOST cudaError_t cudaGetSymbolSize(size_t *size_bytes, const T &symbol)
{
    return cudaGetSymbolSize(size_bytes, (const void *)&symbol);
}

// ---- kernels, by their addresses: what is to be known of them to launch them so ----

template <class... P> struct rd_packed {
    static constexpr unsigned n = sizeof...(P);
    // Where each argument lies, behind the kernel's address; and where all of them end.
    struct layout {
        unsigned offsets[sizeof...(P) + 1];
        constexpr layout() : offsets{}
        {
            constexpr unsigned sizes[] = {(unsigned)sizeof(P)..., 0},
                               alignments[] = {(unsigned)alignof(P)..., 1};
            unsigned at = 16; // the address, and room for the alignment of all types
            for (unsigned k = 0; k < n; k++) {
                at = (at + alignments[k] - 1) / alignments[k] * alignments[k];
                offsets[k] = at;
                at += sizes[k];
            }
            offsets[n] = at;
        }
    };
    static constexpr layout places = layout();

    template <size_t... I>
    RD_UNSEEN static void call(void (*kernel)(P...), const char *closure, std::index_sequence<I...>)
    {
        kernel(
            rd_untold<typename std::remove_const<P>::type>(closure + places.offsets[I]).value...);
    }
    RD_BARE static void thread(void *const *closure)
    {
        call(*(void (*const *)(P...))closure, (const char *)closure,
             std::make_index_sequence<sizeof...(P)>());
    }
};
template <class... P> constexpr typename rd_packed<P...>::layout rd_packed<P...>::places;
template <class... P>
RD_HOST const rd_sim_kernel *rd_kernel_of(void (*kernel)(P...), const char *name)
{
    static const rd_check_parameter parameters[] = {rd_parameter_of<P>::value...,
                                                    {0, 0, 0, 0, nullptr}};
    return new rd_sim_kernel{
        (const void *)kernel,
        name,
        rd_packed<P...>::thread,
        sizeof...(P),
        (const struct rd_file_parameter *)parameters,
        rd_packed<P...>::places.offsets,
        rd_packed<P...>::places.offsets[sizeof...(P)],
    };
}
// A variable, as a name expression of NVRTC's may name one: it has no threads.
template <class T> RD_HOST const rd_sim_kernel *rd_kernel_of(T *variable, const char *name)
{
    return new rd_sim_kernel{(const void *)variable, name, nullptr, 0, nullptr, nullptr, 0};
}
// What a module has: the loader finds the functions that tell of it in a section.
#define RD_MODULE_KERNEL(number, name, ...)                                                        \
    RD_UNSEEN static const struct rd_sim_kernel *rd_module_kernel_##number()                       \
    {                                                                                              \
        return ::rd_kernel_of(__VA_ARGS__, name);                                                  \
    }                                                                                              \
    __attribute__((used, section("rd_check_modules"))) static const struct rd_sim_kernel           \
        *(*const rd_module_entry_##number)() = rd_module_kernel_##number;

// Gives what it is given, and has it known where that is a kernel, or may be.
template <class... P>
RD_HOST auto rd_known(void (*kernel)(P...), const char *name = "a kernel") -> void (*)(P...)
{
    rd_sim_kernel_register(rd_kernel_of(kernel, name));
    return kernel;
}
template <class T> RD_HOST T rd_known(T other, const char * = "")
{
    return other;
}
template <class... P>
RD_HOST cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                                     size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)rd_known(kernel), grid, block, arguments, shared_bytes,
                            stream);
}
template <class... P>
RD_HOST cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                                void **arguments, size_t shared_bytes = 0,
                                                cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)rd_known(kernel), grid, block, arguments,
                                       shared_bytes, stream);
}
template <class... P, class... A>
RD_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                       A &&...arguments)
{
    return [&](P... values) {
        void *pointers[] = {(void *)&values..., nullptr};
        return cudaLaunchKernelExC(config, (const void *)rd_known(kernel), pointers);
    }(std::forward<A>(arguments)...);
}

// A function that is there only where it is called: by a file whose launches may have more shared
// memory than usual.
extern "C" inline void rd_asks_for_shared() __asm__("rd_check_asks_for_shared");
extern "C" __attribute__((visibility("default"), noinline)) inline void rd_asks_for_shared()
{
    __asm__ volatile("");
}
template <class F>
RD_HOST cudaError_t cudaFuncSetAttribute(F *kernel, cudaFuncAttribute attribute, int value)
{
    rd_asks_for_shared();
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class F>
RD_HOST cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class F> RD_HOST cudaError_t cudaFuncSetCacheConfig(F *kernel, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class F>
RD_HOST cudaError_t cudaFuncSetSharedMemConfig(F *kernel, cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

// ---- occupancy ----

template <class F>
RD_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *kernel,
                                                                  int threads, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         shared_bytes);
}
template <class F>
RD_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F *kernel,
                                                                           int threads,
                                                                           size_t shared_bytes,
                                                                           unsigned flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel,
                                                                  threads, shared_bytes, flags);
}
// The size of a block with which most threads are on a multiprocessor, the largest of these.
template <class F, class S>
RD_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F *kernel,
                                                                   S shared_bytes, int limit = 0)
{
    int best = 0, threads = 0, processors = 0, device = 0, most = 1024;
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess)
        most = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < most)
        most = limit;
    for (int size = most; size > 0 && error == cudaSuccess; size = (size - 1) / 32 * 32) {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size,
                                                              (size_t)shared_bytes(size));
        if (blocks * size > threads) {
            threads = blocks * size;
            best = size;
        }
    }
    if (error == cudaSuccess)
        error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess) {
        *block = best;
        *grid = best > 0 ? processors * (threads / best) : 0;
    }
    return error;
}
template <class F>
RD_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *kernel,
                                                       size_t shared_bytes = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [=](int) { return shared_bytes; }, limit);
}
template <class F>
RD_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, F *kernel,
                                                                size_t shared_bytes, int limit,
                                                                unsigned)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_bytes, limit);
}
template <class F>
RD_HOST cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, F *kernel,
                                                              int blocks, int threads)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, (const void *)kernel, blocks,
                                                     threads);
}

// ---- what has changed its form from one release to the next ----

RD_HOST cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
RD_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                         cudaGraphNode_t *, char *, size_t)
{
    return cudaGraphInstantiateWithFlags(exec, graph, 0);
}
RD_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                         unsigned long long flags = 0)
{
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

#endif
