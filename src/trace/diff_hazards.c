// SPDX-License-Identifier: MIT
#include "trace/diff_hazards.h"

#include <stdio.h>
#include <string.h>

static bool is_same(const json_t *x, const json_t *y)
{
    static const char *const keys[] = {"name", "step", "message", NULL};
    for (const char *const *key = keys; *key; key++) {
        const json_t *of_x = json_object_get(x, *key), *of_y = json_object_get(y, *key);
        if (of_x != of_y && !json_equal(of_x, of_y))
            return false;
    }
    return true;
}

static const char *text_of(const json_t *hazard, const char *key)
{
    const char *text = json_string_value(json_object_get(hazard, key));
    return text ? text : "";
}

static void add(struct rd_trace_difference *found, const char *which, const json_t *hazard)
{
    const json_t *step = json_object_get(hazard, "step");
    if (found->n_hazards++ >= RD_TRACE_HAZARDS_MAX)
        return;
    char *text = found->hazards[found->n_hazards - 1];
    const size_t size = sizeof found->hazards[0];
    int n = 0;
    if (json_is_integer(step))
        n = snprintf(text, size, "step %lld: ", (long long)json_integer_value(step));
    snprintf(text + n, size - (size_t)n, "only the %s trace has this hazard: %.30s: %s", which,
             text_of(hazard, "name"), text_of(hazard, "message"));
}

/* Hazards of `one` that the other list has less often. */
static void add_missing(const json_t *one, const json_t *other, const char *which,
                        struct rd_trace_difference *found)
{
    const size_t n = json_array_size(one), m = json_array_size(other);
    for (size_t k = 0; k < n; k++) {
        const json_t *hazard = json_array_get(one, k);
        size_t before = 0, there = 0;
        for (size_t j = 0; j < k; j++)
            before += is_same(json_array_get(one, j), hazard);
        for (size_t j = 0; j < m; j++)
            there += is_same(json_array_get(other, j), hazard);
        if (before >= there)
            add(found, which, hazard);
    }
}

void rd_trace_diff_hazards(const json_t *left, const json_t *right,
                           struct rd_trace_difference *found)
{
    add_missing(left, right, "first", found);
    add_missing(right, left, "second", found);
}
