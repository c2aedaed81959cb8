// SPDX-License-Identifier: MIT
/* The operation of families that reduce by several: OP(x, y) is x and y combined. Nothing else in such a family depends
 * on it; but see identity.h and atomic_operation.h. One build is of sums; with -DRD_OVER one is of any other operation that
 * doesn't select, and with -DRD_SELECTS besides of any that does, which each launch names: see over.h.
 *
 * It is guarded from a second time in a unit for the simulator alone: for the GPU a family is compiled for all types in
 * one unit, and each type has functions of its own. */
#if defined __CUDACC__ || !defined RD_KERNEL_OPERATION_H
#define RD_KERNEL_OPERATION_H

#include "arithmetic.h"
#ifdef RD_OVER
#include "over.h"
#endif

/* Integers of a GPU have no sign: where they are compared they get it back. */
#define SIGNED(x) ((RD_PASTE(RD_ELEM_, RD_TYPE))(x))

#ifdef RD_OVER
#define IS_OPERATION(NAME) (rd_of_launch.operation == RD_OPERATION_##NAME)
#endif

#ifndef RD_SELECTS

#define LEAST_INTEGER(x, y) (SIGNED(y) < SIGNED(x) ? (y) : (x))
#define MOST_INTEGER(x, y)  (SIGNED(x) < SIGNED(y) ? (y) : (x))

/* For floats, -0 is less than 0, and of a number and a NaN, the number is both the least and the most. So the
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

#ifdef __CUDACC__
#define LEAST_HALF(x, y) __hmin(x, y)
#define MOST_HALF(x, y)  __hmax(x, y)
#else
#define LEAST_HALF(x, y) HALF(least)(x, y)
#define MOST_HALF(x, y)  HALF(most)(x, y)
#endif

__device__ inline elem least(elem x, elem y)
{
    return OF_KIND(LEAST)(x, y);
}

__device__ inline elem most(elem x, elem y)
{
    return OF_KIND(MOST)(x, y);
}

/* Each operation three times: OP_max(x, y) combines two; IDENTITY_max() is the result of nothing, which changes nothing
 * that it is combined with; ATOMIC_max(p, x) combines what lies at p with x. What identity.h and atomic_operation.h define
 * is there for kernels that include these. */
#define OP_sum(x, y)     ADD(x, y)
#define IDENTITY_sum()   ELEM(0)
#define ATOMIC_sum(p, x) OF_KIND(ATOMIC_ADD)(p, x)

#define OP_product(x, y)     MULTIPLY(x, y)
#define IDENTITY_product()   ELEM(1)
#define ATOMIC_product(p, x) swap_in(p, x)

#define OP_min(x, y)     IN_ORDER(least, x, y)
#define IDENTITY_min()   largest()
#define ATOMIC_min(p, x) OF_KIND(ATOMIC_ORDERED)(atomicMin, p, x)

#define OP_max(x, y)     IN_ORDER(most, x, y)
#define IDENTITY_max()   smallest()
#define ATOMIC_max(p, x) OF_KIND(ATOMIC_ORDERED)(atomicMax, p, x)

#define OP_and(x, y)     ((x) & (y))
#define IDENTITY_and()   ~(elem)0
#define ATOMIC_and(p, x) ATOMIC_BITS(atomicAnd, p, x)

#define OP_or(x, y)     ((x) | (y))
#define IDENTITY_or()   ELEM(0)
#define ATOMIC_or(p, x) ATOMIC_BITS(atomicOr, p, x)

#define OP_xor(x, y)     ((x) ^ (y))
#define IDENTITY_xor()   ELEM(0)
#define ATOMIC_xor(p, x) ATOMIC_BITS(atomicXor, p, x)

#ifdef RD_OVER
/* A case of the operations that these elements have. By the last columns of a row in operations.h: IF_false_true(text) is
 * the text where integers are compiled. */
#define IF_false_false(...) __VA_ARGS__
#define IF_false_true(...)  OF_KIND(IF_BITS)(__VA_ARGS__)
#define IF_true_false(...)
#define IF_BITS_INTEGER(...) __VA_ARGS__
#define IF_BITS_FLOAT(...)
#define IF_BITS_HALF(...)

#define COMBINE_CASE(name, NAME, selects, integers)                                                \
    IF_##selects##_##integers(case RD_OPERATION_##NAME : return OP_##name(x, y);)

OUT_OF_LINE elem combined(elem x, elem y)
{
    switch (rd_of_launch.operation) {
        RD_OPERATIONS_OVER(COMBINE_CASE)
    default:
        rd_no_operation();
        return x;
    }
}
#define OP_any(x, y) IN_ORDER(combined, x, y)

#define OPERATION any
#elif !defined OPERATION /* prove_words.h has one of its own */
#define OPERATION sum
#endif
#define OP(x, y) RD_PASTE(OP_, OPERATION)(x, y)
#ifndef OP_BY_VALUE
#define OP_BY_VALUE(x, y) OP(x, y)
#endif

#else

/* With argmin and argmax a cell holds the index of an input, and an elem is such an index. Which of two is kept, the
 * inputs say: the launch is passed them behind the kernel's own arguments. */
#ifdef __CUDACC__
#define SIGN(x) signbit(x)
#else
#define SIGN(x) __builtin_signbit((double)(x))
#endif
#define INPUT    ((const value *)rd_of_launch.input)

/* The index of no input, which a cell of nothing holds. It is above all that there are. */
#define NO_INDEX ((elem) ~(elem)0)

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

/* Among equals the lower index wins, so that the order in which inputs meet does not matter. */
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

#endif
