// SPDX-License-Identifier: MIT
/* list: tournament after unfold_float */
/* The tournament tree, for any n. The kernels are in kernels/tournament.cu. */
#include "invariants.h"

/* explain: tournament
 *
 * tournament: neighbouring blocks are added, until one is left. Any n.
 *
 * Statement
 *     After d rounds:
 *         {law}
 *     The other cells are dead: a round does not touch them.
 *
 * Worked example, n = 8, a = 0 1 2 3 4 5 6 7
 *     d = 0, D = 1: A =  0   1   2   3   4   5   6   7  each is a block of its own
 *     d = 1, D = 2: A =  1   .   5   .   9   .  13   .  A[2] = a[2] + a[3]
 *     d = 2, D = 4: A =  6   .   .   .  22   .   .   .  A[4] = a[4] + ... + a[7]
 *     d = 3, D = 8: A = 28   .   .   .   .   .   .   .  A[0] = a[0] + ... + a[7]
 *
 * Initialization
 *     D = 1: the block of i is i alone, and the claim is A[i] = a[i], which is how
 *     A starts.
 *
 * Preservation
 *     The round adds A[i + D] to A[i] for i = 0 mod 2D with i + D < n. Before it,
 *     A[i] is the sum of a[i .. i+D), and A[i + D] that of a[i+D .. min(i+2D, n));
 *     together a[i .. min(i+2D, n)), which is what the claim wants for the doubled
 *     D. Where i + D >= n, the block of i already ends at n.
 *     Cell i is written by one thread alone, and i is an even multiple of D; i + D
 *     is an odd one, so that nobody writes it: no order of the threads matters.
 *
 * Variant
 *     D doubles, and the loop ends when D >= n.
 *
 * Exit
 *     The loop ends when D >= n: A[0] is the sum of a[0 .. n).
 *
 * Cost
 *     ceil(log2(n)) rounds, n - 1 additions. As floats: height ceil(log2(n)). The
 *     live cells lie D apart, so that late rounds fetch a whole line of memory for
 *     each: accesses are not coalesced. For n = 2^k, with b[bitrev(i)] = a[i], the
 *     tournament of b is the very expression tree of the fold of a: bit-equal in
 *     floats.
 */

#define TOURNAMENT                                                                                 \
    .name = "tournament", .summary = "adds neighbouring blocks and doubles them (any n)",          \
    .law = RD_LAW_TOURNAMENT,                                                                      \
    .launch = "when D/2 < n: tournament(A, D/2, n) by ceil((n - D/2) / D) threads, "               \
              "D = D/2",                                                                           \
    .goal = RD_GOAL_SUM, .bounded = true, .any_operation = true, .n = 11, .n_block = 4

const struct rd_program rd_program_tournament = {TOURNAMENT};

/* explain: tournament:interval
 *
 * tournament:interval: the claim writes the intervals by their length only.
 *
 * The claim
 *     After d rounds:
 *         {law}
 *     where a[i .. i+D) is meant.
 *
 * What is wrong
 *     An interval is named by where it starts and where it ends. [i, D) ends at D
 *     whatever i is, and is empty from i = D on, where the sum is 0. For a = 0 ..
 *     7 initialization fails: A[1] is 1, and the claim says 0. Cell 0 alone comes
 *     out right, so a look at the result hides it.
 *
 * The cure
 *     a[i, i+D) + a[i+D, i+2D) = a[i, i+2D). See `reductio explain tournament`.
 */

RD_LESSON(tournament_interval, TOURNAMENT, .name = "tournament:interval",
          .summary = "claims [i, D) where [i, i+D) is meant",
          .law = "input a[n]\narray A[n]\nlet D = 2^d\n"
                 "law for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < D\n",
          .bounded = false, .any_operation = false, .n = 8);

/* explain: tournament:lost-tail
 *
 * tournament:lost-tail: the guard is i + 2D <= n instead of i + D < n.
 *
 * What is wrong
 *     A match is played only where both blocks are complete. For n = 3: round 1
 *     makes A[0] = a[0] + a[1]; round 2 has D = 2, and 0 + 4 <= 3 is false, so
 *     a[2] is never added: step 2 fails in A[0], which should hold the inputs
 *     {0..2} and holds {0,1}. For n a power of two the fault can't show.
 *
 * The cure
 *     The partner must exist, its block need not be full: i + D < n.
 */
RD_LESSON(tournament_lost_tail, TOURNAMENT, .name = "tournament:lost-tail",
          .summary = "asks for full blocks, and loses the tail", .kernel = "tournament_lost_tail",
          .n = 3);

/* explain: tournament:stride-one
 *
 * tournament:stride-one: the partner is always A[i + 1] instead of A[i + D].
 *
 * What is wrong
 *     The first round is right, because D = 1. In the second, the winners lie two
 *     apart, and A[i + 1] is a loser of the round before. For n = 8, a = 0 .. 7,
 *     step 2 fails in A[0]: it should hold the inputs {0..3}, that is 6, and
 *     holds {0,1x2}, that is 2.
 *
 * The cure
 *     The stride doubles with the blocks: i + D.
 */
RD_LESSON(tournament_stride_one, TOURNAMENT, .name = "tournament:stride-one",
          .summary = "adds the next cell in every round", .kernel = "tournament_stride_one",
          .n = 8);
