// SPDX-License-Identifier: MIT
#include "check/unit/unit.h"
#include "check/annotation/annotation.h"
#include "check/unit/unit_internal.h"
#include "check/unit/unsimulated.h"
#include "check/source/rewrite.h"
#include "check/source/lexer.h"
#include "check/unit/host_names.h"
#include "check/source/kernel_names.h"
#include "check/unit/launches.h"

#include <stdlib.h>
#include <string.h>

/* ---- the unit ---- */

/* A macro of any of the texts may mark functions of the others. */
static void mark_functions(struct rd_check_unit *unit)
{
    const size_t n = unit->includes.n + 1;
    const char **texts = malloc(n * sizeof *texts);
    struct rd_check_functions **functions = malloc(n * sizeof *functions);
    for (size_t k = 0; texts && functions && k < n; k++) {
        texts[k] = k == 0 ? unit->text : unit->includes.all[k - 1].text;
        functions[k] = k == 0 ? &unit->functions : &unit->includes.all[k - 1].functions;
    }
    if (texts && functions)
        rd_check_functions_mark(functions, texts, n);
    free(texts);
    free(functions);
}

static bool has_word_of_cuda(const char *text)
{
    return rd_check_includes_cuda(text) || strstr(text, "<<<") || strstr(text, "__global__") ||
           strstr(text, "__device__") || strstr(text, "//@") || strstr(text, "/*@");
}

/* Tells whether nvcc would give it to the host's compiler as it is, and nothing of CUDA's is in it. */
static bool is_of_host(const struct rd_check_unit *unit)
{
    static const char *const endings[] = {".cpp", ".cc", ".cxx", ".c", ".C"};
    const char *dot = strrchr(unit->options->file, '.');
    bool is = false;
    for (size_t k = 0; dot && k < sizeof endings / sizeof *endings; k++)
        is = is || strcmp(dot, endings[k]) == 0;
    is = is && !unit->options->kernel && !has_word_of_cuda(unit->text) &&
         !rd_check_unit_has_main(unit);
    for (size_t k = 0; is && k < unit->includes.n; k++)
        is = !has_word_of_cuda(unit->includes.all[k].text);
    return is;
}

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
    rd_check_includes_find(&unit->includes, options, options->file, text, &unit->functions);
    if (unit->includes.n > 0)
        mark_functions(unit);
    if (!options->kernel)
        rd_check_host_pass_init(&unit->pass, unit);
    rd_check_names_find_own(&unit->own, text);
    for (size_t k = 0; k < unit->includes.n; k++)
        rd_check_names_find_own(&unit->own, unit->includes.all[k].text);
    unit->is_of_host = is_of_host(unit);
    if (!unit->own.failed && !unit->pass.words.failed && !unit->pass.defined.failed)
        return RD_OK;
    rd_check_unit_finish(unit);
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of '%s'", options->file);
}

