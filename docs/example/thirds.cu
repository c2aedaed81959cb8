// SPDX-License-Identifier: MIT
/* A reduction that Reductio doesn't have: n = 3^k, and each round adds the second and the last third of the array onto the
 * first. Outside CUDA it is compiled as reductio/launchable.h says. */
#include "kernel.h"

EXTERN_C __global__ void NAME(thirds)(elem *A, size_t w)
{
    size_t i = GLOBAL_THREAD;
    if (i < w)
        A[i] = A[i] + A[i + w] + A[i + 2 * w];
}
LAUNCHABLE(thirds, elem *, size_t)

/* A fault: the last third is not where it takes it from. */
EXTERN_C __global__ void NAME(thirds_overlapping)(elem *A, size_t w)
{
    size_t i = GLOBAL_THREAD;
    if (i < w)
        A[i] = A[i] + A[i + w] + A[i + w + 1];
}
LAUNCHABLE(thirds_overlapping, elem *, size_t)
