// SPDX-License-Identifier: MIT
/* list: puzzle_map after multi_block_even, puzzle_zip after puzzle_map_no_guard */
/* The puzzles in one dimension that make each element from those of the same number. The kernels are
 * in kernels/puzzle_maps.cu. */
#include "invariants.h"
#include "puzzles.h"
#include "schedule.h"
#include "terms.h"

/* ---- adding 10 ---- */

/* explain: puzzle-map
 *
 * puzzle-map: out[i] = a[i] + 10, with a thread for each element. Any n. The first
 * of the puzzles.
 *
 * Statement
 *     Before the launch A, the array `out`, is 0. After it:
 *         for 0 <= i < n:   A[i] = a[i] + 10
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 4, one block of 4, a = 0 .. 3
 *     A = 10 11 12 13
 *
 * Initialization
 *     A starts as zeros; the claim before the launch is just that.
 *
 * Preservation
 *     All threads run the same code; the number of the thread says which element
 *     is its own. Thread i reads a[i] and writes A[i], which no other thread
 *     touches: they need no order among them.
 *
 * Exit
 *     Each i < n is the number of just one thread, so that each cell is written,
 *     once.
 *
 * Cost
 *     n reads, n writes, no synchronisation. Threads side by side touch elements
 *     side by side, which the hardware moves together: coalesced accesses.
 */
static bool map_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    return rd_puzzle_schedule(shape, number, round, RD_KERNEL_PUZZLE_MAP, true);
}

const struct rd_program rd_program_puzzle_map = {
    .name = "puzzle-map",
    .summary = "adds 10, with a thread for each element",
    .advance = rd_puzzle_ten_advance,
    .schedule = map_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = RD_PUZZLE_TEN_GOAL,
    .n_cells = rd_puzzle_cells,
    .no_witness = true,
    .n = 7,
    .block = 4,
    .type = RD_TYPE_F32,
};

/* explain: puzzle-map:no-guard
 *
 * puzzle-map:no-guard: each thread assumes that there is an element for it.
 *
 * What is wrong
 *     With one block of 4 threads for 4 elements there is. But a block of 8 has 4
 *     threads more: thread 4 reads a[4] and writes out[4], which lie behind the
 *     ends of their arrays. What the program was asked for is all there,
 *     A[i] = a[i] + 10; what was destroyed belonged to somebody else. On a GPU
 *     nothing tells, unless the page ends there. The round is undefined all the
 *     same, and preservation INCONCLUSIVE.
 *
 * The cure
 *     Pass n, and guard the access: if (i < n). It costs one comparison.
 */
static bool map_no_guard_schedule(const struct rd_shape *shape, unsigned number,
                                  struct rd_round *round)
{
    return rd_puzzle_schedule(shape, number, round, RD_KERNEL_PUZZLE_MAP_NO_GUARD, false);
}

const struct rd_program rd_program_puzzle_map_no_guard = {
    .name = "puzzle-map:no-guard",
    .summary = "lets threads without an element have one",
    .advance = rd_puzzle_ten_advance,
    .schedule = map_no_guard_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = RD_PUZZLE_TEN_GOAL,
    .n_cells = rd_puzzle_cells,
    .no_witness = true,
    .n = 4,
    .block = 8,
    .type = RD_TYPE_F32,
};

/* explain: puzzle-guard
 *
 * puzzle-guard: out[i] = a[i] + 10, with more threads than elements. Any n.
 *
 * Statement
 *     Before the launch A, the array `out`, is 0. After it:
 *         for 0 <= i < n:   A[i] = a[i] + 10
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 4, one block of 8, a = 0 .. 3
 *     thread:    0   1   2   3   4   5   6   7
 *     i < 4:     yes yes yes yes no  no  no  no
 *     A     =    10  11  12  13
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     Thread i < n reads a[i] and writes A[i], once; the others are idle. The
 *     guard stands before the access: an index is no less wrong for being only
 *     read.
 *
 * Exit
 *     Each i < n is the number of just one thread, so that each cell is written,
 *     once.
 *
 * Cost
 *     n reads, n writes: as many as there are elements, however many threads
 *     there are.
 */
const struct rd_program rd_program_puzzle_guard = {
    .name = "puzzle-guard",
    .summary = "adds 10, with threads to spare",
    .advance = rd_puzzle_ten_advance,
    .schedule = map_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = RD_PUZZLE_TEN_GOAL,
    .n_cells = rd_puzzle_cells,
    .no_witness = true,
    .n = 11,
    .block = 8,
    .type = RD_TYPE_F32,
};

/* explain: puzzle-guard:every-cell
 *
 * puzzle-guard:every-cell: a loop over all elements stands where the guard should
 * be.
 *
 * What is wrong
 *     for (i = 0; i < n; i++) stays within the arrays, and A is right. But every
 *     thread runs the whole loop: with 8 threads and n = 4 there are 8 * 4 = 32
 *     writes where 4 are wanted, and each cell is written by all 8 threads, in no
 *     order. All write the same value, and it is a race all the same: undefined,
 *     whatever it gives. And the work is that of one thread, done 8 times.
 *
 * The cure
 *     A thread is the loop's body. Its number is i; the loop's condition is the
 *     guard.
 */
static bool every_cell_schedule(const struct rd_shape *shape, unsigned number,
                                struct rd_round *round)
{
    return rd_puzzle_schedule(shape, number, round, RD_KERNEL_PUZZLE_GUARD_EVERY_CELL, true);
}

