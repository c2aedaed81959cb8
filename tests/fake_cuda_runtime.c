// SPDX-License-Identifier: MIT
/* CUDA's runtime without a GPU: as much of it as the programs of test_run_gpu.py call. A kernel's launch calls the host function
 * of the program's that stands for it, emulate_SYMBOL. FAKE_CUDA in the environment says what else happens:
 *
 *   none    there is no GPU
 *   fault   each launch leaves an illegal address
 *   hang    no launch ends
 */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALL_MAX = 100 };

static struct {
    const void *function;
    const char *symbol;
} kernels[ALL_MAX];
static struct {
    const char *host;
    char *device;
} variables[ALL_MAX];
static struct {
    char *base;
    size_t size;
} blocks[ALL_MAX];
static unsigned n_kernels, n_variables, n_blocks;
static cudaError_t sticky, last;
static bool hangs;
static struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
} configured;

static bool is(const char *what)
{
    const char *given = getenv("FAKE_CUDA");
    return given && strcmp(given, what) == 0;
}

static cudaError_t result(cudaError_t error)
{
    if (sticky)
        error = sticky;
    if (error)
        last = error;
    return error;
}

/* ---- the program's start ---- */

void **__cudaRegisterFatBinary(void *binary)
{
    return binary;
}
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}
char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}
void __cudaRegisterFunction(void **handle, const char *function, char *device, const char *symbol,
                            int threads, void *tid, void *bid, void *block, void *grid, int *warp)
{
    (void)handle, (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp;
    kernels[n_kernels].function = function;
    kernels[n_kernels++].symbol = symbol;
}
void __cudaRegisterVar(void **handle, char *host, char *device, const char *symbol, int ext,
                       size_t size, int constant, int global)
{
    (void)handle, (void)device, (void)symbol, (void)ext, (void)constant, (void)global;
    variables[n_variables].host = host;
    variables[n_variables++].device = calloc(1, size);
}

/* ---- launches ---- */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    configured.grid = grid, configured.block = block;
    configured.shared = shared, configured.stream = stream;
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    *grid = configured.grid, *block = configured.block, *shared = configured.shared;
    *(void **)stream = configured.stream;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *function)
{
    *handle = (cudaKernel_t)function;
    return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    void (*emulate)(dim3 grid, dim3 block, void **arguments) = NULL;
    char name[300];
    (void)shared, (void)stream;
    if (sticky)
        return result(sticky);
    if (block.x * block.y * block.z > 1024 || grid.x == 0)
        return result(cudaErrorInvalidConfiguration);
    for (unsigned k = 0; k < n_kernels; k++)
        if (kernels[k].function == function) {
            snprintf(name, sizeof name, "emulate_%s", kernels[k].symbol);
            *(void **)&emulate = dlsym(RTLD_DEFAULT, name);
        }
    if (!emulate) {
        fprintf(stderr, "no emulation of a kernel\n");
        _exit(9);
    }
    hangs = is("hang");
    if (is("fault"))
        sticky = cudaErrorIllegalAddress;
    else
        emulate(grid, block, arguments);
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaDeviceSynchronize(void)
{
    while (hangs)
        pause();
    return result(cudaSuccess);
}
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    (void)stream;
    return hangs ? cudaErrorNotReady : result(cudaSuccess);
}

/* ---- memory ---- */

cudaError_t cudaMalloc(void **memory, size_t size)
{
    blocks[n_blocks].base = *memory = malloc(size);
    blocks[n_blocks++].size = size;
    return result(cudaSuccess);
}
cudaError_t cudaFree(void *memory)
{
    for (unsigned k = 0; k < n_blocks; k++)
        if (blocks[k].base == memory)
            blocks[k].base = NULL;
    free(memory);
    return result(cudaSuccess);
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    (void)kind;
    if (cudaDeviceSynchronize() == cudaSuccess)
        memcpy(to, from, size);
    return result(cudaSuccess);
}
static char *device_of(const void *symbol)
{
    for (unsigned k = 0; k < n_variables; k++)
        if (variables[k].host == symbol)
            return variables[k].device;
    return NULL;
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return cudaMemcpy(to, device_of(symbol) + offset, size, kind);
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return cudaMemcpy(device_of(symbol) + offset, from, size, kind);
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *about, const void *pointer)
{
    about->type = cudaMemoryTypeUnregistered;
    for (unsigned k = 0; k < n_blocks; k++)
        if (blocks[k].base && (const char *)pointer >= blocks[k].base &&
            (const char *)pointer < blocks[k].base + blocks[k].size)
            about->type = cudaMemoryTypeDevice;
    return cudaSuccess;
}

/* ---- devices and errors ---- */

cudaError_t cudaGetDeviceCount(int *n)
{
    *n = 1;
    return is("none") ? cudaErrorNoDevice : cudaSuccess;
}
cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last;
    last = cudaSuccess;
    return result(error);
}
const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaErrorNoDevice               ? "cudaErrorNoDevice"
           : error == cudaErrorIllegalAddress       ? "cudaErrorIllegalAddress"
           : error == cudaErrorInvalidConfiguration ? "cudaErrorInvalidConfiguration"
                                                    : "cudaSuccess";
}
const char *cudaGetErrorString(cudaError_t error)
{
    return error ? "as CUDA says" : "no error";
}

/* Those that no test calls: the recorder stands in front of them. */
void fake_not_there(void);
void fake_not_there(void)
{
    fprintf(stderr, "a function of CUDA's is called that is not faked\n");
    _exit(9);
}
#define NOT_THERE(name)                                                                            \
    __asm__(".globl " #name "\n.type " #name ", @function\n" #name ": call fake_not_there@PLT\n");
NOT_THERE(__cudaLaunchKernel_ptsz)
NOT_THERE(__cudaRegisterManagedVar)
NOT_THERE(cudaDeviceReset)
NOT_THERE(cudaFreeAsync)
NOT_THERE(cudaFreeAsync_ptsz)
NOT_THERE(cudaFreeHost)
NOT_THERE(cudaGetSymbolAddress)
NOT_THERE(cudaGetSymbolSize)
NOT_THERE(cudaGraphLaunch)
NOT_THERE(cudaGraphLaunch_ptsz)
NOT_THERE(cudaHostAlloc)
NOT_THERE(cudaHostRegister)
NOT_THERE(cudaHostUnregister)
NOT_THERE(cudaLaunchCooperativeKernel)
NOT_THERE(cudaLaunchCooperativeKernel_ptsz)
NOT_THERE(cudaLaunchKernelExC)
NOT_THERE(cudaLaunchKernelExC_ptsz)
NOT_THERE(cudaLaunchKernel_ptsz)
NOT_THERE(cudaMallocAsync)
NOT_THERE(cudaMallocAsync_ptsz)
NOT_THERE(cudaMallocFromPoolAsync)
NOT_THERE(cudaMallocHost)
NOT_THERE(cudaMallocManaged)
NOT_THERE(cudaMallocPitch)
NOT_THERE(cudaSetDevice)
NOT_THERE(cudaStreamBeginCapture)
NOT_THERE(cudaStreamBeginCapture_ptsz)
NOT_THERE(cudaStreamCreate)
NOT_THERE(cudaStreamCreateWithFlags)
NOT_THERE(cudaStreamCreateWithPriority)
NOT_THERE(cudaStreamDestroy)
NOT_THERE(cudaStreamEndCapture)
NOT_THERE(cudaStreamEndCapture_ptsz)
