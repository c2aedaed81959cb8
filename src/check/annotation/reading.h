// SPDX-License-Identifier: MIT
/* The law of an annotation while it is read: its tokens. Private to this folder. */
#ifndef RD_CHECK_ANNOTATION_READING_H
#define RD_CHECK_ANNOTATION_READING_H

#include "check/annotation/annotation.h"

enum rd_annotation_token_kind {
    RD_TOKEN_END,
    RD_TOKEN_NUMBER,
    RD_TOKEN_WORD,
    RD_TOKEN_NAME,
    RD_TOKEN_SIGN
};

/* A name is a whole expression: shape->n, blockDim.x, count(w). */
struct rd_annotation_token {
    enum rd_annotation_token_kind kind;
    size_t from, to;
    bool is_call;
    bool bound;          /* by the law */
    bool element;        /* an index stands behind it */
    bool cell;           /* it is the array of a claim */
    bool number;         /* it stands in a condition or an index */
    bool counted;        /* `count of` stands before it */
    const char *instead; /* what stands for it, a bracket of an index */
};

struct rd_annotation_reading {
    struct rd_annotations *file;
    struct rd_annotation *of;
    const struct rd_annotations *files; /* all of the program's */
    size_t n_files;
    const char *text;
    struct rd_annotation_token *tokens;
    size_t n, capacity;
    struct rd_error *error;
    enum rd_status status;
};

/* ---- tokens.c ---- */

/* Words of laws that no program's name may be, NULL behind the last. */
extern const char *const rd_annotation_functions[], *const rd_annotation_language[],
                                                        *const rd_annotation_operations[];

/* Tells whether the token is that text; whether the token of that number is the sign, the word. */
bool rd_annotation_token_is(const struct rd_annotation_reading *reading,
                            const struct rd_annotation_token *token, const char *text);
bool rd_annotation_token_is_sign(const struct rd_annotation_reading *reading, size_t at,
                                 const char *sign);
bool rd_annotation_token_is_word(const struct rd_annotation_reading *reading, size_t at,
                                 const char *word);
/* Tells whether the token of that number is a plain name, which a law might bind. */
bool rd_annotation_token_is_plain(const struct rd_annotation_reading *reading, size_t at);
/* Cuts the text into tokens, RD_TOKEN_END behind the last. */
void rd_annotation_cut(struct rd_annotation_reading *reading);
/* Fails at the token, once; the message may have a %s for the subject. */
void rd_annotation_token_fail(struct rd_annotation_reading *reading,
                              const struct rd_annotation_token *at, const char *message,
                              const char *subject);
/* Returns the token at which the part that begins at `at` ends: at a sign of `ends` in no bracket, a bracket that was not
 * opened in it, or the claim's end. */
size_t rd_annotation_part_end(const struct rd_annotation_reading *reading, size_t at, size_t end,
                              const char *ends);

/* ---- bindings.c: tokens from one on, to before another ---- */

/* Binds, throughout the claim, the names that a `for` compares. */
void rd_annotation_bind_ranges(struct rd_annotation_reading *reading, size_t from, size_t end,
                               size_t claim, size_t to);
/* Binds the names of a reduction's term that stand alone in an index, or are compared behind it: of the reduction whose
 * word `of` is that token. */
void rd_annotation_bind_reduction(struct rd_annotation_reading *reading, size_t of, size_t claim,
                                  size_t to);
/* Marks what can only be a number: conditions; what stands in an index. */
void rd_annotation_mark_numbers(struct rd_annotation_reading *reading, size_t from, size_t to);
void rd_annotation_mark_indices(struct rd_annotation_reading *reading, size_t from, size_t to);

/* ---- scope.c ---- */

/* Behind the directive and, where that is "#if 0", behind what it leaves out, up to its #else, #elif or #endif. */
const char *rd_annotation_behind_left_out(const char *text, const char *directive);

/* Tells whether the word is a name of the program's where the annotation stands, as far as the text says so: a variable or a
 * parameter of its function, a member of its class, or what the file or a header of its own declares outside of functions, or
 * defines as a macro. */
bool rd_annotation_is_in_scope(const struct rd_annotation_reading *reading, const char *word);

/* ---- alias.c ---- */

/* Returns a name for the expression that no other word of the law is, and not the input's; the caller frees it. NULL where
 * there is no memory. */
char *rd_annotation_new_alias(const struct rd_annotation_reading *reading, const char *expression,
                              bool of_array, const struct rd_annotation *input);
/* Returns the input that the expression names, in any of the files; NULL: there is none. */
const struct rd_annotation *rd_annotation_input_named(const struct rd_annotations *files,
                                                      size_t n_files, const char *text,
                                                      size_t length);
/* Has A[i][j] of an array of arrays speak of its cells row by row. */
void rd_annotation_flatten(struct rd_annotation_reading *reading);
/* Puts the law together, with aliases. */
void rd_annotation_write_aliases(struct rd_annotation_reading *reading,
                                 const struct rd_annotations *files, size_t n_files);

/* ---- law_check.c ---- */

/* Reads the law as the language has it, each of the program's names being some number: RD_ERROR_USAGE, at its place in the
 * file, if that can't be read; RD_ERROR_MEMORY. */
enum rd_status rd_annotation_check(const struct rd_annotations *file,
                                   const struct rd_annotation *of,
                                   const struct rd_annotations *files, size_t n_files,
                                   struct rd_error *error);

#endif
