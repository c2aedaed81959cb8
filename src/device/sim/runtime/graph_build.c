// SPDX-License-Identifier: MIT
/* Graphs that are made node by node. CUDA Runtime API, "Graph Management". */
#include "device/sim/api/hooks.h"
#include "device/sim/runtime/graph.h"
#include "device/sim/runtime/kernels.h"

#include <stdlib.h>

/* ---- graphs that are made node by node ---- */

RD_HOOK cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    RD_BEGIN(cudaGraphCreate);
    if (!graph || flags)
        RD_END(cudaErrorInvalidValue);
    *graph = calloc(1, sizeof **graph);
    RD_END(*graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

RD_HOOK cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    RD_BEGIN(cudaGraphDestroy);
    if (!graph)
        RD_END(cudaErrorInvalidValue);
    rd_sim_graph_clear(graph);
    free(graph);
    RD_END(cudaSuccess);
}
RD_HOOK cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    RD_BEGIN(cudaGraphClone);
    struct CUgraph_st *made = clone && graph ? calloc(1, sizeof *made) : NULL;
    if (!made)
        RD_END(clone && graph ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    if (!rd_sim_graph_copy(made, graph)) {
        rd_sim_graph_clear(made);
        free(made);
        RD_END(cudaErrorInvalidValue);
    }
    *clone = made;
    RD_END(cudaSuccess);
}

static cudaError_t add(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *before,
                       size_t count, const struct rd_sim_task *operation)
{
    if (!made || !graph || (count > 0 && !before))
        return cudaErrorInvalidValue;
    cudaError_t error = rd_sim_task_check(operation);
    if (error != cudaSuccess)
        return error;
    *made = rd_sim_graph_add(graph, before, count, operation);
    return *made ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* ---- operations, as they are described ---- */

cudaError_t rd_sim_graph_kernel(const struct rd_sim_host_call *call,
                                const struct cudaKernelNodeParams *params,
                                struct rd_sim_task *operation)
{
    *operation = (struct rd_sim_task){.type = cudaGraphNodeTypeKernel, .call = *call};
    return params ? rd_sim_kernel_launch(params->func, &params->gridDim, &params->blockDim,
                                         params->kernelParams, params->sharedMemBytes, call,
                                         &operation->launch)
                  : cudaErrorInvalidValue;
}

cudaError_t rd_sim_graph_copies(const struct rd_sim_host_call *call,
                                const struct cudaMemcpy3DParms *params,
                                struct rd_sim_task *operation)
{
    *operation = (struct rd_sim_task){.type = cudaGraphNodeTypeMemcpy, .call = *call};
    return rd_sim_box_of_3d(params, &operation->box) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t rd_sim_graph_line(const struct rd_sim_host_call *call, void *to, const void *from,
                              size_t size_bytes, enum cudaMemcpyKind kind,
                              struct rd_sim_task *operation)
{
    *operation = (struct rd_sim_task){
        .type = cudaGraphNodeTypeMemcpy,
        .call = *call,
        .box = {.to = to, .from = from, .width = size_bytes, .height = 1, .depth = 1, .kind = kind},
    };
    return from ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t rd_sim_graph_fills(const struct rd_sim_host_call *call,
                               const struct cudaMemsetParams *params, struct rd_sim_task *operation)
{
    if (!params ||
        (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
        return cudaErrorInvalidValue;
    *operation = (struct rd_sim_task){
        .type = cudaGraphNodeTypeMemset,
        .call = *call,
        .box = {.to = params->dst,
                .to_pitch =
                    params->height > 1 ? params->pitch : params->width * params->elementSize,
                .width = params->width * params->elementSize,
                .height = params->height,
                .depth = 1,
                .value = params->value,
                .value_bytes = params->elementSize},
    };
    return cudaSuccess;
}

cudaError_t rd_sim_graph_calls(const struct rd_sim_host_call *call,
                               const struct cudaHostNodeParams *params,
                               struct rd_sim_task *operation)
{
    if (!params || !params->fn)
        return cudaErrorInvalidValue;
    *operation = (struct rd_sim_task){.type = cudaGraphNodeTypeHost,
                                      .call = *call,
                                      .function = params->fn,
                                      .data = params->userData};
    return cudaSuccess;
}

/* ---- nodes ---- */

RD_HOOK cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count,
                                           const struct cudaKernelNodeParams *params)
{
    struct rd_sim_task operation;
    RD_BEGIN(cudaGraphAddKernelNode);
    cudaError_t error = rd_sim_graph_kernel(&call, params, &operation);
    if (error == cudaSuccess) {
        error = add(node, graph, before, count, &operation);
        rd_sim_kernel_launch_finish(&operation.launch);
    }
    RD_END(error);
}

RD_HOOK cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count,
                                           const struct cudaMemcpy3DParms *params)
{
    struct rd_sim_task operation;
    RD_BEGIN(cudaGraphAddMemcpyNode);
    cudaError_t error = rd_sim_graph_copies(&call, params, &operation);
    RD_END(error == cudaSuccess ? add(node, graph, before, count, &operation) : error);
}

RD_HOOK cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count, void *to,
                                             const void *from, size_t size_bytes,
                                             enum cudaMemcpyKind kind)
{
    struct rd_sim_task operation;
    RD_BEGIN(cudaGraphAddMemcpyNode1D);
    cudaError_t error = rd_sim_graph_line(&call, to, from, size_bytes, kind, &operation);
    RD_END(error == cudaSuccess ? add(node, graph, before, count, &operation) : error);
}

RD_HOOK cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count,
                                           const struct cudaMemsetParams *params)
{
    struct rd_sim_task operation;
    RD_BEGIN(cudaGraphAddMemsetNode);
    cudaError_t error = rd_sim_graph_fills(&call, params, &operation);
    RD_END(error == cudaSuccess ? add(node, graph, before, count, &operation) : error);
}

RD_HOOK cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                         const cudaGraphNode_t *before, size_t count,
                                         const struct cudaHostNodeParams *params)
{
    struct rd_sim_task operation;
    RD_BEGIN(cudaGraphAddHostNode);
    cudaError_t error = rd_sim_graph_calls(&call, params, &operation);
    RD_END(error == cudaSuccess ? add(node, graph, before, count, &operation) : error);
}

