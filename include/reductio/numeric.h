// SPDX-License-Identifier: MIT
/* The element types, and the arithmetic over arrays of them. src/element/numeric.c is compiled once per
 * type; rd_numeric() hands out the table of functions of one type.
 *
 * Integers add and multiply modulo 2^32 or 2^64. Floats are IEEE 754, rounded to nearest, never
 * contracted, so that both devices and the host produce the same bits.
 *
 * Thread safety: any thread may call these functions; an rd_expect serves one at a time.
 * Returned objects are constant. */
#ifndef RD_NUMERIC_H
#define RD_NUMERIC_H

#include "element_types.h"
#include "numeric_lanes.h"
#include "operations.h"
#include "shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The bits of one element, zero-extended; the form in which a single value travels. */
typedef uint64_t rd_bits;

/* Size of a text that takes any value by rd_numeric.format and rd_cell_text, the NUL included. */
enum { RD_VALUE_TEXT_SIZE = 56 };

/* The result of comparing live cells with what they must hold. Indices are array indices. */
struct rd_comparison {
    size_t wrong_bits;    /* cells that differ in their bits (two NaNs do not differ) */
    size_t first_wrong;   /* the first of these; SIZE_MAX when there is none */
    size_t out_of_bound;  /* floats: cells outside the bound */
    size_t first_outside; /* the first of these; SIZE_MAX when there is none */
    size_t unbounded;     /* floats: cells for which the bound says nothing (infinite or NaN) */
    /* Floats that were added in any order: the widest bound of a cell; 0: none is rounded. */
    double widest;
};

/* The distance of a float from the exact sum, and its bound. */
struct rd_deviation {
    double exact; /* S, rounded to double */
    double error; /* |A - S| */
    /* g_h * sum |a_j|, g_h = h*u / (1 - h*u) (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
     * eq. 4.4 with the height h of the tree), or n*u * sum |a_j| where that is less; infinite where it would be sum
     * |a_j|. */
    double limit;

    /* A product of finite factors in which a partial product may overflow or underflow, depending on the order: no
     * bound is promised. */
    bool out_of_range;
    /* A product of so many factors that their roundings may change it by its own size: no bound is promised. */
    bool many_roundings;
};

/* Ways in which a round of a documented tree makes cell k of those that it writes. */
enum rd_tree {
    RD_TREE_SETTLED, /* nothing is left to do */
    RD_TREE_FOLD,    /* cells[k] = cells[k] + cells[k + distance] */
    RD_TREE_PAIR,    /* cells[i] = cells[i] + cells[i + distance], i = 2*distance*k */
    RD_TREE_COMPACT, /* cells[k] = from[2k] + from[2k + 1]; the last may have no partner */
};

/* A round of a tree that may still have to be worked out. */
struct rd_pending {
    enum rd_tree tree;
    size_t count;    /* cells that the round writes */
    size_t done;     /* cells that are worked out already */
    size_t distance; /* in elements */
    const void *from;
    size_t n_from; /* elements there */
};

/* The expected array. Everything in it is computed from the input alone, never from the array
 * under test. A round of the invariant moves it on in place, so that a dead cell keeps its expected
 * value. With `live_only` it may let go of dead cells, and keep the live ones,
 * which lie `stride` apart in the array, side by side. Read a cell with rd_expect_cell. */
struct rd_expect {
    const struct rd_numeric *numeric;
    struct rd_shape shape;
    size_t n;        /* cells of the array */
    size_t n_inputs; /* elements of a */
    const void *a;   /* elem[n_inputs], the caller's: the input */
    const void *b;   /* elem[] or NULL, the caller's: the second input */
    void *cells;     /* elem: cells[k] is the expected value of array cell k*stride, */
    size_t stride;   /* 1 unless live_only */
    bool live_only;
    void *spare;     /* elem[(n + 1)/2], live_only: target of `pair`, in turn with cells */
    void *exact;     /* wide[n], floats with a bound only: S, the sum in wider arithmetic */
    void *weight;    /* wide[n], likewise: sum of |a_j| */
    unsigned height; /* of the tree: number of roundings on its longest path */
    /* Roundings that a recorded program may make on the way to a cell, of which the law tells only how often it rounds itself:
     * between the two bounds nothing is decided. 0: the tree is the documented one, or the law rounds nothing. */
    unsigned roundings_max;
    /* Of a recorded program: its inputs are whole numbers, and sums of such that have room are exact in any order. */
    bool whole;
    bool has_products; /* a recorded program's law may multiply elements, which may underflow */
    /* The height of each cell's tree, plus 1; 0 of a sum of nothing. NULL unless cells of floats have several heights. */
    void *heights;       /* [n] */
    size_t height_bytes; /* of one: 1, or 4 where a tree has been too high for that */
    /* Arrays that the law has worked out on the way; NULL until it moves the cells. */
    struct rd_law_kept *kept;
    bool bounded; /* whether the bound applies: floats whose tree is documented */
    /* The order of the additions is unspecified, as with atomics: floats are asserted
     * within the bound only, for a tree of that height, and not to the bit; for 32 bits the bound allows for
     * atomics that flush subnormals to zero. Set by sum_any_order, for this step and all that follow. */
    bool any_order;
    /* Lazy: a round is put down as pending, and `compare` works its cells out as it comes to them,
     * while they are in the cache; `settle` works out what is left. */
    bool lazy;
    struct rd_pending pending;
};

