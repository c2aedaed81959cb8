// SPDX-License-Identifier: MIT
// Rarer parts of CUDA's runtime: hints, which change no result, and functions that are declared so
// that files compile: a call tells that it is not simulated.
#ifndef RD_MORE_HPP
#define RD_MORE_HPP

// ---- hints ----

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
#define cudaMemLocationTypeHost            ((cudaMemLocationType)2)
#define cudaMemLocationTypeHostNuma        ((cudaMemLocationType)3)
#define cudaMemLocationTypeHostNumaCurrent ((cudaMemLocationType)4)
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

// ---- not simulated ----

#define RD_NOT(name)                                                                               \
    template <class... T> RD_BARE cudaError_t name(T &&...)                                        \
    {                                                                                              \
        rd_sim_unsimulated(#name, "", 0, RD_HERE_PC);                                              \
        return cudaErrorNotSupported;                                                              \
    }
struct cudaIpcMemHandle_t {
    char reserved[64];
};
struct cudaIpcEventHandle_t {
    char reserved[64];
};
enum { cudaIpcMemLazyEnablePeerAccess = 1 };
RD_NOT(cudaIpcGetMemHandle)
RD_NOT(cudaIpcOpenMemHandle)
RD_NOT(cudaIpcCloseMemHandle)
RD_NOT(cudaIpcGetEventHandle)
RD_NOT(cudaIpcOpenEventHandle)
struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
};
RD_NOT(cudaMemPoolExportToShareableHandle)
RD_NOT(cudaMemPoolImportFromShareableHandle)
RD_NOT(cudaMemPoolExportPointer)
RD_NOT(cudaMemPoolImportPointer)
RD_NOT(cudaMallocMipmappedArray)
RD_NOT(cudaGetMipmappedArrayLevel)
RD_NOT(cudaFreeMipmappedArray)
struct cudaMemAllocNodeParams {
    cudaMemPoolProps poolProps;
    const cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
};
enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent,
    cudaGraphMemAttrUsedMemHigh,
    cudaGraphMemAttrReservedMemCurrent,
    cudaGraphMemAttrReservedMemHigh
};
RD_NOT(cudaGraphAddMemAllocNode)
RD_NOT(cudaGraphAddMemFreeNode)
RD_NOT(cudaGraphMemAllocNodeGetParams)
RD_NOT(cudaDeviceGraphMemTrim)
RD_NOT(cudaDeviceGetGraphMemAttribute)
RD_NOT(cudaDeviceSetGraphMemAttribute)
typedef unsigned long long cudaGraphConditionalHandle;
enum { cudaGraphCondAssignDefault = 1 };
RD_NOT(cudaGraphConditionalHandleCreate)
RD_NOT(cudaGraphSetConditional)
RD_NOT(cudaGraphExecUpdate)
RD_NOT(cudaGraphExecKernelNodeSetParams)
RD_NOT(cudaGraphKernelNodeSetParams)
RD_NOT(cudaGraphKernelNodeGetParams)
RD_NOT(cudaGraphDebugDotPrint)
RD_NOT(cudaGraphDestroyNode)
RD_NOT(cudaGraphGetEdges)
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
#undef RD_NOT

#endif
