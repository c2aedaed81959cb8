// SPDX-License-Identifier: MIT
#include "view/results.h"
#include "reductio/version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- explanations ---- */

static bool results_test_has_hazard(const struct rd_results_test *test,
                                    const struct rd_results_hazard *hazard)
{
    const bool is_private = strcmp(hazard->finding.kind, "private") == 0;
    return strcmp(test->name, is_private ? RD_TEST_OF_LOCALS : RD_TEST_OF_HAZARDS) == 0;
}

static bool results_test_has_violations(const struct rd_results_test *test)
{
    static const char *const others[] = {RD_TEST_OF_HAZARDS, RD_TEST_OF_LOCALS, RD_TEST_OF_TRACE,
                                         RD_TEST_OF_END, RD_TEST_OF_VERDICT};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(test->name, others[k]) == 0)
            return false;
    return true;
}

bool rd_results_test_is_told(const struct rd_subject *subject, const struct rd_results_test *test)
{
    bool told = subject->n_violations > 0 && results_test_has_violations(test);
    for (size_t k = 0; k < subject->n_hazards; k++)
        told = told || results_test_has_hazard(test, &subject->hazards[k]);
    return told;
}

/* Says why there is no number of a subject's hazards. */
static const char *unknown_hazards(const struct rd_subject *subject)
{
    return subject->hazards_apart ? "told of the program" : "not looked for";
}

static void explain_hazard(FILE *out, const struct rd_results_hazard *hazard)
{
    if (hazard->in_round)
        fprintf(out, "round %u: ", hazard->round);
    fprintf(out, "%s: %s\n", hazard->name, hazard->finding.message);
}

static void explain_violation(FILE *out, const struct rd_results_violation *violation)
{
    fprintf(out, "%s\n", violation->message);
    if (violation->evidence)
        fprintf(out, "%s\n", violation->evidence);
}

/* Explains the failure of one test in full: its message, and the violations or the hazards that it is about. The caller
 * frees it; NULL without memory. */
static char *results_explain(const struct rd_subject *subject, const struct rd_results_test *test)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const bool is_violated = test->state == RD_TESTED_VIOLATED;
    for (size_t k = 0; k < subject->n_hazards && is_violated; k++)
        if (results_test_has_hazard(test, &subject->hazards[k]))
            explain_hazard(out, &subject->hazards[k]);
    for (size_t k = 0; k < subject->n_violations && is_violated; k++)
        if (results_test_has_violations(test))
            explain_violation(out, &subject->violations[k]);
    fclose(out);
    return text;
}

/* ---- JSON ---- */

/* Results in JSON: docs/results.schema.json. Of a later version all members keep their meaning, and there may be more. */

/* Rises when a member changes its meaning, or goes. */
enum { VERSION = 1 };

/* ---- parts ---- */

static json_t *whole(uint64_t number)
{
    return json_integer((json_int_t)number);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text && *text)
        json_object_set_new(object, key, rd_markup_string(text));
}

json_t *rd_results_json_violation(const struct rd_results_violation *violation)
{
    json_t *object =
        json_pack("{s:s, s:o, s:o}", "kind", violation->kind, "count", whole(violation->count),
                  "message", rd_markup_string(violation->message));
    if (violation->in_round)
        json_object_set_new(object, "round", whole(violation->round));
    set_text(object, "place", violation->place);
    if (violation->array) {
        set_text(object, "array", violation->array);
        json_object_set_new(object, "cell", whole(violation->cell));
    }
    set_text(object, "expected", violation->expected);
    set_text(object, "actual", violation->actual);
    set_text(object, "evidence", violation->evidence);
    set_text(object, "file", violation->file);
    if (violation->file && violation->line > 0)
        json_object_set_new(object, "line", whole(violation->line));
    return object;
}

