// SPDX-License-Identifier: MIT
/* A reduction that Reductio doesn't have, of 3^k numbers: a round adds the second and the last third of the array onto the
 * first. thirds.c runs it, and says how it is compiled. */
#include "kernel.h"

EXTERN_C __global__ void NAME(thirds)(elem *A, size_t w)
{
    size_t i = GLOBAL_THREAD;
    if (i < w)
        A[i] = A[i] + A[i + w] + A[i + 2 * w];
}
LAUNCHABLE(thirds, elem *, size_t)

/* A fault: it reads the first third for the last, while other threads write it. */
EXTERN_C __global__ void NAME(thirds_twice)(elem *A, size_t w)
{
    size_t i = GLOBAL_THREAD;
    if (i < w)
        A[i] = A[i] + A[i + w] + A[w - 1 - i];
}
LAUNCHABLE(thirds_twice, elem *, size_t)
