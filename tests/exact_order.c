// SPDX-License-Identifier: MIT
/* A program that runs, as a graph of what has happened before what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "exact_order.h"

#include "device/sim/api/intrinsics.h"

#include <stdio.h>
#include <string.h>

enum { NODES_MAX = 8192 };

static bool is_shared;

enum node_kind { ACCESS, FENCED, MET, EXITED };

struct node {
    enum node_kind kind;
    unsigned block, thread;
    const struct op *op;
    bool reads, writes, is_strong, of_block;
    uint64_t before[NODES_MAX / 64];
};

/* A release that a read has seen: all up to this node, for this block alone or for all. */
struct release {
    unsigned node, block;
    bool of_block;
};

enum { RELEASES_MAX = 256 };
struct pending {
    struct release releases[RELEASES_MAX];
    unsigned n;
    bool at_barrier;
};

enum { PENDING_MAX = 64, FENCES_MAX = 256 };
static struct thread {
    int last; /* its last node; -1: none */
    struct pending pending[PENDING_MAX];
    unsigned n_pending;
    bool has_exited;
} threads[BLOCKS_MAX][THREADS_MAX];

static struct node nodes[NODES_MAX];
static unsigned n_nodes;
/* The fences that lie before a thread's next node, or before those that it has met at barriers of its block
 * and warp: local order. */
static struct fences {
    unsigned node[FENCES_MAX], n;
} fences[BLOCKS_MAX][THREADS_MAX];
/* The node of each meeting: of a block, or the grid behind them; of a warp; of two sets of its lanes. -1: it
 * has not been told yet. */
static int met[BLOCKS_MAX + 1][PHASES_MAX][3][2];

/* For each byte: its writes in the order in which they happened, and, of each read, from where to where in
 * this list it has seen. */
static struct byte {
    unsigned writes[NODES_MAX], n_writes;
    unsigned accesses[NODES_MAX], n_accesses;
    int seen_from[NODES_MAX], seen_to[NODES_MAX]; /* by node; -1: nothing */
} bytes[BLOCKS_MAX][BYTES];

static bool is_before(unsigned x, unsigned y)
{
    return nodes[y].before[x / 64] >> x % 64 & 1;
}

static void add_before(unsigned y, unsigned x)
{
    for (unsigned k = 0; k <= x / 64; k++)
        nodes[y].before[k] |= nodes[x].before[k];
    nodes[y].before[x / 64] |= (uint64_t)1 << x % 64;
}

static unsigned new_node(enum node_kind kind, unsigned block, unsigned thread)
{
    assert_true(n_nodes < NODES_MAX);
    struct node *node = &nodes[n_nodes];
    memset(node, 0, offsetof(struct node, before) + (n_nodes / 64 + 1) * sizeof(uint64_t));
    node->kind = kind;
    node->block = block;
    node->thread = thread;
    return n_nodes++;
}

/* The thread's next node. */
static unsigned follow(enum node_kind kind, unsigned block, unsigned thread)
{
    struct thread *t = &threads[block][thread];
    unsigned node = new_node(kind, block, thread);
    if (t->last >= 0)
        add_before(node, (unsigned)t->last);
    t->last = (int)node;
    return node;
}

/* Tells whether an operation of one scope reaches the other. */
static bool reaches(unsigned block, bool of_block, unsigned other, bool other_of_block)
{
    return block == other || (!of_block && !other_of_block);
}

/* The acquisitions of the thread that wait come into force at this node. */
static void settle(unsigned block, unsigned thread, unsigned node, bool is_fence, bool of_block)
{
    struct thread *t = &threads[block][thread];
    for (unsigned k = 0; k < t->n_pending; k++) {
        const struct pending *p = &t->pending[k];
        if (!is_fence && !p->at_barrier)
            continue;
        for (unsigned r = 0; r < p->n; r++)
            if (reaches(p->releases[r].block, p->releases[r].of_block, block, of_block))
                add_before(node, p->releases[r].node);
    }
}

static void drop_settled(unsigned block, unsigned thread)
{
    struct thread *t = &threads[block][thread];
    unsigned n = 0;
    for (unsigned k = 0; k < t->n_pending; k++)
        if (!t->pending[k].at_barrier)
            t->pending[n++] = t->pending[k];
    t->n_pending = n;
}

