// SPDX-License-Identifier: MIT
/* The program's calls of CUDA's runtime: launches, streams, and what allocates or frees. The linker binds them here (--wrap). */
#include "recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "wrapped.h"

enum { ALL_MAX = 4096 };

/* Kernels, as the program's own start tells them. */
struct kernel {
    const void *function;
    const char *symbol;
};

static struct {
    struct kernel kernels[ALL_MAX];
    struct {
        const void *handle, *function;
    } handles[ALL_MAX];
    cudaStream_t streams[ALL_MAX]; /* the number of each is its place, from 1; NULL: destroyed */
    unsigned n_kernels, n_handles, n_streams;
    unsigned long long n_launches;
    int n_captures;
    bool skips_graphs; /* and has said so */
    struct rd_gpu_launch last;
} own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct rd_gpu_launch at; /* of the launch that comes next; kernel NULL: not known */

extern char *__cxa_demangle(const char *symbol, char *text, size_t *size, int *status);

/* ---- what others ask ---- */

unsigned long long rd_gpu_launches(void)
{
    return __atomic_load_n(&own.n_launches, __ATOMIC_RELAXED);
}

const struct rd_gpu_launch *rd_gpu_last_launch(void)
{
    return own.last.kernel ? &own.last : NULL;
}

bool rd_gpu_is_capturing(void)
{
    return __atomic_load_n(&own.n_captures, __ATOMIC_RELAXED) > 0;
}

cudaError_t rd_gpu_settle(const char *call)
{
    if (rd_gpu_launches() == 0 || rd_gpu_is_capturing())
        return cudaSuccess;
    const cudaError_t error = cudaDeviceSynchronize();
    rd_gpu_fault(error, call, rd_gpu_last_launch());
    return error;
}

bool rd_gpu_is_busy(void)
{
    bool is_busy = rd_gpu_launches() > 0 && cudaStreamQuery(NULL) == cudaErrorNotReady;
    for (unsigned k = 0; k < own.n_streams && !is_busy; k++)
        is_busy = own.streams[k] && cudaStreamQuery(own.streams[k]) == cudaErrorNotReady;
    return is_busy;
}

/* ---- the program's start ---- */

void __wrap___cudaRegisterFunction(void **fatbin, const char *function, char *device,
                                   const char *symbol, int threads, void *tid, void *bid,
                                   void *block, void *grid, int *warp)
{
    if (own.n_kernels < ALL_MAX)
        own.kernels[own.n_kernels++] = (struct kernel){function, symbol};
    __real___cudaRegisterFunction(fatbin, function, device, symbol, threads, tid, bid, block, grid,
                                  warp);
}

void __wrap___cudaRegisterVar(void **fatbin, char *host, char *device, const char *symbol,
                              int is_extern, size_t size_bytes, int is_constant, int is_global)
{
    rd_gpu_memory_add(host, size_bytes, true);
    __real___cudaRegisterVar(fatbin, host, device, symbol, is_extern, size_bytes, is_constant,
                             is_global);
}

