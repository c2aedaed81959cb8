// SPDX-License-Identifier: MIT
#include "check/program/laws.h"
#include "base/texts.h"
#include "check/sandbox/interruption.h"
#include "check/source/lexer.h"
#include "check/program/told.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Makes the array that `array` points to have room for n elements; false without memory, and nothing has changed. */
static bool grow(void *array, size_t n, size_t elem_bytes)
{
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, n * elem_bytes);
    if (grown)
        memcpy(array, &grown, sizeof grown);
    return grown != NULL;
}

static bool has_room(struct rd_check_laws *laws, size_t n)
{
    return grow(&laws->texts, n, sizeof *laws->texts) &&
           grow(&laws->functions, n, sizeof *laws->functions) &&
           grow(&laws->files, n, sizeof *laws->files);
}

/* Reads the annotations of a file, whose text is taken. */
static enum rd_status take_file(struct rd_check_laws *laws, const char *path, char *text,
                                struct rd_error *error)
{
    const unsigned k = laws->n_files++;
    laws->texts[k] = text;
    rd_check_functions_init(&laws->functions[k], text);
    const enum rd_status status =
        rd_annotations_init(&laws->files[k], path, text, &laws->functions[k], laws->n + 1, error);
    laws->n += (unsigned)laws->files[k].n;
    for (size_t one = 0; one < laws->files[k].n; one++)
        laws->in_kernels = laws->in_kernels || laws->files[k].all[one].in_device;
    return status;
}

/* Reads the annotations of the headers that the files include. */
static enum rd_status take_headers(struct rd_check_laws *laws,
                                   const struct rd_check_program_options *options,
                                   struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < options->n_files; k++) {
        const struct rd_check_options own = {.file = options->files[k],
                                             .compiler_args = options->compiler_args};
        rd_check_includes_find(&laws->includes, &own, options->files[k], laws->texts[k],
                               &laws->functions[k]);
    }
    if (!has_room(laws, options->n_files + laws->includes.n + 1))
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the headers of a program");
    for (size_t k = 0; k < laws->includes.n && status == RD_OK; k++) {
        const struct rd_check_included *included = &laws->includes.all[k];
        if (!rd_annotations_are_in(included->text) ||
            rd_annotations_of(laws->files, laws->n_files, included->path))
            continue;
        char *text = strdup(included->text);
        status = text ? take_file(laws, included->path, text, error)
                      : rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", included->path);
    }
    return status;
}

/* The names of numbers that can be set, each once. */
struct settable {
    char text[200];
};

static void list_number(void *self, const char *name, size_t length, const char *from,
                        const char *to)
{
    struct settable *list = self;
    char quoted[80];
    (void)from;
    (void)to;
    snprintf(quoted, sizeof quoted, "'%.*s'", (int)length, name);
    if (!strstr(list->text, quoted))
        rd_append(list->text, sizeof list->text, "%s%s", *list->text ? ", " : "", quoted);
}

static enum rd_status refuse_number(const struct rd_check_laws *laws, const char *name,
                                    struct rd_error *error)
{
    struct settable list = {""};
    for (unsigned k = 0; k < laws->n_files; k++)
        for (size_t of = 0; of < laws->files[k].n; of++)
            rd_annotation_numbers(&laws->files[k].all[of], list_number, &list);
    return rd_fail(
        error, RD_ERROR_INPUT,
        "'--number' sets '%.100s', and no 'requires' or 'input' names a variable of that "
        "name which is set to a literal before%s%s",
        name, *list.text ? ": it can set " : "", list.text);
}

/* Has the files' texts set the numbers that the user wants. */
static enum rd_status set_numbers(struct rd_check_laws *laws,
                                  const struct rd_check_program_options *options,
                                  struct rd_error *error)
{
    for (size_t n = 0; n < options->n_numbers; n++) {
        bool found = false;
        for (unsigned k = 0; k < laws->n_files && !found; k++)
            found = rd_annotation_has_number(&laws->files[k], options->numbers[n].name);
        if (!found)
            return refuse_number(laws, options->numbers[n].name, error);
    }
    for (unsigned k = 0; k < laws->n_files; k++) {
        laws->files[k].numbers = options->numbers;
        laws->files[k].n_numbers = options->n_numbers;
    }
    return RD_OK;
}

