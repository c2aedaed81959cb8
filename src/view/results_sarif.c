// SPDX-License-Identifier: MIT
/* Results in SARIF 2.1.0, as https://docs.oasis-open.org/sarif/sarif/v2.1.0/ describes it. Violations and hazards are results;
 * what is open is one of kind "open"; what was not looked at is a notification; and where a verdict is none, the execution
 * was not successful. */
#include "reductio/version.h"
#include "view/results.h"
#include "device/sim/report/report.h"
#include "reductio/hazards.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- rules ---- */

/* Behind those of the hazards. */
enum rule {
    RULE_BITS = RD_HAZARD_COUNT,
    RULE_BOUND,
    RULE_FRAME,
    RULE_GOAL,
    RULE_OTHER,
    RULE_OPEN,
    RULE_COUNT
};

static const struct {
    const char *id, *sentence, *help;
} more_rules[RULE_COUNT - RD_HAZARD_COUNT] = {
    {"violated-bits", "A live cell does not hold what the loop invariant says.",
     "A round has not kept the invariant: 'reductio explain' has the argument why it should."},
    {"violated-bound", "A float is farther from the exact value than its additions can round.",
     "The terms in the cell are not those of the invariant, or were added in another order."},
    {"violated-frame", "A dead cell was changed.",
     "A dead cell is no part of the claim any more, and a round must leave it alone."},
    {"violated-goal", "The invariant held and the loop has ended, but the goal is not reached.",
     "The invariant is too weak, or the loop ends too early."},
    {"violated", "What was asserted does not hold.", "The message says what, and where."},
    {"inconclusive", "What was to be asserted is not decided.",
     "Nothing is known of it: it is no success."},
};

static const char *rule_id(int rule)
{
    return rule < RD_HAZARD_COUNT ? rd_hazard_name((enum rd_hazard_kind)rule)
                                  : more_rules[rule - RD_HAZARD_COUNT].id;
}

static const char *rule_sentence(int rule)
{
    return rule < RD_HAZARD_COUNT ? rd_hazard_sentence((enum rd_hazard_kind)rule)
                                  : more_rules[rule - RD_HAZARD_COUNT].sentence;
}

/* The lesson of a hazard that the simulator knows; of another one, what it is. */
static const char *rule_help(int rule)
{
    if (rule >= RD_HAZARD_COUNT)
        return more_rules[rule - RD_HAZARD_COUNT].help;
    const char *lesson = rd_sim_lesson((enum rd_hazard_kind)rule);
    return *lesson ? lesson : rule_sentence(rule);
}

static json_t *json_rules(void)
{
    json_t *list = json_array();
    for (int rule = 0; rule < RULE_COUNT; rule++)
        json_array_append_new(list,
                              json_pack("{s:s, s:{s:s}, s:{s:s}, s:{s:s}}", "id", rule_id(rule),
                                        "shortDescription", "text", rule_sentence(rule), "help",
                                        "text", rule_help(rule), "defaultConfiguration", "level",
                                        rule == RULE_OPEN ? "none" : "error"));
    return list;
}

static int rule_of_hazard(enum rd_hazard_kind kind)
{
    return kind == RD_HAZARD_UNKNOWN ? RULE_OTHER : (int)kind;
}

static int rule_of_violation(const struct rd_results_violation *violation)
{
    char id[64];
    if (strcmp(violation->kind, "result") == 0)
        return RD_HAZARD_UNEXPECTED_RESULT;
    snprintf(id, sizeof id, "violated-%s", violation->kind);
    int rule = RD_HAZARD_COUNT;
    while (rule < RULE_OTHER && strcmp(rule_id(rule), id) != 0)
        rule++;
    return rule;
}

/* ---- places ---- */

/* A path as a URI: relative as it is, absolute as file://. */
static json_t *json_uri(const char *path)
{
    struct rd_markup uri = {0};
    rd_markup_raw(&uri, *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("-._~/", *path))
            rd_markup_format(&uri, "%c", *path);
        else
            rd_markup_format(&uri, "%%%02X", (unsigned char)*path);
    json_t *string = uri.failed ? NULL : json_string(uri.data);
    free(uri.data);
    return string;
}

