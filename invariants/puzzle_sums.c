// SPDX-License-Identifier: MIT
/* list: puzzle_block_sum after puzzle_conv1d_room_for_4 */
/* The puzzles in which blocks fold. The kernels are in kernels/puzzle_sums.cu. */
#include "block_fold.h"
#include "invariants.h"

/* ---- one row ---- */

/* explain: puzzle-block-sum
 *
 * puzzle-block-sum: each block adds its elements, in a tree in shared memory. Any
 * n; a block is a power of two.
 *
 * Statement
 *     With T threads a block, thread t of block k has x[k][t], the element of its
 *     number, or 0 where a has ended. At the checkpoint of width w:
 *         {law sequential}
 *     After d launches:
 *         {law}
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 15, two blocks of 8, a = 0 .. 14
 *     block 0: w = 8: cache =  0  1  2  3  4  5  6  7
 *              w = 4: cache =  4  6  8 10 |4  5  6  7
 *              w = 2: cache = 12 16 |8 10  4  5  6  7
 *              w = 1: cache = 28 |16 8 10  4  5  6  7       A[0] = 28
 *     block 1: w = 8: cache =  8  9 10 11 12 13 14  0       a has ended
 *              w = 1: cache = 77 | ...                      A[1] = 77
 *
 * Initialization
 *     w = T: only t = i has t mod T = i; the barrier makes what each thread has
 *     loaded visible.
 *
 * Preservation
 *     With s = w/2, thread i < s adds cache[i + s] to cache[i]: t mod s = i just
 *     when t mod w is i or i + s. Thread i alone writes cell i, and nobody a cell
 *     from s on; the barrier stands where all threads of the block come to it.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     At w = 1 cache[0] is the sum over the block. It is a reduction: of a prefix
 *     sum, which keeps the sums of all beginnings, too, it is the last element
 *     only.
 *
 * Cost
 *     log2(T) rounds in shared memory, where puzzle-dot needs T additions, and
 *     1 + log2(T) barriers. As floats: height at most log2(T).
 */
const struct rd_program rd_program_puzzle_block_sum = {
    .name = "puzzle-block-sum",
    .summary = "each block folds its elements",
    .law = "input a[n]\n"
           "array A[B]\n"
           "let B = ceil(n / T)\n"
           "let for 0 <= k < B, 0 <= t < T: x[k][t] = sum of a[k*T + t], k*T + t < n\n"
           "law when d = 0: for 0 <= i < B: A[i] = 0; "
           "when d = 1: for 0 <= k < B: A[k] = sum of a[j], floor(j/T) = k\n"
           "update for 0 <= k < B: A[k] = sequential.cache[k][0]\n" RD_LAW_FOLD("sequential"),
    .launch = "puzzle_block_sum(a, A, n) by n threads in blocks of T, shared T, "
              "reads 1, writes 1",
    .goal = RD_GOAL_LAST,
    .goal_text = "A[k] = the sum of block k's elements, for all k",
    .bounded = true,
    .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO,
    .n = 15,
    .block = 8,
    .type = RD_TYPE_F32,
};

/* ---- several rows ---- */

/* explain: puzzle-axis-sum
 *
 * puzzle-axis-sum: adds along the rows of an array of 4 rows of n: one sum for
 * each row, and not for each column. Any n; a block is a power of two.
 *
 * Statement
 *     A row is a[r*n .. (r+1)*n), and has B = ceil(n/T) blocks of T threads. With
 *     the blocks of all rows counted through, thread t of block k has x[k][t], its
 *     element of the row, or 0 where the row has ended. At the checkpoint of width
 *     w:
 *         {law sequential}
 *     After d launches:
 *         {law}
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 6, a grid of 1 x 4 blocks of 8, a = 0 .. 23
 *     row 0:   0  1  2  3  4  5      A[0] = 15
 *     row 1:   6  7  8  9 10 11      A[1] = 51
 *     row 2:  12 13 14 15 16 17      A[2] = 87
 *     row 3:  18 19 20 21 22 23      A[3] = 123
 *
 * Initialization
 *     w = T: each thread's own element, behind a barrier.
 *
 * Preservation
 *     As in puzzle-block-sum: blocks know nothing of each other, and blockIdx.y
 *     only says which row a block reads and writes.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     At w = 1 cache[0] is the sum over the block's piece of its row; where n <= T
 *     it is the sum of the row.
 *
 * Cost
 *     log2(T) rounds in shared memory, for all rows side by side. As floats:
 *     height at most log2(T).
 */
#define AXIS_GOAL "A[r][k] = the sum of row r's piece k, for all r and k"

#define PUZZLE_AXIS_SUM                                                                            \
    .name = "puzzle-axis-sum", .summary = "folds each of 4 rows of n",                             \
    .law = "input a[4*n]\n"                                                                        \
           "array A[4*B]\n"                                                                        \
           "let B = ceil(n / T)\n"                                                                 \
           "let for 0 <= k < 4*B, 0 <= t < T:\n"                                                   \
           "    x[k][t] = sum of a[(k div B)*n + j], 0 <= j < n, j = (k mod B)*T + t\n"            \
           "law when d = 0: for 0 <= i < 4*B: A[i] = 0; when d = 1: for 0 <= r < 4, 0 <= k < B:\n" \
           "    A[r*B + k] = sum of a[r*n + j], 0 <= j < n, floor(j/T) = k\n"                      \
           "update for 0 <= k < 4*B: A[k] = sequential.cache[k][0]\n" RD_LAW_FOLD("sequential"),   \
    .launch = "puzzle_axis_sum(a, A, n) by n by 4 threads in blocks of T, shared T, "              \
              "reads 1, writes 1",                                                                 \
    .goal = RD_GOAL_LAST, .goal_text = AXIS_GOAL, .bounded = true,                                 \
    .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO, .n = 11, .block = 8, .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_axis_sum = {PUZZLE_AXIS_SUM};

/* explain: puzzle-axis-sum:write-in-loop
 *
 * puzzle-axis-sum:write-in-loop: the result is written within the loop.
 *
 * What is wrong
 *     After each halving thread 0 writes what cache[0] is by then. The last time
 *     it is the sum, so that A is right; but with blocks of 8 there are 3 writes
 *     of each block where 1 was allowed. And a block of 1 makes no halving: with
 *     --block 1 nothing is ever written, and A[0] stays 0.
 *
 * The cure
 *     The result is there when the loop has ended: write it behind the loop.
 */
RD_LESSON(puzzle_axis_sum_write_in_loop, PUZZLE_AXIS_SUM, .name = "puzzle-axis-sum:write-in-loop",
          .summary = "writes the result at each halving", .kernel = "puzzle_axis_sum_write_in_loop",
          .n = 6);
