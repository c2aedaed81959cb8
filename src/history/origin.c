// SPDX-License-Identifier: MIT
/* How a value came about: the write that put it there, what its thread had read since its write
 * before, and so on back to the inputs. */
#include "history/accesses.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY SIZE_MAX

/* A node, and how to find its children. */
struct growing {
    struct rd_origin node;
    size_t write;        /* the access that wrote it; NOBODY */
    size_t end;          /* its thread's reads come before this access; */
    bool has_reads;      /* if it has any */
    size_t first, count; /* its children, in the list of nodes */
};

struct tree {
    struct rd_history *history;
    const struct rd_access_log *log;
    struct growing *nodes;
    size_t n_nodes, n_max;
};

/* ---- the log, looked at backwards ---- */

static bool is_write(const struct rd_access *access)
{
    return access->op != RD_ACCESS_READ;
}

/* The last write of that element before the access number `end`; NOBODY. Shared memory is a block's,
 * and of one launch. */
static size_t find_write(const struct rd_access_log *log, size_t end, unsigned array, size_t index,
                         uint64_t block, size_t launch)
{
    bool shared = log->list.arrays[array].shared;
    for (size_t k = end; k-- > (shared ? launch : 0);) {
        const struct rd_access *access = &log->list.accesses[k];
        if (access->index == index && access->array == array && is_write(access) &&
            (!shared || access->block == block))
            return k;
    }
    return NOBODY;
}

/* The step whose launch made the access, and where that launch begins. */
static unsigned step_of(const struct rd_access_log *log, size_t k, size_t *launch)
{
    unsigned step = 1;
    while (step < log->steps && k >= log->ends[step])
        step++;
    *launch = log->ends[step - 1];
    return step;
}

/* ---- growing ---- */

/* A node of the element as it was before the access number `end`; false where there is no room. */
static bool add(struct tree *tree, struct growing *parent, unsigned array, size_t index,
                rd_bits value, uint64_t block, size_t end)
{
    const struct rd_access_log *log = tree->log;
    size_t launch = 0;
    if (tree->n_nodes == tree->n_max) {
        parent->node.cut = true;
        return false;
    }
    step_of(log, end, &launch);
    struct growing *it = &tree->nodes[tree->n_nodes++];
    *it = (struct growing){
        .node = {.array = log->list.arrays[array].name,
                 .index = index,
                 .value = value,
                 .input = true,
                 .depth = parent ? parent->node.depth + 1 : 0},
        .write = find_write(log, end, array, index, block, launch),
    };
    if (parent)
        parent->count++;
    if (it->write == NOBODY)
        return true;
    const struct rd_access *write = &log->list.accesses[it->write];
    it->node.input = false;
    it->node.step = step_of(log, it->write, &launch);
    it->node.block = write->block;
    it->node.thread = write->thread;
    it->node.line = write->line;
    it->has_reads = true;
    it->end = it->write;
    return true;
}

/* What an atomic found is what it had not changed yet. */
static void add_found(struct tree *tree, struct growing *it)
{
    const struct rd_access *atomic = &tree->log->list.accesses[it->write];
    struct rd_history_cell cell = {0};
    size_t launch, before;
    step_of(tree->log, it->write, &launch);
    before = find_write(tree->log, it->write, atomic->array, atomic->index, atomic->block, launch);
    if (before != NOBODY)
        cell.value = tree->log->list.accesses[before].value;
    else if (strcmp(it->node.array, "A") == 0)
        rd_history_cell(tree->history, 0, atomic->index, &cell, NULL);
    add(tree, it, atomic->array, atomic->index, cell.value, atomic->block, it->write);
}

/* What the thread had read since its write before, in the order in which it read it. */
static void add_reads(struct tree *tree, struct growing *it)
{
    const struct rd_access *accesses = tree->log->list.accesses;
    size_t launch, first = it->end;
    step_of(tree->log, it->end, &launch);
    for (size_t k = it->end; k-- > launch;) {
        if (accesses[k].thread != it->node.thread || accesses[k].block != it->node.block)
            continue;
        if (is_write(&accesses[k]))
            break;
        first = k;
    }
    for (size_t k = first; k < it->end; k++)
        if (accesses[k].thread == it->node.thread && accesses[k].block == it->node.block &&
            !add(tree, it, accesses[k].array, accesses[k].index, accesses[k].value,
                 accesses[k].block, k))
            return;
}

