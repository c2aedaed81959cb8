// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_word(char c)
{
    return is_letter(c) || c == ':' || c == '#'; /* also pasted by ## */
}

/* Behind the raw string whose quotation mark is at `at`: R"mark( anything at all )mark". */
static char *skip_raw(char *at)
{
    char end[20] = ")"; /* the standard has marks of at most 16 characters */
    size_t length = strcspn(at + 1, "(\n");
    if (at[1 + length] != '(' || length > 16)
        return at + 1;
    memcpy(end + 1, at + 1, length);
    strcpy(end + 1 + length, "\"");
    char *found = strstr(at + 1 + length, end);
    return found ? found + strlen(end) : at + strlen(at);
}

/* Behind a number: 1'024, 0xffu, 1.5e-3f. */
static char *skip_number(char *at)
{
    while (is_letter(*at) || *at == '.' || (*at == '\'' && is_letter(at[1])))
        at++;
    return at;
}

/* Behind a word, and what is raw behind the words R, LR, uR, UR and u8R. */
static char *skip_word(char *at)
{
    static const char *const raw[] = {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""};
    for (size_t k = 0; k < sizeof raw / sizeof *raw; k++)
        if (strncmp(at, raw[k], strlen(raw[k])) == 0)
            return skip_raw(at + strlen(raw[k]) - 1);
    while (is_letter(*at))
        at++;
    return at;
}

/* Behind a comment, a string, a character, a number or a word that starts here; `at` itself where none
 * does. */
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
    if (isdigit((unsigned char)*at))
        return skip_number(at);
    return is_letter(*at) ? skip_word(at) : at;
}

/* Where the bracket opens that closes before `at`. Of "<" and ">" only those count that stand outside
 * parentheses, where they may compare. */
static char *bracket_before(char *text, char *at, char open, char close)
{
    int depth = 0, parentheses = 0;
    do {
        at--;
        parentheses += (*at == ')') - (*at == '(');
        if (open == '(' || parentheses == 0)
            depth += (*at == close) - (*at == open);
    } while (at > text && depth > 0);
    return at;
}

static char *spaces_before(char *text, char *at)
{
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    return at;
}

/* Where the kernel begins whose launch operator is at `at`: a name, with template arguments, or a
 * pointer to it. */
static char *kernel_before(char *text, char *at)
{
    at = spaces_before(text, at);
    if (at > text && at[-1] == '>')
        at = spaces_before(text, bracket_before(text, at, '<', '>'));
    while (at > text && (at[-1] == ')' || at[-1] == ']'))
        at =
            at[-1] == ')' ? bracket_before(text, at, '(', ')') : bracket_before(text, at, '[', ']');
    while (at > text && is_word(at[-1]))
        at--;
    return at;
}

/* Behind the ">>>" that ends the launch operator before `at`; NULL where there is none. A ">>>" in
 * parentheses belongs to what stands there. */
static char *behind_operator(char *at)
{
    int parentheses = 0;
    while (*at && *at != ';') {
        char *next = skip_opaque(at);
        if (next > at) {
            at = next;
            continue;
        }
        parentheses += (*at == '(') - (*at == ')');
        if (parentheses == 0 && strncmp(at, ">>>", 3) == 0)
            return at + 3;
        at++;
    }
    return NULL;
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
        if (*from != '\n' && strncmp(from, "\\\n", 2) != 0) /* a macro goes on in the next line */
            *from = k < sizeof instead - 1 ? instead[k++] : ' ';
}

/* Whether the kernel that is launched there, "n::k<int>", has the name of this one. */
static bool is_of(const char *name, const char *kernel)
{
    const struct {
        const char *at;
        size_t length;
    } names[] = {{name, strcspn(name, "< \t\n")}, {kernel, strcspn(kernel, "<( ")}};
    size_t start[2], length[2];
    for (unsigned k = 0; k < 2; k++) {
        start[k] = names[k].length;
        while (start[k] > 0 && names[k].at[start[k] - 1] != ':')
            start[k]--;
        length[k] = names[k].length - start[k];
    }
    return length[0] == length[1] && strncmp(name + start[0], kernel + start[1], length[0]) == 0;
}

unsigned rd_check_blank_launches(char *text, const char *kernel)
{
    unsigned n = 0;
    for (char *at = text; *at;) {
        char *next = skip_opaque(at);
        if (next > at) {
            at = next;
            continue;
        }
        char *close = strncmp(at, "<<<", 3) == 0 ? behind_operator(at + 3) : NULL;
        if (!close) {
            at++;
            continue;
        }
        while (isspace((unsigned char)*close))
            close++;
        if (*close == '(')
            close = behind_parentheses(close);
        char *launched = kernel_before(text, at);
        n += is_of(launched, kernel);
        blank(launched, close);
        at = close;
    }
    return n;
}
