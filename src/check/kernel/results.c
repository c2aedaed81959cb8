// SPDX-License-Identifier: MIT
/* The report as results for other programs, and the file of --sarif. */
#include "check/kernel/check.h"
#include "check/report/findings.h"
#include "base/exit_status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- results ---- */

static uint64_t number_of(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

/* ---- facts ---- */

/* "4,1,1". */
static const char *dim_text(struct rd_results *results, const json_t *dim)
{
    return rd_texts_format(&results->texts, "%lld,%lld,%lld",
                           (long long)json_integer_value(json_array_get(dim, 0)),
                           (long long)json_integer_value(json_array_get(dim, 1)),
                           (long long)json_integer_value(json_array_get(dim, 2)));
}

static void add_facts(struct rd_results *results, struct rd_subject *subject, const json_t *outcome)
{
    rd_subject_add_text(results, subject, "file", rd_check_text_of(outcome, "file"));
    rd_subject_add_text(results, subject, "grid",
                        dim_text(results, json_object_get(outcome, "grid")));
    rd_subject_add_text(results, subject, "block",
                        dim_text(results, json_object_get(outcome, "block")));
    rd_subject_add_text(results, subject, "fmad", rd_check_text_of(outcome, "fmad"));
    rd_subject_add_number(subject, "threads", number_of(outcome, "threads"));
    rd_subject_add_number(subject, "schedules", json_array_size(json_object_get(outcome, "runs")));
}

/* The last line of the report in words. */
static const char *summary_text(struct rd_results *results, const json_t *outcome)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return "";
    rd_check_print_summary(outcome, out);
    fclose(out);
    text[strcspn(text, "\n")] = '\0';
    const char *kept = rd_texts_keep(&results->texts, text);
    free(text);
    return kept;
}

/* ---- hazards ---- */

static size_t count_private(const struct rd_subject *subject)
{
    size_t count = 0;
    for (size_t k = 0; k < subject->n_hazards; k++)
        count += strcmp(subject->hazards[k].finding.kind, "private") == 0;
    return count;
}

/* "2 hazards: race, ..."; the first is that of local variables, or not. */
static const char *count_text(struct rd_results *results, const struct rd_subject *subject,
                              uint64_t count, bool is_private)
{
    const char *name = "";
    for (size_t k = subject->n_hazards; k-- > 0;)
        if ((strcmp(subject->hazards[k].finding.kind, "private") == 0) == is_private)
            name = subject->hazards[k].name;
    return rd_texts_format(&results->texts, "%llu hazard%s: %s%s", (unsigned long long)count,
                           count == 1 ? "" : "s", name, count == 1 ? "" : ", ...");
}

/* Local variables are looked at in a run of their own. */
static void add_test_of_locals(struct rd_results *results, struct rd_subject *subject,
                               const json_t *outcome, const char *open)
{
    const json_t *first = json_array_get(json_object_get(outcome, "runs"), 0);
    const char *why = json_string_value(json_object_get(outcome, "not_private"));
    const size_t n = count_private(subject);
    enum rd_tested state = RD_TESTED_SKIPPED;
    const char *message = "not looked at (--private off)";
    if (n > 0) {
        state = RD_TESTED_VIOLATED;
        message = count_text(results, subject, n, true);
    } else if (open && !(json_is_true(json_object_get(outcome, "private")) && first)) {
        state = RD_TESTED_OPEN;
        message = open;
    } else if (why) {
        state = json_is_false(json_object_get(first, "ended")) ? RD_TESTED_OPEN : state;
        message = why;
    } else if (json_array_size(json_object_get(outcome, "runs")) == 0) {
        message = "no thread has run";
    } else if (json_is_true(json_object_get(outcome, "private"))) {
        state = RD_TESTED_HOLDS;
        message = "";
    }
    rd_subject_add_test(results, subject, RD_TEST_OF_LOCALS, state, message);
    if (state == RD_TESTED_SKIPPED)
        rd_subject_add_unlooked(results, subject,
                                rd_texts_format(&results->texts, "local variables: %s", message));
}

static void add_test_of_hazards(struct rd_results *results, struct rd_subject *subject,
                                const char *open)
{
    const uint64_t n = subject->n_found - count_private(subject);
    enum rd_tested state = n > 0 ? RD_TESTED_VIOLATED : open ? RD_TESTED_OPEN : RD_TESTED_HOLDS;
    const char *message = n > 0 ? count_text(results, subject, n, false) : open ? open : "";
    rd_subject_add_test(results, subject, RD_TEST_OF_HAZARDS, state, message);
}

