// SPDX-License-Identifier: MIT
/* list: puzzle_matmul after puzzle_axis_sum_write_in_loop */
/* The product of squares. The kernels are in kernels/puzzle_matmul.cu. */
#include "invariants.h"
#include "puzzles.h"

/* ---- the square ---- */

/* explain: puzzle-matmul
 *
 * puzzle-matmul: the product of two squares of n rows of n, by way of tiles in
 * shared memory. Any n. --block is the side of a tile and of a block, 32 at most.
 *
 * Statement
 *     Rows lie one behind the other. With tiles of T x T, at the head of the loop
 *     that comes to element k, in each lane l of each warp, whose thread has row i
 *     and column j of the product; outside the square the sum is 0:
 *         {law tile}
 *     After d launches, d = 0 or 1:
 *         {law}
 *     No thread reads global memory more than 2*ceil(n/T) times, or writes it more
 *     than once.
 *
 * Worked example, n = 2, one block of 3 x 3
 *     a = 0 1     b = 0 2     A = 1  3       A[0][0] = 0*0 + 1*1
 *         2 3         1 3         3 13       A[1][1] = 2*2 + 3*3
 *
 * Initialization
 *     k = 0: sum = 0, the sum of nothing.
 *
 * Preservation
 *     Each thread of the block loads one element of a, from its row, and one of b,
 *     from its column; outside the squares a tile has 0. Behind the barrier
 *     a_tile[y][0 .. T) is a[i][k .. k+T), and b_tile[0 .. T)[x] is b[k ..
 *     k+T)[j]: to add their products moves k on by T. The second barrier keeps the
 *     next tile out until all have used this one.
 *
 * Variant
 *     n - k falls by T, and the loop ends when it is 0 or less.
 *
 * Exit
 *     When k >= n, sum is the whole sum: the zeros added nothing. Each (i, j) has
 *     just one thread.
 *
 * Cost
 *     2*ceil(n/T) reads of global memory a thread, where it would make 2n by
 *     itself: with n = 8 and T = 3 it is 6 instead of 16. As floats: height at
 *     most n, one rounding for the product and n - 1 for the sum.
 */
#define MATMUL_GOAL "A[i][j] = the sum of a[i][k]*b[k][j] for all i and j"

/* In the paragraph, x and y are the squares extended by the tiles' cells outside, where 0 times infinity is not a
 * number. LANES goes through the lanes of a warp, by their threads' cells of the result, which may lie outside the
 * square. */
#define LANES                                                                                      \
    "for 0 <= l < min(32, T*T - 32*warp), t = 32*warp + l,\n"                                      \
    "    i = (block div Q)*T + floor(t / T), j = (block mod Q)*T + t mod T"

#define PUZZLE_MATMUL                                                                              \
    .name = "puzzle-matmul", .summary = "multiplies squares, tile by tile",                        \
    .law = "input a[n][n], b[n][n]\n"                                                              \
           "array A[n*n]\n"                                                                        \
           "law when d = 0: for 0 <= i < n*n: A[i] = 0; when d = 1: for 0 <= i, j < n:\n"          \
           "    A[i*n + j] = sum of a[i][k]*b[k][j], 0 <= k < n\n"                                 \
           "at tile register sum[32]\n"                                                            \
           "steps k = 0, min(k + T, n), ..., n\n"                                                  \
           "let Q = ceil(n / T)\n"                                                                 \
           "let for 0 <= i < Q*T, 0 <= q < n: x[i][q] = sum of a[r][q], r = i\n"                   \
           "let for 0 <= q < n, 0 <= j < Q*T: y[q][j] = sum of b[q][c], c = j\n"                   \
           "law " LANES ":\n"                                                                      \
           "    sum[l] = sum of a[i][q]*b[q][j], 0 <= q < k, i < n, j < n\n"                       \
           "start " LANES ": sum[l] = 0\n"                                                         \
           "update " LANES ", i < n, j < n:\n"                                                     \
           "    sum[l] = sum[l] + sum of a[i][q]*b[q][j], T*((k - 1) div T) <= q < k;\n" LANES     \
           ", (i >= n or j >= n):\n"                                                               \
           "    sum[l] = sum[l] + sum of x[i][q]*y[q][j], T*((k - 1) div T) <= q < k\n",           \
    .launch = "puzzle_matmul(a, b, A, n) by n by n threads in blocks of T by T, "                  \
              "shared 2*T*T, reads 2*ceil(n / T), writes 1",                                       \
    .goal = RD_GOAL_LAST, .goal_text = MATMUL_GOAL, .bounded = true, .reads = "2*n",               \
    .accept = RD_PUZZLE_ACCEPT_SQUARE, .n = 7, .block = 3, .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_matmul = {PUZZLE_MATMUL};

/* explain: puzzle-matmul:no-tiles
 *
 * puzzle-matmul:no-tiles: each thread reads its row and its column from global
 * memory.
 *
 * What is wrong
 *     The result is right. But each element of a is read n times, once for each
 *     column, and each of b once for each row: with n = 8 a thread makes 16 reads
 *     of global memory, and 6 were promised. Only with tiles of one element, of
 *     --block 1, are as many allowed: they help nobody.
 *
 * The cure
 *     Load a tile together, and use each of its elements T times.
 */
RD_LESSON(puzzle_matmul_no_tiles, PUZZLE_MATMUL, .name = "puzzle-matmul:no-tiles",
          .summary = "reads whole rows and columns",
          .launch = "puzzle_matmul_no_tiles(a, b, A, n) by n by n threads in blocks of T by T, "
                    "reads 2*ceil(n / T), writes 1",
          .points = "", .n = 8);

/* explain: puzzle-matmul:one-barrier
 *
 * puzzle-matmul:one-barrier: the barrier at the end of the loop is left out.
 *
 * What is wrong
 *     The barrier that is left comes between a tile's loading and its use. But a
 *     thread that is done with a tile goes on, and puts its elements of the next
 *     one where others still read this one: a race, in both tiles. Where a block
 *     is one warp, a GPU often happens to keep its threads together, and A is
 *     right.
 *
 * The cure
 *     Two barriers a turn: after the loading, and after the use.
 */
RD_LESSON(puzzle_matmul_one_barrier, PUZZLE_MATMUL, .name = "puzzle-matmul:one-barrier",
          .summary = "loads a tile while others use the last",
          .kernel = "puzzle_matmul_one_barrier",
          .no_witness = true, /* what a thread reads there may not be a row of a */
          .n = 8);