/* Level by level, so that what does not fit is what is deepest. */
static void grow(struct tree *tree)
{
    for (size_t k = 0; k < tree->n_nodes; k++) {
        struct growing *it = &tree->nodes[k];
        it->first = tree->n_nodes;
        if (it->write != NOBODY && tree->log->list.accesses[it->write].op == RD_ACCESS_ATOMIC)
            add_found(tree, it);
        if (it->has_reads)
            add_reads(tree, it);
        it->node.children = (unsigned)it->count;
    }
}

/* Each node, and behind it its children with all that is theirs. */
static enum rd_status put_in_order(const struct tree *tree, struct rd_origin *nodes,
                                   struct rd_error *error)
{
    size_t *waiting = malloc((tree->n_nodes + 1) * sizeof *waiting), n_waiting = 0, n = 0;
    if (!waiting)
        return rd_history_no_memory(error);
    waiting[n_waiting++] = 0;
    while (n_waiting > 0) {
        const struct growing *it = &tree->nodes[waiting[--n_waiting]];
        nodes[n++] = it->node;
        for (size_t k = it->count; k-- > 0;)
            waiting[n_waiting++] = it->first + k;
    }
    free(waiting);
    return RD_OK;
}

/* ---- the root ---- */

static unsigned array_named(const struct rd_access_log *log, const char *name)
{
    unsigned k = 0;
    while (k < log->list.n_arrays && strcmp(log->list.arrays[k].name, name) != 0)
        k++;
    return k;
}

/* A cell of an array that nobody has accessed is an input; one of a register is what its thread made of
 * what it had read. */
static void plant(struct tree *tree, const struct rd_frame *frame, size_t index, rd_bits value)
{
    const struct rd_access_log *log = tree->log;
    unsigned array = array_named(log, frame->array);
    size_t end = frame->step > 0 ? log->ends[frame->step] : 0;
    bool in_register = frame->inside && frame->place.warp != RD_WHOLE_BLOCK;
    if (!in_register && array < log->list.n_arrays) {
        add(tree, NULL, array, index, value, frame->inside ? frame->place.block : 0, end);
        tree->nodes[0].node.array = frame->array;
        return;
    }
    tree->n_nodes = 1;
    tree->nodes[0] = (struct growing){
        .node = {.array = frame->array, .index = index, .value = value, .input = !in_register},
        .write = NOBODY,
    };
    if (!in_register)
        return;
    struct growing *root = &tree->nodes[0];
    root->node.step = frame->step;
    root->node.block = frame->place.block;
    root->node.thread = (unsigned)frame->place.warp * RD_WARP_LANES + (unsigned)index;
    root->has_reads = true;
    root->end = end;
}

enum rd_status rd_history_origin(struct rd_history *history, size_t frame, size_t index,
                                 struct rd_origin *nodes, size_t n_max, size_t *count,
                                 struct rd_error *error)
{
    struct rd_history_cell cell;
    struct tree tree = {.history = history, .n_max = n_max};
    enum rd_status status = rd_history_cell(history, frame, index, &cell, error);
    if (status == RD_OK && !cell.known && !history->about.witness)
        status = rd_fail(error, RD_ERROR_USAGE, "the value of %s[%zu] is not known at this step",
                         history->frames[frame].frame.array, index);
    if (status == RD_OK && n_max == 0)
        status = rd_fail(error, RD_ERROR_USAGE, "a tree has one node at least");
    if (status == RD_OK)
        status = rd_accesses_log(history, frame, &tree.log, error);
    if (status != RD_OK)
        return status;
    tree.nodes = malloc(n_max * sizeof *tree.nodes);
    if (!tree.nodes)
        return rd_history_no_memory(error);
    plant(&tree, &history->frames[frame].frame, index, cell.value);
    grow(&tree);
    status = put_in_order(&tree, nodes, error);
    if (status == RD_OK)
        *count = tree.n_nodes;
    free(tree.nodes);
    return status;
}
