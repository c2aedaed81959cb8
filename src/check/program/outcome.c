// SPDX-License-Identifier: MIT
/* The verdict on a program that was run whole, and its report: as text, as JSON, or as results for other programs. */
#include "check/program/told.h"
#include "check/playback/played.h"
#include "reductio/version.h"
#include "base/exit_status.h"
#include "check/report/findings.h"

#include <string.h>

/* ---- the verdict ---- */

bool rd_check_told_is_at_its_end(const struct rd_check_told *told)
{
    return strcmp(told->how, "returned") == 0 || strcmp(told->how, "exit") == 0;
}

/* Takes the leaks of a program that ended by an error of its own out of the findings: on such a path hardly any frees its memory, and
 * the error is what is to be told. Returns their number. */
static size_t drop_leaks(struct rd_check_told *told)
{
    size_t n = 0;
    if (!rd_check_told_is_at_its_end(told) || told->status == 0)
        return 0;
    for (size_t k = json_array_size(told->hazards); k-- > 0;) {
        const json_t *hazard = json_array_get(told->hazards, k);
        if (rd_hazard_named(rd_check_text_of(hazard, "name")) != RD_HAZARD_LEAK ||
            json_integer_value(json_object_get(hazard, "launch")) > 0) /* a kernel's */
            continue;
        json_array_remove(told->hazards, k);
        n++;
    }
    return n;
}

static int exit_status_of(const struct rd_check_told *told)
{
    const enum rd_verdict verdict = told->laws->summary.verdict;
    const bool judged = told->laws->summary.invariants + told->laws->summary.assertions > 0;
    if (judged && verdict == RD_VIOLATED)
        return RD_EXIT_VIOLATED;
    if (json_array_size(told->hazards) > 0 || strcmp(told->how, "signal") == 0 ||
        (rd_check_told_is_at_its_end(told) && told->status != 0))
        return RD_EXIT_VIOLATED;
    return judged && verdict == RD_HOLDS && !rd_check_laws_are_requirements(told->laws) &&
                   rd_check_told_is_at_its_end(told) && json_array_size(told->lacks) == 0
               ? RD_EXIT_HOLDS
               : RD_EXIT_INCONCLUSIVE;
}

void rd_check_told_end_text(const struct rd_check_told *told, char text[200])
{
    if (strcmp(told->how, "timeout") == 0)
        snprintf(text, 200, "stopped after %u s", told->options->common.timeout_s);
    else if (strcmp(told->how, "contained") == 0)
        snprintf(text, 200, "stopped by the sandbox");
    else if (strcmp(told->how, "signal") == 0 && told->status > 0)
        snprintf(text, 200, "ended by signal %d (%s)", told->status, strsignal(told->status));
    else if (strcmp(told->how, "signal") == 0)
        snprintf(text, 200, "ended by a signal");
    else if (strcmp(told->how, "failed") == 0)
        snprintf(text, 200, "not run to its end");
    else
        snprintf(text, 200, "exit status %d", told->status);
}

static json_t *outcome_of(const struct rd_check_told *told, const char *file, const char *error)
{
    char end[200] = "";
    int status = error ? RD_EXIT_FAILED : exit_status_of(told);
    rd_check_told_end_text(told, end);
    char laws[300];
    rd_check_laws_text(told->laws, laws);
    json_t *outcome = json_pack(
        "{s:s, s:s, s:s, s:o, s:O, s:I, s:I, s:s, s:s, s:i, s:O, s:o, s:o, s:s, s:s, s:i}",
        "reductio", rd_version(), "device", told->on_gpu ? "cuda" : "sim", "hazards_by",
        told->is_unseen ? "off" : "sim", "file", rd_check_text(file, strlen(file)), "hazards",
        told->hazards, "launches", (json_int_t)told->n_launches, "threads",
        (json_int_t)told->n_threads, "ended", told->how, "end", end, "exit_status", told->status,
        "lacks", told->lacks, "counts", rd_check_count_hazards(told->hazards), "error",
        error ? rd_check_text(error, strlen(error)) : json_null(), "verdict",
        status == RD_EXIT_VIOLATED ? "VIOLATED"
        : status == RD_EXIT_HOLDS  ? "HOLDS"
                                   : "INCONCLUSIVE",
        "laws", laws, "status", status);
    json_object_set_new(outcome, "contained",
                        told->ran ? json_boolean(!told->missing[0]) : json_null());
    json_object_set_new(outcome, "unvaried",
                        told->unvaried[0] ? json_string(told->unvaried) : json_null());
    json_object_set_new(outcome, "not_contained",
                        told->missing[0] ? json_string(told->missing) : json_null());
    rd_check_orders_set(told, outcome);
    rd_check_cut(outcome, told->options->common.max_errors);
    return outcome;
}

