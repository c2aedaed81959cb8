// SPDX-License-Identifier: MIT
/* CUDA C++ as far as it can be read without a compiler: what is a word, and what only looks like one.
 * Private to the parts of check that look at a file's text. */
#ifndef RD_CHECK_LEXER_H
#define RD_CHECK_LEXER_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A letter, a digit or _. */
bool rd_lexer_is_letter(char c);
/* The length of the word that begins there; 0: none does. */
size_t rd_lexer_word_length(const char *at);

/* Behind the comment, string, character, number or word that starts at `at`; `at` itself where none
 * does. */
const char *rd_lexer_skip(const char *at);

/* The end of the directive whose # is at `at`, which may be of several lines; `at` itself where none
 * starts there. */
const char *rd_lexer_directive(const char *text, const char *at);

/* Behind the #endif of an #else, or #elif, whose # is at `at`: of several branches, each of which may open a block, one is
 * compiled. `at` itself elsewhere. `from`: where to look back to. */
const char *rd_lexer_behind_branches(const char *from, const char *at);

/* Tells whether a place lies in one, as the text of a macro does. */
bool rd_lexer_is_in_directive(const char *text, const char *at);
const char *rd_lexer_line_start(const char *text, const char *at);

/* Behind the parenthesis that closes the one at `at`, which may also be a bracket or a brace; at the
 * text's end where none does. */
const char *rd_lexer_behind(const char *at);

/* Behind what rd_lexer_skip() or rd_lexer_behind() passes over at `at`, else behind the one character; at the text's end, there. */
const char *rd_lexer_pass(const char *at);

/* Behind "<class T, int N = (1 > 0)>" at `at`; at `end` where nothing closes it before. */
const char *rd_lexer_behind_angles(const char *at, const char *end);

/* The next word from `at` on, outside of comments and strings; NULL where there is none. Words begin
 * with no digit. */
const char *rd_lexer_word(const char *at, size_t *length);

/* Tells whether the word is this one. */
bool rd_lexer_is(const char *word, size_t length, const char *text);
/* Tells whether it is one of these, up to NULL. */
bool rd_lexer_is_one_of(const char *word, size_t length, const char *const *texts);
/* Tells whether some word up to `end` is one of these. */
bool rd_lexer_has_one_of(const char *at, const char *end, const char *const *texts);

/* Tells whether what is declared there is constant itself, not only what it points to: "const int", "int *const". */
bool rd_lexer_is_constant(const char *at, const char *end);

/* The first character from `at` on that is neither blank nor of a comment. */
const char *rd_lexer_blanks(const char *at);

/* The length of the sign of a launch, "<<<" or ">>>", that stands there: a formatter may have made "<< <" or ">> >" of it. 0 where
 * none does. */
size_t rd_lexer_launch_sign(const char *at, char bracket);

/* The line of a place in the text, from 1. */
unsigned rd_lexer_line(const char *text, const char *at);
/* Returns the start of a line of the text. */
const char *rd_lexer_line_at(const char *text, unsigned line);

/* The functions of a file, found without a compiler: whose code a place in the text is. */

struct rd_check_function {
    const char *head, *name; /* "template <class T> __global__ void k(T *a)", and k in it */
    size_t name_length;
    const char *body, *end; /* its { and behind its } */
    bool is_kernel;
    bool is_device; /* also a kernel; marked so, or by a macro of the file that does it */
    bool is_host;   /* not for the device alone */
};

struct rd_check_functions {
    struct rd_check_function *all;
    size_t n;
};

/* Finds them; none where there is no memory. They point into the text, which must stay. */
void rd_check_functions_init(struct rd_check_functions *functions, const char *text);
void rd_check_functions_finish(struct rd_check_functions *functions);
/* Marks those of n texts once more, by the macros of all of them: a header's may stand in the file's heads. */
void rd_check_functions_mark(struct rd_check_functions *const *functions, const char *const *texts,
                             size_t n);

/* Tells whether a kernel of this name is among them: which may have namespaces, template arguments and
 * parameters, none of which is compared. */
bool rd_check_functions_have_kernel(const struct rd_check_functions *functions, const char *name);

/* The function in whose body a place is; NULL where it is in none. */
const struct rd_check_function *rd_check_function_at(const struct rd_check_functions *functions,
                                                     const char *at);

/* The function whose head begins there; NULL where none does. */
const struct rd_check_function *rd_check_function_from(const struct rd_check_functions *functions,
                                                       const char *at);

/* Tells whether the place is in code for the device: in a function that is marked so, or a lambda in a
 * function of the host's. */
bool rd_check_function_is_device(const struct rd_check_functions *functions, const char *at);

/* ---- source_text.c ---- */

/* Reads a source file: a text in UTF-8, of which the caller gets the lines as they end here, without
 * a byte order mark. The caller frees it. RD_ERROR_IO, RD_ERROR_INPUT, RD_ERROR_MEMORY. */
enum rd_status rd_check_read_source(const char *path, char **text, struct rd_error *error);

#endif
