// SPDX-License-Identifier: MIT
/* The tournament: neighbours meet, and the left one carries on with both their sums.
 *
 *      A:  [ 0  1  2  3  4  5  6  7 ]      D = 1
 *            +--+  +--+  +--+  +--+
 *      A:  [ 1  .  5  .  9  . 13  . ]      D = 2
 *            +-----+     +-----+
 *      A:  [ 6  .  .  . 22  .  .  . ]      D = 4, and so on
 *
 * invariants/tournament.c says what holds after each round, and why. */
#include "operation.h"

/* D = 1, 2, 4, …; any n. Thread t plays the match of cells i = 2*D*t and i + D, if there is one. */
EXTERN_C __global__ void NAME(tournament)(elem *A, size_t D, size_t n)
{
    size_t i = 2 * D * GLOBAL_THREAD;
    if (i + D < n)
        A[i] = OP(A[i], A[i + D]);
}
LAUNCHABLE(tournament, elem *, size_t, size_t)

/* A fault: the guard asks for a full pair of blocks, so that a shorter last one is never added. */
EXTERN_C __global__ void NAME(tournament_lost_tail)(elem *A, size_t D, size_t n)
{
    size_t i = 2 * D * GLOBAL_THREAD;
    if (i + 2 * D <= n)
        A[i] = OP(A[i], A[i + D]);
}
LAUNCHABLE(tournament_lost_tail, elem *, size_t, size_t)

/* A fault: the partner is always the next cell, which is right in the first round only. */
EXTERN_C __global__ void NAME(tournament_stride_one)(elem *A, size_t D, size_t n)
{
    size_t i = 2 * D * GLOBAL_THREAD;
    if (i + D < n)
        A[i] = OP(A[i], A[i + 1]);
}
LAUNCHABLE(tournament_stride_one, elem *, size_t, size_t)

ALSO_OF_HALVES