enum rd_status rd_check_laws_init(struct rd_check_laws *laws,
                                  const struct rd_check_program_options *options,
                                  struct rd_error *error)
{
    enum rd_status status = RD_OK;
    *laws = (struct rd_check_laws){0};
    if (!has_room(laws, options->n_files))
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the files of a program");
    for (unsigned k = 0; k < options->n_files && status == RD_OK; k++) {
        char *text = NULL;
        status = rd_check_read_source(options->files[k], &text, error);
        if (status == RD_OK)
            status = take_file(laws, options->files[k], text, error);
    }
    if (status == RD_OK)
        status = take_headers(laws, options, error);
    for (unsigned k = 0; k < laws->n_files; k++)
        laws->files[k].includes = &laws->includes;
    if (status == RD_OK)
        status = rd_annotations_read(laws->files, laws->n_files, error);
    if (status == RD_OK)
        status = set_numbers(laws, options, error);
    rd_played_init(&laws->played, laws->files, laws->n_files);
    return status == RD_ERROR_USAGE ? RD_ERROR_INPUT : status;
}

void rd_check_laws_finish(struct rd_check_laws *laws)
{
    rd_played_finish(&laws->played);
    for (unsigned k = 0; k < laws->n_files; k++) {
        rd_annotations_finish(&laws->files[k]);
        rd_check_functions_finish(&laws->functions[k]);
        free(laws->texts[k]);
    }
    rd_check_includes_finish(&laws->includes);
    free(laws->files);
    free(laws->functions);
    free(laws->texts);
    *laws = (struct rd_check_laws){0};
}

enum rd_status rd_check_laws_take(struct rd_check_laws *laws,
                                  const struct rd_recording_event *event, struct rd_error *error)
{
    return rd_played_take(&laws->played, event->name, event->object, event->payload,
                          event->size_bytes, error);
}

/* Tells whether it is what a narrower type makes of the number. */
static bool is_cut_off(uint64_t number, int64_t is)
{
    for (unsigned bits = 8; bits <= 32; bits *= 2)
        if (number >> (bits - 1) != 0 &&
            ((number ^ (uint64_t)is) & ((UINT64_C(1) << bits) - 1)) == 0)
            return true;
    return false;
}

/* A number that the user has set, and that has another value where it is named: the program has set it elsewhere, too. */
static enum rd_status check_numbers(const struct rd_check_laws *laws,
                                    const struct rd_check_program_options *options,
                                    struct rd_error *error)
{
    for (size_t k = 0; k < laws->played.n_events; k++) {
        const struct rd_played_event *event = &laws->played.events[k];
        const struct rd_annotation *of = event->annotation;
        const bool is_told = of->kind == RD_ANNOTATION_REQUIRES || of->kind == RD_ANNOTATION_INPUT;
        for (size_t name = 0; is_told && !event->lack && name < of->n_names; name++)
            for (size_t n = 0; n < options->n_numbers; n++) {
                const struct rd_annotation_number *number = &options->numbers[n];
                if (!of->names[name].any && strcmp(of->names[name].expression, number->name) == 0 &&
                    (uint64_t)event->values[name] != number->value)
                    return rd_fail(
                        error, RD_ERROR_INPUT,
                        "'--number' sets '%.100s' to %llu, and at line %u it is %lld: %s",
                        number->name, number->value, of->line, (long long)event->values[name],
                        is_cut_off(number->value, event->values[name])
                            ? "its type can't hold that number"
                            : "the program sets it to something else, too");
            }
    }
    return RD_OK;
}

