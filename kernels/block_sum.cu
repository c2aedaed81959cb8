// SPDX-License-Identifier: MIT
/* The textbook sum of a block in shared memory: what devices are timed on, as the kernel with the
 * most barriers for its work. A block of 256 threads meets at nine of them.
 *
 *      s:  [ 0  1  2  3  4  5  6  7 ]      a block of 8
 *      s:  [ 4  6  8 10 |           ]      o = 4
 *      s:  [12 16 |                 ]      o = 2
 *      s:  [28 |                    ]      o = 1 */
#include "kernel.h"

/* a has blockDim.x elements for each block, a power of two; out has one. */
EXTERN_C __global__ void NAME(block_sum)(const elem *a, elem *out)
{
    DYNAMIC_SHARED(elem, s);
    unsigned t = threadIdx.x;
    s[t] = a[GLOBAL_THREAD];
    __syncthreads();
    for (unsigned o = blockDim.x / 2; o > 0; o /= 2) {
        if (t < o)
            s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
LAUNCHABLE(block_sum, const elem *, elem *)
