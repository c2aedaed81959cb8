// SPDX-License-Identifier: MIT
/* Launches that macros make a string of, too: "#define SAY(call) puts(#call); call" says what stands in the user's file, "k<<<1, 2>>>(x)",
 * not what has been made of it. */
#include "check/compiler.h"
#include "check/lexer.h"
#include "check/rewrite.h"

#include <string.h>

/* A macro with parameters, as a #define has it. */
struct macro {
    const char *name, *open, *body, *end;
    size_t length;
};

static bool read_macro(const char *text, const char *at, struct macro *macro)
{
    size_t length;
    macro->end = rd_lexer_directive(text, at);
    const char *define = macro->end > at ? rd_lexer_word(at + 1, &length) : NULL;
    if (!define || define >= macro->end || !rd_lexer_is(define, length, "define"))
        return false;
    macro->name = rd_lexer_word(define + length, &macro->length);
    if (!macro->name || macro->name >= macro->end || macro->name[macro->length] != '(')
        return false;
    macro->open = macro->name + macro->length;
    macro->body = rd_lexer_behind(macro->open);
    return macro->body < macro->end;
}

/* The next "#x" of a parameter in its text, but for what stands beside a string, with which the compiler joins it; NULL: none. */
static const char *find_said(const struct macro *macro, const char *from, const char **end)
{
    for (const char *at = from; at < macro->end; at++) {
        const char *next = rd_lexer_skip(at);
        size_t length, n;
        if (next > at) {
            at = next - 1;
            continue;
        }
        if (*at != '#')
            continue;
        if (at[1] == '#') {
            at++;
            continue;
        }
        const char *word = rd_lexer_word(at + 1, &length), *before = at;
        while (before > macro->body && strchr(" \t\\\n", before[-1]))
            before--;
        if (!word || word != rd_lexer_blanks(at + 1) || before[-1] == '"' || before[-1] == '#' ||
            strchr("\"#", *rd_lexer_blanks(word + length)))
            continue;
        bool is_parameter = rd_lexer_is(word, length, "__VA_ARGS__");
        for (const char *one = rd_lexer_word(macro->open, &n); one && one < macro->body;
             one = rd_lexer_word(one + n, &n))
            is_parameter = is_parameter || (n == length && strncmp(one, word, n) == 0);
        *end = word + length;
        if (is_parameter)
            return at;
    }
    return NULL;
}

/* Tells whether a text has a launch among the macro's arguments. */
static bool is_given_launch(const char *text, const struct macro *macro)
{
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        const char *open = rd_lexer_blanks(word + length);
        if (length != macro->length || strncmp(word, macro->name, length) != 0 || *open != '(' ||
            word == macro->name)
            continue;
        for (const char *at = open, *end = rd_lexer_behind(open); at < end; at++) {
            const char *next = rd_lexer_skip(at);
            if (next == at && rd_lexer_launch_sign(at, '<') > 0)
                return true;
            at = next > at ? next - 1 : at;
        }
    }
    return false;
}

void rd_check_said_launches_replace(struct rd_check_edits *edits, const struct rd_check_unit *unit,
                                    const char *text)
{
    struct macro macro;
    const char *end;
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        const char *said =
            read_macro(text, at, &macro) ? find_said(&macro, macro.body, &end) : NULL;
        bool is_given = said && is_given_launch(unit->text, &macro);
        for (size_t k = 0; said && !is_given && k < unit->includes.n; k++)
            is_given = is_given_launch(unit->includes.all[k].text, &macro);
        for (; is_given && said; said = find_said(&macro, end, &end)) {
            rd_check_edits_add(edits, said, said, "__rd_said(");
            rd_check_edits_add(edits, end, end, ")");
        }
    }
}
