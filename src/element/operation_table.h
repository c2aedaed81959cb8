// SPDX-License-Identifier: MIT
/* The meaning of each operation of kernels/operations.h, one row each. What kernels make of it stands in
 * kernels/operation.h, on its own: expectations must not repeat a kernel's mistake.
 *
 * X(name in the enumeration, x and y combined, the result of nothing, the result that stays whatever joins it, how an input
 * counts in a cell, how a witness marks an input, a step in C, a variable in C, LaTeX, MathML)
 *
 * Two are combined by the words that numeric_type.h defines: ADD, MULTIPLY, least and most; what is OF_BITS, integers
 * alone have. A step in C is a format of the variable and the term. */
#ifndef RD_ELEMENT_OPERATION_TABLE_H
#define RD_ELEMENT_OPERATION_TABLE_H

#include "reductio/operation.h"

/* clang-format off: a row is a line */
#define RD_OPERATION_ROWS(X)                                                                       \
    X(SUM, ADD(x, y), ZERO, NONE, EACH, DIGIT, "%1$s += %2$s;", "sum", "\\sum", "∑")               \
    X(PRODUCT, MULTIPLY(x, y), ONE, NONE, EACH, FACTOR, "%1$s *= %2$s;", "product", "\\prod", "∏") \
    X(MIN, least(x, y), LARGEST, SMALLEST, ONCE, VALUE, "%1$s = min(%1$s, %2$s);", "least",        \
      "\\min", "min")                                                                              \
    X(MAX, most(x, y), SMALLEST, LARGEST, ONCE, VALUE, "%1$s = max(%1$s, %2$s);", "greatest",      \
      "\\max", "max")                                                                              \
    X(AND, OF_BITS(x &y), ALL_ONES, ZERO, ONCE, BIT, "%1$s &= %2$s;", "bits", "\\bigwedge", "⋀")   \
    X(OR, OF_BITS(x | y), ZERO, ALL_ONES, ONCE, BIT, "%1$s |= %2$s;", "bits", "\\bigvee", "⋁")     \
    X(XOR, OF_BITS(x ^ y), ZERO, NONE, ODD, BIT, "%1$s ^= %2$s;", "bits", "\\bigoplus", "⨁")       \
    X(ARGMIN, least(x, y), NO_INDEX, NONE, ONCE, VALUE, "", "index", "\\operatorname*{arg\\,min}", \
      "arg min")                                                                                   \
    X(ARGMAX, most(x, y), NO_INDEX, NONE, ONCE, VALUE, "", "index", "\\operatorname*{arg\\,max}",  \
      "arg max")
/* clang-format on */

/* Values of a type that operations have a use for. */
enum rd_special_value {
    RD_VALUE_NONE,
    RD_VALUE_ZERO,
    RD_VALUE_ONE,
    RD_VALUE_ALL_ONES,
    RD_VALUE_LARGEST,
    RD_VALUE_SMALLEST,
    RD_VALUE_NO_INDEX,
};

/* Weight of an input that is in a cell several times. */
enum rd_counting {
    RD_COUNTS_EACH, /* as often as it is there */
    RD_COUNTS_ONCE, /* it is enough that it is there */
    RD_COUNTS_ODD,  /* two of it cancel */
};

/* Value of a marked input, all others being the identity: see witness.h. */
enum rd_marking {
    RD_MARK_DIGIT,  /* 1 in a digit of its own, wide enough to count in */
    RD_MARK_BIT,    /* the identity with a bit of its own changed */
    RD_MARK_FACTOR, /* 2, which is counted by the bits below it */
    RD_MARK_VALUE,  /* 1, which is another value than the identity */
};

struct rd_operation_row {
    enum rd_special_value identity, absorbing;
    enum rd_counting counts;
    enum rd_marking mark;
    const char *c_step; /* a format of the variable and the term; "" of an operation that selects */
    const char *c_variable;
    const char *latex, *mathml;
};

/* The row of an operation. */
const struct rd_operation_row *rd_operation_row(enum rd_operation operation);

/* The value that the operation keeps whatever it is combined with, in *value; false where there is none, as of sums. Of
 * min and max of floats it is an infinity. The type must have the operation. */
bool rd_operation_absorbing(enum rd_operation operation, const struct rd_numeric *numeric,
                            rd_bits *value);

#endif
