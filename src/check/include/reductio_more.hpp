// SPDX-License-Identifier: MIT
// Rarer parts of CUDA's runtime: hints, which change no result, and functions that are declared so
// that files compile: a call tells that it is not simulated.
#ifndef RD_MORE_HPP
#define RD_MORE_HPP

#include "reductio_external.hpp"

// ---- hints ----

enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin,
    cudaSyncPolicyYield,
    cudaSyncPolicyBlockingSync
};
enum cudaMemcpyFlags { cudaMemcpyFlagDefault, cudaMemcpyFlagPreferOverlapWithCompute };

enum cudaAccessProperty {
    cudaAccessPropertyNormal,
    cudaAccessPropertyStreaming,
    cudaAccessPropertyPersisting
};
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
union cudaStreamAttrValue {
    cudaAccessPolicyWindow accessPolicyWindow;
    int syncPolicy, priority;
};
typedef cudaLaunchAttributeID cudaStreamAttrID;
#define cudaStreamAttributeAccessPolicyWindow    cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority              cudaLaunchAttributePriority
inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID,
                                          const cudaStreamAttrValue *)
{
    return cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache()
{
    return cudaSuccess;
}
RD_INLINE int rd_device_of(cudaMemLocation location)
{
    return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}
RD_HOST cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size_bytes,
                                         cudaMemLocation location, unsigned,
                                         cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(pointer, size_bytes, rd_device_of(location), stream);
}
RD_HOST cudaError_t cudaMemAdvise(const void *pointer, size_t size_bytes, cudaMemoryAdvise advice,
                                  cudaMemLocation location)
{
    return cudaMemAdvise(pointer, size_bytes, advice, rd_device_of(location));
}

typedef struct CUuserObject_st *cudaUserObject_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUkern_st *cudaKernel_t;

// ---- thin ones ----

RD_HOST cudaError_t cudaInitDevice(int device, unsigned, unsigned)
{
    return cudaSetDevice(device);
}
RD_HOST cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                           cudaStreamAttrValue *value)
{
    *value = cudaStreamAttrValue{};
    return attribute == cudaStreamAttributePriority
               ? cudaStreamGetPriority(stream, &value->priority)
               : cudaSuccess;
}
inline cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t)
{
    return cudaSuccess;
}
// All pools are of the device, which may access them.
inline cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t, cudaMemLocation *)
{
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}
RD_HOST cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, cudaMemLocation *location,
                                             cudaMemAllocationType)
{
    return cudaDeviceGetDefaultMemPool(pool, location->id);
}
// A function of the device is its address.
template <class F> RD_HOST cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, F *kernel)
{
    *function = (cudaFunction_t)rd_known(kernel);
    return cudaSuccess;
}
template <class F> RD_HOST cudaError_t cudaGetKernel(cudaKernel_t *function, F *kernel)
{
    *function = (cudaKernel_t)rd_known(kernel);
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width,
                                                        const cudaChannelFormatDesc *, int)
{
    *width = (size_t)1 << 28;
    return cudaSuccess;
}
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    int dstDevice;
    cudaExtent extent;
};
RD_HOST cudaMemcpy3DParms rd_copy_of_peers(const cudaMemcpy3DPeerParms *copy)
{
    return {copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
            copy->dstPos,   copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice};
}
RD_HOST cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *copy)
{
    const cudaMemcpy3DParms plain = rd_copy_of_peers(copy);
    return cudaMemcpy3D(&plain);
}
RD_HOST cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *copy,
                                          cudaStream_t stream = 0)
{
    const cudaMemcpy3DParms plain = rd_copy_of_peers(copy);
    return cudaMemcpy3DAsync(&plain, stream);
}

// ---- batches of copies, which are in no order among themselves ----

