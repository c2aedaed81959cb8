// SPDX-License-Identifier: MIT
/* Functions of CUDA's runtime as the host code of a user's program calls it, under names of the simulator's own.
 * Compiled as C here, as C and C++ in users' files. CUDA Runtime API Reference Manual, 12. */
#ifndef RD_SIM_RUNTIME_API_H
#define RD_SIM_RUNTIME_API_H

#ifdef __CUDACC__ /* a user's file */
#include <reductio_runtime_types.h>
#else
#include "device/sim/runtime/types.h"
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In place of a default argument, which C has not. */
#ifdef __cplusplus
#define RD_OR(value) = value
#else
#define RD_OR(value)
#endif
#define RD_RUNTIME(result, name, ...) result name(__VA_ARGS__) __asm__("rd_sim_" #name)
#define RD_CALL(name, ...)            RD_RUNTIME(cudaError_t, name, __VA_ARGS__)

/* errors */
RD_CALL(cudaGetLastError, void);
RD_CALL(cudaPeekAtLastError, void);
RD_RUNTIME(const char *, cudaGetErrorString, cudaError_t error);
RD_RUNTIME(const char *, cudaGetErrorName, cudaError_t error);
/* A function of the runtime that a header defines has come to this: an error is the last one, and one that is dropped is told.
 * Returns the error; the sticky one, where there is one. */
cudaError_t rd_sim_call_made(const char *name, cudaError_t error);

/* memory */
RD_CALL(cudaMalloc, void **pointer, size_t size_bytes);
RD_CALL(cudaMallocPitch, void **pointer, size_t *pitch, size_t width, size_t height);
RD_CALL(cudaMalloc3D, struct cudaPitchedPtr *pitched, struct cudaExtent extent);
RD_CALL(cudaMallocManaged, void **pointer, size_t size_bytes,
        unsigned flags RD_OR(cudaMemAttachGlobal));
RD_CALL(cudaMallocHost, void **pointer, size_t size_bytes);
RD_CALL(cudaHostAlloc, void **pointer, size_t size_bytes, unsigned flags);
RD_CALL(cudaHostRegister, void *pointer, size_t size_bytes, unsigned flags);
RD_CALL(cudaHostUnregister, void *pointer);
RD_CALL(cudaHostGetDevicePointer, void **device, void *host, unsigned flags);
RD_CALL(cudaHostGetFlags, unsigned *flags, void *host);
RD_CALL(cudaFree, void *pointer);
RD_CALL(cudaFreeHost, void *pointer);
RD_CALL(cudaMallocAsync, void **pointer, size_t size_bytes, cudaStream_t stream);
RD_CALL(cudaMallocFromPoolAsync, void **pointer, size_t size_bytes, cudaMemPool_t pool,
        cudaStream_t stream);
