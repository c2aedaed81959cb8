// SPDX-License-Identifier: MIT
/* list: dot_fold after multiply_one_block */
/* Dot products: round 1 multiplies, then a sum's rounds follow. The kernels are in
 * kernels/multiply.cu, kernels/fold.cu and kernels/tournament.cu. */
#include "invariants.h"

/* explain: dot-fold
 *
 * dot-fold: the dot product of a and b: multiplies, then folds. n = 2^k.
 *
 * Statement
 *     After d rounds:
 *         {law}
 *     Round 1 makes the products and leaves w = n; each round after it halves w.
 *
 * Worked example, n = 8, a = 0 .. 7, b = 1 .. 8
 *     step 0:          A =   0   1   2   3   4   5   6   7
 *     step 1, w = 8:   A =   0   2   6  12  20  30  42  56     a[i] * b[i]
 *     step 2, w = 4:   A =  20  32  48  68 |20  30  42  56
 *     step 3, w = 2:   A =  68 100 |48  68  20  30  42  56
 *     step 4, w = 1:   A = 168 |100 48  68  20  30  42  56
 *
 * Initialization
 *     A starts as a.
 *
 * Preservation
 *     Round 1 is `multiply`, and leaves the fold's invariant at d = 0, with the
 *     products as the inputs. Each round after it is one of the fold's, which
 *     keeps it: see `reductio explain fold`.
 *
 * Variant
 *     After round 1, w: it halves, and the loop ends at w = 1.
 *
 * Exit
 *     w = 1: A[0] is the sum of all a[j]*b[j].
 *
 * Cost
 *     1 + log2(n) rounds, n multiplications, n - 1 additions. As floats, each
 *     product is rounded once before it enters the tree: height 1 + log2(n).
 */
const struct rd_program rd_program_dot_fold = {
    .name = "dot-fold",
    .summary = "multiplies, then folds (n = 2^k)",
    // clang-format off
    .law = "input a[n], b[n]\n"
           "array A[n]\n"
           "let w = n / 2^(d-1)\n"
           "law when d = 0: for 0 <= i < n: A[i] = a[i]; "
           "when d > 0: " RD_LAW_OF_FOLD("a[j]*b[j]") "\n"
           "start for 0 <= i < n: A[i] = a[i]\n"
           "update when d = 1: for 0 <= i < n: A[i] = A[i] * b[i];\n"
           "    when d > 1: for 0 <= i < w: A[i] = A[i] + A[i + w]\n",
    // clang-format on
    .launch = "when d = 1: multiply(A, b, A, n) by n threads; when w > 0: "
              "fold(A, w) by w threads, half = w",
    .goal = RD_GOAL_SUM,
    .bounded = true,
    .accept = RD_ACCEPT_POWER_OF_TWO "use dot-tournament",
    .n = 8,
    .n_block = 3,
};

/* explain: dot-tournament
 *
 * dot-tournament: the dot product of a and b: multiplies, then plays. Any n.
 *
 * Statement
 *     After d rounds:
 *         {law}
 *     Round 1 makes the products and leaves D = 1; each round after it doubles D.
 *
 * Worked example, n = 8, a = 0 .. 7, b = 1 .. 8
 *     step 0:          A =   0   1   2   3   4   5   6   7
 *     step 1, D = 1:   A =   0   2   6  12  20  30  42  56     a[i] * b[i]
 *     step 2, D = 2:   A =   2   .  18   .  50   .  98   .
 *     step 3, D = 4:   A =  20   .   .   . 148   .   .   .
 *     step 4, D = 8:   A = 168   .   .   .   .   .   .   .
 *
 * Initialization
 *     A starts as a.
 *
 * Preservation
 *     Round 1 is `multiply`, and leaves the tournament's invariant at d = 0, with
 *     the products as the inputs. Each round after it is one of the tournament's,
 *     which keeps it.
 *
 * Variant
 *     After round 1, D: it doubles, and the loop ends when D >= n.
 *
 * Exit
 *     D >= n: A[0] is the sum of all a[j]*b[j].
 *
 * Cost
 *     1 + ceil(log2(n)) rounds, n multiplications, n - 1 additions. As floats:
 *     height 1 + ceil(log2(n)).
 */
const struct rd_program rd_program_dot_tournament = {
    .name = "dot-tournament",
    .summary = "multiplies, then plays a tournament (any n)",
    // clang-format off
    .law = "input a[n], b[n]\n"
           "array A[n]\n"
           "let D = 2^(d-1)\n"
           "law when d = 0: for 0 <= i < n: A[i] = a[i]; "
           "when d > 0: " RD_LAW_OF_TOURNAMENT("a[j]*b[j]") "\n"
           "start for 0 <= i < n: A[i] = a[i]\n"
           "update when d = 1: for 0 <= i < n: A[i] = A[i] * b[i];\n"
           "    when d > 1: for i = 0 mod D, i + D/2 < n: A[i] = A[i] + A[i + D/2]\n",
    // clang-format on
    .launch = "when d = 1: multiply(A, b, A, n) by n threads; when D/2 < n: "
              "tournament(A, D/2, n) by ceil((n - D/2) / D) threads, D = D/2",
    .goal = RD_GOAL_SUM,
    .bounded = true,
    .n = 11,
    .n_block = 4,
};
