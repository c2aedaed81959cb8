// SPDX-License-Identifier: MIT
/* list: multiply after tournament_stride_one */
/* The product of two arrays, element by element. The kernel is in kernels/multiply.cu. */
#include "invariants.h"

/* explain: multiply
 *
 * multiply: A[i] = a[i] * b[i] for all i, in one round. Any n. A starts as a.
 *
 * Statement
 *     After d rounds, d = 0 or 1:
 *         {law}
 *
 * Worked example, n = 8, a = 0 .. 7, b = 1 .. 8
 *     d = 0:   A =  0   1   2   3   4   5   6   7
 *     d = 1:   A =  0   2   6  12  20  30  42  56
 *
 * Initialization
 *     d = 0: the claim is A[i] = a[i], which is how A starts.
 *
 * Preservation
 *     Thread i multiplies A[i] by b[i]. No thread looks at another's cell.
 *
 * Exit
 *     The loop ends after one round: A[i] = a[i] * b[i].
 *
 * Cost
 *     One round, n multiplications. It is how one learns to move data to a device
 *     and back, and the host has its order, too: an array is filled before it is
 *     copied to the device, the kernel is launched behind the copy, and the result
 *     copied behind the kernel. Nothing checks that a is there before it is used.
 */

#define MULTIPLY                                                                                   \
    .name = "multiply", .summary = "multiplies two arrays, element by element (any n)",            \
    .law = "input a[n], b[n]\n"                                                                    \
           "array A[n]\n"                                                                          \
           "law when d = 0: for 0 <= i < n: A[i] = a[i]; "                                         \
           "when d = 1: for 0 <= i < n: A[i] = a[i] * b[i]\n"                                      \
           "start for 0 <= i < n: A[i] = a[i]\n"                                                   \
           "update for 0 <= i < n: A[i] = A[i] * b[i]\n",                                          \
    .launch = "multiply(A, b, A, n) by n threads", .goal = RD_GOAL_PRODUCT, .bounded = true,       \
    .n = 11, .n_block = 4

const struct rd_program rd_program_multiply = {MULTIPLY};

/* explain: multiply:one-block
 *
 * multiply:one-block: launched as <<<1, n>>>, whatever n is.
 *
 * What is wrong
 *     A block has at most 1024 threads. With n = 1025 the CUDA runtime refuses the
 *     launch (cudaErrorInvalidConfiguration), no thread runs, and A stays as it
 *     was. A launch returns no error by itself: a host that does not ask for it
 *     goes on with the old data. Up to n = 1024 the fault can't show.
 *
 * The cure
 *     Blocks of a fixed size, as many as it takes, a guard in the kernel, and a
 *     look at the error.
 */
RD_LESSON(multiply_one_block, MULTIPLY, .name = "multiply:one-block",
          .summary = "launches <<<1, n>>> and checks nothing",
          .launch = "multiply(A, b, A, n) by n threads in blocks of n", .n = 1025);
