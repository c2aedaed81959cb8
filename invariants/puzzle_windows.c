// SPDX-License-Identifier: MIT
/* list: puzzle_pool after puzzle_shared_branch */
/* The puzzles that make each element from elements side by side. The kernels are in
 * kernels/puzzle_windows.cu. */
#include "invariants.h"

/* ---- the last three ---- */

/* explain: puzzle-pool
 *
 * puzzle-pool: out[i] = a[i] + a[i-1] + a[i-2], of those that there are. Any n; a
 * block has 3 threads or more, unless it is the only one.
 *
 * Statement
 *     A is the array `out`. After d launches, d = 0 or 1:
 *         {law}
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 8, one block of 8, a = 0 .. 7
 *     copy = 0  1  2  3  4  5  6  7
 *     A    = 0  1  3  6  9 12 15 18        A[3] = 3 + 2 + 1
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     Thread t loads one element; behind the barrier it adds those that threads t,
 *     t-1 and t-2 have loaded. The first two threads of a block have no such
 *     predecessors. So each block but the first begins two elements early: block k
 *     loads a[k(T-2) .. k(T-2)+T), and its first two threads write nothing.
 *
 * Exit
 *     Block 0 writes the cells 0 <= i < T, and each block after it the T-2 that
 *     follow: each cell is written, once, by a thread whose block has loaded all
 *     its predecessors.
 *
 * Cost
 *     1 + ceil(max(0, n-T)/max(1, T-2)) blocks. 2 reads of each block but the
 *     first are of elements that another block reads too. As floats: height at
 *     most 2.
 */

#define POOL_GOAL "A[i] = a[i] + a[i-1] + a[i-2] for all i, of those that there are"

/* Blocks overlap by the elements before a window. */
#define PUZZLE_POOL                                                                                \
    .name = "puzzle-pool", .summary = "adds each element and the two before it",                   \
    .law = "input a[n]\n"                                                                          \
           "array A[n]\n"                                                                          \
           "law when d = 0: for 0 <= i < n: A[i] = 0; "                                            \
           "when d = 1: for 0 <= i < n: A[i] = sum of a[j], 0 <= j, i - 3 < j <= i\n"              \
           "update for 0 <= i < n: A[i] = sum of a[i - q], 0 <= q < 3, q <= i\n",                  \
    .launch = "puzzle_pool(a, A, n) by n threads "                                                 \
              "on 1 + ceil(max(n - T, 0) / max(T - 2, 1)) blocks of T, shared T, "                 \
              "reads 1, writes 1",                                                                 \
    .goal = RD_GOAL_LAST, .goal_text = POOL_GOAL, .bounded = true,                                 \
    .accept = "T >= 3 or n <= T else 'block' is {T}, and two threads of each block but the first " \
              "only load: use at least 3",                                                         \
    .n = 11, .block = 8, .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_pool = {PUZZLE_POOL};

/* explain: puzzle-pool:no-halo
 *
 * puzzle-pool:no-halo: blocks lie side by side, and none looks over its edge.
 *
 * What is wrong
 *     With one block all is well. With n = 16 and two blocks of 8, thread 0 of
 *     block 1 adds a[8] alone, since copy[-1] and copy[-2] are not there: A[8] is
 *     8 and should be 8 + 7 + 6 = 21; A[9] is 17 and should be 24. Each edge
 *     between blocks makes two cells wrong, and no access is out of bounds.
 *
 * The cure
 *     Load the halo: the two elements before the block's own. Either the first two
 *     threads read two elements each, or, as here, blocks overlap by two.
 */
RD_LESSON(puzzle_pool_no_halo, PUZZLE_POOL, .name = "puzzle-pool:no-halo",
          .summary = "forgets what lies across a block's edge",
          .launch = "puzzle_pool_no_halo(a, A, n) by n threads in blocks of T, shared T, "
                    "reads 1, writes 1",
          .n = 16);

/* ---- correlation ---- */