/* Without a known place: the subject's own. */
static json_t *json_location(const struct rd_subject *subject, const struct rd_finding_place *place)
{
    const bool known = place && place->file && place->line > 0;
    const char *file = known ? place->file : subject->file;
    const unsigned line = known ? place->line : subject->line;
    json_t *physical = json_pack("{s:{s:o}}", "artifactLocation", "uri",
                                 json_uri(file && *file ? file : "unknown"));
    json_t *region = line > 0 ? json_pack("{s:i}", "startLine", (int)line) : NULL;
    if (region && known && place->column > 0)
        json_object_set_new(region, "startColumn", json_integer(place->column));
    if (region)
        json_object_set_new(physical, "region", region);
    const bool is_kernel = strcmp(subject->kind, "check") == 0;
    return json_pack("{s:o, s:[{s:o, s:s}]}", "physicalLocation", physical, "logicalLocations",
                     "name", rd_markup_string(subject->name), "kind",
                     is_kernel ? "function" : "module");
}

/* "the other side: thread 0 of block 0, read". */
static json_t *json_who(const struct rd_finding_place *place)
{
    char thread[64] = "a thread", block[64] = "another block";
    if (place->thread_known)
        snprintf(thread, sizeof thread, "thread %u", place->thread);
    if (place->block_known)
        snprintf(block, sizeof block, "block %llu", (unsigned long long)place->block);
    return json_sprintf("the other side: %s of %s%s%s", thread, block,
                        place->op && *place->op ? ", " : "", place->op ? place->op : "");
}

static void add_related(json_t *result, const struct rd_subject *subject,
                        const struct rd_finding *finding)
{
    json_t *list = json_array();
    for (unsigned k = 1; k < finding->n_places; k++) {
        json_t *location = json_location(subject, &finding->places[k]);
        json_object_set_new(location, "id", json_integer(k));
        json_object_set_new(location, "message",
                            json_pack("{s:o}", "text", json_who(&finding->places[k])));
        json_array_append_new(list, location);
    }
    if (json_array_size(list) > 0)
        json_object_set(result, "relatedLocations", list);
    json_decref(list);
}

/* ---- results ---- */

static json_t *json_result(int rule, const char *message, json_t *location)
{
    json_t *result = json_pack("{s:s, s:i, s:s, s:{s:o}, s:[o]}", "ruleId", rule_id(rule),
                               "ruleIndex", rule, "level", rule == RULE_OPEN ? "none" : "error",
                               "message", "text", rd_markup_string(message), "locations", location);
    if (rule == RULE_OPEN)
        json_object_set_new(result, "kind", json_string("open"));
    return result;
}

static json_t *result_of_hazard(const struct rd_subject *subject,
                                const struct rd_results_hazard *hazard)
{
    static const char *const told[] = {"name", "message", "count", "places"};
    const struct rd_finding *finding = &hazard->finding;
    json_t *result =
        json_result(rule_of_hazard(finding->hazard), finding->message,
                    json_location(subject, finding->n_places > 0 ? finding->places : NULL));
    json_t *properties = rd_results_json_hazard(hazard);
    for (size_t k = 0; k < sizeof told / sizeof *told; k++)
        json_object_del(properties, told[k]);
    add_related(result, subject, finding);
    json_object_set_new(result, "occurrenceCount", json_integer((json_int_t)finding->count));
    json_object_set_new(result, "properties", properties);
    return result;
}

static json_t *result_of_violation(const struct rd_subject *subject,
                                   const struct rd_results_violation *violation)
{
    const struct rd_finding_place place = {.file = violation->file, .line = violation->line};
    char *message = NULL;
    if (asprintf(&message, "%s%s%s", violation->message, violation->evidence ? "; " : "",
                 violation->evidence ? violation->evidence : "") < 0)
        message = NULL;
    json_t *result = json_result(rule_of_violation(violation), message ? message : "",
                                 json_location(subject, &place));
    json_t *properties = rd_results_json_violation(violation);
    json_object_del(properties, "message");
    json_object_set_new(result, "properties", properties);
    free(message);
    return result;
}

