// SPDX-License-Identifier: MIT
/* The fold run backwards: half = 1, 2, …, n/2. What a round of the fold added is subtracted again.
 */
#include "arithmetic.h"

EXTERN_C __global__ void NAME(unfold)(elem *A, size_t half)
{
    size_t i = GLOBAL_THREAD;
    if (i < half)
        A[i] = SUBTRACT(A[i], A[i + half]);
}
LAUNCHABLE(unfold, elem *, size_t)

ALSO_OF_HALVES
