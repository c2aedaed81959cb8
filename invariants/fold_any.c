// SPDX-License-Identifier: MIT
/* list: fold_guard after fold_tie_index */
/* The fold for any n: with a guard in the first round (fold-guard), or with halves rounded up
 * (fold-ceil). The kernels are in kernels/fold_any.cu. */
#include "invariants.h"

/* explain: fold-guard
 *
 * fold-guard: the fold of any n, as if padded with the neutral element, 0, to a
 * power of two.
 *
 * Statement
 *     Let P be the least power of two >= n, which is bit_ceil(n). After d rounds:
 *         {law}
 *
 * Worked example, n = 8: it is the fold. With n = 6, a = 0 .. 5: P = 8
 *     d = 0, w = 8:   A =  0   1   2   3   4   5
 *     d = 1, w = 4:   A =  4   6   2   3 | 4   5    A[2] and A[3] have no partner
 *     d = 2, w = 2:   A =  6   9 | 2   3   4   5    A[0] = a[0] + a[2] + a[4]
 *     d = 3, w = 1:   A = 15 | 9   2   3   4   5
 *
 * Initialization
 *     w = P >= n: only j = i has j mod P = i, so the claim is A[i] = a[i], which
 *     is how A starts.
 *
 * Preservation
 *     As for the fold, where cell i + half exists: thread i < half alone writes
 *     cell i, and nobody writes a cell from half on. Where i + half >= n, which
 *     can be so in the first round only, no input has j mod w = i + half, and A[i]
 *     already holds all it must.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     w = 1: A[0] is the sum of all a[j].
 *
 * Cost
 *     ceil(log2(n)) rounds, n - 1 additions. As floats: height ceil(log2(n)).
 */

#define FOLD_GUARD                                                                                 \
    .name = "fold-guard", .summary = "the fold of any n: partners beyond the end are skipped",     \
    .law = "input a[n]\n"                                                                          \
           "array A[n]\n"                                                                          \
           "let w = bit_ceil(n) / 2^d\n"                                                           \
           "law for 0 <= i < min(w, n): A[i] = sum of a[j], 0 <= j < n, j mod w = i\n"             \
           "start for 0 <= i < n: A[i] = a[i]\n"                                                   \
           "update for 0 <= i < w, i + w < n: A[i] = A[i] + A[i + w]\n",                           \
    .launch = "when w > 0: fold_guard(A, w, n) by min(w, n - w) threads, half = w",                \
    .goal = RD_GOAL_SUM, .bounded = true, .any_operation = true, .n = 11, .n_block = 3

const struct rd_program rd_program_fold_guard = {FOLD_GUARD};

/* explain: fold-guard:zero-identity
 *
 * fold-guard:zero-identity: what lies beyond the end is combined as 0, also by
 * other operations than the sum.
 *
 * What is wrong
 *     Where a cell has no partner the kernel combines it with 0, instead of
 *     leaving it alone. 0 is the identity of sums, x + 0 = x, and with them the
 *     fault does not show. It is not the identity of max: max(x, 0) = x only for
 *     x >= 0. For n = 6, a = -4 -6 -3 -5 -2 -1, half = 4: cells 2 and 3 have no
 *     partner, round 1 makes them 0, and step 1 fails in A[2], which should hold
 *     a[2] = -3 and holds 0. The maximum of negative numbers then comes out as 0,
 *     which is none of them. Tests on numbers from 0 on never see it.
 *
 * The cure
 *     Leave such a cell alone, as fold-guard does; or combine it with the identity
 *     of the operation and the type:
 *         sum, or, xor   0
 *         product        1
 *         and            all bits set
 *         max            the smallest value: -2^31 of i32, 0 of u32, -infinity of
 *                        floats
 *         min            the largest: 2^31 - 1 of i32, +infinity of floats
 *     A program without an identity, as fold and tournament are, needs none. (Of
 *     floats, a NaN loses to any number here, as in CUDA's fmax(): so next to
 *     -infinity a NaN is lost, and the maximum of NaNs alone is NaN only where no
 *     identity is combined with it.)
 */
RD_LESSON(fold_guard_zero_identity, FOLD_GUARD, .name = "fold-guard:zero-identity",
          .summary = "takes 0 for the identity of max",
          .launch = "when w > 0: fold_guard_zero(A, w, n) by min(w, n) threads, half = w", .n = 6,
          .operation = RD_OPERATION_MAX, .values = "list:-4,-6,-3,-5,-2,-1");

