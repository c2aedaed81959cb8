// SPDX-License-Identifier: MIT
/* list: mse after dot_two_phase */
/* The mean squared error: the kernel is in kernels/similarity.cu. */
#include "block_fold.h"
#include "invariants.h"
#include "program/outcome.h"

/* explain: mse
 *
 * mse: the mean squared error of two vectors, sum of (a[j] - b[j])^2 / n.
 *
 * Statement
 *     Each thread adds squares that lie a grid apart, each block folds its
 *     threads' sums in shared memory, the host adds the blocks' sums and divides.
 *     Any n, any number of blocks; a block is a power of two.
 *     At the checkpoint of width w in each block, with x[k][t] the sum that thread
 *     t of block k comes with:
 *         {law squared_error}
 *     After d launches, with G threads in the grid and T in a block:
 *         {law}
 *
 * Worked example, n = 4, one block of 2, a = 0 1 2 3, b = 1 2 3 4
 *     x = 1 + 1   1 + 1          thread t adds t and t + 2
 *     A[0] = 2 + 2 = 4, and mse = 4/4 = 1
 *
 * Initialization
 *     w = T: only t = i has t mod T = i, and thread i has just written cache[i].
 *
 * Preservation
 *     The round of dot-shared: t mod s = i just when t mod 2s is i or i + s.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     Each j is in one A[k], so the host's sum over k is that of all squares.
 *
 * Cost
 *     As dot-shared. As floats: height at most ceil(n/G) + log2(T) + B + 1: a
 *     difference, which counts twice in its square, and the square come before the
 *     first addition. No term is negative, so that the bound is relative to the
 *     result: the error is at most g_h * mse + e * (1 + g_h), where e is what a
 *     square may lose when it underflows: 2^-150 in f32, 2^-1075 in f64. A square
 *     is 0 where the difference is at most 2^-75 in f32 (2^-537.5 in f64), and
 *     loses digits where it is less than 2^-63 (2^-511).
 *
 *     As integers the sums are exact modulo 2^32 or 2^64, also where a[j]-b[j] is
 *     negative in an unsigned type: its square is the same. The number is the mean
 *     only where the type holds the sum of all squares; where that wraps, the exit
 *     is violated.
 */

static void mse_result(const struct rd_expect *expect, const void *cells,
                       struct rd_outcome *outcome)
{
    struct rd_exact_sum exact = rd_exact_sum(expect, RD_SQUARED_DIFFERENCE);
    struct rd_rounding rounding = rd_rounding_of(expect);
    double n = (double)expect->n_inputs;
    rd_tell_outcome(outcome, "mse", rd_host_sum(expect, cells, 0, 1) / n, exact.value / n,
                    rd_off_by(&rounding, &exact) / n);
    rd_tell_overflow(outcome, expect->numeric, &exact, "(a[j]-b[j])^2");
}

#define MSE                                                                                        \
    .name = "mse", .summary = "the mean squared error of two vectors",                             \
    .law = RD_LAW_BLOCK_SUMS("a[n], b[n]", "(a[j]-b[j])^2", "squared_error"),                      \
    .launch = "squared_error(a, b, A, n) on B blocks of T, shared T", .goal = RD_GOAL_RESULT,      \
    .goal_text = "mse = sum of all (a[j]-b[j])^2 / n", .result = mse_result, .no_witness = true,   \
    .blocks = RD_STRIDE_BLOCKS, .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO, .n = 1003, .n_block = 64,  \
    .n_grid = 5, .type = RD_TYPE_F32

const struct rd_program rd_program_mse = {MSE};

/* explain: mse:dot
 *
 * mse:dot: takes the dot product of prediction and truth, over n, for the error.
 *
 * What is wrong
 *     a . b / n is large where the vectors agree: for a = b = 1 1 the mean
 *     squared error is 0, and this gives 1. Every round keeps dot-shared's
 *     invariant; what fails is the exit: the sum that is right is not the one
 *     that was wanted. No check of the kernel alone can find that.
 *
 * The cure
 *     Square the differences: mse.
 */
RD_LESSON(mse_dot, MSE, .name = "mse:dot", .summary = "takes a . b / n for the error",
          .law = RD_LAW_BLOCK_SUMS("a[n], b[n]", "a[j]*b[j]", "sequential"), .kernel = "dot_shared",
          .n = 2, .values = "ones");
