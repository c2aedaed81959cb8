// SPDX-License-Identifier: MIT
/* Checks a kernel: the limits of a launch, and the runs in turn. */
#include "check/kernel/check.h"
#include "check/sandbox/interruption.h"
#include "check/kernel/list.h"
#include "check/report/suppressions.h"
#include "check/kernel/sweep.h"
#include "base/clock.h"
#include "element/values_text.h"
#include "base/exit_status.h"
#include "check/kernel/compile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- limits ---- */

/* Limits of compute capability 9.0: CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability". A larger launch is refused, under CUDA's own name for that. */

enum {
    THREADS_MAX = 1024,
    THREADS_MAX_Z = 64,
    BLOCKS_MAX_YZ = 65535,
    SHARED_MAX = 227 * 1024,
    SHARED_USUAL = 48 * 1024, /* of static variables; and in all, unless the launch asks for more */
};

enum rd_status rd_check_limits(const struct rd_check_options *options, struct rd_error *error)
{
    const struct rd_index3 *g = &options->grid, *b = &options->block;
    if (b->x == 0 || b->y == 0 || b->z == 0 || b->x > THREADS_MAX || b->y > THREADS_MAX ||
        b->z > THREADS_MAX_Z || (uint64_t)b->x * b->y * b->z > THREADS_MAX)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidConfiguration: a block of %u x %u x %u threads, where the "
                       "device takes 1 to %d, and at most %d in z",
                       b->x, b->y, b->z, THREADS_MAX, THREADS_MAX_Z);
    if (g->x == 0 || g->y == 0 || g->z == 0 || g->x > INT32_MAX || g->y > BLOCKS_MAX_YZ ||
        g->z > BLOCKS_MAX_YZ)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "cudaErrorInvalidConfiguration: a grid of %u x %u x %u blocks, where the device "
            "takes at most %d x %d x %d",
            g->x, g->y, g->z, INT32_MAX, BLOCKS_MAX_YZ, BLOCKS_MAX_YZ);
    if (options->shared_bytes > SHARED_MAX)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "cudaErrorInvalidValue: %zu bytes of dynamic shared memory, where the device "
            "takes at most %d",
            options->shared_bytes, SHARED_MAX);
    return RD_OK;
}

enum rd_status rd_check_limits_kernel(const struct rd_check_options *options,
                                      const struct rd_file *file, struct rd_error *error)
{
    size_t all = file->static_bytes + options->shared_bytes;
    const struct rd_index3 *b = &options->block;
    if (file->threads_max > 0 && b->x * b->y * b->z > file->threads_max)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "cudaErrorInvalidValue: a block of %u threads, where '%s' is compiled for at "
            "most %u by its __launch_bounds__",
            b->x * b->y * b->z, options->kernel, file->threads_max);
    if (file->static_bytes > SHARED_USUAL)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidPtx: %zu bytes of static shared memory, where a kernel has "
                       "at most %d: take it as dynamic shared memory",
                       file->static_bytes, SHARED_USUAL);
    if (all > SHARED_MAX)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidValue: %zu bytes of dynamic shared memory and %zu of "
                       "static, where the device has %d for a block",
                       options->shared_bytes, file->static_bytes, SHARED_MAX);
    if (all > SHARED_USUAL && file->n_launches > 0 && !file->asks_for_shared)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidValue: %zu bytes of shared memory, where a launch gets at "
                       "most %d unless cudaFuncSetAttribute asks for more, and the file launches "
                       "'%s' without",
                       all, SHARED_USUAL, options->kernel);
    return RD_OK;
}

/* ---- checking ---- */

enum { ALL_ORDERS = 5 };

/* Device memory has a shadow of twice its size. */
enum { BYTES_A_BYTE = 3 };

static char directory[256]; /* "" where there is none */
static struct rd_check_suppressions suppressions;
static struct rd_check_sweep sweep;

/* ---- what the options name ---- */

static enum rd_status check_memory(const struct rd_check *check, struct rd_error *error)
{
    double bytes = 0, machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    for (unsigned k = 0; k < check->buffers.n; k++)
        bytes += (double)rd_check_spec_bytes(check->buffers.all[k].spec);
    for (unsigned k = 0; k < check->options->n_sets; k++)
        bytes += (double)rd_check_spec_bytes(&check->set_specs[k]);
    if (bytes * BYTES_A_BYTE > machine)
        return rd_fail(error, RD_ERROR_USAGE,
                       "the buffers take %.1f GiB, and %.1f with what is known of each byte, where "
                       "this machine has %.1f: use smaller ones",
                       bytes / 0x1p30, bytes * BYTES_A_BYTE / 0x1p30, machine / 0x1p30);
    return RD_OK;
}