void rd_check_unit_finish(struct rd_check_unit *unit)
{
    rd_check_functions_finish(&unit->functions);
    rd_check_host_pass_finish(&unit->pass);
    rd_check_includes_finish(&unit->includes);
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

void rd_check_write_quoted(const char *text, FILE *file)
{
    fputc('"', file);
    write_quoted(file, text);
    fputc('"', file);
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

/* Tells whether the directive defines a name as nothing, by which headers ask for a part of theirs. */
static bool is_flag(const char *name, size_t length, const char *end)
{
    while (name + length < end && (name[length] == ' ' || name[length] == '\t'))
        length++;
    return name + length >= end || name[length] == '\n';
}

/* Writes the #includes of headers of the system's and the simulator's, under the file's own conditions: they declare
 * what they have under its own name. The user's are not among them, as only their copies are compiled. Each has another
 * spelling than in the file: GCC skips a name that __has_include() has failed to find before. False without memory. */
static bool write_includes(const struct rd_check_unit *unit, FILE *file)
{
    static const char *const conditions[] = {"if",   "ifdef", "ifndef", "elif",
                                             "else", "endif", NULL};
    size_t length;
    struct rd_check_names flags = {0};
    for (const char *at = strchr(unit->text, '#'); at; at = strchr(at + 1, '#')) {
        const char *end = rd_lexer_directive(unit->text, at);
        const char *word = end > at ? rd_lexer_word(at + 1, &length) : NULL;
        if (word && word < end && rd_lexer_is_one_of(word, length, conditions))
            fprintf(file, "%.*s\n", (int)(end - at), at);
        if (word && word < end && rd_lexer_is(word, length, "define")) {
            size_t n;
            const char *flag = rd_lexer_word(word + length, &n);
            if (flag && flag < end && is_flag(flag, n, end) &&
                !rd_check_names_have(&flags, flag, n)) {
                rd_check_names_add(&flags, flag, n);
                fprintf(file, "#ifndef %.*s\n#define %.*s\n#define __RD_FLAG_%.*s\n#endif\n",
                        (int)n, flag, (int)n, flag, (int)n, flag);
            }
        }
        if (!word || word >= end || !rd_lexer_is(word, length, "include") ||
            rd_check_includes_users_file(unit->options, unit->options->file, unit->text, at))
            continue;
        const char *name = word + length + strspn(word + length, " \t");
        int size = (int)strcspn(name + 1, ">\"\n");
        if (*name == '<' || (*name == '"' && is_own_header(name + 1, (size_t)size)))
            fprintf(file, "#if __has_include(<./%.*s>)\n#include <%.*s>\n#endif\n", size, name + 1,
                    size, name + 1);
    }
    for (size_t k = 0; k < flags.n; k++) {
        const int n = (int)flags.all[k].length;
        const char *flag = flags.all[k].word;
        fprintf(file, "#ifdef __RD_FLAG_%.*s\n#undef %.*s\n#endif\n", n, flag, n, flag);
    }
    const bool done = !flags.failed;
    rd_check_names_finish(&flags);
    return done;
}

static bool has_annotations(const struct rd_check_unit *unit)
{
    for (size_t k = 0; k < unit->n_annotations; k++)
        if (unit->annotations[k].n > 0)
            return true;
    return false;
}

/* Has words that stand for the name of a function give the user's. */
static void write_function_names(const struct rd_check_unit *unit, FILE *file)
{
    static const char *const words[] = {"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        bool is_said = strstr(unit->text, words[k]) != NULL;
        for (size_t n = 0; n < unit->includes.n; n++)
            is_said = is_said || strstr(unit->includes.all[n].text, words[k]);
        if (is_said)
            fprintf(file, "#define %s __rd_function_name(%s)\n", words[k], words[k]);
    }
}

/* A file of C is compiled as C++, which lacks a word of C's, and gives functions other names: missing.c. */
static bool is_c(const char *path)
{
    const size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".c") == 0;
}

static bool write_text(const struct rd_check_unit *unit, const char *text, FILE *file)
{
    if (is_c(unit->options->file))
        fputs("#define restrict __restrict__\n"
              "__attribute__((used)) static const char __rd_of_c __asm__(\"" RD_CHECK_OF_C
              "\") = 0;\n",
              file);
    if (has_annotations(unit) && !unit->is_of_host)
        fputs("#include \"reductio_law.hpp\"\n", file);
    if (unit->removes_features)
        fputs("#include \"reductio_unsimulated.hpp\"\n", file);
    const bool done =
        unit->own.n + unit->others.n == 0 || unit->is_of_host || write_includes(unit, file);
    if (!unit->is_of_host) {
        rd_check_names_write(&unit->own, false, file);
        rd_check_names_write(&unit->others, true, file);
        write_function_names(unit, file);
    }
    fputs("#line 1 \"", file);
    write_quoted(file, unit->shown ? unit->shown : unit->options->file);
    fprintf(file, "\"\n%s\n#line 1 \"--kernel\"\n", text);
    return done;
}

static void replace_by_attribute(struct rd_check_edits *edits, const char *word, const char *behind)
{
    const char *open = rd_lexer_blanks(behind), *close = rd_lexer_behind(open);
    if (*open == '(' && close > open)
        rd_check_edits_add(edits, word, close, "__align__%.*s", (int)(close - open), open);
}

/* Behind "__shared__" the compiler takes no alignas, but an attribute of the same meaning. */
static void replace_alignas(struct rd_check_edits *edits, const char *text)
{
    size_t length;
    bool is_variable = false;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        if (is_variable && rd_lexer_is(word, length, "alignas"))
            replace_by_attribute(edits, word, word + length);
        bool goes_on = rd_lexer_is(word, length, "extern") || rd_lexer_is(word, length, "static") ||
                       rd_lexer_is(word, length, "const");
        is_variable = rd_lexer_is(word, length, "__shared__") ||
                      rd_lexer_is(word, length, "__device__") ||
                      rd_lexer_is(word, length, "__constant__") || (is_variable && goes_on);
    }
}

/* A main that comes to its end returns 0; under another name it would return nothing. */
static void end_main(struct rd_check_edits *edits, const struct rd_check_functions *functions)
{
    size_t length;
    for (size_t k = 0; k < functions->n; k++) {
        const struct rd_check_function *function = &functions->all[k];
        const char *word = rd_lexer_word(function->head, &length);
        if (!rd_lexer_is(function->name, function->name_length, "main") || !word ||
            rd_lexer_is(word, length, "void"))
            continue;
        rd_check_edits_add(edits, function->end - 1, function->end - 1, " return 0; ");
    }
}

