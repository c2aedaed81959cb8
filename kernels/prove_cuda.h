// SPDX-License-Identifier: MIT
/* CUDA's words for the prover, in C and in C++: attributes, and functions that nobody defines. */
#ifndef RD_PROVE_CUDA_H
#define RD_PROVE_CUDA_H

#ifdef __cplusplus
/* As nvcc includes them; those of C, which are read in a tenth of the time of those of the C++ library. */
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#endif

#define __global__          __attribute__((annotate("global")))
#define __device__          __attribute__((annotate("device")))
#define __shared__          __attribute__((annotate("shared")))
#define __constant__        __attribute__((annotate("constant")))
#define __align__(n)        __attribute__((aligned(n)))
#define RD_PROVE_TEXT(text) #text
#define __launch_bounds__(threads, ...)                                                            \
    __attribute__((annotate("launch_bounds " RD_PROVE_TEXT(threads))))
#define __host__
#define __managed__ __attribute__((annotate("managed")))
#define __noinline__
#define __forceinline__ inline
#define __restrict__ __restrict

/* ---- places and shapes ---- */

#ifdef __cplusplus
struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1);
    dim3(uint3 other);
};
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
#else
extern const struct rd_prove_dim {
    unsigned x, y, z;
} threadIdx, blockIdx, blockDim, gridDim;
#endif
extern const int warpSize;

/* ---- barriers, shuffles, atomics ---- */

/* One name of several functions, by their parameters: clang has that in C, too. */
#ifdef __cplusplus
#define RD_PROVE_OVERLOADED
#else
#define RD_PROVE_OVERLOADED __attribute__((overloadable))
#endif

void __syncthreads(void);
int __syncthreads_count(int value);
int __syncthreads_and(int value);
int __syncthreads_or(int value);
RD_PROVE_OVERLOADED void __syncwarp(void);
RD_PROVE_OVERLOADED void __syncwarp(unsigned mask);
void __threadfence(void);
void __threadfence_block(void);
void __threadfence_system(void);

int __all_sync(unsigned mask, int value);
int __any_sync(unsigned mask, int value);
unsigned __ballot_sync(unsigned mask, int value);
unsigned __activemask(void);

#define RD_PROVE_SHUFFLES(type)                                                                    \
    RD_PROVE_OVERLOADED type __shfl_sync(unsigned mask, type value, int lane);                     \
    RD_PROVE_OVERLOADED type __shfl_sync(unsigned mask, type value, int lane, int width);          \
    RD_PROVE_OVERLOADED type __shfl_up_sync(unsigned mask, type value, unsigned delta);            \
    RD_PROVE_OVERLOADED type __shfl_up_sync(unsigned mask, type value, unsigned delta, int width); \
    RD_PROVE_OVERLOADED type __shfl_down_sync(unsigned mask, type value, unsigned delta);          \
    RD_PROVE_OVERLOADED type __shfl_down_sync(unsigned mask, type value, unsigned delta,           \
                                              int width);                                          \
    RD_PROVE_OVERLOADED type __shfl_xor_sync(unsigned mask, type value, int lanes);                \
    RD_PROVE_OVERLOADED type __shfl_xor_sync(unsigned mask, type value, int lanes, int width);
RD_PROVE_SHUFFLES(int)
RD_PROVE_SHUFFLES(unsigned)
RD_PROVE_SHUFFLES(long long)
RD_PROVE_SHUFFLES(unsigned long long)
RD_PROVE_SHUFFLES(float)
RD_PROVE_SHUFFLES(double)

#define RD_PROVE_ATOMICS(type)                                                                     \
    RD_PROVE_OVERLOADED type atomicAdd(type *p, type value);                                       \
    RD_PROVE_OVERLOADED type atomicExch(type *p, type value);                                      \
    RD_PROVE_OVERLOADED type atomicMin(type *p, type value);                                       \
    RD_PROVE_OVERLOADED type atomicMax(type *p, type value);                                       \
    RD_PROVE_OVERLOADED type atomicCAS(type *p, type compare, type value);
RD_PROVE_ATOMICS(int)
RD_PROVE_ATOMICS(unsigned)
RD_PROVE_ATOMICS(unsigned long long)
RD_PROVE_ATOMICS(float)
RD_PROVE_ATOMICS(double)
unsigned atomicInc(unsigned *p, unsigned last);
unsigned atomicDec(unsigned *p, unsigned last);
#define RD_PROVE_INTEGER_ATOMICS(type)                                                             \
    RD_PROVE_OVERLOADED type atomicSub(type *p, type value);                                       \
    RD_PROVE_OVERLOADED type atomicAnd(type *p, type value);                                       \
    RD_PROVE_OVERLOADED type atomicOr(type *p, type value);                                        \
    RD_PROVE_OVERLOADED type atomicXor(type *p, type value);
RD_PROVE_INTEGER_ATOMICS(int)
RD_PROVE_INTEGER_ATOMICS(unsigned)
RD_PROVE_INTEGER_ATOMICS(unsigned long long)

#ifdef __cplusplus
#include "prove_host.h"
#endif

#endif