/* Arithmetic of a type with an operation, the sum or another, over which reductions go. With an operation that selects,
 * the elements are indices: they are formatted, compared and worked out as unsigned numbers. */
struct rd_numeric {
    enum rd_type type;
    enum rd_operation operation; /* written as + below */
    bool rounds;                 /* the operation may round: a sum or a product of floats */
    const char *name;            /* "i32" */
    const char *title; /* the same, with the operation unless it is the sum: "max of i32" */
    size_t size_bytes; /* of one element */
    size_t wide_bytes; /* of one element of exact and weight; 0 for integers */
    bool is_float, is_signed;
    /* Binary digits of the largest number; for floats of the significand, with the hidden one. */
    unsigned digits;
    /* Floats only: decimal digits that are always enough to read a number back, the least and the largest normal
     * number, and the conversion from a double, which rounds once. */
    unsigned max_digits;
    double least_normal, largest;
    rd_bits (*from_double)(double value);
    /* NumPy's type string without byte order, for instance "f4"; NULL: it has none. */
    const char *npy_kind;
    const char *range; /* of the type's numbers, in words */
    /* The arithmetic of the inputs: this one, unless the operation selects. Cells are then indices, as wide as the inputs,
     * and this is the arithmetic of the inputs' type with min or max. */
    const struct rd_numeric *inputs;
    const struct rd_lanes *lanes; /* arithmetic of elements side by side; */
    const struct rd_lanes *exact,
        *weight; /* of floats: in the wider type, and of magnitudes there */

    /* Puts the input into the expectation: cells = a, exact = a, weight = |a|, height 0. */
    void (*begin)(struct rd_expect *expect);
    /* cells[i] = cells[i] * b[i] for all i; b[i] = expect->b[i]. Only straight after begin. */
    void (*multiply)(struct rd_expect *expect);
    /* cells[i] = cells[i] + cells[i + half] for all i < half with i + half < len. */
    void (*fold)(struct rd_expect *expect, size_t len, size_t half);
    /* cells[i] = cells[i] + cells[i + stride] for all i = 0 mod 2*stride with i + stride < n. */
    void (*pair)(struct rd_expect *expect, size_t stride);

    /* Works out the pending round. Required before any other look at the cells. */
    void (*settle)(struct rd_expect *expect);

    /* Compares count live cells, first*stride, (first+1)*stride, …, with the expectation.
     * actual[k * actual_stride] is the cell (first + k)*stride. Adds to *found. */
    void (*compare)(struct rd_expect *expect, size_t first, size_t count, size_t stride,
                    const void *actual, size_t actual_stride, struct rd_comparison *found);
    /* The first cell of [0, n) in which the whole array `actual` differs from the expectation
     * among those that are not live (not a multiple of stride below count*stride); n if none. */
    size_t (*frame)(const struct rd_expect *expect, size_t count, size_t stride,
                    const void *actual);
    /* Puts the exact value, error and limit of cell i into *deviation; expect->bounded or any_order only. */
    void (*deviation)(const struct rd_expect *expect, size_t i, rd_bits actual,
                      struct rd_deviation *deviation);
    /* The goal of a sum: the sum, or with b the dot product, of all inputs in index order, next to
     * `actual`. Integers: exactly, modulo 2^32 or 2^64. Floats: in wider arithmetic, with the bound
     * for a tree of the expectation's height in *deviation; *sum is rounded. */
    void (*total)(const struct rd_expect *expect, rd_bits actual, rd_bits *sum,
                  struct rd_deviation *deviation);
    /* Makes cell 0 the sum of all inputs, or with b the dot product, added in any order: exact for
     * integers, and where nothing rounds. Sums of floats must be bounded, and `height` that of the highest tree
     * there can be. The claim must be of cell 0 alone. */
    void (*sum_any_order)(struct rd_expect *expect);
    /* The goal of a copy or a product: the first i at which cells[i] is not a[i], or with b not
     * a[i]*b[i]; n if there is none. *wanted is the right value of cell i. */
    size_t (*elementwise)(const struct rd_expect *expect, const void *cells, rd_bits *wanted);
    /* A 64-bit digest of cells[0..count), that does not depend on the order of evaluation:
     * the sum of mix(bits(cell) ^ mix(index + 1)) modulo 2^64, mix being the finalizer of
     * SplitMix64 (Steele, Lea and Flood, OOPSLA 2014); every NaN counts as the same. */
    uint64_t (*digest)(const void *cells, size_t count);

