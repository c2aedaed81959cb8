// SPDX-License-Identifier: MIT
/* The report in SARIF 2.1.0, as https://docs.oasis-open.org/sarif/sarif/v2.1.0/ describes it. */
#include "check/check.h"
#include "check/findings.h"
#include "reductio/version.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A path as a URI: relative as it is, absolute as file://. */
static json_t *uri(const char *path)
{
    size_t length = 0;
    char *escaped = malloc(3 * strlen(path) + sizeof "file://");
    if (!escaped)
        return json_string("");
    if (*path == '/')
        length = (size_t)sprintf(escaped, "file://");
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("-._~/", *path))
            escaped[length++] = *path;
        else
            length += (size_t)sprintf(escaped + length, "%%%02X", (unsigned char)*path);
    json_t *string = json_stringn(escaped, length);
    free(escaped);
    return string;
}

/* ---- rules ---- */

static json_t *rules(void)
{
    json_t *list = json_array();
    for (unsigned k = 0; rd_check_hazard_name(k); k++)
        json_array_append_new(list, json_pack("{s:s, s:{s:s}, s:{s:s}, s:{s:s}}", "id",
                                              rd_check_hazard_name(k), "shortDescription", "text",
                                              rd_hazard_sentence((enum rd_hazard_kind)k), "help",
                                              "text", rd_check_hazard_lesson(k),
                                              "defaultConfiguration", "level", "error"));
    return list;
}

static json_int_t rule_index(const char *name)
{
    for (unsigned k = 0; rd_check_hazard_name(k); k++)
        if (strcmp(rd_check_hazard_name(k), name) == 0)
            return k;
    return -1;
}

/* ---- places ---- */

static json_t *region(const json_t *place)
{
    json_t *region = json_pack("{s:O}", "startLine", json_object_get(place, "line"));
    if (json_integer_value(json_object_get(place, "column")) > 0)
        json_object_set(region, "startColumn", json_object_get(place, "column"));
    return region;
}

/* Of a place without a line: the file that was checked. */
static json_t *location(const json_t *place, const json_t *outcome)
{
    const char *file = rd_check_text_of(place, "file");
    bool known = *file && json_integer_value(json_object_get(place, "line")) > 0;
    json_t *physical = json_pack("{s:{s:o}}", "artifactLocation", "uri",
                                 uri(known ? file : rd_check_text_of(outcome, "file")));
    if (known)
        json_object_set_new(physical, "region", region(place));
    return json_pack("{s:o, s:[{s:O, s:s}]}", "physicalLocation", physical, "logicalLocations",
                     "name", json_object_get(outcome, "kernel"), "kind", "function");
}

/* "thread 0 of block 0, which reads". */
static json_t *who(const json_t *place)
{
    const char *op = rd_check_text_of(place, "op");
    const json_t *thread = json_object_get(place, "thread"),
                 *block = json_object_get(place, "block");
    char of_thread[64] = "a thread", of_block[64] = "another block";
    if (json_is_integer(thread))
        snprintf(of_thread, sizeof of_thread, "thread %lld", (long long)json_integer_value(thread));
    if (json_is_integer(block))
        snprintf(of_block, sizeof of_block, "block %lld", (long long)json_integer_value(block));
    return json_sprintf("the other side: %s of %s%s%s", of_thread, of_block, *op ? ", " : "", op);
}

static json_t *related(const json_t *places, const json_t *outcome)
{
    json_t *list = json_array();
    for (size_t k = 1; k < json_array_size(places); k++) {
        const json_t *place = json_array_get(places, k);
        json_t *one = location(place, outcome);
        json_object_set_new(one, "id", json_integer((json_int_t)k));
        json_object_set_new(one, "message", json_pack("{s:o}", "text", who(place)));
        json_array_append_new(list, one);
    }
    return list;
}

/* ---- results ---- */

static json_t *result(const char *name, json_t *message, const json_t *places,
                      const json_t *outcome)
{
    json_t *object = json_pack("{s:s, s:I, s:s, s:{s:o}, s:[o]}", "ruleId", name, "ruleIndex",
                               rule_index(name), "level", "error", "message", "text", message,
                               "locations", location(json_array_get(places, 0), outcome));
    json_t *others = related(places, outcome);
    if (json_array_size(others) > 0)
        json_object_set(object, "relatedLocations", others);
    json_decref(others);
    return object;
}

/* What JSON tells in members of its own, for those who look for it. */
static json_t *properties(const json_t *hazard)
{
    static const char *const keys[] = {"kind",    "scope",  "array", "index",    "type",
                                       "n_elems", "before", "after", "interval", "schedules"};
    json_t *object = json_object();
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        json_t *value = json_object_get(hazard, keys[k]);
        if (value && !(json_is_string(value) && json_string_length(value) == 0))
            json_object_set(object, keys[k], value);
    }
    return object;
}

static json_t *results(const json_t *outcome)
{
    json_t *list = json_array(), *one;
    size_t k;
    json_array_foreach(json_object_get(outcome, "hazards"), k, one)
    {
        json_t *of =
            result(rd_check_text_of(one, "name"), json_incref(json_object_get(one, "message")),
                   json_object_get(one, "places"), outcome);
        json_object_set(of, "occurrenceCount", json_object_get(one, "count"));
        json_object_set_new(of, "properties", properties(one));
        json_array_append_new(list, of);
    }
    json_array_foreach(json_object_get(outcome, "expected"), k, one)
    {
        const json_t *first = json_object_get(one, "first");
        if (json_is_object(first))
            json_array_append_new(
                list, result(rd_hazard_name(RD_HAZARD_UNEXPECTED_RESULT),
                             json_sprintf(
                                 "%s[%lld] is %s, and '%s' has %s", rd_check_text_of(one, "array"),
                                 (long long)json_integer_value(json_object_get(first, "index")),
                                 rd_check_text_of(first, "actual"), rd_check_text_of(one, "file"),
                                 rd_check_text_of(first, "expected")),
                             NULL, outcome));
    }
    return list;
}

/* ---- the log ---- */

static json_t *invocation(const json_t *outcome)
{
    const json_t *error = json_object_get(outcome, "error");
    json_t *object = json_pack("{s:b, s:O}", "executionSuccessful", json_is_null(error), "exitCode",
                               json_object_get(outcome, "status"));
    if (!json_is_null(error))
        json_object_set_new(
            object, "toolExecutionNotifications",
            json_pack("[{s:s, s:{s:O}}]", "level", "error", "message", "text", error));
    else if (rd_check_not_judged(outcome))
        json_object_set_new(object, "toolExecutionNotifications",
                            json_pack("[{s:s, s:{s:s}}]", "level", "note", "message", "text",
                                      rd_check_not_judged(outcome)));
    return object;
}

json_t *rd_check_sarif(const json_t *outcome)
{
    return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:[o], s:o}]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                     "tool", "driver", "name", "reductio", "version", rd_version(), "rules",
                     rules(), "invocations", invocation(outcome), "results", results(outcome));
}
