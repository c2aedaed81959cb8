// SPDX-License-Identifier: MIT
/* list: multi_block_two_launch after norm_no_root */
/* The sum of a vector by several blocks: four right ways for the blocks' sums to come together. The
 * kernels are in kernels/multi_block.cu; what goes wrong is in multi_block_faults.c. */
#include "block_fold.h"
#include "invariants.h"

/* ---- paragraphs: A[0] is the total of the blocks' sums, which one thread adds in their order ---- */

// clang-format off
#define LAW_OF_TOTAL(end, points)                                                                  \
    "input a[n]\n"                                                                                 \
    "array A[1]\n"                                                                                 \
    RD_LAW_OF_THREADS("x", "a[j]")                                                                 \
    "let for 0 <= m < B: S[m] = sum of a[j], floor((j mod G) / T) = m\n"                           \
    "law when d = 0: for 0 <= i < 1: A[i] = 0; when d > 0: " RD_LAW_OF_ALL("a[j]") "\n"            \
    "update A[0] = " end "\n"                                                                      \
    RD_LAW_FOLD("block_sum")                                                                       \
    points
#define LAW_IN_ORDER(who)                                                                          \
    "at serial register total\n"                                                                   \
    "steps k = 0, min(max(2*k, 1), B), ..., B\n"                                                   \
    "law total = sum of S[m], 0 <= m < k\n"                                                        \
    "start total = 0\n"                                                                            \
    "update total = total + sum of block_sum.cache[m][0], bit_ceil(k) / 2 <= m < k\n"              \
    "when warp = 0" who "\n"
// clang-format on

/* explain: multi-block-two-launch
 *
 * multi-block-two-launch: the sum of a vector by several blocks, in two launches.
 *
 * Statement
 *     The first launch leaves one sum a block, the second has one block, which
 *     folds these. Any n, any number of blocks B; a block of T threads is a power
 *     of two. With G = B*T threads, thread t of block k comes with x[k][t]. At the
 *     checkpoint of width w in each block of round 1:
 *         {law block_sum}
 *     In round 2 the same fold, of the blocks' sums S[k]:
 *         {law partials}
 *     After d rounds:
 *         {law}
 *
 * Worked example, n = 8, two blocks of 2, a = 0 .. 7
 *     x = 0+4  1+5 | 2+6  3+7      A = 10 18      A[0] = 28
 *
 * Initialization
 *     w = T: thread i has just written cache[i]; the barrier makes it visible.
 *
 * Preservation
 *     The fold of dot-shared: t mod s = i just when t mod 2s is i or i + s, and
 *     only threads i < s write.
 *
 * Variant
 *     Two rounds; in each w halves down to 1.
 *
 * Exit
 *     A launch boundary orders everything: all sums are there before the second
 *     launch begins. This is the barrier for the whole grid that CUDA has always
 *     had.
 *
 * Cost
 *     A second launch, of some microseconds. As floats: height at most ceil(n/G) +
 *     log2(T) + ceil(B/T) - 2 + ceil(log2(min(B, T))).
 */
const struct rd_program rd_program_multi_block_two_launch = {
    .name = "multi-block-two-launch",
    .summary = "several blocks; a second launch folds their sums",
    RD_TWO_LAUNCHES("a[n]", "a[j]", "block_sum", "block_sums(a, A, n)"),
};

/* explain: multi-block-grid-sync
 *
 * multi-block-grid-sync: the sum of a vector in one launch whose blocks meet.
 *
 * Statement
 *     Each block publishes its sum, all blocks meet at a barrier of the grid, and
 *     thread 0 of the grid adds the sums in the blocks' order. Any n; a block is a
 *     power of two. In the blocks the fold of multi-block-two-launch:
 *         {law block_sum}
 *     then, at the head of the loop that adds the sums, with k of them in (the
 *     checkpoints are at k = 0, 1, 2, 4, ... and B), where S[m] is partials[m]:
 *         {law serial}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, two blocks of 2, a = 0 .. 7
 *     the blocks' sums: 10 18; after the barrier A[0] = 0 + 10 + 18 = 28
 *
 * Initialization
 *     Of the fold as multi-block-two-launch. Of the loop: k = 0, and total = 0,
 *     the sum of nothing.
 *
 * Preservation
 *     Of the fold as there. The loop adds partials[k], and k grows by one; all
 *     partials are there since the barrier, and nobody writes them any more.
 *
 * Variant
 *     w halves down to 1; B - k falls by one in each trip down to 0.
 *
 * Exit
 *     k = B: total is the sum over all blocks. The grid's barrier orders all
 *     writes before it, of all blocks, before all reads after it. It needs all
 *     blocks on the GPU at once: a cooperative launch, which CUDA refuses where
 *     the grid does not fit.
 *
 * Cost
 *     One launch, one barrier of the grid, B - 1 additions in a row. As floats:
 *     height at most ceil(n/G) + log2(T) + B - 2.
 */
