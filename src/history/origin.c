// SPDX-License-Identifier: MIT
/* The origin of a value: the write that left it, the values of which that was made, and so on back to the inputs. */
#include "history/accesses.h"
#include "reductio/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY SIZE_MAX

enum { SIGNS_MAX = 32 }; /* see rd_derivation.minus */

/* A node, and how to find its children. */
struct growing {
    struct rd_origin node;
    size_t left;         /* the access that left it; NOBODY */
    size_t first, count; /* its children, in the list of nodes */
};

struct growth {
    struct rd_history *history;
    const struct rd_access_log *log;
    struct growing *nodes;
    size_t n_nodes, n_max;
    rd_bits nothing;              /* the result of no terms */
    struct rd_derivation sources; /* of the node that grows */
    bool unchecked;               /* some node was not */
    struct rd_origins tree;       /* what it comes to */
};

static const struct rd_access *access_of(const struct growth *growth, size_t k)
{
    return &growth->log->list.accesses[k];
}

static const struct rd_access_array *array_of(const struct growth *growth, size_t k)
{
    return &growth->log->list.arrays[access_of(growth, k)->array];
}

/* ---- the log, looked at backwards ---- */

/* Finds the last write to that element before the access `end`; NOBODY. Shared memory lives for one launch. */
static size_t find_last(const struct rd_access_log *log, size_t end, unsigned array, size_t index,
                        uint64_t block, size_t launch)
{
    bool shared = log->list.arrays[array].shared;
    for (size_t k = end; k-- > (shared ? launch : 0);) {
        const struct rd_access *access = &log->list.accesses[k];
        if (access->index == index && access->array == array && rd_access_leaves(access->op) &&
            (!shared || access->block == block))
            return k;
    }
    return NOBODY;
}

