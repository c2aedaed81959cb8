// SPDX-License-Identifier: MIT
/* Graphs, and their nodes. */
#ifndef RD_SIM_RUNTIME_GRAPH_H
#define RD_SIM_RUNTIME_GRAPH_H

#include "device/sim/runtime/graphs.h"

struct CUgraphNode_st {
    struct rd_sim_task operation;
    struct CUgraphNode_st **before; /* what it depends on */
    size_t n_before, before_capacity;
    struct CUgraph_st *graph;
    size_t index; /* in it */
    uint64_t id,
        origin; /* its number; and that of the node that it is a copy of, of an executable graph or a clone */
    bool is_disabled;
    /* Of a kernel, as cudaGraphKernelNodeGetParams() gives them; NULL: not asked for. */
    void **arguments;
    /* In an executable graph: */
    struct rd_sim_queue queue;
};

struct CUgraph_st {
    struct CUgraphNode_st **nodes;
    size_t n, capacity;
    bool is_void; /* its capture has failed */
};

struct CUgraphExec_st {
    struct CUgraph_st graph; /* its nodes stand behind those that they depend on */
    unsigned long long flags;
};

/* Copies what an operation points to; false without memory. And the end of such a copy. */
bool rd_sim_task_keep(struct rd_sim_task *kept, const struct rd_sim_task *operation);
void rd_sim_task_let_go(struct rd_sim_task *kept);

bool rd_sim_node_add_before(struct CUgraphNode_st *node, struct CUgraphNode_st *before);
/* NULL without memory. */
struct CUgraphNode_st *rd_sim_graph_add(struct CUgraph_st *graph,
                                        struct CUgraphNode_st *const *before, size_t n_before,
                                        const struct rd_sim_task *operation);
void rd_sim_node_drop_before(struct CUgraphNode_st *node, const struct CUgraphNode_st *before);
/* Takes a node away, and what depends on it no longer does. */
void rd_sim_graph_remove(struct CUgraph_st *graph, struct CUgraphNode_st *node);
/* Copies nodes, in an order in which each stands behind what it depends on. False without memory, or where there is none. */
bool rd_sim_graph_copy(struct CUgraph_st *to, const struct CUgraph_st *from);
/* The copy of a node; NULL: there is none. */
struct CUgraphNode_st *rd_sim_graph_copy_of(const struct CUgraph_st *copies,
                                            const struct CUgraphNode_st *node);
void rd_sim_graph_clear(struct CUgraph_st *graph);

/* graph_build.c: an operation as the functions that add nodes describe it. */
cudaError_t rd_sim_graph_kernel(const struct rd_sim_host_call *call,
                                const struct cudaKernelNodeParams *params,
                                struct rd_sim_task *operation);
cudaError_t rd_sim_graph_copies(const struct rd_sim_host_call *call,
                                const struct cudaMemcpy3DParms *params,
                                struct rd_sim_task *operation);
cudaError_t rd_sim_graph_line(const struct rd_sim_host_call *call, void *to, const void *from,
                              size_t size_bytes, enum cudaMemcpyKind kind,
                              struct rd_sim_task *operation);
cudaError_t rd_sim_graph_fills(const struct rd_sim_host_call *call,
                               const struct cudaMemsetParams *params,
                               struct rd_sim_task *operation);
cudaError_t rd_sim_graph_calls(const struct rd_sim_host_call *call,
                               const struct cudaHostNodeParams *params,
                               struct rd_sim_task *operation);

#endif
