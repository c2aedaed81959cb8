// SPDX-License-Identifier: MIT
/* One build for any operation, of families that would take too long to compile for a GPU once per operation: the host
 * names the operation before it launches. To ask each time costs some speed, which nobody measures of such a launch. */
#ifndef RD_KERNEL_OVER_CUH
#define RD_KERNEL_OVER_CUH

#include "operations.h"

static __constant__ int rd_operation_of_launch;

/* The host tells this family's kernels what the next launch reduces by. */
extern "C" int RD_PASTE(RD_PASTE(RD_DEVICE_PREFIX, operation_of_), RD_FAMILY)(int operation,
                                                                              cudaStream_t stream)
{
    return cudaMemcpyToSymbolAsync(rd_operation_of_launch, &operation, sizeof operation, 0,
                                   cudaMemcpyHostToDevice, stream);
}

#endif
