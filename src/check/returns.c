// SPDX-License-Identifier: MIT
#include "check/returns.h"
#include "check/lexer.h"

#include <string.h>

/* Behind the body of the lambda whose [ is at `at`; `at` itself where that is an index. */
static const char *behind_lambda(const char *text, const char *at)
{
    const char *before = at;
    while (before > text && strchr(" \t\n", before[-1]))
        before--;
    bool is_index =
        before > text && (rd_lexer_is_letter(before[-1]) || strchr(")]", before[-1]) != NULL);
    bool returns = before - text >= 6 && strncmp(before - 6, "return", 6) == 0;
    if (is_index && !returns)
        return at;
    const char *body = rd_lexer_behind(at);
    while (*body && !strchr("{;)", *body)) {
        const char *next = rd_lexer_skip(body);
        body = next > body ? next : *body == '(' ? rd_lexer_behind(body) : body + 1;
    }
    return *body == '{' ? rd_lexer_behind(body) : at;
}

/* The statement of the loop whose first word is at `word`, if it has braces: up to behind it. */
static const char *behind_loop(const char *word, size_t length)
{
    const char *at = rd_lexer_blanks(word + length);
    if (*at == '(')
        at = rd_lexer_blanks(rd_lexer_behind(at));
    return *at == '{' ? rd_lexer_behind(at) : at + strcspn(at, ";");
}

static bool is_loop(const char *word, size_t length)
{
    return rd_lexer_is(word, length, "for") || rd_lexer_is(word, length, "while") ||
           rd_lexer_is(word, length, "do");
}

static void replace(struct rd_check_edits *edits, const char *text,
                    const struct rd_check_function *kernel, const char *word, const char *loop)
{
    const char *behind = word + strlen("return");
    rd_check_edits_add(edits, word, behind, "return __rd_return(%u, %u)%s",
                       rd_lexer_line(text, kernel->head), rd_lexer_line(text, loop ? loop : word),
                       *rd_lexer_blanks(behind) == ';' ? "" : ",");
}

static void replace_in(struct rd_check_edits *edits, const char *text,
                       const struct rd_check_function *kernel)
{
    const char *loop = NULL, *loop_end = NULL; /* the outermost */
    for (const char *at = kernel->body; at < kernel->end;) {
        const char *next = rd_lexer_skip(at);
        size_t length = (size_t)(next - at);
        if (*at == '[') {
            const char *behind = behind_lambda(text, at);
            next = behind > at ? behind : at + 1;
        }
        if (at >= loop_end)
            loop = NULL;
        if (rd_lexer_is(at, length, "return")) {
            replace(edits, text, kernel, at, loop);
        } else if (!loop && is_loop(at, length)) {
            loop = at;
            loop_end = behind_loop(at, length);
        }
        at = next > at ? next : at + 1;
    }
}

/* The only kernel in which a macro is used; NULL where other functions use it, too, or several. */
static const struct rd_check_function *user_of(const char *text,
                                               const struct rd_check_functions *functions,
                                               const char *name, size_t name_length)
{
    size_t length;
    const struct rd_check_function *user = NULL;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        if (length != name_length || strncmp(word, name, length) != 0 || word == name)
            continue;
        const struct rd_check_function *function = rd_check_function_at(functions, word);
        if (!function || !function->is_kernel)
            return NULL;
        user = user ? user : function;
    }
    return user;
}

/* A macro with a return in it: where it stands in the kernel is where it is used. */
static void replace_in_macro(struct rd_check_edits *edits, const char *text,
                             const struct rd_check_functions *functions, const char *directive,
                             const char *end)
{
    size_t length, n;
    const char *define = rd_lexer_word(directive + 1, &n);
    if (!define || define >= end || !rd_lexer_is(define, n, "define"))
        return;
    const char *name = rd_lexer_word(define + n, &length);
    const struct rd_check_function *user =
        name && name < end ? user_of(text, functions, name, length) : NULL;
    for (const char *word = user ? rd_lexer_word(name + length, &n) : NULL; word && word < end;
         word = rd_lexer_word(word + n, &n))
        if (rd_lexer_is(word, n, "return"))
            rd_check_edits_add(
                edits, word, word + n, "return __rd_return(%u, __LINE__)%s",
                rd_lexer_line(text, user->head),
                *rd_lexer_blanks(word + n) == ';' || rd_lexer_blanks(word + n) >= end ? "" : ",");
}

void rd_check_returns_replace(struct rd_check_edits *edits, const char *text,
                              const struct rd_check_functions *functions)
{
    for (size_t k = 0; k < functions->n; k++)
        if (functions->all[k].is_kernel)
            replace_in(edits, text, &functions->all[k]);
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        const char *end = rd_lexer_directive(text, at);
        if (end > at)
            replace_in_macro(edits, text, functions, at, end);
    }
}
