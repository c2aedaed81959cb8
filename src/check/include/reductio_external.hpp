// SPDX-License-Identifier: MIT
// Types and flags of what other interfaces share with CUDA (memory, semaphores, handles between processes), declared so that files
// compile: the functions that take them are not simulated. CUDA Runtime API, "External Resource Interoperability".
#ifndef RD_EXTERNAL_HPP
#define RD_EXTERNAL_HPP

typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1,
    cudaExternalMemoryHandleTypeOpaqueWin32,
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt,
    cudaExternalMemoryHandleTypeD3D12Heap,
    cudaExternalMemoryHandleTypeD3D12Resource,
    cudaExternalMemoryHandleTypeD3D11Resource,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt,
    cudaExternalMemoryHandleTypeNvSciBuf
};
enum cudaExternalSemaphoreHandleType {
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
    cudaExternalSemaphoreHandleTypeOpaqueWin32,
    cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt,
    cudaExternalSemaphoreHandleTypeD3D12Fence,
    cudaExternalSemaphoreHandleTypeD3D11Fence,
    cudaExternalSemaphoreHandleTypeNvSciSync,
    cudaExternalSemaphoreHandleTypeKeyedMutex,
    cudaExternalSemaphoreHandleTypeKeyedMutexKmt,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32
};
enum { cudaExternalMemoryDedicated = 1 };
enum {
    cudaExternalSemaphoreSignalSkipNvSciBufMemSync = 1,
    cudaExternalSemaphoreWaitSkipNvSciBufMemSync = 2
};
enum { cudaNvSciSyncAttrSignal = 1, cudaNvSciSyncAttrWait = 2 };
struct rd_win32_handle {
    void *handle;
    const void *name;
};
struct cudaExternalMemoryHandleDesc {
    cudaExternalMemoryHandleType type;
    union {
        int fd;
        rd_win32_handle win32;
        const void *nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned flags;
};
struct cudaExternalMemoryBufferDesc {
    unsigned long long offset, size;
    unsigned flags;
};
struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset;
    cudaChannelFormatDesc formatDesc;
    cudaExtent extent;
    unsigned flags, numLevels;
};
struct cudaExternalSemaphoreHandleDesc {
    cudaExternalSemaphoreHandleType type;
    union {
        int fd;
        rd_win32_handle win32;
        const void *nvSciSyncObj;
    } handle;
    unsigned flags;
};
union rd_nvscisync_fence {
    void *fence;
    unsigned long long reserved;
};
struct cudaExternalSemaphoreSignalParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        rd_nvscisync_fence nvSciSync;
        struct {
            unsigned long long key;
        } keyedMutex;
    } params;
    unsigned flags;
};
struct cudaExternalSemaphoreWaitParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        rd_nvscisync_fence nvSciSync;
        struct {
            unsigned long long key;
            unsigned timeoutMs;
        } keyedMutex;
    } params;
    unsigned flags;
};
struct cudaExternalSemaphoreSignalNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const cudaExternalSemaphoreSignalParams *paramsArray;
    unsigned numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const cudaExternalSemaphoreWaitParams *paramsArray;
    unsigned numExtSems;
};

// ---- between processes ----

struct cudaIpcMemHandle_t {
    char reserved[64];
};
struct cudaIpcEventHandle_t {
    char reserved[64];
};
typedef cudaIpcMemHandle_t cudaIpcMemHandle_st;
typedef cudaIpcEventHandle_t cudaIpcEventHandle_st;
enum { cudaIpcMemLazyEnablePeerAccess = 1 };
struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
};
struct cudaMemFabricHandle_t {
    char reserved[64];
};

// ---- graphics ----

typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone,
    cudaGraphicsMapFlagsReadOnly,
    cudaGraphicsMapFlagsWriteDiscard
};
enum cudaGraphicsCubeFace {
    cudaGraphicsCubeFacePositiveX,
    cudaGraphicsCubeFaceNegativeX,
    cudaGraphicsCubeFacePositiveY,
    cudaGraphicsCubeFaceNegativeY,
    cudaGraphicsCubeFacePositiveZ,
    cudaGraphicsCubeFaceNegativeZ
};

// ---- flags of functions that are not simulated ----

enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };
enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess,
    cudaDriverEntryPointSymbolNotFound,
    cudaDriverEntryPointVersionNotSufficent
};
enum cudaGetDriverEntryPointFlags {
    cudaEnableDefault,
    cudaEnableLegacyStream,
    cudaEnablePerThreadDefaultStream
};
enum cudaFlushGPUDirectRDMAWritesOptions {
    cudaFlushGPUDirectRDMAWritesOptionHost = 1,
    cudaFlushGPUDirectRDMAWritesOptionMemOps = 2
};
enum cudaFlushGPUDirectRDMAWritesTarget { cudaFlushGPUDirectRDMAWritesTargetCurrentDevice };
enum cudaFlushGPUDirectRDMAWritesScope {
    cudaFlushGPUDirectRDMAWritesToOwner = 100,
    cudaFlushGPUDirectRDMAWritesToAllDevices = 200
};
enum cudaGPUDirectRDMAWritesOrdering {
    cudaGPUDirectRDMAWritesOrderingNone = 0,
    cudaGPUDirectRDMAWritesOrderingOwner = 100,
    cudaGPUDirectRDMAWritesOrderingAllDevices = 200
};
enum cudaGraphDebugDotFlags {
    cudaGraphDebugDotFlagsVerbose = 1 << 0,
    cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
    cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
    cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
    cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,
    cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
    cudaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
    cudaGraphDebugDotFlagsHandles = 1 << 10,
    cudaGraphDebugDotFlagsConditionalNodeParams = 1 << 15
};
struct cudaArraySparseProperties {
    struct {
        unsigned width, height, depth;
    } tileExtent;
    unsigned miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned flags;
};
struct cudaArrayMemoryRequirements {
    size_t size, alignment;
};

#endif
