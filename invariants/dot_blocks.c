// SPDX-License-Identifier: MIT
/* Dot products in blocks: the kernels are in kernels/dot_blocks.cu. */
#include "invariants.h"
#include "schedule.h"
#include "terms.h"

#include <stdio.h>

/* Blocks of a run where the user says nothing, as in the text that the programs come from. */
enum { GRID_MAX = 32 };

static size_t blocks_grid(const struct rd_shape *shape)
{
    return rd_grid_for(shape->n, shape->block, GRID_MAX);
}

static size_t blocks_cells(const struct rd_shape *shape)
{
    return shape->grid;
}

/* ---- the array of a block ---- */

static size_t cache_cells(const struct rd_shape *shape)
{
    return shape->block;
}

static void sequential_claim(const struct rd_shape *shape, const struct rd_place *at,
                             struct rd_claim *claim)
{
    (void)shape;
    *claim = (struct rd_claim){.count = at->variable, .stride = 1};
}

static void sequential_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    const struct rd_shape *shape = &expect->shape;
    if (first) {
        expect->width = shape->block;
        for (size_t t = 0; t < shape->block; t++)
            expect->numeric->store(
                expect->cells, t,
                rd_term_sum(expect, at->block * shape->block + t, rd_grid_threads(shape)));
    }
    rd_tree_fold(expect, at->variable);
}

static bool sequential_contains(const struct rd_shape *shape, const struct rd_place *at, size_t i,
                                size_t j)
{
    size_t thread = rd_thread_of(shape, j);
    return thread / shape->block == at->block && thread % shape->block % at->variable == i;
}

static void sequential_statement(const struct rd_shape *shape, const struct rd_place *at,
                                 const char *term, char text[RD_STATEMENT_SIZE])
{
    (void)shape, (void)term;
    snprintf(text, RD_STATEMENT_SIZE,
             "for 0 <= i < %zu: cache[i] = sum of x[t], t mod %zu = i, over the block's threads t",
             (size_t)at->variable, (size_t)at->variable);
}

static const struct rd_point_invariant sequential = {
    .point = RD_POINT_SEQUENTIAL,
    .array = "cache",
    .variable = "w",
    .cells = cache_cells,
    .claim = sequential_claim,
    .advance = sequential_advance,
    .contains = sequential_contains,
    .statement = sequential_statement,
};

/* ---- the blocks' sums ---- */

/* explain: dot-shared
 *
 * dot-shared: the dot product of a and b, folded by each block in shared memory.
 *
 * Statement
 *     Each thread adds products that lie a grid apart, each block folds its
 *     threads' sums, and the host adds the blocks' sums. Any n, any number of
 *     blocks; a block is a power of two.
 *     With T threads a block, B blocks and G = B*T, thread t of the grid adds
 *         x[t] = a[t]*b[t] + a[t+G]*b[t+G] + ...
 *     At the checkpoint of width w in block k:
 *         for 0 <= i < w: cache[i] = sum of x[kT + t] over 0 <= t < T, t mod w = i
 *     After the launch:
 *         for 0 <= k < B: A[k] = sum of a[j]*b[j] over floor((j mod G) / T) = k
 *
 * Worked example, n = 8, one block of 4, a = b = 0 .. 7
 *     x      =  0 + 16    1 + 25    4 + 36    9 + 49     thread t adds t and t + 4
 *     w = 4: cache = 16    26    40    58        as the threads left it
 *     w = 2: cache = 56    84 |  40    58        cache[0] = x[0] + x[2]
 *     w = 1: cache = 140 | 84    40    58        cache[0] = x[0]+x[1]+x[2]+x[3]
 *     A[0] = 140
 *
 * Initialization
 *     w = T: only t = i has t mod T = i, so the claim is cache[i] = x[i], which
 *     thread i has just written; the barrier makes all of it visible.
 *
 * Update
 *     With s = w/2, thread i < s adds cache[i + s] to cache[i]. It is the fold's
 *     round: t mod s = i just when t mod w is i or i + s. Thread i alone writes
 *     cell i, and nobody writes cell i + s. The barrier stands outside the `if`:
 *     all threads of the block meet at it.
 *
 * Final
 *     At w = 1 cache[0] is the sum over all threads of the block. Each j belongs
 *     to one thread, j mod G, so each product is in just one A[k], and the host's
 *     sum of the A[k] is a . b.
 *
 * Cost
 *     n products in ceil(n/G) trips, log2(T) rounds in shared memory, B additions
 *     on the host. As floats: height 1 + ceil(n/G) + log2(T) + B - 1.
 */
static void blocks_claim(const struct rd_shape *shape, unsigned step, struct rd_claim *claim)
{
    (void)step;
    *claim = (struct rd_claim){.count = shape->grid, .stride = 1};
}

static bool blocks_contains(const struct rd_shape *shape, unsigned step, size_t i, size_t j)
{
    return step > 0 && rd_thread_of(shape, j) / shape->block == i;
}

static void blocks_advance(struct rd_expect *expect, unsigned step)
{
    const struct rd_shape *shape = &expect->shape;
    struct rd_expect cache = *expect;
    rd_bits cells[RD_BLOCK_MAX];
    cache.cells = cells;
    for (uint64_t k = 0; k < shape->grid && step > 0; k++) {
        const struct rd_place end = {.block = k, .variable = 1};
        sequential_advance(&cache, &end, true);
        expect->numeric->store(expect->cells, k, expect->numeric->load(cells, 0));
    }
    if (step > 0)
        expect->height = 1 + (unsigned)rd_trips(shape, expect->n_inputs) +
                         rd_tree_height(shape->block) + (unsigned)shape->grid - 1;
}

static void blocks_statement(const struct rd_shape *shape, unsigned step, const char *term,
                             char text[RD_STATEMENT_SIZE])
{
    if (step == 0)
        snprintf(text, RD_STATEMENT_SIZE, "A = 0");
    else
        snprintf(text, RD_STATEMENT_SIZE,
                 "for 0 <= k < %zu: A[k] = sum of %s, floor((j mod %zu) / %u) = k", shape->grid,
                 term, rd_grid_threads(shape), shape->block);
}

static const struct rd_invariant blocks = {
    .claim = blocks_claim,
    .contains = blocks_contains,
    .advance = blocks_advance,
    .statement = blocks_statement,
};

static bool shared_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    if (number > 1)
        return false;
    rd_round_blocks(round, number, RD_KERNEL_DOT_SHARED, shape);
    rd_round_width(round, "n", shape->n);
    round->shared_elems = shape->block;
    rd_round_pass_input(round);
    rd_round_pass_b(round);
    rd_round_pass_a(round);
    rd_round_pass_size(round, shape->n);
    return true;
}

static const struct rd_point_invariant *const shared_points[] = {&sequential, NULL};

const struct rd_program rd_program_dot_shared = {
    .name = "dot-shared",
    .summary = "folds in shared memory; the host adds the blocks' sums",
    .invariant = &blocks,
    .points = shared_points,
    .schedule = shared_schedule,
    .goal = RD_GOAL_TOTAL,
    .has_b = true,
    .term = "a[j]*b[j]",
    .n_cells = blocks_cells,
    .grid = blocks_grid,
    .accept = rd_accept_block_power_of_two,
    .n = 1000,
    .type = RD_TYPE_F32,
};
