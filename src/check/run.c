// SPDX-License-Identifier: MIT
#include "check/check.h"
#include "check/check_internal.h"
#include "check/suppressions.h"
#include "reductio/version.h"
#include "base/clock.h"
#include "check/await.h"
#include "check/interruption.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

void rd_check_cut(json_t *outcome, unsigned max_errors)
{
    json_t *hazards = json_object_get(outcome, "hazards");
    size_t left_out = 0;
    for (size_t n = json_array_size(hazards); max_errors && n > max_errors; n--, left_out++)
        json_array_remove(hazards, n - 1);
    json_object_set_new(outcome, "hazards_left_out", json_integer((json_int_t)left_out));
}

static json_t *finish(json_t *outcome, const struct rd_check *check)
{
    json_object_set_new(outcome, "counts",
                        rd_check_count_hazards(json_object_get(outcome, "hazards")));
    json_object_set_new(outcome, "status", json_integer(status_of(outcome)));
    rd_check_cut(outcome, check->options->common.max_errors);
    return outcome;
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

/* ---- the run ---- */

/* The child ends itself when its time is up; this long after it is ended. */
enum { GRACE_S = 2, TOLD_FROM_S = 2, PRINTED_MAX = 1 << 26 };

/* ---- what the two processes share ---- */

static size_t buffer_offset(const struct rd_check *check, unsigned buffer)
{
    size_t size_bytes = 0;
    for (unsigned k = 0; k < buffer; k++)
        if (check->buffers.all[k].spec->space == RD_CHECK_DEVICE)
            size_bytes += rd_check_spec_bytes(check->buffers.all[k].spec);
    return size_bytes;
}

size_t rd_check_unset_offset(const struct rd_check *check, unsigned buffer)
{
    size_t size_bytes = buffer_offset(check, check->buffers.n);
    for (unsigned k = 0; k < buffer && check->options->n_expects > 0; k++)
        if (check->buffers.all[k].spec->space == RD_CHECK_DEVICE)
            size_bytes += check->buffers.all[k].spec->count;
    return size_bytes;
}

static struct rd_check_shared *share(size_t size_bytes)
{
    struct rd_check_shared *shared = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

const char *rd_check_run_buffer(const struct rd_check_run *run, const struct rd_check *check,
                                unsigned buffer)
{
    if (!run->shared || !run->shared->kept || !rd_check_run_is_complete(run))
        return NULL;
    return run->shared->buffers + buffer_offset(check, buffer);
}

const char *rd_check_run_unset(const struct rd_check_run *run, const struct rd_check *check,
                               unsigned buffer)
{
    return run->shared->buffers + rd_check_unset_offset(check, buffer);
}

/* ---- the parent ---- */

/* The run whose progress is told. */
struct telling {
    const struct rd_check_options *options;
    const struct rd_schedule *schedule;
};

static void tell_progress(void *self, unsigned seconds)
{
    const struct telling *telling = self;
    const struct rd_check_options *options = telling->options;
    char name[RD_SCHEDULE_NAME_SIZE], text[256];
    if (!options->progress || seconds < TOLD_FROM_S)
        return;
    rd_schedule_name(telling->schedule, name);
    snprintf(text, sizeof text, "%s under %s: %u s; it is stopped after %u s (--timeout)",
             options->kernel, name, seconds, options->common.timeout_s);
    options->progress(options->progress_self, text);
}

static int wait_for_child(const struct rd_check *check, const struct rd_schedule *schedule,
                          struct rd_sandbox *box, bool *timed_out)
{
    const struct rd_check_options *options = check->options;
    unsigned timeout_s = options->common.timeout_s;
    struct telling telling = {options, schedule};
    /* The file's own initialisation has that time, too, before the kernel, and so have processes
     * that run the blocks side by side, before one that runs them again. */
    int limit_s = timeout_s < INT32_MAX / 3 - GRACE_S ? (int)(3 * timeout_s + GRACE_S) : INT32_MAX;
    int status = rd_check_await(box, limit_s, tell_progress, &telling, timed_out);
    if (options->progress)
        options->progress(options->progress_self, NULL);
    return status;
}

/* Output beyond PRINTED_MAX is left out. */
static void read_printed(FILE *file, struct rd_check_run *run)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    size_t wanted = size > PRINTED_MAX ? PRINTED_MAX : (size_t)size;
    rewind(file);
    run->printed = size > 0 ? malloc(wanted) : NULL;
    if (run->printed)
        run->printed_bytes = fread(run->printed, 1, wanted, file);
}

static _Noreturn void be_child(const struct rd_check *check, const struct rd_check_run *run,
                               const char seal[RD_CHECK_SEAL_SIZE], FILE *record, FILE *printed)
{
    rd_interruption_release();
    if (dup2(fileno(printed), STDOUT_FILENO) < 0)
        _exit(1);
    close(fileno(printed)); /* which standard output is now */
    rd_check_child(check, &run->schedule, run->exact, run->shared, seal, record);
    _exit(0);
}

static enum rd_status run_once(struct rd_check_run *run, const struct rd_check *check,
                               const struct rd_schedule *schedule, bool exact,
                               struct rd_error *error)
{
    enum rd_status status = RD_OK;
    struct rd_sandbox box;
    struct rd_check_run made = {.schedule = *schedule, .exact = exact};
    FILE *record = rd_check_record_open(), *printed = tmpfile();
    char seal[RD_CHECK_SEAL_SIZE];
    made.shared_bytes = sizeof *made.shared + rd_check_unset_offset(check, check->buffers.n);
    made.shared = share(made.shared_bytes);
    if (!made.shared || !record || !printed) {
        status = rd_fail(error, made.shared ? RD_ERROR_IO : RD_ERROR_MEMORY, "no %s for a run: %s",
                         made.shared ? "temporary file" : "memory", strerror(errno));
        goto done;
    }
    if (!rd_check_seal_make(seal)) {
        status = rd_fail(error, RD_ERROR_IO, "no random number for a run: %s", strerror(errno));
        goto done;
    }
    fflush(NULL);
    const int kept[] = {fileno(record), fileno(printed)};
    const pid_t child =
        rd_sandbox_fork(&box, &check->options->common.sandbox, check->directory, kept, 2);
    if (child == 0)
        be_child(check, &made, seal, record, printed);
    if (child < 0) {
        status = rd_fail(error, RD_ERROR_MEMORY, "no process for a run: %s", strerror(errno));
        goto done;
    }
    rd_interruption_watch(child);
    struct rd_check_end end = {.timed_out = false};
    const double start = rd_clock_s(CLOCK_MONOTONIC);
    end.status = wait_for_child(check, schedule, &box, &end.timed_out);
    end.had_time = rd_clock_s(CLOCK_MONOTONIC) - start >= check->options->common.timeout_s;
    if (*rd_interruption()) { /* what ended it is not the kernel's doing */
        status = rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted");
        goto done;
    }
    end.started = made.shared->started;
    end.stopped = rd_sandbox_why_stopped(&box, end.status);
    made.missing = strdup(box.missing);
    made.record = rd_check_record(record, check, seal, &end);
    read_printed(printed, &made);
    *run = made;

done:
    if (status != RD_OK)
        rd_check_run_drop(&made);
    if (record)
        fclose(record);
    if (printed)
        fclose(printed);
    return status;
}

static bool is_outcome(const struct rd_check_run *run, const char *outcome)
{
    return strcmp(json_string_value(json_object_get(run->record, "outcome")), outcome) == 0;
}

/* Threads that used up their steps were stopped, and the others went on. */
bool rd_check_run_is_complete(const struct rd_check_run *run)
{
    return is_outcome(run, "completed") && !rd_check_run_never_ends(run);
}

bool rd_check_run_communicates(const struct rd_check_run *run)
{
    return json_is_true(json_object_get(run->record, "communicates"));
}

bool rd_check_run_never_ends(const struct rd_check_run *run)
{
    return rd_check_has_hazard(run->record, RD_HAZARD_NO_TERMINATION);
}

bool rd_check_run_wants_turns(const struct rd_check_run *run, const struct rd_schedule *schedule)
{
    return schedule->order >= RD_ORDER_RANDOM && rd_check_run_communicates(run);
}

/* The exact run of a race among atomics knows more: short records do not keep atomics apart from plain accesses of
 * the same thread, nor know of what fences would have ordered. */
static bool tells_too_little(const struct rd_check_run *run)
{
    return is_outcome(run, "completed") && rd_check_run_communicates(run) &&
           rd_check_has_hazard(run->record, RD_HAZARD_RACE);
}

enum rd_status rd_check_run_init(struct rd_check_run *run, const struct rd_check *check,
                                 const struct rd_schedule *schedule, bool exact,
                                 struct rd_error *error)
{
    enum rd_status status = run_once(run, check, schedule, exact, error);
    bool must = status == RD_OK && !exact &&
                (is_outcome(run, "inexact") || rd_check_run_wants_turns(run, schedule));
    if (status != RD_OK || exact || !(must || tells_too_little(run)))
        return status;
    struct rd_check_run again = {.record = NULL};
    status = run_once(&again, check, schedule, true, error);
    if (status == RD_OK && (must || is_outcome(&again, "completed"))) {
        rd_check_run_finish(run);
        *run = again;
        return RD_OK;
    }
    rd_check_run_finish(status == RD_OK ? &again : run); /* what is known is told, if not more */
    return status;
}

void rd_check_run_drop(struct rd_check_run *run)
{
    if (run->shared)
        munmap(run->shared, run->shared_bytes);
    run->shared = NULL;
}

void rd_check_run_finish(struct rd_check_run *run)
{
    if (!run->record)
        return;
    rd_check_run_drop(run);
    json_decref(run->record);
    json_decref(run->difference);
    json_decref(run->heap_difference);
    json_decref(run->variable_difference);
    json_decref(run->print_difference);
    free(run->printed);
    free(run->missing);
    *run = (struct rd_check_run){0};
}
