// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/causality.h"
#include "device/sim/detect/races.h"
#include "device/sim/engine/engine_internal.h"

#include <stdlib.h>
#include <string.h>

/* A leaf has no bit. A branch tells its keys apart by this bit; above it, all are as its prefix. */
struct rd_sim_clock {
    uint64_t prefix; /* of a leaf, the key */
    uint64_t bit;
    union {
        const struct rd_sim_clock *children[2]; /* by the bit */
        unsigned bound;
        const struct rd_sim_clock *moved; /* while clocks are collected: where it is now */
    };
};

/* ---- keys ---- */

/* Keys of a block's threads lie side by side, so that they are one branch of a tree. */
enum { KEY_BITS = 11, THREADS = 1024, WARPS = 32 };

uint64_t rd_sim_clock_thread(uint64_t block, unsigned thread)
{
    return block << KEY_BITS | thread;
}

uint64_t rd_sim_clock_warp(uint64_t block, unsigned warp)
{
    return block << KEY_BITS | (THREADS + warp);
}

uint64_t rd_sim_clock_block(uint64_t block)
{
    return block << KEY_BITS | (THREADS + WARPS);
}

/* ---- memory ---- */

enum { CHUNK_NODES = 1 << 14 };
/* Number of nodes until the first collection. */
#define MANY ((size_t)1 << 20)

struct rd_sim_clocks_state {
    struct arena {
        struct chunk {
            struct chunk *next;
            struct rd_sim_clock nodes[CHUNK_NODES];
        } * chunks;
        size_t n_last; /* nodes of the first chunk that are in use */
        size_t n;      /* of all */
    } arena;
    size_t n_kept; /* nodes, after the last collection */
    bool failed;
};

/* NULL without memory: who then knows too little is told by rd_sim_clocks_failed. */
static struct rd_sim_clock *new_node(void)
{
    struct rd_sim_clocks_state *own = rd_sim_here->clocks;
    if (!own->arena.chunks || own->arena.n_last == CHUNK_NODES) {
        struct chunk *chunk = malloc(sizeof *chunk);
        if (!chunk) {
            own->failed = true;
            return NULL;
        }
        chunk->next = own->arena.chunks;
        own->arena.chunks = chunk;
        own->arena.n_last = 0;
    }
    own->arena.n++;
    return &own->arena.chunks->nodes[own->arena.n_last++];
}