/* ---- the result ---- */

static void add_unexpected(struct rd_results *results, struct rd_subject *subject,
                           const json_t *expected)
{
    const json_t *first = json_object_get(expected, "first");
    const char *array = rd_check_text_of(expected, "array");
    const bool of_file = json_object_get(expected, "file");
    const struct rd_results_violation told = {
        .kind = "result",
        .array = array,
        .cell = (size_t)number_of(first, "index"),
        .expected = rd_check_text_of(first, "expected"),
        .actual = rd_check_text_of(first, "actual"),
        .count = number_of(expected, "differ"),
        .message = rd_texts_format(
            &results->texts,
            of_file ? "%s[%llu] is %s, and '%s' has %s" : "%s[%llu] is %s, and %s is %s", array,
            (unsigned long long)number_of(first, "index"), rd_check_text_of(first, "actual"),
            rd_check_text_of(expected, of_file ? "file" : "source"),
            rd_check_text_of(first, "expected")),
    };
    rd_subject_add_violation(results, subject, &told);
    subject->n_violated++;
}

static void add_test_of_result(struct rd_results *results, struct rd_subject *subject,
                               const json_t *outcome, const char *open)
{
    size_t k;
    json_t *expected;
    bool compared = true;
    const char *why = NULL;
    json_array_foreach(json_object_get(outcome, "expected"), k, expected)
    {
        if (json_object_get(expected, "unjudged"))
            why = rd_texts_format(&results->texts, "%s: %s", rd_check_text_of(expected, "source"),
                                  rd_check_text_of(expected, "unjudged"));
        compared = compared && json_is_true(json_object_get(expected, "compared"));
        if (number_of(expected, "differ") > 0)
            add_unexpected(results, subject, expected);
    }
    const char *message = "";
    enum rd_tested state = RD_TESTED_HOLDS;
    if (subject->n_violated > 0) {
        state = RD_TESTED_VIOLATED;
        message = subject->violations[0].message;
    } else if (open) {
        state = RD_TESTED_OPEN;
        message = open;
    } else if (k == 0) {
        state = RD_TESTED_SKIPPED;
        message = "the result was not judged: give --expect";
    } else if (!compared) {
        state = RD_TESTED_OPEN;
        message = why ? why : "not compared: the kernel did not come to its end";
    }
    rd_subject_add_test(results, subject, "result", state, message);
    if (state == RD_TESTED_SKIPPED)
        rd_subject_add_unlooked(results, subject, message);
}

/* ---- all of it ---- */

static void add_unlooked(struct rd_results *results, struct rd_subject *subject,
                         const json_t *outcome)
{
    const json_t *runs = json_object_get(outcome, "runs");
    const char *unvaried = rd_check_text_of(outcome, "unvaried");
    if (json_array_size(runs) == 1 && json_is_true(json_object_get(outcome, "communicates")))
        rd_subject_add_unlooked(results, subject,
                                "other schedules: the threads communicate, and one was tried");
    const json_t *suppressed = json_object_get(outcome, "suppressed"),
                 *hazard = json_array_get(suppressed, 0),
                 *place = json_array_get(json_object_get(hazard, "places"), 0);
    if (hazard)
        rd_subject_add_unlooked(
            results, subject,
            rd_texts_format(&results->texts, "suppressed: %zu, the first a %s at %s:%llu: %s",
                            json_array_size(suppressed), rd_check_text_of(hazard, "name"),
                            rd_check_text_of(place, "file"),
                            (unsigned long long)number_of(place, "line"),
                            rd_check_text_of(hazard, "reason")));
    if (json_is_true(json_object_get(outcome, "interrupted")))
        rd_subject_add_unlooked(results, subject, "what was to come behind the interruption");
    if (*unvaried)
        rd_subject_add_unlooked(
            results, subject,
            rd_texts_format(&results->texts, "other values of what was not varied: %s", unvaried));
    const json_t *untold = json_object_get(outcome, "untold");
    if (json_is_object(untold))
        rd_subject_add_unlooked(
            results, subject,
            rd_texts_format(&results->texts, "what wrote the memory that %s:%lld reads",
                            rd_check_text_of(untold, "file"),
                            (long long)json_integer_value(json_object_get(untold, "line"))));
    if (rd_check_launches_inside(outcome))
        rd_subject_add_unlooked(results, subject, "races between grids that launch each other");
}

