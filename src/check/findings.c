// SPDX-License-Identifier: MIT
#include "check/check_internal.h"
#include "check/check.h"

#include <stdio.h>
#include <string.h>

/* ---- findings ---- */

/* A result that is not as expected is no hazard, but a finding all the same. */
static const char *lesson_of(const struct rd_check *check, enum rd_hazard_kind kind)
{
    return kind == RD_HAZARD_UNEXPECTED_RESULT ? "The buffer does not hold what was expected of it."
                                               : check->device->files->lesson(kind);
}

struct rd_finding rd_check_hazard(const struct rd_check *check, enum rd_hazard_kind kind,
                                  const char *message)
{
    return (struct rd_finding){
        .hazard = kind,
        .kind = "",
        .scope = "",
        .message = message,
        .lesson = lesson_of(check, kind),
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

json_t *rd_check_hazard_json(const struct rd_check *check, enum rd_hazard_kind kind,
                             const char *text)
{
    char message[1024] = "";
    struct rd_finding finding = rd_check_hazard(check, kind, message);
    snprintf(message, sizeof message, "%s. %s", text, finding.lesson);
    return rd_check_finding_json(&finding);
}

/* ---- merging ---- */

static bool same_text(const json_t *x, const json_t *y, const char *key)
{
    return strcmp(rd_check_text_of(x, key), rd_check_text_of(y, key)) == 0;
}

static bool same_number(const json_t *x, const json_t *y, const char *key)
{
    return json_integer_value(json_object_get(x, key)) ==
           json_integer_value(json_object_get(y, key));
}

static bool same_place(const json_t *x, const json_t *y)
{
    return same_text(x, y, "file") && same_number(x, y, "line") && same_number(x, y, "column");
}

/* Compares places, two also crosswise: which came first depends on the schedule. */
static bool same_places(const json_t *x, const json_t *y)
{
    size_t n = json_array_size(x);
    if (n != json_array_size(y))
        return false;
    bool straight = true, crossed = n == 2;
    for (size_t k = 0; k < n; k++) {
        straight &= same_place(json_array_get(x, k), json_array_get(y, k));
        crossed = crossed && same_place(json_array_get(x, k), json_array_get(y, n - 1 - k));
    }
    return straight || crossed;
}

/* Tells whether both are of one cell. A run that looked at local variables knows the kind and the array of an
 * index that others report alone. */
static bool same_cell(const json_t *x, const json_t *y)
{
    if (same_text(x, y, "kind") && same_text(x, y, "array"))
        return true;
    const char *other =
        json_string_value(json_object_get(rd_check_hazard_is_private(x) ? y : x, "kind"));
    return rd_check_hazard_is_private(x) != rd_check_hazard_is_private(y) && other && !*other;
}

bool rd_check_same_hazard(const json_t *x, const json_t *y)
{
    if (json_object_get(x, "pairs") && json_object_get(y, "pairs"))
        return same_text(x, y, "name") && same_text(x, y, "array") && same_text(x, y, "kernel");
    return same_text(x, y, "name") && same_cell(x, y) && same_text(x, y, "scope") &&
           same_text(x, y, "kernel") &&
           same_places(json_object_get(x, "places"), json_object_get(y, "places"));
}

static json_t *find(json_t *merged, const json_t *hazard)
{
    for (size_t k = 0; k < json_array_size(merged); k++)
        if (rd_check_same_hazard(json_array_get(merged, k), hazard))
            return json_array_get(merged, k);
    return NULL;
}

/* A run may tell two hazards apart that are the same here: it is named once. */
static void add_schedule(json_t *hazard, const char *name)
{
    json_t *schedules = json_object_get(hazard, "schedules");
    size_t n = json_array_size(schedules);
    if (n == 0 || strcmp(json_string_value(json_array_get(schedules, n - 1)), name) != 0)
        json_array_append_new(schedules, json_string(name));
}

/* Ranks what would order a race: 2, fences; 1, fences and barriers; 0, neither. */
static int remedy(const json_t *hazard)
{
    return json_object_get(hazard, "lacks_fence")     ? 2
           : json_object_get(hazard, "lacks_barrier") ? 1
                                                      : 0;
}

/* Keeps the strongest remedy that a run needs: fences are enough only if they are in all runs. */
static void agree_on_fences(json_t *known, const json_t *hazard)
{
    if (remedy(hazard) >= remedy(known))
        return;
    json_object_set(known, "message", json_object_get(hazard, "message"));
    json_object_set(known, "lesson", json_object_get(hazard, "lesson"));
    json_object_set(known, "places", json_object_get(hazard, "places"));
    json_object_del(known, "lacks_fence");
    json_object_del(known, "lacks_barrier");
    if (remedy(hazard) == 1)
        json_object_set_new(known, "lacks_barrier", json_true());
}

json_t *rd_check_merge(const struct rd_check_run *runs, unsigned n_runs)
{
    json_t *merged = json_array(), *hazard;
    for (unsigned r = 0; r < n_runs; r++) {
        char name[RD_SCHEDULE_NAME_SIZE];
        size_t k;
        size_t before = json_array_size(merged);
        rd_schedule_name(&runs[r].schedule, name);
        json_array_foreach(json_object_get(runs[r].record, "hazards"), k, hazard)
        {
            json_t *known = find(merged, hazard);
            /* Hazards that one run tells apart stay apart. */
            for (size_t m = before; known && m < json_array_size(merged); m++)
                if (json_array_get(merged, m) == known)
                    known = NULL;
            if (!known) {
                known = json_deep_copy(hazard);
                json_object_set_new(known, "schedules", json_array());
                json_array_append_new(merged, known);
            }
            agree_on_fences(known, hazard);
            add_schedule(known, name);
        }
    }
    return merged;
}
