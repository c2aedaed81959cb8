// SPDX-License-Identifier: MIT
/* list: ladder_cooperative after ladder_one_fence */
/* The ladder's rung whose blocks meet: the kernel is in kernels/ladder_vector.cu. */
#include "invariants.h"
#include "ladder.h"
#include "schedule.h"
#include "terms.h"

/* So many blocks of any size are on the smallest GPU at once. */
enum { GRID_MAX = 16 };

static size_t default_grid(const struct rd_shape *shape)
{
    return rd_grid_for(shape->n, shape->block * RD_LADDER_PACK, GRID_MAX);
}

/* explain: ladder-cooperative
 *
 * ladder-cooperative: ladder-vectorised with another end: all blocks meet at a
 * barrier of the grid, and block 0 adds their sums. Any n, any block; as many
 * blocks as the device holds at once.
 *
 * Statement
 *     Up to the blocks' sums, the claims of ladder-vectorised-atomic. Block k puts
 *     its sum into partials[k]; behind the grid's barrier all of them are there.
 *     In block 0's first warp, of L lanes, at w = 32, 16, ..., 1:
 *         lanes l < min(w, L): r[l] = sum of the partials[k], (k mod L) mod w = l
 *     After the launch:
 *         A[0] = sum of all a[j]
 *
 * Worked example, n = 8, two blocks of 1, a = 0 .. 7; P = 2, G = 2
 *     block 0: own = 0 1 2 3    partials[0] =  6
 *     block 1: own = 4 5 6 7    partials[1] = 22
 *     barrier, and block 0 has r[0] = 6 + 22, and writes A[0] = 28
 *
 * Initialization
 *     w = 32: lane l has added partials[l], partials[l + L], ... in this order.
 *     They are all there, since every block has come to the barrier, and has
 *     written its partial before.
 *
 * Preservation
 *     That of ladder-warp-shuffle.
 *
 * Variant
 *     That of ladder-vectorised.
 *
 * Exit
 *     w = 1: r[0] = the sum over all blocks, which is A[0]: the same bits as
 *     ladder-vectorised has with as many blocks.
 *
 * Cost
 *     One barrier of the grid. The blocks must all be on the device at once, or
 *     the first would wait for others that cannot begin: a launch of more is
 *     refused. As floats, with L = min(T, 32) and for n >= 4: height at most
 *     ceil(P/G) + ceil((n mod 4)/G) + ceil(log2(T)) + ceil(B/L) + ceil(log2(min(B,
 *     L))).
 */
static bool schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    if (number > 1)
        return false;
    rd_round_blocks(round, number, RD_KERNEL_LADDER_COOPERATIVE, shape);
    rd_round_width(round, "n", shape->n);
    round->shared_elems = rd_ladder_parts(shape, RD_WARP_LANES);
    round->cooperative = true;
    rd_round_pass_input(round);
    rd_round_pass_a(round);
    rd_round_pass_scratch(round, shape->grid);
    rd_round_pass_size(round, shape->n);
    return true;
}

const struct rd_program rd_program_ladder_cooperative = {
    .name = "ladder-cooperative",
    .summary = "the blocks meet at a barrier of the grid; one adds",
    .advance = rd_ladder_last_block_advance,
    .points = rd_ladder_cooperative_points,
    .schedule = schedule,
    .goal = RD_GOAL_SUM,
    .n_cells = rd_ladder_one_cell,
    .grid = default_grid,
    .accept = rd_ladder_accept,
    .n = 10003,
    .n_block = 100,
    .n_grid = 3,
    .block = 128,
};