static json_t *json_place(const struct rd_finding_place *place)
{
    json_t *object = json_object();
    set_text(object, "file", place->file);
    if (place->file && place->line > 0)
        json_object_set_new(object, "line", whole(place->line));
    if (place->file && place->column > 0)
        json_object_set_new(object, "column", whole(place->column));
    set_text(object, "op", place->op);
    if (place->block_known)
        json_object_set_new(object, "block", whole(place->block));
    if (place->thread_known)
        json_object_set_new(object, "thread", whole(place->thread));
    return object;
}

json_t *rd_results_json_hazard(const struct rd_results_hazard *hazard)
{
    const struct rd_finding *finding = &hazard->finding;
    json_t *places = json_array();
    for (unsigned k = 0; k < finding->n_places; k++)
        json_array_append_new(places, json_place(&finding->places[k]));
    json_t *object = json_pack("{s:o, s:o, s:o, s:o}", "name", rd_markup_string(hazard->name),
                               "message", rd_markup_string(finding->message), "count",
                               whole(finding->count), "places", places);
    if (hazard->in_round)
        json_object_set_new(object, "round", whole(hazard->round));
    set_text(object, "kind", finding->kind);
    set_text(object, "scope", finding->scope);
    set_text(object, "array", finding->array);
    if (finding->index_known)
        json_object_set_new(object, "index", json_integer((json_int_t)finding->index));
    set_text(object, "type", finding->type);
    if (finding->n_elems > 0)
        json_object_set_new(object, "n_elems", whole(finding->n_elems));
    set_text(object, "before", finding->before);
    set_text(object, "after", finding->after);
    if (finding->n_places > 0)
        json_object_set_new(object, "interval", whole(finding->interval));
    json_t *schedules = hazard->n_schedules > 0 ? json_array() : NULL;
    for (size_t k = 0; k < hazard->n_schedules; k++)
        json_array_append_new(schedules, rd_markup_string(hazard->schedules[k]));
    if (schedules)
        json_object_set_new(object, "schedules", schedules);
    return object;
}

json_t *rd_results_json_facts(const struct rd_subject *subject)
{
    json_t *object = json_object();
    for (size_t k = 0; k < subject->n_facts; k++) {
        const struct rd_results_fact *fact = &subject->facts[k];
        json_object_set_new(object, fact->name,
                            fact->text ? rd_markup_string(fact->text) : whole(fact->number));
    }
    return object;
}

json_t *rd_results_json_not_contained(const struct rd_subject *subject)
{
    return subject->not_contained ? rd_markup_string(subject->not_contained) : json_null();
}

json_t *rd_results_json_counts(const struct rd_subject *subject)
{
    return json_pack("{s:o, s:o}", "violations", whole(subject->n_violated), "hazards",
                     subject->hazards_known ? whole(subject->n_found) : json_null());
}

json_t *rd_results_json_tests(const struct rd_results *results, const struct rd_subject *subject)
{
    json_t *object = json_object();
    for (int state = 0; state < RD_TESTED_COUNT; state++)
        json_object_set_new(object, rd_tested_name((enum rd_tested)state),
                            whole(rd_results_count(results, subject, (enum rd_tested)state)));
    return object;
}

void rd_results_append(struct rd_markup *to, json_t *value, size_t flags)
{
    char *text = value ? json_dumps(value, flags | JSON_ENCODE_ANY) : NULL;
    if (text)
        rd_markup_raw(to, text);
    else
        to->failed = true;
    free(text);
    json_decref(value);
}

/* ---- the document ---- */

static json_t *json_tests(const struct rd_subject *subject)
{
    json_t *list = json_array();
    for (size_t k = 0; k < subject->n_tests; k++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o}", "name", subject->tests[k].name, "state",
                                        rd_tested_name(subject->tests[k].state), "message",
                                        rd_markup_string(subject->tests[k].message)));
    return list;
}

