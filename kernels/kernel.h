// SPDX-License-Identifier: MIT
/* Included first by every kernel file. nvcc knows CUDA's words by itself; a C compiler learns
 * them from the simulator's header. A kernel is written
 *
 *     EXTERN_C __global__ void NAME(fold)(elem *A, size_t half) { ... }
 *     LAUNCHABLE(fold, elem *, size_t)
 *
 * in the subset of CUDA C that is C too. LAUNCHABLE names its parameters' types once more: from
 * them the simulator unpacks the arguments of a launch, the compiler checks that they are right,
 * and the build makes what the host knows of the kernel (see kernels.h). Of a kernel whose threads communicate, by
 * atomics, volatile accesses, fences or a barrier of the grid, it is LAUNCHABLE_COMMUNICATING. */
#ifndef RD_KERNEL_H
#define RD_KERNEL_H

#ifdef __CUDACC__
/* The two devices' kernels live in one binary. */
#ifdef RD_OBSERVED /* see checkpoint.h */
#define RD_DEVICE_PREFIX cuda_observed_
#else
#define RD_DEVICE_PREFIX cuda_
#endif
#elif defined RD_TRACED /* comparisons are told: see src/device/sim/detect/observers.h */
#define RD_DEVICE_PREFIX sim_traced_
#else
#define RD_DEVICE_PREFIX sim_
#endif

#include "element.h"

#undef NAME
#ifdef RD_OVER /* see over.h */
#ifdef RD_SELECTS
#define RD_OVER_PREFIX selecting_
#else
#define RD_OVER_PREFIX over_
#endif
#define NAME(name)                                                                                 \
    RD_PASTE(RD_PASTE(RD_PASTE(RD_PASTE(RD_DEVICE_PREFIX, RD_OVER_PREFIX), name), _), RD_TYPE)
#else
#define NAME(name) RD_PASTE(RD_PASTE(RD_PASTE(RD_DEVICE_PREFIX, name), _), RD_TYPE)
#endif

/* At the end of a family: it is built of floats of 16 bits, too, with which it does no more than arithmetic.h and operation.h
 * can. tools/kernels.py reads it, as it does LAUNCHABLE. */
#define ALSO_OF_HALVES

#ifdef __CUDACC__
#define EXTERN_C extern "C"
#define LAUNCHABLE(name, ...)
#define LAUNCHABLE_COMMUNICATING(name, ...)
/* An array in the launch's dynamic shared memory. */
#define DYNAMIC_SHARED(type, name)                                                                 \
    extern __shared__ __align__(16) unsigned char rd_dynamic_shared[];                             \
    type *const name = (type *)rd_dynamic_shared
#else
#define RD_SIM_KERNEL
#include "device/sim/api/cuda.h"
#endif

#include "checkpoint.h"

/* The number of this thread in the grid. */
#define GLOBAL_THREAD ((size_t)blockIdx.x * blockDim.x + threadIdx.x)

/* Its number in the second dimension, of a grid that has two. */
#define GLOBAL_THREAD_Y ((size_t)blockIdx.y * blockDim.y + threadIdx.y)

/* Number of threads of the grid. */
#define GRID_THREADS ((size_t)gridDim.x * blockDim.x)

#endif
