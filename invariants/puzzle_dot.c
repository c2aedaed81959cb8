// SPDX-License-Identifier: MIT
/* list: puzzle_dot after puzzle_pool_no_halo */
/* The puzzle in which one thread of a block adds. The kernels are in kernels/puzzle_sums.cu. */
#include "invariants.h"

/* explain: puzzle-dot
 *
 * puzzle-dot: the dot product of a and b: each thread makes a product, and one
 * thread of each block adds them. Any n. One block leaves the result itself; of
 * several the host adds their sums.
 *
 * Statement
 *     With T threads a block. At the checkpoint in each block, in thread 0, when j
 *     products are added:
 *         {law serial}
 *     After d launches:
 *         {law}
 *     No thread reads global memory more than twice, or writes it more than once.
 *
 * Worked example, n = 8, one block of 8, a = b = 0 .. 7
 *     product = 0  1  4  9 16 25 36 49
 *     total   = 0  1  5 14 30 55 91 140          j = 1 .. 8
 *     A       = 140
 *
 * Initialization
 *     total = 0, the sum of nothing. Before it, the barrier: thread 0 may read
 *     what the others have written.
 *
 * Preservation
 *     total + product[j] is the sum of one product more. A thread with i >= n has
 *     put 0 there, which changes nothing.
 *
 * Variant
 *     T - j falls by one, and the loop ends at j = T.
 *
 * Exit
 *     At j = T all products of the block are in total. Each j is in just one
 *     block, so that the sum of all A[k] is a . b.
 *
 * Cost
 *     n products side by side, then T additions one after the other, the first of
 *     them to 0, for which the other threads wait: puzzle-block-sum does with
 *     log2(T) rounds. As floats: height at most T + ceil(n/T) - 1.
 */

#define PUZZLE_DOT                                                                                 \
    .name = "puzzle-dot", .summary = "a product a thread; one thread adds",                        \
    .law = "input a[n], b[n]\n"                                                                    \
           "array A[B]\n"                                                                          \
           "let B = ceil(n / T)\n"                                                                 \
           "law when d = 0: for 0 <= i < B: A[i] = 0; "                                            \
           "when d = 1: for 0 <= k < B: A[k] = sum of a[j]*b[j], floor(j/T) = k\n"                 \
           "at serial register total\n"                                                            \
           "steps j = 1, j + 1, ..., T\n"                                                          \
           "law total = sum of a[i]*b[i], block*T <= i < min(block*T + j, n)\n"                    \
           "when warp = 0\n",                                                                      \
    .launch = "puzzle_dot(a, b, A, n) by n threads in blocks of T, shared T, "                     \
              "reads 2, writes 1",                                                                 \
    .goal = RD_GOAL_TOTAL, .bounded = true, .n = 11, .block = 8, .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_dot = {PUZZLE_DOT};

/* explain: puzzle-dot:beyond-the-block
 *
 * puzzle-dot:beyond-the-block: thread 0 adds n products, however many its block
 * has made.
 *
 * What is wrong
 *     With one block of n threads it is the same. But with n = 16 and two blocks
 *     of 8, each block has made 8 products, and its shared memory ends there:
 *     product[8 .. 16) are not the other block's, but behind the end. The sums
 *     are those of 8 products and of whatever lies there.
 *
 * The cure
 *     A block adds what its own threads have made: j < blockDim.x.
 */
RD_LESSON(puzzle_dot_beyond_the_block, PUZZLE_DOT, .name = "puzzle-dot:beyond-the-block",
          .summary = "adds products that its block has not made",
          .kernel = "puzzle_dot_beyond_the_block", .points = "",
          .no_witness = true, /* what it adds there is no input */
          .n = 16);

/* explain: puzzle-dot:one-cell
 *
 * puzzle-dot:one-cell: all blocks write A[0].
 *
 * What is wrong
 *     With one block it is the result. With n = 16 and two blocks of 8, both write
 *     their sums to A[0], in no order: it is that of the block that came last, and
 *     what the other has added is lost. Blocks of a launch can't wait for each
 *     other with __syncthreads().
 *
 * The cure
 *     A cell for each block, A[blockIdx.x], for somebody to add after the launch;
 *     or one cell, and an atomic addition.
 */
RD_LESSON(puzzle_dot_one_cell, PUZZLE_DOT, .name = "puzzle-dot:one-cell",
          .summary = "has all blocks write the same cell", .kernel = "puzzle_dot_one_cell",
          .n = 16);