enum rd_status rd_check_laws_judge(struct rd_check_laws *laws,
                                   const struct rd_check_program_options *options,
                                   struct rd_results *results, const struct rd_played_again *again,
                                   struct rd_error *error)
{
    const bool is_text = !options->common.json && options->common.format == RD_FORMAT_TEXT;
    const struct rd_played_options played = {
        .again = again,
        .explains = again && is_text && !options->common.quiet,
        .on_verdict = results ? rd_check_results_add_annotation : NULL,
        .verdicts = results,
        .text = is_text ? stdout : NULL,
        .width = options->common.width ? options->common.width : 100,
        .quiet = options->common.quiet,
        .trace = options->trace,
        .trace_cells = options->trace_cells,
        .last = options->last,
        .hazards_off = options->hazards_off,
        .interrupted = rd_interruption(),
        .own = laws->own,
        .stopped = laws->stopped,
        .values = laws->values,
    };
    if (laws->n == 0)
        return RD_OK;
    if (check_numbers(laws, options, error) != RD_OK)
        return RD_ERROR_INPUT;
    laws->told = played.text && !played.quiet;
    if (laws->told)
        rd_sandbox_begin_verdict(played.text, true);
    if (laws->told && laws->own)
        fprintf(played.text, "with the values %s for %s, in a run whose output is not shown:\n",
                laws->values, laws->given_names);
    return rd_played_judge(&laws->played, &played, &laws->summary, error);
}

static size_t put_count(char *text, size_t size, size_t n, const char *noun)
{
    return (size_t)snprintf(text, size, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

/* "2 invariants (7 executions)". */
static size_t put_annotations(char *text, size_t size, unsigned n, size_t executions,
                              const char *noun)
{
    size_t length = put_count(text, size, n, noun);
    if (executions != n) {
        length += (size_t)snprintf(text + length, size - length, " (");
        length += put_count(text + length, size - length, executions, "execution");
        length += (size_t)snprintf(text + length, size - length, ")");
    }
    return length;
}

bool rd_check_laws_are_requirements(const struct rd_check_laws *laws)
{
    const struct rd_played_summary *summary = &laws->summary;
    return summary->invariants == 0 && summary->assertions == summary->requirements;
}

void rd_check_laws_text(const struct rd_check_laws *laws, char text[300])
{
    const struct rd_played_summary *summary = &laws->summary;
    const bool is_plain =
        summary->loops == summary->invariants && summary->asserted == summary->assertions;
    size_t n = 0;
    if (summary->invariants + summary->assertions == 0) {
        snprintf(text, 300, "no invariant was asserted");
        return;
    }
    if (rd_check_laws_are_requirements(laws) && summary->verdict == RD_HOLDS) {
        snprintf(text, 300,
                 "%u requirement%s met, and nothing was asserted of what the program does",
                 summary->requirements, summary->requirements == 1 ? "" : "s");
        return;
    }
    if (summary->invariants > 0)
        n += put_annotations(text + n, 300 - n, summary->invariants, summary->loops, "invariant");
    if (summary->assertions > 0) {
        n += (size_t)snprintf(text + n, 300 - n, "%s", n ? " and " : "");
        n +=
            put_annotations(text + n, 300 - n, summary->assertions, summary->asserted, "assertion");
    }
    if (summary->violated > 0)
        n += (size_t)snprintf(text + n, 300 - n, ", %zu%s violated", summary->violated,
                              is_plain                 ? ""
                              : summary->violated == 1 ? " execution"
                                                       : " executions");
    if (summary->open > 0)
        n += (size_t)snprintf(text + n, 300 - n, ", %zu inconclusive", summary->open);
    if (summary->unasked > 0) {
        n += (size_t)snprintf(text + n, 300 - n, ", ");
        n += put_count(text + n, 300 - n, summary->unasked, "exit");
        n += (size_t)snprintf(text + n, 300 - n, " not asserted");
    }
    snprintf(text + n, 300 - n, ", %" PRIu64 " cell%s asserted", summary->cells,
             summary->cells == 1 ? "" : "s");
}
