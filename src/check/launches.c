// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == ':';
}

/* Behind a comment, a string or a character that starts here; `at` itself where none does. */
static char *skip_opaque(char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '"' || *at == '\'') {
        char quote = *at++;
        while (*at && *at != quote && *at != '\n')
            at += at[0] == '\\' && at[1] ? 2 : 1;
        return *at == quote ? at + 1 : at;
    }
    return at;
}

/* Where the kernel's name begins whose launch operator is at `at`: a name, with template arguments.
 */
static char *name_before(char *text, char *at)
{
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    if (at > text && at[-1] == '>') {
        int depth = 0;
        do {
            at--;
            depth += (*at == '>') - (*at == '<');
        } while (at > text && depth > 0);
    }
    while (at > text && is_word(at[-1]))
        at--;
    return at;
}

/* Behind the parenthesis that closes the one at `at`. */
static char *behind_parentheses(char *at)
{
    int depth = 0;
    while (*at) {
        char *next = skip_opaque(at);
        if (next > at) {
            at = next;
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

static void blank(char *from, char *to)
{
    static const char instead[] = "((void)0)";
    size_t k = 0;
    for (; from < to; from++)
        if (*from != '\n')
            *from = k < sizeof instead - 1 ? instead[k++] : ' ';
}

void rd_check_blank_launches(char *text)
{
    for (char *at = text; *at;) {
        char *next = skip_opaque(at);
        if (next > at) {
            at = next;
            continue;
        }
        char *close = strncmp(at, "<<<", 3) == 0 ? strstr(at, ">>>") : NULL;
        if (!close) {
            at++;
            continue;
        }
        close += 3;
        while (isspace((unsigned char)*close))
            close++;
        if (*close == '(')
            close = behind_parentheses(close);
        blank(name_before(text, at), close);
        at = close;
    }
}
