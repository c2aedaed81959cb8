// SPDX-License-Identifier: MIT
/* Launches that macros make a string of, too: "#define SAY(call) puts(#call); call" says what stands in the user's
 * file, "k<<<1, 2>>>(x)", not what has been made of it. */
#include "check/unit/unit_internal.h"
#include "check/source/lexer.h"
#include "check/source/rewrite.h"

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

/* Behind the string, the word or "#x" that stands at `at`; `at` itself where none does. */
static const char *behind_item(const char *at, const char *end)
{
    size_t length;
    if (*at == '#' && at[1] != '#') {
        const char *word = rd_lexer_word(at + 1, &length);
        return word && word < end && word == rd_lexer_blanks(at + 1) ? word + length : at;
    }
    return *at == '"' || (rd_lexer_is_letter(*at) && !(*at >= '0' && *at <= '9'))
               ? rd_lexer_skip(at)
               : at;
}

static bool is_parameter(const struct macro *macro, const char *item, const char *end)
{
    size_t length, n;
    const char *word = *item == '#' ? rd_lexer_word(item + 1, &length) : NULL;
    if (!word || word + length != end)
        return false;
    for (const char *one = rd_lexer_word(macro->open, &n); one && one < macro->body;
         one = rd_lexer_word(one + n, &n))
        if (n == length && strncmp(one, word, n) == 0)
            return true;
    return rd_lexer_is(word, length, "__VA_ARGS__");
}

/* Items that follow each other, which the compiler joins to one string: "x " #call "\n". */
struct joined {
    const char *from, *end;
    bool is_said;   /* there is a parameter among them, */
    bool is_narrow; /* they are of char, and written with backslashes, */
    bool is_value;  /* and may stand as a pointer there */
};

static const char *without_blanks_before(const char *from, const char *at)
{
    while (at > from && strchr(" \t\\\r\n", at[-1]))
        at--;
    return at;
}

/* The parenthesis in the macro's text that is open at a place; NULL: none is. */
static const char *open_at(const struct macro *macro, const char *place)
{
    enum { DEPTH_MAX = 32 };
    const char *open[DEPTH_MAX] = {NULL};
    unsigned depth = 0;
    for (const char *at = macro->body; at < place;) {
        const char *next = rd_lexer_skip(at);
        if (*at == '(' && depth < DEPTH_MAX)
            open[depth++] = at;
        else if (*at == ')' && depth > 0)
            depth--;
        at = next > at ? next : at + 1;
    }
    return depth > 0 ? open[depth - 1] : NULL;
}

/* Tells whether a pointer may stand there in a string's place: not in "char s[] = ", nor where a literal is asked for. */
static bool is_value_at(const struct macro *macro, const char *at)
{
    static const char *const callers[] = {"_Pragma", "static_assert", "_Static_assert",
                                          "asm",     "__asm__",       NULL};
    const char *before = without_blanks_before(macro->body, at);
    if (before > macro->body && before[-1] == '=') {
        before = without_blanks_before(macro->body, before - 1);
        return before == macro->body || before[-1] != ']';
    }
    const char *open = open_at(macro, at);
    const char *end = open ? without_blanks_before(macro->body, open) : at, *word = end;
    while (open && word > macro->body && rd_lexer_is_letter(word[-1]))
        word--;
    return !rd_lexer_is_one_of(word, (size_t)(end - word), callers);
}

static struct joined read_joined(const struct macro *macro, const char *at)
{
    static const char *const others[] = {"return", "else",      "do", "throw",
                                         "case",   "co_return", NULL};
    struct joined joined = {.from = at, .end = at, .is_narrow = true};
    for (const char *next; at < macro->end && (next = behind_item(at, macro->end)) > at;) {
        const size_t length = (size_t)(next - at);
        if (rd_lexer_is_one_of(at, length, others)) {
            joined.from = joined.end = next;
            joined.is_said = false;
        } else {
            joined.is_said |= is_parameter(macro, at, next);
            joined.is_narrow &= *next != '"' || *at == '"'; /* L"", R"()" */
            joined.from = joined.from == joined.end ? at : joined.from;
            joined.end = next;
        }
        at = rd_lexer_blanks(next);
        while (*at == '\\' && at < macro->end)
            at = rd_lexer_blanks(at + 1);
    }
    joined.is_value = is_value_at(macro, joined.from);
    return joined;
}

/* The next string in the macro's text that a parameter is made one of, with what the compiler joins it with; NULL: none. */
static const char *find_said(const struct macro *macro, const char *from, const char **end)
{
    for (const char *at = from; at < macro->end;) {
        const struct joined joined = read_joined(macro, at);
        const char *next = joined.end > at ? joined.end : rd_lexer_skip(at);
        const bool is_glued = next + 1 < macro->end && rd_lexer_blanks(next)[0] == '#' &&
                              rd_lexer_blanks(next)[1] == '#';
        if (joined.is_said && joined.is_narrow && joined.is_value && !is_glued) {
            *end = joined.end;
            return joined.from;
        }
        if (strncmp(at, "##", 2) == 0) { /* and what it is glued to */
            at = rd_lexer_blanks(at + 2);
            next = behind_item(at, macro->end);
        }
        at = next > at ? next : at + 1;
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