static void add_result_of_test(json_t *list, const struct rd_subject *subject,
                               const struct rd_results_test *test)
{
    char *message = NULL;
    if (asprintf(&message, "%s: %s%s%s", subject->name, test->name, *test->message ? ": " : "",
                 test->message) < 0)
        message = NULL;
    json_array_append_new(list, json_result(test->state == RD_TESTED_OPEN ? RULE_OPEN : RULE_OTHER,
                                            message ? message : "", json_location(subject, NULL)));
    free(message);
}

static void add_results(json_t *list, const struct rd_subject *subject)
{
    for (size_t k = 0; k < subject->n_hazards; k++)
        json_array_append_new(list, result_of_hazard(subject, &subject->hazards[k]));
    for (size_t k = 0; k < subject->n_violations; k++)
        json_array_append_new(list, result_of_violation(subject, &subject->violations[k]));
    for (size_t k = 0; k < subject->n_tests; k++) {
        const struct rd_results_test *test = &subject->tests[k];
        if (test->state == RD_TESTED_OPEN ||
            (test->state == RD_TESTED_VIOLATED && !rd_results_test_is_told(subject, test)))
            add_result_of_test(list, subject, test);
    }
}

/* ---- the log ---- */

static void notify(json_t *list, const char *level, const char *text)
{
    json_array_append_new(list, json_pack("{s:s, s:{s:o}}", "level", level, "message", "text",
                                          rd_markup_string(text)));
}

static void notify_not_contained(json_t *list, const char *what)
{
    char *text = NULL;
    if (asprintf(&text, "not contained: %s", what) >= 0)
        notify(list, "warning", text);
    free(text);
}

static json_t *json_invocation(const struct rd_results *results)
{
    const enum rd_ending ending = rd_results_ending(results);
    const bool decided = ending <= RD_ENDING_NO_HAZARD || ending == RD_ENDING_VIOLATED;
    json_t *notifications = json_array();
    for (size_t k = 0; k < results->n_subjects; k++) {
        const struct rd_subject *subject = &results->subjects[k];
        if (subject->error)
            notify(notifications, "error", subject->error);
        else if (subject->ending == RD_ENDING_INTERRUPTED ||
                 subject->ending == RD_ENDING_INCONCLUSIVE)
            notify(notifications, "warning", subject->summary);
        for (size_t u = 0; u < subject->n_unlooked; u++)
            notify(notifications, "note", subject->unlooked[u]);
        if (subject->not_contained)
            notify_not_contained(notifications, subject->not_contained);
    }
    json_t *object = json_pack("{s:b, s:i}", "executionSuccessful", (int)decided, "exitCode",
                               rd_ending_status(ending));
    if (json_array_size(notifications) > 0)
        json_object_set(object, "toolExecutionNotifications", notifications);
    json_decref(notifications);
    return object;
}

static json_t *json_properties(const struct rd_results *results)
{
    json_t *subjects = json_array();
    for (size_t k = 0; k < results->n_subjects; k++) {
        const struct rd_subject *subject = &results->subjects[k];
        json_array_append_new(
            subjects,
            json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "kind", subject->kind, "name",
                      rd_markup_string(subject->name), "verdict", rd_ending_name(subject->ending),
                      "summary", rd_markup_string(subject->summary), "facts",
                      rd_results_json_facts(subject), "counts", rd_results_json_counts(subject),
                      "test_counts", rd_results_json_tests(results, subject), "not_contained",
                      rd_results_json_not_contained(subject)));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "command", results->command, "verdict",
                     rd_ending_name(rd_results_ending(results)), "test_counts",
                     rd_results_json_tests(results, NULL), "subjects", subjects);
}

void rd_results_write_sarif(struct rd_markup *to, const struct rd_results *results)
{
    json_t *list = json_array();
    for (size_t k = 0; k < results->n_subjects; k++)
        add_results(list, &results->subjects[k]);
    json_t *log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:[o], s:o, s:o}]}", "$schema",
                            "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                            "runs", "tool", "driver", "name", "reductio", "version", rd_version(),
                            "rules", json_rules(), "invocations", json_invocation(results),
                            "results", list, "properties", json_properties(results));
    rd_results_append(to, log, JSON_INDENT(2));
    rd_markup_raw(to, "\n");
}
