// SPDX-License-Identifier: MIT
/* Messages of the compiler about a file, said in one sentence of our own: a header that is nowhere, an annotation of what no law can
 * be of, a name in one that nothing declares. */
#include "check/annotation/annotation.h"
#include "check/compiler/compiler.h"
#include "check/compiler/compiler_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "sum.cu:3:10: fatal error: torch/extension.h: No such file or directory" of GCC, "... 'torch/extension.h' file not found" of clang:
 * the place and the name. */
static bool read_absent(char *said, const char **place, const char **name)
{
    static const char mark[] = ": fatal error: ";
    static const char *const endings[] = {": No such file or directory", "' file not found"};
    char *at = strstr(said, mark);
    if (!at)
        return false;
    for (unsigned k = 0; k < sizeof endings / sizeof *endings; k++) {
        char *end = strstr(at, endings[k]);
        if (!end)
            continue;
        *end = '\0';
        *at = '\0';
        *place = said;
        *name = at + strlen(mark) + (at[strlen(mark)] == '\'');
        char *column = strrchr(said, ':'); /* which says nothing here */
        if (column)
            *column = '\0';
        return **name != '\0';
    }
    return false;
}

/* An annotation's expressions are arguments of functions that only the right types have, see reductio_law.hpp: the compiler has an
 * error at each of the others, and they are one mistake. False where the line is none of these. */
static bool read_annotation(const char *said, const struct rd_check_compiler *compiler,
                            struct rd_error *error)
{
    static const char call[] = "__rd_law_", *const marks[] = {"attribute error: ", "attribute: "};
    const char *colon = strstr(said, ": error: "), *text = NULL;
    const int place = colon ? (int)(colon - said) : 0;
    for (unsigned k = 0; colon && strstr(colon, call) && k < 2 && !text; k++) {
        text = strstr(colon, marks[k]);
        text = text ? text + strlen(marks[k]) : NULL;
    }
    if (!text)
        return false;
    const char *column = colon;
    while (column > said && strchr("0123456789", column[-1]))
        column--;
    /* GCC points to the bracket before the expression. */
    rd_fail(error, RD_ERROR_INPUT, "%.*s%lu: %.*s", (int)(place - (colon - column)), said,
            strtoul(column, NULL, 10) + !compiler->clang, (int)strcspn(text, "\n"), text);
    return true;
}

/* "sum.cu:25:62: error: 'jj' was not declared in this scope" of a name in an annotation. False where the line is none of these. */
static bool read_name(const char *said, const struct rd_check_compiler *compiler,
                      struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE];
    const size_t length = strcspn(said, ":");
    if (said[length] != ':' || length >= sizeof path)
        return false;
    snprintf(path, sizeof path, "%.*s", (int)length, said);
    const struct rd_annotations *of =
        rd_annotations_of(compiler->annotations, compiler->n_annotations, path);
    return of && rd_annotations_explain_name(of, (unsigned)strtoul(said + length + 1, NULL, 10),
                                             said, error);
}

void rd_check_compiler_explain(const struct rd_check_compiler *compiler, const char *name,
                               struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE], *said = NULL;
    const char *place, *header;
    bool others = false, absent = false, is_of_law = false;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s.txt", compiler->directory, name);
    FILE *file = fopen(path, "r");
    while (file && !absent && getline(&said, &size, file) > 0) {
        const bool is_error = strstr(said, ": error: ") != NULL;
        if (is_error && strstr(said, "__rd_law_"))
            is_of_law = is_of_law || read_annotation(said, compiler, error);
        else if (is_error && !is_of_law && read_name(said, compiler, error))
            is_of_law = true;
        else
            others = others || is_error;
        absent = read_absent(said, &place, &header);
        if (absent)
            rd_fail(error, RD_ERROR_INPUT,
                    "%.300s includes '%.200s', which is nowhere: give the folder that has it, -I "
                    "FOLDER",
                    place, header);
    }
    free(said);
    if (file)
        fclose(file);
    if (others || !(absent || is_of_law))
        rd_check_compiler_errors_tell(compiler, name);
}
