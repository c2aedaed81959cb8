// SPDX-License-Identifier: MIT
/* list: ladder_interleaved_modulo after puzzle_matmul_one_barrier */
/* The ladder's first rungs: the kernels are in kernels/ladder_shared.cu. */
#include "invariants.h"
#include "ladder.h"

// clang-format off
#define LAW_INTERLEAVED                                                                            \
    RD_LAW_RUNG(RD_LAW_OWN, RD_LAW_OF_BLOCKS("a[j]"), "interleaved.x[k][0]",                       \
                "at interleaved shared x[T]\n"                                                     \
                "steps s = 1, 2*s, ..., bit_ceil(T)\n"                                             \
                "law for i = 0 mod s, i < T: x[i] = sum of own[block][t], i <= t < min(i+s, T)\n"  \
                "start for 0 <= t < T: x[t] = own[block][t]\n"                                     \
                "update for t = 0 mod s, t + s/2 < T: x[t] = x[t] + x[t + s/2]\n")
// clang-format on

/* ---- neighbours first: x[t] += x[t + s], s = 1, 2, 4, … ---- */

/* explain: ladder-interleaved-modulo
 *
 * ladder-interleaved-modulo: each thread loads one element, and in each block
 * neighbours meet, as in the tournament. Which threads add, a remainder tells. Any
 * n, any block; a thread for each element. It is kernel 1 of Harris' "Optimizing
 * Parallel Reduction in CUDA".
 *
 * Statement
 *     T threads a block; thread t of block k brings own[k][t], the element of its
 *     number, or 0 beyond the end. At the checkpoint of stride s, in each block:
 *         {law interleaved}
 *     After d launches, with B blocks:
 *         {law}
 *     There is a thread for each element, so that j mod G = j, and block k has the
 *     elements from kT up to kT + T.
 *
 * Worked example, n = 8, one block of 8, a = 0 .. 7
 *     s = 1: x =  0  1  2  3  4  5  6  7      as the threads brought it
 *     s = 2: x =  1  .  5  .  9  .  13 .      x[0] = a[0] + a[1]
 *     s = 4: x =  6  .  .  .  22 .  .  .      x[4] = a[4] + a[5] + a[6] + a[7]
 *     s = 8: x = 28                           A[0] = 28
 *
 * Initialization
 *     s = 1: each thread has written its own cell, and the barrier makes all of
 *     them visible.
 *
 * Preservation
 *     Thread t = 0 mod 2s adds x[t + s], the sum of the s cells behind its own s.
 *     It alone writes cell t, and nobody writes cell t + s, which is no multiple
 *     of 2s. Where t + s >= T there is nothing to add, and x[t] is the sum up to T
 *     already. The barrier stands outside the `if`.
 *
 * Variant
 *     s doubles, and the loop ends when s >= T.
 *
 * Exit
 *     The loop ends with s >= T, when x[0] is the sum of the block by the claim.
 *     The host adds the B sums.
 *
 * Cost
 *     1 + ceil(log2(T)) barriers. In a round one thread in 2s adds. As long as
 *     2s <= 32 some lane of each warp does, and the others wait for it:
 *     divergence. And `%` is slow. As floats: height at most ceil(log2(T)) +
 *     B - 1.
 */
#define LADDER_INTERLEAVED_MODULO                                                                  \
    .name = "ladder-interleaved-modulo",                                                           \
    .summary = "adds neighbours in shared memory, where t mod 2s = 0", .law = LAW_INTERLEAVED,     \
    .launch = "ladder_interleaved_modulo(a, A, n) on B blocks of T, shared T",                     \
    .goal = RD_GOAL_TOTAL, .any_operation = true, .blocks = "ceil(n / T)",                         \
    .accept = RD_LADDER_ACCEPT_OF("T"), .n = 1003, .n_block = 200

const struct rd_program rd_program_ladder_interleaved_modulo = {LADDER_INTERLEAVED_MODULO};

