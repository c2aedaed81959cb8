// SPDX-License-Identifier: MIT
/* Brackets and quotation marks that nothing closes, found in a text that the compiler has refused for it. */
#include "check/compiler/compiler_internal.h"
#include "check/source/lexer.h"

#include <stddef.h>
#include <string.h>

enum { DEPTH_MAX = 256 };

struct open {
    const char *at;
    const char
        *head; /* where the statement begins that a brace belongs to, as far as parentheses tell */
};

struct brackets {
    const char *text;
    struct open all[DEPTH_MAX];
    unsigned n;
    struct open parenthesis; /* the last that was closed */
    const char *behind;      /* it */
    struct rd_check_unclosed suspect;
};

static unsigned indentation(const char *text, const char *at)
{
    unsigned column = 0;
    for (at = rd_lexer_line_start(text, at); *at == ' ' || *at == '\t'; at++)
        column = *at == '\t' ? column / 8 * 8 + 8 : column + 1;
    return column;
}

static bool is_first_on_line(const char *text, const char *at)
{
    const char *start = rd_lexer_line_start(text, at);
    return start + strspn(start, " \t") == at;
}

static char closing(char open)
{
    return open == '(' ? ')' : open == '[' ? ']' : '}';
}

/* Tells whether a parenthesis is that of `for`, in which semicolons stand. */
static bool is_of_for(const char *text, const char *open)
{
    while (open > text && strchr(" \t\n", open[-1]))
        open--;
    return open - text >= 3 && strncmp(open - 3, "for", 3) == 0 &&
           (open - text == 3 || !rd_lexer_is_letter(open[-4]));
}

static void push(struct brackets *brackets, const char *at)
{
    const char *blank = at;
    while (blank > brackets->text && strchr(" \t\n", blank[-1]))
        blank--;
    const bool follows = blank == brackets->behind && brackets->behind;
    if (brackets->n < DEPTH_MAX)
        brackets->all[brackets->n] = (struct open){at, follows ? brackets->parenthesis.head : at};
    brackets->n++;
}

/* Reads a bracket that closes; false where it is known now what is not closed. */
static bool pop(struct brackets *brackets, const char *at)
{
    if (brackets->n == 0)
        return false;
    if (brackets->n > DEPTH_MAX) {
        brackets->n--;
        return true;
    }
    const struct open top = brackets->all[brackets->n - 1];
    if (closing(*top.at) != *at) { /* "f(a;  }", or "f(a));" */
        if (*top.at != '{')
            brackets->suspect = (struct rd_check_unclosed){top.at, at};
        return *top.at == '{';
    }
    brackets->n--;
    if (*at == ')') {
        brackets->parenthesis = top;
        brackets->behind = at + 1;
    }
    if (*at == '}' && !brackets->suspect.open && is_first_on_line(brackets->text, at) &&
        indentation(brackets->text, at) < indentation(brackets->text, top.head))
        brackets->suspect = (struct rd_check_unclosed){top.at, at};
    return true;
}

static bool read_sign(struct brackets *brackets, const char *at)
{
    if (strchr("([{", *at))
        push(brackets, at);
    else if (strchr(")]}", *at))
        return pop(brackets, at);
    const struct open *top =
        brackets->n > 0 && brackets->n <= DEPTH_MAX ? &brackets->all[brackets->n - 1] : NULL;
    if (*at == ';' && top && *top->at != '{' && !is_of_for(brackets->text, top->at)) {
        brackets->suspect = (struct rd_check_unclosed){top->at, at};
        return false;
    }
    return true;
}

bool rd_check_unclosed_find(struct rd_check_unclosed *unclosed, const char *text)
{
    struct brackets brackets = {.text = text};
    const char *at = text;
    while (*at) {
        const char *next = *at == '#' ? rd_lexer_behind_branches(text, at) : at;
        if (next == at)
            next = rd_lexer_directive(text, at);
        if (next == at)
            next = rd_lexer_skip(at);
        if ((*at == '"' || *at == '\'') && (next == at + 1 || next[-1] != *at)) {
            *unclosed = (struct rd_check_unclosed){at, next};
            return true;
        }
        if (next == at && !read_sign(&brackets, at)) {
            *unclosed = brackets.suspect;
            return brackets.suspect.open != NULL;
        }
        at = next > at ? next : at + 1;
    }
    if (brackets.n == 0 || brackets.n > DEPTH_MAX)
        return false;
    *unclosed = brackets.suspect.open
                    ? brackets.suspect
                    : (struct rd_check_unclosed){brackets.all[brackets.n - 1].at, NULL};
    return true;
}
