// SPDX-License-Identifier: MIT
/* The sum of a vector by several blocks: four right ways for the blocks' sums to come together. The
 * kernels are in kernels/multi_block.cu; what goes wrong is in multi_block_lessons.c. */
#include "multi_block.h"
#include "invariants.h"
#include "schedule.h"

#include <stdio.h>

/* ---- in the kernels: each block folds its threads' sums ---- */

static const struct rd_point_invariant block_sum = {
    .point = RD_POINT_BLOCK_SUM,
    .array = "cache",
    .variable = "w",
    .cells = rd_block_fold_cells,
    .passes = rd_block_fold_passes,
    .variable_at = rd_pass_halving,
    .claim = rd_block_fold_claim,
    .advance = rd_block_fold_advance,
    .contains = rd_block_fold_contains,
    .statement = rd_block_fold_statement,
};

const struct rd_point_invariant *const rd_points_block_sum[] = {&block_sum, NULL};

/* ---- after the launch: one cell, the blocks' sums added in their order ---- */

size_t rd_one_cell(const struct rd_shape *shape)
{
    (void)shape;
    return 1;
}

static void total_claim(const struct rd_shape *shape, unsigned step, struct rd_claim *claim)
{
    (void)shape, (void)step;
    *claim = (struct rd_claim){.count = 1, .stride = 1};
}

static bool total_contains(const struct rd_shape *shape, unsigned step, size_t i, size_t j)
{
    (void)shape, (void)i, (void)j;
    return step > 0;
}

static void total_advance(struct rd_expect *expect, unsigned step)
{
    const struct rd_numeric *numeric = expect->numeric;
    const struct rd_shape *shape = &expect->shape;
    rd_bits total = numeric->from_u64(0);
    if (step == 0)
        return;
    for (uint64_t k = 0; k < shape->grid; k++)
        total = numeric->add(total, rd_block_fold_sum(expect, rd_term, k));
    numeric->store(expect->cells, 0, total);
    expect->height = (unsigned)rd_trips(shape, expect->n_inputs) + rd_tree_height(shape->block) +
                     (unsigned)shape->grid;
}

static void total_statement(const struct rd_shape *shape, unsigned step, const char *term,
                            char text[RD_STATEMENT_SIZE])
{
    if (step == 0)
        snprintf(text, RD_STATEMENT_SIZE, "A[0] = 0");
    else
        snprintf(text, RD_STATEMENT_SIZE, "A[0] = sum of %s, 0 <= j < %zu", term, shape->n);
}

const struct rd_invariant rd_invariant_total = {
    .claim = total_claim,
    .contains = total_contains,
    .advance = total_advance,
    .statement = total_statement,
};

/* ---- the programs ---- */

/* explain: multi-block-two-launch
 *
 * multi-block-two-launch: the sum of a vector by several blocks, in two launches.
 *
 * Statement
 *     The first launch leaves one sum a block, the second has one block, which
 *     folds these. Any n, any number of blocks B; a block of T threads is a power
 *     of two. With G = B*T threads, x[t] = a[t] + a[t+G] + a[t+2G] + ...
 *     At the checkpoint of width w in block k of round 1:
 *         for 0 <= i < w: cache[i] = sum of x[kT + t] over 0 <= t < T, t mod w = i
 *     After round 1:
 *         for 0 <= k < B: A[k] = sum of a[j] over floor((j mod G) / T) = k
 *     In round 2 the same fold, of A. After it:
 *         A[0] = sum of all a[j]
 *
 * Worked example, n = 8, two blocks of 2, a = 0 .. 7
 *     x = 0+4  1+5 | 2+6  3+7      A = 10 18      A[0] = 28
 *
 * Initialization
 *     w = T: thread i has just written cache[i]; the barrier makes it visible.
 *
 * Preservation
 *     The fold of dot-shared: t mod s = i just when t mod 2s is i or i + s.
 *
 * Exit
 *     A launch boundary orders everything: all sums are there before the second
 *     launch begins. This is the barrier for the whole grid that CUDA has always
 *     had.
 *
 * Cost
 *     A second launch, of some microseconds.
 */
