// SPDX-License-Identifier: MIT
/* list: ladder_grid_stride after ladder_stops_at_512 */
/* The ladder's rungs whose threads stride over the grid: the kernels are in kernels/ladder_stride.cu. */
#include "invariants.h"
#include "ladder.h"

/* ---- grid-stride: then as unrolled ---- */

/* explain: ladder-grid-stride
 *
 * ladder-grid-stride: each thread adds elements a grid apart in a register; each
 * block then folds as in ladder-unrolled. Any n, any block, any number of blocks.
 * Harris' kernel 7.
 *
 * Statement
 *     B blocks of T threads, G = B*T. At the loop's head, base = 0, G, 2G, ..., in
 *     each lane l of each warp:
 *         {law grid_stride}
 *     At the end of the loop that is own[block][t]. With it come the claims of
 *     ladder-unrolled, at its widths: of the block's threads
 *         {law sequential}
 *     and of the lanes of the first warp
 *         {law shuffle_down}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 3, a = 0 .. 7; G = 3
 *     base = 0: own =  0   0   0
 *     base = 3: own =  0   1   2      thread t has added a[t]
 *     base = 6: own =  3   5   7      and a[t + 3]
 *     base = 9: own =  9  12   7      and a[t + 6]; thread 2 has none, and 9 >= n
 *     then w = 2: 16 12, w = 1: 28    A[0] = 28
 *
 * Initialization
 *     base = 0: there is no j < 0, and own = 0.
 *
 * Preservation
 *     From base to base + G there is one more j with j mod G = t: base + t, as
 *     base is a multiple of G. The thread adds a[base + t], if there is one. Every
 *     thread makes the same number of trips, so that each comes to the same
 *     checkpoints.
 *
 * Variant
 *     n - base falls by G, and the loop ends when it is 0 or less.
 *
 * Exit
 *     base >= n: own has all a[j] with j mod G = t. Each j has one
 *     remainder: the threads' index sets partition the inputs 0 <= j < n.
 *
 * Cost
 *     n additions in registers, in ceil(n/G) trips; one fold a block, however
 *     large n is, with 1 + max(0, ceil(log2(T)) - 5) barriers. In a trip
 *     neighbouring threads read neighbouring elements: coalesced. The stride pays
 *     only where the grid is smaller than n asks for: with ceil(n/T) blocks there
 *     is one trip, and a thread for each element, as before. G threads are at most
 *     G times as fast as one: they take some n/G + log2(G) steps for n additions
 *     (Brent, "The parallel evaluation of general arithmetic expressions", 1974),
 *     and the memory sets a limit below that. As floats: height at most ceil(n/G)
 *     + ceil(log2(T)) + B - 2.
 */
#define LADDER_GRID_STRIDE                                                                         \
    .name = "ladder-grid-stride", .summary = "strides over the grid in registers, then folds",     \
    .law = RD_LAW_RUNG(RD_LAW_OWN, RD_LAW_OF_BLOCKS("a[j]"), "shuffle_down.r[k][0][0]",            \
                       RD_LAW_GRID_STRIDE RD_LAW_SEQUENTIAL("32", "32") RD_LAW_LAST_WARP),         \
    .launch = "ladder_grid_stride(a, A, n) on B blocks of T, shared T", .goal = RD_GOAL_TOTAL,     \
    .any_operation = true, .blocks = RD_STRIDE_BLOCKS, .accept = RD_LADDER_ACCEPT, .n = 10003,     \
    .n_block = 1000, .n_grid = 3

const struct rd_program rd_program_ladder_grid_stride = {LADDER_GRID_STRIDE};

/* explain: ladder-grid-stride:index-wraps
 *
 * ladder-grid-stride:index-wraps: the index is narrower than n, and wraps. It has
 * 16 bits here, so that a run of 65537 elements shows what an unsigned of 32 bits
 * does at 2^32.
 *
 * Statement
 *     At the loop's head, in each lane l of each warp:
 *         {law grid_stride}
 *
 * What is wrong
 *     Where base + t is 65536 or more, thread t means to add a[base + t] or
 *     nothing, and adds a[base + t - 65536] a second time. That may be so as soon
 *     as the last trip's indices do not all fit: surely right is the program for
 *     n <= 65536 - G + 1 only. With n = 65537, 32 blocks of 256: in the trip of
 *     base = 65536 input 65536 is lost, and 0 is counted twice; and 1 to 8191 are
 *     counted twice as well.
 *     An int overflows at 2^31, which is undefined. Where it turns negative and is
 *     compared with a size_t n, it is taken for a huge number, and the loop ends
 *     early.
 *
 * The cure
 *     Indices of arrays are size_t, from the first product on:
 *     `(size_t)blockIdx.x * blockDim.x`.
 */
