// SPDX-License-Identifier: MIT
/* list: ladder_short_mask after ladder_warp_shuffle, ladder_stops_at_512 after ladder_unrolled */
/* What goes wrong in the last warp: faults of the rungs in invariants/ladder_warp.c. */
#include "invariants.h"
#include "ladder.h"
#include "schedule.h"

static const struct rd_point_invariant *const points[] = {&rd_ladder_sequential_two,
                                                          &rd_ladder_shuffle_two, NULL};

/* Of faults that know the block as they were written for it. */
static enum rd_status accept_whole_warps(const struct rd_shape *shape, struct rd_error *error)
{
    if (!rd_is_power_of_two(shape->block) || shape->block < 2 * RD_WARP_LANES)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'block' is %u, and this fault takes 64, 128, 256, 512 or 1024: use "
                       "ladder-warp-shuffle for others",
                       shape->block);
    return rd_ladder_accept_two(shape, error);
}

/* explain: ladder-warp-shuffle:short-mask
 *
 * ladder-warp-shuffle:short-mask: a shuffle whose mask leaves out lanes that it
 * reads.
 *
 * Statement
 *     After the launch:
 *         for 0 <= k < B: A[k] = sum of a[j], 2Tk <= j < min(2Tk + 2T, n)
 *
 * What is wrong
 *     Lanes l < 16 keep the sum, so only they shuffle, with the mask 0xffff. But
 *     in the round of o = 16 they read lanes 16 <= l < 32, which are not there:
 *     what they get is undefined. In the simulator a lane then gets its own value.
 *     With 64 ones in a block of 64 each of the 32 cells is 2, so that the sum is
 *     64 by accident. With a = 0 .. 63 it is twice that of the lower 16 cells,
 *     2 * (32 + 34 + ... + 62) = 1504, and not 2016.
 *
 * The cure
 *     All lanes that are read are in the mask, and come to the shuffle: `if
 *     (t < 32)` and the mask 0xffffffff.
 */
static bool short_mask_schedule(const struct rd_shape *shape, unsigned number,
                                struct rd_round *round)
{
    return rd_ladder_schedule(shape, number, RD_KERNEL_LADDER_SHORT_MASK, shape->block, round);
}

const struct rd_program rd_program_ladder_short_mask = {
    .name = "ladder-warp-shuffle:short-mask",
    .summary = "reads lanes that its mask leaves out",
    .advance = rd_ladder_two_advance,
    .points = points,
    .schedule = short_mask_schedule,
    .goal = RD_GOAL_TOTAL,
    .n_cells = rd_block_sums_cells,
    .grid = rd_ladder_grid_two,
    .accept = accept_whole_warps,
    .n = 64,
    .block = 64,
};

/* explain: ladder-warp-shuffle:lockstep
 *
 * ladder-warp-shuffle:lockstep: the last warp folds in shared memory with no
 * barrier at all.
 *
 * Statement
 *     After the launch:
 *         for 0 <= k < B: A[k] = sum of a[j], 2Tk <= j < min(2Tk + 2T, n)
 *
 * What is wrong
 *     Lane 0 reads x[16] in its second line, which lane 16 has written in its
 *     first: a race within the warp. It is right only if all lanes finish a line
 *     before any begins the next, and in a line all read before any writes. That
 *     was once taken for granted, and no longer is: since compute capability 7.0
 *     each lane may run ahead. `volatile` makes each line go to memory; it orders
 *     nothing. With 64 ones, and one lane running to its end after the other, the
 *     sum is 7, or in descending order 370695433.
 *
 * The cure
 *     Shuffles; or two barriers of the warp a line, one between reading and
 *     writing, and one behind.
 */
static bool lockstep_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    return rd_ladder_schedule(shape, number, RD_KERNEL_LADDER_LOCKSTEP, shape->block, round);
}

const struct rd_program rd_program_ladder_lockstep = {
    .name = "ladder-warp-shuffle:lockstep",
    .summary = "the old warp tail, as if lanes ran in lockstep",
    .advance = rd_ladder_two_advance,
    .points = points,
    .schedule = lockstep_schedule,
    .goal = RD_GOAL_TOTAL,
    .n_cells = rd_block_sums_cells,
    .grid = rd_ladder_grid_two,
    .accept = accept_whole_warps,
    .n = 64,
    .block = 64,
    .values = "ones",
};

