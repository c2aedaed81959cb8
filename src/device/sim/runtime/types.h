// SPDX-License-Identifier: MIT
/* Types of CUDA's runtime, as the host code of a user's program names them: results, attributes, flags, handles, parameters.
 * Compiled as C here, as C and C++ in users' files. CUDA Runtime API Reference Manual, 12. */
#ifndef RD_SIM_RUNTIME_TYPES_H
#define RD_SIM_RUNTIME_TYPES_H

#ifdef __CUDACC__ /* a user's file */
#include <reductio_device_attributes.h>
#include <reductio_errors.h>
#else
#include "device/sim/runtime/attribute_table.h"
#include "device/sim/runtime/error_table.h"
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_CUDA_ERROR_MEMBER(name, number, text) name = number,
enum cudaError { RD_CUDA_ERRORS(RD_CUDA_ERROR_MEMBER) };
typedef enum cudaError cudaError_t;

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
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeMax
};
#define RD_CUDA_ATTRIBUTE_MEMBER(name, number, value) cudaDevAttr##name = number,
enum cudaDeviceAttr { RD_CUDA_ATTRIBUTES(RD_CUDA_ATTRIBUTE_MEMBER) cudaDevAttrMax = 148 };
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation = 2,
    cudaMemRangeAttributeAccessedBy = 3,
    cudaMemRangeAttributeLastPrefetchLocation = 4,
    cudaMemRangeAttributePreferredLocationType = 5,
    cudaMemRangeAttributePreferredLocationId = 6,
    cudaMemRangeAttributeLastPrefetchLocationType = 7,
    cudaMemRangeAttributeLastPrefetchLocationId = 8
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};
enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone,
    cudaStreamCaptureStatusActive,
    cudaStreamCaptureStatusInvalidated
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies,
    cudaStreamSetCaptureDependencies
};
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel,
    cudaGraphNodeTypeMemcpy,
    cudaGraphNodeTypeMemset,
    cudaGraphNodeTypeHost,
    cudaGraphNodeTypeGraph,
    cudaGraphNodeTypeEmpty,
    cudaGraphNodeTypeWaitEvent,
    cudaGraphNodeTypeEventRecord,
    cudaGraphNodeTypeExtSemaphoreSignal,
    cudaGraphNodeTypeExtSemaphoreWait,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11
};
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};
enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid,
    cudaMemAllocationTypePinned,
    cudaMemAllocationTypeManaged
};
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeWin32Kmt = 4,
    cudaMemHandleTypeFabric = 8
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost,
    cudaMemLocationTypeHostNuma,
    cudaMemLocationTypeHostNumaCurrent
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess,
    cudaGraphExecUpdateError,
    cudaGraphExecUpdateErrorTopologyChanged,
    cudaGraphExecUpdateErrorNodeTypeChanged,
    cudaGraphExecUpdateErrorFunctionChanged,
    cudaGraphExecUpdateErrorParametersChanged,
    cudaGraphExecUpdateErrorNotSupported,
    cudaGraphExecUpdateErrorUnsupportedFunctionChange,
    cudaGraphExecUpdateErrorAttributesChanged
};
enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent,
    cudaGraphMemAttrUsedMemHigh,
    cudaGraphMemAttrReservedMemCurrent,
    cudaGraphMemAttrReservedMemHigh
};
enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterIoMemory = 4,
    cudaHostRegisterReadOnly = 8,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaEventRecordDefault = 0,
    cudaEventRecordExternal = 1,
    cudaEventWaitDefault = 0,
    cudaEventWaitExternal = 1,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceScheduleMask = 7,
    cudaDeviceMapHost = 8,
    cudaDeviceLmemResizeToMax = 16,
    cudaPeerAccessDefault = 0,
    cudaOccupancyDefault = 0,
    cudaOccupancyDisableCachingOverride = 1,
    cudaCpuDeviceId = -1,
    cudaInvalidDeviceId = -2,
    cudaArrayDefault = 0,
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8,
    cudaGraphKernelNodePortDefault = 0
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef void (*cudaHostFn_t)(void *data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);

#define cudaStreamLegacy        ((cudaStream_t)0x1)
#define cudaStreamPerThread     ((cudaStream_t)0x2)
#define cudaStreamTailLaunch    ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

#ifdef __cplusplus
typedef dim3 rd_dim3;
#else
typedef struct rd_dim3 {
    unsigned x, y, z;
} rd_dim3;
#endif

#define CU_UUID_HAS_BEEN_DEFINED /* a toolkit's cuda.h asks */
typedef struct CUuuid_st {
    char bytes[16];
} cudaUUID_t;
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;
    int computeMode, maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2];
    int maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3];
    int maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
    int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
    int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
    int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;
    int unifiedFunctionPointers;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout, clusterDimMustBeSet;
    int requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
};
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaArray;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};
struct cudaKernelNodeParams {
    void *func;
    rd_dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned char reserved[56];
};
struct cudaMemAccessDesc {
    struct cudaMemLocation location;
    enum cudaMemAccessFlags flags;
};
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
};
typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore,
    cudaLaunchAttributeAccessPolicyWindow,
    cudaLaunchAttributeCooperative,
    cudaLaunchAttributeSynchronizationPolicy,
    cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeClusterSchedulingPolicyPreference,
    cudaLaunchAttributeProgrammaticStreamSerialization,
    cudaLaunchAttributeProgrammaticEvent,
    cudaLaunchAttributePriority,
    cudaLaunchAttributeMemSyncDomainMap,
    cudaLaunchAttributeMemSyncDomain,
    cudaLaunchAttributePreferredClusterDimension,
    cudaLaunchAttributeLaunchCompletionEvent,
    cudaLaunchAttributeDeviceUpdatableKernelNode,
    cudaLaunchAttributePreferredSharedMemoryCarveout,
    cudaLaunchAttributeNvlinkUtilCentricScheduling = 16
} cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative, priority, programmaticStreamSerializationAllowed;
    struct {
        unsigned x, y, z;
    } clusterDim;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;
    char pad[4];
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
    rd_dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig_t;

#ifdef __cplusplus
}
#endif

#endif
