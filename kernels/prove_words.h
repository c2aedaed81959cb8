// SPDX-License-Identifier: MIT
/* CUDA's words for the prover, who reads kernels as sums of doubles (src/prove/syntax.h). It takes the place of kernel.h: what the
 * others tell by macros and sections is told by attributes and by calls of functions that nobody defines. */
#ifndef RD_KERNEL_H
#define RD_KERNEL_H

#define RD_TYPE   f64
#define RD_HALF_H /* no floats of 16 bits */

#include "element.h"

#include <stdbool.h>

#undef NAME
#define NAME(name) name
#define EXTERN_C
#define LAUNCHABLE(...)
#define LAUNCHABLE_COMMUNICATING(...)
#define ALSO_OF_HALVES

#define __global__   __attribute__((annotate("global")))
#define __device__   __attribute__((annotate("device")))
#define __shared__   __attribute__((annotate("shared")))
#define __constant__ __attribute__((annotate("constant")))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __restrict__ restrict
#define __noinline__
#define __forceinline__ inline

/* A pointer that is shared itself: to the launch's dynamic shared memory. */
#define DYNAMIC_SHARED(type, name) __shared__ type *const name

extern const struct rd_prove_dim {
    unsigned x, y, z;
} threadIdx, blockIdx, blockDim, gridDim;
extern const int warpSize;

/* As kernel.h has them. */
#define GLOBAL_THREAD   ((size_t)blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_THREAD_Y ((size_t)blockIdx.y * blockDim.y + threadIdx.y)
#define GRID_THREADS    ((size_t)gridDim.x * blockDim.x)

#define CHECKPOINT(point, array, count, variable)                                                  \
    rd_prove_checkpoint(#point, array, count, variable)
#define CHECKPOINT_LANE(point, value, variable) rd_prove_lane(#point, value, variable)
void rd_prove_checkpoint(const char *point, const elem *array, size_t count, size_t variable);
void rd_prove_lane(const char *point, elem value, size_t variable);

#define GRID_SYNC() rd_prove_grid_sync()
void rd_prove_grid_sync(void);

/* One name of several functions, by their parameters: clang has that in C, too. */
#define RD_PROVE_OVERLOADED __attribute__((overloadable))

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

#endif