static json_t *json_subject(const struct rd_results *results, const struct rd_subject *subject)
{
    json_t *violations = json_array(), *hazards = json_array(), *unlooked = json_array();
    for (size_t k = 0; k < subject->n_violations; k++)
        json_array_append_new(violations, rd_results_json_violation(&subject->violations[k]));
    for (size_t k = 0; k < subject->n_hazards; k++)
        json_array_append_new(hazards, rd_results_json_hazard(&subject->hazards[k]));
    for (size_t k = 0; k < subject->n_unlooked; k++)
        json_array_append_new(unlooked, rd_markup_string(subject->unlooked[k]));
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
                     subject->kind, "name", rd_markup_string(subject->name), "verdict",
                     rd_ending_name(subject->ending), "summary", rd_markup_string(subject->summary),
                     "error", subject->error ? rd_markup_string(subject->error) : json_null(),
                     "facts", rd_results_json_facts(subject), "counts",
                     rd_results_json_counts(subject), "test_counts",
                     rd_results_json_tests(results, subject), "tests", json_tests(subject),
                     "violations", violations, "hazards", hazards, "not_looked_at", unlooked,
                     "not_contained", rd_results_json_not_contained(subject));
}

void rd_results_write_json(struct rd_markup *to, const struct rd_results *results)
{
    const enum rd_ending ending = rd_results_ending(results);
    json_t *subjects = json_array();
    for (size_t k = 0; k < results->n_subjects; k++)
        json_array_append_new(subjects, json_subject(results, &results->subjects[k]));
    json_t *document =
        json_pack("{s:i, s:s, s:s, s:s, s:i, s:o, s:o}", "results", VERSION, "reductio",
                  rd_version(), "command", results->command, "verdict", rd_ending_name(ending),
                  "exit_status", rd_ending_status(ending), "test_counts",
                  rd_results_json_tests(results, NULL), "subjects", subjects);
    rd_results_append(to, document, JSON_INDENT(2));
    rd_markup_raw(to, "\n");
}

/* ---- JUnit ---- */

/* Results in the XML of JUnit: a suite for each subject. What is violated is a failure, what is open an error, and what was
 * not looked at is skipped: no test case is without one of these that was not looked at and holds. */

/* Text between an attribute's quotes: lines in it stay lines. */
static void append_escaped(struct rd_markup *to, const char *text)
{
    for (const char *line = text;; line++) {
        size_t length = strcspn(line, "\n\t");
        rd_markup_text_of(to, line, length);
        line += length;
        if (!*line)
            break;
        rd_markup_raw(to, *line == '\n' ? "&#10;" : "&#9;");
    }
}

static void append_attribute(struct rd_markup *to, const char *name, const char *text)
{
    rd_markup_format(to, " %s=\"", name);
    append_escaped(to, text);
    rd_markup_raw(to, "\"");
}

static void append_counts(struct rd_markup *to, const struct rd_results *results,
                          const struct rd_subject *subject)
{
    size_t n = 0;
    for (int state = 0; state < RD_TESTED_COUNT; state++)
        n += rd_results_count(results, subject, (enum rd_tested)state);
    rd_markup_format(to, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", n,
                     rd_results_count(results, subject, RD_TESTED_VIOLATED),
                     rd_results_count(results, subject, RD_TESTED_OPEN),
                     rd_results_count(results, subject, RD_TESTED_SKIPPED));
}

static void append_property(struct rd_markup *to, const char *name, const char *text)
{
    rd_markup_raw(to, "      <property");
    append_attribute(to, "name", name);
    append_attribute(to, "value", text);
    rd_markup_raw(to, "/>\n");
}

static void append_number(struct rd_markup *to, const char *name, uint64_t number)
{
    rd_markup_format(to, "      <property name=\"%s\" value=\"%" PRIu64 "\"/>\n", name, number);
}