/* explain: ladder-warp-shuffle:one-syncwarp
 *
 * ladder-warp-shuffle:one-syncwarp: the old warp tail with a barrier of the warp
 * after each line, where it needs two.
 *
 * Statement
 *     After the launch:
 *         for 0 <= k < B: A[k] = sum of a[j], 2Tk <= j < min(2Tk + 2T, n)
 *
 * What is wrong
 *     All 32 lanes add, also those whose sums nobody needs. In the round of s = 16
 *     lane 0 reads x[16] while lane 16 adds x[32] to it: a race within the warp,
 *     and no barrier between. If lane 0 always comes first, 64 ones make 64. In
 *     the simulator the lane that came to the barrier last, 31, goes on first, and
 *     one of them is counted twice: 65. In descending order they make 5905, as
 *     ladder-warp-shuffle:descending shows.
 *
 * The cure
 *     `if (t < s)`, so that no lane writes what another reads; or a second
 *     barrier, between reading x[t + s] and writing x[t]; or shuffles, which hand
 *     all values over at once.
 */
static bool one_syncwarp_schedule(const struct rd_shape *shape, unsigned number,
                                  struct rd_round *round)
{
    return rd_ladder_schedule(shape, number, RD_KERNEL_LADDER_ONE_SYNCWARP, shape->block, round);
}

const struct rd_program rd_program_ladder_one_syncwarp = {
    .name = "ladder-warp-shuffle:one-syncwarp",
    .summary = "one barrier of the warp a round, not two",
    .advance = rd_ladder_two_advance,
    .points = points,
    .schedule = one_syncwarp_schedule,
    .goal = RD_GOAL_TOTAL,
    .n_cells = rd_block_sums_cells,
    .grid = rd_ladder_grid_two,
    .accept = accept_whole_warps,
    .n = 64,
    .block = 64,
    .values = "ones",
};

/* explain: ladder-warp-shuffle:descending
 *
 * ladder-warp-shuffle:descending: the old warp tail in one of the orders that it
 * leaves open: lane after lane, the last one first. Barriers force the order, so
 * that every device shows it.
 *
 * Statement
 *     After the launch:
 *         for 0 <= k < B: A[k] = sum of a[j], 2Tk <= j < min(2Tk + 2T, n)
 *
 * What is wrong
 *     Nothing races here, and the sum is wrong all the same: the lines depend on
 *     the order of the lanes. In the round of s = 16 lane 31 adds x[47] to x[31],
 *     and then lane 15 adds x[31], as if it were still what the round before had
 *     left. So from round to round: 64 ones make 5905.
 *
 * The cure
 *     `if (t < s)`: then x[t + s] is nobody's to write in this round, and the
 *     order does not matter. Or shuffles.
 */
static bool descending_schedule(const struct rd_shape *shape, unsigned number,
                                struct rd_round *round)
{
    return rd_ladder_schedule(shape, number, RD_KERNEL_LADDER_DESCENDING, shape->block, round);
}

const struct rd_program rd_program_ladder_descending = {
    .name = "ladder-warp-shuffle:descending",
    .summary = "the old warp tail, the last lane first",
    .advance = rd_ladder_two_advance,
    .points = points,
    .schedule = descending_schedule,
    .goal = RD_GOAL_TOTAL,
    .n_cells = rd_block_sums_cells,
    .grid = rd_ladder_grid_two,
    .accept = accept_whole_warps,
    .n = 64,
    .block = 64,
    .values = "ones",
};

/* explain: ladder-unrolled:stops-at-512
 *
 * ladder-unrolled:stops-at-512: the list of rounds begins with a block of 512.
 *
 * Statement
 *     At the checkpoint of width w in block k, w = 512, ..., 64 with T > w/2:
 *         for 0 <= i < min(w, T): x[i] = sum of own[t], 0 <= t < T, t mod w = i
 *
 * What is wrong
 *     A block may have 1024 threads. With T = 1024 the first round is that of
 *     w = 512, at which x[i] should hold own[i] + own[i + 512]; it holds own[i].
 *     What threads 512 to 1023 brought is lost: half of the sum. With 512 threads
 *     or fewer nothing shows.
 *
 * The cure
 *     Begin with the largest block there is: `if (T > 512)`, before all others.
 */
static bool stops_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    return rd_ladder_schedule(shape, number, RD_KERNEL_LADDER_STOPS_AT_512, shape->block, round);
}

const struct rd_program rd_program_ladder_stops_at_512 = {
    .name = "ladder-unrolled:stops-at-512",
    .summary = "has no round for a block of 1024",
    .advance = rd_ladder_two_advance,
    .points = points,
    .schedule = stops_schedule,
    .goal = RD_GOAL_TOTAL,
    .n_cells = rd_block_sums_cells,
    .grid = rd_ladder_grid_two,
    .accept = rd_ladder_accept_two,
    .n = 1024,
    .block = 1024,
    .values = "ones",
};