static bool two_launch_schedule(const struct rd_shape *shape, unsigned number,
                                struct rd_round *round)
{
    return number == 2 ? rd_schedule_sum_partials(shape, number, round)
                       : rd_schedule_block_sums(shape, number, round);
}

bool rd_schedule_block_sums(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    if (number > 1)
        return false;
    rd_round_block_fold(round, number, RD_KERNEL_BLOCK_SUMS, shape);
    rd_round_pass_input(round);
    rd_round_pass_a(round);
    rd_round_pass_size(round, shape->n);
    return true;
}

static const struct rd_point_invariant *const two_launch_points[] = {&block_sum, &rd_point_partials,
                                                                     NULL};

const struct rd_program rd_program_multi_block_two_launch = {
    .name = "multi-block-two-launch",
    .summary = "several blocks; a second launch folds their sums",
    .invariant = &rd_invariant_two_phase,
    .points = two_launch_points,
    .schedule = two_launch_schedule,
    .goal = RD_GOAL_SUM,
    .n_cells = rd_block_sums_cells,
    .grid = rd_block_fold_grid,
    .accept = rd_accept_block_power_of_two,
    .n = 1003,
    .n_block = 16,
    .n_grid = 21,
    .type = RD_TYPE_F32,
};

/* explain: multi-block-grid-sync
 *
 * multi-block-grid-sync: the sum of a vector in one launch whose blocks meet.
 *
 * Statement
 *     Each block publishes its sum, all blocks meet at a barrier of the grid, and
 *     thread 0 of the grid adds the sums in the blocks' order. Any n; a block is a
 *     power of two. In the blocks the fold of multi-block-two-launch; after the
 *     launch:
 *         A[0] = sum of all a[j]
 *
 * Worked example, n = 8, two blocks of 2, a = 0 .. 7
 *     the blocks' sums: 10 18; after the barrier A[0] = 0 + 10 + 18 = 28
 *
 * Initialization
 *     As multi-block-two-launch.
 *
 * Preservation
 *     As there.
 *
 * Exit
 *     The grid's barrier orders all writes before it, of all blocks, before all
 *     reads after it. It needs all blocks on the GPU at once: a cooperative
 *     launch, which CUDA refuses where the grid does not fit.
 *
 * Cost
 *     One launch, one barrier of the grid, B additions in a row.
 */
static bool grid_sync_schedule(const struct rd_shape *shape, unsigned number,
                               struct rd_round *round)
{
    if (number > 1)
        return false;
    rd_round_block_fold(round, number, RD_KERNEL_SUM_GRID_SYNC, shape);
    round->cooperative = true;
    rd_round_pass_input(round);
    rd_round_pass_scratch(round, shape->grid);
    rd_round_pass_a(round);
    rd_round_pass_size(round, shape->n);
    return true;
}

const struct rd_program rd_program_multi_block_grid_sync = {
    .name = "multi-block-grid-sync",
    .summary = "one launch; the blocks meet at a barrier of the grid",
    .invariant = &rd_invariant_total,
    .points = rd_points_block_sum,
    .schedule = grid_sync_schedule,
    .goal = RD_GOAL_SUM,
    .n_cells = rd_one_cell,
    .grid = rd_block_fold_grid,
    .accept = rd_accept_block_power_of_two,
    .n = 1003,
    .n_block = 64,
    .n_grid = 5,
    .type = RD_TYPE_F32,
};

/* explain: multi-block-last-block
 *
 * multi-block-last-block: the sum in one launch, which the last block ends.
 *
 * Statement
 *     Each block publishes its sum, then draws a ticket; who draws the last one
 *     adds the sums in the blocks' order. Any n; a block is a power of two. In the
 *     blocks the fold of multi-block-two-launch; of the tickets:
 *         when ticket k has been drawn, at least k + 1 sums are published
 *     After the launch:
 *         A[0] = sum of all a[j]
 *
 * Worked example, n = 8, two blocks of 2, a = 0 .. 7
 *     block 1 publishes 18, draws ticket 0, and ends;
 *     block 0 publishes 10, draws ticket 1 of 2, the last: A[0] = 0 + 10 + 18 = 28
 *
 * Initialization
 *     No ticket is drawn; no sum need be there.
 *
 * Preservation
 *     A block draws after the fence behind its write, so whoever sees the ticket
 *     drawn sees the sum, if it has a fence of its own before it reads.
 *
 * Exit
 *     Ticket B - 1 is the last: all B sums are published. The order of addition is
 *     the blocks', whoever adds, so floats give the same bits each time. atomicInc
 *     wraps the ticket back to 0, ready for the next launch.
 *
 * Cost
 *     One launch, one atomic a block, B additions in a row.
 */
