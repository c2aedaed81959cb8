// SPDX-License-Identifier: MIT
/* What nodes of graphs do, asked for and changed. CUDA Runtime API, "Graph Management". */
#include "device/sim/api/hooks.h"
#include "device/sim/runtime/graph.h"
#include "device/sim/runtime/kernels.h"

#include <stdlib.h>

/* ---- changing ---- */

/* The node does this from now on, in place of an operation of the same type. */
static cudaError_t replace(struct CUgraphNode_st *node, const struct rd_sim_task *operation)
{
    struct rd_sim_task kept;
    if (!node || node->operation.type != operation->type || node->operation.library)
        return cudaErrorInvalidValue;
    cudaError_t error = rd_sim_task_check(operation);
    if (error != cudaSuccess)
        return error;
    if (!rd_sim_task_keep(&kept, operation))
        return cudaErrorMemoryAllocation;
    rd_sim_task_let_go(&node->operation);
    free(node->arguments);
    node->arguments = NULL;
    node->operation = kept;
    return cudaSuccess;
}

/* The node of an executable graph that was made of this one. */
static struct CUgraphNode_st *node_of(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    return exec && node ? rd_sim_graph_copy_of(&exec->graph, node) : NULL;
}

static cudaError_t set_kernel(const struct rd_sim_host_call *call, struct CUgraphNode_st *node,
                              const struct cudaKernelNodeParams *params)
{
    struct rd_sim_task operation;
    cudaError_t error = rd_sim_graph_kernel(call, params, &operation);
    if (error != cudaSuccess)
        return error;
    error = replace(node, &operation);
    rd_sim_kernel_launch_finish(&operation.launch);
    return error;
}

RD_HOOK cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                 const struct cudaKernelNodeParams *params)
{
    RD_BEGIN(cudaGraphKernelNodeSetParams);
    RD_END(set_kernel(&call, node, params));
}

RD_HOOK cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const struct cudaKernelNodeParams *params)
{
    RD_BEGIN(cudaGraphExecKernelNodeSetParams);
    RD_END(set_kernel(&call, node_of(exec, node), params));
}

static cudaError_t set_copy(const struct rd_sim_host_call *call, struct CUgraphNode_st *node,
                            const struct cudaMemcpy3DParms *params)
{
    struct rd_sim_task operation;
    cudaError_t error = rd_sim_graph_copies(call, params, &operation);
    return error == cudaSuccess ? replace(node, &operation) : error;
}

RD_HOOK cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                 const struct cudaMemcpy3DParms *params)
{
    RD_BEGIN(cudaGraphMemcpyNodeSetParams);
    RD_END(set_copy(&call, node, params));
}

RD_HOOK cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const struct cudaMemcpy3DParms *params)
{
    RD_BEGIN(cudaGraphExecMemcpyNodeSetParams);
    RD_END(set_copy(&call, node_of(exec, node), params));
}

static cudaError_t set_line(const struct rd_sim_host_call *call, struct CUgraphNode_st *node,
                            void *to, const void *from, size_t size_bytes, enum cudaMemcpyKind kind)
{
    struct rd_sim_task operation;
    cudaError_t error = rd_sim_graph_line(call, to, from, size_bytes, kind, &operation);
    return error == cudaSuccess ? replace(node, &operation) : error;
}

RD_HOOK cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                                   size_t size_bytes, enum cudaMemcpyKind kind)
{
    RD_BEGIN(cudaGraphMemcpyNodeSetParams1D);
    RD_END(set_line(&call, node, to, from, size_bytes, kind));
}

RD_HOOK cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void *to, const void *from,
                                                       size_t size_bytes, enum cudaMemcpyKind kind)
{
    RD_BEGIN(cudaGraphExecMemcpyNodeSetParams1D);
    RD_END(set_line(&call, node_of(exec, node), to, from, size_bytes, kind));
}

static cudaError_t set_fill(const struct rd_sim_host_call *call, struct CUgraphNode_st *node,
                            const struct cudaMemsetParams *params)
{
    struct rd_sim_task operation;
    cudaError_t error = rd_sim_graph_fills(call, params, &operation);
    return error == cudaSuccess ? replace(node, &operation) : error;
}

RD_HOOK cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                 const struct cudaMemsetParams *params)
{
    RD_BEGIN(cudaGraphMemsetNodeSetParams);
    RD_END(set_fill(&call, node, params));
}

RD_HOOK cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const struct cudaMemsetParams *params)
{
    RD_BEGIN(cudaGraphExecMemsetNodeSetParams);
    RD_END(set_fill(&call, node_of(exec, node), params));
}

static cudaError_t set_host(const struct rd_sim_host_call *call, struct CUgraphNode_st *node,
                            const struct cudaHostNodeParams *params)
{
    struct rd_sim_task operation;
    cudaError_t error = rd_sim_graph_calls(call, params, &operation);
    return error == cudaSuccess ? replace(node, &operation) : error;
}

