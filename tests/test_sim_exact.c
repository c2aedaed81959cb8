// SPDX-License-Identifier: MIT
/* The race detector against the definition. Random programs of plain, volatile and atomic accesses, fences,
 * barriers of some lanes, of blocks and of the grid, and early exits run under every schedule; what is
 * reported must be exactly what the definition says of all pairs of accesses. The definition is worked out
 * from the order in which the program ran, as a graph: no clock, and no summary.
 *
 * RD_SEED sets the seed, which is printed; RD_PROGRAMS the number of programs (default: 100000). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/core.h"
#include "sim/epochs.h"
#include "sim/intrinsics.h"
#include "sim/memory.h"
#include "sim/random.h"
#include "sim/scheduler.h"
#include "sim/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES = 16,
    BLOCKS_MAX = 3,
    THREADS_MAX = 70,
    PHASES_MAX = 5,
    OPS_MAX = 4, /* of a thread in a phase */
    NODES_MAX = 8192,
};

void __tsan_read1(void *p);
void __tsan_read2(void *p);
void __tsan_read4(void *p);
void __tsan_read8(void *p);
void __tsan_write1(void *p);
void __tsan_write2(void *p);
void __tsan_write4(void *p);
void __tsan_write8(void *p);
void __tsan_volatile_read4(void *p);
void __tsan_volatile_write4(void *p);

/* ---- programs ---- */

enum kind { NOTHING, READ, WRITE, VOLATILE_READ, VOLATILE_WRITE, ATOMIC, FENCE };

struct op {
    enum kind kind;
    unsigned offset, size;
    unsigned atomic; /* bits of enum rd_sim_atomic */
    bool compares, fails;
    bool of_block; /* of a fence */
};

enum barrier { NONE, OF_WARPS, OF_LANES, OF_BLOCKS, OF_THE_GRID };

/* What each thread does in each phase; how a phase ends is the same for all. */
static struct program {
    unsigned blocks, threads, phases;
    enum barrier barriers[PHASES_MAX];
    uint32_t lanes[PHASES_MAX]; /* OF_LANES: these meet, and those that are left meet, too */
    uint8_t exits[BLOCKS_MAX]
                 [THREADS_MAX]; /* in front of the barrier of this phase; phases: never */
    struct op ops[BLOCKS_MAX][THREADS_MAX][PHASES_MAX][OPS_MAX];
} program;
static char *memory; /* global, or shared */
static bool is_shared, by_fence;
static bool epochs_are_few; /* they run out in each block */
static uint64_t state;

static unsigned below(unsigned n)
{
    return (unsigned)(rd_sim_random(&state) % n);
}

static bool one_in(unsigned n)
{
    return below(n) == 0;
}

/* ---- what has happened ---- */

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

/* Whether what is of one scope reaches the other. */
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

/* What fences released by each strong write: known at the write. */
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
    return !(op->atomic & RD_SIM_ORDER_SAID) && !by_fence && !is_compare;
}

static bool acquires_at_barrier(const struct op *op)
{
    return !by_fence && !(op->kind == ATOMIC && (op->atomic & RD_SIM_ORDER_SAID));
}

static void happen(unsigned block, unsigned thread, const struct op *op)
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

/* Whether the thread comes to the barrier of this phase, with those of `like`. */
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

/* Of an exited thread: it has come to all barriers of its block. */
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

/* The thread goes on behind the barrier of the phase. The first that does so tells that all have come. */
static void pass(unsigned block, unsigned thread, unsigned phase)
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

/* ---- running ---- */

static void perform(const struct op *op)
{
    char *p = memory + op->offset;
    uint32_t other;
    static void (*const hooks[2][9])(void *) = {
        {[1] = __tsan_read1, [2] = __tsan_read2, [4] = __tsan_read4, [8] = __tsan_read8},
        {[1] = __tsan_write1, [2] = __tsan_write2, [4] = __tsan_write4, [8] = __tsan_write8}};
    switch (op->kind) {
    case NOTHING:
        break;
    case READ:
    case WRITE:
        hooks[op->kind == WRITE][op->size](p);
        break;
    case VOLATILE_READ:
        __tsan_volatile_read4(p);
        break;
    case VOLATILE_WRITE:
        __tsan_volatile_write4(p);
        break;
    case ATOMIC:
        memcpy(&other, p, sizeof other);
        other += op->fails;
        if (op->compares)
            rd_sim_atomic_cas((int)op->atomic, p, op->size, &other, (void *)perform);
        else
            rd_sim_atomic((int)op->atomic, p, op->size, (void *)perform);
        break;
    case FENCE:
        rd_sim_threadfence(op->of_block);
        break;
    }
}

