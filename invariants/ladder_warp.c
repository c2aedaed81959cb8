// SPDX-License-Identifier: MIT
/* list: ladder_first_add after ladder_sequential */
/* The ladder's rungs in which a thread loads two elements and the last warp works by itself: the
 * kernels are in kernels/ladder_shared.cu and kernels/ladder_warp.cu. */
#include "invariants.h"
#include "ladder.h"

// clang-format off
#define LAW_OF_LAST_WARP(above)                                                                    \
    RD_LAW_RUNG(RD_LAW_OWN_PAIRS, RD_LAW_OF_PAIRS, "shuffle_down.r[k][0][0]",                      \
                RD_LAW_SEQUENTIAL("32", above) RD_LAW_LAST_WARP)
// clang-format on

/* explain: ladder-first-add
 *
 * ladder-first-add: each thread adds two elements as it loads them; then the block
 * folds, as in ladder-sequential. Any n, any block; a thread for two elements.
 * Harris' kernel 4.
 *
 * Statement
 *     T threads a block; thread t of block k brings own[k][t], of two elements
 *     that lie T apart: a[2Tk + t] and a[2Tk + T + t], without what lies beyond
 *     the end. P is the least power of two >= T. At the checkpoint of width w:
 *         {law sequential}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7
 *     w = 4: x =  4   6   8  10      x[0] = a[0] + a[4], by thread 0
 *     w = 2: x = 12  16 | .   .      x[0] = a[0] + a[2] + a[4] + a[6]
 *     w = 1: x = 28 |                A[0] = 28
 *
 * Initialization
 *     w = P >= T: t mod w = i just for t = i, and thread i has written x[i]. The
 *     two elements of different threads differ: each j is 2Tk + t or 2Tk + T + t
 *     for one k and one t.
 *
 * Preservation
 *     That of ladder-sequential.
 *
 * Variant
 *     w halves, and the loop ends at w = 1.
 *
 * Exit
 *     w = 1: x[0] is the sum of the block's 2T elements. The host adds the B sums.
 *
 * Cost
 *     Half the blocks, and so half the folds and barriers, for the same elements:
 *     1 + ceil(log2(T)) barriers a block. The last six rounds of a fold keep one
 *     warp or less at work. As floats: height at most ceil(log2(T)) + B.
 */
const struct rd_program rd_program_ladder_first_add = {
    .name = "ladder-first-add",
    .summary = "adds two elements a thread as it loads them, then folds",
    .law = RD_LAW_RUNG(RD_LAW_OWN_PAIRS, RD_LAW_OF_PAIRS, "sequential.x[k][0]",
                       RD_LAW_SEQUENTIAL("1", "0")),
    .launch = "ladder_first_add(a, A, n) on B blocks of T, shared T",
    .goal = RD_GOAL_TOTAL,
    .any_operation = true,
    .blocks = "ceil(n / (2*T))",
    .accept = RD_LADDER_ACCEPT_OF("(2*T)"),
    .n = 1003,
    .n_block = 200,
};

/* explain: ladder-warp-shuffle
 *
 * ladder-warp-shuffle: the fold stops at 32 cells, and the first warp sums these
 * in registers, by shuffles. Any n, any block; a thread for two elements. Harris'
 * kernel 5 does it in shared memory, as ladder-warp-shuffle:lockstep.
 *
 * Statement
 *     What a thread brings, own, is that of ladder-first-add. At the checkpoint of
 *     width w > 32:
 *         {law sequential}
 *     At the shuffles' checkpoints, w = 32, 16, ..., 1, in the registers of the
 *     first warp:
 *         {law shuffle_down}
 *     Of lanes >= w nothing is said. After d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7
 *     w = 32, 16, 8, 4: r =  4   6   8  10     four lanes; no partner so far down
 *     w = 2:            r = 12  16 | .   .     lane 0 got 8 from lane 2
 *     w = 1:            r = 28 |               lane 0 got 16 from 1; A[0] = 28
 *
 * Initialization
 *     w = 32: lane l holds x[l], of which the fold in shared memory has said the
 *     same.
 *
 * Preservation
 *     With o = w/2, lane l < o adds the value of lane l + o as it was before: a
 *     shuffle hands all values over at once, so that no lane can see one that has
 *     already been added to. A lane that would read beyond the last reads itself
 *     instead, and adds nothing.
 *
 * Variant
 *     w halves, in shared memory down to 32 and in registers down to 1.
 *
 * Exit
 *     w = 1: r[0] is the sum of the block's 2T elements. The host adds the B sums.
 *
 * Cost
 *     1 + max(0, ceil(log2(T)) - 5) barriers, where ladder-first-add has
 *     1 + ceil(log2(T)): five fewer from 17 threads on. No shared memory in the
 *     last five rounds. A shuffle needs all lanes that its mask names. As floats:
 *     height at most ceil(log2(T)) + B.
 */
