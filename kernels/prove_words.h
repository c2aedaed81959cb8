// SPDX-License-Identifier: MIT
/* CUDA's words for the prover, who reads kernels as sums of doubles (src/prove/syntax/syntax.h). It takes the place of kernel.h: what the
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

#include "prove_cuda.h"

/* A pointer that is shared itself: to the launch's dynamic shared memory. */
#define DYNAMIC_SHARED(type, name) __shared__ type *const name

/* As kernel.h has them. */
#define GLOBAL_THREAD   ((size_t)blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_THREAD_Y ((size_t)blockIdx.y * blockDim.y + threadIdx.y)
#define GRID_THREADS    ((size_t)gridDim.x * blockDim.x)

#define CHECKPOINT(point, array, count, variable)                                                  \
    rd_prove_checkpoint(#point, array, count, variable)
#define CHECKPOINT_LANE(point, value, variable) rd_prove_lane(#point, value, variable)
void rd_prove_checkpoint(const char *point, const elem *array, size_t count, size_t variable);
void rd_prove_lane(const char *point, elem value, size_t variable);

/* The operation, of which a proof knows that it is associative and commutative and has an identity, and nothing else.
 * What combines two by their values alone, whichever is first, is another. */
#define OPERATION           proved
#define OP_proved(x, y)     rd_prove_combine(x, y)
#define IDENTITY_proved()   rd_prove_identity()
#define ATOMIC_proved(p, x) rd_prove_atomic(p, x)
#define OP_BY_VALUE(x, y)   rd_prove_combine_by_value(x, y)
elem rd_prove_combine(elem x, elem y);
elem rd_prove_combine_by_value(elem x, elem y);
elem rd_prove_identity(void);
void rd_prove_atomic(elem *cell, elem x);

#define GRID_SYNC() rd_prove_grid_sync()
void rd_prove_grid_sync(void);

#endif