/* ---- telling ---- */

/* "INCONCLUSIVE fold.cu: exit status 0, 3 launches, 0 hazards: no invariant was asserted". */
static void print_summary(const json_t *outcome, FILE *file)
{
    const json_t *counts = json_object_get(outcome, "counts"), *count;
    json_int_t n = 0, launches = json_integer_value(json_object_get(outcome, "launches"));
    const char *name;
    unsigned place = 0;
    char orders[300];
    json_object_foreach((json_t *)counts, name, count) n += json_integer_value(count);
    const char *by = rd_check_text_of(outcome, "hazards_by");
    const bool on_gpu = strcmp(rd_check_text_of(outcome, "device"), "cuda") == 0,
               is_unseen = strcmp(by, "off") == 0;
    fprintf(file, "%s %s%s: %s, %lld launch%s, ", rd_check_text_of(outcome, "verdict"),
            rd_check_text_of(outcome, "file"), on_gpu ? " on the GPU" : "",
            rd_check_text_of(outcome, "end"), (long long)launches, launches == 1 ? "" : "es");
    if (n > 0 || !is_unseen)
        fprintf(file, "%lld hazard%s%s", (long long)n, n == 1 ? "" : "s",
                on_gpu && n == 0 ? " in the simulator" : "");
    else
        fputs("hazards not looked for", file);
    rd_check_orders_summary(outcome, orders);
    fputs(orders, file);
    json_object_foreach((json_t *)counts, name, count) fprintf(
        file, "%s%s %lld", place++ == 0 ? " (" : ", ", name, (long long)json_integer_value(count));
    fputs(place > 0 ? ")" : "", file);
    fputs(n > 0 && is_unseen ? ", others not looked for" : "", file);
    fputs(json_array_size(json_object_get(outcome, "lacks")) > 0 ? ", not all was looked at" : "",
          file);
    fprintf(file, ": %s", rd_check_text_of(outcome, "laws"));
    rd_check_print_unvaried(outcome, file);
    fputs(json_is_string(json_object_get(outcome, "not_contained"))
              ? "; not, or not all, contained\n"
              : "\n",
          file);
}

/* Prints what was not contained, and the first write that was refused. */
static void print_contained(const struct rd_check_told *told, FILE *file)
{
    if (told->missing[0])
        fprintf(file, "not contained: %s\n", told->missing);
    if (told->refused[0])
        fprintf(file,
                "the sandbox has refused to write '%s': the program may write to a folder of its "
                "own, TMPDIR, and where --write DIRECTORY says\n",
                told->refused);
}

/* Names the hazards that were printed with the rounds of a loop: "told above: race at fold.cu:6:14". Returns the outcome without
 * them. */
static json_t *print_told(const struct rd_check_told *told, const json_t *outcome, FILE *file)
{
    size_t k;
    json_t *hazard, *untold = json_copy((json_t *)outcome), *list = json_array();
    const char *between = "told above: ";
    json_array_foreach(json_object_get(outcome, "hazards"), k, hazard)
    {
        const json_int_t launch = json_integer_value(json_object_get(hazard, "launch"));
        if (launch <= 0 || !rd_played_has_told(&told->laws->played, (uint64_t)launch,
                                               rd_check_text_of(hazard, "message"))) {
            json_array_append(list, hazard);
            continue;
        }
        fprintf(file, "%s%s", between, rd_check_text_of(hazard, "name"));
        rd_check_print_site(hazard, " at ", file);
        between = ", ";
    }
    if (json_array_size(list) < k)
        fputc('\n', file);
    json_object_set_new(untold, "hazards", list);
    return untold;
}

