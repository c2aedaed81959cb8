// SPDX-License-Identifier: MIT
/* Annotations: laws in comments of a user's program, at its loops. A compiler sees comments.
 *
 *     //@ requires n = 2^k
 *     //@ input a[n]
 *     //@ invariant for 0 <= i < n: A[i] = sum of a[j], i - s < j <= i
 *     for (size_t s = 1; s < n; s *= 2)
 *     ...
 *     //@ ensures A[n - 1] = sum of a[j]
 *
 * A line that begins with none of the words goes on with the one above it. A name that the law doesn't bind is the
 * program's, and so is an expression without spaces in it: shape->n, blockDim.x, count(w). */
#ifndef RD_CHECK_ANNOTATION_H
#define RD_CHECK_ANNOTATION_H

#include "check/source/includes.h"
#include "check/source/lexer.h"
#include "check/source/rewrite.h"
#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* In a law, value_a_(j) is the number a[j] where only numbers may stand, and the sum of ones_a[j] counts elements of a. */
#define RD_ANNOTATION_VALUE "value_"
#define RD_ANNOTATION_ONES  "ones_"

enum rd_annotation_kind {
    RD_ANNOTATION_REQUIRES,
    RD_ANNOTATION_INPUT,
    RD_ANNOTATION_INVARIANT,
    RD_ANNOTATION_ENSURES,
    RD_ANNOTATION_ASSERT,
    RD_ANNOTATION_KINDS
};

/* "requires", ... */
const char *rd_annotation_kind_name(enum rd_annotation_kind kind);

/* An expression of the program in a law: what it is in C++, in the law, and where it stands. */
struct rd_annotation_name {
    char *expression; /* "shape->n" */
    char *alias;      /* "shapen": another name than all others of the law's */
    const char *at;
    bool any; /* of requires: it is bound by nobody, some number makes the condition true */
};

struct rd_annotation {
    enum rd_annotation_kind kind;
    unsigned site;             /* among all of the program, from 1 */
    const char *comment, *end; /* in the file's text, the comments that it is of */
    const char *word;          /* "invariant", in the file's text */
    unsigned line, column;     /* of that word, from 1 */
    char *text;                /* the law, without the comment's marks: as its author reads it, */
    const char **text_places;  /* and where each of its characters stands in the file */
    char *law;                 /* the same with aliases for the program's expressions */
    const char **places; /* [strlen(law) + 1]: where each of its characters stands in the file */
    struct rd_annotation_name *names; /* that it takes from the program */
    size_t n_names, names_capacity;
    /* The array that it speaks of; with an expression of NULL it speaks of none, and is a condition. */
    struct rd_annotation_name array;
    bool scalar; /* the array is a variable of the program's, without an index */
    /* Names of the inputs that it speaks of; RD_ANNOTATION_ONES before one that it counts. */
    char **inputs;
    size_t n_inputs, inputs_capacity;
    /* Names of inputs whose values stand in its conditions and indices, behind RD_ANNOTATION_VALUE. */
    char **tables;
    size_t n_tables, tables_capacity;
    /* Of an invariant: */
    const char *loop;     /* the word `for`, `while` or `do` in the file's text */
    const char *loop_end; /* behind it */
    unsigned loop_line;
    const char *condition; /* where the loop's condition begins */
    bool no_condition;     /* there is none: for (;;) */
    bool in_device;        /* the code is the device's */
    const struct rd_check_function *function;
};

/* A number that a variable is set to in place of the file's own. */
struct rd_annotation_number {
    const char *name;
    unsigned long long value;
};

struct rd_annotations {
    const char *file, *text;
    struct rd_annotation *all;
    size_t n, capacity;
    const struct rd_check_includes
        *includes; /* optional: headers that may declare what laws name */
    const struct rd_annotation_number *numbers; /* optional */
    size_t n_numbers;
};

/* Tells whether a comment of the text is marked as one of annotations. */
bool rd_annotations_are_in(const char *text);
/* Finds the annotations of a file, whose text and functions must stay, with sites from `first_site` on. RD_ERROR_USAGE:
 * one of them can't be understood, as "FILE:LINE:COLUMN: message". RD_ERROR_MEMORY. The caller finishes them, also after
 * an error. */
enum rd_status rd_annotations_init(struct rd_annotations *annotations, const char *file,
                                   const char *text, const struct rd_check_functions *functions,
                                   unsigned first_site, struct rd_error *error);
/* Reads their laws, which may speak of the inputs of all files of the program: law, places, names, array and inputs are
 * set. Statuses as above. */
enum rd_status rd_annotations_read(struct rd_annotations *files, size_t n_files,
                                   struct rd_error *error);
void rd_annotations_finish(struct rd_annotations *annotations);

/* The annotations of that file, however it is called; NULL: there are none. */
const struct rd_annotations *rd_annotations_of(const struct rd_annotations *files, size_t n_files,
                                               const char *path);

/* Tells whether a name is a word of the language of laws. */
bool rd_annotation_is_word(const char *name);
/* Behind the statement at `at`, in a file's text. */
const char *rd_annotation_statement_end(const char *at);

/* Fails at a place in the file's text. */
enum rd_status rd_annotations_fail(const struct rd_annotations *annotations, const char *at,
                                   struct rd_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fails at a name that the program doesn't have, and the law doesn't bind, where a compiler says so of that line; false where it says
 * something else. */
bool rd_annotations_explain_name(const struct rd_annotations *file, unsigned line, const char *said,
                                 struct rd_error *error);

/* ---- numbers.c ---- */

/* Calls for each variable that the annotation, a `requires` or an `input`, names, and that its function sets to a literal before: the number may
 * be any. The literal stands from `from` to `to` in the file's text. */
void rd_annotation_numbers(const struct rd_annotation *of,
                           void (*number)(void *self, const char *name, size_t length,
                                          const char *from, const char *to),
                           void *self);
/* Tells whether there is such a variable of that name. */
bool rd_annotation_has_number(const struct rd_annotations *annotations, const char *name);
/* Sets the variables to annotations->numbers, in a text that is the same as theirs. */
void rd_annotation_numbers_set(const struct rd_annotations *annotations, const char *text,
                               struct rd_check_edits *edits);

/* Puts code in their place, in a text that is the same as theirs: see reductio_law.hpp. */
void rd_annotations_replace(const struct rd_annotations *annotations, const char *text,
                            struct rd_check_edits *edits);

#endif
