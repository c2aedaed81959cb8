// SPDX-License-Identifier: MIT
/* list: dot_cpu after dot_tournament, dot_partial after dot_cpu */
/* Dot products without shared memory: the kernels are in kernels/dot_threads.cu. */
#include "block_fold.h"
#include "invariants.h"

/* explain: dot-cpu
 *
 * dot-cpu: the sequential baseline: one thread, one product after the other.
 *
 * Statement
 *     As a CPU would; any n. At the head of the loop, with i products done (the
 *     checkpoints are at i = 0, 1, 2, 4, ... and n):
 *         {law serial}
 *     After d launches:
 *         {law}
 *
 * Worked example, n = 8, a = 0 .. 7, b = 1 .. 8
 *     i = 0, 1: sum = 0
 *     i = 2: sum = 0 + 2 = 2
 *     i = 4: sum = 0 + 2 + 6 + 12 = 20
 *     i = 8: sum = 20 + 20 + 30 + 42 + 56 = 168
 *
 * Initialization
 *     i = 0: no product is done, and the sum of none is 0.
 *
 * Preservation
 *     The trip adds a[i]*b[i], and then i grows by one.
 *
 * Variant
 *     n - i falls by one in each trip, and the loop ends at i = n.
 *
 * Exit
 *     The loop ends at i = n: all products are in.
 *
 * Cost
 *     n trips of one thread. The loop is sequential; a dot product is not:
 *     addition is associative, of integers exactly and of floats up to rounding,
 *     so that any tree of the products will do, as dot-shared's.
 *     As floats: height n. g_n says nothing from n*u = 1 on, which is n = 2^24 for
 *     f32; but n*u * sum |a_j b_j| bounds the error for every n and in any order
 *     of the additions (Jeannerod and Rump, "Improved error bounds for inner
 *     products in floating-point arithmetic", 2013). The smaller of the two is
 *     asserted, as long as it is less than sum |a_j b_j|: from 2^24 products on it
 *     is not, and the exit is INCONCLUSIVE. A float that has come to 2^24 stays
 *     there when ones are added: it is the sequential sum that is wrong then, not
 *     the tree that it is compared with.
 */

// clang-format off
#define DOT_CPU                                                                                    \
    .name = "dot-cpu", .summary = "the sequential baseline: one thread, one sum",                  \
    .law = "input a[n], b[n]\n"                                                                    \
           "array A[1]\n"                                                                          \
           "law when d = 0: for 0 <= i < 1: A[i] = 0; "                                            \
           "when d > 0: " RD_LAW_OF_ALL("a[j]*b[j]") "\n"                                          \
           "at serial register sum\n"                                                              \
           "steps i = 0, min(max(2*i, 1), n), ..., n\n"                                            \
           "law sum = sum of a[j]*b[j], 0 <= j < i\n"                                              \
           "start sum = 0\n"                                                                       \
           "update sum = sum + sum of a[j]*b[j], bit_ceil(i) / 2 <= j < i\n",                      \
    .launch = "dot_serial(a, b, A, n) by 1 thread", .goal = RD_GOAL_SUM, .n = 11,                  \
    .type = RD_TYPE_F32
// clang-format on

const struct rd_program rd_program_dot_cpu = {DOT_CPU};

/* explain: dot-naive
 *
 * dot-naive: all threads add their product into the one cell c[0]. A fault.
 *
 * What is wrong
 *     c[0] += x is three things: read c[0], add, write it back. Nothing keeps
 *     another thread from reading the same old value in between, and then one of
 *     the two products is lost. It is a race between threads of a warp, of a block
 *     and of the grid. On an H200, n = 2^20 with a = .5 and b = 2, it gave 7 to 11
 *     instead of 1048576. One after the other, as a simulator may run the threads,
 *     all is well: the race is reported whatever the result. With it the round is
 *     no function of the array before it, so that a right result does not show
 *     that the round keeps the invariant: preservation is INCONCLUSIVE.
 *
 * The cure
 *     A cell for each thread (dot-partial), a fold within each block (dot-shared),
 *     or an atomic add.
 */
RD_LESSON(dot_naive, DOT_CPU, .name = "dot-naive",
          .summary = "a fault: all threads add into one cell", .twin = "dot-partial",
          .launch = "dot_naive(a, b, A, n) on B blocks of T", .points = "", .blocks = "ceil(n / T)",
          .n = 1000, .type = RD_TYPE_I32);

/* explain: dot-partial
 *
 * dot-partial: each thread has a cell of its own; the host adds the cells.
 *
 * Statement
 *     Each thread adds the products that lie a grid apart. Any n, any block, any
 *     number of blocks. With G threads in the grid, after d launches:
 *         {law}
 *
 * Worked example, n = 8, one block of 4, a = 0 .. 7, b = 1 .. 8
 *     A = 0 + 20   2 + 30   6 + 42   12 + 56   =   20   32   48   68
 *     the host: 20 + 32 + 48 + 68 = 168
 *
 * Initialization
 *     Before the loop a thread's sum is 0, the sum of no product.
 *
 * Preservation
 *     Trip q of thread t adds product t + qG: after it, the sum holds all
 *     j <= t + qG with j mod G = t. No two threads write the same cell, so no
 *     order matters.
 *
 * Variant
 *     n - (t + qG) falls by G, and the loop ends when it is 0 or less.
 *
 * Exit
 *     The loop ends when t + qG >= n. Each j belongs to one t, so the cells add up
 *     to a . b.
 *
 * Cost
 *     ceil(n/G) trips, one write a thread, and G - 1 additions on the host. As
 *     floats: height at most ceil(n/G) + G - 1. With 32 blocks of 256 threads and
 *     2^20 products of .5 and 2, each cell is 128.
 */

const struct rd_program rd_program_dot_partial = {
    .name = "dot-partial",
    .summary = "a cell for each thread; the host adds the cells",
    .law = "input a[n], b[n]\n"
           "array A[G]\n"
           "law when d = 0: for 0 <= i < G: A[i] = 0; "
           "when d > 0: for 0 <= t < G: A[t] = sum of a[j]*b[j], j mod G = t\n",
    .launch = "dot_partial(a, b, A, n) on B blocks of T",
    .goal = RD_GOAL_TOTAL,
    .blocks = RD_STRIDE_BLOCKS,
    .n = 1003,
    .n_block = 48,
    .n_grid = 5,
    .type = RD_TYPE_F32,
};
