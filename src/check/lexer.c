// SPDX-License-Identifier: MIT
#include "check/lexer.h"

#include <ctype.h>
#include <string.h>

bool rd_lexer_is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the raw string whose quotation mark is at `at`: R"mark( anything at all )mark". */
static const char *skip_raw(const char *at)
{
    char end[20] = ")"; /* the standard has marks of at most 16 characters */
    size_t length = strcspn(at + 1, "(\n");
    if (at[1 + length] != '(' || length > 16)
        return at + 1;
    memcpy(end + 1, at + 1, length);
    strcpy(end + 1 + length, "\"");
    const char *found = strstr(at + 1 + length, end);
    return found ? found + strlen(end) : at + strlen(at);
}

/* Behind a number: 1'024, 0xffu, 1.5e-3f. */
static const char *skip_number(const char *at)
{
    while (rd_lexer_is_letter(*at) || *at == '.' || (*at == '\'' && rd_lexer_is_letter(at[1])))
        at++;
    return at;
}

/* Behind a word, and what is raw behind the words R, LR, uR, UR and u8R. */
static const char *skip_word(const char *at)
{
    static const char *const raw[] = {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""};
    for (size_t k = 0; k < sizeof raw / sizeof *raw; k++)
        if (strncmp(at, raw[k], strlen(raw[k])) == 0)
            return skip_raw(at + strlen(raw[k]) - 1);
    while (rd_lexer_is_letter(*at))
        at++;
    return at;
}

/* The end of a line that may go on behind a backslash. */
static const char *line_end(const char *at)
{
    const char *end = at + strcspn(at, "\n");
    while (*end && end > at && end[-1] == '\\')
        end += 1 + strcspn(end + 1, "\n");
    return end;
}

const char *rd_lexer_skip(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return line_end(at);
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
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
    return rd_lexer_is_letter(*at) ? skip_word(at) : at;
}

const char *rd_lexer_directive(const char *text, const char *at)
{
    const char *start = at;
    if (*at != '#')
        return at;
    while (start > text && start[-1] != '\n' && isspace((unsigned char)start[-1]))
        start--;
    bool is_first = start == text || start[-1] == '\n';
    return is_first ? line_end(at) : at;
}

const char *rd_lexer_line_start(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

bool rd_lexer_is_in_directive(const char *text, const char *at)
{
    const char *start = rd_lexer_line_start(text, at);
    while (start - text >= 2 && start[-2] == '\\')
        start = rd_lexer_line_start(text, start - 1);
    while (*start != '\n' && isspace((unsigned char)*start))
        start++;
    return *start == '#' && start < at && rd_lexer_directive(text, start) >= at;
}

const char *rd_lexer_behind(const char *at)
{
    char open = *at, close = open == '(' ? ')' : open == '[' ? ']' : '}';
    int depth = 0;
    while (*at) {
        const char *next = rd_lexer_skip(at);
        if (next > at) {
            at = next;
            continue;
        }
        depth += (*at == open) - (*at == close);
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

const char *rd_lexer_word(const char *at, size_t *length)
{
    while (*at) {
        const char *next = rd_lexer_skip(at);
        bool is_word = rd_lexer_is_letter(*at) && !isdigit((unsigned char)*at) &&
                       rd_lexer_is_letter(next[-1]); /* rather than a raw string */
        if (is_word) {
            *length = (size_t)(next - at);
            return at;
        }
        at = next > at ? next : at + 1;
    }
    return NULL;
}

bool rd_lexer_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && strncmp(word, text, length) == 0;
}

bool rd_lexer_is_one_of(const char *word, size_t length, const char *const *texts)
{
    for (; *texts; texts++)
        if (rd_lexer_is(word, length, *texts))
            return true;
    return false;
}

const char *rd_lexer_behind_angles(const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        if (*at == '(') {
            at = rd_lexer_behind(at);
            continue;
        }
        depth += (*at == '<') - (*at == '>');
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

const char *rd_lexer_blanks(const char *at)
{
    for (;;) {
        bool is_comment = at[0] == '/' && (at[1] == '/' || at[1] == '*');
        if (is_comment)
            at = rd_lexer_skip(at);
        else if (isspace((unsigned char)*at))
            at++;
        else if (at[0] == '\\' && at[1] == '\n')
            at += 2;
        else
            return at;
    }
}

unsigned rd_lexer_line(const char *text, const char *at)
{
    unsigned line = 1;
    for (; text < at && *text; text++)
        line += *text == '\n';
    return line;
}
