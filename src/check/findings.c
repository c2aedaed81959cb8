// SPDX-License-Identifier: MIT
#include "check/findings.h"
#include "device/sim/report/lessons.h"

#include <stdio.h>
#include <string.h>

/* Hazards of a launch as a whole. The last one is no hazard, but a finding all the same. */
static const struct {
    enum rd_hazard_kind kind;
    const char *lesson;
} others[] = {
    {RD_HAZARD_CRASH,
     "A device does whatever it likes, where a computer ends the program: end a thread by return."},
    {RD_HAZARD_UNEXPECTED_RESULT, "The buffer does not hold what was expected of it."},
};

static const char *lesson_of(enum rd_hazard_kind kind)
{
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k].kind == kind)
            return others[k].lesson;
    return rd_sim_lesson(kind);
}

struct rd_finding rd_check_hazard(enum rd_hazard_kind kind, const char *message)
{
    return (struct rd_finding){
        .hazard = kind,
        .kind = "",
        .scope = "",
        .message = message,
        .lesson = lesson_of(kind),
        .count = 1,
        .array = "",
        .type = "",
        .before = "",
        .after = "",
    };
}

/* ---- JSON ---- */

const char *rd_check_text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

enum rd_hazard_kind rd_check_hazard_kind(const json_t *hazard)
{
    return rd_hazard_named(json_string_value(json_object_get(hazard, "name")));
}

bool rd_check_has_hazard(const json_t *record, enum rd_hazard_kind kind)
{
    size_t k;
    json_t *hazard;
    json_array_foreach(json_object_get(record, "hazards"), k, hazard)
    {
        if (rd_check_hazard_kind(hazard) == kind)
            return true;
    }
    return false;
}

bool rd_check_hazard_is_private(const json_t *hazard)
{
    return strcmp(rd_check_text_of(hazard, "kind"), "private") == 0;
}

static json_t *text(const char *text)
{
    return rd_check_text(text, strlen(text));
}

static json_t *index3(struct rd_index3 index)
{
    return json_pack("[I, I, I]", (json_int_t)index.x, (json_int_t)index.y, (json_int_t)index.z);
}

static json_t *place_json(const struct rd_finding_place *place)
{
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:s}", "block",
        place->block_known ? json_integer((json_int_t)place->block) : json_null(), "thread",
        place->thread_known ? json_integer(place->thread) : json_null(), "block_index",
        place->block_known ? index3(place->block_index) : json_null(), "thread_index",
        place->thread_known ? index3(place->thread_index) : json_null(), "op", place->op);
    if (place->file) {
        json_object_set_new(object, "file", text(place->file));
        json_object_set_new(object, "line", json_integer(place->line));
        json_object_set_new(object, "column", json_integer(place->column));
    }
    return object;
}

json_t *rd_check_finding_json(const struct rd_finding *finding)
{
    json_t *places = json_array();
    for (unsigned k = 0; k < finding->n_places; k++)
        json_array_append_new(places, place_json(&finding->places[k]));
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:I, s:o, s:s, s:o, s:I}", "name",
                  rd_hazard_name(finding->hazard), "kind", finding->kind, "scope", finding->scope,
                  "count", (json_int_t)finding->count, "message", text(finding->message), "lesson",
                  finding->lesson, "places", places, "interval", (json_int_t)finding->interval);
    if (*finding->array)
        json_object_set_new(object, "array", text(finding->array));
    if (*finding->type)
        json_object_set_new(object, "type", json_string(finding->type));
    if (finding->index_known)
        json_object_set_new(object, "index", json_integer((json_int_t)finding->index));
    if (finding->n_elems)
        json_object_set_new(object, "n_elems", json_integer((json_int_t)finding->n_elems));
    if (finding->lacks_fence)
        json_object_set_new(object, "lacks_fence", json_true());
    if (finding->lacks_barrier)
        json_object_set_new(object, "lacks_barrier", json_true());
    if (finding->n_pairs)
        json_object_set_new(object, "pairs", json_integer(finding->n_pairs));
    if (finding->bytes)
        json_object_set_new(object, "bytes", json_integer((json_int_t)finding->bytes));
    if (*finding->before) {
        json_object_set_new(object, "before", json_string(finding->before));
        json_object_set_new(object, "after", json_string(finding->after));
    }
    return object;
}

json_t *rd_check_hazard_json(enum rd_hazard_kind kind, const char *text)
{
    char message[1024] = "";
    struct rd_finding finding = rd_check_hazard(kind, message);
    snprintf(message, sizeof message, "%s. %s", text, finding.lesson);
    return rd_check_finding_json(&finding);
}
