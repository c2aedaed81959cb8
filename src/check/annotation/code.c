// SPDX-License-Identifier: MIT
/* Code in the place of annotations: it hands what a law speaks of to the simulator, at each evaluation of a loop's condition or
 * where the annotation stands. Each of the program's expressions stands on its own line and in its own column, so that what
 * the compiler has to say of it is said of the annotation. */
#include "check/annotation/annotation.h"
#include "check/source/rewrite.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct code {
    const struct rd_annotations *of;
    FILE *file;
};

static void put(struct code *code, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct code *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(code->file, format, arguments);
    va_end(arguments);
}

/* The text that follows is on the line of that place, from its first column on. */
static void put_line(struct code *code, const char *at)
{
    put(code, "\n#line %u\n", rd_lexer_line(code->of->text, at));
}

/* Puts the expression where it stands, with this sign before it. */
static void put_expression(struct code *code, const struct rd_annotation_name *name,
                           const char *sign)
{
    const int column = (int)(name->at - rd_lexer_line_start(code->of->text, name->at));
    put_line(code, name->at);
    put(code, "%*s%s%s", column > (int)strlen(sign) ? column - (int)strlen(sign) : 0, "", sign,
        name->expression);
}

/* Hands over all that the law takes: an expression of C++ whose parts have commas between. `loop` is the object that counts
 * evaluations; NULL: it is a statement. */
static void put_annotation(struct code *code, const struct rd_annotation *of, const char *loop)
{
    const bool is_input = of->kind == RD_ANNOTATION_INPUT;
    if (loop)
        put(code, "%s.begin(%uu), ", loop, of->site);
    else
        put(code, "rd_sim_law_begin(%uu, 0, 0), ", of->site);
    for (size_t k = 0; k < of->n_names; k++) {
        if (of->names[k].any) {
            put(code,
                "rd_sim_law_name(0), \n#ifdef %s\nrd_sim_law_lack(\"'%s' is a macro, and stood for "
                "any number\"), \n#endif\n",
                of->names[k].expression, of->names[k].expression);
            continue;
        }
        put(code, "__rd_law_name"); /* the bracket is where the compiler sees the call */
        put_expression(code, &of->names[k], "(");
        put(code, "), ");
    }
    if (of->array.expression) {
        put(code, is_input        ? "__rd_law_input"
                  : of->scalar    ? "__rd_law_scalar"
                  : of->in_device ? "__rd_law_lanes"
                                  : "__rd_law_array");
        put_expression(code, &of->array, "(");
        for (size_t k = 0; is_input && k < of->n_names; k++) {
            put(code, ", ");
            put_expression(code, &of->names[k], "");
        }
        put(code, "), ");
    }
    put(code, "rd_sim_law_end()");
}

/* Where the edits are made. */
struct target {
    const struct rd_annotations *of;
    const char *text;
    struct rd_check_edits *edits;
};

static const char *place_in(const struct target *target, const char *at)
{
    return target->text + (at - target->of->text);
}

static void add(const struct target *target, const char *from, const char *to, char *text)
{
    struct rd_check_edits *edits = target->edits;
    if (text)
        rd_check_edits_add(target->edits, place_in(target, from), place_in(target, to), "%s", text);
    else
        edits->failed = true;
    free(text);
}

/* The statements among the annotations of a comment, in its place, and marks for its invariants. */
static void replace_statements(const struct target *target, size_t first)
{
    const struct rd_annotations *of = target->of;
    const char *comment = of->all[first].comment;
    char *text = NULL;
    size_t size;
    struct code code = {.of = of, .file = open_memstream(&text, &size)};
    bool has_any = false;
    if (!code.file) {
        target->edits->failed = true;
        return;
    }
    for (size_t k = first; k < of->n && of->all[k].comment == comment; k++) {
        has_any = true;
        if (of->all[k].kind == RD_ANNOTATION_INVARIANT) { /* unless a directive leaves it out */
            put(&code, "\n#define __rd_law_is_there_%u\n", of->all[k].site);
            continue;
        }
        put_annotation(&code, &of->all[k], NULL);
        put(&code, "; ");
    }
    put_line(&code, comment);
    if (fclose(code.file) != 0) {
        free(text);
        text = NULL;
    }
    if (has_any)
        add(target, comment, of->all[first].end, text);
    else
        free(text);
}

/* The loop gets an object around it that lives as long as it runs, and its condition the invariants. */
static void replace_loop(const struct target *target, size_t first)
{
    const struct rd_annotations *of = target->of;
    const struct rd_annotation *one = &of->all[first];
    char *text = NULL, name[40];
    size_t size;
    struct code code = {.of = of, .file = open_memstream(&text, &size)};
    if (!code.file) {
        target->edits->failed = true;
        return;
    }
    snprintf(name, sizeof name, "__rd_law_loop%u", one->site);
    rd_check_edits_add(target->edits, place_in(target, one->loop), place_in(target, one->loop),
                       "for (__rd_law_loop %s(%uu); %s.enter();)", name, one->site, name);
    for (size_t k = first; k < of->n; k++) {
        if (of->all[k].loop != one->loop)
            continue;
        put(&code, "\n#ifdef __rd_law_is_there_%u\n", of->all[k].site);
        put_annotation(&code, &of->all[k], name);
        put(&code, ", \n#endif\n");
    }
    put(&code, "%s.end()%s", name, one->no_condition ? ", true" : ", ");
    put_line(&code, one->condition);
    if (fclose(code.file) != 0) {
        free(text);
        text = NULL;
    }
    add(target, one->condition, one->condition, text);
}

void rd_annotations_replace(const struct rd_annotations *annotations, const char *text,
                            struct rd_check_edits *edits)
{
    const struct target target = {annotations, text, edits};
    for (size_t k = 0; k < annotations->n; k++) {
        const struct rd_annotation *one = &annotations->all[k];
        if (k == 0 || one->comment != annotations->all[k - 1].comment)
            replace_statements(&target, k);
        bool is_first = one->kind == RD_ANNOTATION_INVARIANT;
        for (size_t before = 0; before < k && is_first; before++)
            is_first = annotations->all[before].loop != one->loop;
        if (is_first)
            replace_loop(&target, k);
    }
    rd_annotation_numbers_set(annotations, text, edits);
}
