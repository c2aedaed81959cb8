// SPDX-License-Identifier: MIT
/* The process in which a kernel runs. */
#include "check/kernel/check.h"
#include "check/report/findings.h"
#include "check/source/rewrite.h"
#include "check/source/kernel_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    FILE *record;
    const struct rd_check_options *options;
    struct rd_device *device;
    const struct rd_file_ops *files;
    const struct rd_file *file; /* loaded; NULL: not yet */
    struct rd_check_arg *args, buffers[RD_CHECK_ARGS_MAX];
    struct rd_check_memories memories;
    json_t *names;
    json_t *hazards, *launches; /* so far, of all grids */
    const char *seal;
    bool differs; /* from an earlier run */
    bool keeps_variables;
} child; /* for the device's signal handlers, too */

/* ---- what the device tells ---- */

/* A hazard of grids that kernels have launched is told but once, with a count. */
static void found(void *self, const char *kernel, const struct rd_finding *finding)
{
    size_t k;
    json_t *known, *hazard = rd_check_finding_json(finding);
    (void)self;
    if (kernel)
        json_object_set_new(hazard, "kernel", rd_check_text(kernel, strlen(kernel)));
    json_array_foreach(child.hazards, k, known)
    {
        if (kernel && rd_check_same_hazard(known, hazard)) {
            json_int_t count = json_integer_value(json_object_get(known, "count")) +
                               json_integer_value(json_object_get(hazard, "count"));
            json_object_set_new(known, "count", json_integer(count));
            json_decref(hazard);
            return;
        }
    }
    json_array_append_new(child.hazards, hazard);
}

static void launched(void *self, const char *kernel, uint64_t n_threads)
{
    size_t k;
    json_t *known;
    json_int_t threads = (json_int_t)n_threads;
    (void)self;
    json_array_foreach(child.launches, k, known)
    {
        if (strcmp(rd_check_text_of(known, "kernel"), kernel) == 0) {
            json_int_t launches = json_integer_value(json_object_get(known, "launches")) + 1;
            threads += json_integer_value(json_object_get(known, "threads"));
            json_object_set_new(known, "launches", json_integer(launches));
            json_object_set_new(known, "threads", json_integer(threads));
            return;
        }
    }
    json_array_append_new(child.launches, json_pack("{s:o, s:i, s:I}", "kernel",
                                                    rd_check_text(kernel, strlen(kernel)),
                                                    "launches", 1, "threads", threads));
}

static enum rd_status allows(void *self, struct rd_index3 grid, struct rd_index3 block,
                             size_t shared_bytes, struct rd_error *error)
{
    const struct rd_check_options options = {
        .grid = grid, .block = block, .shared_bytes = shared_bytes};
    (void)self;
    return rd_check_limits(&options, error);
}

/* ---- the record ---- */

/* {"file:line:bytes": [n, a number by blocks, and one by words]}; null where they are unknown. */
static void add_blocks(void *self, const struct rd_file_heap_blocks *blocks)
{
    char key[RD_CHECK_PATH_SIZE];
    snprintf(key, sizeof key, "%.*s:%u:%" PRIu64, (int)sizeof key - 40, blocks->file, blocks->line,
             blocks->size_bytes);
    json_object_set_new(self, key,
                        json_pack("[I, I, I]", (json_int_t)blocks->n, (json_int_t)blocks->blocks,
                                  (json_int_t)blocks->words));
}

static json_t *heap_json(void)
{
    json_t *heap = json_object();
    if (!child.files->visit_heap || child.files->visit_heap(child.device, add_blocks, heap))
        return heap;
    json_decref(heap);
    return json_null();
}

const char *rd_check_unvaried(const struct rd_file_state *state)
{
    return state->took_mask && state->took_clock ? "__activemask() and clocks"
           : state->took_mask                    ? "__activemask()"
           : state->took_clock                   ? "clocks"
                                                 : NULL;
}

