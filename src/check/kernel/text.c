// SPDX-License-Identifier: MIT
/* The report as text. */
#include "check/kernel/check.h"
#include "check/report/findings.h"
#include "base/exit_status.h"

#include <string.h>

enum { SITE_SIZE = 1024 };

/* ---- the report ---- */

static long long number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* Prints suppressed findings, each with its reason, and suppressions that match nothing. */
static void print_suppressed(const json_t *outcome, const struct rd_check_options *options,
                             FILE *file)
{
    size_t k;
    json_t *hazard;
    json_array_foreach(json_object_get(outcome, "suppressed"), k, hazard)
    {
        char site[SITE_SIZE];
        rd_check_site_text(hazard, 0, site, sizeof site);
        fprintf(file, "suppressed: %s at %s, %lld time%s: %s (%s:%lld)\n",
                rd_check_text_of(hazard, "name"), site, number_of(hazard, "count"),
                number_of(hazard, "count") == 1 ? "" : "s", rd_check_text_of(hazard, "reason"),
                options->suppressions, number_of(hazard, "suppression"));
    }
    json_array_foreach(json_object_get(outcome, "unused_suppressions"), k, hazard)
    {
        fprintf(file, "unused suppression: %s:%lld: nothing like %s was found at %s:%lld\n",
                options->suppressions, number_of(hazard, "suppression"),
                rd_check_text_of(hazard, "name"), rd_check_text_of(hazard, "file"),
                number_of(hazard, "line"));
    }
}

/* What is no hazard of itself: who prints or allocates first may be anybody. */
static void print_orders(const json_t *results, bool is_told, FILE *file)
{
    const json_t *prints = json_object_get(results, "print_difference"),
                 *heap = json_object_get(results, "heap_difference");
    char text[512];
    if (json_is_object(prints))
        fprintf(file, "threads print something else under schedule %s than under %s\n",
                rd_check_text_of(prints, "schedule"), rd_check_text_of(prints, "other_schedule"));
    if (!json_is_object(heap) ||
        (is_told && strcmp(rd_check_text_of(heap, "kind"), "values") == 0 &&
         !json_is_object(json_object_get(results, "difference"))))
        return;
    rd_check_heap_difference_text(heap, text, sizeof text);
    fprintf(file, "device heap: %s\n", text);
}

/* A variable of the file's that is not told as a hazard. */
static void print_variable(const json_t *results, bool is_told, FILE *file)
{
    const json_t *variable = json_object_get(results, "variable_difference");
    char text[1024];
    if (!json_is_object(variable) || (is_told && rd_check_is_of_values(variable) &&
                                      !json_is_object(json_object_get(results, "difference"))))
        return;
    rd_check_variable_difference_text(variable, text, sizeof text);
    fprintf(file, "variable: %s\n", text);
}

static void print_results(const json_t *outcome, FILE *file)
{
    const json_t *results = json_object_get(outcome, "results");
    const json_t *difference = json_object_get(results, "difference");
    long long compared = number_of(results, "compared"), of = number_of(results, "of");
    const bool is_told = json_object_get(json_object_get(outcome, "counts"),
                                         rd_hazard_name(RD_HAZARD_ORDER_DEPENDENT));
    if (!json_is_object(results))
        return;
    if (json_is_true(json_object_get(results, "same"))) {
        fprintf(file, "results: the same under all %lld schedules", compared);
        if (compared < of)
            fprintf(file, " that came to an end, of %lld", of);
        fputc('\n', file);
    } else if (!is_told && json_is_object(difference)) {
        fprintf(file,
                "results differ: %s[%lld] is %s under schedule %s, and %s under %s; %lld of %lld "
                "schedules differ from %s\n",
                rd_check_text_of(difference, "array"), number_of(difference, "index"),
                rd_check_text_of(difference, "value"), rd_check_text_of(difference, "schedule"),
                rd_check_text_of(difference, "other_value"),
                rd_check_text_of(difference, "other_schedule"), number_of(results, "differ"),
                compared, rd_check_text_of(difference, "other_schedule"));
    }
    print_variable(results, is_told, file);
    print_orders(results, is_told, file);
}