RD_CALL(cudaFreeAsync, void *pointer, cudaStream_t stream);
RD_CALL(cudaDeviceGetDefaultMemPool, cudaMemPool_t *pool, int device);
RD_CALL(cudaDeviceGetMemPool, cudaMemPool_t *pool, int device);
RD_CALL(cudaDeviceSetMemPool, int device, cudaMemPool_t pool);
RD_CALL(cudaMemPoolCreate, cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
RD_CALL(cudaMemPoolDestroy, cudaMemPool_t pool);
RD_CALL(cudaMemPoolSetAttribute, cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
RD_CALL(cudaMemPoolGetAttribute, cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
RD_CALL(cudaMemPoolTrimTo, cudaMemPool_t pool, size_t size_bytes);
RD_CALL(cudaMemPoolSetAccess, cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
        size_t count);
RD_CALL(cudaMemGetInfo, size_t *available, size_t *total);
RD_CALL(cudaPointerGetAttributes, struct cudaPointerAttributes *attributes, const void *pointer);
RD_CALL(cudaMemAdvise, const void *pointer, size_t size_bytes, enum cudaMemoryAdvise advice,
        int device);
RD_CALL(cudaMemPrefetchAsync, const void *pointer, size_t size_bytes, int device,
        cudaStream_t stream RD_OR(0));
RD_CALL(cudaStreamAttachMemAsync, cudaStream_t stream, void *pointer, size_t size_bytes,
        unsigned flags);

/* copies */
RD_CALL(cudaMemcpy, void *to, const void *from, size_t size_bytes, enum cudaMemcpyKind kind);
RD_CALL(cudaMemcpyAsync, void *to, const void *from, size_t size_bytes, enum cudaMemcpyKind kind,
        cudaStream_t stream RD_OR(0));
RD_CALL(cudaMemcpy2D, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
        size_t height, enum cudaMemcpyKind kind);
RD_CALL(cudaMemcpy2DAsync, void *to, size_t to_pitch, const void *from, size_t from_pitch,
        size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream RD_OR(0));
RD_CALL(cudaMemcpy3D, const struct cudaMemcpy3DParms *copy);
RD_CALL(cudaMemcpy3DAsync, const struct cudaMemcpy3DParms *copy, cudaStream_t stream RD_OR(0));
RD_CALL(cudaMemcpyPeer, void *to, int to_device, const void *from, int from_device,
        size_t size_bytes);
RD_CALL(cudaMemcpyPeerAsync, void *to, int to_device, const void *from, int from_device,
        size_t size_bytes, cudaStream_t stream RD_OR(0));
RD_CALL(cudaMemset, void *to, int value, size_t size_bytes);
RD_CALL(cudaMemsetAsync, void *to, int value, size_t size_bytes, cudaStream_t stream RD_OR(0));
RD_CALL(cudaMemset2D, void *to, size_t pitch, int value, size_t width, size_t height);
RD_CALL(cudaMemset2DAsync, void *to, size_t pitch, int value, size_t width, size_t height,
        cudaStream_t stream RD_OR(0));
RD_CALL(cudaMemset3D, struct cudaPitchedPtr to, int value, struct cudaExtent extent);
RD_CALL(cudaMemset3DAsync, struct cudaPitchedPtr to, int value, struct cudaExtent extent,
        cudaStream_t stream RD_OR(0));
RD_CALL(cudaMemcpyToSymbol, const void *symbol, const void *from, size_t size_bytes,
        size_t offset RD_OR(0), enum cudaMemcpyKind kind RD_OR(cudaMemcpyHostToDevice));
RD_CALL(cudaMemcpyFromSymbol, void *to, const void *symbol, size_t size_bytes,
        size_t offset RD_OR(0), enum cudaMemcpyKind kind RD_OR(cudaMemcpyDeviceToHost));
RD_CALL(cudaMemcpyToSymbolAsync, const void *symbol, const void *from, size_t size_bytes,
        size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream RD_OR(0));
RD_CALL(cudaMemcpyFromSymbolAsync, void *to, const void *symbol, size_t size_bytes, size_t offset,
        enum cudaMemcpyKind kind, cudaStream_t stream RD_OR(0));
RD_CALL(cudaGetSymbolAddress, void **pointer, const void *symbol);
RD_CALL(cudaGetSymbolSize, size_t *size_bytes, const void *symbol);

/* devices */
RD_CALL(cudaGetDeviceCount, int *count);
RD_CALL(cudaGetDevice, int *device);
RD_CALL(cudaSetDevice, int device);
RD_CALL(cudaChooseDevice, int *device, const struct cudaDeviceProp *properties);
RD_CALL(cudaGetDeviceProperties, struct cudaDeviceProp *properties, int device);
RD_CALL(cudaDeviceGetAttribute, int *value, enum cudaDeviceAttr attribute, int device);
RD_CALL(cudaDeviceGetByPCIBusId, int *device, const char *bus);
RD_CALL(cudaDeviceGetPCIBusId, char *bus, int length, int device);
RD_CALL(cudaDeviceGetP2PAttribute, int *value, enum cudaDeviceP2PAttr attribute, int from, int to);
RD_CALL(cudaDeviceCanAccessPeer, int *can, int device, int peer);
RD_CALL(cudaDeviceEnablePeerAccess, int peer, unsigned flags);
RD_CALL(cudaDeviceDisablePeerAccess, int peer);
RD_CALL(cudaDeviceGetStreamPriorityRange, int *least, int *greatest);
RD_CALL(cudaDeviceSynchronize, void);
RD_CALL(cudaDeviceReset, void);
RD_CALL(cudaDeviceSetLimit, enum cudaLimit limit, size_t value);
RD_CALL(cudaDeviceGetLimit, size_t *value, enum cudaLimit limit);
RD_CALL(cudaDeviceSetCacheConfig, enum cudaFuncCache config);
RD_CALL(cudaDeviceGetCacheConfig, enum cudaFuncCache *config);
RD_CALL(cudaDeviceSetSharedMemConfig, enum cudaSharedMemConfig config);
RD_CALL(cudaDeviceGetSharedMemConfig, enum cudaSharedMemConfig *config);
RD_CALL(cudaSetDeviceFlags, unsigned flags);
RD_CALL(cudaGetDeviceFlags, unsigned *flags);
RD_CALL(cudaSetValidDevices, int *devices, int count);
RD_CALL(cudaDriverGetVersion, int *version);
RD_CALL(cudaRuntimeGetVersion, int *version);
RD_CALL(cudaProfilerStart, void);
RD_CALL(cudaProfilerStop, void);
RD_CALL(cudaThreadSynchronize, void);
RD_CALL(cudaThreadExit, void);
RD_CALL(cudaThreadSetCacheConfig, enum cudaFuncCache config);

/* streams, events */
RD_CALL(cudaStreamCreate, cudaStream_t *stream);
RD_CALL(cudaStreamCreateWithFlags, cudaStream_t *stream, unsigned flags);
RD_CALL(cudaStreamCreateWithPriority, cudaStream_t *stream, unsigned flags, int priority);
RD_CALL(cudaStreamDestroy, cudaStream_t stream);
RD_CALL(cudaStreamQuery, cudaStream_t stream);
RD_CALL(cudaStreamSynchronize, cudaStream_t stream);
RD_CALL(cudaStreamWaitEvent, cudaStream_t stream, cudaEvent_t event, unsigned flags RD_OR(0));
RD_CALL(cudaStreamAddCallback, cudaStream_t stream, cudaStreamCallback_t callback, void *data,
        unsigned flags);
RD_CALL(cudaStreamGetPriority, cudaStream_t stream, int *priority);
RD_CALL(cudaStreamGetId, cudaStream_t stream, unsigned long long *id);
RD_CALL(cudaStreamGetDevice, cudaStream_t stream, int *device);
RD_CALL(cudaStreamGetFlags, cudaStream_t stream, unsigned *flags);
RD_CALL(cudaLaunchHostFunc, cudaStream_t stream, cudaHostFn_t function, void *data);
RD_CALL(cudaEventCreate, cudaEvent_t *event);
RD_CALL(cudaEventCreateWithFlags, cudaEvent_t *event, unsigned flags);
RD_CALL(cudaEventDestroy, cudaEvent_t event);
RD_CALL(cudaEventRecord, cudaEvent_t event, cudaStream_t stream RD_OR(0));
RD_CALL(cudaEventRecordWithFlags, cudaEvent_t event, cudaStream_t stream RD_OR(0),
        unsigned flags RD_OR(0));
RD_CALL(cudaEventQuery, cudaEvent_t event);
RD_CALL(cudaEventSynchronize, cudaEvent_t event);
RD_CALL(cudaEventElapsedTime, float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* launches; of a kernel by its address */
RD_CALL(cudaLaunchKernel, const void *kernel, rd_dim3 grid, rd_dim3 block, void **arguments,
        size_t shared_bytes RD_OR(0), cudaStream_t stream RD_OR(0));
RD_CALL(cudaLaunchCooperativeKernel, const void *kernel, rd_dim3 grid, rd_dim3 block,
        void **arguments, size_t shared_bytes RD_OR(0), cudaStream_t stream RD_OR(0));
RD_CALL(cudaLaunchKernelExC, const cudaLaunchConfig_t *config, const void *kernel,
        void **arguments);
RD_CALL(cudaFuncGetAttributes, struct cudaFuncAttributes *attributes, const void *kernel);
RD_CALL(cudaFuncSetAttribute, const void *kernel, enum cudaFuncAttribute attribute, int value);
RD_CALL(cudaFuncSetCacheConfig, const void *kernel, enum cudaFuncCache config);
RD_CALL(cudaFuncSetSharedMemConfig, const void *kernel, enum cudaSharedMemConfig config);
RD_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, const void *kernel, int threads,
        size_t shared_bytes);
RD_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *blocks, const void *kernel,
        int threads, size_t shared_bytes, unsigned flags);
RD_CALL(cudaOccupancyAvailableDynamicSMemPerBlock, size_t *shared_bytes, const void *kernel,
        int blocks, int threads);

/* graphs */
RD_CALL(cudaStreamBeginCapture, cudaStream_t stream, enum cudaStreamCaptureMode mode);
RD_CALL(cudaStreamEndCapture, cudaStream_t stream, cudaGraph_t *graph);
RD_CALL(cudaStreamBeginCaptureToGraph, cudaStream_t stream, cudaGraph_t graph,
        const cudaGraphNode_t *before, const void *edges, size_t count,
        enum cudaStreamCaptureMode mode);
RD_CALL(cudaStreamGetCaptureInfo_v2, cudaStream_t stream, enum cudaStreamCaptureStatus *status,
        unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **before, size_t *count);
RD_CALL(cudaStreamUpdateCaptureDependencies, cudaStream_t stream, cudaGraphNode_t *before,
        size_t count, unsigned flags);
RD_CALL(cudaThreadExchangeStreamCaptureMode, enum cudaStreamCaptureMode *mode);
RD_CALL(cudaStreamIsCapturing, cudaStream_t stream, enum cudaStreamCaptureStatus *status);
RD_CALL(cudaGraphCreate, cudaGraph_t *graph, unsigned flags);
RD_CALL(cudaGraphDestroy, cudaGraph_t graph);
RD_CALL(cudaGraphClone, cudaGraph_t *clone, cudaGraph_t graph);
RD_CALL(cudaGraphAddKernelNode, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count, const struct cudaKernelNodeParams *params);
RD_CALL(cudaGraphAddMemcpyNode, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count, const struct cudaMemcpy3DParms *params);
RD_CALL(cudaGraphAddMemcpyNode1D, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count, void *to, const void *from, size_t size_bytes,
        enum cudaMemcpyKind kind);
RD_CALL(cudaGraphAddMemsetNode, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count, const struct cudaMemsetParams *params);
RD_CALL(cudaGraphAddHostNode, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count, const struct cudaHostNodeParams *params);
RD_CALL(cudaGraphAddEmptyNode, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count);
RD_CALL(cudaGraphAddChildGraphNode, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count, cudaGraph_t child);
RD_CALL(cudaGraphAddMemAllocNode, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count, struct cudaMemAllocNodeParams *params);
RD_CALL(cudaGraphAddMemFreeNode, cudaGraphNode_t *node, cudaGraph_t graph,
        const cudaGraphNode_t *before, size_t count, void *memory);
RD_CALL(cudaGraphAddDependencies, cudaGraph_t graph, const cudaGraphNode_t *from,
        const cudaGraphNode_t *to, size_t count);
RD_CALL(cudaGraphRemoveDependencies, cudaGraph_t graph, const cudaGraphNode_t *from,
        const cudaGraphNode_t *to, size_t count);
RD_CALL(cudaGraphDestroyNode, cudaGraphNode_t node);
RD_CALL(cudaGraphGetEdges, cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
        size_t *count);
RD_CALL(cudaGraphNodeGetDependencies, cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count);
RD_CALL(cudaGraphNodeGetDependentNodes, cudaGraphNode_t node, cudaGraphNode_t *nodes,
        size_t *count);
RD_CALL(cudaGraphNodeFindInClone, cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone);
RD_CALL(cudaGraphGetNodes, cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
RD_CALL(cudaGraphGetRootNodes, cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
RD_CALL(cudaGraphNodeGetType, cudaGraphNode_t node, enum cudaGraphNodeType *type);
RD_CALL(cudaGraphKernelNodeSetParams, cudaGraphNode_t node,
        const struct cudaKernelNodeParams *params);
RD_CALL(cudaGraphKernelNodeGetParams, cudaGraphNode_t node, struct cudaKernelNodeParams *params);
RD_CALL(cudaGraphKernelNodeSetAttribute, cudaGraphNode_t node, cudaLaunchAttributeID attribute,
        const cudaLaunchAttributeValue *value);
RD_CALL(cudaGraphKernelNodeGetAttribute, cudaGraphNode_t node, cudaLaunchAttributeID attribute,
        cudaLaunchAttributeValue *value);
RD_CALL(cudaGraphKernelNodeCopyAttributes, cudaGraphNode_t to, cudaGraphNode_t from);
RD_CALL(cudaGraphMemcpyNodeSetParams, cudaGraphNode_t node, const struct cudaMemcpy3DParms *params);
RD_CALL(cudaGraphMemcpyNodeSetParams1D, cudaGraphNode_t node, void *to, const void *from,
        size_t size_bytes, enum cudaMemcpyKind kind);
RD_CALL(cudaGraphMemsetNodeSetParams, cudaGraphNode_t node, const struct cudaMemsetParams *params);
RD_CALL(cudaGraphMemsetNodeGetParams, cudaGraphNode_t node, struct cudaMemsetParams *params);
RD_CALL(cudaGraphHostNodeSetParams, cudaGraphNode_t node, const struct cudaHostNodeParams *params);
RD_CALL(cudaGraphHostNodeGetParams, cudaGraphNode_t node, struct cudaHostNodeParams *params);
RD_CALL(cudaGraphMemAllocNodeGetParams, cudaGraphNode_t node,
        struct cudaMemAllocNodeParams *params);
RD_CALL(cudaGraphMemFreeNodeGetParams, cudaGraphNode_t node, void *memory);
RD_CALL(cudaGraphExecKernelNodeSetParams, cudaGraphExec_t exec, cudaGraphNode_t node,
        const struct cudaKernelNodeParams *params);
RD_CALL(cudaGraphExecMemcpyNodeSetParams, cudaGraphExec_t exec, cudaGraphNode_t node,
        const struct cudaMemcpy3DParms *params);
RD_CALL(cudaGraphExecMemcpyNodeSetParams1D, cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
        const void *from, size_t size_bytes, enum cudaMemcpyKind kind);
RD_CALL(cudaGraphExecMemsetNodeSetParams, cudaGraphExec_t exec, cudaGraphNode_t node,
        const struct cudaMemsetParams *params);
RD_CALL(cudaGraphExecHostNodeSetParams, cudaGraphExec_t exec, cudaGraphNode_t node,
        const struct cudaHostNodeParams *params);
RD_CALL(cudaGraphExecUpdate, cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
        enum cudaGraphExecUpdateResult *result);
RD_CALL(cudaGraphExecGetFlags, cudaGraphExec_t exec, unsigned long long *flags);
RD_CALL(cudaGraphNodeSetEnabled, cudaGraphExec_t exec, cudaGraphNode_t node, unsigned is_enabled);
RD_CALL(cudaGraphNodeGetEnabled, cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *is_enabled);
RD_CALL(cudaDeviceGraphMemTrim, int device);
RD_CALL(cudaDeviceGetGraphMemAttribute, int device, enum cudaGraphMemAttributeType attribute,
        void *value);
RD_CALL(cudaDeviceSetGraphMemAttribute, int device, enum cudaGraphMemAttributeType attribute,
        void *value);
RD_CALL(cudaGraphInstantiateWithFlags, cudaGraphExec_t *exec, cudaGraph_t graph,
        unsigned long long flags);
RD_CALL(cudaGraphLaunch, cudaGraphExec_t exec, cudaStream_t stream);
RD_CALL(cudaGraphUpload, cudaGraphExec_t exec, cudaStream_t stream);
RD_CALL(cudaGraphExecDestroy, cudaGraphExec_t exec);

#ifdef __cplusplus
}
#endif

#endif