static void write_record(const char *outcome, const char *error, const struct rd_finding *last)
{
    child.files->report_findings(child.device);
    const struct rd_file_state state = child.files->state(child.device);
    if (last)
        json_array_append_new(child.hazards, rd_check_finding_json(last));
    json_t *record = json_pack(
        "{s:s, s:s, s:I, s:b, s:o, s:o, s:o}", "seal", child.seal, "outcome", outcome, "threads",
        (json_int_t)(state.threads - (child.options->n_turns > 0 && state.threads > 0)),
        "communicates", state.communicates, "launches", child.launches, "hazards", child.hazards,
        "names", child.names);
    json_object_set_new(record, "heap", heap_json());
    if (child.keeps_variables)
        json_object_set_new(record, "variables", rd_check_variables_json(child.device));
    json_object_set_new(
        record, "prints",
        json_pack("[I, I]", (json_int_t)state.n_printed, (json_int_t)state.printed));
    if (child.differs)
        json_object_set_new(record, "differs", json_true());
    if (rd_check_unvaried(&state))
        json_object_set_new(record, "unvaried", json_string(rd_check_unvaried(&state)));
    if (state.outdated)
        json_object_set_new(
            record, "outdated",
            json_pack("{s:s, s:o, s:i}", "name", state.outdated, "file",
                      rd_check_text(state.outdated_file, strlen(state.outdated_file)), "line",
                      (int)state.outdated_line));
    if (state.untold)
        json_object_set_new(record, "untold",
                            json_pack("{s:o, s:i}", "file",
                                      rd_check_text(state.untold_file, strlen(state.untold_file)),
                                      "line", (int)state.untold_line));
    if (child.file && child.file->multiplies_and_adds && !child.options->fmad)
        json_object_set_new(record, "floats", json_true());
    if (error)
        json_object_set_new(record, "error", rd_check_text(error, strlen(error)));
    json_dumpf(record, child.record, JSON_COMPACT);
    json_decref(record); /* and the lists in it */
    fflush(child.record);
}

static _Noreturn void end(const char *outcome, const char *error, const struct rd_finding *last)
{
    fflush(stdout); /* what the kernel printed */
    write_record(outcome, error, last);
    _exit(0);
}

/* Ends a run that is to be repeated, or that had no device: its findings and its output are dropped. */
static _Noreturn void end_without_state(const char *outcome, const char *error)
{
    json_t *record = json_pack("{s:s, s:s, s:i, s:[], s:[]}", "seal", child.seal, "outcome",
                               outcome, "threads", 0, "hazards", "names");
    if (error)
        json_object_set_new(record, "error", rd_check_text(error, strlen(error)));
    json_dumpf(record, child.record, JSON_COMPACT);
    json_decref(record);
    fflush(child.record);
    _exit(0);
}

static void over(void *self, enum rd_file_ending ending, const char *error,
                 const struct rd_finding *last)
{
    static const char *const outcomes[] = {
        [RD_FILE_COMPLETED] = "completed", [RD_FILE_TIMEOUT] = "timeout", [RD_FILE_CRASH] = "crash",
        [RD_FILE_FAILED] = "failed",       [RD_FILE_INEXACT] = "inexact",
    };
    (void)self;
    if (ending == RD_FILE_INEXACT)
        end_without_state(outcomes[ending], NULL);
    end(outcomes[ending], error, last);
}

/* ---- the launch ---- */

static enum rd_status make_arguments(const struct rd_check *check, struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    for (unsigned k = 0; k < options->n_turns; k++) {
        const struct rd_check_launch *step = &options->turns[k];
        unsigned next = k + 1 < child.file->n_steps ? child.file->steps_first[k + 1]
                                                    : child.file->n_parameters,
                 n = next - child.file->steps_first[k];
        if (n != step->n_args)
            return rd_fail(error, RD_ERROR_USAGE, "'%s' has %u parameter%s, and its --launch %u",
                           step->kernel, n, n == 1 ? "" : "s", step->n_args);
    }
    if (child.file->n_parameters != options->n_args)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' has %u parameter%s, and there %s %u --arg",
                       options->kernel, child.file->n_parameters,
                       child.file->n_parameters == 1 ? "" : "s",
                       options->n_args == 1 ? "is" : "are", options->n_args);
    child.args = aligned_alloc(64, sizeof *child.args * RD_CHECK_ARGS_MAX);
    if (!child.args)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the arguments");
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < options->n_args && status == RD_OK; k++) {
        char name[64];
        child.files->parameter_name(child.device, k, name);
        const struct rd_check_buffer *namesake =
            rd_check_buffer_named(&check->buffers, name, strlen(name));
        if (namesake && namesake->spec != &check->specs[k])
            *name = '\0';
        status = rd_check_arg_alloc(&child.args[k], child.device, &check->specs[k], &child.memories,
                                    k, name, error);
    }
    for (unsigned k = 0; k < options->n_buffers && status == RD_OK; k++)
        status = rd_check_arg_alloc(&child.buffers[k], child.device, &check->buffer_specs[k],
                                    &child.memories, k, check->buffer_specs[k].name, error);
    for (unsigned k = 0; k < options->n_args && status == RD_OK; k++) {
        status = rd_check_arg_make(&child.args[k], &child.file->parameters[k], error);
        if (status == RD_OK && check->specs[k].is_buffer)
            child.files->name_memory(child.device, child.args[k].memory, k);
    }
    for (unsigned k = 0; k < check->buffers.n && status == RD_OK; k++) {
        const char *name = child.memories.names[k];
        json_array_append_new(child.names, rd_check_text(name, strlen(name)));
    }
    return status;
}