/* "'want'" of a file, "sum(0)". */
static void source_of(const json_t *expected, char source[SITE_SIZE])
{
    if (json_object_get(expected, "file"))
        snprintf(source, SITE_SIZE, "'%s'", rd_check_text_of(expected, "file"));
    else
        snprintf(source, SITE_SIZE, "%s", rd_check_text_of(expected, "source"));
}

/* How exactly, and how much of it: ", within the bound of its roundings; 7 of 8 cells are not asserted". */
static void print_extent(const json_t *expected, FILE *file)
{
    long long n = number_of(expected, "n_elems");
    const char *within = rd_check_text_of(expected, "within");
    if (strcmp(within, "bound") == 0)
        fputs(", within the bound of its roundings", file);
    else if (*within)
        fputs(", within --tolerance", file);
    if (json_object_get(expected, "n_judged") && n > number_of(expected, "n_judged"))
        fprintf(file, "; %lld of %lld cells are not asserted", n - number_of(expected, "n_judged"),
                n);
}

static void print_unexpected(const json_t *expected, const char *source, size_t n_runs, FILE *file)
{
    const json_t *first = json_object_get(expected, "first");
    bool of_file = json_object_get(expected, "file");
    const json_t *limit = json_object_get(first, "limit"), *error = json_object_get(first, "error");
    fprintf(file, "unexpected: %s[%lld] is %s, and %s %s %s; %lld of %lld differ",
            rd_check_text_of(expected, "array"), number_of(first, "index"),
            rd_check_text_of(first, "actual"), source,
            of_file                          ? "has"
            : strncmp(source, "by ", 3) == 0 ? "it is"
                                             : "is",
            rd_check_text_of(first, "expected"), number_of(expected, "differ"),
            of_file ? number_of(expected, "n_elems") : number_of(expected, "n_judged"));
    if (limit && error)
        fprintf(file, "; it is off by %.3g, where %s is %.3g", json_real_value(error),
                strcmp(rd_check_text_of(expected, "within"), "bound") == 0
                    ? "the bound of its roundings"
                    : "the tolerance",
                json_real_value(limit));
    if (n_runs > 1)
        fprintf(file, ", under schedule %s", rd_check_text_of(first, "schedule"));
    fputc('\n', file);
}

static void print_expected(const json_t *outcome, size_t n_runs, FILE *file)
{
    size_t k;
    json_t *expected;
    json_array_foreach(json_object_get(outcome, "expected"), k, expected)
    {
        char source[SITE_SIZE];
        const char *array = rd_check_text_of(expected, "array");
        source_of(expected, source);
        if (json_object_get(expected, "unjudged")) {
            fprintf(file, "not judged: %s and %s: %s\n", array, source,
                    rd_check_text_of(expected, "unjudged"));
        } else if (json_is_false(json_object_get(expected, "compared"))) {
            fprintf(file, "not compared: %s and %s: the kernel did not come to its end\n", array,
                    source);
        } else if (number_of(expected, "differ") == 0) {
            fprintf(file, "as expected: %s is %s%s", array,
                    json_object_get(expected, "file") ? "as in " : "", source);
            print_extent(expected, file);
            fputc('\n', file);
        } else {
            print_unexpected(expected, source, n_runs, file);
        }
    }
}

/* Notes on results that nvcc would have computed otherwise. */
static void print_fmad(const json_t *outcome, FILE *file)
{
    if (json_is_true(json_object_get(outcome, "multiplies_and_adds")))
        fputs("floats: a*b + c is rounded twice here, and once by nvcc, unless -fmad=false: --fmad "
              "on "
              "follows it\n",
              file);
}

/* Notes on what nvcc takes for older devices only. */
static void print_outdated(const json_t *outcome, FILE *file)
{
    const json_t *call = json_object_get(outcome, "outdated");
    if (json_is_object(call))
        fprintf(file,
                "%s:%lld: note: %s names no lanes: nvcc refuses it for sm_70 and later; use "
                "%s_sync, with a mask of the lanes that come there\n",
                rd_check_text_of(call, "file"), number_of(call, "line"),
                rd_check_text_of(call, "name"), rd_check_text_of(call, "name"));
}

/* Says that local variables were to be looked at, and could not be, or not all. */
static void print_private(const json_t *outcome, const struct rd_check_options *options, FILE *file)
{
    const char *why = json_string_value(json_object_get(outcome, "not_private"));
    bool in_part = why && strncmp(why, "not all: ", 9) == 0;
    if (why)
        fprintf(file, "local variables: %s: %s\n", in_part ? "not all checked" : "not checked",
                why + (in_part ? 9 : 0));
    else if (!options->private_memory)
        fputs("local variables: not looked at (--private off)\n", file);
}

