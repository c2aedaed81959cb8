// SPDX-License-Identifier: MIT
/* list: puzzle_map after multi_block_even, puzzle_zip after puzzle_map_no_guard */
/* The puzzles in one dimension that make each element from those of the same number. The kernels are
 * in kernels/puzzle_maps.cu. */
#include "invariants.h"
#include "puzzles.h"

/* ---- adding 10 ---- */

/* explain: puzzle-map
 *
 * puzzle-map: out[i] = a[i] + 10, with a thread for each element. Any n. The first
 * of the puzzles.
 *
 * Statement
 *     A is the array `out`. After d launches, d = 0 or 1:
 *         {law}
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
#define PUZZLE_MAP                                                                                 \
    .name = "puzzle-map", .summary = "adds 10, with a thread for each element",                    \
    .law = RD_LAW_ADD_TEN,                                                                         \
    .launch = "puzzle_map(a, A, n) by n threads in blocks of T, reads 1, writes 1",                \
    .goal = RD_GOAL_LAST, .goal_text = RD_PUZZLE_TEN_GOAL, .no_witness = true, .n = 7, .block = 4, \
    .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_map = {PUZZLE_MAP};

/* explain: puzzle-map:no-guard
 *
 * puzzle-map:no-guard: each thread assumes that there is an element for it.
 *
 * What is wrong
 *     With one block of 4 threads for 4 elements there is. But a block of 8 has 4
 *     threads more: thread 4 reads a[4] and writes out[4], which lie behind the
 *     ends of their arrays. What the program was asked for is all there; what was
 *     destroyed belonged to somebody else. On a GPU nothing tells, unless the page
 *     ends there. The round is undefined all the same, and preservation
 *     INCONCLUSIVE.
 *
 * The cure
 *     Pass n, and guard the access: if (i < n). It costs one comparison.
 */
RD_LESSON(puzzle_map_no_guard, PUZZLE_MAP, .name = "puzzle-map:no-guard",
          .summary = "lets threads without an element have one",
          .launch = "puzzle_map_no_guard(a, A) by n threads in blocks of T, reads 1, writes 1",
          .n = 4, .block = 8);

/* explain: puzzle-guard
 *
 * puzzle-guard: out[i] = a[i] + 10, with more threads than elements. Any n.
 *
 * Statement
 *     A is the array `out`. After d launches, d = 0 or 1:
 *         {law}
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
    PUZZLE_MAP, .name = "puzzle-guard", .summary = "adds 10, with threads to spare", .n = 11,
    .block = 8,
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
RD_LESSON(puzzle_guard_every_cell, PUZZLE_MAP, .name = "puzzle-guard:every-cell",
          .summary = "has every thread write every cell", .kernel = "puzzle_guard_every_cell",
          .n = 4, .block = 8);

/* explain: puzzle-blocks
 *
 * puzzle-blocks: out[i] = a[i] + 10, with more elements than a block has threads.
 * Any n.
 *
 * Statement
 *     A is the array `out`. After d launches, d = 0 or 1:
 *         {law}
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
    PUZZLE_MAP,
    .name = "puzzle-blocks",
    .summary = "adds 10, with more elements than a block",
    .n = 9,
};

/* ---- adding two arrays ---- */

/* explain: puzzle-zip
 *
 * puzzle-zip: out[i] = a[i] + b[i], with a thread for each element. Any n.
 *
 * Statement
 *     A is the array `out`. After d launches, d = 0 or 1:
 *         {law}
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

#define ZIP_GOAL "A[i] = a[i] + b[i] for all i"

#define PUZZLE_ZIP                                                                                 \
    .name = "puzzle-zip", .summary = "adds two arrays, element by element",                        \
    .law = RD_LAW_MAP("a[n], b[n]", "a[i] + b[i]"),                                                \
    .launch = "puzzle_zip(a, b, A, n) by n threads in blocks of T, reads 2, writes 1",             \
    .goal = RD_GOAL_LAST, .goal_text = ZIP_GOAL, .no_witness = true, .n = 7, .block = 4,           \
    .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_zip = {PUZZLE_ZIP};

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
RD_LESSON(puzzle_zip_no_guard, PUZZLE_ZIP, .name = "puzzle-zip:no-guard",
          .summary = "lets threads without an element have one",
          .launch = "puzzle_zip_no_guard(a, b, A) by n threads in blocks of T, "
                    "reads 2, writes 1",
          .n = 4, .block = 8, .values = "list:0,1,2,3,0,1,2,3");