/* Its address is known from now on, and what is copied to or from it is looked at. */
RD_HOOK cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count,
                                             struct cudaMemAllocNodeParams *params)
{
    RD_BEGIN(cudaGraphAddMemAllocNode);
    struct rd_sim_task operation = {.type = cudaGraphNodeTypeMemAlloc, .call = call};
    if (!params || params->bytesize == 0)
        RD_END(cudaErrorInvalidValue);
    cudaError_t error = rd_sim_memory_take_for_graph(&call, &operation.memory, params->bytesize);
    operation.size_bytes = params->bytesize;
    if (error == cudaSuccess)
        error = add(node, graph, before, count, &operation);
    if (error == cudaSuccess)
        params->dptr = operation.memory;
    RD_END(error);
}

RD_HOOK cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *before, size_t count,
                                            void *memory)
{
    RD_BEGIN(cudaGraphAddMemFreeNode);
    if (!memory ||
        (!rd_sim_memory_is_of_graph(memory) && rd_sim_memory_is_not_to_give(&call, memory, false)))
        RD_END(cudaErrorInvalidValue);
    const struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeMemFree,
        .call = call,
        .memory = memory,
        .size_bytes = rd_sim_allocation_at(memory)->size_bytes,
    };
    RD_END(add(node, graph, before, count, &operation));
}

RD_HOOK cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *before, size_t count)
{
    RD_BEGIN(cudaGraphAddEmptyNode);
    const struct rd_sim_task operation = {.type = cudaGraphNodeTypeEmpty, .call = call};
    RD_END(add(node, graph, before, count, &operation));
}

/* The nodes of the child stand between all that it depends on and an empty node, on which depends what depends on it. */
RD_HOOK cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                               const cudaGraphNode_t *before, size_t count,
                                               cudaGraph_t child)
{
    RD_BEGIN(cudaGraphAddChildGraphNode);
    const struct rd_sim_task operation = {.type = cudaGraphNodeTypeEmpty, .call = call};
    if (!child || !graph || child == graph)
        RD_END(cudaErrorInvalidValue);
    size_t first = graph->n;
    if (!rd_sim_graph_copy(graph, child))
        RD_END(cudaErrorInvalidValue);
    size_t behind = graph->n;
    cudaError_t error = add(node, graph, before, count, &operation);
    for (size_t k = first; k < behind && error == cudaSuccess; k++) {
        for (size_t b = 0; b < count; b++)
            rd_sim_node_add_before(graph->nodes[k], before[b]);
        rd_sim_node_add_before(*node, graph->nodes[k]);
    }
    RD_END(error);
}

