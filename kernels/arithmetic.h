// SPDX-License-Identifier: MIT
/* Arithmetic of elements whichever their type: of floats of 16 bits a C compiler has no operators (see half.h), and
 * those of a GPU may be contracted, a product and a sum to one operation that rounds once. There an element is a struct: as an
 * argument that is read from memory, or a result that is put there, gcc tells no hook of the access. So each goes through
 * a local variable, which tools/kernels.py asks for. */
#ifndef RD_ARITHMETIC_H
#define RD_ARITHMETIC_H

#include "kernel.h"

#define ARITHMETIC_signed   INTEGER
#define ARITHMETIC_unsigned INTEGER
#define ARITHMETIC_real     FLOAT
#define ARITHMETIC_half     HALF
#define OF_KIND(name)       RD_PASTE(name##_, RD_BY_KIND(ARITHMETIC))

/* The operands of an operation are read from left to right, as of a sum: C leaves the order of arguments open. One that is
 * an operation itself has variables of other names, lest they shadow these. */
#define IN_ORDER_AS(left, right, function, x, y)                                                   \
    __extension__({                                                                                \
        elem left = (x), right = (y);                                                              \
        function(left, right);                                                                     \
    })
#define IN_ORDER(function, x, y) IN_ORDER_OF(__COUNTER__, function, x, y)
#define IN_ORDER_OF(unique, function, x, y)                                                        \
    IN_ORDER_AS(RD_PASTE(left_, unique), RD_PASTE(right_, unique), function, x, y)

#ifdef __CUDACC__
#define HALF_SUM        __hadd_rn
#define HALF_DIFFERENCE __hsub_rn
#define HALF_PRODUCT    __hmul_rn
#define ELEM_HALF(x)    ((elem)(float)(x))
#else
#define HALF(function)  RD_PASTE(RD_PASTE(rd_, RD_TYPE), _##function)
#define HALF_SUM        HALF(sum)
#define HALF_DIFFERENCE HALF(difference)
#define HALF_PRODUCT    HALF(product)
#define ELEM_HALF(x)                                                                               \
    __extension__({                                                                                \
        elem made_ = HALF(of)(x);                                                                  \
        made_;                                                                                     \
    })
#endif

#define SUM_INTEGER(x, y)        ((x) + (y))
#define SUM_FLOAT(x, y)          ((x) + (y))
#define SUM_HALF(x, y)           IN_ORDER(HALF_SUM, x, y)
#define DIFFERENCE_INTEGER(x, y) ((x) - (y))
#define DIFFERENCE_FLOAT(x, y)   ((x) - (y))
#define DIFFERENCE_HALF(x, y)    IN_ORDER(HALF_DIFFERENCE, x, y)
#define PRODUCT_INTEGER(x, y)    ((x) * (y))
#define PRODUCT_FLOAT(x, y)      ((x) * (y))
#define PRODUCT_HALF(x, y)       IN_ORDER(HALF_PRODUCT, x, y)
#define ELEM_INTEGER(x)          ((elem)(x))
#define ELEM_FLOAT(x)            ((elem)(x))

#define ADD(x, y)      OF_KIND(SUM)(x, y)
#define SUBTRACT(x, y) OF_KIND(DIFFERENCE)(x, y)
#define MULTIPLY(x, y) OF_KIND(PRODUCT)(x, y)

/* The element of a number. */
#define ELEM(x) OF_KIND(ELEM)(x)

#endif
