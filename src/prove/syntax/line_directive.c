// SPDX-License-Identifier: MIT
/* Texts that say of their lines that they are others, or another file's. */
#include "prove/syntax/preprocess.h"

#include "check/source/lexer.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Behind a line's end that the compiler takes out, before it looks for tokens; `at` itself where there is none. */
static const char *pass_splice(const char *at)
{
    const char *behind = at;
    if (*behind == '\\')
        behind++;
    else if (strncmp(behind, "\?\?/", 3) == 0) /* the same, to some standards */
        behind += 3;
    else
        return at;
    while (*behind != '\n' && isspace((unsigned char)*behind)) /* which gcc passes over */
        behind++;
    return *behind == '\n' ? behind + 1 : at;
}

/* Takes out all of these; the caller frees it. NULL without memory. */
static char *without_splices(const char *text)
{
    char *joined = malloc(strlen(text) + 1), *to = joined;
    if (!joined)
        return NULL;
    for (const char *at = text; *at;) {
        const char *behind = pass_splice(at);
        if (behind == at)
            *to++ = *at++;
        at = behind > at ? behind : at;
    }
    *to = '\0';
    return joined;
}

/* The line of the text that a character of what is joined has come from. */
static unsigned line_of(const char *text, size_t joined)
{
    unsigned line = 1;
    for (const char *at = text; *at;) {
        const char *behind = pass_splice(at);
        if (behind > at) {
            at = behind;
            line++;
            continue;
        }
        if (joined-- == 0)
            break;
        line += *at++ == '\n';
    }
    return line;
}

/* Behind what may stand between the parts of a directive: blanks and comments. */
static const char *pass_blanks(const char *at)
{
    for (;;) {
        if (*at != '\n' && isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

/* Tells whether a directive may begin there: at the start of a line, or behind a comment. */
static bool begins_directive(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n' && isspace((unsigned char)at[-1]))
        at--;
    return at == text || at[-1] == '\n' || (at - text >= 2 && at[-2] == '*' && at[-1] == '/');
}

/* The length of a # that begins there; 0: none does. */
static size_t sign_length(const char *at)
{
    if (*at == '#')
        return 1;
    if (strncmp(at, "%:", 2) == 0)
        return 2;
    return strncmp(at, "\?\?=", 3) == 0 ? 3 : 0;
}

/* The first # 12 "file" or #line; also in a comment, for a text can be made to look like one. NULL: there is none. */
static const char *find_line_directive(const char *joined)
{
    for (const char *at = joined; *at; at++) {
        const size_t length = sign_length(at);
        if (length == 0 || !begins_directive(joined, at))
            continue;
        const char *word = pass_blanks(at + length);
        if (isdigit((unsigned char)*word) ||
            (strncmp(word, "line", 4) == 0 && !rd_lexer_is_letter(word[4])))
            return at;
    }
    return NULL;
}

enum rd_status rd_preprocess_look(const char *path, const char *text, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    char *joined = without_splices(text);
    if (!joined)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to read '%s'", path);
    const char *directive = find_line_directive(joined);
    if (directive)
        status = rd_fail(error, RD_ERROR_INPUT,
                         "%s:%u: a directive that says which line of which file this is", path,
                         line_of(text, (size_t)(directive - joined)));
    else if (strstr(joined, "RD_PROVE") || strstr(joined, "rd_prove"))
        status = rd_fail(
            error, RD_ERROR_INPUT,
            "%s: a name that begins with 'rd_prove' or 'RD_PROVE', as the prover's own do", path);
    free(joined);
    return status;
}