static void print(const struct rd_check_told *told, const json_t *outcome, FILE *file)
{
    const struct rd_check_program_options *options = told->options;
    size_t k;
    json_t *lack;
    if (!options->common.quiet) {
        json_t *untold = print_told(told, outcome, file);
        rd_check_print_hazards(untold, options->common.one_line, options->common.width, file);
        json_decref(untold);
        rd_check_orders_print(outcome, file);
        json_array_foreach(json_object_get(outcome, "lacks"), k, lack)
            fprintf(file, "not looked at: %s\n", json_string_value(lack));
        print_contained(told, file);
        if (told->n_leaks_left_out > 0)
            fprintf(file, "not counted: %zu leak%s, as the program ends by an error of its own\n",
                    told->n_leaks_left_out, told->n_leaks_left_out == 1 ? "" : "s");
    }
    print_summary(outcome, file);
}

/* Writes the document of a run that has ended, failed or was interrupted. */
static enum rd_status write_results(struct rd_check_told *told, const json_t *outcome,
                                    enum rd_format format, enum rd_status status,
                                    struct rd_error *error)
{
    const char *file = rd_check_text_of(outcome, "file");
    const struct rd_played_summary *summary = &told->laws->summary;
    if (status == RD_ERROR_INTERRUPTED)
        rd_results_add_interruption(told->results, "program", file);
    else if (status != RD_OK)
        rd_results_add_failure(told->results, "program", file, error->text);
    else
        rd_check_results_add_program(told->results, outcome,
                                     summary->invariants + summary->assertions > 0);
    const enum rd_status written = rd_results_write(told->results, format, stdout, error);
    return written == RD_OK ? status : written;
}

static void write_text(const struct rd_check_told *told, const json_t *outcome,
                       enum rd_status status)
{
    if (told->ran && !told->laws->told)
        rd_sandbox_begin_verdict(stdout, true);
    if (told->options->common.json) {
        json_dumpf(outcome, stdout, JSON_INDENT(2));
        putchar('\n');
    } else if (status == RD_OK) {
        print(told, outcome, stdout);
    }
}

int rd_check_told_tell(struct rd_check_told *told, const char *file, enum rd_status status,
                       struct rd_error *error)
{
    const enum rd_format format = told->options->common.format;
    told->n_leaks_left_out = drop_leaks(told);
    json_t *outcome = outcome_of(told, file, status == RD_OK ? NULL : error->text);
    int exit_status = (int)json_integer_value(json_object_get(outcome, "status"));
    if (format != RD_FORMAT_TEXT)
        status = write_results(told, outcome, format, status, error);
    else if (status != RD_ERROR_INTERRUPTED)
        write_text(told, outcome, status);
    fflush(stdout);
    json_decref(outcome);
    if (status == RD_ERROR_INTERRUPTED) {
        if (format == RD_FORMAT_TEXT)
            fprintf(stderr, "reductio: interrupted\n");
        return RD_EXIT_INTERRUPTED;
    }
    if (status != RD_OK)
        fprintf(stderr, "reductio: %s\n", error->text);
    else if (told->options->trace && !told->laws->summary.traced)
        fprintf(stderr,
                "reductio: no trace was written, as %s: rounds are those of a loop, of the host or "
                "of a kernel, with an '//@ invariant' that the run comes to, and that it does not "
                "assert without a trace\n",
                told->laws->n == 0 ? "there is no annotation" : "no loop was traced");
    return status == RD_OK ? exit_status : RD_EXIT_FAILED;
}