#define MULTI_BLOCK_GRID_SYNC                                                                      \
    .name = "multi-block-grid-sync",                                                               \
    .summary = "one launch; the blocks meet at a barrier of the grid",                             \
    .law = LAW_OF_TOTAL("serial.total[0][0]", LAW_IN_ORDER(" and block = 0")),                     \
    .launch = "sum_grid_sync(a, scratch[B], A, n) on B blocks of T, shared T, "                    \
              "cooperative",                                                                       \
    .goal = RD_GOAL_SUM, .blocks = RD_STRIDE_BLOCKS, .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO,       \
    .n = 1003, .n_block = 64, .n_grid = 5, .type = RD_TYPE_F32

const struct rd_program rd_program_multi_block_grid_sync = {MULTI_BLOCK_GRID_SYNC};

/* explain: multi-block-last-block
 *
 * multi-block-last-block: the sum in one launch, which the last block ends.
 *
 * Statement
 *     Each block publishes its sum, then draws a ticket; who draws the last one
 *     adds the sums in the blocks' order. Any n; a block is a power of two. Before
 *     the launch the ticket is 0: a precondition. In the blocks the fold of
 *     multi-block-two-launch:
 *         {law block_sum}
 *     Of the tickets: when ticket k has been drawn, at least k + 1 sums are
 *     published. In the last block, at the head of the loop that adds the sums,
 *     with k of them in (the checkpoints are at k = 0, 1, 2, 4, ... and B), where
 *     S[m] is partials[m]:
 *         {law serial}
 *     After d launches:
 *         {law}
 *     and the ticket is 0 again.
 *
 * Worked example, n = 8, two blocks of 2, a = 0 .. 7
 *     block 1 publishes 18, draws ticket 0, and ends;
 *     block 0 publishes 10, draws ticket 1 of 2, the last: A[0] = 0 + 10 + 18 = 28
 *
 * Initialization
 *     No ticket is drawn; no sum need be there. Of the loop: k = 0, and total = 0.
 *
 * Preservation
 *     A draw is a read-modify-write: each reads what the one before it has left,
 *     so that all draws form a chain, and the last one comes behind all others.
 *     Block k has a fence between the write of its sum and its draw, the last
 *     block one between its draw and its reads. Fences are cumulative along the
 *     chain: each sum is written before the last block reads it.
 *     The loop adds partials[k], and k grows by one.
 *
 * Variant
 *     w halves down to 1; B - k falls by one in each trip down to 0.
 *
 * Exit
 *     Ticket B - 1 is the last: all B sums are published, and at k = B total is
 *     their sum. The order of addition is the blocks', whoever adds, so floats
 *     give the same bits each time. atomicInc wraps the ticket back to 0, as the
 *     next launch needs it.
 *
 * Cost
 *     One launch, one atomic a block, B - 1 additions in a row. As floats: height
 *     at most ceil(n/G) + log2(T) + B - 2.
 */
const struct rd_program rd_program_multi_block_last_block = {
    MULTI_BLOCK_GRID_SYNC,
    .name = "multi-block-last-block",
    .summary = "one launch; the last block adds the blocks' sums",
    .launch = "sum_last_block(a, scratch[B], ticket, A, n) on B blocks of T, shared T",
    .law = LAW_OF_TOTAL("serial.total[0][0]", LAW_IN_ORDER(", in the last block")),
};

/* explain: multi-block-atomic
 *
 * multi-block-atomic: the sum in one launch, with an atomic add a block.
 *
 * Statement
 *     Each block adds its sum to A[0], when it is ready. Any n; a block is a power
 *     of two. In the blocks the fold of multi-block-two-launch:
 *         {law block_sum}
 *     At any time A[0] has the sums of the blocks that have added, in whatever
 *     order. After d launches:
 *         {law}
 *
 * Worked example, n = 8, two blocks of 2, a = 0 .. 7
 *     block 1 adds 18, then block 0 adds 10: A[0] = 28
 *
 * Initialization
 *     A[0] = 0, the sum of no block.
 *
 * Preservation
 *     The atomic add reads, adds and writes as one: no block's sum is lost.
 *
 * Variant
 *     w halves down to 1; the blocks that have not added fall by one with each
 *     that does.
 *
 * Exit
 *     When the launch is over, all blocks have added. Integers are exact, as their
 *     addition is associative and commutative. Of floats the order of the
 *     additions is unspecified, and with it the last bits: they are asserted
 *     within the bound, and not to the bit. An atomic add of f32 in global
 *     memory takes subnormal numbers for zeros, and gives none: the bound has
 *     2 * 2^-126 more for each block.
 *
 * Cost
 *     One launch, and one atomic a block on one cell. As floats: height at most
 *     ceil(n/G) + log2(T) + B - 2, whatever the order.
 */
const struct rd_program rd_program_multi_block_atomic = {
    .name = "multi-block-atomic",
    .summary = "one launch; each block adds its sum, atomically",
    .law = LAW_OF_TOTAL("sum of block_sum.cache[k][0], 0 <= k < B, in any order", ""),
    .launch = "sum_atomic(a, A, n) on B blocks of T, shared T",
    .goal = RD_GOAL_SUM,
    .bounded = true,
    .any_order = true,
    .blocks = RD_STRIDE_BLOCKS,
    .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO,
    .n = 1003,
    .n_block = 64,
    .n_grid = 5,
    .type = RD_TYPE_F32,
};
