// SPDX-License-Identifier: MIT
/* list: puzzle_map2d after puzzle_guard_every_cell, puzzle_blocks2d after puzzle_blocks */
/* list: puzzle_broadcast after puzzle_map2d_every_cell */
/* The puzzles in two dimensions that make each element from those of the same row and column. The
 * kernels are in kernels/puzzle_maps2d.cu. */
#include "invariants.h"
#include "puzzles.h"

#define LAW_OF_SQUARE(inputs, value)                                                               \
    "input " inputs "\n"                                                                           \
    "array A[n*n]\n"                                                                               \
    "law when d = 0: for 0 <= i < n*n: A[i] = 0; when d = 1: for 0 <= i, j < n: A[i*n + j] "       \
    "= " value "\n"

/* ---- adding 10 ---- */

/* explain: puzzle-map2d
 *
 * puzzle-map2d: out[i][j] = a[i][j] + 10 for a square of n rows of n, with more
 * threads than elements. Any n. --block is the side of a square of threads, 32 at
 * most.
 *
 * Statement
 *     Rows lie one behind the other: [i][j] is cell i*n + j. A is the array `out`.
 *     After d launches, d = 0 or 1:
 *         {law}
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 2, one block of 3 x 3, a = 0 .. 3
 *     thread (x, y) has column x and row y; . has no element:
 *         (0,0) (1,0)   .          A = 10 11
 *         (0,1) (1,1)   .              12 13
 *           .     .     .
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     The thread of column j and row i, both less than n, reads a[i][j] and
 *     writes A[i][j], once. One comparison is not enough: (2, 0) has a row but no
 *     column, and its cell 0*n + 2 would be that of row 1.
 *
 * Exit
 *     i*n + j with j < n is another number for each (i, j), and each has one
 *     thread: each cell is written, once.
 *
 * Cost
 *     n*n reads, n*n writes. Columns are x, so that the threads of a warp touch
 *     cells side by side.
 */

#define MAP_GOAL "A[i][j] = a[i][j] + 10 for all i and j"

#define PUZZLE_MAP2D                                                                               \
    .name = "puzzle-map2d", .summary = "adds 10 to a square, in two dimensions",                   \
    .law = LAW_OF_SQUARE("a[n][n]", "a[i][j] + 10"),                                               \
    .launch = "puzzle_map2d(a, A, n) by n by n threads in blocks of T by T, "                      \
              "reads 1, writes 1",                                                                 \
    .goal = RD_GOAL_LAST, .goal_text = MAP_GOAL, .no_witness = true,                               \
    .accept = RD_PUZZLE_ACCEPT_SQUARE, .n = 5, .block = 3, .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_map2d = {PUZZLE_MAP2D};

/* explain: puzzle-map2d:every-cell
 *
 * puzzle-map2d:every-cell: each thread loops over all rows and columns.
 *
 * What is wrong
 *     The loops stay within the arrays, and A is right. But with 3 x 3 threads
 *     and n = 2 there are 9 * 4 = 36 writes where 4 are wanted, and all 9 threads
 *     write each cell, in no order: a race, of which CUDA promises nothing even
 *     where all write the same value.
 *
 * The cure
 *     A thread is the loops' body. Its place says which i and j, and the
 *     conditions are the guard.
 */
RD_LESSON(puzzle_map2d_every_cell, PUZZLE_MAP2D, .name = "puzzle-map2d:every-cell",
          .summary = "has every thread write every cell", .kernel = "puzzle_map2d_every_cell",
          .n = 2);