/* ---- accesses ---- */

static bool has_fence(unsigned block, unsigned thread, bool of_device)
{
    const struct fences *f = &fences[block][thread];
    for (unsigned k = 0; k < f->n; k++)
        if (!of_device || !nodes[f->node[k]].of_block)
            return true;
    return false;
}

static void describe(struct node *node)
{
    const struct op *op = node->op;
    bool is_atomic = op->kind == ATOMIC, only_reads = op->compares && op->fails;
    node->reads = op->kind == READ || op->kind == VOLATILE_READ ||
                  (is_atomic && !(op->atomic & RD_SIM_STORES));
    node->writes = op->kind == WRITE || op->kind == VOLATILE_WRITE ||
                   (is_atomic && !(op->atomic & RD_SIM_LOADS) && !only_reads);
    node->is_strong = is_atomic && !(op->atomic & RD_SIM_OF_THREAD);
    node->of_block = is_atomic && op->atomic & RD_SIM_OF_BLOCK;
    if (op->kind == VOLATILE_READ)
        node->is_strong = true;
    if (op->kind == VOLATILE_WRITE) {
        node->is_strong = has_fence(node->block, node->thread, false);
        node->of_block = !has_fence(node->block, node->thread, true);
    }
}

static bool is_morally_strong(const struct node *x, const struct node *y)
{
    return x->is_strong && y->is_strong && reaches(x->block, x->of_block, y->block, y->of_block);
}

static void add_release(struct pending *to, struct release release)
{
    for (unsigned k = 0; k < to->n; k++)
        if (memcmp(&to->releases[k], &release, sizeof release) == 0)
            return;
    assert_true(to->n < RELEASES_MAX);
    to->releases[to->n++] = release;
}

/* Fences that each strong write released: known at the write. */
static struct fences released[NODES_MAX];

static void add_releases(struct pending *to, unsigned write)
{
    const struct node *w = &nodes[write];
    for (unsigned k = 0; k < released[write].n; k++) {
        unsigned fence = released[write].node[k];
        add_release(to, (struct release){fence, nodes[fence].block, nodes[fence].of_block});
    }
    if (w->op->kind == ATOMIC && (w->op->atomic & RD_SIM_RELEASES))
        add_release(to, (struct release){write, w->block, w->of_block});
}

/* The writes of a byte that a strong access goes on with, back to the first that is not strong, or out of reach
 * of the next. What it reads was released by the last of them, and by those before as long as each was read
 * and modified. */
static void look_back(struct byte *byte, unsigned node, struct pending *seen)
{
    const struct node *next = &nodes[node];
    bool reads = next->reads;
    int at = (int)byte->n_writes - 1;
    byte->seen_to[node] = at;
    byte->seen_from[node] = at + 1;
    for (; at >= 0; at--) {
        const struct node *writer = &nodes[byte->writes[at]];
        if (!is_morally_strong(writer, next))
            break;
        byte->seen_from[node] = at;
        if (reads)
            add_releases(seen, byte->writes[at]);
        reads = reads && writer->reads;
        next = writer;
    }
}

static bool acquires_now(const struct op *op)
{
    if (op->kind != ATOMIC)
        return false;
    if (op->atomic & RD_SIM_ACQUIRES)
        return true;
    bool is_compare = op->compares;
    return !(op->atomic & RD_SIM_ORDER_SAID) && !program.by_fence && !is_compare;
}

static bool acquires_at_barrier(const struct op *op)
{
    return !program.by_fence && !(op->kind == ATOMIC && (op->atomic & RD_SIM_ORDER_SAID));
}

static void happen_access(unsigned block, unsigned thread, const struct op *op)
{
    unsigned number = follow(ACCESS, block, thread);
    struct node *node = &nodes[number];
    struct thread *t = &threads[block][thread];
    static struct pending seen;
    node->op = op;
    describe(node);
    seen.n = 0;
    released[number].n = 0;
    if (node->is_strong && node->writes)
        released[number] = fences[block][thread];
    for (unsigned k = op->offset; k < op->offset + op->size; k++) {
        struct byte *byte = &bytes[is_shared ? block : 0][k];
        byte->seen_from[number] = 0;
        byte->seen_to[number] = -1;
        if (node->is_strong)
            look_back(byte, number, &seen);
        byte->accesses[byte->n_accesses++] = number;
        if (node->writes)
            byte->writes[byte->n_writes++] = number;
    }
    if (seen.n == 0)
        return;
    if (acquires_now(op)) {
        for (unsigned r = 0; r < seen.n; r++)
            if (reaches(seen.releases[r].block, seen.releases[r].of_block, block, node->of_block))
                add_before(number, seen.releases[r].node);
    } else {
        assert_true(t->n_pending < PENDING_MAX);
        t->pending[t->n_pending] = seen;
        t->pending[t->n_pending++].at_barrier = acquires_at_barrier(op);
    }
}

