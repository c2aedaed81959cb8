// SPDX-License-Identifier: MIT
/* What the text around an annotation says without a compiler: whether a name in its law is the program's, and whether the
 * preprocessor leaves it out. */
#include "check/annotation/reading.h"

#include <string.h>

/* ---- what is left out ---- */

/* The word of a directive, "if", and what stands behind it. */
static const char *word_of(const char *directive, size_t *length, const char **behind)
{
    const char *word = directive + 1 + strspn(directive + 1, " \t");
    *length = rd_lexer_word_length(word);
    *behind = word + *length + strspn(word + *length, " \t");
    return word;
}

static bool is_number(const char *at, char digit)
{
    return *at == digit && !rd_lexer_is_letter(at[1]) && at[1 + strspn(at + 1, " \t")] == '\n';
}

/* Behind the directive that ends the part of a conditional group which begins at `at`. */
static const char *behind_part(const char *text, const char *at)
{
    static const char *const ends[] = {"else", "elif", "endif", NULL};
    static const char *const begins[] = {"if", "ifdef", "ifndef", NULL};
    size_t depth = 0, length;
    for (const char *next; *at; at = next) {
        const char *directive = rd_lexer_directive(text, at), *behind;
        next = directive > at ? directive : rd_lexer_pass(at);
        if (*at == '(' || *at == '{' || *at == '[') /* which may be open in this part alone */
            next = at + 1;
        if (directive == at)
            continue;
        const char *word = word_of(at, &length, &behind);
        if (depth == 0 && rd_lexer_is_one_of(word, length, ends))
            return next;
        depth += rd_lexer_is_one_of(word, length, begins);
        depth -= depth > 0 && rd_lexer_is(word, length, "endif");
    }
    return at;
}

const char *rd_annotation_behind_left_out(const char *text, const char *directive)
{
    size_t length;
    const char *behind, *word = word_of(directive, &length, &behind);
    const char *next = rd_lexer_directive(text, directive);
    return rd_lexer_is(word, length, "if") && is_number(behind, '0') ? behind_part(text, next)
                                                                     : next;
}

/* ---- names ---- */

static bool is_statement_with_names(const char *at, size_t length)
{
    static const char *const words[] = {"for", "while", "if", "switch", "do", NULL};
    return rd_lexer_is_one_of(at, length, words);
}

/* Tells whether the function, in whose code the annotation stands, has the word where it may be one of a variable in scope: before
 * the annotation, or in the head of its loop, and in no block or statement that is over there. */
static bool function_has(const struct rd_annotation *of, const char *word)
{
    const char *place = of->condition ? of->condition : of->word, *end;
    for (const char *at = of->function->head; at < place; at = end) {
        const size_t length = rd_lexer_word_length(at);
        end = rd_lexer_skip(at);
        end = end > at ? end : at + 1;
        if (*at == '{' && rd_lexer_behind(at) <= place)
            end = rd_lexer_behind(at);
        else if (length > 0 && is_statement_with_names(at, length) &&
                 rd_annotation_statement_end(at) <= place)
            end = rd_annotation_statement_end(at);
        else if (at != of->function->name && length > 0 && rd_lexer_is(at, length, word))
            return true; /* the function's own name is none of a number */
    }
    return false;
}

/* What the braces that come next are of. */
enum braces { BRACES_OF_CODE, BRACES_OF_NAMES, BRACES_OF_CLASS };

struct scan {
    const char *text, *word;
    const char *place; /* the annotation's, in the text; NULL in another text */
    bool is_member;    /* its function is defined outside of its class: "int S::f()" */
};

static enum braces braces_behind(const char *at, size_t length, enum braces before)
{
    static const char *const names[] = {"namespace", "enum", "extern", NULL};
    static const char *const classes[] = {"class", "struct", "union", NULL};
    if (rd_lexer_is_one_of(at, length, names))
        return BRACES_OF_NAMES;
    if (rd_lexer_is_one_of(at, length, classes)) /* of "enum class" the names are its own */
        return before == BRACES_OF_NAMES ? BRACES_OF_CODE : BRACES_OF_CLASS;
    return before;
}

static bool defines(const char *directive, const char *word)
{
    size_t length;
    const char *name = rd_lexer_word(directive, &length);
    if (!name || !rd_lexer_is(name, length, "define"))
        return false;
    name += length + strspn(name + length, " \t");
    return rd_lexer_is(name, rd_lexer_word_length(name), word);
}

/* Tells whether the code between functions declares the word: a variable, an enumerator, a macro, or a member of the class in
 * which the annotation stands. */
static bool declares(const struct scan *scan, const char *at, const char *end)
{
    enum braces braces = BRACES_OF_CODE;
    for (const char *next; at < end && *at; at = next) {
        const size_t length = rd_lexer_word_length(at);
        const char *directive = *at == '#' ? rd_lexer_directive(scan->text, at) : at;
        next = directive > at ? directive : rd_lexer_pass(at);
        if (directive > at && defines(at, scan->word))
            return true;
        if (*at == ';')
            braces = BRACES_OF_CODE;
        if (*at == '{') {
            const bool is_around = scan->place && at < scan->place && next > scan->place;
            const bool is_open = braces == BRACES_OF_NAMES ||
                                 (braces == BRACES_OF_CLASS && (is_around || scan->is_member));
            if (is_open && declares(scan, at + 1, next - 1))
                return true;
            braces = BRACES_OF_CODE;
        }
        if (length == 0)
            continue;
        if (rd_lexer_is(at, length, "template") && *rd_lexer_blanks(at + length) == '<')
            next = rd_lexer_behind_angles(rd_lexer_blanks(at + length), end);
        braces = braces_behind(at, length, braces);
        const char behind = *rd_lexer_blanks(at + length);
        if (rd_lexer_is(at, length, scan->word) && behind && strchr("=;,[{}", behind))
            return true;
    }
    return false;
}

bool rd_annotation_is_in_scope(const struct rd_annotation_reading *reading, const char *word)
{
    const struct rd_annotation *of = reading->of;
    const struct rd_annotations *file = reading->file;
    const struct rd_check_function *function = of->function;
    const struct scan own = {.text = file->text,
                             .word = word,
                             .place = of->word,
                             .is_member =
                                 function->name > function->head && function->name[-1] == ':'};
    if (function_has(of, word) || declares(&own, own.text, of->word))
        return true;
    for (size_t k = 0; file->includes && k < file->includes->n; k++) {
        const char *text = file->includes->all[k].text;
        const struct scan other = {.text = text, .word = word, .is_member = own.is_member};
        if (declares(&other, text, text + strlen(text)))
            return true;
    }
    return false;
}