cudaError_t __wrap___cudaGetKernel(cudaKernel_t *handle, const void *function)
{
    const cudaError_t error = __real___cudaGetKernel(handle, function);
    pthread_mutex_lock(&lock);
    if (error == cudaSuccess && own.n_handles < ALL_MAX) {
        own.handles[own.n_handles].handle = *handle;
        own.handles[own.n_handles++].function = function;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

/* ---- launches ---- */

void rd_gpu_launch_at(const char *kernel, const char *file, unsigned line)
{
    at = (struct rd_gpu_launch){.kernel = kernel, .file = file, .line = line};
}

/* The name of a function, or of its handle, that no rewritten launch has told; for the life of the process. */
static const char *name_of(const void *function)
{
    int status;
    for (unsigned k = 0; k < own.n_handles; k++)
        if (own.handles[k].handle == function)
            function = own.handles[k].function;
    for (unsigned k = 0; k < own.n_kernels; k++) {
        if (own.kernels[k].function != function)
            continue;
        char *name = __cxa_demangle(own.kernels[k].symbol, NULL, NULL, &status);
        return name ? name : own.kernels[k].symbol;
    }
    return "a kernel";
}

static unsigned number_of(cudaStream_t stream)
{
    for (unsigned k = own.n_streams; k-- > 0;)
        if (stream && own.streams[k] == stream)
            return k + 1;
    return 0;
}

static void put_dim(struct rd_gpu_text *text, const char *key, dim3 dim)
{
    fprintf(text->file, ",\"%s\":[%u,%u,%u]", key, dim.x, dim.y, dim.z);
}

static cudaError_t launched(const void *function, dim3 grid, dim3 block, size_t shared_bytes,
                            cudaStream_t stream, cudaError_t error)
{
    struct rd_gpu_text text;
    struct rd_gpu_launch it = at;
    at.kernel = NULL;
    if (!it.kernel)
        it = (struct rd_gpu_launch){.kernel = name_of(function), .file = ""};
    if (error != cudaSuccess) {
        rd_gpu_fault(error, "a launch", rd_gpu_last_launch());
        if (error == cudaErrorInvalidConfiguration || error == cudaErrorLaunchOutOfResources ||
            error == cudaErrorInvalidValue || error == cudaErrorCooperativeLaunchTooLarge ||
            error == cudaErrorNoKernelImageForDevice)
            rd_gpu_refused(error, &it);
        return error;
    }
    if (rd_gpu_is_capturing())
        return error;
    pthread_mutex_lock(&lock);
    it.number = ++own.n_launches;
    own.last = it;
    if (rd_gpu_begin(&text, "launch")) {
        rd_gpu_put_number(&text, "number", (long long)it.number);
        rd_gpu_put_text(&text, "kernel", it.kernel);
        rd_gpu_put_text(&text, "file", it.file);
        rd_gpu_put_number(&text, "line", it.line);
        put_dim(&text, "grid", grid);
        put_dim(&text, "block", block);
        rd_gpu_put_number(&text, "shared_bytes", (long long)shared_bytes);
        rd_gpu_put_number(&text, "stream", number_of(stream));
        rd_gpu_put_number(&text, "threads",
                          (long long)grid.x * grid.y * grid.z * block.x * block.y * block.z);
        rd_gpu_write(&text, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

#define LAUNCH(name, type)                                                                         \
    cudaError_t __wrap_##name(type function, dim3 grid, dim3 block, void **arguments,              \
                              size_t shared_bytes, cudaStream_t stream)                            \
    {                                                                                              \
        return launched((const void *)function, grid, block, shared_bytes, stream,                 \
                        __real_##name(function, grid, block, arguments, shared_bytes, stream));    \
    }
RD_GPU_LAUNCHES(LAUNCH)

#define LAUNCH_EXTENDED(name)                                                                      \
    cudaError_t __wrap_##name(const cudaLaunchConfig_t *config, const void *function,              \
                              void **arguments)                                                    \
    {                                                                                              \
        return launched(function, config->gridDim, config->blockDim, config->dynamicSmemBytes,     \
                        config->stream, __real_##name(config, function, arguments));               \
    }
RD_GPU_LAUNCHES_EXTENDED(LAUNCH_EXTENDED)

/* ---- graphs ---- */

#define GRAPH_LAUNCH(name)                                                                         \
    cudaError_t __wrap_##name(cudaGraphExec_t graph, cudaStream_t stream)                          \
    {                                                                                              \
        if (!own.skips_graphs)                                                                     \
            rd_gpu_lack("kernels that a graph launches on the GPU are not in the recording");      \
        own.skips_graphs = true;                                                                   \
        return __real_##name(graph, stream);                                                       \
    }
RD_GPU_GRAPH_LAUNCHES(GRAPH_LAUNCH)

#define CAPTURE(name)                                                                              \
    cudaError_t __wrap_##name(cudaStream_t stream, enum cudaStreamCaptureMode mode)                \
    {                                                                                              \
        const cudaError_t error = __real_##name(stream, mode);                                     \
        __atomic_add_fetch(&own.n_captures, error == cudaSuccess, __ATOMIC_RELAXED);               \
        return error;                                                                              \
    }
RD_GPU_CAPTURES(CAPTURE)

#define CAPTURE_END(name)                                                                          \
    cudaError_t __wrap_##name(cudaStream_t stream, cudaGraph_t *graph)                             \
    {                                                                                              \
        __atomic_sub_fetch(&own.n_captures, rd_gpu_is_capturing(), __ATOMIC_RELAXED);              \
        return __real_##name(stream, graph);                                                       \
    }
RD_GPU_CAPTURE_ENDS(CAPTURE_END)

/* ---- streams ---- */

static cudaError_t made_stream(const cudaStream_t *stream, cudaError_t error)
{
    pthread_mutex_lock(&lock);
    if (error == cudaSuccess && own.n_streams < ALL_MAX)
        own.streams[own.n_streams++] = *stream;
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t __wrap_cudaStreamCreate(cudaStream_t *stream)
{
    return made_stream(stream, __real_cudaStreamCreate(stream));
}

cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return made_stream(stream, __real_cudaStreamCreateWithFlags(stream, flags));
}

cudaError_t __wrap_cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    return made_stream(stream, __real_cudaStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t __wrap_cudaStreamDestroy(cudaStream_t stream)
{
    const unsigned number = number_of(stream);
    if (number > 0)
        own.streams[number - 1] = NULL;
    return __real_cudaStreamDestroy(stream);
}

/* ---- memory ---- */

static cudaError_t made(void *const *memory, size_t size_bytes, cudaError_t error)
{
    if (error == cudaSuccess)
        rd_gpu_memory_add(*memory, size_bytes, false);
    return error;
}

#define MAKE(name, parameters, arguments)                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        return made(memory, size_bytes, __real_##name arguments);                                  \
    }
RD_GPU_MAKERS(MAKE)

#define FREE(name, parameters, arguments)                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        const cudaError_t error = __real_##name arguments;                                         \
        if (memory && error == cudaSuccess)                                                        \
            rd_gpu_memory_free(memory);                                                            \
        return error;                                                                              \
    }
RD_GPU_FREERS(FREE)

cudaError_t __wrap_cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height)
{
    const cudaError_t error = __real_cudaMallocPitch(memory, pitch, width, height);
    return error == cudaSuccess ? made(memory, *pitch * height, error) : error;
}

cudaError_t __wrap_cudaHostRegister(void *memory, size_t size_bytes, unsigned flags)
{
    return made(&memory, size_bytes, __real_cudaHostRegister(memory, size_bytes, flags));
}

cudaError_t __wrap_cudaGetSymbolAddress(void **memory, const void *symbol)
{
    size_t size_bytes = 0;
    const cudaError_t error = __real_cudaGetSymbolAddress(memory, symbol);
    if (error == cudaSuccess && !rd_gpu_memory_at(*memory) &&
        cudaGetSymbolSize(&size_bytes, symbol) == cudaSuccess)
        rd_gpu_memory_add(*memory, size_bytes, false);
    return error;
}

cudaError_t __wrap_cudaDeviceReset(void)
{
    rd_gpu_settle("cudaDeviceReset");
    rd_gpu_memory_free(NULL);
    return __real_cudaDeviceReset();
}
