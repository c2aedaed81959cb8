// SPDX-License-Identifier: MIT
/* list: ladder_vectorised_atomic after ladder_tiles, ladder_cooperative after ladder_one_fence */
/* The ladder's last rungs, which load packs of elements and are done in one launch: the kernels are
 * in kernels/ladder_vector.cu. */
#include "invariants.h"
#include "ladder.h"

/* ---- paragraphs of packs: o_0 … o_3 are a thread's sums of the four places, and then comes what is left over ---- */

// clang-format off
#define LAW_PLACE(q, term)                                                                         \
    "let o_" q "(t, c) = sum of " term ", 0 <= p < min(c, P), p mod G = t\n"
#define LAW_PACKS_OF(inputs, term, t0, t1, t2, t3, end, points)                                    \
    "input " inputs "\n"                                                                           \
    "array A[1]\n"                                                                                 \
    RD_LAW_LANES                                                                                   \
    "let P = n div 4\n"                                                                            \
    LAW_PLACE("0", t0)                                                                             \
    LAW_PLACE("1", t1)                                                                             \
    LAW_PLACE("2", t2)                                                                             \
    LAW_PLACE("3", t3)                                                                             \
    "let for 0 <= k < B, 0 <= t < T: own[k][t] = sum of " term ",\n"                               \
    "    j < 4*P and floor(j / 4) mod G = k*T + t or j >= 4*P and (j - 4*P) mod G = k*T + t\n"     \
    "let for 0 <= k < B, 0 <= t < T: made[k][t] =\n"                                               \
    "    (o_0(k*T + t, P) + o_1(k*T + t, P)) + (o_2(k*T + t, P) + o_3(k*T + t, P))\n"              \
    "    + sum of " term ", 4*P <= j < n, (j - 4*P) mod G = k*T + t\n"                             \
    RD_LAW_WARP_TOTALS                                                                             \
    "let for 0 <= k < B: Z[k] = sum of own[k][t], 0 <= t < T\n"                                    \
    "law when d = 0: for 0 <= i < 1: A[i] = 0; when d > 0: " RD_LAW_OF_ALL(term) "\n"              \
    "update A[0] = " end "\n"                                                                      \
    "at pack_stride register r[32]\n"                                                              \
    "steps base = 0, base + 2*G, ..., P + 8*G\n"                                                   \
    "when base = 0 (mod 16*G / bytes) and base < P + 16*G / bytes\n"                               \
    "law for 0 <= l < L, t = block*T + 32*warp + l: r[l] = sum of " term ",\n"                     \
    "    floor(j / 4) mod G = t, j < min(4*base, 4*P)\n"                                           \
    "start for 0 <= l < L, t = block*T + 32*warp + l:\n"                                           \
    "    r[l] = (o_0(t, base) + o_1(t, base)) + (o_2(t, base) + o_3(t, base))\n"                   \
    "update for 0 <= l < L, t = block*T + 32*warp + l:\n"                                          \
    "    r[l] = (o_0(t, base) + o_1(t, base)) + (o_2(t, base) + o_3(t, base))\n"                   \
    RD_LAW_EACH_WARP("made")                                                                       \
    RD_LAW_SUMS_OF("warp_sums", "W")                                                               \
    points
#define LAW_PACKS(end, points)                                                                     \
    LAW_PACKS_OF("a[n]", "a[j]", "a[4*p]", "a[4*p + 1]", "a[4*p + 2]", "a[4*p + 3]", end, points)
#define LAW_PARTIALS(who)                                                                          \
    RD_LAW_FOLD_OF_LANES("shuffle_partials",                                                       \
                         "sum of Z[k], 0 <= k < B, (k mod M) mod w = l",                           \
                         "for 0 <= l < M: r[l] = sum of shuffle_sums.r[k][0][0], 0 <= k < B, k mod M = l") \
    "when warp = 0" who "\n"
#define LAW_END_OF_PARTIALS "shuffle_partials.r[0][0][0]"
// clang-format on

/* Blocks of a run where the user says nothing: so many as an H200 holds of 512 threads, and so few
 * that a thread has 16 elements. */
#define PACKS_BLOCKS "min(ceil(n / (16*T)), 528)"