static void free_chunks(struct chunk *chunk)
{
    while (chunk) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

static const struct rd_sim_clock *leaf(uint64_t key, unsigned bound)
{
    struct rd_sim_clock *node = new_node();
    if (node)
        *node = (struct rd_sim_clock){.prefix = key, .bound = bound};
    return node;
}

static unsigned side_of(uint64_t key, uint64_t bit)
{
    return (key & bit) != 0;
}

/* Bits of the key above the given one. */
static uint64_t above(uint64_t key, uint64_t bit)
{
    return key & ~(bit | (bit - 1));
}

static const struct rd_sim_clock *branch(uint64_t key, uint64_t bit,
                                         const struct rd_sim_clock *first,
                                         const struct rd_sim_clock *second)
{
    struct rd_sim_clock *node = new_node();
    if (node)
        *node = (struct rd_sim_clock){
            .prefix = above(key, bit), .bit = bit, .children = {first, second}};
    return node;
}

/* ---- operations ---- */

unsigned rd_sim_clock_bound(const struct rd_sim_clock *clock, uint64_t key)
{
    while (clock && clock->bit)
        clock = above(key, clock->bit) == clock->prefix ? clock->children[side_of(key, clock->bit)]
                                                        : NULL;
    return clock && clock->prefix == key ? clock->bound : 0;
}

/* Two trees of which no key of one could be in the other. */
static const struct rd_sim_clock *side_by_side(const struct rd_sim_clock *x,
                                               const struct rd_sim_clock *y)
{
    uint64_t bit = (uint64_t)1 << (63 - __builtin_clzll(x->prefix ^ y->prefix));
    bool x_first = side_of(x->prefix, bit) == 0;
    return branch(x->prefix, bit, x_first ? x : y, x_first ? y : x);
}

/* `part` belongs to one side of `whole`. */
static const struct rd_sim_clock *join_below(const struct rd_sim_clock *whole,
                                             const struct rd_sim_clock *part)
{
    unsigned side = side_of(part->prefix, whole->bit);
    const struct rd_sim_clock *joined = rd_sim_clock_join(whole->children[side], part);
    if (joined == whole->children[side])
        return whole;
    return branch(whole->prefix, whole->bit, side ? whole->children[0] : joined,
                  side ? joined : whole->children[1]);
}

static const struct rd_sim_clock *join_sides(const struct rd_sim_clock *x,
                                             const struct rd_sim_clock *y)
{
    const struct rd_sim_clock *first = rd_sim_clock_join(x->children[0], y->children[0]);
    const struct rd_sim_clock *second = rd_sim_clock_join(x->children[1], y->children[1]);
    if (first == x->children[0] && second == x->children[1])
        return x;
    if (first == y->children[0] && second == y->children[1])
        return y;
    return branch(x->prefix, x->bit, first, second);
}

const struct rd_sim_clock *rd_sim_clock_join(const struct rd_sim_clock *x,
                                             const struct rd_sim_clock *y)
{
    if (!x || !y || x == y)
        return x ? x : y;
    if (x->bit == y->bit && x->prefix == y->prefix) {
        if (x->bit)
            return join_sides(x, y);
        return x->bound >= y->bound ? x : y;
    }
    if (x->bit > y->bit && above(y->prefix, x->bit) == x->prefix)
        return join_below(x, y);
    if (y->bit > x->bit && above(x->prefix, y->bit) == y->prefix)
        return join_below(y, x);
    return side_by_side(x, y);
}

const struct rd_sim_clock *rd_sim_clock_with(const struct rd_sim_clock *clock, uint64_t key,
                                             unsigned bound)
{
    return rd_sim_clock_bound(clock, key) >= bound ? clock
                                                   : rd_sim_clock_join(clock, leaf(key, bound));
}

const struct rd_sim_clock *rd_sim_clock_without(const struct rd_sim_clock *clock, uint64_t block)
{
    uint64_t key = block << KEY_BITS;
    if (!clock)
        return NULL;
    if (clock->bit >> KEY_BITS == 0) /* all its keys are of one block */
        return clock->prefix >> KEY_BITS == block ? NULL : clock;
    if (above(key, clock->bit) != clock->prefix)
        return clock;
    unsigned side = side_of(key, clock->bit);
    const struct rd_sim_clock *rest = rd_sim_clock_without(clock->children[side], block);
    if (rest == clock->children[side])
        return clock;
    if (!rest)
        return clock->children[!side];
    return branch(clock->prefix, clock->bit, side ? clock->children[0] : rest,
                  side ? rest : clock->children[1]);
}

/* ---- collection ---- */

bool rd_sim_clocks_are_many(void)
{
    struct rd_sim_clocks_state *own = rd_sim_here->clocks;
    return own->arena.n > MANY && own->arena.n > 2 * own->n_kept;
}

#define MOVED UINT64_MAX

static const struct rd_sim_clock *move(const struct rd_sim_clock *clock)
{
    if (!clock || clock->bit == MOVED)
        return clock ? clock->moved : NULL;
    struct rd_sim_clock *old = (struct rd_sim_clock *)(uintptr_t)clock, *node = new_node();
    if (!node)
        return NULL;
    *node = *old;
    for (unsigned side = 0; side < 2 && node->bit; side++)
        node->children[side] = move(node->children[side]);
    old->bit = MOVED;
    old->moved = node;
    return node;
}

static void keep(const struct rd_sim_clock **root)
{
    *root = move(*root);
}

void rd_sim_clocks_collect(void (*visit_roots)(void (*keep)(const struct rd_sim_clock **root)))
{
    struct rd_sim_clocks_state *own = rd_sim_here->clocks;
    struct chunk *old = own->arena.chunks;
    own->arena = (struct arena){.n = 0};
    visit_roots(keep);
    own->n_kept = own->arena.n;
    free_chunks(old);
}

void rd_sim_clocks_free(void)
{
    struct rd_sim_clocks_state *own = rd_sim_here->clocks;
    free_chunks(own->arena.chunks);
    own->arena = (struct arena){.n = 0};
    own->n_kept = 0;
    own->failed = false;
}

bool rd_sim_clocks_failed(void)
{
    return rd_sim_here->clocks->failed;
}

const struct rd_sim_part rd_sim_part_clocks = {
    .size_bytes = sizeof(struct rd_sim_clocks_state),
    .at = offsetof(struct rd_sim, clocks),
    .finish = rd_sim_clocks_free,
};

/* ---- chains ---- */

/* Clocks that a cell's strong writes have released: to all threads, and to those of each block. */

/* Clock released to the threads of one block. */
struct rd_sim_near {
    bool used;
    uint64_t block;
    const struct rd_sim_clock *released;
};

static struct rd_sim_near *find_near(struct rd_sim_near *near, size_t capacity, uint64_t block)
{
    size_t k = (size_t)(block * 0x9e3779b97f4a7c15u >> 32);
    while (near[k & (capacity - 1)].used && near[k & (capacity - 1)].block != block)
        k++;
    return &near[k & (capacity - 1)];
}

static bool grow_near(struct rd_sim_chain *chain)
{
    size_t capacity = chain->near_capacity ? 2 * chain->near_capacity : 4;
    struct rd_sim_near *grown = calloc(capacity, sizeof *grown);
    if (!grown)
        return false;
    for (size_t k = 0; k < chain->near_capacity; k++)
        if (chain->near[k].used)
            *find_near(grown, capacity, chain->near[k].block) = chain->near[k];
    free(chain->near);
    chain->near = grown;
    chain->near_capacity = capacity;
    return true;
}

const struct rd_sim_clock *rd_sim_chain_near(const struct rd_sim_chain *chain, uint64_t block)
{
    return chain->near_capacity > 0 ? find_near(chain->near, chain->near_capacity, block)->released
                                    : NULL;
}

void rd_sim_chain_add_near(struct rd_sim_chain *chain, const struct rd_sim_clock *released)
{
    if (!released)
        return;
    if (2 * (chain->n_near + 1) > chain->near_capacity && !grow_near(chain)) {
        rd_sim_exact_fails("no memory for the order of its accesses");
        return;
    }
    struct rd_sim_near *near =
        find_near(chain->near, chain->near_capacity, rd_sim_here->core.block);
    chain->n_near += !near->used;
    near->used = true;
    near->block = rd_sim_here->core.block;
    near->released = rd_sim_clock_join(near->released, released);
}

void rd_sim_chain_withdraw(struct rd_sim_chain *chain)
{
    chain->far = NULL;
    if (chain->n_near > 0)
        memset(chain->near, 0, chain->near_capacity * sizeof *chain->near);
    chain->n_near = 0;
}

void rd_sim_chain_break(struct rd_sim_chain *chain)
{
    chain->start = chain->last;
    rd_sim_chain_withdraw(chain);
}

void rd_sim_chain_finish(struct rd_sim_chain *chain)
{
    free(chain->near);
    *chain = (struct rd_sim_chain){.last = 0};
}

bool rd_sim_chain_copy(struct rd_sim_chain *to, const struct rd_sim_chain *from)
{
    size_t size_bytes = from->near_capacity * sizeof *from->near;
    *to = *from;
    if (!from->near)
        return true;
    to->near = malloc(size_bytes);
    if (!to->near) {
        to->near_capacity = to->n_near = 0;
        return false;
    }
    memcpy(to->near, from->near, size_bytes);
    return true;
}

void rd_sim_chain_visit(struct rd_sim_chain *chain, void (*visit)(const struct rd_sim_clock **root))
{
    visit(&chain->far);
    visit(&chain->heard);
    for (size_t k = 0; k < chain->near_capacity; k++)
        visit(&chain->near[k].released);
}
