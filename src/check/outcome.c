// SPDX-License-Identifier: MIT
#include "check/check.h"
#include "check/findings.h"
#include "reductio/version.h"

#include <string.h>

enum { HOLDS = 0, FOUND = 1, FAILED = 2 };

static json_t *dim_json(struct rd_sim_dim dim)
{
    return json_pack("[I, I, I]", (json_int_t)dim.x, (json_int_t)dim.y, (json_int_t)dim.z);
}

/* A whole number; beyond 2^53, where readers may round it, a string. */
static json_t *whole(uint64_t number)
{
    return number <= (uint64_t)1 << 53 ? json_integer((json_int_t)number)
                                       : json_sprintf("%llu", (unsigned long long)number);
}

static json_t *begin(const struct rd_check *check)
{
    const struct rd_check_options *options = check->options;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "reductio", rd_version(), "file",
                     rd_check_text(options->file, strlen(options->file)), "kernel",
                     rd_check_text(options->kernel, strlen(options->kernel)), "grid",
                     dim_json(options->grid), "block", dim_json(options->block), "shared",
                     whole(options->shared_bytes), "seed", whole(options->seed), "fmad",
                     options->fmad ? "on" : "off");
}

/* ---- members ---- */

static json_t *run_json(const struct rd_check_run *run)
{
    char name[RD_SIM_SCHEDULE_NAME_SIZE];
    rd_sim_schedule_name(&run->schedule, name);
    json_t *object = json_pack(
        "{s:s, s:O, s:O, s:I}", "schedule", name, "outcome",
        json_object_get(run->record, "outcome"), "threads", json_object_get(run->record, "threads"),
        "hazards", (json_int_t)json_array_size(json_object_get(run->record, "hazards")));
    if (json_array_size(json_object_get(run->record, "launches")) > 0)
        json_object_set(object, "launches", json_object_get(run->record, "launches"));
    if (json_object_get(run->record, "error"))
        json_object_set(object, "error", json_object_get(run->record, "error"));
    json_object_set_new(object, "printed",
                        rd_check_text(run->printed ? run->printed : "", run->printed_bytes));
    return object;
}

static const char *error_of(const struct rd_check_run *runs, unsigned n_runs)
{
    for (unsigned r = 0; r < n_runs; r++) {
        json_t *error = json_object_get(runs[r].record, "error");
        if (error)
            return json_string_value(error);
    }
    return NULL;
}

/* {"race": 2}, in the order in which they were first seen. */
static json_t *count_hazards(const json_t *hazards)
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

static json_t *values_json(const struct rd_check_spec *spec, const char *cells)
{
    json_t *values = json_array();
    for (size_t i = 0; i < spec->count; i++)
        json_array_append_new(values, rd_check_value(spec->numeric, cells, i));
    return values;
}

const struct rd_check_run *rd_check_run_to_print(const struct rd_check *check,
                                                 const struct rd_check_run *runs, unsigned n_runs)
{
    for (unsigned r = 0; r < n_runs; r++)
        if (check->options->n_prints > 0 &&
            rd_check_run_buffer(&runs[r], check, check->options->prints[0]))
            return &runs[r];
    return NULL;
}

static json_t *buffers_json(const struct rd_check *check, const struct rd_check_run *runs,
                            unsigned n_runs)
{
    json_t *list = json_array();
    const struct rd_check_run *run = rd_check_run_to_print(check, runs, n_runs);
    for (unsigned k = 0; k < check->options->n_prints && run; k++) {
        unsigned argument = check->options->prints[k];
        const struct rd_check_spec *spec = &check->specs[argument];
        json_array_append_new(
            list, json_pack("{s:i, s:O, s:s, s:o}", "argument", (int)argument, "array",
                            json_array_get(json_object_get(run->record, "names"), argument), "type",
                            spec->numeric->name, "values",
                            values_json(spec, rd_check_run_buffer(run, check, argument))));
    }
    return list;
}

/* ---- all of it ---- */

static bool is_unexpected(const json_t *expected)
{
    size_t k;
    json_t *one;
    json_array_foreach(expected, k, one)
    {
        if (json_integer_value(json_object_get(one, "differ")) > 0)
            return true;
    }
    return false;
}

/* Whether a result was compared with what is expected of it. */
static bool is_judged(const json_t *expected)
{
    size_t k;
    json_t *one;
    json_array_foreach(expected, k, one)
    {
        if (json_is_true(json_object_get(one, "compared")))
            return true;
    }
    return false;
}

static int status_of(const json_t *outcome)
{
    if (!json_is_null(json_object_get(outcome, "error")))
        return FAILED;
    return json_array_size(json_object_get(outcome, "hazards")) > 0 ||
                   is_unexpected(json_object_get(outcome, "expected"))
               ? FOUND
               : HOLDS;
}