/* explain: ladder-vectorised-atomic
 *
 * ladder-vectorised-atomic: each thread loads packs of four elements, several at a
 * time; each block sums by shuffles twice, and adds its sum to A[0] by one atomic.
 * Any n, any block, any number of blocks, one launch.
 *
 * Statement
 *     B blocks of T threads, G = B*T; pack p is a[4p .. 4p + 4), for
 *     0 <= p < P = floor(n/4). At the head of the loop, in lane l of each warp,
 *     with own[v] the sum of the elements in place v of the packs that the thread
 *     has loaded, of (own[0] + own[1]) + (own[2] + own[3]):
 *         {law pack_stride}
 *     Behind the loop own[block][t] is that and the thread's element of the tail.
 *     Then the claims are those of ladder-shuffles-twice: in each warp
 *         {law shuffle_down}
 *     behind the barrier
 *         {law warp_sums}
 *     and in the first warp
 *         {law shuffle_sums}
 *     After d launches:
 *         {law}
 *     Integers: exactly. Floats: within the bound for any order of the blocks, not
 *     to the bit.
 *
 * Worked example, n = 8, one block of 2, a = 0 .. 7; P = 2, G = 2
 *     base = 0: own = 0 0 0 0 in thread 0, and 0 0 0 0 in thread 1
 *     base = 8: own = 0 1 2 3 in thread 0, and 4 5 6 7 in thread 1
 *     sum:      6 in thread 0, 22 in thread 1; A[0] = 0 + 28
 *
 * Initialization
 *     base = 0: there is no p < 0, and own = 0. A[0] = 0 before the launch.
 *
 * Preservation
 *     A trip takes up to R packs, base + t, base + t + G, ...: those with p mod G
 *     = t and base <= p < base + RG. R is 16 over the bytes of an element. A pack
 *     beyond the last counts as zeros. Of the atomics: A[0] is the sum over the
 *     blocks done, in any order; an atomic adds one more, and none is lost.
 *
 * Variant
 *     P - base falls by RG, and the loop ends when it is 0 or less.
 *
 * Exit
 *     base >= P: every pack is in one thread's sums. The n mod 4 elements of the
 *     tail go to the first threads. All blocks are done: A[0] is the sum over all.
 *
 * Cost
 *     A load has 16 bytes: a quarter of the loads for elements of 4 bytes, half of
 *     them for those of 8; of those of 2 it has 8 bytes, which is a quarter, too.
 *     64 bytes are under way at a time. One atomic a block. As floats: another sum
 *     each time, as the order of the blocks is unspecified (for the same bits,
 *     take ladder-vectorised), and, for n >= 4, height at most ceil(P/G) + ceil((n
 *     mod 4)/G) + ceil(log2(T)) + B. Atomics of f32 flush subnormal numbers, which
 *     may lose 2 * 2^-126 more for each block.
 */
const struct rd_program rd_program_ladder_vectorised_atomic = {
    .name = "ladder-vectorised-atomic",
    .summary = "loads 16 bytes at a time, and one atomic a block",
    .law = LAW_PACKS("sum of shuffle_sums.r[k][0][0], 0 <= k < B, in any order", ""),
    .launch = "ladder_vectorised_atomic(a, A, n) on B blocks of T, shared W",
    .goal = RD_GOAL_SUM,
    .any_operation = true,
    .bounded = true,
    .any_order = true,
    .blocks = PACKS_BLOCKS,
    .accept = RD_LADDER_ACCEPT,
    .n = 10003,
    .block = 128,
    .n_block = 100,
    .n_grid = 3,
};