/* Says what the file's code could have done to the machine. */
static void print_contained(const json_t *outcome, FILE *file)
{
    const char *missing = json_string_value(json_object_get(outcome, "not_contained"));
    if (missing)
        fprintf(file, "not contained: %s\n", missing);
}

/* Says that the time was up, for reasons that may be the simulator's own. */
static void print_stopped(const json_t *outcome, FILE *file)
{
    if (!json_is_null(json_object_get(outcome, "stopped_after_s")))
        fprintf(file,
                "not looked at: what comes after %lld s, when the kernel was stopped (--timeout): "
                "it may only be slow here\n",
                number_of(outcome, "stopped_after_s"));
}

/* "launched by kernels: child 4 times, 128 threads". */
static void print_launches(const json_t *outcome, FILE *file)
{
    size_t k;
    json_t *launched;
    const json_t *run = json_array_get(json_object_get(outcome, "runs"), 0);
    const json_t *launches = json_object_get(run, "launches");
    json_array_foreach(launches, k, launched)
    {
        long long times = number_of(launched, "launches"), threads = number_of(launched, "threads");
        fprintf(file, "%s%s %lld time%s, %lld thread%s",
                k > 0                                          ? "; "
                : json_object_get(outcome, "launched_in_turn") ? "launched: "
                                                               : "launched by kernels: ",
                rd_check_text_of(launched, "kernel"), times, times == 1 ? "" : "s", threads,
                threads == 1 ? "" : "s");
    }
    if (k > 0)
        fputc('\n', file);
}

/* Tells whether the one run that there was tells what any order of its threads would show. */
static bool suffices(const json_t *outcome, size_t n_runs)
{
    const json_t *run = json_array_get(json_object_get(outcome, "runs"), 0);
    return n_runs == 1 && number_of(outcome, "threads") > 1 &&
           json_object_size(json_object_get(outcome, "counts")) == 0 &&
           json_array_size(json_object_get(outcome, "suppressed")) == 0 &&
           json_is_null(json_object_get(outcome, "error")) &&
           json_is_false(json_object_get(outcome, "communicates")) &&
           !json_is_string(json_object_get(outcome, "unvaried")) &&
           strcmp(rd_check_text_of(run, "outcome"), "completed") == 0;
}

/* "k: 3 hazards in 64 threads: race 2, misaligned 1". */
void rd_check_print_summary(const json_t *outcome, FILE *file)
{
    const size_t n_runs = json_array_size(json_object_get(outcome, "runs"));
    size_t k, unexpected = 0;
    long long n = 0, place = 0;
    const char *name;
    json_t *count, *expected;
    json_t *counts = json_object_get(outcome, "counts");
    json_object_foreach(counts, name, count) n += json_integer_value(count);
    long long threads = number_of(outcome, "threads");
    const bool interrupted = json_is_true(json_object_get(outcome, "interrupted"));
    fprintf(file, "%s%s: ", interrupted ? "INTERRUPTED " : "", rd_check_text_of(outcome, "kernel"));
    if (interrupted && n_runs == 0) {
        fputs("no run has ended\n", file);
        return;
    }
    const json_t *sweep = json_object_get(outcome, "sweep");
    const bool swept = sweep && number_of(outcome, "status") == 0;
    if (swept)
        threads = number_of(sweep, "threads");
    fprintf(file, "%lld hazard%s in %lld thread%s", n, n == 1 ? "" : "s", threads,
            threads == 1 ? "" : "s");
    if (swept)
        fprintf(file, " of %lld shapes: %s", number_of(sweep, "tried"),
                rd_check_text_of(sweep, "over"));
    else if (interrupted)
        fprintf(file, " in the %zu run%s that ended", n_runs, n_runs == 1 ? "" : "s");
    else if (n_runs > 1)
        fprintf(file, " under %zu schedules", n_runs);
    else if (suffices(outcome, n_runs))
        fputs(", which do not communicate: one schedule suffices", file);
    json_object_foreach(counts, name, count) fprintf(file, "%s%s %lld", place++ == 0 ? ": " : ", ",
                                                     name, (long long)json_integer_value(count));
    const size_t n_suppressed = json_array_size(json_object_get(outcome, "suppressed"));
    if (n_suppressed > 0)
        fprintf(file, "; %zu suppressed", n_suppressed);
    if (!json_is_null(json_object_get(outcome, "stopped_after_s")))
        fprintf(file, "; INCONCLUSIVE: stopped after %lld s, before its end",
                number_of(outcome, "stopped_after_s"));
    json_array_foreach(json_object_get(outcome, "expected"), k, expected)
    {
        unexpected += number_of(expected, "differ") > 0;
    }
    if (unexpected > 0)
        fprintf(file, "; %zu unexpected result%s", unexpected, unexpected == 1 ? "" : "s");
    rd_check_print_unvaried(outcome, file);
    const json_t *untold = json_object_get(outcome, "untold");
    if (json_is_object(untold))
        fprintf(file, "; not looked at: what wrote the memory that %s:%lld reads",
                rd_check_text_of(untold, "file"), number_of(untold, "line"));
    if (json_is_string(json_object_get(outcome, "not_private")))
        fputs("; local variables not, or not all, looked at", file);
    if (rd_check_not_judged(outcome))
        fprintf(file, "; %s", rd_check_not_judged(outcome));
    if (rd_check_launches_inside(outcome))
        fputs("; races between grids that launch each other were not looked for", file);
    if (json_is_string(json_object_get(outcome, "not_contained")))
        fputs("; not, or not all, contained", file);
    fputc('\n', file);
}