/* Leaves out all but the first max_errors hazards. */
static void cut(json_t *outcome, unsigned max_errors)
{
    json_t *hazards = json_object_get(outcome, "hazards");
    size_t left_out = 0;
    for (size_t n = json_array_size(hazards); max_errors && n > max_errors; n--, left_out++)
        json_array_remove(hazards, n - 1);
    json_object_set_new(outcome, "hazards_left_out", json_integer((json_int_t)left_out));
}

static json_t *finish(json_t *outcome, const struct rd_check *check)
{
    json_object_set_new(outcome, "counts", count_hazards(json_object_get(outcome, "hazards")));
    json_object_set_new(outcome, "status", json_integer(status_of(outcome)));
    cut(outcome, check->options->max_errors);
    return outcome;
}

/* A result that depends on the schedule is a finding of its own, where no race says why. */
static void add_nondeterminism(json_t *outcome, const struct rd_check_options *options)
{
    const json_t *results = json_object_get(outcome, "results");
    const json_t *difference = json_object_get(results, "difference");
    char text[512];
    if (!json_is_object(difference) || options->expect_nondeterminism ||
        rd_check_has_hazard(outcome, RD_HAZARD_RACE))
        return;
    snprintf(text, sizeof text, "%s[%lld] is %s under schedule %s, and %s under %s",
             json_string_value(json_object_get(difference, "array")),
             (long long)json_integer_value(json_object_get(difference, "index")),
             json_string_value(json_object_get(difference, "value")),
             json_string_value(json_object_get(difference, "schedule")),
             json_string_value(json_object_get(difference, "other_value")),
             json_string_value(json_object_get(difference, "other_schedule")));
    json_array_append_new(json_object_get(outcome, "hazards"),
                          rd_check_hazard_json(RD_HAZARD_ORDER_DEPENDENT, text));
}

static bool any_communicates(const struct rd_check_run *runs, unsigned n_runs)
{
    for (unsigned r = 0; r < n_runs; r++)
        if (rd_check_run_communicates(&runs[r]))
            return true;
    return false;
}

json_t *rd_check_outcome(const struct rd_check *check, const struct rd_check_run *runs,
                         unsigned n_runs, bool compare, const char *error)
{
    json_t *outcome = begin(check), *list = json_array();
    const char *why = error ? error : error_of(runs, n_runs);
    for (unsigned r = 0; r < n_runs; r++)
        json_array_append_new(list, run_json(&runs[r]));
    json_object_set_new(outcome, "threads",
                        n_runs ? json_incref(json_object_get(runs[0].record, "threads"))
                               : json_integer(0));
    json_object_set_new(outcome, "error", why ? rd_check_text(why, strlen(why)) : json_null());
    json_object_set_new(outcome, "hazards", rd_check_merge(runs, n_runs));
    json_object_set_new(outcome, "runs", list);
    json_object_set_new(outcome, "communicates", json_boolean(any_communicates(runs, n_runs)));
    json_object_set_new(outcome, "results", compare ? rd_check_compare(runs, n_runs) : json_null());
    add_nondeterminism(outcome, check->options);
    json_object_set_new(outcome, "expected",
                        n_runs ? rd_check_compare_expected(check, runs, n_runs) : json_array());
    json_object_set_new(outcome, "judged",
                        json_boolean(is_judged(json_object_get(outcome, "expected"))));
    json_object_set_new(outcome, "buffers", buffers_json(check, runs, n_runs));
    json_object_set_new(
        outcome, "multiplies_and_adds",
        json_boolean(n_runs && json_is_true(json_object_get(runs[0].record, "floats"))));
    json_t *unvaried = n_runs ? json_object_get(runs[0].record, "unvaried") : NULL;
    json_object_set(outcome, "unvaried", unvaried ? unvaried : json_null());
    json_t *outdated = n_runs ? json_object_get(runs[0].record, "outdated") : NULL;
    json_object_set(outcome, "outdated", outdated ? outdated : json_null());
    json_object_set_new(outcome, "private",
                        json_boolean(check->private_library && !*check->not_private));
    json_object_set_new(outcome, "not_private",
                        *check->not_private ? json_string(check->not_private) : json_null());
    return finish(outcome, check);
}

const char *rd_check_not_judged(const json_t *outcome)
{
    bool ran = json_array_size(json_object_get(outcome, "runs")) > 0 &&
               json_is_null(json_object_get(outcome, "error"));
    bool is_clean = json_object_size(json_object_get(outcome, "counts")) == 0;
    return ran && is_clean && json_is_false(json_object_get(outcome, "judged"))
               ? "the result was not judged: give --expect"
               : NULL;
}

json_t *rd_check_outcome_refused(const struct rd_check *check, const char *why)
{
    json_t *outcome = rd_check_outcome(check, NULL, 0, false, NULL);
    json_array_append_new(json_object_get(outcome, "hazards"),
                          rd_check_hazard_json(RD_HAZARD_ILLEGAL_LAUNCH, why));
    return finish(outcome, check);
}
