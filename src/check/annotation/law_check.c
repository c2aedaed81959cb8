// SPDX-License-Identifier: MIT
/* Reads the law of an annotation as the language has it: what it refuses is refused where its author wrote it. */
#include "check/annotation/reading.h"
#include "reductio/law.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_name_at(const struct rd_annotation *of, size_t at, const char *alias)
{
    const size_t length = strlen(alias);
    return strncmp(of->law + at, alias, length) == 0 &&
           (at == 0 || !isalnum((unsigned char)of->law[at - 1])) &&
           !isalnum((unsigned char)of->law[at + length]);
}

static void cut_out(char *text, const char *from, const char *to)
{
    memmove(text + (from - text), to, strlen(to) + 1);
}

/* Says it as of an annotation: it has no sizes of a paragraph, and nothing that is known besides the program's names; what
 * follows its end is none of its author's. */
static void reword(struct rd_error *error, bool is_at_end, const char *place)
{
    char *why = error->text;
    static const char colon[] = "':' after the condition", end[] = "an operator";
    static const char found[] = "found '", known[] = " (known: ", sizes[] = " of n, T and B";
    char *at = strstr(why, found), *to;
    if (is_at_end && at && (to = strrchr(at + strlen(found), '\'')) && to[1] == '\0')
        snprintf(at, sizeof error->text - (size_t)(at - why), "found its end");
    if (!is_at_end && place && at && strcmp(at, "found 'n'") == 0) /* which stands for a name */
        snprintf(at, sizeof error->text - (size_t)(at - why), "found '%.*s'",
                 (int)rd_lexer_word_length(place), place);
    if ((at = strstr(why, colon))) {
        memmove(at + strlen(end), at + strlen(colon), strlen(at + strlen(colon)) + 1);
        memcpy(at, end, strlen(end));
    }
    if ((at = strstr(why, known)) && (to = strchr(at, ')')))
        cut_out(why, at, to + 1);
    if ((at = strstr(why, sizes)))
        cut_out(why, at, at + strlen(sizes));
    if (strstr(why, " is no operation: use "))
        snprintf(why + strlen(why), sizeof error->text - strlen(why), ", or count");
}

/* Reads the condition, in which each of the program's names is n. */
static enum rd_status check_condition(const struct rd_annotations *file,
                                      const struct rd_annotation *of, struct rd_error *error)
{
    const size_t length = strlen(of->law);
    struct rd_law_condition *condition = NULL;
    struct rd_law_error why = {0};
    char *text = malloc(length + 1);
    const char **places = malloc((length + 1) * sizeof *places);
    enum rd_status status = RD_ERROR_MEMORY;
    size_t n = 0;
    for (size_t at = 0; text && places && at <= length;) {
        size_t k = 0;
        while (k < of->n_names && !is_name_at(of, at, of->names[k].alias))
            k++;
        places[n] = of->places[at];
        text[n++] = k < of->n_names ? 'n' : of->law[at];
        at += k < of->n_names ? strlen(of->names[k].alias) : 1;
    }
    if (text && places)
        status = rd_law_condition_create(&condition, text, &why);
    rd_law_condition_destroy(condition);
    const char *place = why.column > 0 && why.column <= n ? places[why.column - 1] : NULL;
    reword(&why.what, why.column >= n, place);
    if (status == RD_ERROR_USAGE)
        rd_annotations_fail(file, place ? place : of->word, error, "%s", why.what.text);
    else if (status != RD_OK)
        rd_fail(error, status, "no memory for an annotation");
    free(text);
    free(places);
    return status;
}

/* Tells whether the input of that name in laws was declared with two sizes. */
static bool has_columns(const struct rd_annotations *files, size_t n_files, const char *alias)
{
    for (size_t f = 0; f < n_files; f++)
        for (size_t k = 0; k < files[f].n; k++) {
            const struct rd_annotation *one = &files[f].all[k];
            if (one->kind == RD_ANNOTATION_INPUT && one->array.alias &&
                strcmp(one->array.alias, alias) == 0)
                return one->n_names > 1;
        }
    return false;
}

/* Reads the paragraph of the law, in which each of the program's names stands for some number. */
static enum rd_status check_law(const struct rd_annotations *file, const struct rd_annotation *of,
                                const struct rd_annotations *files, size_t n_files,
                                struct rd_error *error)
{
    struct rd_law_error why = {0};
    struct rd_law *law = NULL;
    char *text = NULL;
    size_t size, start;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for an annotation");
    for (size_t k = 0; k < of->n_inputs; k++)
        fprintf(out, "input %s[n]%s\n", of->inputs[k],
                has_columns(files, n_files, of->inputs[k]) ? "[n]" : "");
    fprintf(out, "array %s%s\n", of->array.alias, of->scalar ? "" : "[n]");
    for (size_t k = 0; k < of->n_tables; k++)
        fprintf(out, "let %s_0 = n\n", of->tables[k]);
    for (size_t k = 0; k < of->n_names; k++)
        fprintf(out, "let %s = n\n", of->names[k].alias);
    fputs("law ", out);
    fflush(out);
    start = size;
    fputs(of->law, out);
    enum rd_status status = fclose(out) == 0 ? rd_law_create(&law, text, &why) : RD_ERROR_MEMORY;
    rd_law_destroy(law);
    if (status == RD_OK) {
        free(text);
        return RD_OK;
    }
    const char *at = text;
    for (size_t line = 1; at && line < why.line; line++)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : at;
    const size_t offset = (size_t)(at - text) + (why.column > 0 ? why.column - 1 : 0);
    const bool inside = why.line > 0 && offset >= start && offset <= start + strlen(of->law);
    free(text);
    if (status == RD_ERROR_MEMORY)
        return rd_fail(error, status, "no memory for an annotation");
    reword(&why.what, inside && offset >= start + strlen(of->law), NULL);
    return rd_annotations_fail(file, inside ? of->places[offset - start] : of->word, error, "%s",
                               why.what.text);
}

enum rd_status rd_annotation_check(const struct rd_annotations *file,
                                   const struct rd_annotation *of,
                                   const struct rd_annotations *files, size_t n_files,
                                   struct rd_error *error)
{
    return of->array.expression ? check_law(file, of, files, n_files, error)
                                : check_condition(file, of, error);
}

/* Tells whether the compiler's words quote that name. */
static bool is_quoted(const char *said, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(said, name); at; at = strstr(at + 1, name)) {
        const char behind = at[length];
        /* The quotes of GCC are ', or of three bytes. */
        if (at > said && (at[-1] == '\'' || (at[-1] & 0x80)) && (behind == '\'' || (behind & 0x80)))
            return true;
    }
    return false;
}

bool rd_annotations_explain_name(const struct rd_annotations *file, unsigned line, const char *said,
                                 struct rd_error *error)
{
    if (!strstr(said, "undeclared identifier") && !strstr(said, "was not declared in this scope"))
        return false;
    for (size_t k = 0; k < file->n; k++) {
        const struct rd_annotation *of = &file->all[k];
        for (size_t i = 0; i < of->n_names; i++) {
            const struct rd_annotation_name *name = &of->names[i];
            if (rd_lexer_line(file->text, name->at) != line || !is_quoted(said, name->expression))
                continue;
            rd_annotations_fail(file, name->at, error, "'%s' is no variable of the program here%s",
                                name->expression,
                                of->array.expression
                                    ? ", and nothing in the law binds it: bound are names that "
                                      "'for' compares, or that stand alone in an index behind "
                                      "'of', as j in a[j]"
                                    : "");
            return true;
        }
    }
    return false;
}
