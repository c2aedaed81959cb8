// SPDX-License-Identifier: MIT
#include "check/check.h"
#include "check/findings.h"

#include <string.h>

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

/* Of two places, which one came first depends on the schedule. */
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

/* Where one run has looked at local variables, it knows the kind and the array of an index that the others
 * tell of by itself. */
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

/* What would order a race: 2, fences; 1, fences and barriers; 0, neither. */
static int remedy(const json_t *hazard)
{
    return json_object_get(hazard, "lacks_fence")     ? 2
           : json_object_get(hazard, "lacks_barrier") ? 1
                                                      : 0;
}

/* That fences would do is true if it is true of all runs. */
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
        char name[RD_SIM_SCHEDULE_NAME_SIZE];
        size_t k;
        size_t before = json_array_size(merged);
        rd_sim_schedule_name(&runs[r].schedule, name);
        json_array_foreach(json_object_get(runs[r].record, "hazards"), k, hazard)
        {
            json_t *known = find(merged, hazard);
            /* What one run tells apart stays apart. */
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