/* An operation happens when it returns: nobody else has run since it was made. */
static void do_op(const struct op *op)
{
    unsigned block = (unsigned)rd_sim_core.block, thread = rd_sim_core.thread;
    if (op->kind == NOTHING)
        return;
    perform(op);
    if (op->kind == FENCE)
        happen_fence(block, thread, op);
    else
        happen(block, thread, op);
}

static void come_to_barrier(unsigned block, unsigned thread, unsigned phase)
{
    uint32_t lanes = program.lanes[phase];
    switch (program.barriers[phase]) {
    case NONE:
        return;
    case OF_WARPS:
        rd_sim_syncwarp(0xffffffffu, "program", phase);
        break;
    case OF_LANES:
        rd_sim_syncwarp(lanes >> thread % 32 & 1 ? lanes : ~lanes, "program", phase);
        break;
    case OF_BLOCKS:
        rd_sim_syncthreads(0, 0, "program", phase);
        break;
    case OF_THE_GRID:
        rd_sim_grid_sync("program", phase);
        break;
    }
    pass(block, thread, phase);
}

static void run_thread(void *const *arguments)
{
    unsigned block = (unsigned)rd_sim_core.block, thread = rd_sim_core.thread;
    (void)arguments;
    if (epochs_are_few && !rd_sim_core.exact && rd_sim_core.epoch < RD_EPOCH_LAST - 4)
        rd_sim_core.epoch = RD_EPOCH_LAST - block * 7 % 5;
    for (unsigned phase = 0; phase < program.phases; phase++) {
        for (unsigned k = 0; k < OPS_MAX; k++)
            do_op(&program.ops[block][thread][phase][k]);
        if (program.exits[block][thread] == phase)
            break;
        come_to_barrier(block, thread, phase);
    }
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

/* Whether the byte has raced; of a block's shared memory, that of this one. */
static bool has_raced(unsigned block, unsigned offset)
{
    const struct byte *byte = byte_of(block, offset);
    for (unsigned k = 0; k < byte->n_accesses; k++)
        for (unsigned m = 0; m < k; m++)
            if (is_race(byte, byte->accesses[m], byte->accesses[k]))
                return true;
    return false;
}

/* ---- what is reported ---- */

struct pair {
    unsigned block, offset;
    struct rd_sim_actor actor, other;
};
enum { PAIRS_MAX = 4096 };
static struct pair pairs[PAIRS_MAX];
static unsigned n_pairs;
static bool reported[BLOCKS_MAX][BYTES];

static void on_event(const struct rd_sim_event *event)
{
    if (event->class == RD_SIM_UNINITIALISED || event->class == RD_SIM_BARRIER_SKIPPED)
        return;
    assert_int_equal(event->class, RD_SIM_RACE);
    size_t offset = event->address - (uintptr_t)memory;
    unsigned block = is_shared ? (unsigned)event->actor.block : 0;
    for (size_t k = 0; k < event->size_bytes; k++)
        if (event->bytes >> k & 1)
            reported[block][offset + k] = true;
    if (n_pairs < PAIRS_MAX)
        pairs[n_pairs++] =
            (struct pair){block, (unsigned)(offset + (unsigned)__builtin_ctz(event->bytes)),
                          event->actor, event->other};
}

static bool is_by(const struct node *node, const struct rd_sim_actor *actor)
{
    return (!actor->thread_known || actor->thread == node->thread) &&
           (!actor->block_known || actor->block == node->block);
}

/* Whether two threads that are named in a report have raced there. */
static bool is_pair(const struct pair *pair)
{
    const struct byte *byte = byte_of(pair->block, pair->offset);
    for (unsigned k = 0; k < byte->n_accesses; k++)
        for (unsigned m = 0; m < k; m++)
            if (is_by(&nodes[byte->accesses[k]], &pair->actor) &&
                is_by(&nodes[byte->accesses[m]], &pair->other) &&
                is_race(byte, byte->accesses[m], byte->accesses[k]))
                return true;
    return false;
}

/* ---- random programs ---- */

/* What a program is like. */
static struct style {
    bool has_volatile, has_scopes, has_orders, has_compare, has_fences, has_atomics;
    unsigned density, words;
} style;

static unsigned atomic_bits(void)
{
    unsigned bits = 0;
    if (style.has_scopes)
        bits |= one_in(3) ? RD_SIM_OF_BLOCK : one_in(6) ? RD_SIM_OF_THREAD : RD_SIM_OF_GRID;
    if (style.has_orders && one_in(2))
        bits |= RD_SIM_ORDER_SAID | (one_in(3) ? RD_SIM_ACQUIRES : 0) |
                (one_in(3) ? RD_SIM_RELEASES : 0) |
                (one_in(3)   ? RD_SIM_LOADS
                 : one_in(2) ? RD_SIM_STORES
                             : 0);
    return bits;
}

static struct op strong_op(bool writes)
{
    struct op op = {.kind = ATOMIC, .offset = 8 + 4 * below(2), .size = 4};
    if (one_in(8))
        op.offset = 4 * below(4);
    if (style.has_volatile && one_in(2)) {
        op.kind = writes ? VOLATILE_WRITE : VOLATILE_READ;
        return op;
    }
    op.atomic = atomic_bits();
    if (style.has_compare && one_in(3) && !(op.atomic & (RD_SIM_LOADS | RD_SIM_STORES))) {
        op.compares = true;
        op.fails = one_in(2);
        op.atomic |= RD_SIM_TAKES_LOCK;
    }
    return op;
}

static struct op plain_op(void)
{
    struct op op = {.kind = one_in(2) ? READ : WRITE, .size = 4};
    if (one_in(4))
        op.size = 1u << below(4);
    unsigned area = one_in(10) ? BYTES : 4 * style.words;
    if (op.size > area)
        op.size = 4;
    op.offset = below(area / op.size) * op.size;
    return op;
}

static struct op any_op(void)
{
    bool strong = style.has_atomics || style.has_volatile;
    if (style.has_fences && one_in(4))
        return (struct op){.kind = FENCE, .of_block = style.has_scopes && one_in(3)};
    return strong && one_in(2) ? strong_op(one_in(2)) : plain_op();
}

/* A thread's part of a phase: at random, or as one that hands something over, or takes it. */
static void make_ops(struct op ops[OPS_MAX])
{
    const struct op fence = {.kind = FENCE, .of_block = style.has_scopes && one_in(4)};
    bool strong = style.has_atomics || style.has_volatile;
    memset(ops, 0, OPS_MAX * sizeof *ops);
    if (strong && style.has_fences && one_in(3)) {
        ops[0] = plain_op();
        ops[1] = fence;
        ops[2] = strong_op(true);
    } else if (strong && one_in(3)) {
        ops[0] = strong_op(false);
        if (style.has_fences && !one_in(4))
            ops[1] = fence;
        ops[2] = plain_op();
    } else {
        for (unsigned k = 0; k < OPS_MAX; k++)
            if (one_in(style.density))
                ops[k] = any_op();
    }
}

static void make_shape(void)
{
    static const unsigned sizes[] = {2, 3, 33, 34, 64, 70};
    bool exits = one_in(3), partial = one_in(3);
    memset(&program, 0, sizeof program);
    program.blocks = 1 + below(BLOCKS_MAX);
    program.threads = sizes[below(one_in(16) ? 6 : 4)];
    program.phases = 1 + below(PHASES_MAX);
    for (unsigned k = 0; k < program.phases; k++) {
        program.barriers[k] = (enum barrier)below(5);
        if (program.barriers[k] == OF_LANES && !partial)
            program.barriers[k] = NONE;
        program.lanes[k] = one_in(2) ? 0x55555555u : (uint32_t)rd_sim_random(&state);
    }
    for (unsigned b = 0; b < program.blocks; b++)
        for (unsigned t = 0; t < program.threads; t++)
            program.exits[b][t] =
                (uint8_t)(exits && one_in(4) ? below(program.phases) : program.phases);
}

static void make_program(void)
{
    bool many = one_in(32);
    make_shape();
    style = (struct style){
        .has_volatile = one_in(4),
        .has_scopes = one_in(3),
        .has_orders = one_in(4),
        .has_compare = one_in(4),
        .has_fences = one_in(2),
        .has_atomics = !one_in(4),
        .density = 1 + below(4),
        .words = 1 + below(2),
    };
    by_fence = one_in(8);
    if (many) { /* all threads, with little to do */
        style.density = 40;
        for (unsigned b = 0; b < program.blocks; b++)
            for (unsigned t = 0; t < program.threads; t++)
                for (unsigned k = 0; k < program.phases; k++)
                    if (one_in(style.density))
                        program.ops[b][t][k][0] = any_op();
        return;
    }
    for (unsigned n = 2 + below(4); n > 0; n--) {
        unsigned b = below(program.blocks), t = (below(2) * 32 + below(2)) % program.threads;
        for (unsigned k = 0; k < program.phases; k++)
            make_ops(program.ops[b][t][k]);
    }
}

/* For whoever has to find out why. */
static void print_nodes(unsigned block, unsigned offset)
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
    for (unsigned k = 0; k < n_pairs; k++)
        printf("  reported: byte %u, block %u thread %u, block %u thread %u\n", pairs[k].offset,
               (unsigned)pairs[k].actor.block, pairs[k].actor.thread,
               (unsigned)pairs[k].other.block, pairs[k].other.thread);
}

