// SPDX-License-Identifier: MIT
/* CUDA Runtime API, "Graph Management" and, of capturing, "Stream Management". */
#include "device/sim/runtime/graphs.h"
#include "base/array.h"
#include "device/sim/api/hooks.h"
#include "device/sim/runtime/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUgraphNode_st {
    struct rd_sim_task operation;
    struct CUgraphNode_st **before; /* what it depends on */
    size_t n_before, before_capacity;
    size_t index; /* in its graph */
    /* In an executable graph: */
    unsigned lane;
    struct rd_sim_moments moments;
};

struct CUgraph_st {
    struct CUgraphNode_st **nodes;
    size_t n, capacity;
    bool is_void; /* its capture has failed */
};

struct CUgraphExec_st {
    struct CUgraph_st graph; /* its nodes stand behind those that they depend on */
};

/* ---- operations that are kept ---- */

static bool keep(struct rd_sim_task *kept, const struct rd_sim_task *operation)
{
    *kept = *operation;
    if (operation->library) {
        kept->library = rd_sim_library_keep(operation->library);
        return kept->library != NULL;
    }
    if (operation->type != cudaGraphNodeTypeKernel)
        return true;
    const struct rd_sim_launch *launch = &operation->launch;
    void *closure = malloc(launch->closure_bytes + 1);
    const void **pointers = malloc((launch->n_pointers + 1) * sizeof *pointers);
    if (!closure || !pointers) {
        free(closure);
        free(pointers);
        return false;
    }
    memcpy(closure, launch->closure, launch->closure_bytes);
    if (launch->n_pointers)
        memcpy(pointers, launch->pointers, launch->n_pointers * sizeof *pointers);
    kept->launch.closure = closure;
    kept->launch.pointers = pointers;
    return true;
}

static void let_go(struct rd_sim_task *kept)
{
    rd_sim_library_let_go(kept->library);
    if (kept->library || kept->type != cudaGraphNodeTypeKernel)
        return;
    free((void *)kept->launch.closure);
    free((void *)kept->launch.pointers);
}

/* ---- nodes ---- */

static bool add_before(struct CUgraphNode_st *node, struct CUgraphNode_st *before)
{
    for (size_t k = 0; k < node->n_before; k++)
        if (node->before[k] == before)
            return true;
    if (!rd_array_make_room(&node->before, node->n_before, &node->before_capacity,
                            sizeof *node->before))
        return false;
    node->before[node->n_before++] = before;
    return true;
}

static void free_node(struct CUgraphNode_st *node)
{
    let_go(&node->operation);
    rd_sim_moments_finish(&node->moments);
    free(node->before);
    free(node);
}

/* NULL without memory. */
static struct CUgraphNode_st *add_node(struct CUgraph_st *graph,
                                       struct CUgraphNode_st *const *before, size_t n_before,
                                       const struct rd_sim_task *operation)
{
    struct CUgraphNode_st *node = calloc(1, sizeof *node);
    if (!node || !keep(&node->operation, operation) ||
        !rd_array_make_room(&graph->nodes, graph->n, &graph->capacity, sizeof *graph->nodes)) {
        free(node);
        return NULL;
    }
    for (size_t k = 0; k < n_before; k++)
        add_before(node, before[k]);
    node->index = graph->n;
    graph->nodes[graph->n++] = node;
    return node;
}

static void clear(struct CUgraph_st *graph)
{
    for (size_t k = 0; k < graph->n; k++)
        free_node(graph->nodes[k]);
    free(graph->nodes);
    *graph = (struct CUgraph_st){0};
}

/* ---- capturing ---- */

static void set_tail(struct CUstream_st *stream, struct CUgraphNode_st *tail)
{
    stream->n_tails = 0;
    if (tail &&
        rd_array_make_room(&stream->tails, 0, &stream->tails_capacity, sizeof *stream->tails))
        stream->tails[stream->n_tails++] = tail;
}

static void add_tail(struct CUstream_st *stream, struct CUgraphNode_st *tail)
{
    for (size_t k = 0; k < stream->n_tails; k++)
        if (stream->tails[k] == tail)
            return;
    if (rd_array_make_room(&stream->tails, stream->n_tails, &stream->tails_capacity,
                           sizeof *stream->tails))
        stream->tails[stream->n_tails++] = tail;
}

