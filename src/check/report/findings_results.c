// SPDX-License-Identifier: MIT
/* Findings in results for other programs. */
#include "check/report/findings.h"

#include <stdlib.h>

static uint64_t number_of(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static struct rd_finding_place place_of(const json_t *place)
{
    const json_t *thread = json_object_get(place, "thread"),
                 *block = json_object_get(place, "block");
    return (struct rd_finding_place){
        .file = json_string_value(json_object_get(place, "file")),
        .line = (unsigned)number_of(place, "line"),
        .column = (unsigned)number_of(place, "column"),
        .op = rd_check_text_of(place, "op"),
        .thread_known = json_is_integer(thread),
        .thread = (unsigned)json_integer_value(thread),
        .block_known = json_is_integer(block),
        .block = (uint64_t)json_integer_value(block),
    };
}

static void set_schedules(struct rd_results *results, struct rd_results_hazard *told,
                          const json_t *hazard)
{
    const json_t *list = json_object_get(hazard, "schedules");
    const size_t n = json_array_size(list);
    const char **schedules = n > 0 ? calloc(n, sizeof *schedules) : NULL;
    results->failed = results->failed || (n > 0 && !schedules);
    for (size_t k = 0; k < n && schedules; k++)
        schedules[k] = json_string_value(json_array_get(list, k));
    told->schedules = schedules;
    told->n_schedules = schedules ? n : 0;
}

static void add_hazard(struct rd_results *results, struct rd_subject *subject, const json_t *hazard)
{
    const json_t *places = json_object_get(hazard, "places");
    const json_t *index = json_object_get(hazard, "index");
    struct rd_results_hazard told = {
        .name = rd_check_text_of(hazard, "name"),
        .finding =
            {
                .hazard = rd_check_hazard_kind(hazard),
                .kind = rd_check_text_of(hazard, "kind"),
                .scope = rd_check_text_of(hazard, "scope"),
                .message = rd_check_text_of(hazard, "message"),
                .lesson = rd_check_text_of(hazard, "lesson"),
                .count = number_of(hazard, "count"),
                .array = rd_check_text_of(hazard, "array"),
                .type = rd_check_text_of(hazard, "type"),
                .index_known = json_is_integer(index),
                .index = json_integer_value(index),
                .n_elems = (size_t)number_of(hazard, "n_elems"),
                .before = rd_check_text_of(hazard, "before"),
                .after = rd_check_text_of(hazard, "after"),
                .interval = (unsigned)number_of(hazard, "interval"),
            },
    };
    for (size_t k = 0; k < json_array_size(places) && k < 2; k++)
        told.finding.places[told.finding.n_places++] = place_of(json_array_get(places, k));
    set_schedules(results, &told, hazard);
    rd_subject_add_hazard(results, subject, &told);
}

void rd_check_results_add_hazards(struct rd_results *results, struct rd_subject *subject,
                                  const json_t *outcome)
{
    size_t k;
    const char *name;
    json_t *hazard, *count;
    json_array_foreach(json_object_get(outcome, "hazards"), k, hazard)
        add_hazard(results, subject, hazard);
    json_object_foreach(json_object_get(outcome, "counts"), name, count) subject->n_found +=
        (uint64_t)json_integer_value(count);
}
