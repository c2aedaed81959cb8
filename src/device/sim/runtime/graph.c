// SPDX-License-Identifier: MIT
/* Graphs: their nodes, made, copied and freed. */
#include "device/sim/runtime/graph.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- operations that are kept ---- */

bool rd_sim_task_keep(struct rd_sim_task *kept, const struct rd_sim_task *operation)
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

void rd_sim_task_let_go(struct rd_sim_task *kept)
{
    rd_sim_library_let_go(kept->library);
    if (kept->library || kept->type != cudaGraphNodeTypeKernel)
        return;
    free((void *)kept->launch.closure);
    free((void *)kept->launch.pointers);
}

/* ---- nodes ---- */

static uint64_t nodes_made;

bool rd_sim_node_add_before(struct CUgraphNode_st *node, struct CUgraphNode_st *before)
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
    rd_sim_task_let_go(&node->operation);
    rd_sim_queue_finish(&node->queue);
    free(node->before);
    free(node->arguments);
    free(node);
}

/* NULL without memory. */
struct CUgraphNode_st *rd_sim_graph_add(struct CUgraph_st *graph,
                                        struct CUgraphNode_st *const *before, size_t n_before,
                                        const struct rd_sim_task *operation)
{
    struct CUgraphNode_st *node = calloc(1, sizeof *node);
    if (!node || !rd_sim_task_keep(&node->operation, operation) ||
        !rd_array_make_room(&graph->nodes, graph->n, &graph->capacity, sizeof *graph->nodes)) {
        free(node);
        return NULL;
    }
    for (size_t k = 0; k < n_before; k++)
        rd_sim_node_add_before(node, before[k]);
    node->graph = graph;
    node->index = graph->n;
    node->id = node->origin = ++nodes_made;
    graph->nodes[graph->n++] = node;
    return node;
}

void rd_sim_node_drop_before(struct CUgraphNode_st *node, const struct CUgraphNode_st *before)
{
    size_t n = 0;
    for (size_t k = 0; k < node->n_before; k++)
        if (node->before[k] != before)
            node->before[n++] = node->before[k];
    node->n_before = n;
}

void rd_sim_graph_remove(struct CUgraph_st *graph, struct CUgraphNode_st *node)
{
    const size_t at = node->index;
    for (size_t k = 0; k < graph->n; k++)
        rd_sim_node_drop_before(graph->nodes[k], node);
    for (size_t k = at + 1; k < graph->n; k++) {
        graph->nodes[k - 1] = graph->nodes[k];
        graph->nodes[k - 1]->index = k - 1;
    }
    graph->n--;
    free_node(node);
}

void rd_sim_graph_clear(struct CUgraph_st *graph)
{
    for (size_t k = 0; k < graph->n; k++)
        free_node(graph->nodes[k]);
    free(graph->nodes);
    *graph = (struct CUgraph_st){0};
}

/* Copies nodes, in an order in which each stands behind what it depends on. False without memory, or where there is none. */
bool rd_sim_graph_copy(struct CUgraph_st *to, const struct CUgraph_st *from)
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
            if (!is_due || !(copies[k] = rd_sim_graph_add(to, NULL, 0, &node->operation)))
                continue;
            copies[k]->origin = node->id;
            copies[k]->is_disabled = node->is_disabled;
            for (size_t b = 0; b < node->n_before; b++)
                rd_sim_node_add_before(copies[k], copies[node->before[b]->index]);
            goes_on = true;
            done++;
        }
    }
    free(copies);
    return done == from->n;
}

struct CUgraphNode_st *rd_sim_graph_copy_of(const struct CUgraph_st *copies,
                                            const struct CUgraphNode_st *node)
{
    for (size_t k = 0; k < copies->n; k++)
        if (copies->nodes[k]->origin == node->id)
            return copies->nodes[k];
    return NULL;
}