static enum rd_status read_specs(struct rd_check *check, struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    struct rd_check_buffers of_sets;
    enum rd_status status = RD_OK;
    char label[16];
    for (unsigned k = 0; k < options->n_args && status == RD_OK; k++) {
        snprintf(label, sizeof label, "%u", k);
        status = rd_check_spec_init(&check->specs[k], options->args[k], label, error);
    }
    for (unsigned k = 0; k < options->n_buffers && status == RD_OK; k++)
        status = rd_check_spec_init(&check->buffer_specs[k], options->buffers[k], "", error);
    for (unsigned k = 0; k < options->n_sets && status == RD_OK; k++) {
        snprintf(label, sizeof label, "set %u", k);
        status = rd_check_spec_init(&check->set_specs[k], options->sets[k].spec, label, error);
    }
    if (status == RD_OK)
        status = rd_check_specs_list(check->specs, options->n_args, &check->buffers, error);
    if (status == RD_OK)
        status =
            rd_check_specs_list(check->buffer_specs, options->n_buffers, &check->buffers, error);
    if (status == RD_OK)
        status = rd_check_specs_resolve(check->specs, options->n_args, &check->buffers, error);
    /* Variables of the file have buffers of their own, behind those of the arguments. */
    of_sets = check->buffers;
    return status == RD_OK ? rd_check_specs_list(check->set_specs, options->n_sets, &of_sets, error)
                           : status;
}

/* The launches in turn give the options what --kernel, --grid, --block and --arg give else. */
static enum rd_status read_launches(struct rd_check *check, struct rd_check_options *options,
                                    struct rd_error *error)
{
    enum rd_status status = RD_OK;
    size_t length = 0;
    check->names[0] = '\0';
    if (options->n_launches > 0) {
        options->kernel = check->names;
        options->turns = check->turns;
    }
    for (unsigned k = 0; k < options->n_launches && status == RD_OK; k++) {
        struct rd_check_launch *step = &check->turns[k];
        options->n_turns++;
        status = rd_check_launch_init(step, options->launches[k], check->step_args,
                                      RD_CHECK_ARGS_MAX, &options->n_args, error);
        if (status != RD_OK || length >= sizeof check->names)
            continue;
        length += (size_t)snprintf(check->names + length, sizeof check->names - length, "%s%s",
                                   k > 0 ? ", " : "", step->kernel);
    }
    for (unsigned k = 0; k < options->n_args && options->n_launches > 0; k++)
        options->args[k] = check->step_args[k];
    if (options->n_launches > 0) {
        options->grid = check->turns[0].grid;
        options->block = check->turns[0].block;
        options->shared_bytes = check->turns[0].shared_bytes;
    }
    return status;
}

static enum rd_status read_arguments(struct rd_check *check, struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    enum rd_status status = read_specs(check, error);
    for (unsigned k = 0; k < options->n_prints && status == RD_OK; k++)
        status =
            rd_check_find_buffer(check, "--print", options->prints[k], strlen(options->prints[k]),
                                 &check->prints[check->n_prints++], error);
    for (unsigned k = 0; k < options->n_expects && status == RD_OK; k++)
        status =
            rd_check_expectation_init(&check->expectations[k], check, options->expects[k], error);
    return status == RD_OK ? check_memory(check, error) : status;
}

/* Lets go of what is of one shape. */
static void finish_shape(struct rd_check *check)
{
    for (unsigned k = 0; k < RD_CHECK_ARGS_MAX; k++) {
        rd_check_spec_finish(&check->specs[k]);
        rd_check_spec_finish(&check->set_specs[k]);
        rd_check_spec_finish(&check->buffer_specs[k]);
        free(check->step_args[k]);
        check->step_args[k] = NULL;
        rd_check_expectation_finish(&check->expectations[k]);
    }
    for (unsigned k = 0; k < RD_CHECK_LAUNCHES_MAX; k++)
        rd_check_launch_finish(&check->turns[k]);
    check->buffers.n = check->n_prints = 0;
}

static void finish(struct rd_check *check)
{
    finish_shape(check);
    rd_check_suppressions_finish(&suppressions);
    rd_check_sweep_finish(&sweep);
    if (*directory)
        rd_check_clean(directory);
    directory[0] = '\0';
}

