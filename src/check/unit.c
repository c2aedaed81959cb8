// SPDX-License-Identifier: MIT
#include "check/unit.h"
#include "check/compiler.h"
#include "check/headers.h"
#include "check/host_sets.h"
#include "check/launches.h"
#include "check/lexer.h"
#include "check/returns.h"

#include <stdlib.h>
#include <string.h>

enum rd_status rd_check_unit_init(struct rd_check_unit *unit,
                                  const struct rd_check_options *options, const char *directory,
                                  struct rd_error *error)
{
    char *text;
    enum rd_status status = rd_check_read_source(options->file, &text, error);
    if (status != RD_OK)
        return status;
    *unit = (struct rd_check_unit){.options = options, .directory = directory, .text = text};
    rd_check_functions_init(&unit->functions, text);
    rd_check_names_find_own(&unit->own, text);
    return RD_OK;
}

void rd_check_unit_finish(struct rd_check_unit *unit)
{
    rd_check_functions_finish(&unit->functions);
    rd_check_names_finish(&unit->own);
    rd_check_names_finish(&unit->others);
    free(unit->text);
}

/* A text as it stands in a string of C. */
static void write_quoted(FILE *file, const char *text)
{
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", file);
        else
            fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void write_host_sets(const struct rd_check_unit *unit, FILE *file)
{
    char *sets = rd_check_host_sets_find(unit);
    fputs("__RD_CHECK_HOST_SETS(\"", file);
    write_quoted(file, sets ? sets : "");
    fputs("\")\n", file);
    free(sets);
}

static bool is_own_header(const char *name, size_t length)
{
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++)
        if (rd_lexer_is(name, length, header->name))
            return true;
    return false;
}

/* The headers that the file includes with angle brackets, and those of the simulator's: they declare
 * what they have under its own name. */
static void write_includes(const struct rd_check_unit *unit, FILE *file)
{
    size_t length;
    for (const char *at = strchr(unit->text, '#'); at; at = strchr(at + 1, '#')) {
        const char *end = rd_lexer_directive(unit->text, at);
        const char *word = end > at ? rd_lexer_word(at + 1, &length) : NULL;
        if (!word || word >= end || !rd_lexer_is(word, length, "include"))
            continue;
        const char *name = word + length + strspn(word + length, " \t");
        int size = (int)strcspn(name + 1, ">\"\n");
        if (*name == '<' || (*name == '"' && is_own_header(name + 1, (size_t)size)))
            fprintf(file, "#if __has_include(<%.*s>)\n#include <%.*s>\n#endif\n", size, name + 1,
                    size, name + 1);
    }
}

static void write_text(const struct rd_check_unit *unit, const char *text, FILE *file)
{
    if (unit->removes_features)
        fputs("#include \"reductio_unsimulated.hpp\"\n", file);
    if (unit->own.n + unit->others.n > 0)
        write_includes(unit, file);
    rd_check_names_write(&unit->own, false, file);
    rd_check_names_write(&unit->others, true, file);
    fputs("#line 1 \"", file);
    write_quoted(file, unit->options->file);
    fprintf(file, "\"\n%s\n#line 1 \"--kernel\"\n", text);
}

static char *make_text(struct rd_check_unit *unit)
{
    struct rd_check_edits edits = {0};
    unit->launches =
        rd_check_launches_replace(&edits, unit->text, &unit->functions, unit->options->kernel);
    rd_check_returns_replace(&edits, unit->text, &unit->functions);
    rd_check_features_replace(&edits, unit->text, &unit->functions);
    if (unit->removes_features)
        rd_check_features_remove(&edits, unit->text, &unit->functions);
    char *text = rd_check_edits_apply(&edits, unit->text);
    rd_check_edits_finish(&edits);
    return text;
}

enum rd_status rd_check_unit_write(struct rd_check_unit *unit, const char *name, const char *kernel,
                                   struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE], *text = make_text(unit);
    if (!text)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", unit->options->file);
    snprintf(path, sizeof path, "%s/%s.cpp", unit->directory, name);
    FILE *file = fopen(path, "w");
    if (file) {
        write_text(unit, text, file);
        if (kernel) {
            write_host_sets(unit, file);
            fprintf(file, "__RD_CHECK_KERNEL(%u, %u, %d, ", unit->launches.of_kernel,
                    unit->launches.on_device,
                    rd_check_functions_have_kernel(&unit->functions, unit->options->kernel));
            rd_check_kernel_expression(kernel, file);
            fputs(")\n", file);
        }
    }
    free(text);
    if (!file || fclose(file) != 0)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    return RD_OK;
}

enum rd_status rd_check_unit_write_probe(const struct rd_check_unit *unit, const char *name,
                                         const struct rd_check_names *names, struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.cpp", unit->directory, name);
    FILE *file = fopen(path, "w");
    if (file)
        write_includes(unit, file);
    for (size_t k = 0; file && k < names->n; k++) {
        const struct rd_check_name *one = &names->all[k];
        fprintf(file, "#line %zu \"%s\"\n#ifndef %.*s\nnamespace __rd_probe%zu {\n", k + 1, name,
                (int)one->length, one->word, k);
        fprintf(file, "#line %zu\nusing ::%.*s;\n}\n#endif\n", k + 1, (int)one->length, one->word);
    }
    if (!file || fclose(file) != 0)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    return RD_OK;
}