#define LADDER_WARP_SHUFFLE                                                                        \
    .name = "ladder-warp-shuffle",                                                                 \
    .summary = "folds in shared memory, and the last warp by shuffles",                            \
    .law = LAW_OF_LAST_WARP("32"),                                                                 \
    .launch = "ladder_warp_shuffle(a, A, n) on B blocks of T, shared T", .goal = RD_GOAL_TOTAL,    \
    .any_operation = true, .blocks = "ceil(n / (2*T))", .accept = RD_LADDER_ACCEPT_OF("(2*T)"),    \
    .n = 1003, .n_block = 200

const struct rd_program rd_program_ladder_warp_shuffle = {LADDER_WARP_SHUFFLE};

/* Condition of faults that are written for a certain size of the block. */
#define ACCEPT_WHOLE_WARPS                                                                         \
    "T = bit_ceil(T) and T >= 64 else 'block' is {T}, and this fault takes 64, 128, 256, 512 or "  \
    "1024: use ladder-warp-shuffle for others\n" RD_LADDER_ACCEPT_OF("(2*T)")

/* explain: ladder-warp-shuffle:short-mask
 *
 * ladder-warp-shuffle:short-mask: a shuffle whose mask leaves out lanes that it
 * reads.
 *
 * Statement
 *     After d launches:
 *         {law}
 *
 * What is wrong
 *     Lanes l < 16 keep the sum, so only they shuffle, with the mask 0xffff. But
 *     in the round of o = 16 they read lanes 16 <= l < 32, which are not there:
 *     what they get is undefined. In the simulator a lane then gets its own value.
 *     With 64 ones in a block of 64 each of the 32 cells is 2, so that the sum is
 *     64 by accident. With a = 0 .. 63 it is twice that of the lower 16 cells,
 *     2 * (32 + 34 + ... + 62) = 1504, and not 2016.
 *
 * The cure
 *     All lanes that are read are in the mask, and come to the shuffle: `if
 *     (t < 32)` and the mask 0xffffffff.
 */
RD_LESSON(ladder_short_mask, LADDER_WARP_SHUFFLE, .name = "ladder-warp-shuffle:short-mask",
          .summary = "reads lanes that its mask leaves out", .kernel = "ladder_short_mask",
          .points = "sequential", .accept = ACCEPT_WHOLE_WARPS, .n = 64, .block = 64);

/* explain: ladder-warp-shuffle:lockstep
 *
 * ladder-warp-shuffle:lockstep: the last warp folds in shared memory with no
 * barrier at all.
 *
 * Statement
 *     After d launches:
 *         {law}
 *
 * What is wrong
 *     Lane 0 reads x[16] in its second line, which lane 16 has written in its
 *     first: a race within the warp. It is right only if all lanes finish a line
 *     before any begins the next, and in a line all read before any writes. That
 *     was once taken for granted, and no longer is: since compute capability 7.0
 *     each lane may run ahead. `volatile` makes each line go to memory; it orders
 *     nothing. With 64 ones, and one lane running to its end after the other, the
 *     sum is 7, or in descending order 370695433.
 *
 * The cure
 *     Shuffles; or two barriers of the warp a line, one between reading and
 *     writing, and one behind.
 */
RD_LESSON(ladder_lockstep, LADDER_WARP_SHUFFLE, .name = "ladder-warp-shuffle:lockstep",
          .summary = "the old warp tail, as if lanes ran in lockstep",
          .law = LAW_OF_LAST_WARP("64"), .points = "sequential", .kernel = "ladder_lockstep",
          .accept = ACCEPT_WHOLE_WARPS, .n = 64, .block = 64, .values = "ones");

/* explain: ladder-warp-shuffle:one-syncwarp
 *
 * ladder-warp-shuffle:one-syncwarp: the old warp tail with a barrier of the warp
 * after each line, where it needs two.
 *
 * Statement
 *     After d launches:
 *         {law}
 *
 * What is wrong
 *     All 32 lanes add, also those whose sums nobody needs. In the round of s = 16
 *     lane 0 reads x[16] while lane 16 adds x[32] to it: a race within the warp,
 *     and no barrier between. If lane 0 always comes first, 64 ones make 64. In
 *     the simulator the lane that came to the barrier last, 31, goes on first, and
 *     one of them is counted twice: 65. In descending order they make 5905, as
 *     ladder-warp-shuffle:descending shows.
 *
 * The cure
 *     `if (t < s)`, so that no lane writes what another reads; or a second
 *     barrier, between reading x[t + s] and writing x[t]; or shuffles, which hand
 *     all values over at once.
 */
