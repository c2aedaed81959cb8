// SPDX-License-Identifier: MIT
/* c[i] = a[i] * b[i], element by element. c may be a. */
#include "kernel.h"

EXTERN_C __global__ void NAME(multiply)(const elem *a, const elem *b, elem *c, size_t n)
{
    size_t i = GLOBAL_THREAD;
    if (i < n)
        c[i] = a[i] * b[i];
}
LAUNCHABLE(multiply, const elem *, const elem *, elem *, size_t)