enum cudaMemcpySrcAccessOrder {
    cudaMemcpySrcAccessOrderInvalid,
    cudaMemcpySrcAccessOrderStream,
    cudaMemcpySrcAccessOrderDuringApiCall,
    cudaMemcpySrcAccessOrderAny
};
struct cudaMemcpyAttributes {
    cudaMemcpySrcAccessOrder srcAccessOrder;
    cudaMemLocation srcLocHint, dstLocHint;
    unsigned flags;
};
inline bool rd_overlap(const void *x, size_t x_bytes, const void *y, size_t y_bytes)
{
    return (const char *)x < (const char *)y + y_bytes &&
           (const char *)y < (const char *)x + x_bytes;
}
template <class D, class S>
RD_HOST cudaError_t cudaMemcpyBatchAsync(D *to, S *from, const size_t *sizes, size_t count,
                                         cudaMemcpyAttributes *, size_t *, size_t,
                                         cudaStream_t stream)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (rd_overlap(to[i], sizes[i], from[j], sizes[j]) ||
                (i < j && rd_overlap(to[i], sizes[i], to[j], sizes[j])))
                rd_unsimulated("cudaMemcpyBatchAsync of copies that overlap");
    for (size_t i = 0; i < count; i++) {
        cudaError_t error = cudaMemcpyAsync((void *)to[i], (const void *)from[i], sizes[i],
                                            cudaMemcpyDefault, stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}
template <class D, class S>
RD_HOST cudaError_t cudaMemcpyBatchAsync(D *to, S *from, const size_t *sizes, size_t count,
                                         cudaMemcpyAttributes *all, size_t *first, size_t n,
                                         size_t *, cudaStream_t stream)
{
    return cudaMemcpyBatchAsync(to, from, sizes, count, all, first, n, stream);
}

// ---- not simulated ----

#define RD_NOT(name)                                                                               \
    template <class... T> RD_BARE cudaError_t name(T &&...)                                        \
    {                                                                                              \
        rd_sim_unsimulated(#name, "", 0, RD_HERE_PC);                                              \
        return cudaErrorNotSupported;                                                              \
    }
RD_NOT(cudaIpcGetMemHandle)
RD_NOT(cudaIpcOpenMemHandle)
RD_NOT(cudaIpcCloseMemHandle)
RD_NOT(cudaIpcGetEventHandle)
RD_NOT(cudaIpcOpenEventHandle)
RD_NOT(cudaMemPoolExportToShareableHandle)
RD_NOT(cudaMemPoolImportFromShareableHandle)
RD_NOT(cudaMemPoolExportPointer)
RD_NOT(cudaMemPoolImportPointer)
RD_NOT(cudaGraphNodeSetParams)
RD_NOT(cudaGraphExecNodeSetParams)
RD_NOT(cudaGraphConditionalHandleCreate)
RD_NOT(cudaGraphSetConditional)
RD_NOT(cudaGraphDebugDotPrint)
RD_NOT(cudaLaunchCooperativeKernelMultiDevice)
RD_NOT(cudaImportExternalMemory)
RD_NOT(cudaDestroyExternalMemory)
RD_NOT(cudaExternalMemoryGetMappedBuffer)
RD_NOT(cudaExternalMemoryGetMappedMipmappedArray)
RD_NOT(cudaImportExternalSemaphore)
RD_NOT(cudaDestroyExternalSemaphore)
RD_NOT(cudaSignalExternalSemaphoresAsync)
RD_NOT(cudaWaitExternalSemaphoresAsync)
RD_NOT(cudaGetDriverEntryPoint)
RD_NOT(cudaArrayGetMemoryRequirements)
RD_NOT(cudaArrayGetPlane)
RD_NOT(cudaArrayGetSparseProperties)
RD_NOT(cudaDeviceFlushGPUDirectRDMAWrites)
RD_NOT(cudaDeviceGetHostAtomicCapabilities)
RD_NOT(cudaDeviceGetNvSciSyncAttributes)
RD_NOT(cudaDeviceGetP2PAtomicCapabilities)
RD_NOT(cudaDeviceRegisterAsyncNotification)
RD_NOT(cudaDeviceUnregisterAsyncNotification)
RD_NOT(cudaFuncGetName)
RD_NOT(cudaFuncGetParamInfo)
RD_NOT(cudaGetDriverEntryPointByVersion)
RD_NOT(cudaGetExportTable)
RD_NOT(cudaGraphAddEventRecordNode)
RD_NOT(cudaGraphAddEventWaitNode)
RD_NOT(cudaGraphAddExternalSemaphoresSignalNode)
RD_NOT(cudaGraphAddExternalSemaphoresWaitNode)
RD_NOT(cudaGraphChildGraphNodeGetGraph)
RD_NOT(cudaGraphEventRecordNodeGetEvent)
RD_NOT(cudaGraphEventRecordNodeSetEvent)
RD_NOT(cudaGraphEventWaitNodeGetEvent)
RD_NOT(cudaGraphEventWaitNodeSetEvent)
RD_NOT(cudaGraphExecChildGraphNodeSetParams)
RD_NOT(cudaGraphExecEventRecordNodeSetEvent)
RD_NOT(cudaGraphExecEventWaitNodeSetEvent)
RD_NOT(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
RD_NOT(cudaGraphExecExternalSemaphoresWaitNodeSetParams)
RD_NOT(cudaGraphExecMemcpyNodeSetParamsFromSymbol)
RD_NOT(cudaGraphExecMemcpyNodeSetParamsToSymbol)
RD_NOT(cudaGraphExternalSemaphoresSignalNodeGetParams)
RD_NOT(cudaGraphExternalSemaphoresSignalNodeSetParams)
RD_NOT(cudaGraphExternalSemaphoresWaitNodeGetParams)
RD_NOT(cudaGraphExternalSemaphoresWaitNodeSetParams)
RD_NOT(cudaGraphMemcpyNodeGetParams)
RD_NOT(cudaGraphMemcpyNodeSetParamsFromSymbol)
RD_NOT(cudaGraphMemcpyNodeSetParamsToSymbol)
RD_NOT(cudaGraphReleaseUserObject)
RD_NOT(cudaGraphRetainUserObject)
RD_NOT(cudaGraphicsMapResources)
RD_NOT(cudaGraphicsResourceGetMappedMipmappedArray)
RD_NOT(cudaGraphicsResourceGetMappedPointer)
RD_NOT(cudaGraphicsResourceSetMapFlags)
RD_NOT(cudaGraphicsSubResourceGetMappedArray)
RD_NOT(cudaGraphicsUnmapResources)
RD_NOT(cudaGraphicsUnregisterResource)
RD_NOT(cudaKernelSetAttributeForDevice)
RD_NOT(cudaLibraryEnumerateKernels)
RD_NOT(cudaLibraryGetGlobal)
RD_NOT(cudaLibraryGetKernel)
RD_NOT(cudaLibraryGetKernelCount)
RD_NOT(cudaLibraryGetManaged)
RD_NOT(cudaLibraryGetUnifiedFunction)
RD_NOT(cudaLibraryLoadData)
RD_NOT(cudaLibraryLoadFromFile)
RD_NOT(cudaLibraryUnload)
RD_NOT(cudaLogsCurrent)
RD_NOT(cudaLogsDumpToFile)
RD_NOT(cudaLogsDumpToMemory)
RD_NOT(cudaLogsRegisterCallback)
RD_NOT(cudaLogsUnregisterCallback)
RD_NOT(cudaMemDiscardAndPrefetchBatchAsync)
RD_NOT(cudaMemDiscardBatchAsync)
RD_NOT(cudaMemPrefetchBatchAsync)
RD_NOT(cudaMemGetMemPool)
RD_NOT(cudaMemSetMemPool)
RD_NOT(cudaMemRangeGetAttribute)
RD_NOT(cudaMemRangeGetAttributes)
RD_NOT(cudaMemcpy3DBatchAsync)
RD_NOT(cudaMipmappedArrayGetMemoryRequirements)
RD_NOT(cudaMipmappedArrayGetSparseProperties)
RD_NOT(cudaOccupancyMaxActiveClusters)
RD_NOT(cudaOccupancyMaxPotentialClusterSize)
RD_NOT(cudaUserObjectCreate)
RD_NOT(cudaUserObjectRelease)
RD_NOT(cudaUserObjectRetain)
RD_NOT(cudaGetSurfaceObjectResourceDesc)
RD_NOT(cudaGetTextureObjectResourceViewDesc)
#undef RD_NOT

#endif