static void happen_fence(unsigned block, unsigned thread, const struct op *op)
{
    unsigned node = follow(FENCED, block, thread);
    struct fences *f = &fences[block][thread];
    nodes[node].of_block = op->of_block;
    settle(block, thread, node, true, op->of_block);
    assert_true(f->n < FENCES_MAX);
    f->node[f->n++] = node;
}

void exact_order_happen(unsigned block, unsigned thread, const struct op *op)
{
    if (op->kind == FENCE)
        happen_fence(block, thread, op);
    else
        happen_access(block, thread, op);
}

/* ---- meetings ---- */

/* Adds to one thread's fences those of others. */
static void join_fences(struct fences *to, const struct fences *from)
{
    for (unsigned k = 0; k < from->n; k++) {
        bool known = false;
        for (unsigned m = 0; m < to->n && !known; m++)
            known = to->node[m] == from->node[k];
        assert_true(known || to->n < FENCES_MAX);
        if (!known)
            to->node[to->n++] = from->node[k];
    }
}

/* Tells whether the thread comes to the barrier of this phase, with those of `like`. */
static bool comes(unsigned block, unsigned thread, unsigned phase, unsigned like)
{
    if (program.exits[block][thread] <= phase)
        return false;
    if (program.barriers[phase] == OF_BLOCKS || program.barriers[phase] == OF_THE_GRID)
        return true;
    return thread / 32 == like / 32 &&
           (program.barriers[phase] == OF_WARPS ||
            (program.lanes[phase] >> thread % 32 & 1) == (program.lanes[phase] >> like % 32 & 1));
}

/* Counts an exited thread as come to all barriers of its block. */
static bool counts(unsigned block, unsigned thread, unsigned phase, unsigned like)
{
    bool of_all = program.barriers[phase] == OF_BLOCKS || program.barriers[phase] == OF_THE_GRID;
    return comes(block, thread, phase, like) || (of_all && threads[block][thread].has_exited);
}

static unsigned meet(unsigned block, unsigned thread, unsigned phase)
{
    bool of_grid = program.barriers[phase] == OF_THE_GRID;
    unsigned node = new_node(MET, block, thread);
    static struct fences joined;
    joined.n = 0;
    for (unsigned b = 0; b < program.blocks; b++)
        for (unsigned t = 0; t < program.threads; t++) {
            if ((!of_grid && b != block) || !counts(b, t, phase, thread))
                continue;
            if (threads[b][t].last >= 0)
                add_before(node, (unsigned)threads[b][t].last);
            if (of_grid)
                continue;
            settle(b, t, node, false, false);
            drop_settled(b, t);
            join_fences(&joined, &fences[b][t]);
        }
    for (unsigned t = 0; t < program.threads && !of_grid; t++)
        if (comes(block, t, phase, thread))
            fences[block][t] = joined;
    return node;
}

/* The first thread that goes on tells that all have come. */
void exact_order_pass(unsigned block, unsigned thread, unsigned phase)
{
    enum barrier barrier = program.barriers[phase];
    bool of_warp = barrier == OF_WARPS || barrier == OF_LANES;
    unsigned half = barrier == OF_LANES ? program.lanes[phase] >> thread % 32 & 1 : 0;
    int *node =
        &met[barrier == OF_THE_GRID ? BLOCKS_MAX : block][phase][of_warp ? thread / 32 : 0][half];
    if (*node < 0)
        *node = (int)meet(block, thread, phase);
    threads[block][thread].last = *node;
}

void exact_order_exit(unsigned block, unsigned thread)
{
    threads[block][thread].has_exited = true;
    threads[block][thread].last = (int)follow(EXITED, block, thread);
}

/* ---- the definition ---- */

