// SPDX-License-Identifier: MIT
/* Operations of streams, done at once or captured into graphs; and graphs as they run. CUDA Runtime API, "Graph Management" and,
 * of capturing, "Stream Management". */
#include "device/sim/runtime/graphs.h"
#include "base/array.h"
#include "device/sim/api/hooks.h"
#include "device/sim/runtime/graph.h"

#include <stdio.h>
#include <stdlib.h>

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
        rd_sim_graph_add(stream->capture, stream->tails, stream->n_tails, operation);
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
    stream->captures_into_given = false;
    RD_END(stream->capture ? cudaSuccess : cudaErrorMemoryAllocation);
}

RD_HOOK cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                                  const cudaGraphNode_t *before, const void *edges,
                                                  size_t count, enum cudaStreamCaptureMode mode)
{
    (void)edges, (void)mode;
    RD_BEGIN(cudaStreamBeginCaptureToGraph);
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !graph || (count > 0 && !before))
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (stream->number == 0)
        RD_END(cudaErrorStreamCaptureUnsupported);
    if (stream->capture)
        RD_END(cudaErrorIllegalState);
    stream->capture = graph;
    stream->n_tails = 0;
    for (size_t k = 0; k < count; k++)
        add_tail(stream, before[k]);
    stream->began_capture = stream->captures_into_given = true;
    RD_END(cudaSuccess);
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
    if (!stream || (!made && !stream->captures_into_given))
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
    if (made)
        *made = NULL;
    if (ending.graph->is_void || ending.is_unjoined) {
        bool is_void = ending.graph->is_void;
        ending.graph->is_void = false;
        if (!stream->captures_into_given) {
            rd_sim_graph_clear(ending.graph);
            free(ending.graph);
        }
        RD_END(is_void ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined);
    }
    if (made)
        *made = ending.graph;
    RD_END(cudaSuccess);
}

static enum cudaStreamCaptureStatus status_of(const struct CUstream_st *stream)
{
    return !stream->capture           ? cudaStreamCaptureStatusNone
           : stream->capture->is_void ? cudaStreamCaptureStatusInvalidated
                                      : cudaStreamCaptureStatusActive;
}

RD_HOOK cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t handle,
                                                enum cudaStreamCaptureStatus *status,
                                                unsigned long long *id, cudaGraph_t *graph,
                                                const cudaGraphNode_t **before, size_t *count)
{
    RD_BEGIN(cudaStreamGetCaptureInfo);
    const struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !status)
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = status_of(stream);
    if (*status != cudaStreamCaptureStatusActive)
        RD_END(cudaSuccess);
    if (id)
        *id = (uintptr_t)stream->capture;
    if (graph)
        *graph = stream->capture;
    if (before)
        *before = stream->tails;
    if (count)
        *count = stream->n_tails;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle,
                                                        cudaGraphNode_t *before, size_t count,
                                                        unsigned flags)
{
    RD_BEGIN(cudaStreamUpdateCaptureDependencies);
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !stream->capture)
        RD_END(stream ? cudaErrorIllegalState : cudaErrorInvalidResourceHandle);
    if ((count > 0 && !before) || flags > cudaStreamSetCaptureDependencies)
        RD_END(cudaErrorInvalidValue);
    if (flags == cudaStreamSetCaptureDependencies)
        stream->n_tails = 0;
    for (size_t k = 0; k < count; k++)
        add_tail(stream, before[k]);
    RD_END(cudaSuccess);
}

/* Calls that a capture may forbid in other threads are none that harms here. */
RD_HOOK cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static _Thread_local enum cudaStreamCaptureMode own_mode = cudaStreamCaptureModeGlobal;
    RD_BEGIN(cudaThreadExchangeStreamCaptureMode);
    if (!mode)
        RD_END(cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode before = own_mode;
    own_mode = *mode;
    *mode = before;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
    RD_BEGIN(cudaStreamIsCapturing);
    const struct CUstream_st *stream = rd_sim_stream_of(handle);
    if (!stream || !status)
        RD_END(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = status_of(stream);
    RD_END(cudaSuccess);
}

/* ---- running them ---- */

RD_HOOK cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph,
                                                  unsigned long long flags)
{
    RD_BEGIN(cudaGraphInstantiateWithFlags);
    struct CUgraphExec_st *exec = made && graph ? calloc(1, sizeof *exec) : NULL;
    if (!exec)
        RD_END(made && graph ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    if (!rd_sim_graph_copy(&exec->graph, graph)) {
        rd_sim_graph_clear(&exec->graph);
        free(exec);
        RD_END(cudaErrorInvalidValue);
    }
    exec->flags = flags;
    for (size_t k = 0; k < exec->graph.n; k++)
        exec->graph.nodes[k]->operation.renews = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    *made = exec;
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    RD_BEGIN(cudaGraphExecDestroy);
    if (!exec)
        RD_END(cudaErrorInvalidValue);
    rd_sim_graph_clear(&exec->graph);
    free(exec);
    RD_END(cudaSuccess);
}

static cudaError_t run_node(struct CUgraphNode_st *node, const struct CUstream_st *stream,
                            bool may_race)
{
    char name[96];
    const struct rd_sim_host_place place = place_of(&node->operation);
    name_of(&node->operation, name);
    struct rd_sim_moments *moments = &rd_sim_queue_own(&node->queue)->moments;
    rd_sim_queue_join(moments, &stream->queue);
    for (size_t k = 0; k < node->n_before; k++)
        rd_sim_queue_join(moments, &node->before[k]->queue);
    cudaError_t error = node->is_disabled ? cudaSuccess : rd_sim_task_check(&node->operation);
    if (error != cudaSuccess)
        return error;
    struct rd_sim_step step = rd_sim_step_begin(&node->queue, &place, name);
    if (!node->is_disabled)
        error = rd_sim_task_do(&node->operation, &step, may_race);
    rd_sim_step_end(&step);
    return error;
}

static void join_nodes(struct CUstream_st *stream, const struct CUgraphExec_st *exec)
{
    struct rd_sim_moments *moments = &rd_sim_queue_own(&stream->queue)->moments;
    for (size_t k = 0; k < exec->graph.n; k++)
        rd_sim_queue_join(moments, &exec->graph.nodes[k]->queue);
}

/* A launch is behind what the stream was given before it, and behind the graph's earlier launches: cudaGraphLaunch(). */
static cudaError_t launch(const struct rd_sim_host_call *call, struct CUgraphExec_st *exec,
                          struct CUstream_st *stream)
{
    cudaError_t error = cudaSuccess;
    join_nodes(stream, exec);
    struct rd_sim_step step = rd_sim_stream_step(stream, &call->place, call->name);
    rd_sim_step_end(&step);
    bool may_race = exec->graph.n > 1 || rd_sim_stream_may_race(stream);
    for (size_t k = 0; k < exec->graph.n && error == cudaSuccess; k++)
        error = run_node(exec->graph.nodes[k], stream, may_race);
    join_nodes(stream, exec);
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
