// SPDX-License-Identifier: MIT
/* Functions of C or CUDA as trees, read by libclang. It is the language of kernels that a proof can read; what is
 * outside of it becomes a node that says so, with its line. */
#ifndef RD_PROVE_SYNTAX_H
#define RD_PROVE_SYNTAX_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum rd_syntax_kind {
    /* Expressions. Parentheses are gone, and so are reads of a variable and an array that becomes a pointer. */
    RD_SYNTAX_NUMBER, /* number; an enumerator or a constant of the unit has its name, too */
    RD_SYNTAX_REAL,   /* number; not whole: `name` is its text. Also an integer that becomes one */
    RD_SYNTAX_TEXT,   /* name: a string literal's characters */
    RD_SYNTAX_NAME, /* of a variable: declaration; of a function: name alone. v.data() is v, a std::vector */
    /* kids[0] what is called, then the arguments that are written; name: that of the function, where it has one; of
     * a constructor, the type's: dim3. */
    RD_SYNTAX_CALL,
    RD_SYNTAX_MEMBER, /* kids[0].name, or kids[0]->name where `arrow` */
    RD_SYNTAX_INDEX, /* kids[0][kids[1]]: of a pointer or an array, whichever stands first, or of a std::vector */
    /* op: one of + - ! ~ * & ++ --; `postfix` of the last two; "sizeof " of what has no constant size; "size of ":
     * v.size() of a std::vector. */
    RD_SYNTAX_UNARY,
    RD_SYNTAX_BINARY, /* op; with || && and the comma */
    /* op: "=" or "+=" …: kids[0] op kids[1]; unless it shifts, kids[1]'s type is that in which it is worked out. */
    RD_SYNTAX_ASSIGN,
    RD_SYNTAX_CONDITIONAL, /* kids[0] ? kids[1] : kids[2] */
    /* To `type`, written or implicit where that changes the value's type; never of an integer's literal: its number
     * is of the type. */
    RD_SYNTAX_CAST,
    RD_SYNTAX_LIST, /* { kids } of an array or a record, whose rest is 0; {x} of a scalar is x */
    /* statements; an expression is one, too */
    RD_SYNTAX_BLOCK,
    /* Of one variable: declaration; kids[0], where there is one, is the initial value; op "[]": the length of an
     * array that isn't constant. */
    RD_SYNTAX_DECLARE,
    RD_SYNTAX_IF, /* kids[2] where there is an else */
    /* init, condition, increment, body; the first three may be NULL; an init of several declarations is a BLOCK of
     * them. */
    RD_SYNTAX_FOR,
    RD_SYNTAX_WHILE,  /* condition, body */
    RD_SYNTAX_DO,     /* body, condition */
    RD_SYNTAX_RETURN, /* kids[0], where there is one */
    RD_SYNTAX_BREAK,
    RD_SYNTAX_CONTINUE,
    RD_SYNTAX_EMPTY,
    RD_SYNTAX_OTHER, /* name: what it is, in words: "a goto", "a lambda" */
};

enum rd_syntax_type_kind {
    RD_SYNTAX_VOID,
    RD_SYNTAX_BOOL,
    RD_SYNTAX_INTEGER, /* bits, is_signed */
    RD_SYNTAX_FLOAT,   /* bits */
    RD_SYNTAX_POINTER, /* to `of` */
    RD_SYNTAX_ARRAY,   /* of `of`, `length` elements; 0: unknown */
    RD_SYNTAX_RECORD,  /* name, bits; `of` and `member` of its only member, else NULL */
    RD_SYNTAX_NO_TYPE, /* any other: name as written */
};

struct rd_syntax_type {
    enum rd_syntax_type_kind kind;
    unsigned bits;
    bool is_signed, is_const, is_volatile;
    uint64_t length;
    const char *name; /* as written: "elem", "size_t"; of a record its own */
    const struct rd_syntax_type *of;
    const char *member;
    const struct rd_syntax_type
        *elements; /* of a std::vector with the standard's allocator; else NULL */
};

struct rd_syntax_declaration {
    const char *name;
    const struct rd_syntax_type *type;
    bool is_static, is_extern, is_parameter, is_global;
    /* Of CUDA's words: __shared__, … A pointer that is_shared is one to the launch's dynamic shared memory: DYNAMIC_SHARED. */
    bool is_shared, is_constant;
    unsigned line;
};