static bool is_seen(const struct byte *byte, unsigned write, unsigned reader)
{
    for (int at = byte->seen_from[reader]; at <= byte->seen_to[reader]; at++)
        if (byte->writes[at] == write)
            return true;
    return false;
}

/* PTX ISA, "Causality Order". */
static bool is_ordered(const struct byte *byte, unsigned x, unsigned y)
{
    if (is_before(x, y) || is_seen(byte, x, y))
        return true;
    for (unsigned k = 0; k < byte->n_accesses; k++) {
        unsigned z = byte->accesses[k];
        if (z > x && z < y && is_seen(byte, x, z) && is_before(z, y))
            return true;
    }
    return false;
}

static bool is_race(const struct byte *byte, unsigned x, unsigned y)
{
    const struct node *one = &nodes[x], *other = &nodes[y];
    if ((one->block == other->block && one->thread == other->thread) ||
        (!one->writes && !other->writes) || is_morally_strong(one, other))
        return false;
    return !is_ordered(byte, x, y);
}

static const struct byte *byte_of(unsigned block, unsigned offset)
{
    return &bytes[is_shared ? block : 0][offset];
}

bool exact_order_has_raced(unsigned block, unsigned offset)
{
    const struct byte *byte = byte_of(block, offset);
    for (unsigned k = 0; k < byte->n_accesses; k++)
        for (unsigned m = 0; m < k; m++)
            if (is_race(byte, byte->accesses[m], byte->accesses[k]))
                return true;
    return false;
}

static bool is_by(const struct node *node, const struct rd_sim_actor *actor)
{
    return (!actor->thread_known || actor->thread == node->thread) &&
           (!actor->block_known || actor->block == node->block);
}

bool exact_order_have_raced(unsigned block, unsigned offset, const struct rd_sim_actor *actor,
                            const struct rd_sim_actor *other)
{
    const struct byte *byte = byte_of(block, offset);
    for (unsigned k = 0; k < byte->n_accesses; k++)
        for (unsigned m = 0; m < k; m++)
            if (is_by(&nodes[byte->accesses[k]], actor) &&
                is_by(&nodes[byte->accesses[m]], other) &&
                is_race(byte, byte->accesses[m], byte->accesses[k]))
                return true;
    return false;
}

/* ---- beginning, printing ---- */

void exact_order_begin(bool memory_is_shared)
{
    is_shared = memory_is_shared;
    n_nodes = 0;
    memset(met, -1, sizeof met);
    for (unsigned b = 0; b < BLOCKS_MAX; b++) {
        for (unsigned t = 0; t < program.threads; t++) {
            threads[b][t].last = -1;
            threads[b][t].n_pending = 0;
            threads[b][t].has_exited = false;
            fences[b][t].n = 0;
        }
        for (unsigned k = 0; k < BYTES; k++)
            bytes[b][k].n_writes = bytes[b][k].n_accesses = 0;
    }
}

void exact_order_print(unsigned block, unsigned offset)
{
    static const char *const names[] = {
        "", "reads", "writes", "reads volatile", "writes volatile", "atomic", ""};
    const struct byte *byte = byte_of(block, offset);
    for (unsigned k = 0; k < program.phases; k++)
        printf("  phase %u ends with %d, lanes %x\n", k, program.barriers[k], program.lanes[k]);
    for (unsigned k = 0; k < n_nodes; k++) {
        const struct node *n = &nodes[k];
        if (n->kind == ACCESS)
            printf("  %u: block %u thread %u %s %u bytes at %u, bits %x%s\n", k, n->block,
                   n->thread, names[n->op->kind], n->op->size, n->op->offset, n->op->atomic,
                   n->op->compares ? n->op->fails ? ", fails" : ", swaps" : "");
        else if (n->kind == FENCED)
            printf("  %u: block %u thread %u fence%s\n", k, n->block, n->thread,
                   n->of_block ? " of the block" : "");
        else if (n->kind == MET)
            printf("  %u: block %u thread %u met\n", k, n->block, n->thread);
    }
    for (unsigned k = 0; k < byte->n_accesses; k++)
        for (unsigned m = 0; m < k; m++)
            if (is_race(byte, byte->accesses[m], byte->accesses[k]))
                printf("  %u races with %u\n", byte->accesses[m], byte->accesses[k]);
}
