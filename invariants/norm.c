// SPDX-License-Identifier: MIT
/* list: norm after cosine_zero_norm */
/* The norm: the kernel is dot_shared, in kernels/dot_blocks.cu. */
#include "block_fold.h"
#include "invariants.h"
#include "program/outcome.h"

#include <math.h>

/* explain: norm
 *
 * norm: the Euclidean norm of a vector, the root of a . a.
 *
 * Statement
 *     dot-shared's kernel, with a for both vectors. At the checkpoint of width w
 *     in each block, with x[k][t] the sum that thread t of block k comes with, G
 *     threads in the grid, T in a block:
 *         {law sequential}
 *     After d launches:
 *         {law}
 *     and the norm is the root of the sum of all A[k].
 *
 * Worked example, n = 4, one block of 4, a = 0 1 2 3
 *     A[0] = 0 + 1 + 4 + 9 = 14, and the norm is 3.7416...
 *
 * Initialization
 *     w = T: cache[i] = x[i], which thread i has just written.
 *
 * Preservation
 *     The round of dot-shared.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     Each j is in one A[k]. The root is taken once, on the host.
 *
 * Cost
 *     As dot-shared. The squares overflow long before the norm would: from 2^64
 *     on, in f32. As floats, the sum has height at most ceil(n/G) + log2(T) +
 *     B - 1, and an error of at most E = g_h * |a|^2 + n*e * (1 + g_h), where e is
 *     what a square may lose when it underflows: 2^-150 in f32, 2^-1075 in f64.
 *     The norm is then off by at most E/|a|, or by sqrt(E) where that is less. A
 *     square is 0 where the number is at most 2^-75 in f32 (2^-537.5 in f64), and
 *     loses digits where it is less than 2^-63 (2^-511): the norm of such numbers
 *     is good to sqrt(n*e) only.
 *
 *     As integers the sums are exact modulo 2^32 or 2^64, and so each step holds.
 *     The number is the norm only where the type holds the sum of all squares: of
 *     i32, norms up to 46340. Where the sum wraps, the exit is violated.
 */

/* |sqrt(x) - sqrt(s)| is at most |x - s| / sqrt(s), and at most sqrt(|x - s|). */
static long double root_limit(long double sum, long double limit)
{
    return limit <= sum ? limit / sqrtl(sum) : sqrtl(limit);
}

static void norm_outcome(const struct rd_expect *expect, double actual, struct rd_outcome *outcome)
{
    struct rd_exact_sum exact = rd_exact_sum(expect, RD_AA);
    struct rd_rounding rounding = rd_rounding_of(expect);
    /* A long double holds sums that a double does not, and of which it has the root. */
    rd_tell_outcome(outcome, "norm", actual, sqrtl(exact.value),
                    exact.value > 0 ? root_limit(exact.value, rd_off_by(&rounding, &exact)) : 0);
    rd_tell_overflow(outcome, expect->numeric, &exact, "a[j]^2");
}

static void norm_result(const struct rd_expect *expect, const void *cells,
                        struct rd_outcome *outcome)
{
    norm_outcome(expect, sqrt(rd_host_sum(expect, cells, 0, 1)), outcome);
}

#define NORM                                                                                       \
    .name = "norm", .summary = "the Euclidean norm: the root of a . a",                            \
    .law = RD_LAW_BLOCK_SUMS("a[n]", "a[j]^2", "sequential"),                                      \
    .launch = "dot_shared(a, a, A, n) on B blocks of T, shared T", .goal = RD_GOAL_RESULT,         \
    .goal_text = "norm = the root of the sum of all a[j]^2", .result = norm_result,                \
    .no_witness = true, .blocks = RD_STRIDE_BLOCKS, .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO,        \
    .n = 1003, .n_block = 64, .n_grid = 5, .type = RD_TYPE_F32

const struct rd_program rd_program_norm = {NORM};

/* explain: norm:no-root
 *
 * norm:no-root: a . a, and no root of it.
 *
 * What is wrong
 *     The invariant of every round holds, and the result is the square of the
 *     norm: for a = 0 .. 7 it is 140 instead of 11.83. A cosine made of it is off
 *     by the factor 1/(|a| |b|).
 *
 * The cure
 *     The root, once, on the host: norm.
 */
static void no_root_result(const struct rd_expect *expect, const void *cells,
                           struct rd_outcome *outcome)
{
    norm_outcome(expect, rd_host_sum(expect, cells, 0, 1), outcome);
}

RD_LESSON(norm_no_root, NORM, .name = "norm:no-root", .summary = "forgets the root",
          .result = no_root_result, .n = 8);
