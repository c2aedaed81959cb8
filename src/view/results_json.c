// SPDX-License-Identifier: MIT
/* Results in JSON: docs/results.schema.json. Of a later version all members keep their meaning, and there may be more. */
#include "reductio/version.h"
#include "view/results_write.h"

#include <stdlib.h>
#include <string.h>

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
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
                     subject->kind, "name", rd_markup_string(subject->name), "verdict",
                     rd_ending_name(subject->ending), "summary", rd_markup_string(subject->summary),
                     "error", subject->error ? rd_markup_string(subject->error) : json_null(),
                     "facts", rd_results_json_facts(subject), "counts",
                     rd_results_json_counts(subject), "test_counts",
                     rd_results_json_tests(results, subject), "tests", json_tests(subject),
                     "violations", violations, "hazards", hazards, "not_looked_at", unlooked);
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
