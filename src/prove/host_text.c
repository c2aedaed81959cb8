// SPDX-License-Identifier: MIT
/* A user's text as the prover reads it: annotations are calls, so that the compiler finds what their names mean. */
#include "check/rewrite.h"
#include "prove/host.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* rd_prove_law(3, A, w, n) */
static void write_call(const struct rd_annotation *of, FILE *out)
{
    const char *array = of->array.expression;
    fprintf(out, "%s(%u", array ? "rd_prove_law" : "rd_prove_condition", of->site);
    if (array)
        fprintf(out, ", %s(%s)", of->scalar ? "&" : "", array);
    for (size_t k = 0; k < of->n_names; k++)
        fprintf(out, ", %s", of->names[k].any ? "0" : of->names[k].expression);
    fputs(")", out);
}

static void add(const struct rd_annotations *annotations, size_t first, bool of_loop,
                struct rd_check_edits *edits)
{
    const struct rd_annotation *one = &annotations->all[first];
    char *text = NULL;
    size_t size, count = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        edits->failed = true;
        return;
    }
    for (size_t k = first; k < annotations->n; k++) {
        const struct rd_annotation *other = &annotations->all[k];
        const bool is_invariant = other->kind == RD_ANNOTATION_INVARIANT;
        if (is_invariant != of_loop ||
            (of_loop ? other->loop != one->loop : other->comment != one->comment))
            continue;
        write_call(other, out);
        fputs(of_loop ? ", " : "; ", out);
        count++;
    }
    if (of_loop && one->no_condition)
        fputs("true", out);
    const char *from = of_loop ? one->condition : one->comment,
               *to = of_loop ? one->condition : one->end;
    if (fclose(out) != 0)
        edits->failed = true;
    else if (count > 0)
        rd_check_edits_add(edits, from, to, "%s", text);
    free(text);
}

/* ---- numbers that may be any ---- */

/* Behind the literal 16 of "n = 16" at `at`, where a declarator ends with it; else NULL. */
static const char *behind_literal(const char *at, const char **from)
{
    at = rd_lexer_blanks(at);
    if (*at != '=' || at[1] == '=')
        return NULL;
    *from = at = rd_lexer_blanks(at + 1);
    if (!isdigit((unsigned char)*at))
        return NULL;
    while (isdigit((unsigned char)*at))
        at++;
    while (*at && strchr("uUlL", *at))
        at++;
    const char *next = rd_lexer_blanks(at);
    return *next == ',' || *next == ';' ? at : NULL;
}

/* Has the variable that the function sets to a literal before the annotation be set to any number. */
static void set_any(const struct rd_annotation *of, const char *name, size_t length,
                    struct rd_check_edits *edits)
{
    size_t size;
    for (const char *word = rd_lexer_word(of->function->body, &size); word && word < of->word;
         word = rd_lexer_word(word + size, &size)) {
        const char *from, *to;
        if (size != length || strncmp(word, name, length) != 0 ||
            !(to = behind_literal(word + size, &from)))
            continue;
        for (size_t k = 0; k < edits->n; k++)
            if (edits->all[k].from == from)
                return;
        rd_check_edits_add(edits, from, to, "(rd_prove_any(), %.*s)", (int)(to - from), from);
        return;
    }
}

static void set_all_any(const struct rd_annotation *of, struct rd_check_edits *edits)
{
    if (of->in_device || (of->kind != RD_ANNOTATION_REQUIRES && of->kind != RD_ANNOTATION_INPUT))
        return;
    for (size_t k = 0; k < of->n_names; k++) {
        size_t length;
        const char *at = of->names[k].any ? NULL : of->names[k].expression;
        for (const char *word = at ? rd_lexer_word(at, &length) : NULL; word;
             word = rd_lexer_word(word + length, &length))
            set_any(of, word, length, edits);
    }
}

char *rd_host_text(const struct rd_annotations *annotations, bool any_numbers)
{
    struct rd_check_edits edits = {0};
    for (size_t k = 0; k < annotations->n; k++) {
        const struct rd_annotation *one = &annotations->all[k];
        bool is_first = true;
        for (size_t before = 0; before < k; before++)
            is_first = is_first && annotations->all[before].loop != one->loop;
        if (k == 0 || one->comment != annotations->all[k - 1].comment)
            add(annotations, k, false, &edits);
        if (one->kind == RD_ANNOTATION_INVARIANT && is_first)
            add(annotations, k, true, &edits);
        if (any_numbers)
            set_all_any(one, &edits);
    }
    char *text = edits.failed ? NULL : rd_check_edits_apply(&edits, annotations->text);
    rd_check_edits_finish(&edits);
    return text;
}