    /* Combines x and y by the operation, rounded once; NULL for an operation that selects. min and max of a number
     * and a NaN are the number, as with CUDA's fmin() and fmax(); and -0 is less than 0. */
    rd_bits (*combine)(rd_bits x, rd_bits y);
    /* The sum x + y, x - y and x*y, each rounded once. */
    rd_bits (*add)(rd_bits x, rd_bits y);
    rd_bits (*subtract)(rd_bits x, rd_bits y);
    rd_bits (*times)(rd_bits x, rd_bits y);

    rd_bits (*load)(const void *cells, size_t index);
    void (*store)(void *cells, size_t index, rd_bits value);
    rd_bits (*from_u64)(uint64_t value); /* modulo 2^32, or rounded to nearest */
    double (*to_double)(rd_bits value);  /* rounded, where a u64 does not fit */
    bool (*same)(rd_bits x, rd_bits y);  /* equal bits, or both NaN */
    bool (*less)(rd_bits x, rd_bits y);  /* as numbers; false where one is NaN */
    bool (*is_nan)(rd_bits value);       /* false for integers */
    /* Writes the shortest decimal text that reads back as the same bits; "nan", "inf", "-inf". Whole numbers of
     * 16-bit floats are in full below 10^6.
     * Returns its length. */
    int (*format)(char text[RD_VALUE_TEXT_SIZE], rd_bits value);
    /* Reads the decimal number at the start of text. Returns the end of what was read, or NULL
     * where there is no number or it is out of the type's range; *value is set on success only. */
    const char *(*parse)(const char *text, rd_bits *value);
};

/* Returns the index of no input, all ones, which loses to every other; `numeric` is of an operation that selects. */
rd_bits rd_numeric_no_index(const struct rd_numeric *numeric);

/* Combines two cells by the operation; if it selects, cells are indices into a, which has n_a elements. An index outside a
 * loses to all others, and the lower of two such is kept. a may be NULL if the operation doesn't select. */
rd_bits rd_cell_combine(const struct rd_numeric *numeric, const void *a, size_t n_a, rd_bits x,
                        rd_bits y);

/* Writes a cell for people: its value; with an operation that selects "-3 at 7", the input a[7] and its index, "none" for
 * rd_numeric_no_index(), or the index alone if it is not below n_a or if a is NULL. n_a: elements of a. Returns text. */
const char *rd_cell_text(const struct rd_numeric *numeric, const void *a, size_t n_a, rd_bits value,
                         char text[RD_VALUE_TEXT_SIZE]);

/* Reads a cell at the start of text, as rd_numeric.parse does: a number, or "none" for cells that hold indices. */
const char *rd_cell_parse(const struct rd_numeric *numeric, const char *text, rd_bits *value);

/* Returns the expected value of array cell i, a multiple of expect->stride; no round may be pending. */
rd_bits rd_expect_cell(const struct rd_expect *expect, size_t i);

/* Returns the arithmetic of a type, with the sum. Never NULL for a member of the enumeration. */
const struct rd_numeric *rd_numeric(enum rd_type type);

/* Returns the arithmetic of a type with the operation; if it selects, that of the cells, which hold indices. NULL if the
 * type doesn't have it. */
const struct rd_numeric *rd_numeric_over(enum rd_type type, enum rd_operation operation);

/* Tells whether an integer is exact in a double, as many readers of JSON need: at most 2^53 in magnitude. */
bool rd_numeric_is_exact_double(const struct rd_numeric *numeric, rd_bits value);

/* Looks a type up by name ("i32"). Returns NULL if there is none of that name. */
const struct rd_numeric *rd_numeric_named(const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
