// SPDX-License-Identifier: MIT
/* The host's table of kernels. A kernel is written once, in a .cu file beside this one, and compiled for each
 * device and element type; LAUNCHABLE under it says all that is in its row here, and the build makes the rows of that
 * (tools/kernels.py). So it does of the points that kernels name in their checkpoints. */
#ifndef RD_KERNELS_H
#define RD_KERNELS_H

/* RD_KERNELS(X) has a row for each kernel, file by file:
 * X(name in the source, name in the enumeration, whether its threads communicate, its parameters...),
 * and RD_POINTS(X) for each point inside kernels at which invariants are asserted, see checkpoint.h:
 * X(name, name in the enumeration). Threads communicate by atomics, volatile accesses, fences or a barrier of the grid:
 * what they do may depend on which thread comes first. */
#include "kernel_list.h"

/* The types of parameters that the host passes arguments for: X(name in the enumeration, type in the source). The
 * build reads the rows, too. */
#define RD_PARAMS(X)                                                                               \
    X(ELEMS, "elem *")                                                                             \
    X(CONST_ELEMS, "const elem *")                                                                 \
    X(UNSIGNED, "unsigned *")                                                                      \
    X(UNSIGNED_LONG_LONG, "unsigned long long *")                                                  \
    X(SIZE, "size_t")

#define RD_PARAM_MEMBER(NAME, type) RD_PARAM_##NAME,
enum rd_param { RD_PARAMS(RD_PARAM_MEMBER) RD_PARAM_COUNT };
#undef RD_PARAM_MEMBER

#define RD_POINT_MEMBER(name, NAME) RD_POINT_##NAME,
enum rd_point { RD_POINTS(RD_POINT_MEMBER) RD_POINT_COUNT };
#undef RD_POINT_MEMBER

#define RD_KERNEL_MEMBER(name, NAME, ...) RD_KERNEL_##NAME,
enum rd_kernel { RD_KERNELS(RD_KERNEL_MEMBER) RD_KERNEL_COUNT };
#undef RD_KERNEL_MEMBER

#endif