/* ---- comparing ---- */

static void begin(void)
{
    n_nodes = n_pairs = 0;
    memset(reported, 0, sizeof reported);
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

static enum rd_sim_ending run(const struct rd_sim_schedule *schedule, bool exact)
{
    const struct rd_sim_grid grid = {
        .thread = run_thread,
        .grid = {program.blocks, 1, 1},
        .block = {program.threads, 1, 1},
        .cooperative = true,
        .schedule = *schedule,
        .exact = exact,
    };
    begin();
    rd_sim_core.acquires_by_fence = by_fence;
    enum rd_sim_ending ending = rd_sim_run_grid(&grid);
    rd_sim_core.acquires_by_fence = false;
    return ending;
}

static void compare(unsigned number, uint64_t seed, bool exact)
{
    for (unsigned b = 0; b < (is_shared ? program.blocks : 1); b++)
        for (unsigned k = 0; k < BYTES; k++)
            if (has_raced(b, k) != reported[b][k]) {
                print_nodes(b, k);
                fail_msg("RD_SEED=%llu, program %u, %s, byte %u of block %u: %s",
                         (unsigned long long)seed, number, exact ? "exact" : "summary", k, b,
                         reported[b][k] ? "a false alarm" : "a race is missed");
            }
    for (unsigned k = 0; k < n_pairs; k++)
        if (!is_pair(&pairs[k])) {
            print_nodes(pairs[k].block, pairs[k].offset);
            fail_msg("RD_SEED=%llu, program %u, %s: those of report %u have not raced",
                     (unsigned long long)seed, number, exact ? "exact" : "summary", k);
        }
}

static void check_program(unsigned number, uint64_t seed)
{
    const struct rd_sim_schedule schedule = {(enum rd_sim_order)below(RD_SIM_INTERLEAVE + 1),
                                             number};
    enum rd_sim_ending ending = run(&schedule, false);
    if (ending == RD_SIM_ENDED)
        compare(number, seed, false);
    else
        assert_int_equal(ending, RD_SIM_EXACT_WANTED);
    if (ending == RD_SIM_EXACT_WANTED || one_in(2)) {
        assert_int_equal(run(&schedule, true), RD_SIM_ENDED);
        compare(number, seed, true);
    }
}

static unsigned count_programs(unsigned part)
{
    const char *text = getenv("RD_PROGRAMS");
    return (unsigned)((text ? strtoull(text, NULL, 10) : 100000) / part);
}

static void run_programs(char *where, bool shared, unsigned part)
{
    const char *text = getenv("RD_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261122;
    print_message("RD_SEED=%llu\n", (unsigned long long)seed);
    memory = where;
    is_shared = shared;
    state = seed;
    rd_sim_core.on_event = on_event;
    for (unsigned number = 0; number < count_programs(part); number++) {
        make_program();
        check_program(number, seed);
    }
}

static void test_races_in_global_memory_are_those_of_the_definition(void **unused)
{
    (void)unused;
    char *where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    run_programs(where, false, 2);
    rd_sim_memory_free(where);
}

static void test_races_in_shared_memory_are_those_of_the_definition(void **unused)
{
    (void)unused;
    char *where = rd_sim_dynamic_shared();
    rd_sim_shared_dynamic((uintptr_t)where, BYTES);
    run_programs(where, true, 4);
}

/* Epochs are numbered with 26 bits: when they run out, all is forgotten, and nothing goes wrong. */
static void test_races_are_found_when_epochs_run_out(void **unused)
{
    (void)unused;
    char *where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    rd_sim_core.epoch = RD_EPOCH_MAX / 2 - 5000;
    run_programs(where, false, 20);
    assert_true(rd_sim_core.epoch < RD_EPOCH_MAX / 2);
    rd_sim_memory_free(where);
}

/* They may do so within a launch, at any barrier: then no order changes. */
static void test_races_are_found_when_epochs_run_out_within_blocks(void **unused)
{
    (void)unused;
    char *where = rd_sim_dynamic_shared();
    epochs_are_few = true;
    rd_sim_shared_dynamic((uintptr_t)where, BYTES);
    run_programs(where, true, 10);
    where = rd_sim_memory_alloc(BYTES, 8192);
    memset(where, 0, BYTES);
    rd_sim_memory_written(where, BYTES);
    run_programs(where, false, 10);
    rd_sim_memory_free(where);
    epochs_are_few = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races_in_global_memory_are_those_of_the_definition),
        cmocka_unit_test(test_races_in_shared_memory_are_those_of_the_definition),
        cmocka_unit_test(test_races_are_found_when_epochs_run_out),
        cmocka_unit_test(test_races_are_found_when_epochs_run_out_within_blocks),
    };
    if (rd_sim_memory_init(NULL) != RD_OK || rd_sim_shared_init(NULL) != RD_OK)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
