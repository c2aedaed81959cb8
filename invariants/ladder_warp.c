// SPDX-License-Identifier: MIT
/* list: ladder_first_add after ladder_sequential */
/* The ladder's rungs in which a thread loads two elements and the last warp works by itself: the
 * kernels are in kernels/ladder_shared.cu and kernels/ladder_warp.cu. Their faults are in
 * invariants/ladder_warp_faults.c. */
#include "invariants.h"
#include "ladder.h"

/* ---- halves of what was loaded two by two ---- */

static void sequential_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    rd_ladder_fold_advance(expect, &rd_ladder_two, at, first);
}

const struct rd_point_invariant rd_ladder_sequential_two = {
    .point = RD_POINT_SEQUENTIAL,
    .array = "x",
    .variable = "w",
    .cells = rd_block_fold_cells,
    .passes = rd_ladder_fold_passes,
    .variable_at = rd_pass_halving,
    .advance = sequential_advance,
};

static void shuffle_advance(struct rd_expect *expect, const struct rd_place *at, bool first)
{
    rd_ladder_last_warp_advance(expect, &rd_ladder_two, at, first);
}

const struct rd_point_invariant rd_ladder_shuffle_two = {
    .point = RD_POINT_SHUFFLE_DOWN,
    .array = "r",
    .variable = "w",
    .cells = rd_ladder_lane_cells,
    .of_lanes = true,
    .passes = rd_ladder_last_warp_passes,
    .variable_at = rd_pass_shuffle,
    .advance = shuffle_advance,
};

static const struct rd_ladder_block two_fold = {
    .load = &rd_ladder_two,
    .sum = rd_ladder_fold,
};

void rd_ladder_two_advance(struct rd_expect *expect, unsigned step)
{
    rd_ladder_blocks_advance(expect, &two_fold, step);
}

static const struct rd_point_invariant *const first_add_points[] = {&rd_ladder_sequential_two,
                                                                    NULL};
static const struct rd_point_invariant *const warp_points[] = {&rd_ladder_sequential_two,
                                                               &rd_ladder_shuffle_two, NULL};

/* explain: ladder-first-add
 *
 * ladder-first-add: each thread adds two elements as it loads them; then the block
 * folds, as in ladder-sequential. Any n, any block; a thread for two elements.
 * Harris' kernel 4.
 *
 * Statement
 *     T threads a block; thread t of block k brings own[t] = a[2Tk + t] + a[2Tk +
 *     T + t], without what lies beyond the end. P is the least power of two >= T.
 *     At the checkpoint of width w:
 *         for 0 <= i < min(w, T): x[i] = sum of own[t], 0 <= t < T, t mod w = i
 *     After the launch:
 *         for 0 <= k < B: A[k] = sum of a[j], 2Tk <= j < min(2Tk + 2T, n)
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7
 *     w = 4: x =  4   6   8  10      x[0] = a[0] + a[4], by thread 0
 *     w = 2: x = 12  16 | .   .      x[0] = a[0] + a[2] + a[4] + a[6]
 *     w = 1: x = 28 |                A[0] = 28
 *
 * Initialization
 *     w = P >= T: t mod w = i just for t = i, and thread i has written x[i]. The
 *     two elements of different threads differ: each j is 2Tk + t or 2Tk + T + t
 *     for one k and one t.
 *
 * Preservation
 *     That of ladder-sequential.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     w = 1: x[0] = the sum of the block's 2T elements. The host adds the B sums.
 *
 * Cost
 *     Half the blocks, and so half the folds and barriers, for the same elements:
 *     1 + ceil(log2(T)) barriers a block. The last six rounds of a fold keep one
 *     warp or less at work. As floats: height at most ceil(log2(T)) + B.
 */
static bool first_add_schedule(const struct rd_shape *shape, unsigned number,
                               struct rd_round *round)
{
    return rd_ladder_schedule(shape, number, RD_KERNEL_LADDER_FIRST_ADD, shape->block, round);
}

const struct rd_program rd_program_ladder_first_add = {
    .name = "ladder-first-add",
    .summary = "adds two elements a thread as it loads them, then folds",
    .advance = rd_ladder_two_advance,
    .points = first_add_points,
    .schedule = first_add_schedule,
    .goal = RD_GOAL_TOTAL,
    .n_cells = rd_block_sums_cells,
    .grid = rd_ladder_grid_two,
    .accept = rd_ladder_accept_two,
    .n = 1003,
    .n_block = 200,
};