/* A text in which nothing is to be changed but where it includes others. */
static char *as_it_is(const struct rd_check_unit *unit, const char *path, const char *text)
{
    struct rd_check_edits edits = {0};
    rd_check_includes_replace(&edits, &unit->includes, unit->options, path, text);
    char *changed = rd_check_edits_apply(&edits, text);
    rd_check_edits_finish(&edits);
    return changed;
}

/* A text of the user's with all that is to be changed; counts its launches. */
static char *make_text(const struct rd_check_unit *unit, const char *path, const char *text,
                       const struct rd_check_functions *functions,
                       struct rd_check_launches *launches, unsigned *n_registered)
{
    struct rd_check_edits edits = {0};
    if (unit->is_of_host)
        return as_it_is(unit, path, text);
    struct rd_check_launches n =
        rd_check_launches_replace(&edits, text, functions, unit->options->kernel);
    launches->of_kernel += n.of_kernel;
    launches->on_device += n.on_device;
    rd_check_returns_replace(&edits, text, functions);
    rd_check_news_replace(&edits, text, functions);
    if (!unit->options->kernel) {
        rd_check_host_calls_replace(&edits, text, functions);
        rd_check_said_launches_replace(&edits, unit, text);
    }
    if (unit->marked)
        rd_check_host_names_mark(unit->marked, &edits, unit, text);
    rd_check_host_pass_replace(&unit->pass, &edits, text, functions);
    rd_check_exchanges_replace(&edits, text, functions);
    rd_check_features_replace(&edits, text, functions);
    rd_check_asm_replace(&edits, text, functions);
    if (unit->is_module)
        rd_check_modules_register(&edits, functions, n_registered);
    rd_check_includes_replace(&edits, &unit->includes, unit->options, path, text);
    end_main(&edits, functions);
    replace_alignas(&edits, text);
    if (unit->removes_features)
        rd_check_features_remove(&edits, text, functions,
                                 text == unit->text ? &unit->errors : NULL);
    const struct rd_annotations *annotations =
        rd_annotations_of(unit->annotations, unit->n_annotations, path);
    if (annotations && strcmp(annotations->text, text) == 0)
        rd_annotations_replace(annotations, text, &edits);
    char *changed = rd_check_edits_apply(&edits, text);
    rd_check_edits_finish(&edits);
    return changed;
}

static enum rd_status close_written(FILE *file, const char *path, struct rd_error *error)
{
    if (!file || fclose(file) != 0)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    return RD_OK;
}

static enum rd_status no_memory(const char *path, struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", path);
}

/* Writes the copy of a header of the user's. */
static enum rd_status write_included(struct rd_check_unit *unit, size_t number,
                                     struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE], name[RD_CHECK_INCLUDED_NAME];
    const struct rd_check_included *included = &unit->includes.all[number];
    char *text = make_text(unit, included->path, included->text, &included->functions,
                           &unit->launches, &unit->n_registered);
    if (!text)
        return no_memory(included->path, error);
    rd_check_included_name(name, number);
    snprintf(path, sizeof path, "%s/%s", unit->directory, name);
    FILE *file = fopen(path, "w");
    if (file) {
        fputs("#line 1 \"", file);
        write_quoted(file, included->path);
        fprintf(file, "\"\n%s", text);
    }
    free(text);
    return close_written(file, path, error);
}

/* Tells whether the file, or a header of the user's, has the kernel. */
static bool has_kernel(const struct rd_check_unit *unit)
{
    const char *kernel = unit->options->kernel;
    bool has = rd_check_functions_have_kernel(&unit->functions, kernel);
    for (size_t k = 0; k < unit->includes.n && !has; k++)
        has = rd_check_functions_have_kernel(&unit->includes.all[k].functions, kernel);
    return has;
}

static bool write_device_names_of(const char *text, FILE *file)
{
    struct rd_check_names declared = {0}, managed = {0};
    rd_check_names_find_declared(&declared, text, false);
    rd_check_names_find_managed(&managed, text);
    for (size_t k = 0; k < declared.n; k++)
        fprintf(file, "\n\"%s%.*s\\0\"",
                rd_check_names_have(&managed, declared.all[k].word, declared.all[k].length) ? "*"
                                                                                            : "",
                (int)declared.all[k].length, declared.all[k].word);
    const bool done = !declared.failed && !managed.failed;
    rd_check_names_finish(&declared);
    rd_check_names_finish(&managed);
    return done;
}