static void note_unset(const struct rd_check *check, struct rd_check_shared *shared,
                       unsigned buffer)
{
    const struct rd_check_spec *spec = check->buffers.all[buffer].spec;
    const size_t size_bytes = spec->numeric->size_bytes;
    const char *cells = child.memories.all[buffer];
    char *unset = shared->buffers + rd_check_unset_offset(check, buffer);
    if (child.files->is_initialised(child.device, cells, rd_check_spec_bytes(spec)))
        return;
    for (size_t i = 0; i < spec->count; i++)
        if (!child.files->is_initialised(child.device, cells + i * size_bytes, size_bytes))
            unset[i] = 1;
}

/* Keeps the run's buffers if results are compared, or if the caller asks for them. */
static void keep_buffers(const struct rd_check *check, struct rd_check_shared *shared)
{
    const struct rd_check_options *options = check->options;
    char *at = shared->buffers;
    bool compared = options->n_schedules > 1 || options->all_orders ||
                    child.files->state(child.device).communicates;
    if (!check->keep && (options->one_order || !compared))
        return;
    shared->kept = true;
    child.keeps_variables = compared;
    for (unsigned k = 0; k < check->buffers.n; k++) {
        const struct rd_check_spec *spec = check->buffers.all[k].spec;
        if (spec->space != RD_CHECK_DEVICE)
            continue;
        memcpy(at, child.memories.all[k], rd_check_spec_bytes(spec));
        at += rd_check_spec_bytes(spec);
    }
    for (unsigned k = 0; k < options->n_expects; k++)
        note_unset(check, shared, check->expectations[k].buffer);
}

static bool is_same_cell(const struct rd_file_parameter *parameter, const char *before,
                         const char *after, size_t at, size_t size_bytes)
{
    for (size_t k = 0; k < size_bytes; k++)
        if (before[at + k] != after[at + k] &&
            (!parameter->bytes || parameter->bytes[(at + k) % parameter->pointee_size]))
            return false;
    return true;
}

/* Padding may differ, and where nobody knows what is padding, all may. */
static bool is_comparable(const struct rd_file_parameter *parameter)
{
    return parameter->pointee_kind != 'v' && parameter->pointee_kind != 'p' &&
           (parameter->pointee_kind != 's' || parameter->bytes);
}

/* Compares the buffers with those after an earlier run. */
static void compare_buffers(const struct rd_check *check)
{
    for (unsigned k = 0; k < check->buffers.n; k++) {
        const struct rd_check_spec *spec = check->buffers.all[k].spec;
        const struct rd_file_parameter *parameter = &child.memories.types[k];
        const char *before = rd_check_run_buffer(check->first, check, k);
        const char *after = child.memories.all[k];
        if (!before || spec->space != RD_CHECK_DEVICE || !is_comparable(parameter))
            continue;
        size_t size_bytes = spec->numeric->size_bytes;
        for (size_t at = 0; at < spec->count * size_bytes; at += size_bytes) {
            if (is_same_cell(parameter, before, after, at, size_bytes))
                continue;
            child.differs = true;
            if (!check->tells_differences)
                return;
            child.files->report_difference(child.device, before + at, after + at, size_bytes);
        }
    }
}

