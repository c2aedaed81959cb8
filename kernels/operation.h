// SPDX-License-Identifier: MIT
/* The operation of families that are compiled once per operation, too, with -DRD_OP=max and so on:
 * OP(x, y) is x and y combined. Nothing else in such a family depends on it; but see identity.h and
 * atomic_operation.h. With -DRD_OVER one build is of any operation, which each launch names: see over.cuh.
 *
 * It has no include guard: a family is compiled for all types in one unit for the GPU, and each type has functions of
 * its own. */
#include "kernel.h"

/* Integers of a GPU have no sign: where they are compared they get it back. */
#define SIGNED_i32 int32_t
#define SIGNED_u32 uint32_t
#define SIGNED_i64 int64_t
#define SIGNED_u64 uint64_t
#define SIGNED(x)  ((RD_PASTE(SIGNED_, RD_TYPE))(x))

#define LEAST_INTEGER(x, y) (SIGNED(y) < SIGNED(x) ? (y) : (x))
#define MOST_INTEGER(x, y)  (SIGNED(x) < SIGNED(y) ? (y) : (x))

/* Of floats: -0 is less than 0, and of a number and a NaN, the number is both the least and the most. So the
 * instructions of a GPU have it (PTX ISA, "min" and "max"); of C's fmin() and fmax() the zeros may be either. */
#ifdef __CUDACC__
#define LEAST_FLOAT(x, y) fmin(x, y)
#define MOST_FLOAT(x, y)  fmax(x, y)
#else
#define LEAST_FLOAT(x, y)                                                                          \
    ((x) != (x) || (y) < (x) || ((y) == (x) && __builtin_signbit((double)(y))) ? (y) : (x))
#define MOST_FLOAT(x, y)                                                                           \
    ((x) != (x) || (x) < (y) || ((y) == (x) && __builtin_signbit((double)(x))) ? (y) : (x))
#endif

#define KIND_i32 INTEGER
#define KIND_u32 INTEGER
#define KIND_i64 INTEGER
#define KIND_u64 INTEGER
#define KIND_f32 FLOAT
#define KIND_f64 FLOAT

__device__ inline elem least(elem x, elem y)
{
    return RD_PASTE(LEAST_, RD_PASTE(KIND_, RD_TYPE))(x, y);
}

__device__ inline elem most(elem x, elem y)
{
    return RD_PASTE(MOST_, RD_PASTE(KIND_, RD_TYPE))(x, y);
}

/* What a kernel gives an operation is read from left to right, as of a sum: C leaves the order of arguments open. */
#define IN_ORDER(function, x, y)                                                                   \
    __extension__({                                                                                \
        elem left_ = (x), right_ = (y);                                                            \
        function(left_, right_);                                                                   \
    })

#define OP_sum(x, y)     ((x) + (y))
#define OP_product(x, y) ((x) * (y))
#define OP_min(x, y)     IN_ORDER(least, x, y)
#define OP_max(x, y)     IN_ORDER(most, x, y)
#define OP_and(x, y)     ((x) & (y))
#define OP_or(x, y)      ((x) | (y))
#define OP_xor(x, y)     ((x) ^ (y))

#ifdef RD_OVER
#define IS_OPERATION(NAME) (rd_operation_of_launch == RD_OPERATION_##NAME)
#define REST_INTEGER(x, y)                                                                         \
    (IS_OPERATION(AND)   ? OP_and(x, y)                                                            \
     : IS_OPERATION(OR)  ? OP_or(x, y)                                                             \
     : IS_OPERATION(XOR) ? OP_xor(x, y)                                                            \
                         : OP_sum(x, y))
#define REST_FLOAT(x, y) OP_sum(x, y)

static __device__ __noinline__ elem combined(elem x, elem y)
{
    switch (rd_operation_of_launch) {
    case RD_OPERATION_PRODUCT:
        return OP_product(x, y);
    case RD_OPERATION_MIN:
        return OP_min(x, y);
    case RD_OPERATION_MAX:
        return OP_max(x, y);
    default:
        return RD_PASTE(REST_, RD_PASTE(KIND_, RD_TYPE))(x, y);
    }
}
#define OP_any(x, y) IN_ORDER(combined, x, y)
#endif

#ifdef RD_OP
#define OPERATION RD_OP
#elif defined RD_OVER
#define OPERATION any
#else
#define OPERATION sum
#endif
#define OP(x, y) RD_PASTE(OP_, OPERATION)(x, y)
