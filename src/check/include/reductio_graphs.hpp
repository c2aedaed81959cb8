// SPDX-License-Identifier: MIT
// Graphs, as C++ has them: forms that changed from one release to the next, nodes of any type, and
// copies of variables.
#ifndef RD_GRAPHS_HPP
#define RD_GRAPHS_HPP

// ---- with data of edges, since CUDA 12.3 ----

typedef struct cudaGraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
RD_HOST cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                             const cudaGraphNode_t *to, const cudaGraphEdgeData *,
                                             size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, count);
}
RD_HOST cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                const cudaGraphNode_t *to,
                                                const cudaGraphEdgeData *, size_t count)
{
    return cudaGraphRemoveDependencies(graph, from, to, count);
}
#define RD_EDGES(data, count)                                                                      \
    for (size_t rd_k = 0; data && rd_k < *count; rd_k++)                                           \
        data[rd_k] = cudaGraphEdgeData{};
RD_HOST cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                      cudaGraphEdgeData *data, size_t *count)
{
    cudaError_t error = cudaGraphGetEdges(graph, from, to, count);
    RD_EDGES(data, count)
    return error;
}
RD_HOST cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                 cudaGraphEdgeData *data, size_t *count)
{
    cudaError_t error = cudaGraphNodeGetDependencies(node, nodes, count);
    RD_EDGES(data, count)
    return error;
}
RD_HOST cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                   cudaGraphEdgeData *data, size_t *count)
{
    cudaError_t error = cudaGraphNodeGetDependentNodes(node, nodes, count);
    RD_EDGES(data, count)
    return error;
}
#undef RD_EDGES

// ---- capturing ----

RD_HOST cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                             unsigned long long *id, cudaGraph_t *graph,
                                             const cudaGraphNode_t **before,
                                             const cudaGraphEdgeData **data, size_t *count)
{
    if (data)
        *data = nullptr;
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, before, count);
}
RD_HOST cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                             unsigned long long *id = nullptr,
                                             cudaGraph_t *graph = nullptr,
                                             const cudaGraphNode_t **before = nullptr,
                                             size_t *count = nullptr)
{
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, before, count);
}
RD_HOST cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                        cudaGraphNode_t *before,
                                                        const cudaGraphEdgeData *, size_t count,
                                                        unsigned flags = 0)
{
    return cudaStreamUpdateCaptureDependencies(stream, before, count, flags);
}

// ---- executable graphs ----

typedef struct cudaGraphExecUpdateResultInfo_st {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
RD_HOST cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                        cudaGraphExecUpdateResultInfo *info)
{
    info->errorFromNode = nullptr;
    return cudaGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}
typedef enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess,
    cudaGraphInstantiateError,
    cudaGraphInstantiateInvalidStructure,
    cudaGraphInstantiateNodeOperationNotSupported,
    cudaGraphInstantiateMultipleDevicesNotSupported
} cudaGraphInstantiateResult;
typedef struct cudaGraphInstantiateParams_st {
    unsigned long long flags;
    cudaStream_t uploadStream;
    cudaGraphNode_t errNode_out;
    cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;
RD_HOST cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                   cudaGraphInstantiateParams *params)
{
    cudaError_t error = cudaGraphInstantiateWithFlags(exec, graph, params->flags);
    params->errNode_out = nullptr;
    params->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
}

// ---- nodes of any type ----

