// SPDX-License-Identifier: MIT
/* Dot products without shared memory: by one thread, by all of them into one cell, and by all of
 * them into cells of their own. invariants/dot_threads.c says what holds, and what does not. */
#include "kernel.h"

/* The sequential baseline: one thread. The checkpoints are at i = 0, 1, 2, 4, … and at the
 * end. */
EXTERN_C __global__ void NAME(dot_serial)(const elem *a, const elem *b, elem *c, size_t n)
{
    elem sum = 0;
    for (size_t i = 0; i < n; i++) {
        if ((i & (i - 1)) == 0) {
            CHECKPOINT_LANE(SERIAL, sum, i);
        }
        sum += a[i] * b[i];
    }
    CHECKPOINT_LANE(SERIAL, sum, n);
    c[0] = sum;
}
LAUNCHABLE(dot_serial, const elem *, const elem *, elem *, size_t)

/* A fault: all threads add into one cell, and none waits for another. */
EXTERN_C __global__ void NAME(dot_naive)(const elem *a, const elem *b, elem *c, size_t n)
{
    size_t i = GLOBAL_THREAD;
    if (i < n)
        c[0] += a[i] * b[i];
}
LAUNCHABLE(dot_naive, const elem *, const elem *, elem *, size_t)

/* Each thread strides over the grid, and writes a cell of its own. */
EXTERN_C __global__ void NAME(dot_partial)(const elem *a, const elem *b, elem *c, size_t n)
{
    elem sum = 0;
    for (size_t i = GLOBAL_THREAD; i < n; i += GRID_THREADS)
        sum += a[i] * b[i];
    c[GLOBAL_THREAD] = sum;
}
LAUNCHABLE(dot_partial, const elem *, const elem *, elem *, size_t)
