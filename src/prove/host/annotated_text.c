// SPDX-License-Identifier: MIT
/* A user's text as the prover reads it: annotations are calls, so that the compiler finds what their names mean. */
#include "check/source/rewrite.h"
#include "prove/host/host.h"

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

static void set_any(void *self, const char *name, size_t length, const char *from, const char *to)
{
    struct rd_check_edits *edits = self;
    (void)name;
    (void)length;
    for (size_t k = 0; k < edits->n; k++)
        if (edits->all[k].from == from)
            return;
    rd_check_edits_add(edits, from, to, "(rd_prove_any(), %.*s)", (int)(to - from), from);
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
            rd_annotation_numbers(one, set_any, &edits);
    }
    char *text = edits.failed ? NULL : rd_check_edits_apply(&edits, annotations->text);
    rd_check_edits_finish(&edits);
    return text;
}