struct cudaKernelNodeParamsV2 {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
    void *ctx;
};
struct cudaMemcpyNodeParams {
    int flags, reserved[3];
    cudaMemcpy3DParms copyParams;
};
struct cudaMemFreeNodeParams {
    void *dptr;
};
struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
};
typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf,
    cudaGraphCondTypeWhile,
    cudaGraphCondTypeSwitch
};
enum { cudaGraphCondAssignDefault = 1 };
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalNodeType type;
    unsigned size;
    cudaGraph_t *phGraph_out;
};
struct cudaGraphNodeParams {
    cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        cudaKernelNodeParamsV2 kernel;
        cudaMemcpyNodeParams memcpy;
        cudaMemsetParams memset;
        cudaHostNodeParams host;
        cudaChildGraphNodeParams graph;
        cudaMemAllocNodeParams alloc;
        cudaMemFreeNodeParams free;
        cudaConditionalNodeParams conditional;
    };
    long long reserved2;
};
#define cudaGraphNodeTypeConditional ((cudaGraphNodeType)13)
RD_HOST cudaKernelNodeParams rd_kernel_of(const cudaGraphNodeParams *params)
{
    const cudaKernelNodeParamsV2 &kernel = params->kernel;
    return {kernel.func,           kernel.gridDim,      kernel.blockDim,
            kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
}
RD_HOST cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t count,
                                     cudaGraphNodeParams *params)
{
    cudaKernelNodeParams kernel;
    switch (params->type) {
    case cudaGraphNodeTypeKernel:
        kernel = rd_kernel_of(params);
        return cudaGraphAddKernelNode(node, graph, before, count, &kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(node, graph, before, count, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(node, graph, before, count, &params->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(node, graph, before, count, &params->host);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(node, graph, before, count, params->graph.graph);
    case cudaGraphNodeTypeEmpty:
        return cudaGraphAddEmptyNode(node, graph, before, count);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(node, graph, before, count, &params->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(node, graph, before, count, params->free.dptr);
    default:
        rd_unsimulated("cudaGraphAddNode of a condition, an event or a semaphore");
        return cudaErrorNotSupported;
    }
}
RD_HOST cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, const cudaGraphEdgeData *,
                                     size_t count, cudaGraphNodeParams *params)
{
    return cudaGraphAddNode(node, graph, before, count, params);
}
#define RD_NODE_SET(name, first, T)                                                                \
    RD_HOST cudaError_t cudaGraph##name##NodeSetParams(T cudaGraphNode_t node,                     \
                                                       cudaGraphNodeParams *params)                \
    {                                                                                              \
        cudaKernelNodeParams kernel;                                                               \
        switch (params->type) {                                                                    \
        case cudaGraphNodeTypeKernel:                                                              \
            kernel = rd_kernel_of(params);                                                         \
            return cudaGraph##name##KernelNodeSetParams(first node, &kernel);                      \
        case cudaGraphNodeTypeMemcpy:                                                              \
            return cudaGraph##name##MemcpyNodeSetParams(first node, &params->memcpy.copyParams);   \
        case cudaGraphNodeTypeMemset:                                                              \
            return cudaGraph##name##MemsetNodeSetParams(first node, &params->memset);              \
        case cudaGraphNodeTypeHost:                                                                \
            return cudaGraph##name##HostNodeSetParams(first node, &params->host);                  \
        default:                                                                                   \
            return cudaErrorInvalidValue;                                                          \
        }                                                                                          \
    }
#define RD_NONE
#define RD_OF_EXEC exec,
#define RD_EXEC    cudaGraphExec_t exec,
RD_NODE_SET(, RD_NONE, RD_NONE)
RD_NODE_SET(Exec, RD_OF_EXEC, RD_EXEC)
#undef RD_NODE_SET
#undef RD_NONE
#undef RD_OF_EXEC
#undef RD_EXEC

// ---- copies to and from variables ----

template <class T>
RD_HOST cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                   const cudaGraphNode_t *before, size_t count,
                                                   const T &symbol, const void *from,
                                                   size_t size_bytes, size_t offset,
                                                   cudaMemcpyKind kind)
{
    void *to;
    cudaError_t error = cudaGetSymbolAddress(&to, symbol);
    return error != cudaSuccess
               ? error
               : cudaGraphAddMemcpyNode1D(node, graph, before, count, (char *)to + offset, from,
                                          size_bytes, kind);
}
template <class T>
RD_HOST cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                     const cudaGraphNode_t *before, size_t count,
                                                     void *to, const T &symbol, size_t size_bytes,
                                                     size_t offset, cudaMemcpyKind kind)
{
    void *from;
    cudaError_t error = cudaGetSymbolAddress(&from, symbol);
    return error != cudaSuccess ? error
                                : cudaGraphAddMemcpyNode1D(node, graph, before, count, to,
                                                           (char *)from + offset, size_bytes, kind);
}

#endif
