// SPDX-License-Identifier: MIT
/* The law of an annotation while it is read: its tokens. Private to annotation_law.c and annotation_alias.c. */
#ifndef RD_CHECK_ANNOTATION_READING_H
#define RD_CHECK_ANNOTATION_READING_H

#include "check/annotation.h"

enum rd_annotation_token_kind { END, NUMBER, WORD, NAME, SIGN };

/* A name is a whole expression: shape->n, blockDim.x, count(w). */
struct rd_annotation_token {
    enum rd_annotation_token_kind kind;
    size_t from, to;
    bool is_call;
    bool bound;   /* by the law */
    bool element; /* an index stands behind it */
    bool cell;    /* it is the array of a claim */
};

struct rd_annotation_reading {
    struct rd_annotations *file;
    struct rd_annotation *of;
    const char *text;
    struct rd_annotation_token *tokens;
    size_t n, capacity;
    struct rd_error *error;
    enum rd_status status;
};

/* ---- annotation_law.c ---- */

/* Words of laws that no program's name may be, NULL behind the last. */
extern const char *const rd_annotation_functions[], *const rd_annotation_language[],
                                                        *const rd_annotation_operations[];

/* Tells whether the token is that text. */
bool rd_annotation_token_is(const struct rd_annotation_reading *reading,
                            const struct rd_annotation_token *token, const char *text);
/* Fails at the token, once; the message may have a %s for the subject. */
void rd_annotation_token_fail(struct rd_annotation_reading *reading,
                              const struct rd_annotation_token *at, const char *message,
                              const char *subject);
/* Tells whether the token of that number is the sign. */
bool rd_annotation_token_is_sign(const struct rd_annotation_reading *reading, size_t at,
                                 const char *sign);

/* ---- annotation_alias.c ---- */

/* Returns a name for the expression that no other word of the law is, and not the input's; the caller frees it. NULL where there is
 * no memory. */
char *rd_annotation_new_alias(const struct rd_annotation_reading *reading, const char *expression,
                              bool of_array, const struct rd_annotation *input);
/* The input that the expression names, in any of the files. */
const struct rd_annotation *rd_annotation_input_named(const struct rd_annotations *files,
                                                      size_t n_files, const char *text,
                                                      size_t length);
/* Puts the law together, with aliases. */
void rd_annotation_write_aliases(struct rd_annotation_reading *reading,
                                 const struct rd_annotations *files, size_t n_files);

#endif
