// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/clock.h"

#include <stdlib.h>

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

/* Those of a block lie side by side, so that they are one branch of a tree. */
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