static size_t seen_by(const struct growth *growth, size_t access)
{
    uint32_t seen = growth->log->deriving.seen[access];
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

/* ---- breaks ---- */

/* The last break of the cell behind the round of `write`, or step 0, and before the round `end`; NULL. */
static const struct rd_break *find_break(const struct growth *growth, const struct rd_origin *what,
                                         size_t write, unsigned end)
{
    const struct rd_run *run = &growth->history->run;
    const struct rd_break *found = NULL;
    unsigned first = write == NOBODY ? 0 : step_of(growth->log, write);
    for (unsigned k = 0; k < run->n_breaks && strcmp(what->array, "A") == 0; k++) {
        const struct rd_break *b = &run->breaks[k];
        if (b->kind == RD_BREAK_CELL && b->cell == what->index && b->step >= first &&
            b->step < end && (!found || b->step >= found->step))
            found = b;
    }
    return found;
}

/* ---- growing ---- */

/* The kind of a value that no access left there. */
static enum rd_origin_kind leaf_kind(const struct growth *growth, const struct rd_origin *what,
                                     bool shared)
{
    const struct rd_program *program = growth->history->about.program;
    const bool starts_as_a = rd_program_starts_as_input(program);
    if (shared)
        return RD_ORIGIN_UNWRITTEN;
    bool input =
        rd_access_is_of_input(what->array) || (strcmp(what->array, "A") == 0 && starts_as_a);
    return input ? RD_ORIGIN_INPUT : RD_ORIGIN_START;
}

/* A node of the element as the access `left` has left it, and as it was before the round `end`; false
 * where there is no room. `kind` is that of a leaf. */
static bool add(struct growth *growth, struct growing *parent, const struct rd_origin *what,
                size_t left, unsigned end)
{
    if (growth->n_nodes == growth->n_max) {
        parent->node.cut = true;
        return false;
    }
    struct growing *growing = &growth->nodes[growth->n_nodes++];
    *growing = (struct growing){.node = *what, .left = left};
    const struct rd_break *put = find_break(growth, what, left, end);
    if (put) {
        growing->left = left = NOBODY;
        growing->node.kind = RD_ORIGIN_PUT;
        growing->node.step = put->step;
    }
    if (parent) {
        growing->node.depth = parent->node.depth + 1;
        parent->count++;
    }
    if (left == NOBODY)
        return true;
    const struct rd_access *access = access_of(growth, left);
    growing->node.kind = rd_access_is_of_lane(access->op) ? RD_ORIGIN_REGISTER : RD_ORIGIN_WRITTEN;
    growing->node.step = step_of(growth->log, left);
    growing->node.block = access->block;
    growing->node.thread = access->thread;
    growing->node.line = access->line;
    growing->node.file = access->file;
    growing->node.lacks = access->value != what->value && !growth->history->about.witness;
    return true;
}

/* An atomic found the value that it had not changed yet. */
static void add_found(struct growth *growth, struct growing *growing)
{
    const struct rd_access *atomic = access_of(growth, growing->left);
    size_t before = seen_by(growth, growing->left);
    struct rd_origin found = {.array = growing->node.array, .index = atomic->index};
    const struct rd_break *put = find_break(growth, &found, before, growing->node.step);
    struct rd_history_cell cell = {0};
    found.kind = leaf_kind(growth, &found, array_of(growth, growing->left)->shared);
    if (put)
        cell.value = put->value;
    else if (before != NOBODY)
        cell.value = access_of(growth, before)->value;
    else if (strcmp(found.array, "A") == 0)
        rd_history_cell(growth->history, 0, found.index, &cell, NULL);
    found.value = cell.value;
    add(growth, growing, &found, before, growing->node.step);
}

/* Tells whether a leaf has the value that the history has recorded of it, as an input or at the start. */
static bool is_as_recorded(const struct growth *growth, const struct rd_origin *leaf)
{
    const struct rd_history_about *about = &growth->history->about;
    struct rd_history_cell cell = {.value = 0};
    if (about->witness || (leaf->kind != RD_ORIGIN_INPUT && leaf->kind != RD_ORIGIN_START))
        return true;
    if (strcmp(leaf->array, "A") == 0)
        return rd_history_cell(growth->history, 0, leaf->index, &cell, NULL) != RD_OK ||
               !cell.known || cell.value == leaf->value;
    if (leaf->kind == RD_ORIGIN_START) /* scratch memory, which is cleared */
        return leaf->value == 0;
    if (strcmp(leaf->array, RD_INDICES_NAME) == 0)
        return leaf->value == leaf->index;
    const void *input = leaf->array[0] == 'a' ? about->a : about->b;
    return !input || about->numeric->inputs->load(input, leaf->index) == leaf->value;
}

/* Tells whether it only decides between indices, and is in none of them. */
static bool decides(const struct growth *growth, const struct rd_access_array *array)
{
    const struct rd_history_about *about = &growth->history->about;
    return rd_operation_selects(about->numeric->operation) && strcmp(array->name, "a") == 0;
}

/* A source: what was read or taken, or what was left and kept in a register. */
static bool add_source(struct growth *growth, struct growing *growing, size_t source, bool minus)
{
    const struct rd_access *access = access_of(growth, source);
    const struct rd_access_array *array = array_of(growth, source);
    if (decides(growth, array))
        return true;
    struct rd_origin what = {.array = array->name, .index = access->index, .value = access->value};
    size_t left = rd_access_leaves(access->op) ? source : seen_by(growth, source);
    what.kind = leaf_kind(growth, &what, array->shared);
    what.minus = minus;
    if (access->outside) {
        left = NOBODY;
        what.kind = RD_ORIGIN_OUTSIDE;
    }
    /* The thread's register is as it left it, whatever has come to memory since. */
    return add(growth, growing, &what, left, rd_access_leaves(access->op) ? 0 : growing->node.step);
}

/* Lanes beyond an array, and cells, that only fill up. */
static bool is_zero(const struct growth *growth, size_t left)
{
    const struct rd_weight *weights = growth->log->deriving.weights;
    const struct rd_access *access = access_of(growth, left);
    return weights && growth->history->about.numeric->same(access->value, growth->nothing) &&
           !access->outside && weights[left].of[0] == 0 && weights[left].of[1] == 0;
}

/* Derives the sources of a value. A register shown at a checkpoint, handed on by a shuffle, or added to the 0 of a lane
 * that only fills up, still has the same value: its sources are then those of that value. False without memory. */
static bool derive(struct growth *growth, size_t left)
{
    struct rd_derivation *sources = &growth->sources;
    while (rd_derive(&growth->log->deriving, (uint32_t)left, sources)) {
        const struct rd_access *own = access_of(growth, left), *one;
        size_t count = 0;
        if (!rd_access_is_of_lane(own->op) || sources->state == RD_DERIVED_NOT)
            return true;
        for (size_t k = 0; k < sources->count && !sources->minus; k++)
            if (!is_zero(growth, sources->sources[k]))
                sources->sources[count++] = sources->sources[k];
        sources->count = sources->minus ? sources->count : count;
        one = count == 1 ? access_of(growth, sources->sources[0]) : own;
        if (count != 1 || !rd_access_is_of_lane(one->op) || !rd_access_leaves(one->op) ||
            one->value != own->value)
            return true;
        left = sources->sources[0];
    }
    return false;
}

/* Level by level, so that what does not fit is what is deepest. False where there is no memory. */
static bool grow(struct growth *growth)
{
    const bool sums = !growth->history->about.program->no_witness;
    for (size_t k = 0; k < growth->n_nodes; k++) {
        struct growing *growing = &growth->nodes[k];
        growing->first = growth->n_nodes;
        if (growing->left == NOBODY)
            continue;
        if (k > 0 && is_zero(growth, growing->left)) {
            growing->node.kind = RD_ORIGIN_ZERO;
            continue;
        }
        if (!derive(growth, growing->left))
            return false;
        growing->node.lacks |= growth->sources.state == RD_DERIVED_NOT && sums;
        growth->unchecked |= growth->sources.state != RD_DERIVED;
        if (growth->sources.found)
            add_found(growth, growing);
        for (size_t s = 0; s < growth->sources.count; s++)
            if (!add_source(growth, growing, growth->sources.sources[s],
                            s < SIGNS_MAX && growth->sources.minus >> s & 1))
                break;
        growing->node.children = (unsigned)growing->count;
    }
    return true;
}

/* Each node, and behind it its children with all that is theirs. */
static enum rd_status put_in_order(const struct growth *growth, struct rd_origin *nodes,
                                   struct rd_error *error)
{
    size_t *waiting = malloc((growth->n_nodes + 1) * sizeof *waiting), n_waiting = 0, n = 0;
    if (!waiting)
        return rd_history_no_memory(error);
    waiting[n_waiting++] = 0;
    while (n_waiting > 0) {
        const struct growing *growing = &growth->nodes[waiting[--n_waiting]];
        nodes[n++] = growing->node;
        for (size_t k = growing->count; k-- > 0;)
            waiting[n_waiting++] = growing->first + k;
    }
    free(waiting);
    return RD_OK;
}

/* ---- the whole ---- */

/* Tells, for an operation that selects, whether the value is that of a child, and no child has a better input. Which of
 * equal inputs it must be is up to the expectation of the cell; without the inputs any child may be the best. */
static bool is_selected(const struct growth *growth, const struct growing *growing)
{
    const struct rd_history_about *about = &growth->history->about;
    const struct rd_numeric *inputs = about->numeric->inputs;
    const rd_bits kept = growing->node.value;
    rd_bits best = growth->nodes[growing->first].node.value;
    bool found = false;
    for (size_t k = 0; k < growing->count; k++) {
        const rd_bits value = growth->nodes[growing->first + k].node.value;
        best = about->a ? rd_cell_combine(about->numeric, about->a, about->n_a, best, value) : best;
        found = found || value == kept;
    }
    if (!found || !about->a)
        return found;
    if (best >= about->n_a || kept >= about->n_a)
        return best == kept && kept == rd_numeric_no_index(about->numeric);
    return inputs->same(inputs->load(about->a, best), inputs->load(about->a, kept));
}

/* Accesses are weighed as those of a sum, to which a 0 from nowhere adds nothing; another operation may keep it. */
static bool is_combined(const struct growth *growth, const struct growing *growing)
{
    const struct rd_numeric *numeric = growth->history->about.numeric;
    if (numeric->operation == RD_OPERATION_SUM || growing->count == 0 || growing->node.cut)
        return true;
    if (rd_operation_selects(numeric->operation))
        return is_selected(growth, growing);
    rd_bits value = growth->nodes[growing->first].node.value;
    for (size_t k = 1; k < growing->count; k++)
        value = numeric->combine(value, growth->nodes[growing->first + k].node.value);
    return numeric->same(value, growing->node.value);
}

static void judge(struct growth *growth)
{
    struct rd_origins *tree = &growth->tree;
    bool lacks = false, cut = false;
    for (size_t k = 0; k < growth->n_nodes; k++) {
        struct rd_origin *node = &growth->nodes[k].node;
        node->lacks |= !is_as_recorded(growth, node) || !is_combined(growth, &growth->nodes[k]);
        cut |= node->cut;
        lacks |=
            node->lacks || node->kind == RD_ORIGIN_OUTSIDE || node->kind == RD_ORIGIN_UNWRITTEN;
    }
    *tree = (struct rd_origins){
        .count = growth->n_nodes,
        .extent = lacks               ? RD_ORIGINS_LACK
                  : cut               ? RD_ORIGINS_CUT
                  : growth->unchecked ? RD_ORIGINS_UNCHECKED
                                      : RD_ORIGINS_WHOLE,
    };
    if (tree->extent != RD_ORIGINS_UNCHECKED)
        return;
    if (!growth->log->deriving.weights)
        snprintf(tree->why, sizeof tree->why, "%s", growth->log->unweighed);
    else
        snprintf(tree->why, sizeof tree->why, "it is no plain sum of what was read");
}

/* The number of the array that the frame shows; of registers, of those of its warp. */
static unsigned array_shown(const struct rd_access_log *log, const struct rd_frame *frame)
{
    unsigned k = 0;
    while (k < log->list.n_arrays && !rd_frame_shows(frame, &log->list.arrays[k]))
        k++;
    return k;
}

/* A cell of an array that nobody has accessed is a leaf. */
static void plant(struct growth *growth, const struct rd_frame *frame, size_t index, rd_bits value)
{
    const struct rd_access_log *log = growth->log;
    struct rd_origin what = {.array = frame->array, .index = index, .value = value};
    unsigned array = array_shown(log, frame);
    size_t left = NOBODY;
    if (array < log->list.n_arrays && frame->step > 0)
        left = find_last(log, log->ends[frame->step], array, index,
                         frame->inside ? frame->place.block : 0, log->ends[frame->step - 1]);
    what.kind = leaf_kind(growth, &what, frame->inside);
    add(growth, NULL, &what, left, frame->step + !frame->inside);
}

enum rd_status rd_history_origin(struct rd_history *history, size_t frame, size_t index,
                                 struct rd_origin *nodes, size_t n_max, struct rd_origins *tree,
                                 struct rd_error *error)
{
    struct rd_history_cell cell;
    struct growth growth = {.history = history, .n_max = n_max};
    const struct rd_numeric *numeric = history->about.numeric;
    rd_operation_identity(numeric->operation, numeric, &growth.nothing);
    enum rd_status status = rd_history_cell(history, frame, index, &cell, error);
    if (status == RD_OK && !cell.known && !history->about.witness)
        status = rd_fail(error, RD_ERROR_USAGE, "the value of %s[%zu] is not known at this step",
                         history->frames[frame].frame.array, index);
    if (status == RD_OK && n_max == 0)
        status = rd_fail(error, RD_ERROR_USAGE, "a tree has one node at least");
    if (status == RD_OK)
        status = rd_accesses_log(history, frame, &growth.log, error);
    if (status != RD_OK)
        return status;
    growth.nodes = malloc(n_max * sizeof *growth.nodes);
    if (!growth.nodes)
        return rd_history_no_memory(error);
    plant(&growth, &history->frames[frame].frame, index, cell.value);
    status = grow(&growth) ? RD_OK : rd_history_no_memory(error);
    judge(&growth);
    if (status == RD_OK)
        status = put_in_order(&growth, nodes, error);
    if (status == RD_OK)
        *tree = growth.tree;
    free(growth.nodes);
    rd_derivation_finish(&growth.sources);
    return status;
}
