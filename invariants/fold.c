// SPDX-License-Identifier: MIT
/* The fold of 2^k numbers, and its faults. Its kernels are in kernels/fold.cu; those for any n in fold_any.c and
 * fold_any.cu. */
#include "invariants.h"

/* explain: fold
 *
 * fold: half the array is added onto the other, until one cell is left. n = 2^k.
 *
 * Statement
 *     After d rounds:
 *         {law}
 *     j is any input, 0 <= j < n. The cells from w on are dead: a round does not
 *     touch them.
 *
 * Worked example, n = 8, a = 0 1 2 3 4 5 6 7
 *     d = 0, w = 8: A =  0   1   2   3   4   5   6   7  each holds its own input
 *     d = 1, w = 4: A =  4   6   8  10 | 4   5   6   7  A[1] = a[1] + a[5]
 *     d = 2, w = 2: A = 12  16 | 8  10   4   5   6   7  A[1] = a[1]+a[3]+a[5]+a[7]
 *     d = 3, w = 1: A = 28 |16   8  10   4   5   6   7  A[0] = a[0] + ... + a[7]
 *
 * Initialization
 *     d = 0, w = n: only j = i has j mod n = i, so the claim is A[i] = a[i], which
 *     is how A starts.
 *
 * Preservation
 *     The round adds A[i + half] to A[i] for 0 <= i < half, half = w/2. Before it,
 *     A[i] holds the inputs with j mod w = i, and A[i + half] those with
 *     j mod w = i + half. Now j mod half = i just when j mod w is i or i + half,
 *     so their union is what the claim wants of A[i] for the new w = half. The two
 *     sets have no input in common, so none is counted twice.
 *     Cell i is written by thread i alone, and i < half; cell i + half is read,
 *     and nobody writes it, as all that is written lies below half. So the order
 *     of the threads does not matter, and they need not end together: what orders
 *     two rounds is the launch, which begins when all threads of the one before
 *     have ended.
 *
 * Variant
 *     w is a whole number, each round halves it, and the loop ends at w = 1: it
 *     makes log2(n) rounds.
 *
 * Exit
 *     The loop ends at w = 1. Every j has j mod 1 = 0, so A[0] is the sum of all
 *     inputs.
 *
 * What this shows
 *     Initialization, preservation and exit are what Cormen et al. call
 *     initialization, maintenance and termination. They make the loop partially
 *     correct: if it ends, it ends with the sum. That it does end, the variant
 *     shows: with it the loop is totally correct.
 *     These paragraphs are a proof, for each n = 2^k and each input. A run is not:
 *     it asserts the claim for one n and one input. A run on witness values stands
 *     for all inputs of one n, as far as its last line says. No run stands for
 *     all n.
 *     Of + they use that x + y = y + x and (x + y) + z = x + (y + z), and nothing
 *     else. So they are a proof for any operation that is commutative and
 *     associative: product, min, max, argmin, argmax, and, or, xor (--op). None
 *     needs an identity, as each cell starts as its own input, or as its index.
 *
 * Floats
 *     Of integers "=" means modulo 2^32 or 2^64, where addition is associative and
 *     commutative: any tree gives the same sum. Addition of floats is commutative,
 *     x + y = y + x to the bit, and not associative. So two things are asserted of
 *     them: the bits of this very tree, and that they lie within a bound of the
 *     exact sum.
 *     The height h of a tree is the most roundings on the way of an input to the
 *     result; to add to 0 rounds nothing. u is the unit roundoff: 2^-24 for f32,
 *     2^-53 for f64, 2^-11 for f16 and 2^-8 for bf16. Lemma: a tree of height h
 *     gives the sum with an error of at most g_h * sum |a_j|, where
 *     g_h = h*u / (1 - h*u), if h*u < 1 and nothing overflows. For each rounding
 *     multiplies by some 1 + e with |e| <= u, so the result is the sum of all
 *     a_j * p_j, where p_j is a product of at most h such factors, and
 *     |p_j - 1| <= (1 + u)^h - 1 <= g_h (Higham, "Accuracy and Stability of
 *     Numerical Algorithms", section 3.1).
 *     The fold's tree is balanced: its height is log2(n).
 *
 * A weaker invariant
 *     The sum of all live cells is the sum of all inputs. That is true at first,
 *     each round keeps it, and at w = 1 it gives the same goal: it is an
 *     invariant, and enough. But it does not tell which inputs are where. A
 *     mirrored fold adds A[w-1-i] to A[i]: after its first round n = 8 has
 *     7 7 7 7, where this fold has 4 6 8 10. Both add up to 28, and both end with
 *     it; only the claim above tells one from the other.
 *
 * Cost
 *     log2(n) rounds; n/2 + n/4 + ... + 1 = n - 1 additions. Neighbouring threads
 *     read neighbouring cells: a warp's accesses are coalesced.
 */

