// SPDX-License-Identifier: MIT
// The host's side of CUDA, which is compiled but never runs.
#ifndef RD_HOST_HPP
#define RD_HOST_HPP

#include "reductio_launch.h"

enum cudaError_t {
    cudaSuccess,
    cudaErrorInvalidValue,
    cudaErrorMemoryAllocation,
    cudaErrorInitializationError,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources,
    cudaErrorLaunchTimeout,
    cudaErrorAssert = 710,
    cudaErrorMisalignedAddress = 716,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
};
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseSetAccessedBy = 5
};
enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaCpuDeviceId = -1
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount, warpSize, clockRate, memoryClockRate, memoryBusWidth;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], regsPerBlock, l2CacheSize;
    int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, concurrentKernels, managedMemory;
    int canMapHostMemory, integrated, asyncEngineCount, unifiedAddressing, cooperativeLaunch;
    int computeMode, kernelExecTimeoutEnabled, ECCEnabled, concurrentManagedAccess;
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    size_t totalConstMem, memPitch, textureAlignment;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};

// A kernel may call some of the functions, too: they do nothing for it. It may not call others, or they
// are not simulated there.
#define RD_HOST_AS(name, on_device)                                                                \
    template <class... T> __attribute__((noinline)) inline cudaError_t name(T &&...)               \
    {                                                                                              \
        if (!(on_device))                                                                          \
            rd_sim_unsimulated(#name " in a kernel", "", 0, __builtin_return_address(0));          \
        return cudaSuccess;                                                                        \
    }
#define RD_HOST(name)           RD_HOST_AS(name, false)
#define RD_HOST_OR_KERNEL(name) RD_HOST_AS(name, true)
// memory
RD_HOST(cudaMalloc)
RD_HOST(cudaMalloc3D)
RD_HOST(cudaMallocAsync)
RD_HOST(cudaMallocHost)
RD_HOST(cudaMallocManaged)
RD_HOST(cudaMallocPitch)
RD_HOST(cudaHostAlloc)
RD_HOST(cudaHostGetDevicePointer)
RD_HOST(cudaHostRegister)
RD_HOST(cudaHostUnregister)
RD_HOST(cudaFree)
RD_HOST(cudaFreeAsync)
RD_HOST(cudaFreeHost)
RD_HOST(cudaMemcpy)
RD_HOST(cudaMemcpy2D)
RD_HOST(cudaMemcpy2DAsync)
RD_HOST(cudaMemcpyAsync)
RD_HOST(cudaMemcpyFromSymbol)
RD_HOST(cudaMemcpyFromSymbolAsync)
RD_HOST(cudaMemcpyPeer)
RD_HOST(cudaMemcpyToSymbol)
RD_HOST(cudaMemcpyToSymbolAsync)
RD_HOST(cudaMemset)
RD_HOST(cudaMemset2D)
RD_HOST(cudaMemsetAsync)
RD_HOST(cudaMemAdvise)
RD_HOST(cudaMemGetInfo)
RD_HOST(cudaMemPrefetchAsync)
RD_HOST(cudaGetSymbolAddress)
RD_HOST(cudaGetSymbolSize)
// the device
RD_HOST(cudaDeviceGetAttribute)
RD_HOST(cudaDeviceReset)
RD_HOST(cudaDeviceSetCacheConfig)
RD_HOST(cudaDeviceSetLimit)
RD_HOST(cudaDeviceSetSharedMemConfig)
RD_HOST(cudaDeviceSynchronize)
RD_HOST(cudaDriverGetVersion)
RD_HOST(cudaGetDevice)
RD_HOST(cudaGetDeviceCount)
RD_HOST(cudaGetDeviceProperties)
RD_HOST(cudaProfilerStart)
RD_HOST(cudaProfilerStop)
RD_HOST(cudaRuntimeGetVersion)
RD_HOST(cudaSetDevice)
RD_HOST(cudaSetDeviceFlags)
RD_HOST(cudaThreadExit)
RD_HOST(cudaThreadSetCacheConfig)
RD_HOST(cudaThreadSynchronize)
// errors, events, streams
RD_HOST_OR_KERNEL(cudaGetLastError)
RD_HOST_OR_KERNEL(cudaPeekAtLastError)
RD_HOST(cudaEventCreate)
RD_HOST_OR_KERNEL(cudaEventCreateWithFlags)
RD_HOST_OR_KERNEL(cudaEventDestroy)
RD_HOST(cudaEventElapsedTime)
RD_HOST(cudaEventQuery)
RD_HOST_OR_KERNEL(cudaEventRecord)
RD_HOST(cudaEventSynchronize)
RD_HOST(cudaStreamCreate)
RD_HOST_OR_KERNEL(cudaStreamCreateWithFlags)
RD_HOST(cudaStreamCreateWithPriority)
RD_HOST_OR_KERNEL(cudaStreamDestroy)
RD_HOST(cudaStreamQuery)
RD_HOST(cudaStreamSynchronize)
RD_HOST_OR_KERNEL(cudaStreamWaitEvent)
// launches
RD_HOST(cudaFuncGetAttributes)
RD_HOST(cudaFuncSetCacheConfig)
RD_HOST(cudaFuncSetSharedMemConfig)
RD_HOST(cudaLaunchCooperativeKernel)
RD_HOST(cudaLaunchKernel)
RD_HOST(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
RD_HOST(cudaOccupancyMaxPotentialBlockSize)
inline const char *cudaGetErrorString(cudaError_t)
{
    return "";
}
inline const char *cudaGetErrorName(cudaError_t)
{
    return "";
}

// A function that is there only where it is called: by a file whose launches may have more shared
// memory than usual.
extern "C" inline void rd_asks_for_shared() __asm__("rd_check_asks_for_shared");
extern "C" __attribute__((visibility("default"), noinline)) inline void rd_asks_for_shared()
{
    __asm__ volatile("");
}
template <class... T> inline cudaError_t cudaFuncSetAttribute(T &&...)
{
    rd_asks_for_shared();
    return cudaSuccess;
}

#endif