/* explain: ladder-warp-shuffle
 *
 * ladder-warp-shuffle: the fold stops at 32 cells, and the first warp sums these
 * in registers, by shuffles. Any n, any block; a thread for two elements. Harris'
 * kernel 5 does it in shared memory, as ladder-warp-shuffle:lockstep.
 *
 * Statement
 *     own[t] as in ladder-first-add. At the checkpoint of width w > 32:
 *         for 0 <= i < min(w, T): x[i] = sum of own[t], 0 <= t < T, t mod w = i
 *     At the shuffles' checkpoints, w = 32, 16, ..., 1, in the registers of the
 *     first warp:
 *         lanes l < min(w, T): r[l] = sum of own[t], 0 <= t < T, t mod w = l
 *     Of lanes >= w nothing is said. After the launch:
 *         for 0 <= k < B: A[k] = sum of a[j], 2Tk <= j < min(2Tk + 2T, n)
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7
 *     w = 32, 16, 8, 4: r =  4   6   8  10     four lanes; no partner so far down
 *     w = 2:            r = 12  16 | .   .     lane 0 got 8 from lane 2
 *     w = 1:            r = 28 |               lane 0 got 16 from 1; A[0] = 28
 *
 * Initialization
 *     w = 32: lane l holds x[l], of which the fold in shared memory has said the
 *     same.
 *
 * Preservation
 *     With o = w/2, lane l < o adds the value of lane l + o as it was before: a
 *     shuffle hands all values over at once, so that no lane can see one that has
 *     already been added to. A lane that would read beyond the last reads itself
 *     instead, and adds nothing.
 *
 * Variant
 *     w halves, in shared memory down to 32 and in registers down to 1.
 *
 * Exit
 *     w = 1: r[0] = the sum of the block's 2T elements. The host adds the B sums.
 *
 * Cost
 *     1 + max(0, ceil(log2(T)) - 5) barriers, where ladder-first-add has
 *     1 + ceil(log2(T)): five fewer from 17 threads on. No shared memory in the
 *     last five rounds. A shuffle needs all lanes that its mask names. As floats:
 *     height at most ceil(log2(T)) + B.
 */
static bool warp_shuffle_schedule(const struct rd_shape *shape, unsigned number,
                                  struct rd_round *round)
{
    return rd_ladder_schedule(shape, number, RD_KERNEL_LADDER_WARP_SHUFFLE, shape->block, round);
}

const struct rd_program rd_program_ladder_warp_shuffle = {
    .name = "ladder-warp-shuffle",
    .summary = "folds in shared memory, and the last warp by shuffles",
    .advance = rd_ladder_two_advance,
    .points = warp_points,
    .schedule = warp_shuffle_schedule,
    .goal = RD_GOAL_TOTAL,
    .n_cells = rd_block_sums_cells,
    .grid = rd_ladder_grid_two,
    .accept = rd_ladder_accept_two,
    .n = 1003,
    .n_block = 200,
};

/* explain: ladder-unrolled
 *
 * ladder-unrolled: ladder-warp-shuffle with its loops written out, for every width
 * a block can have. Any n, any block; a thread for two elements. Harris' kernel 6.
 *
 * Statement
 *     That of ladder-warp-shuffle. At the checkpoint of width w, for w = 1024,
 *     512, ..., 64 with T > w/2:
 *         for 0 <= i < min(w, T): x[i] = sum of own[t], 0 <= t < T, t mod w = i
 *     and of the registers at w = 32, 16, ..., 1:
 *         lanes l < min(w, T): r[l] = sum of own[t], 0 <= t < T, t mod w = l
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7
 *     T > 512, 256, 128, 64, 32: no; nothing is folded in shared memory
 *     w = 32 .. 4: r =  4   6   8  10
 *     w = 2:       r = 12  16 | .   .
 *     w = 1:       r = 28 |            A[0] = 28
 *
 * Initialization
 *     The first w that the block comes to has T <= w: there is no thread t >= w,
 *     so that the claim is x[i] = own[i]. This is why the list must begin with the
 *     largest block.
 *
 * Preservation
 *     That of ladder-sequential in shared memory, and that of ladder-warp-shuffle
 *     in registers. T > w/2 has the same answer in all threads of the block, so
 *     that a barrier may stand there.
 *
 * Variant
 *     None is needed: no loop is left.
 *
 * Exit
 *     w = 1: r[0] = the sum of the block's 2T elements. The host adds the B sums.
 *
 * Cost
 *     1 + max(0, ceil(log2(T)) - 5) barriers, as ladder-warp-shuffle. No counting:
 *     each width is a constant. Five comparisons of T that are the same for all.
 *     As floats: height at most ceil(log2(T)) + B.
 */
static bool unrolled_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    return rd_ladder_schedule(shape, number, RD_KERNEL_LADDER_UNROLLED, shape->block, round);
}

const struct rd_program rd_program_ladder_unrolled = {
    .name = "ladder-unrolled",
    .summary = "writes out every round, for each block there can be",
    .advance = rd_ladder_two_advance,
    .points = warp_points,
    .schedule = unrolled_schedule,
    .goal = RD_GOAL_TOTAL,
    .n_cells = rd_block_sums_cells,
    .grid = rd_ladder_grid_two,
    .accept = rd_ladder_accept_two,
    .n = 3003,
    .n_block = 1000,
};