RD_LESSON(ladder_one_syncwarp, LADDER_WARP_SHUFFLE, .name = "ladder-warp-shuffle:one-syncwarp",
          .summary = "one barrier of the warp a round, not two", .law = LAW_OF_LAST_WARP("64"),
          .points = "sequential", .kernel = "ladder_one_syncwarp", .accept = ACCEPT_WHOLE_WARPS,
          .n = 64, .block = 64, .values = "ones");

/* explain: ladder-warp-shuffle:descending
 *
 * ladder-warp-shuffle:descending: the old warp tail in one of the orders that it
 * leaves open: lane after lane, the last one first. Barriers force the order, so
 * that every device shows it.
 *
 * Statement
 *     After d launches:
 *         {law}
 *
 * What is wrong
 *     Nothing races here, and the sum is wrong all the same: the lines depend on
 *     the order of the lanes. In the round of s = 16 lane 31 adds x[47] to x[31],
 *     and then lane 15 adds x[31], as if it were still what the round before had
 *     left. So from round to round: 64 ones make 5905.
 *
 * The cure
 *     `if (t < s)`: then x[t + s] is nobody's to write in this round, and the
 *     order does not matter. Or shuffles.
 */
RD_LESSON(ladder_descending, LADDER_WARP_SHUFFLE, .name = "ladder-warp-shuffle:descending",
          .summary = "the old warp tail, the last lane first", .law = LAW_OF_LAST_WARP("64"),
          .points = "sequential", .kernel = "ladder_descending", .accept = ACCEPT_WHOLE_WARPS,
          .n = 64, .block = 64, .values = "ones");

/* explain: ladder-unrolled
 *
 * ladder-unrolled: ladder-warp-shuffle with its loops written out, for every width
 * a block can have. Any n, any block; a thread for two elements. Harris' kernel 6.
 *
 * Statement
 *     That of ladder-warp-shuffle. At the checkpoint of width w, for w = 1024,
 *     512, ..., 64 with T > w/2:
 *         {law sequential}
 *     and of the registers at w = 32, 16, ..., 1:
 *         {law shuffle_down}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7
 *     T > 512, 256, 128, 64, 32: no; nothing is folded in shared memory
 *     w = 32 .. 4: r =  4   6   8  10
 *     w = 2:       r = 12  16 | .   .
 *     w = 1:       r = 28 |            A[0] = 28
 *
 * Initialization
 *     The first w that the block comes to has T <= w: there is no thread t >= w,
 *     so that the claim is x[i] = own[i]. This is why the list must begin with the
 *     largest block.
 *
 * Preservation
 *     That of ladder-sequential in shared memory, and that of ladder-warp-shuffle
 *     in registers. T > w/2 has the same answer in all threads of the block, so
 *     that a barrier may stand there.
 *
 * Variant
 *     None is needed: no loop is left.
 *
 * Exit
 *     w = 1: r[0] is the sum of the block's 2T elements. The host adds the B sums.
 *
 * Cost
 *     1 + max(0, ceil(log2(T)) - 5) barriers, as ladder-warp-shuffle. No counting:
 *     each width is a constant. Five comparisons of T that are the same for all.
 *     As floats: height at most ceil(log2(T)) + B.
 */
const struct rd_program rd_program_ladder_unrolled = {
    LADDER_WARP_SHUFFLE,
    .name = "ladder-unrolled",
    .summary = "writes out every round, for each block there can be",
    .kernel = "ladder_unrolled",
    .n = 3003,
    .n_block = 1000,
};

/* explain: ladder-unrolled:stops-at-512
 *
 * ladder-unrolled:stops-at-512: the list of rounds begins with a block of 512.
 *
 * Statement
 *     At the checkpoint of width w in block k, w = 512, ..., 64 with T > w/2:
 *         {law sequential}
 *
 * What is wrong
 *     A block may have 1024 threads. With T = 1024 the first round is that of
 *     w = 512, at which x[i] should hold own[i] + own[i + 512]; it holds own[i].
 *     What threads 512 to 1023 brought is lost: half of the sum. With 512 threads
 *     or fewer nothing shows.
 *
 * The cure
 *     Begin with the largest block there is: `if (T > 512)`, before all others.
 */
RD_LESSON(ladder_stops_at_512, LADDER_WARP_SHUFFLE, .name = "ladder-unrolled:stops-at-512",
          .summary = "has no round for a block of 1024", .kernel = "ladder_stops_at_512", .n = 1024,
          .block = 1024, .values = "ones");