void rd_check_print(const json_t *outcome, const struct rd_check_options *options, FILE *file)
{
    size_t n_runs = json_array_size(json_object_get(outcome, "runs"));
    bool failed = !json_is_null(json_object_get(outcome, "error"));
    if (failed && json_array_size(json_object_get(outcome, "hazards")) == 0 &&
        json_array_size(json_object_get(outcome, "suppressed")) == 0)
        return;
    const bool unbegun = n_runs == 0 && json_is_true(json_object_get(outcome, "interrupted"));
    const json_t *sweep = json_object_get(outcome, "sweep");
    if (sweep && number_of(outcome, "status") != 0) {
        const char *name = "";
        json_t *value;
        json_object_foreach(json_object_get(sweep, "shape"), name, value)
            fprintf(file, "%s = %lld, ", name, (long long)json_integer_value(value));
        fprintf(file, "the first shape that %s; %lld of %lld tried before it: %s\n",
                number_of(outcome, "status") == RD_EXIT_INCONCLUSIVE ? "is inconclusive" : "fails",
                number_of(sweep, "tried") - 1, number_of(sweep, "of"),
                rd_check_text_of(sweep, "over"));
    }
    if (!options->common.quiet && !unbegun) {
        rd_check_print_hazards(outcome, options->common.one_line, options->common.width, file);
        print_suppressed(outcome, options, file);
        print_results(outcome, file);
        print_expected(outcome, n_runs, file);
        print_fmad(outcome, file);
        print_outdated(outcome, file);
        print_private(outcome, options, file);
        print_stopped(outcome, file);
        print_launches(outcome, file);
        print_contained(outcome, file);
    }
    rd_check_print_summary(outcome, file);
}

/* ---- buffers ---- */

static void print_cells(const struct rd_check_spec *spec, const char *cells, FILE *file)
{
    char text[RD_VALUE_TEXT_SIZE];
    for (size_t i = 0; i < spec->count; i++) {
        spec->numeric->format(text, spec->numeric->load(cells, i));
        fprintf(file, "%s%s", i > 0 ? " " : "", text);
    }
    fputc('\n', file);
}

void rd_check_print_buffers(const struct rd_check *check, const struct rd_check_run *runs,
                            unsigned n_runs, FILE *file)
{
    const struct rd_check_options *options = check->options;
    const struct rd_check_run *run = rd_check_run_to_print(check, runs, n_runs);
    for (unsigned k = 0; k < check->n_prints && run; k++) {
        unsigned buffer = check->prints[k];
        json_t *names = json_object_get(run->record, "names");
        if (check->n_prints > 1 || options->print_all)
            fprintf(file, "%s: ", json_string_value(json_array_get(names, buffer)));
        print_cells(check->buffers.all[buffer].spec, rd_check_run_buffer(run, check, buffer), file);
    }
}