RD_LESSON(ladder_index_wraps, LADDER_GRID_STRIDE, .name = "ladder-grid-stride:index-wraps",
          .summary = "a 16-bit index wraps, as 32 bits do at 2^32", .kernel = "ladder_index_wraps",
          .n = 65537);

/* ---- shuffles twice ---- */

/* explain: ladder-shuffles-twice
 *
 * ladder-shuffles-twice: each thread strides over the grid; each warp sums its
 * lanes by shuffles, and the first warp the warps' sums. Any n, any block, any
 * number of blocks.
 *
 * Statement
 *     What a thread brings, own, is that of ladder-grid-stride. In each warp, of L
 *     lanes, at w = 32, 16, ..., 1:
 *         {law shuffle_down}
 *     Behind the barrier:
 *         {law warp_sums}
 *     In the first warp, again at w = 32, ..., 1:
 *         {law shuffle_sums}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7
 *     own:          r =  4   6   8  10     thread t has added a[t] and a[t + 4]
 *     w = 2:        r = 12  16   .   .
 *     w = 1:        r = 28                 lane 0 of the only warp
 *     s[0] = 28, and the second shuffle has one sum to add: A[0] = 28
 *
 * Initialization
 *     First shuffle, w = 32: lane l holds its own. Second shuffle, w = 32: lane l
 *     holds s[l], which the barrier has made visible, or 0 where there is no warp
 *     l; there are no more warps than lanes.
 *
 * Preservation
 *     That of ladder-warp-shuffle. The block's last warp may lack lanes: a lane
 *     whose partner is missing adds nothing.
 *
 * Variant
 *     In the loop over the grid n - base falls; in each shuffle w halves down to
 *     1.
 *
 * Exit
 *     First, w = 1: lane 0 of warp v holds the sum over the warp, and writes s[v].
 *     Second, w = 1: lane 0 holds the sum over the warps: the block's.
 *
 * Cost
 *     One barrier a block; ceil(T/32) cells of shared memory; ten shuffles. On an
 *     H200 that gains nothing over ladder-grid-stride today: 2456 and 2452 GB/s.
 *     As floats: height at most ceil(n/G) + ceil(log2(T)) + B - 2.
 */
#define LADDER_SHUFFLES_TWICE                                                                      \
    .name = "ladder-shuffles-twice",                                                               \
    .summary = "sums each warp by shuffles, then the warps' sums",                                 \
    .law = RD_LAW_RUNG(                                                                            \
        RD_LAW_OWN RD_LAW_WARP_TOTALS, RD_LAW_OF_BLOCKS("a[j]"), "shuffle_sums.r[k][0][0]",        \
        RD_LAW_GRID_STRIDE RD_LAW_EACH_WARP("own") RD_LAW_SUMS_OF("warp_sums", "W")),              \
    .launch = "ladder_shuffles_twice(a, A, n) on B blocks of T, shared W", .goal = RD_GOAL_TOTAL,  \
    .any_operation = true, .blocks = RD_STRIDE_BLOCKS, .accept = RD_LADDER_ACCEPT, .n = 10003,     \
    .n_block = 1000, .n_grid = 3

const struct rd_program rd_program_ladder_shuffles_twice = {LADDER_SHUFFLES_TWICE};

/* explain: ladder-shuffles-twice:no-barrier
 *
 * ladder-shuffles-twice:no-barrier: the first warp reads the warps' sums at once.
 *
 * Statement
 *     In the first warp, at w = 32, ..., 1:
 *         {law shuffle_sums}
 *
 * What is wrong
 *     Lane v of the first warp reads s[v], which warp v writes, and no barrier
 *     stands between: a race within the block. Where the first warp comes first it
 *     reads what shared memory happened to hold. A block of one warp, or the other
 *     order, shows nothing.
 *
 * The cure
 *     __syncthreads() between the writing of s and the reading of it, outside any
 *     `if`.
 */
RD_LESSON(ladder_no_barrier, LADDER_SHUFFLES_TWICE, .name = "ladder-shuffles-twice:no-barrier",
          .summary = "reads the warps' sums with no barrier before", .kernel = "ladder_no_barrier",
          /* One stands behind the barrier that it lacks. */
          .points = "grid_stride shuffle_down shuffle_sums", .n = 256);
