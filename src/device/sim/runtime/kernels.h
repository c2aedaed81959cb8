// SPDX-License-Identifier: MIT
/* Kernels that are named by their addresses. */
#ifndef RD_SIM_RUNTIME_KERNELS_H
#define RD_SIM_RUNTIME_KERNELS_H

#include "device/sim/runtime/runtime_internal.h"

/* Makes a launch of a kernel, at the address that host code has of it; its closure is to be let go of.
 * cudaErrorInvalidDeviceFunction where nothing is known of it, cudaErrorMemoryAllocation. */
cudaError_t rd_sim_kernel_launch(const void *kernel, const rd_dim3 *grid, const rd_dim3 *block,
                                 void **arguments, size_t shared_bytes,
                                 const struct rd_sim_host_call *call, struct rd_sim_launch *launch);
/* Where its arguments are, to be freed; NULL without memory. */
void **rd_sim_kernel_arguments(const struct rd_sim_launch *launch);
void rd_sim_kernel_launch_finish(struct rd_sim_launch *launch);

/* Gives the arrays that a launch is passed the names of its parameters; and takes those of what is none of the device's back. */
void rd_sim_launch_name(const struct rd_sim_launch *launch);
void rd_sim_launch_forget(const struct rd_sim_launch *launch);
/* Static shared memory of a kernel, and its __launch_bounds__, 0: none; false where it isn't known. */
bool rd_sim_launch_limits(const struct rd_sim_launch *launch, size_t *static_bytes,
                          unsigned *threads_max);
/* So much dynamic shared memory the kernel may have in all: what cudaFuncSetAttribute() has given it. */
size_t rd_sim_launch_shared_max(const struct rd_sim_launch *launch);

#endif