static bool last_block_schedule(const struct rd_shape *shape, unsigned number,
                                struct rd_round *round)
{
    if (number > 1)
        return false;
    rd_round_block_fold(round, number, RD_KERNEL_SUM_LAST_BLOCK, shape);
    rd_round_pass_input(round);
    rd_round_pass_scratch(round, shape->grid);
    rd_round_pass_ticket(round);
    rd_round_pass_a(round);
    rd_round_pass_size(round, shape->n);
    return true;
}

const struct rd_program rd_program_multi_block_last_block = {
    .name = "multi-block-last-block",
    .summary = "one launch; the last block adds the blocks' sums",
    .invariant = &rd_invariant_total,
    .points = rd_points_block_sum,
    .schedule = last_block_schedule,
    .goal = RD_GOAL_SUM,
    .n_cells = rd_one_cell,
    .grid = rd_block_fold_grid,
    .accept = rd_accept_block_power_of_two,
    .n = 1003,
    .n_block = 64,
    .n_grid = 5,
    .type = RD_TYPE_F32,
};

/* explain: multi-block-atomic
 *
 * multi-block-atomic: the sum in one launch, with an atomic add a block.
 *
 * Statement
 *     Each block adds its sum to A[0], when it is ready. Any n; a block is a power
 *     of two. In the blocks the fold of multi-block-two-launch; at any time:
 *         A[0] = sum over the blocks that have added, in whatever order
 *     After the launch:
 *         A[0] = sum of all a[j]
 *
 * Worked example, n = 8, two blocks of 2, a = 0 .. 7
 *     block 1 adds 18, then block 0 adds 10: A[0] = 28
 *
 * Initialization
 *     A[0] = 0, the sum of no block.
 *
 * Preservation
 *     The atomic add reads, adds and writes as one: no block's sum is lost.
 *
 * Exit
 *     When the launch is over, all blocks have added. Integers are exact. Of
 *     floats the order of the additions is nobody's promise, and with it the last
 *     bits: they are asserted within the bound, and not to the bit. An atomic add
 *     of f32 in global memory takes subnormal numbers for zeros, and gives none:
 *     the bound has 2 * 2^-126 more for each block.
 *
 * Cost
 *     One launch, and one atomic a block on one cell.
 */
static void any_order_advance(struct rd_expect *expect, unsigned step)
{
    const struct rd_shape *shape = &expect->shape;
    if (step == 0)
        return;
    expect->height = (unsigned)rd_trips(shape, expect->n_inputs) + rd_tree_height(shape->block) +
                     (unsigned)shape->grid;
    expect->numeric->sum_any_order(expect);
}

static const struct rd_invariant any_order = {
    .claim = total_claim,
    .contains = total_contains,
    .advance = any_order_advance,
    .statement = total_statement,
};

static bool atomic_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    if (number > 1)
        return false;
    rd_round_block_fold(round, number, RD_KERNEL_SUM_ATOMIC, shape);
    rd_round_pass_input(round);
    rd_round_pass_a(round);
    rd_round_pass_size(round, shape->n);
    return true;
}

const struct rd_program rd_program_multi_block_atomic = {
    .name = "multi-block-atomic",
    .summary = "one launch; each block adds its sum, atomically",
    .any_order = true,
    .invariant = &any_order,
    .points = rd_points_block_sum,
    .schedule = atomic_schedule,
    .goal = RD_GOAL_SUM,
    .bounded = true,
    .n_cells = rd_one_cell,
    .grid = rd_block_fold_grid,
    .accept = rd_accept_block_power_of_two,
    .n = 1003,
    .n_block = 64,
    .n_grid = 5,
    .type = RD_TYPE_F32,
};