/* ---- telling ---- */

static void print_run(const struct rd_check *check, const json_t *outcome,
                      const struct rd_check_run *runs, unsigned n_runs)
{
    if (n_runs > 0 && runs[0].printed && !check->options->common.quiet) {
        const size_t n = runs[0].printed_bytes;
        fwrite(runs[0].printed, 1, n, stdout);
        if (n > 0 && runs[0].printed[n - 1] != '\n')
            putchar('\n');
    }
    if (n_runs > 0)
        rd_sandbox_begin_verdict(stdout, false);
    rd_check_print(outcome, check->options, stdout);
    rd_check_print_buffers(check, runs, n_runs, stdout);
}

/* Each run on its own. */
static void print_runs(const struct rd_check *check, const struct rd_check_run *runs,
                       unsigned n_runs)
{
    for (unsigned r = 0; r < n_runs; r++) {
        char name[RD_SCHEDULE_NAME_SIZE];
        json_t *outcome = rd_check_outcome(check, &runs[r], 1, false, NULL);
        rd_schedule_name(&runs[r].schedule, name);
        printf("schedule %.*s\n", (int)strcspn(name, " "), name);
        print_run(check, outcome, &runs[r], 1);
        json_decref(outcome);
    }
}

enum { SHAPE_SIZE = 256 };

/* "n = 33, block = 64". */
static const char *shape_text(json_t *outcome, char text[SHAPE_SIZE])
{
    const char *name = "";
    json_t *value;
    size_t length = 0;
    text[0] = '\0';
    json_object_foreach(json_object_get(json_object_get(outcome, "sweep"), "shape"), name, value)
    {
        if (length < SHAPE_SIZE)
            length += (size_t)snprintf(text + length, SHAPE_SIZE - length, "%s%s = %lld",
                                       length > 0 ? ", " : "", name,
                                       (long long)json_integer_value(value));
    }
    return text;
}

/* Tells it in all forms that are asked for, and gives the exit status. */
static int tell(const struct rd_check *check, json_t *outcome, const struct rd_check_run *runs,
                unsigned n_runs)
{
    const struct rd_check_options *options = check->options;
    const char *error = json_string_value(json_object_get(outcome, "error"));
    int exit_status = (int)json_integer_value(json_object_get(outcome, "status"));
    char shape[SHAPE_SIZE];
    struct rd_error unwritten;
    if (check->sweep) {
        rd_check_sweep_note(check->sweep, outcome);
        if (exit_status == 0 && check->sweep->shape + 1 < check->sweep->n_shapes) {
            json_decref(outcome);
            return 0;
        }
    }
    if (options->common.format != RD_FORMAT_TEXT) {
        if (rd_check_write(outcome, options->common.format, stdout, &unwritten) != RD_OK) {
            fprintf(stderr, "reductio: %s\n", unwritten.text);
            exit_status = RD_EXIT_FAILED;
        }
    } else if (options->common.json) {
        json_dumpf(outcome, stdout, JSON_INDENT(2));
        putchar('\n');
    } else if (options->sarif && strcmp(options->sarif, "-") == 0) {
        /* standard output is the log's */
    } else if (check->sweep && exit_status == 0) {
        rd_check_print_summary(outcome, stdout);
    } else if (options->all_orders && n_runs > 0) {
        print_runs(check, runs, n_runs);
        if (check->interrupted)
            rd_check_print_summary(outcome, stdout);
    } else {
        print_run(check, outcome, runs, n_runs);
    }
    if (error || options->sarif) /* messages come behind the report */
        fflush(stdout);
    if (error && check->sweep)
        fprintf(stderr, "reductio: at %s: %s\n", shape_text(outcome, shape), error);
    else if (error)
        fprintf(stderr, "reductio: %s\n", error);
    if (options->sarif && rd_check_sarif_write(outcome, options->sarif, &unwritten) != RD_OK) {
        fprintf(stderr, "reductio: %s\n", unwritten.text);
        exit_status = RD_EXIT_FAILED;
    }
    json_decref(outcome);
    return exit_status;
}

/* ---- running ---- */

static unsigned most_runs(const struct rd_check_options *options)
{
    return options->one_order     ? 1
           : options->all_orders  ? ALL_ORDERS
           : options->n_schedules ? options->n_schedules
                                  : RD_SCHEDULES_TRIED;
}