cudaError_t rd_sim_capture_fails(struct CUstream_st *stream)
{
    stream->capture->is_void = true;
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t rd_sim_capture_joins(struct CUstream_st *stream, struct CUgraph_st *graph,
                                 struct CUgraphNode_st *const *tails, size_t n_tails)
{
    if (stream->capture && stream->capture != graph) {
        graph->is_void = stream->capture->is_void = true;
        return cudaErrorStreamCaptureMerge;
    }
    if (!stream->capture)
        stream->n_tails = 0;
    stream->capture = graph;
    for (size_t k = 0; k < n_tails; k++)
        add_tail(stream, tails[k]);
    return cudaSuccess;
}

static cudaError_t capture(struct CUstream_st *stream, const struct rd_sim_task *operation)
{
    if (stream->capture->is_void)
        return cudaErrorStreamCaptureInvalidated;
    struct CUgraphNode_st *node =
        add_node(stream->capture, stream->tails, stream->n_tails, operation);
    if (!node)
        return cudaErrorMemoryAllocation;
    set_tail(stream, node);
    return cudaSuccess;
}

static void name_of(const struct rd_sim_task *operation, char name[96])
{
    if (operation->type == cudaGraphNodeTypeKernel && !operation->library)
        snprintf(name, 96, "kernel %.80s", operation->launch.kernel);
    else
        snprintf(name, 96, "%s", operation->call.name);
}

static struct rd_sim_host_place place_of(const struct rd_sim_task *operation)
{
    if (operation->type == cudaGraphNodeTypeKernel && operation->launch.file)
        return (struct rd_sim_host_place){.file = operation->launch.file,
                                          .line = operation->launch.line};
    return operation->call.place;
}

cudaError_t rd_sim_submit(struct CUstream_st *stream, const struct rd_sim_task *operation)
{
    char name[96];
    if (stream->capture)
        return capture(stream, operation);
    cudaError_t error = rd_sim_task_check(operation);
    if (error != cudaSuccess)
        return error;
    const struct rd_sim_host_place place = place_of(operation);
    name_of(operation, name);
    struct rd_sim_step step = rd_sim_stream_step(stream, &place, name);
    error = rd_sim_task_do(operation, &step, rd_sim_stream_may_race(stream));
    rd_sim_step_end(&step);
    return error;
}

RD_HOOK cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    RD_BEGIN(cudaStreamBeginCapture);
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream)
        RD_END(cudaErrorInvalidResourceHandle);
    if (stream->number == 0)
        RD_END(cudaErrorStreamCaptureUnsupported);
    if (stream->capture)
        RD_END(cudaErrorIllegalState);
    stream->capture = calloc(1, sizeof *stream->capture);
    stream->n_tails = 0;
    stream->began_capture = true;
    RD_END(stream->capture ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* Marks a node and all that it depends on. */
static void mark(const struct CUgraphNode_st *node, bool *marked)
{
    if (marked[node->index])
        return;
    marked[node->index] = true;
    for (size_t k = 0; k < node->n_before; k++)
        mark(node->before[k], marked);
}

struct ending {
    struct CUgraph_st *graph;
    bool *joined; /* by the stream that began */
    bool is_unjoined;
};

static void end_on(void *self, struct CUstream_st *stream)
{
    struct ending *ending = self;
    if (stream->capture != ending->graph)
        return;
    for (size_t k = 0; k < stream->n_tails; k++)
        ending->is_unjoined |= !ending->joined[stream->tails[k]->index];
    stream->capture = NULL;
    stream->n_tails = 0;
    stream->began_capture = false;
}

RD_HOOK cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *made)
{
    RD_BEGIN(cudaStreamEndCapture);
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !made)
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (!stream->capture)
        RD_END(cudaErrorIllegalState);
    if (!stream->began_capture)
        RD_END(cudaErrorStreamCaptureUnmatched);
    struct ending ending = {stream->capture, calloc(stream->capture->n + 1, sizeof(bool)), false};
    if (!ending.joined)
        RD_END(cudaErrorMemoryAllocation);
    for (size_t k = 0; k < stream->n_tails; k++)
        mark(stream->tails[k], ending.joined);
    rd_sim_streams_visit(end_on, &ending);
    free(ending.joined);
    *made = NULL;
    if (ending.graph->is_void || ending.is_unjoined) {
        bool is_void = ending.graph->is_void;
        clear(ending.graph);
        free(ending.graph);
        RD_END(is_void ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined);
    }
    *made = ending.graph;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
    RD_BEGIN(cudaStreamIsCapturing);
    const struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !status)
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = !stream->capture           ? cudaStreamCaptureStatusNone
              : stream->capture->is_void ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive;
    RD_END(cudaSuccess);
}

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
    clear(graph);
    free(graph);
    RD_END(cudaSuccess);
}