/* explain: fold-ceil
 *
 * fold-ceil: the fold of any n, with the middle cell of an odd number left alone.
 *
 * Statement
 *     Each round leaves the first half of the cells, rounded up: after d rounds
 *     m = m_d of them, m_d = ceil(n / 2^d). Let r_d(j) be the cell that input j
 *     has come to, that is j mod m_1 mod ... mod m_d. After d rounds:
 *         {law}
 *     The cells from m on are dead: a round does not touch them.
 *
 * Worked example, n = 8, a = 0 .. 7: it is the fold. With n = 5, a = 0 .. 4
 *     d = 0, m = 5:   A =  0   1   2   3   4
 *     d = 1, m = 3:   A =  3   5   2 | 3   4     A[2] is the middle: no partner
 *     d = 2, m = 2:   A =  5   5 | 2   3   4     A[0] = a[0] + a[3] + a[2]
 *     d = 3, m = 1:   A = 10 | 5   2   3   4
 *
 * Initialization
 *     r_0(j) = j: the claim is A[i] = a[i], which is how A starts.
 *
 * Preservation
 *     With m = m_d and half = ceil(m/2), thread i adds A[i + half] to A[i] where
 *     i + half < m. Then i < half, since m <= 2*half: nobody writes a cell from
 *     half on, and each other cell is written by one thread at most. The inputs
 *     that r_d puts in i + half are those that r_{d+1} moves to i, since
 *     half <= i + half < 2*half; those in a cell i < half stay. So A[i] holds just
 *     the inputs with r_{d+1}(j) = i.
 *
 * Variant
 *     m is a whole number, and ceil(m/2) < m as long as m > 1.
 *
 * Exit
 *     m = 1 leaves cell 0 only, and r(j) = 0 for every j: A[0] is the sum of all
 *     a[j].
 *
 * Cost
 *     ceil(log2(n)) rounds, n - 1 additions. As floats: height ceil(log2(n)).
 */

#define FOLD_CEIL                                                                                  \
    .name = "fold-ceil", .summary = "the fold of any n: an odd middle cell waits",                 \
    .law = "input a[n]\n"                                                                          \
           "array A[n]\n"                                                                          \
           "let m = ceil(n / 2^d); p = ceil(n / 2^(d-1))\n"                                        \
           "let r_0(j) = j; r_(c+1)(j) = r_c(j) mod ceil(n / 2^(c+1))\n"                           \
           "law for 0 <= i < m: A[i] = sum of a[j], r_d(j) = i\n"                                  \
           "start for 0 <= i < n: A[i] = a[i]\n"                                                   \
           "update for 0 <= i < m, i + m < p: A[i] = A[i] + A[i + m]\n",                           \
    .launch = "when p > 1: fold_ceil(A, m, p) by p - m threads, half = m", .goal = RD_GOAL_SUM,    \
    .bounded = true, .any_operation = true, .n = 11, .n_block = 3

const struct rd_program rd_program_fold_ceil = {FOLD_CEIL};

/* explain: fold-ceil:floor
 *
 * fold-ceil:floor: halves are rounded down, so an odd cell at the end is dropped.
 *
 * What is wrong
 *     With m odd, floor(m/2) threads add A[i + floor(m/2)] to A[i]: cell m - 1 is
 *     nobody's partner, and the next round forgets it. For n = 6, a = 0 .. 5:
 *     round 1 (half = 3) is right, round 2 has m = 3, half = 1, and step 2 fails
 *     in A[0], which should hold the inputs {0,2,3,5} and holds {0,1,3,4}.
 *     The loop then ends with 2 and 5 lost. A shared-memory fold that starts from
 *     blockDim.x / 2 has the same fault: of T terms it keeps 2^floor(log2(T)).
 *
 * The cure
 *     Round up: fold-ceil; or guard a power of two: fold-guard.
 */
RD_LESSON(fold_ceil_floor, FOLD_CEIL, .name = "fold-ceil:floor",
          .summary = "rounds half down and drops the odd cell",
          .launch = "when n / 2^d > 0: fold_ceil(A, n / 2^d, 2*(n / 2^d)) by n / 2^d threads, "
                    "half = n / 2^d",
          .n = 6);