RD_HOOK cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                               const struct cudaHostNodeParams *params)
{
    RD_BEGIN(cudaGraphHostNodeSetParams);
    RD_END(set_host(&call, node, params));
}

RD_HOOK cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                   const struct cudaHostNodeParams *params)
{
    RD_BEGIN(cudaGraphExecHostNodeSetParams);
    RD_END(set_host(&call, node_of(exec, node), params));
}

RD_HOOK cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                            unsigned is_enabled)
{
    RD_BEGIN(cudaGraphNodeSetEnabled);
    struct CUgraphNode_st *found = node_of(exec, node);
    if (!found || (found->operation.type != cudaGraphNodeTypeKernel &&
                   found->operation.type != cudaGraphNodeTypeMemcpy &&
                   found->operation.type != cudaGraphNodeTypeMemset))
        RD_END(cudaErrorInvalidValue);
    found->is_disabled = !is_enabled;
    RD_END(cudaSuccess);
}

/* Only one attribute changes what a kernel does; the others are hints. */
RD_HOOK cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node,
                                                    cudaLaunchAttributeID attribute,
                                                    const cudaLaunchAttributeValue *value)
{
    RD_BEGIN(cudaGraphKernelNodeSetAttribute);
    if (!node || !value || node->operation.type != cudaGraphNodeTypeKernel)
        RD_END(cudaErrorInvalidValue);
    if (attribute == cudaLaunchAttributeClusterDimension)
        rd_sim_unsimulated("clusters of blocks", "", 0, (void *)call.place.pc);
    if (attribute == cudaLaunchAttributeCooperative)
        node->operation.cooperative = value->cooperative;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node,
                                                    cudaLaunchAttributeID attribute,
                                                    cudaLaunchAttributeValue *value)
{
    RD_BEGIN(cudaGraphKernelNodeGetAttribute);
    if (!node || !value || node->operation.type != cudaGraphNodeTypeKernel)
        RD_END(cudaErrorInvalidValue);
    *value = (cudaLaunchAttributeValue){.pad = {0}};
    if (attribute == cudaLaunchAttributeCooperative)
        value->cooperative = node->operation.cooperative;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    RD_BEGIN(cudaGraphKernelNodeCopyAttributes);
    if (!to || !from || to->operation.type != cudaGraphNodeTypeKernel ||
        from->operation.type != cudaGraphNodeTypeKernel)
        RD_END(cudaErrorInvalidValue);
    to->operation.cooperative = from->operation.cooperative;
    RD_END(cudaSuccess);
}

/* ---- a whole graph in place of that which it was made of ---- */

static bool is_alike(const struct CUgraphNode_st *node, const struct CUgraphNode_st *other)
{
    bool is_alike = node->n_before == other->n_before;
    for (size_t k = 0; is_alike && k < node->n_before; k++)
        is_alike = node->before[k]->index == other->before[k]->index;
    return is_alike;
}

static enum cudaGraphExecUpdateResult compare(const struct CUgraph_st *graph,
                                              const struct CUgraph_st *other, uint64_t *node)
{
    if (graph->n != other->n)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t k = 0; k < graph->n; k++) {
        *node = other->nodes[k]->origin;
        if (!is_alike(graph->nodes[k], other->nodes[k]))
            return cudaGraphExecUpdateErrorTopologyChanged;
        if (graph->nodes[k]->operation.type != other->nodes[k]->operation.type ||
            !graph->nodes[k]->operation.library != !other->nodes[k]->operation.library)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    *node = 0;
    return cudaGraphExecUpdateSuccess;
}

/* Nodes that correspond to each other are made in the same order. */
static void take_over(struct CUgraph_st *graph, struct CUgraph_st *other)
{
    for (size_t k = 0; k < graph->n; k++) {
        struct CUgraphNode_st *node = graph->nodes[k], *from = other->nodes[k];
        const bool renews = node->operation.renews;
        const struct rd_sim_task before = node->operation;
        node->operation = from->operation;
        node->operation.renews = renews;
        from->operation = before; /* and goes with the copy */
    }
}