/* Comments, with what the other formats have as data. */
static void append_properties(struct rd_markup *to, const struct rd_subject *subject)
{
    rd_markup_raw(to, "    <properties>\n");
    append_property(to, "verdict", rd_ending_name(subject->ending));
    append_number(to, "violations", subject->n_violated);
    if (subject->hazards_known)
        append_number(to, "hazards", subject->n_found);
    else
        append_property(to, "hazards", unknown_hazards(subject));
    for (size_t k = 0; k < subject->n_facts; k++)
        if (subject->facts[k].text)
            append_property(to, subject->facts[k].name, subject->facts[k].text);
        else
            append_number(to, subject->facts[k].name, subject->facts[k].number);
    for (size_t k = 0; k < subject->n_unlooked; k++)
        append_property(to, "not looked at", subject->unlooked[k]);
    if (subject->not_contained)
        append_property(to, "not contained", subject->not_contained);
    rd_markup_raw(to, "    </properties>\n");
}

static void append_case(struct rd_markup *to, const struct rd_results *results,
                        const struct rd_subject *subject, const struct rd_results_test *test)
{
    static const char *const elements[RD_TESTED_COUNT] = {
        [RD_TESTED_SKIPPED] = "skipped",
        [RD_TESTED_OPEN] = "error",
        [RD_TESTED_VIOLATED] = "failure",
    };
    const char *element = elements[test->state];
    rd_markup_format(to, "    <testcase classname=\"reductio.%s.", results->command);
    append_escaped(to, subject->name);
    rd_markup_format(to, "\" name=\"%s\"", test->name);
    if (!element) {
        rd_markup_raw(to, "/>\n");
        return;
    }
    rd_markup_format(to, ">\n      <%s", element);
    if (test->state != RD_TESTED_SKIPPED)
        append_attribute(to, "type", rd_tested_name(test->state));
    append_attribute(to, "message", test->message);
    char *explanation = results_explain(subject, test);
    to->failed = to->failed || !explanation;
    if (explanation && *explanation) {
        rd_markup_raw(to, ">");
        rd_markup_text(to, explanation);
        rd_markup_format(to, "</%s>\n", element);
    } else {
        rd_markup_raw(to, "/>\n");
    }
    free(explanation);
    rd_markup_raw(to, "    </testcase>\n");
}

void rd_results_write_junit(struct rd_markup *to, const struct rd_results *results)
{
    rd_markup_raw(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"reductio\"");
    append_counts(to, results, NULL);
    rd_markup_raw(to, ">\n");
    for (size_t k = 0; k < results->n_subjects; k++) {
        const struct rd_subject *subject = &results->subjects[k];
        rd_markup_raw(to, "  <testsuite");
        append_attribute(to, "name", subject->name);
        append_counts(to, results, subject);
        rd_markup_raw(to, ">\n");
        append_properties(to, subject);
        for (size_t t = 0; t < subject->n_tests; t++)
            append_case(to, results, subject, &subject->tests[t]);
        rd_markup_raw(to, "    <system-out>");
        rd_markup_text(to, subject->summary);
        rd_markup_raw(to, "</system-out>\n  </testsuite>\n");
    }
    rd_markup_raw(to, "</testsuites>\n");
}

/* ---- TAP ---- */

/* Results for the Test Anything Protocol, version 13. "ok" without a directive is said of nothing but what was looked at
 * and holds; TODO, which excuses a failure, is said of nothing. */

/* Text in one line: what ends a line is a space, what begins a directive is escaped. */
static void append_line(struct rd_markup *to, const char *text)
{
    json_t *mended = rd_markup_string(text);
    const char *at = mended ? json_string_value(mended) : NULL;
    to->failed = to->failed || !at;
    for (; at && *at; at++) {
        const char one[] = {*at == '\n' || *at == '\t' ? ' ' : *at, '\0'};
        if (*at == '#' || *at == '\\')
            rd_markup_raw(to, "\\");
        rd_markup_raw(to, one);
    }
    json_decref(mended);
}

/* JSON is YAML, too, in a line. */
static void append_yaml(struct rd_markup *to, const char *key, json_t *value)
{
    rd_markup_format(to, "  %s: ", key);
    rd_results_append(to, value, 0);
    rd_markup_raw(to, "\n");
}