// clang-format off
#define FOLD                                                                                       \
    .name = "fold", .summary = "adds the upper half onto the lower (n = 2^k)",                     \
    .law = "input a[n]\n"                                                                          \
           "array A[n]\n"                                                                          \
           "let w = n / 2^d\n"                                                                     \
           "law " RD_LAW_OF_FOLD("a[j]") "\n"                                                      \
           "start for 0 <= i < n: A[i] = a[i]\n"                                                   \
           "update for 0 <= i < w: A[i] = A[i] + A[i + w]\n",                                      \
    .launch = "when w > 0: fold(A, w) by w threads, half = w", .goal = RD_GOAL_SUM,                \
    .bounded = true, .any_operation = true,                                                        \
    .accept = RD_ACCEPT_POWER_OF_TWO "use fold-guard or fold-ceil", .n = 8, .n_block = 3
// clang-format on

const struct rd_program rd_program_fold = {FOLD};

/* explain: fold:inclusive-bound
 *
 * fold:inclusive-bound: the kernel is the fold's; the claim is off by one.
 *
 * The claim
 *     After d rounds, the last cell of the range included:
 *         {law}
 *
 * What is wrong
 *     Cell w is dead. At d = 0 the claim even names A[n], which does not exist: it
 *     is asserted of the n cells that do, and the sentence at that step says so.
 *     Read modulo w, cell w should equal cell 0, and it does not: for n = 8,
 *     a = 0 .. 7, the claim fails at d = 2, where A[2] = 8 and the claim says 12.
 *     At d = 1 it passes by accident: A[4] = a[4] = a[0] + a[4], because a[0] = 0.
 *
 * The cure
 *     The live cells are 0 <= i < w: half-open, as all intervals here. See
 *     `reductio explain fold`.
 */

RD_LESSON(fold_inclusive_bound, FOLD, .name = "fold:inclusive-bound",
          .summary = "claims one cell too many, i <= n/2^d",
          .law = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
                 "law when d = 0: for 0 <= i <= w, i < n: A[i] = sum of a[j], j = i (mod w);\n"
                 "    when d > 0: for 0 <= i <= w: A[i] = sum of a[j], j = i (mod w)\n",
          .bounded = false);

/* explain: fold:tournament-table
 *
 * fold:tournament-table: the kernel is the fold's, the table the tournament's.
 *
 * The claim
 *     After d rounds:
 *         {law}
 *
 * What is wrong
 *     The fold adds cells that lie half an array apart, not neighbours. For n = 8,
 *     a = 0 .. 7, the claim fails at d = 1 in A[0], which is a[0] + a[4] = 4 where
 *     the table says a[0] + a[1] = 1. Where all inputs are equal A[0] looks right
 *     at every step: ones can't tell the two apart there. Use witness values, or
 *     numbers that differ.
 *
 * The cure
 *     The fold's own statement: `reductio explain fold`. The table's own loop: the
 *     tournament.
 */
RD_LESSON(fold_tournament_table, FOLD, .name = "fold:tournament-table",
          .summary = "claims of the fold what the tournament does",
          .law = RD_LAW_TOURNAMENT "let w = n / 2^d\n");

