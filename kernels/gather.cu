// SPDX-License-Identifier: MIT
/* Brings cells that lie `stride` apart together, so that they cross to the host in one piece. */
#include "kernel.h"

EXTERN_C __global__ void NAME(gather)(const elem *A, elem *out, size_t stride, size_t count)
{
    size_t k = GLOBAL_THREAD;
    if (k < count)
        out[k] = A[k * stride];
}
LAUNCHABLE(gather, const elem *, elem *, size_t, size_t)

ALSO_OF_HALVES
