// SPDX-License-Identifier: MIT
/* Findings as JSON objects. */
#include "check/report/findings.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

json_t *rd_check_text(const char *text, size_t length)
{
    json_t *string = json_stringn(text, length);
    char *mended = string ? NULL : malloc(length * RD_UTF8_BYTES_MAX + 1);
    size_t size = 0;
    if (!mended)
        return string ? string : json_string("");
    for (size_t at = 0; at < length;) {
        uint32_t character;
        at += rd_utf8_decode(text + at, length - at, &character);
        size += rd_utf8_encode(character, mended + size);
    }
    string = json_stringn(mended, size);
    free(mended);
    return string;
}

/* ---- hazards ---- */

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

/* ---- the same hazard ---- */

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

/* ---- those of an outcome ---- */

json_t *rd_check_count_hazards(const json_t *hazards)
{
    json_t *counts = json_object(), *hazard;
    size_t k;
    json_array_foreach(hazards, k, hazard)
    {
        const char *name = json_string_value(json_object_get(hazard, "name"));
        json_int_t before = json_integer_value(json_object_get(counts, name));
        json_object_set_new(counts, name, json_integer(before + 1));
    }
    return counts;
}

void rd_check_cut(json_t *outcome, unsigned max_errors)
{
    json_t *hazards = json_object_get(outcome, "hazards");
    size_t left_out = 0;
    for (size_t n = json_array_size(hazards); max_errors && n > max_errors; n--, left_out++)
        json_array_remove(hazards, n - 1);
    json_object_set_new(outcome, "hazards_left_out", json_integer((json_int_t)left_out));
}

bool rd_check_launches_inside(const json_t *outcome)
{
    const json_t *run = json_array_get(json_object_get(outcome, "runs"), 0);
    const size_t asked = json_array_size(json_object_get(outcome, "launched_in_turn"));
    size_t k, made = 0;
    json_t *launched;
    json_array_foreach(json_object_get(run, "launches"), k, launched)
    {
        made += (size_t)json_integer_value(json_object_get(launched, "launches"));
    }
    return made > asked;
}