static enum rd_ending ending_of(const json_t *outcome)
{
    if (!json_is_null(json_object_get(outcome, "error")))
        return RD_ENDING_FAILED;
    if (json_is_true(json_object_get(outcome, "interrupted")))
        return RD_ENDING_INTERRUPTED;
    if (json_integer_value(json_object_get(outcome, "status")) == RD_EXIT_INCONCLUSIVE)
        return RD_ENDING_INCONCLUSIVE;
    if (json_integer_value(json_object_get(outcome, "status")) != 0)
        return RD_ENDING_VIOLATED;
    return json_is_true(json_object_get(outcome, "judged")) ? RD_ENDING_HOLDS : RD_ENDING_NO_HAZARD;
}

/* Adds the report to the results, which refer to it. */
static void check_results(struct rd_results *results, const json_t *outcome)
{
    const char *kernel = rd_check_text_of(outcome, "kernel");
    struct rd_subject *subject = rd_results_add(results, "check", kernel);
    if (!subject)
        return;
    const bool failed = !json_is_null(json_object_get(outcome, "error"));
    subject->ending = ending_of(outcome);
    const bool is_cut = !json_is_null(json_object_get(outcome, "stopped_after_s"));
    const char *open = failed ? rd_check_text_of(outcome, "error")
                       : subject->ending == RD_ENDING_INTERRUPTED ? "the check was interrupted"
                       : is_cut ? "the kernel was stopped before its end (--timeout)"
                                : NULL;
    subject->error = json_string_value(json_object_get(outcome, "error"));
    subject->file = rd_check_text_of(outcome, "file");
    subject->summary =
        failed ? rd_texts_format(&results->texts, "FAILED %s: %s", kernel, subject->error)
               : summary_text(results, outcome);
    add_facts(results, subject, outcome);
    rd_check_results_add_hazards(results, subject, outcome);
    subject->hazards_known =
        subject->n_found > 0 || (json_array_size(json_object_get(outcome, "runs")) > 0 && !failed);
    add_test_of_hazards(results, subject, open);
    add_test_of_locals(results, subject, outcome, open);
    add_test_of_result(results, subject, outcome, open);
    rd_subject_set_not_contained(results, subject,
                                 json_string_value(json_object_get(outcome, "not_contained")));
    if (!failed)
        add_unlooked(results, subject, outcome);
    rd_subject_settle(results, subject, subject->summary);
}

enum rd_status rd_check_write(const json_t *outcome, enum rd_format format, FILE *file,
                              struct rd_error *error)
{
    struct rd_results results;
    rd_results_init(&results, "check");
    check_results(&results, outcome);
    enum rd_status status = rd_results_write(&results, format, file, error);
    rd_results_finish(&results);
    return status;
}

/* ---- the file of --sarif ---- */

/* The file of --sarif. */

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static enum rd_status fail(const char *path, int reason, struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s",
                   is_stdout(path) ? "standard output" : path, strerror(reason ? reason : EIO));
}

enum rd_status rd_check_sarif_try(const char *path, struct rd_error *error)
{
    struct stat about;
    if (is_stdout(path))
        return RD_OK;
    bool was_there = stat(path, &about) == 0;
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return fail(path, errno, error);
    close(file);
    if (!was_there)
        unlink(path);
    return RD_OK;
}

enum rd_status rd_check_sarif_write(const json_t *outcome, const char *path, struct rd_error *error)
{
    struct stat about;
    FILE *file = is_stdout(path) ? stdout : fopen(path, "we");
    if (!file)
        return fail(path, errno, error);
    bool is_file = fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode);
    errno = 0;
    bool good = rd_check_write(outcome, RD_FORMAT_SARIF, file, NULL) == RD_OK &&
                fflush(file) == 0 && !ferror(file);
    int reason = errno;
    if (file == stdout) /* whoever ends it tells, too, and once is enough */
        return RD_OK;
    if (fclose(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good)
        return RD_OK;
    if (is_file)
        unlink(path);
    return fail(path, reason, error);
}