/* explain: ladder-interleaved-strided
 *
 * ladder-interleaved-strided: the same additions, by the block's first threads:
 * thread t works on cell 2st. Any n, any block; a thread for each element. Harris'
 * kernel 2.
 *
 * Statement
 *     That of ladder-interleaved-modulo, word for word: at the checkpoint of
 *     stride s
 *         {law interleaved}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 8, a = 0 .. 7
 *     s = 1: thread t adds x[2t + 1] to x[2t], t = 0 .. 3   x = 1 . 5 . 9 . 13 .
 *     s = 2: thread t adds x[4t + 2] to x[4t], t = 0, 1     x = 6 . . . 22 . . .
 *     s = 4: thread 0 adds x[4] to x[0]                     x = 28
 *
 * Initialization
 *     s = 1: each thread has written its own cell, and the barrier makes all of
 *     them visible.
 *
 * Preservation
 *     i = 2st runs over the multiples of 2s, each once, as t runs over the
 *     threads. From there on it is the round of ladder-interleaved-modulo.
 *
 * Variant
 *     s doubles, and the loop ends when s >= T.
 *
 * Exit
 *     s >= T: x[0] is the sum of the block. The host adds the B sums.
 *
 * Cost
 *     1 + ceil(log2(T)) barriers. Whole warps add or are idle, and there is no
 *     remainder. But the threads of a warp read cells 2s apart, and those that lie
 *     in the same bank of shared memory are serialised: bank conflicts. With
 *     elements of 4 bytes and T = 256 there are 2, 4, 8, 8, 8, 4, 2 and 1 cells in
 *     a bank at s = 1, 2, ..., 128; with T = 1024, at s = 16, all 32. As floats:
 *     height at most ceil(log2(T)) + B - 1.
 */
const struct rd_program rd_program_ladder_interleaved_strided = {
    LADDER_INTERLEAVED_MODULO,
    .name = "ladder-interleaved-strided",
    .summary = "adds neighbours, by the block's first threads",
    .kernel = "ladder_interleaved_strided",
};

/* ---- halves: x[t] += x[t + s], s = w/2, w/4, …, 1 ---- */

/* explain: ladder-sequential
 *
 * ladder-sequential: each thread loads one element, and each block folds its
 * cells: the upper half onto the lower. Any n, any block; a thread for each
 * element. Harris' kernel 3.
 *
 * Statement
 *     T threads a block; thread t of block k brings own[k][t], the element of its
 *     number, or 0 beyond the end. P is the least power of two >= T. At the
 *     checkpoint of width w = P, P/2, ..., 1, in each block:
 *         {law sequential}
 *     After d launches:
 *         {law}
 *     There is a thread for each element, so that j mod G = j, and block k has the
 *     elements from kT up to kT + T.
 *
 * Worked example, n = 8, two blocks of 6, a = 0 .. 7; the first block:
 *     w = 8: x =  0   1   2   3   4   5      P = 8, and T = 6
 *     w = 4: x =  4   6   2   3 | .   .      x[0] = a[0] + a[4]; no partner for 2
 *     w = 2: x =  6   9 | .   .              x[0] = a[0] + a[2] + a[4]
 *     w = 1: x = 15 |                        A[0] = 15, and A[1] = 13
 *
 * Initialization
 *     w = P >= T: t mod w = i just for t = i, and thread i has written x[i].
 *
 * Preservation
 *     With s = w/2: t mod s = i just when t mod w is i or i + s. Thread i < s adds
 *     x[i + s] to x[i], if the block has a thread i + s; if not, no thread has
 *     t mod w = i + s. Thread i alone writes cell i, and nobody a cell from s on.
 *     The barrier stands outside the `if`.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     w = 1: x[0] is the sum of the block. The host adds the B sums.
 *
 * Cost
 *     1 + ceil(log2(T)) barriers. Neighbouring threads use neighbouring cells,
 *     each in a bank of its own. On an H200 that gains next to nothing today: 684
 *     GB/s, where ladder-interleaved-strided has 680. The threads from P/2 on
 *     load, and never add. As floats: height at most ceil(log2(T)) + B - 1.
 */
const struct rd_program rd_program_ladder_sequential = {
    .name = "ladder-sequential",
    .summary = "folds in shared memory: neighbouring threads and cells",
    .law = RD_LAW_RUNG(RD_LAW_OWN, RD_LAW_OF_BLOCKS("a[j]"), "sequential.x[k][0]",
                       RD_LAW_SEQUENTIAL("1", "0")),
    .launch = "ladder_sequential(a, A, n) on B blocks of T, shared T",
    .goal = RD_GOAL_TOTAL,
    .any_operation = true,
    .blocks = "ceil(n / T)",
    .accept = RD_LADDER_ACCEPT_OF("T"),
    .n = 1003,
    .n_block = 200,
};
