// SPDX-License-Identifier: MIT
/* The report on all runs, as a JSON object. */
#include "check/kernel/check.h"
#include "check/report/findings.h"
#include "check/report/suppressions.h"
#include "check/unit/launches.h"
#include "reductio/version.h"
#include "base/exit_status.h"

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

json_t *rd_check_hazard_json(const struct rd_check *check, enum rd_hazard_kind kind,
                             const char *text)
{
    char message[1024] = "";
    struct rd_finding finding = rd_check_hazard(check, kind, message);
    snprintf(message, sizeof message, "%s. %s", text, finding.lesson);
    return rd_check_finding_json(&finding);
}

/* ---- merging ---- */

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

/* ---- outcome ---- */

static json_t *dim_json(struct rd_index3 dim)
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
                     whole(options->shared_bytes), "seed", whole(options->common.seed), "fmad",
                     options->fmad ? "on" : "off");
}

/* ---- members ---- */

static json_t *run_json(const struct rd_check_run *run)
{
    char name[RD_SCHEDULE_NAME_SIZE];
    rd_schedule_name(&run->schedule, name);
    json_t *object = json_pack(
        "{s:s, s:O, s:O, s:I}", "schedule", name, "outcome",
        json_object_get(run->record, "outcome"), "threads", json_object_get(run->record, "threads"),
        "hazards", (json_int_t)json_array_size(json_object_get(run->record, "hazards")));
    json_object_set_new(object, "ended", json_boolean(rd_check_run_is_complete(run)));
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
        if (check->n_prints > 0 && rd_check_run_buffer(&runs[r], check, check->prints[0]))
            return &runs[r];
    return NULL;
}

static json_t *buffers_json(const struct rd_check *check, const struct rd_check_run *runs,
                            unsigned n_runs)
{
    json_t *list = json_array();
    const struct rd_check_run *run = rd_check_run_to_print(check, runs, n_runs);
    for (unsigned k = 0; k < check->n_prints && run; k++) {
        unsigned buffer = check->prints[k];
        const struct rd_check_spec *spec = check->buffers.all[buffer].spec;
        json_array_append_new(
            list,
            json_pack("{s:i, s:O, s:s, s:o}", "argument", (int)check->buffers.all[buffer].argument,
                      "array", json_array_get(json_object_get(run->record, "names"), buffer),
                      "type", spec->numeric->name, "values",
                      values_json(spec, rd_check_run_buffer(run, check, buffer))));
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

/* Tells whether a run was stopped before its end, and nothing shows that it has none. */
static bool is_cut_short(const json_t *runs)
{
    size_t k;
    json_t *run;
    json_array_foreach(runs, k, run)
    {
        if (strcmp(rd_check_text_of(run, "outcome"), "timeout") == 0)
            return true;
    }
    return false;
}

/* Tells whether something was to be asserted, and could not be. */
static bool is_open(const json_t *expected)
{
    size_t k;
    json_t *one;
    json_array_foreach(expected, k, one)
    {
        if (json_object_get(one, "unjudged"))
            return true;
    }
    return false;
}

/* Tells whether a result was compared with what is expected of it. */
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
        return RD_EXIT_FAILED;
    if (json_is_true(json_object_get(outcome, "interrupted")))
        return RD_EXIT_INTERRUPTED;
    if (json_array_size(json_object_get(outcome, "hazards")) > 0 ||
        is_unexpected(json_object_get(outcome, "expected")))
        return RD_EXIT_VIOLATED;
    return is_open(json_object_get(outcome, "expected")) ||
                   !json_is_null(json_object_get(outcome, "stopped_after_s"))
               ? RD_EXIT_INCONCLUSIVE
               : RD_EXIT_HOLDS;
}

static json_t *finish(json_t *outcome, const struct rd_check *check)
{
    json_object_set_new(outcome, "counts",
                        rd_check_count_hazards(json_object_get(outcome, "hazards")));
    json_object_set_new(outcome, "status", json_integer(status_of(outcome)));
    rd_check_cut(outcome, check->options->common.max_errors);
    return outcome;
}

static json_t *steps_json(const struct rd_check_options *options)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < options->n_turns; k++) {
        const struct rd_check_launch *step = &options->turns[k];
        if (step->kernel)
            json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "kernel",
                                                  rd_check_text(step->kernel, strlen(step->kernel)),
                                                  "grid", dim_json(step->grid), "block",
                                                  dim_json(step->block), "shared",
                                                  whole(step->shared_bytes)));
    }
    return list;
}

