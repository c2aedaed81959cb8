// SPDX-License-Identifier: MIT
/* `new T(...)` in the device's code. What a function gives lies straight in the object then, and g++ has no hook of a
 * call: who made it tells. */
#include "check/source/rewrite.h"
#include "check/source/lexer.h"

#include <ctype.h>
#include <string.h>

/* Behind a type as `new` takes it, "const n::pair<int, T> *"; `at` itself where none is there. */
static const char *behind_type(const char *at)
{
    for (;;) {
        static const char *const of_expressions[] = {"decltype", "typeof", "__typeof__", "__typeof",
                                                     NULL};
        const char *next = rd_lexer_blanks(at);
        if (rd_lexer_is_letter(*next) && !isdigit((unsigned char)*next)) {
            const char *word = next;
            next = rd_lexer_skip(next);
            if (rd_lexer_is_one_of(word, (size_t)(next - word), of_expressions))
                next = rd_lexer_behind(rd_lexer_blanks(next));
        } else if (strncmp(next, "::", 2) == 0)
            next += 2;
        else if (*next == '<')
            next = rd_lexer_behind_angles(next, next + strcspn(next, ";{}"));
        else if (*next == '*')
            next++;
        else
            return at;
        if (!*next)
            return at;
        at = next;
    }
}

/* Behind the values that an object of this `new` starts with, its word being at `word`; NULL where there are none, or
 * several objects. A type in parentheses is left alone. */
static const char *behind_new(const char *word)
{
    const char *type = rd_lexer_blanks(word + strlen("new"));
    if (*type == '(')
        type = rd_lexer_blanks(rd_lexer_behind(type));
    const char *values = behind_type(type);
    if (values == type)
        return NULL;
    values = rd_lexer_blanks(values);
    if (*values != '(' && *values != '{')
        return NULL;
    const char *first = rd_lexer_blanks(values + 1), *end = rd_lexer_behind(values);
    return *first == ')' || *first == '}' || !*end ? NULL : end;
}

/* Finds the expression's beginning, the colons of "::new" included; NULL for a declaration, "operator new". */
static const char *start_of(const char *text, const char *word)
{
    const char *before = word;
    while (before > text && isspace((unsigned char)before[-1]))
        before--;
    if (before - text >= 2 && strncmp(before - 2, "::", 2) == 0)
        return before - 2;
    return before - text >= 8 && strncmp(before - 8, "operator", 8) == 0 ? NULL : word;
}

void rd_check_news_replace(struct rd_check_edits *edits, const char *text,
                           const struct rd_check_functions *functions)
{
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        if (!rd_lexer_is(word, length, "new") || rd_lexer_is_in_directive(text, word) ||
            !rd_check_function_is_device(functions, word))
            continue;
        const char *start = start_of(text, word), *end = start ? behind_new(word) : NULL;
        if (!end)
            continue;
        rd_check_edits_add(edits, start, start, "__rd_made(");
        rd_check_edits_add(edits, end, end, ")");
    }
}
