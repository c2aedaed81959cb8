// SPDX-License-Identifier: MIT
/* A digest of memory, word by word: the sum of mix(word ^ mix(i + 1)) modulo 2^64, in whatever order. It tells
 * whether an array is as it was without a copy of it. */
#include "kernel.h"

/* The finalizer of SplitMix64. */
__device__ inline unsigned long long mix(unsigned long long x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* Digests words as u32; it is launched for no other type. */
EXTERN_C __global__ void NAME(digest)(const elem *words, unsigned long long *sum, size_t count)
{
    unsigned long long own = 0;
    for (size_t i = GLOBAL_THREAD; i < count; i += GRID_THREADS)
        own += mix((unsigned long long)words[i] ^ mix(i + 1));
    atomicAdd(sum, own);
}
LAUNCHABLE_COMMUNICATING(digest, const elem *, unsigned long long *, size_t)