static struct rd_schedule schedule_of_run(const struct rd_check_options *options, unsigned k)
{
    if (options->one_order || options->all_orders)
        return (struct rd_schedule){options->one_order ? options->order : (enum rd_order)k,
                                    options->common.seed};
    return rd_schedule_number(k, options->common.seed);
}

/* Behind the first run: whether others can tell more, where nobody asked for them. */
static bool is_enough(const struct rd_check_options *options, const struct rd_check_run *first)
{
    bool asked = options->one_order || options->all_orders || options->n_schedules > 0;
    return !asked && (!rd_check_run_communicates(first) || !rd_check_run_is_complete(first) ||
                      rd_check_run_never_ends(first));
}

/* Compares run k with the first that has come to its end; and lets go of what nobody asks for any more. */
static void compare(const struct rd_check *check, struct rd_check_run *runs, unsigned k)
{
    unsigned base = 0;
    while (base < k && !rd_check_run_is_complete(&runs[base]))
        base++;
    if (base == k || !rd_check_run_is_complete(&runs[k]))
        return;
    rd_check_compare_run(check, &runs[base], &runs[k]);
    if (check->options->n_expects == 0)
        rd_check_run_drop(&runs[k]);
}

/* A run that was cut short has not shown all that its local variables would. */
static enum rd_status look_at_locals(struct rd_check *check, struct rd_check_run *run,
                                     double seconds, struct rd_error *error)
{
    enum rd_status status = rd_check_private(run, check, directory, seconds, error);
    if (status == RD_OK && check->private_library && !*check->not_private &&
        !rd_check_run_is_complete(run))
        snprintf(check->not_private, sizeof check->not_private,
                 "not all: the kernel did not come to its end");
    check->private_known = status == RD_OK;
    return status;
}

/* Leaves unknown what was not looked at for that: also local variables, if their runs were not all made. */
static void note_interruption(struct rd_check *check, enum rd_status status)
{
    check->interrupted = status == RD_ERROR_INTERRUPTED;
    if (check->interrupted && !check->private_known && check->options->private_memory)
        snprintf(check->not_private, sizeof check->not_private, "the check was interrupted");
}

static int run_all(struct rd_check *check)
{
    const struct rd_check_options *options = check->options;
    unsigned n_runs = most_runs(options), n = 0;
    struct rd_error error = {""};
    struct rd_check_run *runs = calloc(n_runs, sizeof *runs);
    enum rd_status status =
        runs ? RD_OK : rd_fail(&error, RD_ERROR_MEMORY, "no memory for %u runs", n_runs);
    while (n < n_runs && status == RD_OK) {
        const struct rd_schedule schedule = schedule_of_run(options, n);
        bool exact = n > 0 && (runs[0].exact || rd_check_run_wants_turns(&runs[0], &schedule));
        double start = rd_clock_s(CLOCK_MONOTONIC);
        status = rd_check_run_init(&runs[n], check, &schedule, exact, &error);
        if (status != RD_OK)
            break;
        if (n == 0)
            status = look_at_locals(check, &runs[n], rd_clock_s(CLOCK_MONOTONIC) - start, &error);
        if (!options->all_orders)
            compare(check, runs, n);
        if (n++ == 0 && status == RD_OK && is_enough(options, &runs[0]))
            break;
    }
    note_interruption(check, status);
    int exit_status =
        tell(check,
             rd_check_outcome(check, runs, n, !options->all_orders,
                              status == RD_OK || check->interrupted ? NULL : error.text),
             runs, n);
    for (unsigned r = 0; r < n; r++)
        rd_check_run_finish(&runs[r]);
    free(runs);
    return exit_status;
}

/* "--print all" is all buffers. */
static void print_all(const struct rd_check_options *options, struct rd_check *check)
{
    for (unsigned k = 0; k < check->buffers.n && options->print_all; k++)
        if (check->buffers.all[k].spec->space == RD_CHECK_DEVICE)
            check->prints[check->n_prints++] = k;
}

/* Before anything is run. What can't be written is not tried once more at the end. */
static enum rd_status try_sarif(struct rd_check_options *options, struct rd_error *error)
{
    enum rd_status status = rd_check_sarif_try(options->sarif, error);
    if (status != RD_OK)
        options->sarif = NULL;
    return status;
}