/* A result that depends on the schedule is a finding of its own, where no race says why. */
static void add_nondeterminism(const struct rd_check *check, json_t *outcome)
{
    const json_t *results = json_object_get(outcome, "results");
    const json_t *difference = json_object_get(results, "difference"),
                 *variable = json_object_get(results, "variable_difference"),
                 *heap = json_object_get(results, "heap_difference");
    char text[1024];
    if (!json_is_false(json_object_get(results, "same")) || check->options->expect_nondeterminism ||
        rd_check_has_hazard(outcome, RD_HAZARD_RACE))
        return;
    if (json_is_object(difference))
        snprintf(text, sizeof text, "%s[%lld] is %s under schedule %s, and %s under %s",
                 rd_check_text_of(difference, "array"),
                 (long long)json_integer_value(json_object_get(difference, "index")),
                 rd_check_text_of(difference, "value"), rd_check_text_of(difference, "schedule"),
                 rd_check_text_of(difference, "other_value"),
                 rd_check_text_of(difference, "other_schedule"));
    else if (json_is_object(variable) && rd_check_is_of_values(variable))
        rd_check_variable_difference_text(variable, text, sizeof text);
    else
        rd_check_heap_difference_text(heap, text, sizeof text);
    json_array_append_new(json_object_get(outcome, "hazards"),
                          rd_check_hazard_json(check, RD_HAZARD_ORDER_DEPENDENT, text));
}

static bool any_communicates(const struct rd_check_run *runs, unsigned n_runs)
{
    for (unsigned r = 0; r < n_runs; r++)
        if (rd_check_run_communicates(&runs[r]))
            return true;
    return false;
}

/* Returns what could not be contained of the first run where something could not; NULL where all was. */
static const char *missing_of(const struct rd_check_run *runs, unsigned n_runs)
{
    for (unsigned r = 0; r < n_runs; r++)
        if (runs[r].missing && *runs[r].missing)
            return runs[r].missing;
    return NULL;
}

static json_t *not_contained_json(const struct rd_check_run *runs, unsigned n_runs)
{
    const char *missing = missing_of(runs, n_runs);
    return missing ? json_string(missing) : json_null();
}

/* null where nothing has run. */
static json_t *contained_json(const struct rd_check_run *runs, unsigned n_runs)
{
    return n_runs ? json_boolean(!missing_of(runs, n_runs)) : json_null();
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
    json_object_set_new(outcome, "interrupted", json_boolean(check->interrupted));
    json_object_set_new(outcome, "error", why ? rd_check_text(why, strlen(why)) : json_null());
    json_object_set_new(outcome, "hazards", rd_check_merge(runs, n_runs));
    if (check->options->n_turns > 0)
        json_object_set_new(outcome, "launched_in_turn", steps_json(check->options));
    if (check->suppressions)
        rd_check_suppress(check->suppressions, outcome);
    json_object_set_new(outcome, "runs", list);
    json_object_set_new(outcome, "communicates", json_boolean(any_communicates(runs, n_runs)));
    json_object_set_new(outcome, "results", compare ? rd_check_compare(runs, n_runs) : json_null());
    add_nondeterminism(check, outcome);
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
    json_t *untold = n_runs ? json_object_get(runs[0].record, "untold") : NULL;
    json_object_set(outcome, "untold", untold ? untold : json_null());
    json_object_set_new(outcome, "private",
                        json_boolean(check->private_library && !*check->not_private));
    const bool is_cut =
        is_cut_short(list) && !rd_check_has_hazard(outcome, RD_HAZARD_NO_TERMINATION);
    json_object_set_new(outcome, "stopped_after_s",
                        is_cut ? whole(check->options->common.timeout_s) : json_null());
    json_object_set_new(outcome, "contained", contained_json(runs, n_runs));
    json_object_set_new(outcome, "not_contained", not_contained_json(runs, n_runs));
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
               ? is_open(json_object_get(outcome, "expected"))
                     ? "the result could not be judged"
                     : "the result was not judged: give --expect"
               : NULL;
}

json_t *rd_check_outcome_refused(const struct rd_check *check, const char *why)
{
    json_t *outcome = rd_check_outcome(check, NULL, 0, false, NULL);
    json_array_append_new(json_object_get(outcome, "hazards"),
                          rd_check_hazard_json(check, RD_HAZARD_ILLEGAL_LAUNCH, why));
    return finish(outcome, check);
}