/* explain: puzzle-blocks2d
 *
 * puzzle-blocks2d: out[i][j] = a[i][j] + 10 for a square of n rows of n, in square
 * blocks smaller than it. Any n. --block is the side of a block, 32 at most.
 *
 * Statement
 *     Rows lie one behind the other: [i][j] is cell i*n + j. A is the array `out`.
 *     After d launches, d = 0 or 1:
 *         {law}
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 5, 2 x 2 blocks of 3 x 3, a = 1 everywhere
 *     block (0, 0) has rows 0 .. 2 of columns 0 .. 2:   9 threads at work
 *     block (1, 0) has rows 0 .. 2 of columns 3 .. 4:   6
 *     block (0, 1) has rows 3 .. 4 of columns 0 .. 2:   6
 *     block (1, 1) has rows 3 .. 4 of columns 3 .. 4:   4
 *     A = 11 everywhere: 25 of 36 threads have written it.
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     Column and row are counted apart, each as block times side plus thread, so
 *     that each (i, j) has one block and one thread in it. Its thread reads
 *     a[i][j] and writes A[i][j].
 *
 * Exit
 *     ceil(n/T) blocks in either direction reach all i and j below n: each cell is
 *     written, once.
 *
 * Cost
 *     n*n reads, n*n writes; at the right and at the lower edge up to T - 1
 *     columns and rows of threads are idle.
 */
const struct rd_program rd_program_puzzle_blocks2d = {
    PUZZLE_MAP2D,
    .name = "puzzle-blocks2d",
    .summary = "adds 10 to a square, in square blocks",
};

/* ---- a column and a row ---- */

/* explain: puzzle-broadcast
 *
 * puzzle-broadcast: out[i][j] = a[i] + b[j]: a is a column of n, b a row of n. Any
 * n. --block is the side of a square of threads, 32 at most.
 *
 * Statement
 *     Rows lie one behind the other: [i][j] is cell i*n + j. A is the array `out`.
 *     After d launches, d = 0 or 1:
 *         {law}
 *     No thread reads global memory more than twice, or writes it more than once.
 *
 * Worked example, n = 2, one block of 3 x 3, a = b = 0 1
 *     A = 0 1       row 0: a[0] + b[0]   a[0] + b[1]
 *         1 2       row 1: a[1] + b[0]   a[1] + b[1]
 *
 * Initialization
 *     A starts as zeros.
 *
 * Preservation
 *     The thread of row i and column j reads a[i] and b[j], and writes A[i][j].
 *     a[i] is read by all threads of a row and b[j] by all of a column; to read
 *     what nobody writes needs no order.
 *
 * Exit
 *     Each (i, j) has just one thread: each cell is written, once.
 *
 * Cost
 *     2n*n reads of 2n elements, n*n writes. Each element is read n times, which
 *     caches serve; to keep them in shared memory would hardly pay, as the n*n
 *     writes dominate.
 */

#define BROADCAST_GOAL "A[i][j] = a[i] + b[j] for all i and j"

#define PUZZLE_BROADCAST                                                                           \
    .name = "puzzle-broadcast", .summary = "adds a column and a row, which make a square",         \
    .law = LAW_OF_SQUARE("a[n], b[n]", "a[i] + b[j]"),                                             \
    .launch = "puzzle_broadcast(a, b, A, n) by n by n threads in blocks of T by T, "               \
              "reads 2, writes 1",                                                                 \
    .goal = RD_GOAL_LAST, .goal_text = BROADCAST_GOAL, .no_witness = true,                         \
    .accept = RD_PUZZLE_ACCEPT_SQUARE, .n = 5, .block = 3, .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_broadcast = {PUZZLE_BROADCAST};

/* explain: puzzle-broadcast:every-cell
 *
 * puzzle-broadcast:every-cell: each thread loops over all rows and columns.
 *
 * What is wrong
 *     As in puzzle-map2d:every-cell: A is right, but with 3 x 3 threads and n = 2
 *     there are 9 * 4 = 36 writes where 4 are wanted, and each cell is written by
 *     all 9 threads, in no order.
 *
 * The cure
 *     A thread is the loops' body. Its place says which i and j, and the
 *     conditions are the guard.
 */
RD_LESSON(puzzle_broadcast_every_cell, PUZZLE_BROADCAST, .name = "puzzle-broadcast:every-cell",
          .summary = "has every thread write every cell", .kernel = "puzzle_broadcast_every_cell",
          .n = 2, .values = "list:0,1,0,1");
