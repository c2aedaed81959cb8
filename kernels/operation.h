// SPDX-License-Identifier: MIT
/* The operation of families that reduce by several: OP(x, y) is x and y combined. Nothing else in such a family depends
 * on it; but see identity.h and atomic_operation.h. One build is of sums; with -DRD_OVER one is of any other operation that
 * doesn't select, and with -DRD_SELECTS besides of any that does, which each launch names: see over.h.
 *
 * It has no include guard: a family is compiled for all types in one unit for the GPU, and each type has functions of
 * its own. */
#include "kernel.h"
#ifdef RD_OVER
#include "over.h"
#endif

/* Integers of a GPU have no sign: where they are compared they get it back. */
#define SIGNED_i32 int32_t
#define SIGNED_u32 uint32_t
#define SIGNED_i64 int64_t
#define SIGNED_u64 uint64_t
#define SIGNED(x)  ((RD_PASTE(SIGNED_, RD_TYPE))(x))

#define KIND_i32      INTEGER
#define KIND_u32      INTEGER
#define KIND_i64      INTEGER
#define KIND_u64      INTEGER
#define KIND_f16      HALF
#define KIND_bf16     HALF
#define KIND_f32      FLOAT
#define KIND_f64      FLOAT
#define OF_KIND(name) RD_PASTE(name##_, RD_PASTE(KIND_, RD_TYPE))

/* What a kernel gives an operation is read from left to right, as of a sum: C leaves the order of arguments open. */
#define IN_ORDER(function, x, y)                                                                   \
    __extension__({                                                                                \
        elem left_ = (x), right_ = (y);                                                            \
        function(left_, right_);                                                                   \
    })

#ifdef RD_OVER
#define IS_OPERATION(NAME) (rd_of_launch.operation == RD_OPERATION_##NAME)
#endif

#ifndef RD_SELECTS

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

/* Floats of 16 bits: a GPU has operators and functions for them, a C compiler has half.h. */
#ifdef __CUDACC__
#define LEAST_HALF(x, y)   __hmin(x, y)
#define MOST_HALF(x, y)    __hmax(x, y)
#define SUM_HALF(x, y)     ((x) + (y))
#define PRODUCT_HALF(x, y) ((x) * (y))
#else
#define HALF(function)     RD_PASTE(RD_PASTE(rd_, RD_TYPE), _##function)
#define LEAST_HALF(x, y)   HALF(least)(x, y)
#define MOST_HALF(x, y)    HALF(most)(x, y)
#define SUM_HALF(x, y)     IN_ORDER(HALF(sum), x, y)
#define PRODUCT_HALF(x, y) IN_ORDER(HALF(product), x, y)
#endif

#define SUM_INTEGER(x, y)     ((x) + (y))
#define SUM_FLOAT(x, y)       ((x) + (y))
#define PRODUCT_INTEGER(x, y) ((x) * (y))
#define PRODUCT_FLOAT(x, y)   ((x) * (y))

__device__ inline elem least(elem x, elem y)
{
    return OF_KIND(LEAST)(x, y);
}

__device__ inline elem most(elem x, elem y)
{
    return OF_KIND(MOST)(x, y);
}

#define OP_sum(x, y)     OF_KIND(SUM)(x, y)
#define OP_product(x, y) OF_KIND(PRODUCT)(x, y)
#define OP_min(x, y)     IN_ORDER(least, x, y)
#define OP_max(x, y)     IN_ORDER(most, x, y)
#define OP_and(x, y)     ((x) & (y))
#define OP_or(x, y)      ((x) | (y))
#define OP_xor(x, y)     ((x) ^ (y))

#ifdef RD_OVER
#define BITS_INTEGER(x, y)                                                                         \
    case RD_OPERATION_AND:                                                                         \
        return OP_and(x, y);                                                                       \
    case RD_OPERATION_OR:                                                                          \
        return OP_or(x, y);                                                                        \
    case RD_OPERATION_XOR:                                                                         \
        return OP_xor(x, y);
#define BITS_FLOAT(x, y)
#define BITS_HALF(x, y)

OUT_OF_LINE elem combined(elem x, elem y)
{
    switch (rd_of_launch.operation) {
    case RD_OPERATION_PRODUCT:
        return OP_product(x, y);
    case RD_OPERATION_MIN:
        return OP_min(x, y);
    case RD_OPERATION_MAX:
        return OP_max(x, y);
        OF_KIND(BITS)(x, y) default : rd_no_operation();
        return x;
    }
}
#define OP_any(x, y) IN_ORDER(combined, x, y)
#endif

#ifdef RD_OVER
#define OPERATION any
#else
#define OPERATION sum
#endif
#define OP(x, y)          RD_PASTE(OP_, OPERATION)(x, y)
#define OP_BY_VALUE(x, y) OP(x, y)

#else

/* Of argmin and argmax a cell holds the index of an input, and an elem is such an index. Which of two is kept, the
 * inputs say: the launch is passed them behind the kernel's own arguments. */
#ifdef __CUDACC__
#define SIGN(x) signbit(x)
#else
#define SIGN(x) __builtin_signbit((double)(x))
#endif
#define INPUT    ((const value *)rd_of_launch.input)

/* The index of no input, which a cell of nothing holds. It is above all that there are. */
#define NO_INDEX (~(elem)0)

#define LESS_INTEGER(x, y) (SIGNED(x) < SIGNED(y))
#define LESS_FLOAT(x, y)   ((x) < (y) || ((x) == (y) && SIGN(x) && !SIGN(y)))
#define LESS(x, y)         OF_KIND(LESS)(x, y)
#define IS_NAN_INTEGER(x)  0
#define IS_NAN_FLOAT(x)    ((x) != (x))

#define OPERATION any

/* As min and max have it: -0 is less than 0, and a number is ahead of a NaN. */
__device__ inline int is_ahead(value x, value y)
{
    if (OF_KIND(IS_NAN)(x) || OF_KIND(IS_NAN)(y))
        return !OF_KIND(IS_NAN)(x);
    if (!IS_OPERATION(ARGMIN) && !IS_OPERATION(ARGMAX))
        rd_no_operation();
    return IS_OPERATION(ARGMIN) ? LESS(x, y) : LESS(y, x);
}

/* Of two that are equal it is the lower index, so that the order in which inputs meet does not matter. */
__device__ inline elem winner(elem x, elem y)
{
    if (x == NO_INDEX || y == NO_INDEX)
        return x < y ? x : y;
    value of_x = INPUT[x], of_y = INPUT[y];
    if (is_ahead(of_x, of_y) != is_ahead(of_y, of_x))
        return is_ahead(of_x, of_y) ? x : y;
    return x < y ? x : y;
}

/* A fault: of two that are equal the one on the left stays, whichever index is lower. */
__device__ inline elem winner_by_value(elem x, elem y)
{
    if (x == NO_INDEX || y == NO_INDEX)
        return x < y ? x : y;
    value of_x = INPUT[x], of_y = INPUT[y];
    return is_ahead(of_y, of_x) && !is_ahead(of_x, of_y) ? y : x;
}

#define OP(x, y)          IN_ORDER(winner, x, y)
#define OP_BY_VALUE(x, y) IN_ORDER(winner_by_value, x, y)

#endif
