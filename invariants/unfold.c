// SPDX-License-Identifier: MIT
/* list: unfold after fold_ceil_floor */
/* The fold run backwards. The kernel is in kernels/unfold.cu. */
#include "invariants.h"

/* explain: unfold
 *
 * unfold: the fold run backwards. A starts as the folded array of a. n = 2^k.
 *
 * Statement
 *     After d rounds A is the array that the fold had when w cells were live:
 *         {law}
 *     bit_ceil(i + 1) is the least power of two above i. All cells are live.
 *
 * Worked example, n = 8, a = 0 .. 7
 *     d = 0, w = 1:   A = 28 |16   8  10   4   5   6   7    the folded array
 *     d = 1, w = 2:   A = 12  16 | 8  10   4   5   6   7    28 - 16 = 12
 *     d = 2, w = 4:   A =  4   6   8  10 | 4   5   6   7
 *     d = 3, w = 8:   A =  0   1   2   3   4   5   6   7    the input again
 *
 * Initialization
 *     w = 1 is the fold's last step, and its dead cells hold what they held when
 *     they died.
 *
 * Preservation
 *     The round subtracts A[i + half] from A[i] for i < half = w. A[i] holds the
 *     inputs with j mod w = i, A[i + w] those with j mod 2w = i + w, which are
 *     among them; what stays are those with j mod 2w = i. Thread i alone writes
 *     cell i, and nobody writes a cell from w on.
 *
 * Variant
 *     n - w falls, and the loop ends at w = n.
 *
 * Exit
 *     w = n: A[i] = a[i]. Integers come back exactly, modulo 2^32 or 2^64. Floats
 *     need not: what an addition rounded away, no subtraction brings back. With
 *     a = 1, 2^24 in f32, 1 + 2^24 rounds to 2^24, and A[0] comes back as 0. See
 *     `reductio run unfold:float`.
 *
 * Cost
 *     log2(n) rounds, n - 1 subtractions.
 */
// clang-format off
#define UNFOLD                                                                                     \
    .name = "unfold", .summary = "the fold backwards, until the input is back (n = 2^k)",          \
    .law = "input a[n]\n"                                                                          \
           "array A[n]\n"                                                                          \
           "let w = 2^d\n"                                                                         \
           "law " RD_LAW_OF_FOLD("a[j]") ";\n"                                                     \
           "    when w < n: for w <= i < n: A[i] = sum of a[j], j mod bit_ceil(i + 1) = i\n"       \
           "start for 0 <= i < n: A[i] = folded.f[0][i]\n"                                         \
           "update for i < w: A[i] = folded.f[0][i]\n"                                             \
           "at folded shared f[n]\n"                                                               \
           "steps v = n, v/2, ..., w\n"                                                            \
           "law for 0 <= i < v: f[i] = sum of a[j], j mod v = i;\n"                                \
           "    when v < n: for v <= i < n: f[i] = sum of a[j], j mod bit_ceil(i + 1) = i\n"       \
           "start for 0 <= i < n: f[i] = a[i]\n"                                                   \
           "update for i < v: f[i] = f[i] + f[i + v]\n",                                           \
    .launch = "when w/2 < n: unfold(A, w/2) by w/2 threads, half = w/2", .goal = RD_GOAL_INPUT,    \
    .accept =                                                                                      \
        RD_ACCEPT_POWER_OF_TWO "unfold takes back what fold did, and fold takes powers of two",    \
    .n = 8, .n_block = 3
// clang-format on

const struct rd_program rd_program_unfold = {UNFOLD};

/* explain: unfold:float
 *
 * unfold:float: the unfold on floats, where it is false in general.
 *
 * What is wrong
 *     In f32, 1 + 2^24 = 2^24: the 1 is rounded away. The folded array of a = 1,
 *     2^24 is 2^24, 2^24, and step 1 fails in A[0]: it should be 1 again, and is
 *     2^24 - 2^24 = 0. For inputs whose sums are all exact, such as small whole
 *     numbers, the unfold of floats holds.
 *
 * The cure
 *     None: addition of floats has no inverse. Keep the input.
 */
RD_LESSON(unfold_float, UNFOLD, .name = "unfold:float",
          .summary = "takes back what a float addition rounded away", .n = 2, .type = RD_TYPE_F32,
          .values = "list:1,16777216");
