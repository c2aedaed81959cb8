// SPDX-License-Identifier: MIT
/* A law as a function in C. Private to src/law. */
#ifndef RD_LAW_C_WRITER_H
#define RD_LAW_C_WRITER_H

#include "law/print.h"

#include <stdarg.h>
#include <stdlib.h>

/* Functions of arithmetic that C lacks; what is used is written before the others. */
enum c_helper {
    C_POWER,
    C_RAISED,
    C_FLOOR_DIV,
    C_FLOOR_MOD,
    C_CEIL_DIV,
    C_MIN,
    C_MAX,
    C_ABSOLUTE,
    C_FLOOR_LOG2,
    C_BIT_CEIL,
    C_FLOOR_ROOT,
    C_CEIL_ROOT,
    C_HELPER_COUNT
};

/* The parameters of a function. */
struct c_uses {
    unsigned quantities; /* as bits */
    uint64_t inputs;
};

struct c_definition {
    enum { C_UNSEEN, C_BEGUN, C_WRITTEN } state;
    struct c_uses uses;
};

/* A reduction that was worked out before the expression that it stands in, by the name of its variable. */
struct c_sum {
    const struct law_node *node;
    const char *word;
    unsigned number; /* of the reductions with this word */
};

enum { C_SUMS_MAX = 64 };

/* A function that is being written. */
struct c_function {
    struct c_function *outer;
    FILE *body, *constants;
    char *body_text, *constants_text;
    size_t body_size, constants_size;
    unsigned indent;
    struct c_uses uses;
    uint32_t signed_slots; /* variables that may be negative: parameters, as nobody binds them */
    bool *has_constant;    /* by definition */
    unsigned n_sums;
    struct c_sum sums[C_SUMS_MAX];
};

struct c_writer {
    const struct rd_law *law;
    const struct rd_law_section *section;
    const char *prefix;                    /* of the names of functions */
    const char *words[RD_OPERATION_COUNT]; /* that name the variable of a reduction */
    FILE *functions;
    unsigned helpers; /* as bits */
    struct c_definition *definitions;
    struct c_function *function;
    enum rd_status status;
    struct rd_law_error *error;
};

/* Precedence of an expression in C, from the loosest on. */
enum c_level {
    C_LEVEL_OR,
    C_LEVEL_AND,
    C_LEVEL_COMPARISON,
    C_LEVEL_SUM,
    C_LEVEL_TERM,
    C_LEVEL_UNARY,
    C_LEVEL_PRIMARY
};

/* Fails at a node, once. */
void rd_c_fail(struct c_writer *to, const struct law_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes an expression into the body of the function, in brackets where it holds together less tightly. */
void rd_c_expression(struct c_writer *to, const struct law_node *node, enum c_level level);
/* The same as text; the caller frees it. NULL, and failed, without memory. */
char *rd_c_text(struct c_writer *to, const struct law_node *node, enum c_level level);
void rd_c_name(const char *name, FILE *out);
/* "sum", "sum2": the variable of a reduction. */
void rd_c_sum(const struct c_sum *sum, FILE *out);

/* Tells whether the number can't be negative, where the variables of these slots may be; and whether it is 1 or more,
 * whatever they are. */
bool rd_c_is_natural(const struct law_node *node, uint32_t signed_slots);
bool rd_c_is_positive(const struct law_node *node);
/* Tells whether it has a value wherever it is worked out: nothing in it is divided by what may be 0. */
bool rd_c_is_total(const struct law_node *node);
/* Tells whether the definition is a constant of the function in which it is used: a number that can be worked out also
 * where the law doesn't need it. */
bool rd_c_is_constant(const struct law_definition *definition);
/* Writes the call of a definition's function, or the constant. */
void rd_c_call(struct c_writer *to, const struct law_node *node);

void rd_c_uses_input(struct c_writer *to, const struct law_array *input);
void rd_c_uses_quantity(struct c_writer *to, unsigned quantity);

void rd_c_line(struct c_writer *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rd_c_indent(struct c_writer *to);
/* Works the reductions of a value out, innermost first. */
void rd_c_reductions(struct c_writer *to, const struct law_node *value);

/* Loops and conditions that are open. */
struct c_cases {
    unsigned count;
    bool braces;
};

/* Opens loops over the cases of a binding, which may be NULL, and conditions. Without braces where one statement follows. */
struct c_cases rd_c_open_cases(struct c_writer *to, const struct law_binding *binding, bool braces);
void rd_c_close(struct c_writer *to, struct c_cases cases);

/* ---- c_helpers.c ---- */

/* Writes the functions that the C of a law calls, of this set. */
void rd_c_helpers(unsigned helpers, FILE *out);

#endif