static enum rd_status check_limits(const struct rd_check_options *options, struct rd_error *error)
{
    enum rd_status status = options->n_turns > 0 ? RD_OK : rd_check_limits(options, error);
    for (unsigned k = 0; k < options->n_turns && status == RD_OK; k++) {
        const struct rd_check_options one = {.grid = options->turns[k].grid,
                                             .block = options->turns[k].block,
                                             .shared_bytes = options->turns[k].shared_bytes};
        status = rd_check_limits(&one, error);
    }
    return status;
}

/* One shape: `compiled` is false where the file is to be compiled for it. */
static int check_shape(struct rd_check *check, struct rd_check_options *options, bool compiled)
{
    static char library[RD_CHECK_PATH_SIZE], private_library[RD_CHECK_PATH_SIZE];
    struct rd_error error = {""};
    enum rd_status status = read_launches(check, options, &error);
    if (status == RD_OK)
        status = read_arguments(check, &error);
    if (status == RD_OK && options->suppressions && !check->suppressions)
        status = rd_check_suppressions_init(&suppressions, options->suppressions, &error);
    if (status == RD_OK && options->suppressions)
        check->suppressions = &suppressions;
    rd_interruption_let_calls_go_on();
    if (status == RD_OK)
        print_all(options, check);
    if (status != RD_OK && *rd_interruption())
        status = RD_ERROR_INTERRUPTED;
    if (status == RD_OK && options->sarif)
        status = try_sarif(options, &error);
    if (status == RD_OK) {
        if (!options->compile_only && check_limits(options, &error) != RD_OK)
            return tell(check, rd_check_outcome_refused(check, error.text), NULL, 0);
        status = *directory ? RD_OK : rd_check_make_directory(directory, &error);
    }
    if (status == RD_OK && !(compiled && check->library)) {
        check->private_library = NULL;
        status = rd_check_compile(check, directory, library, private_library, &error);
    }
    if (options->compile_only) {
        if (status != RD_OK)
            fprintf(stderr, "reductio: %s\n", error.text);
        return status == RD_OK ? 0 : RD_EXIT_FAILED;
    }
    note_interruption(check, status);
    if (status == RD_ERROR_USAGE &&
        options->common.format != RD_FORMAT_TEXT) { /* no document of nothing */
        fprintf(stderr, "reductio: %s\n", error.text);
        return RD_EXIT_FAILED;
    }
    if (status != RD_OK)
        return tell(check,
                    rd_check_outcome(check, NULL, 0, false, check->interrupted ? NULL : error.text),
                    NULL, 0);
    check->directory = directory;
    check->library = library;
    return run_all(check);
}

static int fail_early(const struct rd_error *error)
{
    fprintf(stderr, "reductio: %s\n", error->text);
    return RD_EXIT_FAILED;
}

/* One shape after the other, up to one that fails. */
static int check_shapes(struct rd_check *check, const struct rd_check_options *given)
{
    static struct rd_check_options options;
    struct rd_error error = {""};
    int exit_status = 0;
    bool compiled = false;
    check->options = given;
    if (rd_check_sweep_init(&sweep, given, &error) != RD_OK)
        return fail_early(&error);
    check->sweep = &sweep;
    for (; sweep.shape < sweep.n_shapes && exit_status == 0; sweep.shape++) {
        if (rd_check_sweep_shape(&sweep, given, &options, &compiled, &error) != RD_OK)
            return fail_early(&error);
        check->options = &options;
        check->private_known = false;
        exit_status = check_shape(check, &options, compiled);
        finish_shape(check);
    }
    check->options = given;
    return exit_status;
}

static int check_all(struct rd_check *check, struct rd_check_options *options)
{
    struct rd_error error = {""};
    if (rd_files_find(rd_devices, options->device, &check->device, &error) != RD_OK)
        return fail_early(&error);
    if (options->lists) {
        options->kernel = ""; /* none */
        check->options = options;
        return rd_check_make_directory(directory, &error) == RD_OK ? rd_check_list(check, directory)
                                                                   : fail_early(&error);
    }
    return options->n_sweeps > 0 ? check_shapes(check, options)
                                 : check_shape(check, options, false);
}

int rd_check(const struct rd_check_options *given)
{
    static struct rd_check check;
    struct rd_check_options options = *given;
    if (options.print_all)
        options.n_prints = 0;
    check = (struct rd_check){
        .options = &options,
        .keep = options.private_memory || options.n_prints > 0 || options.print_all ||
                options.n_expects > 0,
    };
    rd_interruption_catch();
    int exit_status = check_all(&check, &options);
    finish(&check);
    return exit_status;
}