/* explain: ladder-vectorised
 *
 * ladder-vectorised: the rung to use. Threads load packs, blocks sum by shuffles
 * twice, and the last block to finish adds the blocks' sums in their order. Any n,
 * any block, any number of blocks, one launch, and the same bits each time for the
 * same grid, block and type.
 *
 * Statement
 *     Up to the blocks' sums, the claims of ladder-vectorised-atomic. Block k puts
 *     its sum, Z[k], into partials[k], and takes a ticket, which is 0 before the
 *     launch. When ticket i is taken, at least i + 1 partials are published; the
 *     block with ticket B - 1 sees all of them. In that block's first warp, of L
 *     lanes, at w = 32, 16, ..., 1:
 *         {law shuffle_partials}
 *     After d launches:
 *         {law}
 *     and the ticket is 0 again.
 *
 * Worked example, n = 8, two blocks of 1, a = 0 .. 7; P = 2, G = 2
 *     block 0: own = 0 1 2 3    partials[0] =  6
 *     block 1: own = 4 5 6 7    partials[1] = 22
 *     ticket 1 = B - 1: that block has r[0] = 6 + 22, and writes A[0] = 28
 *
 * Initialization
 *     w = 32: lane l has added partials[l], partials[l + L], ... in this order.
 *     They are all there: each block writes its partial before a fence, and takes
 *     its ticket behind it. Tickets are read-modify-writes, each of what the one
 *     before has left, so that the last comes behind all others; the fence behind
 *     it, which is cumulative, and the barrier hand on to its block what thread 0
 *     may see.
 *
 * Preservation
 *     That of ladder-warp-shuffle.
 *
 * Variant
 *     P - base falls, and in each shuffle w halves; in the last block the partials
 *     that a lane has yet to add become fewer.
 *
 * Exit
 *     w = 1: r[0] is the sum over all blocks, which is A[0]. The ticket is 0
 *     again: atomicInc wraps.
 *
 * Cost
 *     n elements read once, 16 bytes at a time; B writes and B tickets; one
 *     launch. As floats, with L = min(T, 32) and for n >= 4: height at most
 *     ceil(P/G) + ceil((n mod 4)/G) + ceil(log2(T)) + ceil(B/L) + ceil(log2(min(B,
 *     L))).
 */
#define LADDER_VECTORISED                                                                          \
    .name = "ladder-vectorised", .summary = "the one to use: 16 bytes a load, one launch",         \
    .law = LAW_PACKS(LAW_END_OF_PARTIALS, LAW_PARTIALS(", in the last block")),                    \
    .launch = "ladder_vectorised(a, A, scratch[B], ticket, n) on B blocks of T, shared W",         \
    .goal = RD_GOAL_SUM, .any_operation = true, .blocks = PACKS_BLOCKS,                            \
    .accept = RD_LADDER_ACCEPT, .n = 10003, .block = 128, .n_block = 100, .n_grid = 3

const struct rd_program rd_program_ladder_vectorised = {LADDER_VECTORISED};

/* explain: ladder-vectorised:no-fence
 *
 * ladder-vectorised:no-fence: the block's sum is written and the ticket taken,
 * with no fence between.
 *
 * Statement
 *     In the block with the last ticket, at w = 32, ..., 1:
 *         {law shuffle_partials}
 *
 * What is wrong
 *     Nothing orders the write of partials[k] before the ticket: another block may
 *     see the ticket taken, and still read what partials[k] held before. It is a
 *     race between blocks, also where the sum comes out right, as it mostly does.
 *     With one block there is nobody to race with.
 *
 * The cure
 *     __threadfence() between the write and the ticket, and in the block that
 *     finishes between the ticket and the reads.
 */
RD_LESSON(ladder_no_fence, LADDER_VECTORISED, .name = "ladder-vectorised:no-fence",
          .summary = "takes a ticket with no fence behind the partial", .kernel = "ladder_no_fence",
          .n = 10000);

/* explain: ladder-vectorised:one-fence
 *
 * ladder-vectorised:one-fence: no fence between the last ticket and the reads.
 *
 * Statement
 *     In the block with the last ticket, at w = 32, ..., 1:
 *         {law shuffle_partials}
 *
 * What is wrong
 *     The fence of block k says that its partial comes before its ticket. That the
 *     reads come behind the last ticket, nothing says: the barrier is for the
 *     threads of one block, and a ticket that is drawn is an access like any
 *     other, to another address. PTX asks for a fence on both sides; CUDA's own
 *     example of this pattern has only the first. The sum comes out right, mostly.
 *
 * The cure
 *     __threadfence() by the thread that has drawn the last ticket, before its
 *     block's barrier.
 */
RD_LESSON(ladder_one_fence, LADDER_VECTORISED, .name = "ladder-vectorised:one-fence",
          .summary = "no fence between the last ticket and the reads", .kernel = "ladder_one_fence",
          .n = 10000);