RD_HOOK cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                             const cudaGraphNode_t *to, size_t count)
{
    RD_BEGIN(cudaGraphAddDependencies);
    if (!graph || (count > 0 && (!from || !to)))
        RD_END(cudaErrorInvalidValue);
    for (size_t k = 0; k < count; k++)
        rd_sim_node_add_before(to[k], from[k]);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                const cudaGraphNode_t *to, size_t count)
{
    RD_BEGIN(cudaGraphRemoveDependencies);
    if (!graph || (count > 0 && (!from || !to)))
        RD_END(cudaErrorInvalidValue);
    for (size_t k = 0; k < count; k++)
        rd_sim_node_drop_before(to[k], from[k]);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    RD_BEGIN(cudaGraphDestroyNode);
    if (!node)
        RD_END(cudaErrorInvalidValue);
    rd_sim_graph_remove(node->graph, node);
    RD_END(cudaSuccess);
}

/* ---- what there is ---- */

static cudaError_t list(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count, bool roots)
{
    size_t n = 0;
    if (!graph || !count)
        return cudaErrorInvalidValue;
    for (size_t k = 0; k < graph->n; k++) {
        if (roots && graph->nodes[k]->n_before > 0)
            continue;
        if (nodes && n < *count)
            nodes[n] = graph->nodes[k];
        n++;
    }
    *count = nodes && n > *count ? *count : n;
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    RD_BEGIN(cudaGraphGetNodes);
    RD_END(list(graph, nodes, count, false));
}

RD_HOOK cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    RD_BEGIN(cudaGraphGetRootNodes);
    RD_END(list(graph, nodes, count, true));
}

/* Of edges, `from` and `to` are filled as far as they are there; *count is then how many were. */
RD_HOOK cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                      size_t *count)
{
    size_t n = 0;
    RD_BEGIN(cudaGraphGetEdges);
    if (!graph || !count || !from != !to)
        RD_END(cudaErrorInvalidValue);
    for (size_t k = 0; k < graph->n; k++)
        for (size_t b = 0; b < graph->nodes[k]->n_before; b++, n++)
            if (from && n < *count) {
                from[n] = graph->nodes[k]->before[b];
                to[n] = graph->nodes[k];
            }
    *count = from && n > *count ? *count : n;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                 size_t *count)
{
    RD_BEGIN(cudaGraphNodeGetDependencies);
    if (!node || !count)
        RD_END(cudaErrorInvalidValue);
    for (size_t k = 0; nodes && k < node->n_before && k < *count; k++)
        nodes[k] = node->before[k];
    *count = nodes && node->n_before > *count ? *count : node->n_before;
    RD_END(cudaSuccess);
}

static bool depends(const struct CUgraphNode_st *node, const struct CUgraphNode_st *on)
{
    for (size_t k = 0; k < node->n_before; k++)
        if (node->before[k] == on)
            return true;
    return false;
}

RD_HOOK cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                   size_t *count)
{
    size_t n = 0;
    RD_BEGIN(cudaGraphNodeGetDependentNodes);
    if (!node || !count)
        RD_END(cudaErrorInvalidValue);
    for (size_t k = 0; k < node->graph->n; k++) {
        if (!depends(node->graph->nodes[k], node))
            continue;
        if (nodes && n < *count)
            nodes[n] = node->graph->nodes[k];
        n++;
    }
    *count = nodes && n > *count ? *count : n;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t node,
                                             cudaGraph_t clone)
{
    RD_BEGIN(cudaGraphNodeFindInClone);
    struct CUgraphNode_st *copy = found && node && clone ? rd_sim_graph_copy_of(clone, node) : NULL;
    if (!copy)
        RD_END(cudaErrorInvalidValue);
    *found = copy;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    RD_BEGIN(cudaGraphNodeGetType);
    if (!node || !type)
        RD_END(cudaErrorInvalidValue);
    *type = node->operation.type;
    RD_END(cudaSuccess);
}
