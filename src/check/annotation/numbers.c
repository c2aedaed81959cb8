// SPDX-License-Identifier: MIT
/* Numbers of a program that its annotations leave open: variables that `requires` or the size of an `input` names, and that are set to a
 * literal, or to what literals make, before. */
#include "check/annotation/annotation.h"

#include <ctype.h>
#include <string.h>

/* Behind a whole number, 16 or 0x10u; NULL where there is none. */
static const char *behind_number(const char *at)
{
    if (!isdigit((unsigned char)*at))
        return NULL;
    const bool is_hex = *at == '0' && (at[1] == 'x' || at[1] == 'X');
    for (at += is_hex ? 2 : 0; is_hex ? isxdigit((unsigned char)*at) : isdigit((unsigned char)*at);)
        at++;
    while (*at && strchr("uUlL", *at))
        at++;
    return at;
}

/* Behind the operator; NULL where there is none of those between numbers. */
static const char *behind_operator(const char *at)
{
    if ((*at == '<' || *at == '>') && at[1] == *at)
        return at + 2;
    return *at && strchr("+-*/%", *at) && at[1] != '=' ? at + 1 : NULL;
}

/* Behind the literal 16 of "n = 16" at `at`, or behind "1 << 10", where a declarator ends with it; else NULL. */
static const char *behind_literal(const char *at, const char **from)
{
    unsigned depth = 0;
    at = rd_lexer_blanks(at);
    if (*at != '=' || at[1] == '=')
        return NULL;
    *from = at = rd_lexer_blanks(at + 1);
    for (;;) {
        for (; *at == '('; depth++)
            at = rd_lexer_blanks(at + 1);
        const char *end = behind_number(at);
        if (!end)
            return NULL;
        for (at = rd_lexer_blanks(end); *at == ')' && depth > 0; depth--)
            at = rd_lexer_blanks(end = at + 1);
        if (*at == ',' || *at == ';')
            return depth == 0 ? end : NULL;
        if (!(at = behind_operator(at)))
            return NULL;
        at = rd_lexer_blanks(at);
    }
}

/* Tells whether what stands behind the token is one statement of an `if`, an `else` or a loop. */
static bool begins_branch(const char *token)
{
    const size_t length = rd_lexer_word_length(token);
    return *token == '(' || rd_lexer_is(token, length, "else") || rd_lexer_is(token, length, "do");
}

/* The literals that the function sets the variable to: the last before the annotation that each way to it comes by; NULL: there are none.
 * What stands in brackets, or in a block that has ended before, is passed over. */
static const char *literal_of(const struct rd_annotation *of, const char *name, size_t length,
                              const char **to)
{
    const char *found = NULL, *from, *behind, *before = ";", *next;
    for (const char *at = of->function->body; *at && at < of->word; at = rd_lexer_blanks(next)) {
        next = *at == '{' && rd_lexer_pass(at) > of->word ? at + 1 : rd_lexer_pass(at);
        if (rd_lexer_word_length(at) == length && strncmp(at, name, length) == 0 &&
            !begins_branch(before) && *before != '.' && *before != '>' &&
            (behind = behind_literal(at + length, &from))) {
            found = from;
            *to = behind;
        }
        before = at;
    }
    return found;
}

void rd_annotation_numbers(const struct rd_annotation *of,
                           void (*number)(void *self, const char *name, size_t length,
                                          const char *from, const char *to),
                           void *self)
{
    if (of->in_device || (of->kind != RD_ANNOTATION_REQUIRES && of->kind != RD_ANNOTATION_INPUT))
        return;
    for (size_t k = 0; k < of->n_names; k++) {
        size_t length;
        const char *to, *from, *at = of->names[k].any ? NULL : of->names[k].expression;
        for (const char *word = at ? rd_lexer_word(at, &length) : NULL; word;
             word = rd_lexer_word(word + length, &length))
            if ((from = literal_of(of, word, length, &to)))
                number(self, word, length, from, to);
    }
}

struct search {
    const char *name;
    bool found;
};

static void compare(void *self, const char *name, size_t length, const char *from, const char *to)
{
    struct search *search = self;
    (void)from;
    (void)to;
    search->found =
        search->found || (strncmp(search->name, name, length) == 0 && search->name[length] == '\0');
}

bool rd_annotation_has_number(const struct rd_annotations *annotations, const char *name)
{
    struct search search = {.name = name};
    for (size_t k = 0; k < annotations->n; k++)
        rd_annotation_numbers(&annotations->all[k], compare, &search);
    return search.found;
}

/* ---- set to others ---- */

struct setting {
    const struct rd_annotations *annotations;
    const char *text; /* the same, elsewhere */
    struct rd_check_edits *edits;
};

static void set(void *self, const char *name, size_t length, const char *from, const char *to)
{
    const struct setting *setting = self;
    const struct rd_annotations *annotations = setting->annotations;
    const char *place = setting->text + (from - annotations->text);
    for (size_t k = 0; k < setting->edits->n; k++)
        if (setting->edits->all[k].from == place)
            return;
    for (size_t k = 0; k < annotations->n_numbers; k++) {
        const struct rd_annotation_number *number = &annotations->numbers[k];
        if (strncmp(number->name, name, length) == 0 && number->name[length] == '\0')
            rd_check_edits_add(setting->edits, place, place + (to - from), "%llu", number->value);
    }
}

void rd_annotation_numbers_set(const struct rd_annotations *annotations, const char *text,
                               struct rd_check_edits *edits)
{
    struct setting setting = {annotations, text, edits};
    for (size_t k = 0; k < annotations->n && annotations->n_numbers > 0; k++)
        rd_annotation_numbers(&annotations->all[k], set, &setting);
}