/* The buffers are what they were before. */
static _Noreturn void end_refused(const struct rd_check *check, struct rd_check_shared *shared,
                                  const char *why)
{
    char message[1024] = "";
    struct rd_finding refused = rd_check_hazard(check, RD_HAZARD_ILLEGAL_LAUNCH, message);
    snprintf(message, sizeof message, "%s. %s", why, refused.lesson);
    keep_buffers(check, shared);
    end("completed", NULL, &refused);
}

/* Checks the limits of the kernel, or of each of several launches. */
static enum rd_status limits(const struct rd_check *check, struct rd_error *refusal)
{
    const struct rd_check_options *options = check->options;
    enum rd_status status =
        options->n_turns > 0 ? RD_OK : rd_check_limits_kernel(options, child.file, refusal);
    for (unsigned k = 0; k < options->n_turns && status == RD_OK; k++) {
        const struct rd_check_launch *step = &options->turns[k];
        const struct rd_check_options one = {.kernel = step->kernel,
                                             .grid = step->grid,
                                             .block = step->block,
                                             .shared_bytes = step->shared_bytes};
        const struct rd_file file = {.threads_max = child.file->steps_threads_max[k],
                                     .asks_for_shared = child.file->asks_for_shared,
                                     .static_bytes = k > 0 ? 0 : child.file->static_bytes};
        status = rd_check_limits_kernel(&one, &file, refusal);
    }
    return status;
}

static enum rd_status launch(const struct rd_check *check, const struct rd_schedule *schedule,
                             bool exact, struct rd_check_shared *shared, struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    /* Until the process ends: the device tells at the end what it has found. */
    static void *arguments[RD_CHECK_ARGS_MAX];
    static struct rd_file_launch device_launch;
    const struct rd_index3 one = {1, 1, 1}; /* the thread that launches several */
    for (unsigned k = 0; k < options->n_args; k++)
        arguments[k] = rd_check_arg_value(&child.args[k]);
    device_launch = (struct rd_file_launch){
        .grid = options->n_turns > 0 ? one : options->grid,
        .block = options->n_turns > 0 ? one : options->block,
        .shared_bytes = options->n_turns > 0 ? 0 : options->shared_bytes,
        .heap_bytes = options->heap_bytes,
        .arguments = arguments,
        .schedule = *schedule,
        .exact = exact,
        .steps_max = options->common.steps,
        .jobs = check->first           ? 0
                : options->common.jobs ? options->common.jobs
                                       : RD_LAUNCH_JOBS_AUTO,
        .timeout_s = options->common.timeout_s,
        .on_finding = found,
        .on_grid_ended = launched,
        .check_grid = allows,
        .on_stopped = over,
    };
    struct rd_error refusal;
    if (limits(check, &refusal) != RD_OK)
        end_refused(check, shared, refusal.text);
    shared->started = true;
    enum rd_status status = child.files->launch(child.device, &device_launch, error);
    if (status != RD_OK)
        return status;
    keep_buffers(check, shared);
    if (check->first)
        compare_buffers(check);
    return RD_OK;
}

void rd_check_child(const struct rd_check *check, const struct rd_schedule *schedule, bool exact,
                    struct rd_check_shared *shared, const char seal[RD_CHECK_SEAL_SIZE],
                    FILE *record)
{
    struct rd_error error = {""};
    child.record = record;
    child.seal = seal;
    child.options = check->options;
    child.files = check->device->files;
    child.hazards = json_array();
    child.launches = json_array();
    child.names = json_array();
    if (check->device->open(&child.device, &error) != RD_OK)
        end_without_state("failed", error.text);
    const struct rd_file_source source = {
        .library = check->library,
        .file = check->options->file,
        .directory = check->directory,
        .is_private = check->is_private,
        .shared_bytes = check->options->n_turns > 0 ? 0 : check->options->shared_bytes,
        .restore = rd_check_names_restore,
        .demangle = rd_check_demangle,
    };
    enum rd_status status = child.files->load(child.device, &source, &child.file, &error);
    if (status == RD_OK)
        status = rd_check_symbols_set(check, child.device, child.file, &child.memories, &error);
    if (status == RD_OK)
        status = make_arguments(check, &error);
    if (status == RD_OK)
        status = launch(check, schedule, exact, shared, &error);
    end(status == RD_OK ? "completed" : "failed", status == RD_OK ? NULL : error.text, NULL);
}