/* The names of the device's variables, behind a "*" those that host code can access, too: the loader finds them in a section.
 * False without memory. */
static bool write_device_names(const struct rd_check_unit *unit, FILE *file)
{
    fputs("__attribute__((used, section(\"rd_device_names\"))) static const char "
          "__rd_device_names[] = \"\"",
          file);
    bool done = write_device_names_of(unit->text, file);
    for (size_t k = 0; k < unit->includes.n; k++)
        done = write_device_names_of(unit->includes.all[k].text, file) && done;
    fputs(";\n", file);
    return done;
}

static void write_expressions(struct rd_check_unit *unit, FILE *file)
{
    for (size_t k = 0; k < unit->n_expressions; k++) {
        const char *expression = unit->expressions[k];
        fprintf(file, "#line %zu \"name expression\"\n__RD_MODULE_KERNEL(%u, ", k + 1,
                ++unit->n_registered);
        rd_check_write_quoted(expression, file);
        fprintf(file, ", %s%s)\n", *expression == '&' ? "" : "&", expression);
    }
}

static bool has_main(const struct rd_check_functions *functions)
{
    for (size_t k = 0; k < functions->n; k++)
        if (rd_lexer_is(functions->all[k].name, functions->all[k].name_length, "main"))
            return true;
    return false;
}

bool rd_check_unit_has_main(const struct rd_check_unit *unit)
{
    bool has = has_main(&unit->functions);
    for (size_t k = 0; k < unit->includes.n && !has; k++)
        has = has_main(&unit->includes.all[k].functions);
    return has;
}

enum rd_status rd_check_unit_write(struct rd_check_unit *unit, const char *name, const char *kernel,
                                   struct rd_error *error)
{
    enum rd_status status = RD_OK;
    unit->launches = (struct rd_check_launches){0, 0};
    unit->n_registered = 0;
    char path[RD_CHECK_PATH_SIZE],
        *text = make_text(unit, unit->options->file, unit->text, &unit->functions, &unit->launches,
                          &unit->n_registered);
    if (!text)
        return no_memory(unit->options->file, error);
    for (size_t k = 0; k < unit->includes.n && status == RD_OK; k++)
        status = write_included(unit, k, error);
    if (status != RD_OK) {
        free(text);
        return status;
    }
    snprintf(path, sizeof path, "%s/%s.cpp", unit->directory, name);
    FILE *file = fopen(path, "w");
    bool done = !unit->others.failed;
    if (file) {
        done = write_text(unit, text, file) && done;
        if (kernel && unit->options->n_turns > 0) {
            bool known = true;
            for (unsigned k = 0; k < unit->options->n_turns; k++)
                known = known && rd_check_functions_have_kernel(&unit->functions,
                                                                unit->options->turns[k].kernel);
            write_host_sets(unit, file);
            rd_check_launches_write(unit->options->turns, unit->options->n_turns, known, file);
        } else if (kernel) {
            write_host_sets(unit, file);
            fprintf(file, "__RD_CHECK_KERNEL(%u, %u, %d, ", unit->launches.of_kernel,
                    unit->launches.on_device, has_kernel(unit));
            rd_check_kernel_expression(kernel, file);
            fputs(")\n", file);
        } else if (!unit->options->kernel && !unit->is_of_host) {
            done = write_device_names(unit, file) && done;
            if (!unit->is_module)
                done = rd_check_host_variables_write(unit, file) && done;
            write_expressions(unit, file);
            if (rd_check_unit_has_main(unit))
                fputs("__RD_CHECK_MAIN(1, main)\n", file);
        } else if (!unit->options->kernel) {
            done = rd_check_host_variables_write(unit, file) && done;
        }
    }
    free(text);
    status = close_written(file, path, error);
    return status == RD_OK && !done ? no_memory(unit->options->file, error) : status;
}

enum rd_status rd_check_unit_write_probe(const struct rd_check_unit *unit, const char *name,
                                         const struct rd_check_names *names, struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.cpp", unit->directory, name);
    FILE *file = fopen(path, "w");
    const bool done = file && write_includes(unit, file);
    for (size_t k = 0; file && k < names->n; k++) {
        const struct rd_check_name *one = &names->all[k];
        fprintf(file, "#line %zu \"%s\"\n#ifndef %.*s\nnamespace __rd_probe%zu {\n", k + 1, name,
                (int)one->length, one->word, k);
        fprintf(file, "#line %zu\nusing ::%.*s;\n}\n#endif\n", k + 1, (int)one->length, one->word);
    }
    const enum rd_status status = close_written(file, path, error);
    return status == RD_OK && !done ? no_memory(unit->options->file, error) : status;
}