/* explain: ladder-dot
 *
 * ladder-dot: ladder-vectorised, of products: the dot product to use. Any n, any
 * block, any number of blocks, one launch, and the same bits each time for the
 * same grid, block and type.
 *
 * Statement
 *     As for ladder-vectorised, of the terms a[j]*b[j]. At the head of the loop,
 *     in lane l of each warp:
 *         {law pack_stride}
 *     In the last block's first warp, of L lanes, at w = 32, 16, ..., 1:
 *         {law shuffle_partials}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, two blocks of 1, a = 0 .. 7, b = 1 .. 8; P = 2, G = 2
 *     block 0: own =  0  2  6 12    partials[0] =  20
 *     block 1: own = 20 30 42 56    partials[1] = 148
 *     ticket 1 = B - 1: that block has r[0] = 20 + 148, and writes A[0] = 168
 *
 * Initialization
 *     base = 0: there is no p < 0, and own = 0.
 *
 * Preservation
 *     A product is rounded, and then added: no fused operation, so that both
 *     devices have the same bits. All else as for ladder-vectorised.
 *
 * Variant
 *     That of ladder-vectorised.
 *
 * Exit
 *     A[0] = a . b.
 *
 * Cost
 *     2n elements read once. As floats, with L = min(T, 32) and for n >= 4: height
 *     at most 1 + ceil(P/G) + ceil((n mod 4)/G) + ceil(log2(T)) + ceil(B/L) +
 *     ceil(log2(min(B, L))).
 */
const struct rd_program rd_program_ladder_dot = {
    LADDER_VECTORISED,
    .name = "ladder-dot",
    .summary = "the dot product to use: vectorised, of products",
    .law = LAW_PACKS_OF("a[n], b[n]", "a[j]*b[j]", "a[4*p]*b[4*p]", "a[4*p + 1]*b[4*p + 1]",
                        "a[4*p + 2]*b[4*p + 2]", "a[4*p + 3]*b[4*p + 3]", LAW_END_OF_PARTIALS,
                        LAW_PARTIALS(", in the last block")),
    .any_operation = false,
    .launch = "ladder_dot(a, b, A, scratch[B], ticket, n) on B blocks of T, shared W",
};

/* explain: ladder-cooperative
 *
 * ladder-cooperative: ladder-vectorised with another end: all blocks meet at a
 * barrier of the grid, and block 0 adds their sums. Any n, any block; as many
 * blocks as the device holds at once.
 *
 * Statement
 *     Up to the blocks' sums, the claims of ladder-vectorised-atomic. Block k puts
 *     its sum, Z[k], into partials[k]; behind the grid's barrier all of them are
 *     there. In block 0's first warp, of L lanes, at w = 32, 16, ..., 1:
 *         {law shuffle_partials}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, two blocks of 1, a = 0 .. 7; P = 2, G = 2
 *     block 0: own = 0 1 2 3    partials[0] =  6
 *     block 1: own = 4 5 6 7    partials[1] = 22
 *     barrier, and block 0 has r[0] = 6 + 22, and writes A[0] = 28
 *
 * Initialization
 *     w = 32: lane l has added partials[l], partials[l + L], ... in this order.
 *     They are all there, since every block has come to the barrier, and has
 *     written its partial before.
 *
 * Preservation
 *     That of ladder-warp-shuffle.
 *
 * Variant
 *     That of ladder-vectorised.
 *
 * Exit
 *     w = 1: r[0] is the sum over all blocks, which is A[0]: the same bits as
 *     ladder-vectorised has with as many blocks.
 *
 * Cost
 *     One barrier of the grid. The blocks must all be on the device at once, or
 *     the first would wait for others that cannot begin: a launch of more is
 *     refused. As floats, with L = min(T, 32) and for n >= 4: height at most
 *     ceil(P/G) + ceil((n mod 4)/G) + ceil(log2(T)) + ceil(B/L) + ceil(log2(min(B,
 *     L))).
 */
const struct rd_program rd_program_ladder_cooperative = {
    LADDER_VECTORISED,
    .name = "ladder-cooperative",
    .summary = "the blocks meet at a barrier of the grid; one adds",
    .law = LAW_PACKS(LAW_END_OF_PARTIALS, LAW_PARTIALS(" and block = 0")),
    .launch = "ladder_cooperative(a, A, scratch[B], n) on B blocks of T, shared W, cooperative",
    .blocks = "min(ceil(n / (4*T)), 16)", /* so many of any size are on the smallest GPU at once */
};