/* explain: puzzle-conv1d
 *
 * puzzle-conv1d: the correlation of a with a short b: out[i] is the sum of
 * a[i+j]*b[j], as far as a goes. It goes by the name of convolution, which would
 * take b from its end, as the sum of a[i-j]*b[j]; this is a cross-correlation. Any
 * n. b has m = ceil(sqrt(n)) elements, so that 6 go with 3 and 15 with 4; a block
 * has 2m - 1 threads or more.
 *
 * Statement
 *     A is the array `out`. After d launches, d = 0 or 1:
 *         {law}
 *     No thread reads global memory more than twice, or writes it more than once.
 *
 * Worked example, n = 6, m = 3, one block of 8, a = 0 .. 5, b = 0 1 2
 *     A = 5  8 11 14  5  0                 A[0] = 0*0 + 1*1 + 2*2
 *                                          A[4] = 4*0 + 5*1: a ends there
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     Thread t needs a_tile[t .. t+m) and all of b. The last threads reach over
 *     the block's edge: there are the m - 1 elements of the halo, which belong to
 *     the next block. Each thread loads its own element; then threads t < m-1 load
 *     the halo, and threads m-1 <= t < 2m-1 load b. Behind the barrier all of it
 *     is there.
 *
 * Exit
 *     Each i < n is the number of just one thread: each cell is written, once.
 *
 * Cost
 *     n*m - m(m-1)/2 products from shared memory; 2 reads of a thread instead of
 *     2m. As floats: height at most m, one rounding for the product and m - 1 for
 *     the sum.
 */
/* The limit on n: for longer arrays no block has enough threads. */
#define CONV_ACCEPT                                                                                \
    "n <= 512*512 else 'n' is {n}, and b of sqrt(n) elements is too long for a block to load: "    \
    "use at most {512*512}\n"                                                                      \
    "T >= 2*ceil(sqrt(n)) - 1 else 'block' is {T}, and {2*ceil(sqrt(n)) - 1} threads load b and "  \
    "the halo: use at least {2*ceil(sqrt(n)) - 1}"

#define CONV_GOAL "A[i] = the sum of a[i+j]*b[j] for all i, as far as a goes"

#define PUZZLE_CONV1D                                                                              \
    .name = "puzzle-conv1d", .summary = "a correlation with a short b",                            \
    .law = "input a[n], b[m]\n"                                                                    \
           "array A[n]\n"                                                                          \
           "let m = ceil(sqrt(n))\n"                                                               \
           "law when d = 0: for 0 <= i < n: A[i] = 0; when d = 1: for 0 <= i < n:\n"               \
           "    A[i] = sum of a[i+j]*b[j], 0 <= j < m, i+j < n\n",                                 \
    .launch = "puzzle_conv1d(a, b, A, n, m) by n threads in blocks of T, "                         \
              "shared T + 2*m - 1, reads 2, writes 1",                                             \
    .goal = RD_GOAL_LAST, .goal_text = CONV_GOAL, .bounded = true, .accept = CONV_ACCEPT, .n = 11, \
    .block = 8, .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_conv1d = {PUZZLE_CONV1D};

/* explain: puzzle-conv1d:three-reads
 *
 * puzzle-conv1d:three-reads: the same threads load the halo, and b.
 *
 * What is wrong
 *     The result is right, and certain: nothing races. But 2 reads of a thread
 *     were promised, and with n = 15, m = 4 and blocks of 8 threads 0, 1 and 2 of
 *     block 0 make 3: a[t], b[t] and a[8 + t], while threads 4 to 7 have made one,
 *     and wait for them. With n = 6 there is no halo, and it does not show.
 *
 * The cure
 *     Let others load b: threads m-1 <= t < 2m-1 are idle then.
 */
RD_LESSON(puzzle_conv1d_three_reads, PUZZLE_CONV1D, .name = "puzzle-conv1d:three-reads",
          .summary = "has some threads do all the loading", .kernel = "puzzle_conv1d_three_reads",
          .n = 15);

/* explain: puzzle-conv1d:room-for-4
 *
 * puzzle-conv1d:room-for-4: the copy of b in shared memory is made for 4.
 *
 * What is wrong
 *     A static array of shared memory has its size from the source: b_tile[4]. A b
 *     of up to 4 elements fits. With n = 17 b has m = 5, and the loop over j reads
 *     b_tile[4], behind the end of the array. What is there depends on how the
 *     compiler has laid out shared memory: something of a, or what another block
 *     has left. Nobody has loaded b[4] at all, so that A is wrong where it counts.
 *
 * The cure
 *     Take the size from the launch: dynamic shared memory of as many elements as
 *     are needed, a number that need not be known at compile time. Or refuse an m
 *     that is too large.
 */
RD_LESSON(puzzle_conv1d_room_for_4, PUZZLE_CONV1D, .name = "puzzle-conv1d:room-for-4",
          .summary = "has room for 4 elements of b, and takes 5",
          .launch = "puzzle_conv1d_room_for_4(a, b, A, n, m) by n threads in blocks of T, "
                    "shared T + m - 1, reads 2, writes 1",
          .no_witness = true, /* what it reads there is no input */
          .n = 17, .block = 16);