/* Copies nodes, in an order in which each stands behind what it depends on. False without memory, or where there is none. */
static bool copy_nodes(struct CUgraph_st *to, const struct CUgraph_st *from)
{
    struct CUgraphNode_st **copies = calloc(from->n + 1, sizeof *copies);
    size_t done = 0;
    for (bool goes_on = copies; goes_on && done < from->n;) {
        goes_on = false;
        for (size_t k = 0; k < from->n; k++) {
            const struct CUgraphNode_st *node = from->nodes[k];
            bool is_due = !copies[k];
            for (size_t b = 0; b < node->n_before && is_due; b++)
                is_due = copies[node->before[b]->index];
            if (!is_due || !(copies[k] = add_node(to, NULL, 0, &node->operation)))
                continue;
            for (size_t b = 0; b < node->n_before; b++)
                add_before(copies[k], copies[node->before[b]->index]);
            goes_on = true;
            done++;
        }
    }
    free(copies);
    return done == from->n;
}

RD_HOOK cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    RD_BEGIN(cudaGraphClone);
    struct CUgraph_st *made = clone && graph ? calloc(1, sizeof *made) : NULL;
    if (!made)
        RD_END(clone && graph ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    if (!copy_nodes(made, graph)) {
        clear(made);
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
    *made = add_node(graph, before, count, operation);
    return *made ? cudaSuccess : cudaErrorMemoryAllocation;
}

RD_HOOK cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count,
                                           const struct cudaKernelNodeParams *params)
{
    RD_BEGIN(cudaGraphAddKernelNode);
    struct rd_sim_task operation = {.type = cudaGraphNodeTypeKernel, .call = call};
    if (!params)
        RD_END(cudaErrorInvalidValue);
    cudaError_t error = rd_sim_kernel_launch(params->func, &params->gridDim, &params->blockDim,
                                             params->kernelParams, params->sharedMemBytes, &call,
                                             &operation.launch);
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
    RD_BEGIN(cudaGraphAddMemcpyNode);
    struct rd_sim_task operation = {.type = cudaGraphNodeTypeMemcpy, .call = call};
    if (!rd_sim_box_of_3d(params, &operation.box))
        RD_END(cudaErrorInvalidValue);
    RD_END(add(node, graph, before, count, &operation));
}

RD_HOOK cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count, void *to,
                                             const void *from, size_t size_bytes,
                                             enum cudaMemcpyKind kind)
{
    RD_BEGIN(cudaGraphAddMemcpyNode1D);
    const struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeMemcpy,
        .call = call,
        .box = {.to = to, .from = from, .width = size_bytes, .height = 1, .depth = 1, .kind = kind},
    };
    RD_END(from ? add(node, graph, before, count, &operation) : cudaErrorInvalidValue);
}