/* The block behind what is not ok. */
static void append_diagnostic(struct rd_markup *to, const struct rd_subject *subject,
                              const struct rd_results_test *test)
{
    rd_markup_raw(to, "  ---\n");
    append_yaml(to, "message", rd_markup_string(test->message));
    append_yaml(to, "severity", json_string(test->state == RD_TESTED_OPEN ? "open" : "fail"));
    json_t *hazards = json_array(), *violations = json_array();
    const bool is_violated = test->state == RD_TESTED_VIOLATED;
    for (size_t k = 0; k < subject->n_hazards && is_violated; k++)
        if (results_test_has_hazard(test, &subject->hazards[k]))
            json_array_append_new(hazards, rd_results_json_hazard(&subject->hazards[k]));
    for (size_t k = 0; k < subject->n_violations && is_violated; k++)
        if (results_test_has_violations(test))
            json_array_append_new(violations, rd_results_json_violation(&subject->violations[k]));
    if (json_array_size(hazards) > 0)
        append_yaml(to, "hazards", json_incref(hazards));
    if (json_array_size(violations) > 0)
        append_yaml(to, "violations", json_incref(violations));
    json_decref(hazards);
    json_decref(violations);
    rd_markup_raw(to, "  ...\n");
}

static void append_point(struct rd_markup *to, const struct rd_subject *subject,
                         const struct rd_results_test *test, size_t number)
{
    const bool bad = test->state == RD_TESTED_OPEN || test->state == RD_TESTED_VIOLATED;
    rd_markup_format(to, "%s %zu - ", bad ? "not ok" : "ok", number);
    append_line(to, subject->name);
    rd_markup_format(to, ": %s", test->name);
    if (test->state == RD_TESTED_SKIPPED) {
        rd_markup_raw(to, " # SKIP ");
        append_line(to, test->message);
    }
    rd_markup_raw(to, "\n");
    if (bad)
        append_diagnostic(to, subject, test);
}

/* Comments, with what the other formats have as data. */
static void append_comments(struct rd_markup *to, const struct rd_subject *subject)
{
    rd_markup_format(to, "# verdict: %s\n# violations: %" PRIu64 "\n",
                     rd_ending_name(subject->ending), subject->n_violated);
    if (subject->hazards_known)
        rd_markup_format(to, "# hazards: %" PRIu64 "\n", subject->n_found);
    else
        rd_markup_format(to, "# hazards: %s\n", unknown_hazards(subject));
    for (size_t k = 0; k < subject->n_facts; k++) {
        const struct rd_results_fact *fact = &subject->facts[k];
        rd_markup_format(to, "# %s: ", fact->name);
        if (fact->text)
            append_line(to, fact->text);
        else
            rd_markup_format(to, "%" PRIu64, fact->number);
        rd_markup_raw(to, "\n");
    }
    for (size_t k = 0; k < subject->n_unlooked; k++) {
        rd_markup_raw(to, "# not looked at: ");
        append_line(to, subject->unlooked[k]);
        rd_markup_raw(to, "\n");
    }
    if (subject->not_contained) {
        rd_markup_raw(to, "# not contained: ");
        append_line(to, subject->not_contained);
        rd_markup_raw(to, "\n");
    }
    rd_markup_raw(to, "# summary: ");
    append_line(to, subject->summary);
    rd_markup_raw(to, "\n");
}

void rd_results_write_tap(struct rd_markup *to, const struct rd_results *results)
{
    size_t n = 0, number = 0;
    for (size_t k = 0; k < results->n_subjects; k++)
        n += results->subjects[k].n_tests;
    rd_markup_format(to, "TAP version 13\n1..%zu\n", n);
    for (size_t k = 0; k < results->n_subjects; k++) {
        const struct rd_subject *subject = &results->subjects[k];
        for (size_t t = 0; t < subject->n_tests; t++)
            append_point(to, subject, &subject->tests[t], ++number);
        append_comments(to, subject);
    }
    if (rd_results_ending(results) == RD_ENDING_INTERRUPTED)
        rd_markup_raw(to, "Bail out! interrupted\n");
}
