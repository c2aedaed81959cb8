// SPDX-License-Identifier: MIT
/* list: dot_shared after dot_naive */
/* Dot products whose blocks fold in shared memory: the kernels are in kernels/dot_blocks.cu. */
#include "block_fold.h"
#include "invariants.h"

/* explain: dot-shared
 *
 * dot-shared: the dot product of a and b, folded by each block in shared memory.
 *
 * Statement
 *     Each thread adds products that lie a grid apart, each block folds its
 *     threads' sums, and the host adds the blocks' sums. Any n, any number of
 *     blocks; a block is a power of two.
 *     With T threads a block, B blocks and G = B*T, thread t of block k comes with
 *     x[k][t], which is x[t] below, of its own block. At the checkpoint of width w
 *     in each block:
 *         {law sequential}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7, b = 1 .. 8
 *     x      =  0 + 20    2 + 30    6 + 42    12 + 56    thread t adds t and t + 4
 *     w = 4: cache = 20    32    48    68        as the threads left it
 *     w = 2: cache = 68   100 |  48    68        cache[0] = x[0] + x[2]
 *     w = 1: cache = 168 | 100   48    68        cache[0] = x[0]+x[1]+x[2]+x[3]
 *     A[0] = 168
 *
 * Initialization
 *     w = T: only t = i has t mod T = i, so the claim is cache[i] = x[i], which
 *     thread i has just written; the barrier makes all of it visible.
 *
 * Preservation
 *     With s = w/2, thread i < s adds cache[i + s] to cache[i]. It is the fold's
 *     round: t mod s = i just when t mod w is i or i + s. Thread i alone writes
 *     cell i; cell i + s nobody writes, since all threads that write have i < s.
 *     The barrier stands outside the `if`: all threads of the block meet at it.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     At w = 1 cache[0] is the sum over all threads of the block. Each j belongs
 *     to one thread, j mod G, so each product is in just one A[k], and the host's
 *     sum of the A[k] is a . b.
 *
 * Cost
 *     n products in ceil(n/G) trips, log2(T) rounds in shared memory, 1 + log2(T)
 *     barriers, and B - 1 additions on the host. The time is thus of the order of
 *     n/G + log2(T): it is log2(n) only where there is a thread for each element.
 *     Shared memory is no register: it answers after some 20 cycles (19 on a V100:
 *     Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via
 *     Microbenchmarking", 2018). As floats: height at most ceil(n/G) + log2(T) +
 *     B - 1.
 */
#define DOT_SHARED                                                                                 \
    .name = "dot-shared", .summary = "folds in shared memory; the host adds the blocks' sums",     \
    .law = RD_LAW_BLOCK_SUMS("a[n], b[n]", "a[j]*b[j]", "sequential"),                             \
    .launch = "dot_shared(a, b, A, n) on B blocks of T, shared T", .goal = RD_GOAL_TOTAL,          \
    .blocks = RD_STRIDE_BLOCKS, .accept = RD_ACCEPT_BLOCK_POWER_OF_TWO, .n = 1003, .n_block = 64,  \
    .n_grid = 5, .type = RD_TYPE_F32

const struct rd_program rd_program_dot_shared = {DOT_SHARED};

/* explain: dot-shared:floor-halving
 *
 * dot-shared:floor-halving: dot-shared, in a block that is no power of two.
 *
 * What is wrong
 *     The loop halves s by floor, so that a block of T threads keeps the sums of
 *     2^floor(log2 T) of them: for T = 6, s is 3 and then 1, and cache[2], which
 *     holds the sums of threads 2 and 5, is added to nothing. Of 96 ones 64 are
 *     summed in a block of 96, of 1000 ones 512 in a block of 1000. For n = 6 and
 *     one block the invariant fails after the launch: A[0] lacks {2,5}.
 *
 * The cure
 *     A block that is a power of two, or a fold that rounds up (fold-ceil) and
 *     guards its partner.
 */
RD_LESSON(dot_shared_floor_halving, DOT_SHARED, .name = "dot-shared:floor-halving",
          .summary = "halves a block of 6 by floor, and loses threads", .points = "", .blocks = "1",
          .accept = NULL, .n = 6, .block = 6, .type = RD_TYPE_I32);

/* explain: dot-shared:fixed-cache
 *
 * dot-shared:fixed-cache: a cache of 256 cells, and a block of 512 threads.
 *
 * What is wrong
 *     Threads 256 to 511 write and read beyond the end of the array: out of bounds
 *     in shared memory. What lies there is another variable, or nobody's; that the
 *     result is right now and then is no comfort.
 *
 * The cure
 *     Dynamic shared memory, sized by the launch, as in dot-shared: only a static
 *     array needs its size at compile time. Or an array for the largest block
 *     there is, and a check of the launch.
 */
RD_LESSON(dot_shared_fixed_cache, DOT_SHARED, .name = "dot-shared:fixed-cache",
          .summary = "has a cache for 256 threads, and a block of 512",
          .launch = "dot_fixed_cache(a, b, A, n) on B blocks of T", .points = "", .n = 1000,
          .block = 512);

/* explain: dot-two-phase
 *
 * dot-two-phase: dot-shared, and a second launch in the place of the host's loop.
 *
 * Statement
 *     One block folds the blocks' sums. In round 1, at the checkpoint of width w
 *     in each block, as for dot-shared:
 *         {law sequential}
 *     In round 2, at the checkpoint of width w, where thread t has added A[t],
 *     A[t+T] and so on as they were before the round, S[k] the sum of block k:
 *         {law partials}
 *     After d rounds:
 *         {law}
 *     The other cells of A are unchanged by round 2.
 *
 * Worked example, n = 8, two blocks of 4, a = 0 .. 7, b = 1 .. 8
 *     round 1: A = 20 148
 *     round 2: x = 20 148 0 0; w = 4, 2, 1: cache[0] = 20, 20, 168
 *              A = 168 | 148
 *
 * Initialization
 *     A launch boundary orders everything: round 2 sees the sums of all blocks of
 *     round 1.
 *
 * Preservation
 *     The fold in shared memory is dot-shared's, over other terms. Threads beyond
 *     B start with 0. Round 2 works in place: it reads A and writes A[0]. That is
 *     no race, since it has one block, whose threads read A before the first
 *     barrier, and thread 0 writes A[0] behind the last.
 *
 * Variant
 *     Two rounds; in each w halves down to 1.
 *
 * Exit
 *     Each A[k] belongs to one thread, k mod T, so cache[0] is the sum of all of
 *     them, a . b.
 *
 * Cost
 *     One more launch, of some microseconds, and no copy but of the result. As
 *     floats: height at most ceil(n/G) + log2(T) + ceil(B/T) -
 *     1 + ceil(log2(min(B, T))): the second round adds its last three terms where
 *     the host's loop adds B - 1.
 */

const struct rd_program rd_program_dot_two_phase = {
    .name = "dot-two-phase",
    .summary = "dot-shared; a second launch folds the blocks' sums",
    RD_TWO_LAUNCHES("a[n], b[n]", "a[j]*b[j]", "sequential", "dot_shared(a, b, A, n)"),
};
