// SPDX-License-Identifier: MIT
/* For kernels whose blocks wait for each other, behind kernel.h: GRID_SYNC() is the barrier of the
 * whole grid. On a GPU such a kernel needs a cooperative launch. */
#ifndef RD_COOPERATIVE_H
#define RD_COOPERATIVE_H

#include "kernel.h"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#define GRID_SYNC() cooperative_groups::this_grid().sync()
#endif

#endif