RD_HOOK cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count,
                                           const struct cudaMemsetParams *params)
{
    RD_BEGIN(cudaGraphAddMemsetNode);
    if (!params ||
        (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
        RD_END(cudaErrorInvalidValue);
    const struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeMemset,
        .call = call,
        .box = {.to = params->dst,
                .to_pitch =
                    params->height > 1 ? params->pitch : params->width * params->elementSize,
                .width = params->width * params->elementSize,
                .height = params->height,
                .depth = 1,
                .value = params->value,
                .value_bytes = params->elementSize},
    };
    RD_END(add(node, graph, before, count, &operation));
}

RD_HOOK cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                         const cudaGraphNode_t *before, size_t count,
                                         const struct cudaHostNodeParams *params)
{
    RD_BEGIN(cudaGraphAddHostNode);
    if (!params || !params->fn)
        RD_END(cudaErrorInvalidValue);
    const struct rd_sim_task operation = {.type = cudaGraphNodeTypeHost,
                                          .call = call,
                                          .function = params->fn,
                                          .data = params->userData};
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
    if (!copy_nodes(graph, child))
        RD_END(cudaErrorInvalidValue);
    size_t behind = graph->n;
    cudaError_t error = add(node, graph, before, count, &operation);
    for (size_t k = first; k < behind && error == cudaSuccess; k++) {
        for (size_t b = 0; b < count; b++)
            add_before(graph->nodes[k], before[b]);
        add_before(*node, graph->nodes[k]);
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
        add_before(to[k], from[k]);
    RD_END(cudaSuccess);
}

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

RD_HOOK cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    RD_BEGIN(cudaGraphNodeGetType);
    if (!node || !type)
        RD_END(cudaErrorInvalidValue);
    *type = node->operation.type;
    RD_END(cudaSuccess);
}

/* ---- running them ---- */

RD_HOOK cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph,
                                                  unsigned long long flags)
{
    (void)flags;
    RD_BEGIN(cudaGraphInstantiateWithFlags);
    struct CUgraphExec_st *exec = made && graph ? calloc(1, sizeof *exec) : NULL;
    if (!exec)
        RD_END(made && graph ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    if (!copy_nodes(&exec->graph, graph)) {
        clear(&exec->graph);
        free(exec);
        RD_END(cudaErrorInvalidValue);
    }
    for (size_t k = 0; k < exec->graph.n; k++)
        exec->graph.nodes[k]->lane = rd_sim_lane_new();
    *made = exec;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    RD_BEGIN(cudaGraphExecDestroy);
    if (!exec)
        RD_END(cudaErrorInvalidValue);
    clear(&exec->graph);
    free(exec);
    RD_END(cudaSuccess);
}

static cudaError_t run_node(struct CUgraphNode_st *node, const struct CUstream_st *stream,
                            bool may_race)
{
    char name[96];
    const struct rd_sim_host_place place = place_of(&node->operation);
    name_of(&node->operation, name);
    rd_sim_moments_join(&node->moments, &stream->moments);
    for (size_t k = 0; k < node->n_before; k++)
        rd_sim_moments_join(&node->moments, &node->before[k]->moments);
    cudaError_t error = rd_sim_task_check(&node->operation);
    if (error != cudaSuccess)
        return error;
    struct rd_sim_step step = rd_sim_step_begin(node->lane, &node->moments, &place, name);
    error = rd_sim_task_do(&node->operation, &step, may_race);
    rd_sim_step_end(&step);
    return error;
}

static cudaError_t launch(const struct rd_sim_host_call *call, struct CUgraphExec_st *exec,
                          struct CUstream_st *stream)
{
    cudaError_t error = cudaSuccess;
    struct rd_sim_step step = rd_sim_stream_step(stream, &call->place, call->name);
    rd_sim_step_end(&step);
    bool may_race = exec->graph.n > 1 || rd_sim_stream_may_race(stream);
    for (size_t k = 0; k < exec->graph.n && error == cudaSuccess; k++)
        error = run_node(exec->graph.nodes[k], stream, may_race);
    for (size_t k = 0; k < exec->graph.n; k++)
        rd_sim_moments_join(&stream->moments, &exec->graph.nodes[k]->moments);
    return error;
}

RD_HOOK cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle)
{
    RD_BEGIN(cudaGraphLaunch);
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!exec || !stream)
        RD_END(exec ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    if (stream->capture)
        RD_END(rd_sim_capture_fails(stream));
    RD_END(launch(&call, exec, stream));
}

RD_HOOK cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    RD_BEGIN(cudaGraphUpload);
    RD_END(exec && rd_sim_stream_of(stream) ? cudaSuccess : cudaErrorInvalidValue);
}