RD_HOOK cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                        cudaGraphNode_t *node,
                                        enum cudaGraphExecUpdateResult *result)
{
    uint64_t culprit = 0;
    struct CUgraph_st copy = {0};
    RD_BEGIN(cudaGraphExecUpdate);
    if (!exec || !graph || !rd_sim_graph_copy(&copy, graph)) {
        rd_sim_graph_clear(&copy);
        RD_END(cudaErrorInvalidValue);
    }
    const enum cudaGraphExecUpdateResult found = compare(&exec->graph, &copy, &culprit);
    if (found == cudaGraphExecUpdateSuccess)
        take_over(&exec->graph, &copy);
    rd_sim_graph_clear(&copy);
    for (size_t k = 0; node && k < graph->n; k++)
        if (k == 0 || graph->nodes[k]->id == culprit)
            *node = graph->nodes[k]->id == culprit ? graph->nodes[k] : NULL;
    if (result)
        *result = found;
    RD_END(found == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}

/* ---- asking ---- */

static bool is_of(const struct CUgraphNode_st *node, const void *params,
                  enum cudaGraphNodeType type)
{
    return node && params && node->operation.type == type && !node->operation.library;
}

RD_HOOK cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                 struct cudaKernelNodeParams *params)
{
    RD_BEGIN(cudaGraphKernelNodeGetParams);
    if (!is_of(node, params, cudaGraphNodeTypeKernel))
        RD_END(cudaErrorInvalidValue);
    const struct rd_sim_launch *launch = &node->operation.launch;
    if (!launch->function)
        rd_sim_unsimulated("cudaGraphKernelNodeGetParams of a launch that was captured", "", 0,
                           (void *)call.place.pc);
    if (!node->arguments)
        node->arguments = rd_sim_kernel_arguments(launch);
    *params = (struct cudaKernelNodeParams){
        .func = (void *)launch->function,
        .gridDim = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .blockDim = {launch->block[0], launch->block[1], launch->block[2]},
        .sharedMemBytes = (unsigned)launch->shared_bytes,
        .kernelParams = node->arguments,
    };
    RD_END(node->arguments ? cudaSuccess : cudaErrorMemoryAllocation);
}

RD_HOOK cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                                 struct cudaMemsetParams *params)
{
    RD_BEGIN(cudaGraphMemsetNodeGetParams);
    if (!is_of(node, params, cudaGraphNodeTypeMemset))
        RD_END(cudaErrorInvalidValue);
    const struct rd_sim_box *box = &node->operation.box;
    *params = (struct cudaMemsetParams){
        box->to,    box->to_pitch, box->value, box->value_bytes, box->width / box->value_bytes,
        box->height};
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                               struct cudaHostNodeParams *params)
{
    RD_BEGIN(cudaGraphHostNodeGetParams);
    if (!is_of(node, params, cudaGraphNodeTypeHost))
        RD_END(cudaErrorInvalidValue);
    *params = (struct cudaHostNodeParams){node->operation.function, node->operation.data};
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                   struct cudaMemAllocNodeParams *params)
{
    RD_BEGIN(cudaGraphMemAllocNodeGetParams);
    if (!is_of(node, params, cudaGraphNodeTypeMemAlloc))
        RD_END(cudaErrorInvalidValue);
    *params = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {cudaMemLocationTypeDevice, 0}},
        .bytesize = node->operation.size_bytes,
        .dptr = node->operation.memory,
    };
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *memory)
{
    RD_BEGIN(cudaGraphMemFreeNodeGetParams);
    if (!is_of(node, memory, cudaGraphNodeTypeMemFree))
        RD_END(cudaErrorInvalidValue);
    *(void **)memory = node->operation.memory;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                            unsigned *is_enabled)
{
    RD_BEGIN(cudaGraphNodeGetEnabled);
    const struct CUgraphNode_st *found = node_of(exec, node);
    if (!found || !is_enabled)
        RD_END(cudaErrorInvalidValue);
    *is_enabled = !found->is_disabled;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    RD_BEGIN(cudaGraphExecGetFlags);
    if (!exec || !flags)
        RD_END(cudaErrorInvalidValue);
    *flags = exec->flags;
    RD_END(cudaSuccess);
}

/* ---- memory of graphs ---- */

RD_HOOK cudaError_t cudaDeviceGraphMemTrim(int device)
{
    (void)device;
    RD_BEGIN(cudaDeviceGraphMemTrim);
    RD_END(cudaSuccess);
}

/* What a graph frees goes back at once: as much is reserved as is used. */
RD_HOOK cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                                   enum cudaGraphMemAttributeType attribute,
                                                   void *value)
{
    (void)device;
    RD_BEGIN(cudaDeviceGetGraphMemAttribute);
    if (!value)
        RD_END(cudaErrorInvalidValue);
    *(uint64_t *)value = rd_sim_memory_graph_bytes(attribute == cudaGraphMemAttrUsedMemHigh ||
                                                   attribute == cudaGraphMemAttrReservedMemHigh);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                                   enum cudaGraphMemAttributeType attribute,
                                                   void *value)
{
    (void)device;
    RD_BEGIN(cudaDeviceSetGraphMemAttribute);
    if (!value || *(uint64_t *)value != 0 ||
        (attribute != cudaGraphMemAttrUsedMemHigh && attribute != cudaGraphMemAttrReservedMemHigh))
        RD_END(cudaErrorInvalidValue);
    rd_sim_memory_graph_reset();
    RD_END(cudaSuccess);
}
