// SPDX-License-Identifier: MIT
/* The operations that reductions go over, one row each: commutative monoids.
 * X(name, name in the enumeration, whether its result is the index of a term instead of a value, whether only
 * integers have it). The build reads the rows, too. src/element/operation_table.h has what they mean, kernels/operation.h what
 * kernels make of them. */
#ifndef RD_OPERATIONS_H
#define RD_OPERATIONS_H

#define RD_OPERATIONS(X)                                                                           \
    X(sum, SUM, false, false)                                                                      \
    RD_OPERATIONS_OVER(X)

/* All but the sum, which has builds of its own. */
#define RD_OPERATIONS_OVER(X)                                                                      \
    X(product, PRODUCT, false, false)                                                              \
    X(min, MIN, false, false)                                                                      \
    X(max, MAX, false, false)                                                                      \
    X(and, AND, false, true)                                                                       \
    X(or, OR, false, true)                                                                         \
    X(xor, XOR, false, true)                                                                       \
    X(argmin, ARGMIN, true, false)                                                                 \
    X(argmax, ARGMAX, true, false)

/* The names, for people: "sum (default), product, ...", which can be broken into lines, and "sum, product, ...". */
#define RD_OPERATION_WORD(name, NAME, selects, integers) ", " #name
#define RD_OPERATION_WORDS                               "sum (default)" RD_OPERATIONS_OVER(RD_OPERATION_WORD)
#define RD_OPERATION_NAMES                               "sum" RD_OPERATIONS_OVER(RD_OPERATION_WORD)

#define RD_OPERATION_MEMBER(name, NAME, selects, integers) RD_OPERATION_##NAME,
enum rd_operation { RD_OPERATIONS(RD_OPERATION_MEMBER) };
#undef RD_OPERATION_MEMBER

#define RD_OPERATION_ONE(name, NAME, selects, integers) +1
enum { RD_OPERATION_COUNT = RD_OPERATIONS(RD_OPERATION_ONE) };
#undef RD_OPERATION_ONE

/* Operations that select come last. */
enum {
    RD_SELECTING_FIRST = RD_OPERATION_ARGMIN,
    RD_SELECTING_COUNT = (int)RD_OPERATION_COUNT - (int)RD_SELECTING_FIRST
};

#endif
