// SPDX-License-Identifier: MIT
/* list: puzzle_shared after puzzle_blocks2d */
/* The first puzzle with shared memory. The kernels are in kernels/puzzle_shared.cu. */
#include "invariants.h"
#include "puzzles.h"

/* explain: puzzle-shared
 *
 * puzzle-shared: out[i] = a[i] + 10, by way of the block's shared memory. Any n.
 *
 * Statement
 *     A is the array `out`. After d launches, d = 0 or 1:
 *         {law}
 *     No thread reads or writes global memory more than once.
 *
 * Worked example, n = 8, two blocks of 4, a = 1 1 1 1 1 1 1 1
 *     block 0:   copy = 1 1 1 1     out[0 .. 4) = 11 11 11 11
 *     block 1:   copy = 1 1 1 1     another array, that only block 1 sees
 *     A     =    11 11 11 11 11 11 11 11
 *
 * Initialization
 *     A starts as zeros. Shared memory starts as nothing at all: a cell must be
 *     written before it is read.
 *
 * Preservation
 *     Thread t of block k puts a[kT + t] into copy[t]; after the barrier it reads
 *     the same cell. It would not even need the barrier: it is there to show the
 *     order of loading, meeting and using, by which a thread may read what others
 *     have loaded. All threads of the block come to it, also those that have no
 *     element.
 *
 * Exit
 *     Each i < n is the number of just one thread, so that each cell is written,
 *     once.
 *
 * Cost
 *     n reads and n writes of global memory, as many of shared memory, and a
 *     barrier.
 */
#define PUZZLE_SHARED                                                                              \
    .name = "puzzle-shared", .summary = "adds 10, by way of shared memory", .law = RD_LAW_ADD_TEN, \
    .launch = "puzzle_shared(a, A, n) by n threads in blocks of T, shared T, "                     \
              "reads 1, writes 1",                                                                 \
    .goal = RD_GOAL_LAST, .goal_text = RD_PUZZLE_TEN_GOAL, .no_witness = true, .n = 7, .block = 4, \
    .type = RD_TYPE_F32

const struct rd_program rd_program_puzzle_shared = {PUZZLE_SHARED};

/* explain: puzzle-shared:barrier-in-if
 *
 * puzzle-shared:barrier-in-if: the guard is around the barrier too.
 *
 * What is wrong
 *     With n = 8 and blocks of 4 all threads pass the guard, and nothing shows.
 *     With n = 7 thread 3 of block 1 does not, and never comes to the barrier at
 *     which the other three wait. CUDA says that __syncthreads() in a branch that
 *     not all threads take is undefined. Today's GPUs count a thread that has
 *     ended as one that came, so that the launch ends, with the right result, and
 *     NVIDIA's synccheck is silent about it.
 *
 * The cure
 *     Guard the work, not the barrier: end the `if` before it, and begin another
 *     behind it.
 */
RD_LESSON(puzzle_shared_branch, PUZZLE_SHARED, .name = "puzzle-shared:barrier-in-if",
          .summary = "has the barrier within the guard", .kernel = "puzzle_shared_branch",
          .values = "ones");
