// SPDX-License-Identifier: MIT
/* Made of dot products: the mean squared error, the cosine, the norm. The kernels make the
 * sums of their blocks, as dot_shared does; the host makes the number. */
#include "kernel.h"

/* c[k] = block k's sum of (a[i] - b[i])^2. The block is a power of two. */
EXTERN_C __global__ void NAME(squared_error)(const elem *a, const elem *b, elem *c, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    unsigned t = threadIdx.x;
    elem sum = 0;
    for (size_t i = GLOBAL_THREAD; i < n; i += GRID_THREADS) {
        elem d = a[i] - b[i];
        sum += d * d;
    }
    cache[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        CHECKPOINT(SQUARED_ERROR, cache, blockDim.x, 2 * s);
        if (t < s)
            cache[t] += cache[t + s];
        __syncthreads();
    }
    CHECKPOINT(SQUARED_ERROR, cache, blockDim.x, 1);
    if (t == 0)
        c[blockIdx.x] = cache[0];
}
LAUNCHABLE(squared_error, const elem *, const elem *, elem *, size_t)

/* Three sums at once: c[3k], c[3k + 1] and c[3k + 2] are block k's sums of a[i]*b[i], a[i]*a[i] and
 * b[i]*b[i]. Thread t's three lie side by side in the cache, so that one loop folds all of them:
 *
 *      cache:  [ ab0 aa0 bb0  ab1 aa1 bb1 | ab2 aa2 bb2  ab3 aa3 bb3 ]      s = 2
 *
 * The block is a power of two. */
EXTERN_C __global__ void NAME(three_dots)(const elem *a, const elem *b, elem *c, size_t n)
{
    DYNAMIC_SHARED(elem, cache);
    unsigned t = threadIdx.x;
    elem ab = 0, aa = 0, bb = 0;
    for (size_t i = GLOBAL_THREAD; i < n; i += GRID_THREADS) {
        elem x = a[i], y = b[i];
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    cache[3 * t] = ab;
    cache[3 * t + 1] = aa;
    cache[3 * t + 2] = bb;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        CHECKPOINT(THREE_DOTS, cache, 3 * blockDim.x, 2 * s);
        if (t < s) {
            cache[3 * t] += cache[3 * (t + s)];
            cache[3 * t + 1] += cache[3 * (t + s) + 1];
            cache[3 * t + 2] += cache[3 * (t + s) + 2];
        }
        __syncthreads();
    }
    CHECKPOINT(THREE_DOTS, cache, 3 * blockDim.x, 1);
    if (t == 0) {
        size_t k = 3 * (size_t)blockIdx.x;
        c[k] = cache[0];
        c[k + 1] = cache[1];
        c[k + 2] = cache[2];
    }
}
LAUNCHABLE(three_dots, const elem *, const elem *, elem *, size_t)
