// SPDX-License-Identifier: MIT
#include "check/edits.h"
#include "base/array.h"
#include "check/lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rd_check_edits_add(struct rd_check_edits *edits, const char *from, const char *to,
                        const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0 ||
        !rd_array_make_room(&edits->all, edits->n, &edits->capacity, sizeof *edits->all)) {
        edits->failed = true;
        if (length >= 0)
            free(text);
        return;
    }
    edits->all[edits->n++] = (struct rd_check_edit){from, to, text};
}

void rd_check_edits_finish(struct rd_check_edits *edits)
{
    for (size_t k = 0; k < edits->n; k++)
        free(edits->all[k].text);
    free(edits->all);
    *edits = (struct rd_check_edits){0};
}

/* ---- applying them ---- */

/* The text so far, and where the next character of the source would stand. */
struct output {
    FILE *file;
    const char *text; /* all of the source */
    size_t column;    /* of the output */
};

static void put(struct output *out, char c)
{
    fputc(c, out->file);
    out->column = c == '\n' ? 0 : out->column + 1;
}

static void put_all(struct output *out, const char *from, const char *to)
{
    for (; from < to; from++)
        put(out, *from);
}

/* Puts the output where the source is: what follows stands on its line and, outside of directives, in
 * its column. */
static void align(struct output *out, const char *from, const char *to)
{
    size_t column = (size_t)(to - rd_lexer_line_start(out->text, to));
    for (; from < to; from++)
        if (*from == '\n') {
            if (from > out->text && from[-1] == '\\')
                put(out, '\\');
            put(out, '\n');
        }
    if (out->column > column && !rd_lexer_is_in_directive(out->text, to)) {
        out->column = 0;
        fprintf(out->file, "\n#line %u\n", rd_lexer_line(out->text, to));
    }
    while (out->column < column)
        put(out, ' ');
}

static int by_place(const void *x, const void *y)
{
    const struct rd_check_edit *one = x, *other = y;
    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return (one->to < other->to) - (one->to > other->to);
}

char *rd_check_edits_apply(struct rd_check_edits *edits, const char *text)
{
    char *result = NULL;
    size_t size;
    const char *at = text;
    struct output out = {.file = edits->failed ? NULL : open_memstream(&result, &size),
                         .text = text};
    if (!out.file)
        return NULL;
    if (edits->n > 0)
        qsort(edits->all, edits->n, sizeof *edits->all, by_place);
    for (size_t k = 0; k < edits->n; k++) {
        const struct rd_check_edit *edit = &edits->all[k];
        if (edit->from < at)
            continue;
        put_all(&out, at, edit->from);
        put_all(&out, edit->text, edit->text + strlen(edit->text));
        align(&out, edit->from, edit->to);
        at = edit->to;
    }
    put_all(&out, at, at + strlen(at));
    if (fclose(out.file) != 0) {
        free(result);
        return NULL;
    }
    return result;
}