const struct rd_program rd_program_puzzle_guard_every_cell = {
    .name = "puzzle-guard:every-cell",
    .summary = "has every thread write every cell",
    .advance = rd_puzzle_ten_advance,
    .schedule = every_cell_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = RD_PUZZLE_TEN_GOAL,
    .n_cells = rd_puzzle_cells,
    .no_witness = true,
    .n = 4,
    .block = 8,
    .type = RD_TYPE_F32,
};

/* explain: puzzle-blocks
 *
 * puzzle-blocks: out[i] = a[i] + 10, with more elements than a block has threads.
 * Any n.
 *
 * Statement
 *     Before the launch A, the array `out`, is 0. After it:
 *         for 0 <= i < n:   A[i] = a[i] + 10
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 9, blocks of 4, a = 0 .. 8
 *     block:     0           1           2
 *     i:         0  1  2  3  4  5  6  7  8  (9 10 11 have no element)
 *     A     =    10 11 12 13 14 15 16 17 18
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     The number of thread t of block k is i = k*T + t, with T threads a block.
 *     That is i's division by T, with rest t: each i has one k and one t. So no
 *     two threads share a cell.
 *
 * Exit
 *     With ceil(n/T) blocks, each i < n is the number of a thread, and its cell
 *     is written once.
 *
 * Cost
 *     n reads, n writes, ceil(n/T) blocks that may run in any order, or side by
 *     side.
 */
const struct rd_program rd_program_puzzle_blocks = {
    .name = "puzzle-blocks",
    .summary = "adds 10, with more elements than a block",
    .advance = rd_puzzle_ten_advance,
    .schedule = map_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = RD_PUZZLE_TEN_GOAL,
    .n_cells = rd_puzzle_cells,
    .no_witness = true,
    .n = 9,
    .block = 4,
    .type = RD_TYPE_F32,
};

/* ---- adding two arrays ---- */

/* explain: puzzle-zip
 *
 * puzzle-zip: out[i] = a[i] + b[i], with a thread for each element. Any n.
 *
 * Statement
 *     Before the launch A, the array `out`, is 0. After it:
 *         for 0 <= i < n:   A[i] = a[i] + b[i]
 *     No thread reads global memory more than twice, or writes it more than once.
 *
 * Worked example, n = 4, one block of 4, a = b = 0 .. 3
 *     A = 0 2 4 6
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     Thread i reads a[i] and b[i] and writes A[i]. No thread reads what another
 *     one writes, so that they need no order among them.
 *
 * Exit
 *     Each i < n is the number of just one thread, so that each cell is written,
 *     once.
 *
 * Cost
 *     2n reads, n writes, n additions.
 */
static rd_bits pair_sum(const struct rd_expect *expect, size_t i)
{
    const struct rd_numeric *numeric = expect->numeric;
    return numeric->add(numeric->load(expect->a, i), numeric->load(expect->b, i));
}

static void zip_advance(struct rd_expect *expect, unsigned step)
{
    rd_puzzle_advance(expect, step, pair_sum);
}

static bool plan_zip(const struct rd_shape *shape, unsigned number, struct rd_round *round,
                     enum rd_kernel kernel, bool guarded)
{
    if (!rd_puzzle_round(round, number, kernel, shape))
        return false;
    rd_round_pass_input(round);
    rd_round_pass_b(round);
    rd_round_pass_a(round);
    if (guarded)
        rd_round_pass_size(round, shape->n);
    rd_puzzle_budget(round, 2, 1);
    return true;
}

static bool zip_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    return plan_zip(shape, number, round, RD_KERNEL_PUZZLE_ZIP, true);
}

#define ZIP_GOAL "A[i] = a[i] + b[i] for all i"

const struct rd_program rd_program_puzzle_zip = {
    .name = "puzzle-zip",
    .summary = "adds two arrays, element by element",
    .advance = zip_advance,
    .schedule = zip_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = ZIP_GOAL,
    .has_b = true,
    .term = "a[j] + b[j]",
    .n_cells = rd_puzzle_cells,
    .no_witness = true,
    .n = 7,
    .block = 4,
    .type = RD_TYPE_F32,
};

/* explain: puzzle-zip:no-guard
 *
 * puzzle-zip:no-guard: each thread assumes that there are elements for it.
 *
 * What is wrong
 *     A block of 8 for n = 4 has 4 threads too many. They read a[4 .. 8) and
 *     b[4 .. 8), and write out[4 .. 8): three accesses each behind the end of an
 *     array. A itself is right, and on a GPU nothing tells.
 *
 * The cure
 *     Pass n, and guard the accesses: if (i < n).
 */
static bool zip_no_guard_schedule(const struct rd_shape *shape, unsigned number,
                                  struct rd_round *round)
{
    return plan_zip(shape, number, round, RD_KERNEL_PUZZLE_ZIP_NO_GUARD, false);
}

const struct rd_program rd_program_puzzle_zip_no_guard = {
    .name = "puzzle-zip:no-guard",
    .summary = "lets threads without an element have one",
    .advance = zip_advance,
    .schedule = zip_no_guard_schedule,
    .goal = RD_GOAL_LAST,
    .goal_text = ZIP_GOAL,
    .has_b = true,
    .term = "a[j] + b[j]",
    .n_cells = rd_puzzle_cells,
    .no_witness = true,
    .n = 4,
    .block = 8,
    .type = RD_TYPE_F32,
    .values = "list:0,1,2,3,0,1,2,3",
};
