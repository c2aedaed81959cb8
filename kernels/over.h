// SPDX-License-Identifier: MIT
/* One build for several operations: a family would take too long to compile once per operation. The host names the
 * operation before it launches, and kernels look it up each time they combine two elements. On a GPU that is slower than a
 * build for one operation, and bench measures sums alone, which have one. */
#ifndef RD_KERNEL_OVER_H
#define RD_KERNEL_OVER_H

#include "kernel.h"

#include "operations.h"

#ifdef __CUDACC__

/* What the next launch reduces by and, of an operation that selects, where the input is. */
struct rd_reduction {
    int operation;
    const void *input;
};

static __constant__ struct rd_reduction rd_of_launch;

/* The host names both to this family's kernels. */
extern "C" int RD_PASTE(RD_PASTE(RD_DEVICE_PREFIX, operation_of_),
                        RD_FAMILY)(int operation, const void *input, cudaStream_t stream)
{
    const struct rd_reduction named = {operation, input};
    return cudaMemcpyToSymbolAsync(rd_of_launch, &named, sizeof named, 0, cudaMemcpyHostToDevice,
                                   stream);
}

/* No operation was named, or none that this build has: the launch ends in an error, and not in a wrong result. */
static __device__ void rd_no_operation()
{
    __trap();
}

#define OUT_OF_LINE static __device__ __noinline__

#else
#define rd_of_launch      rd_sim_reduction
#define OUT_OF_LINE       static
#define rd_no_operation() __builtin_trap()
#endif

#endif
