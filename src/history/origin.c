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
    size_t write;                  /* the access that wrote it; NOBODY */
    size_t reads_first, reads_end; /* what was read for it: places in the log's order */
    size_t first, count;           /* its children, in the list of nodes */
};

struct tree {
    struct rd_history *history;
    const struct rd_access_log *log;
    struct growing *nodes;
    size_t n_nodes, n_max;
};

/* ---- the log, looked at backwards ---- */

/* The last write of that element in the launches before `end`; NOBODY. Shared memory is a block's, and
 * of one launch. */
static size_t find_last_write(const struct rd_access_log *log, size_t end, unsigned array,
                              size_t index, uint64_t block, size_t launch)
{
    bool shared = log->list.arrays[array].shared;
    for (size_t k = end; k-- > (shared ? launch : 0);) {
        const struct rd_access *access = &log->list.accesses[k];
        if (access->index == index && access->array == array && access->op != RD_ACCESS_READ &&
            (!shared || access->block == block))
            return k;
    }
    return NOBODY;
}

static size_t write_seen_by(const struct rd_access_log *log, size_t access)
{
    uint32_t seen = log->links->seen[access];
    return seen == RD_NO_ACCESS ? NOBODY : seen;
}

/* The step whose launch made the access. */
static unsigned step_of(const struct rd_access_log *log, size_t k)
{
    unsigned step = 1;
    while (step < log->steps && k >= log->ends[step])
        step++;
    return step;
}

/* The thread of the node has read something before that place of the order, in the launch of its step:
 * since its write before. */
static void find_reads(const struct rd_access_log *log, struct growing *it, size_t end)
{
    size_t k = end, launch = log->ends[it->node.step - 1];
    for (; k > launch; k--) {
        const struct rd_access *access = &log->list.accesses[log->list.order[k - 1]];
        if (access->op != RD_ACCESS_READ || access->thread != it->node.thread ||
            access->block != it->node.block)
            break;
    }
    it->reads_first = k;
    it->reads_end = end;
}

/* ---- breaks ---- */

/* The last break of the cell behind the round of `write`, or step 0, and before the round `end`; NULL. */
static const struct rd_break *find_break(const struct tree *tree, const struct rd_origin *what,
                                         size_t write, unsigned end)
{
    const struct rd_run *run = &tree->history->run;
    const struct rd_break *found = NULL;
    unsigned first = write == NOBODY ? 0 : step_of(tree->log, write);
    for (unsigned k = 0; k < run->n_breaks && strcmp(what->array, "A") == 0; k++) {
        const struct rd_break *b = &run->breaks[k];
        if (b->kind == RD_BREAK_CELL && b->cell == what->index && b->step >= first &&
            b->step < end && (!found || b->step >= found->step))
            found = b;
    }
    return found;
}

/* ---- growing ---- */

/* A node of the element as the access `write` has left it, and as it was before the round `end`; false
 * where there is no room. */
static bool add(struct tree *tree, struct growing *parent, const struct rd_origin *what,
                size_t write, unsigned end)
{
    const struct rd_access_log *log = tree->log;
    if (tree->n_nodes == tree->n_max) {
        parent->node.cut = true;
        return false;
    }
    struct growing *it = &tree->nodes[tree->n_nodes++];
    *it = (struct growing){.node = *what, .write = write};
    const struct rd_break *put = find_break(tree, what, write, end);
    if (put) {
        it->write = write = NOBODY;
        it->node.put = true;
        it->node.step = put->step;
    }
    it->node.input = write == NOBODY && !put && !what->outside;
    if (parent) {
        it->node.depth = parent->node.depth + 1;
        parent->count++;
    }
    if (write == NOBODY)
        return true;
    const struct rd_access *access = &log->list.accesses[write];
    it->node.step = step_of(log, write);
    it->node.block = access->block;
    it->node.thread = access->thread;
    it->node.line = access->line;
    find_reads(log, it, log->links->position[write]);
    return true;
}

/* What an atomic found is what it had not changed yet. */
static void add_found(struct tree *tree, struct growing *it)
{
    const struct rd_access *accesses = tree->log->list.accesses;
    const struct rd_access *atomic = &accesses[it->write];
    size_t before = write_seen_by(tree->log, it->write);
    struct rd_origin found = {.array = it->node.array, .index = atomic->index};
    const struct rd_break *put = find_break(tree, &found, before, it->node.step);
    struct rd_history_cell cell = {0};
    if (put)
        cell.value = put->value;
    else if (before != NOBODY)
        cell.value = accesses[before].value;
    else if (strcmp(found.array, "A") == 0)
        rd_history_cell(tree->history, 0, found.index, &cell, NULL);
    found.value = cell.value;
    add(tree, it, &found, before, it->node.step);
}

/* What the thread had read since its write before, in the order in which it read it. */
static void add_reads(struct tree *tree, struct growing *it)
{
    const struct rd_access_log *log = tree->log;
    for (size_t k = it->reads_first; k < it->reads_end; k++) {
        size_t number = log->list.order[k];
        const struct rd_access *read = &log->list.accesses[number];
        const struct rd_origin what = {.array = log->list.arrays[read->array].name,
                                       .index = read->index,
                                       .value = read->value,
                                       .outside = read->outside};
        size_t write = read->outside ? NOBODY : write_seen_by(log, number);
        if (!add(tree, it, &what, write, it->node.step))
            return;
    }
}

/* Level by level, so that what does not fit is what is deepest. */
static void grow(struct tree *tree)
{
    for (size_t k = 0; k < tree->n_nodes; k++) {
        struct growing *it = &tree->nodes[k];
        it->first = tree->n_nodes;
        if (it->write != NOBODY && tree->log->list.accesses[it->write].op == RD_ACCESS_ATOMIC)
            add_found(tree, it);
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

/* A register of a lane: what the lane's thread made of what it had read. */
static void plant_register(struct tree *tree, const struct rd_frame *frame, struct growing *root)
{
    const struct rd_access_log *log = tree->log;
    root->node.input = false;
    root->node.step = frame->step;
    root->node.block = frame->place.block;
    root->node.thread = (unsigned)frame->place.warp * RD_WARP_LANES + (unsigned)root->node.index;
    for (size_t t = log->list.n_threads; t-- > 0;) {
        const struct rd_access_thread *thread = &log->list.threads[t];
        if (thread->first < log->ends[frame->step - 1])
            break;
        if (thread->thread == root->node.thread && thread->block == root->node.block)
            find_reads(log, root, thread->first + thread->count);
    }
}

/* A cell of an array that nobody has accessed is an input. */
static void plant(struct tree *tree, const struct rd_frame *frame, size_t index, rd_bits value)
{
    const struct rd_access_log *log = tree->log;
    const struct rd_origin what = {.array = frame->array, .index = index, .value = value};
    unsigned array = array_named(log, frame->array);
    bool in_register = frame->inside && frame->place.warp != RD_WHOLE_BLOCK;
    size_t write = NOBODY;
    if (!in_register && array < log->list.n_arrays && frame->step > 0)
        write = find_last_write(log, log->ends[frame->step], array, index,
                                frame->inside ? frame->place.block : 0, log->ends[frame->step - 1]);
    add(tree, NULL, &what, write, frame->step + !frame->inside);
    if (in_register)
        plant_register(tree, frame, &tree->nodes[0]);
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