/* explain: fold:missing-guard
 *
 * fold:missing-guard: the fold without `if (i < half)`, in blocks of one size.
 *
 * What is wrong
 *     All rounds use the block of the first. As soon as half is smaller than that
 *     block, there are more threads than half, and the extra ones add into cells
 *     that the round must not touch. For n = 8, a = 0 .. 7: round 2 has half = 2
 *     and 4 threads; thread 2 makes A[2] = 8 + 4 = 12, thread 3 makes
 *     A[3] = 10 + 5 = 15. The live cells A[0] and A[1] may come out right, when
 *     the threads that read A[2] and A[3] are faster than those that spoil them: a
 *     race. The frame, which says that dead cells stay as they are, fails at step
 *     2 in A[2]. Where a[4] is 0 it fails in A[3]; where a[5] is 0 as well it
 *     holds, and the race alone tells.
 *
 * The cure
 *     The guard. A grid is a multiple of the block; the work seldom is.
 */
RD_LESSON(fold_missing_guard, FOLD, .name = "fold:missing-guard",
          .summary = "lets a whole block loose on half a block's work",
          .launch = "when w > 0: fold_missing_guard(A, w) by w threads in blocks of min(n / 2, "
                    "T), half = w");

/* explain: fold:wrong-half
 *
 * fold:wrong-half: the kernel adds A[i + half - 1] instead of A[i + half].
 *
 * What is wrong
 *     Every cell gets its neighbour's partner. For n = 8, a = 0 .. 7, step 1 fails
 *     in A[0]: it should hold the inputs 0 and 4, that is 4, and holds 0 and 3,
 *     that is 3. Input 3 is then counted twice, and input 7 is in no live cell any
 *     more. (Thread 3 writes A[3] in the same round in which thread 0 reads it: a
 *     race, so that A[0] may also hold what A[3] becomes.)
 *
 * The cure
 *     Cell i's partner is w/2 further on: i + half.
 */
RD_LESSON(fold_wrong_half, FOLD, .name = "fold:wrong-half",
          .summary = "adds A[i+half-1] instead of A[i+half]", .kernel = "fold_wrong_half");

/* explain: fold:tie-index
 *
 * fold:tie-index: of equal inputs a cell keeps its own, whichever comes first.
 *
 * What is wrong
 *     argmin of inputs is the index of the least and, where several are least, the
 *     lowest of their indices. The kernel compares the inputs alone: A[i] changes
 *     only where a[A[i + half]] < a[A[i]]. Without equal inputs that is right. For
 *     n = 8, a = 3 3 1 3 1 3 3 3 it is not: round 1 makes A[0] = 4, since a[4] = 1
 *     is less than a[0] = 3, and leaves A[2] = 2, where a[2] = 1. In round 2 these
 *     meet, A[0] keeps its own, and step 2 fails in A[0]: it should hold 2, and
 *     holds 4. What stands there is 1 either way: the value is right, and only the
 *     index tells.
 *     Random inputs hide it, as none are equal; so do ones, of which each cell
 *     keeps itself, down to A[0] = 0. Equal inputs must meet in the other order.
 *
 * What this shows
 *     "Of equal ones, the left" is associative, but not commutative: 4 and 2 give
 *     4, 2 and 4 give 2. The fold's preservation asks for both laws, as A[0] takes
 *     inputs from behind those of A[1]. A loop from left to right asks for the
 *     first alone, and so does the tournament, whose left cell holds inputs before
 *     those of its partner: there such a comparison is right.
 *
 * The cure
 *     Of equal inputs keep the lower index, as CUB's ArgMin does: y instead of x
 *     where a[y] < a[x], or a[y] = a[x] and y < x. Then any order gives the same
 *     index. Of floats, -0 is less than 0 here, and a NaN loses to any number, as
 *     of min; of NaNs alone it is the lowest index.
 *     Of nothing there is no argmin. The rungs of the ladder, which fill up where
 *     there are no inputs, fill up with the index of no input, all ones: it loses
 *     to every other, and nothing is read by it. It is printed as "none".
 */
RD_LESSON(fold_tie_index, FOLD, .name = "fold:tie-index",
          .summary = "keeps the left of equal inputs, and not the first", .kernel = "fold_tie",
          .operation = RD_OPERATION_ARGMIN, .values = "list:3,3,1,3,1,3,3,3");