struct rd_syntax_node {
    enum rd_syntax_kind kind;
    const char *op, *name;
    bool postfix, arrow;
    uint64_t number; /* in two's complement, of 64 bits whatever the type */
    /* Type of an expression, after implicit conversions where CAST says so. */
    const struct rd_syntax_type *type;
    const struct rd_syntax_declaration *declaration;
    /* Of a function's name: where its body is, unless that is in a header of the system; NULL: it has none. */
    const char *defined_file;
    unsigned defined_line;
    const char *instance; /* of a template's: which, in clang's own words; else NULL */
    const char *symbol;   /* of a function's name: which of that name, in clang's own words */
    bool of_system;       /* of a name: declared by the system, or by the prover's own headers */
    size_t n_kids;
    const struct rd_syntax_node *const *kids;
    const char *file;      /* of a macro's expansion: where it is expanded */
    unsigned line, column; /* column 0: not known, as a macro or a comment stands before it */
};

struct rd_syntax_function {
    const char *name;
    const char *instance, *symbol; /* as of its name in calls */
    bool is_kernel;                /* __global__ */
    const char *
        bounds; /* of __launch_bounds__: the most threads of a block, as written; NULL: none are given */
    const struct rd_syntax_type *returns;
    size_t n_parameters;
    const struct rd_syntax_declaration *const *parameters;
    const struct rd_syntax_node *body; /* a BLOCK */
    const char *file;
    unsigned line;
};

/* Functions with a body, of a unit. */
struct rd_syntax_unit;

/* Reads the library's own kernels of that file, "fold.cu", as sums of doubles: kernels/FILE with kernels/'s headers, from the
 * table of sources in the program (program/sources_table.h), with kernels/prove_words.h in place of kernel.h. `changed`
 * (optional) is text to read in the file's place: a mutant. RD_ERROR_INPUT: the text can't be read, with the compiler's first
 * message; RD_ERROR_IO: no libclang, with what to install, or no temporary file; RD_ERROR_DEVICE: no compiler to preprocess it;
 * RD_ERROR_MEMORY; RD_ERROR_INTERRUPTED. The caller owns *unit. */
enum rd_status rd_syntax_read_kernels(struct rd_syntax_unit **unit, const char *file,
                                      const char *changed, struct rd_error *error);
/* Reads a user's file of CUDA C++, with what it includes; of a template, the instances that are called. A launch
 * k<<<grid, block>>>(x) is (rd_prove_launch(grid, block), k(x)): a comma of two calls. `options` (optional, up to NULL) are
 * more for the compiler: "-DN=3", "-Ifolder". RD_ERROR_INPUT also where it includes what the prover doesn't know;
 * RD_ERROR_USAGE: too many options; else as above. */
enum rd_status rd_syntax_read_file(struct rd_syntax_unit **unit, const char *path,
                                   const char *const *options, struct rd_error *error);
/* Reads a text as that file: what was made of it, with as many lines; or `other` (optional), where the syntax of the first is
 * refused. */
enum rd_status rd_syntax_read_file_text(struct rd_syntax_unit **unit, const char *path,
                                        const char *text, const char *other,
                                        const char *const *options, struct rd_error *error);
void rd_syntax_destroy(struct rd_syntax_unit *unit); /* NULL is fine */

size_t rd_syntax_function_count(const struct rd_syntax_unit *unit);
const struct rd_syntax_function *rd_syntax_function(const struct rd_syntax_unit *unit,
                                                    size_t index);
const struct rd_syntax_function *rd_syntax_function_named(const struct rd_syntax_unit *unit,
                                                          const char *name);
/* main(), of no namespace. */
const struct rd_syntax_function *rd_syntax_main(const struct rd_syntax_unit *unit);
/* What runs before or behind main(), with its place: "t.cu:5: a variable whose initial value is worked out before main()"; NULL:
 * nothing that is known does. */
const char *rd_syntax_code_outside_main(const struct rd_syntax_unit *unit);

/* Returns the function with a body that the call is of; NULL: it has none. */
const struct rd_syntax_function *rd_syntax_function_called(const struct rd_syntax_unit *unit,
                                                           const struct rd_syntax_node *call);

/* Print a tree, for tests and people: with all parentheses, and types as u32, i64, f64. A statement ends a line. */
void rd_syntax_print_function(const struct rd_syntax_function *function, FILE *out);
void rd_syntax_print(const struct rd_syntax_node *statement, unsigned depth, FILE *out);
void rd_syntax_print_expression(const struct rd_syntax_node *node, FILE *out);

#endif
