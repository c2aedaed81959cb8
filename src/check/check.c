// SPDX-License-Identifier: MIT
#include "check/check.h"
#include "sim/memory.h"
#include "sim/report.h"
#include "sim/sites.h"

#include <jansson.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOLDS = 0, FOUND = 1, FAILED = 2 };

static const struct rd_check_options *running; /* for the signal handler */

static int fail(const struct rd_error *error)
{
    fflush(stdout);
    fprintf(stderr, "reductio: %s\n", error->text);
    return FAILED;
}

/* ---- the report ---- */

static json_t *place_json(const struct rd_finding_place *place)
{
    json_t *object =
        json_pack("{s:I, s:i}", "block", (json_int_t)place->block, "thread", (int)place->thread);
    if (place->file) {
        json_object_set_new(object, "file", json_string(place->file));
        json_object_set_new(object, "line", json_integer(place->line));
        json_object_set_new(object, "column", json_integer(place->column));
    }
    return object;
}

static void print_json(const struct rd_check_options *options, const struct rd_finding *findings,
                       size_t count)
{
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) {
        json_t *places = json_array();
        for (unsigned p = 0; p < findings[k].n_places; p++)
            json_array_append_new(places, place_json(&findings[k].places[p]));
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:I, s:s, s:o}", "name", findings[k].name,
                                        "kind", findings[k].kind, "scope", findings[k].scope,
                                        "count", (json_int_t)findings[k].count, "message",
                                        findings[k].message, "places", places));
    }
    json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:o}", "file", options->file, "kernel",
                               options->kernel, "threads", (json_int_t)rd_sim_threads_run(), "seed",
                               (json_int_t)options->seed, "hazards", list);
    json_dumpf(object, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(object);
}

static int report(const struct rd_check_options *options)
{
    size_t count;
    const struct rd_finding *findings = rd_sim_report_findings(&count);
    if (!findings) {
        fprintf(stderr, "reductio: out of memory\n");
        return FAILED;
    }
    if (options->json) {
        print_json(options, findings, count);
        return count ? FOUND : HOLDS;
    }
    for (size_t k = 0; k < count && !options->quiet; k++) {
        if (options->max_errors && k == options->max_errors) {
            printf("%zu more are left out\n", count - k);
            break;
        }
        printf("%s: %s\n", findings[k].name, findings[k].message);
    }
    printf("%s: %zu hazard%s in %llu threads\n", options->kernel, count, count == 1 ? "" : "s",
           (unsigned long long)rd_sim_threads_run());
    return count ? FOUND : HOLDS;
}

/* ---- the child ---- */

/* The kernel has run into memory that is not there, past all checks: its stack is too small for it,
 * or it follows a pointer that no hook sees. What was found until then is still told. */
static void on_crash(int number, siginfo_t *info, void *context)
{
    (void)context;
    signal(number, SIG_DFL);
    if (rd_sim_is_running()) {
        rd_sim_core.on_event(&(struct rd_sim_event){
            .class = RD_SIM_OUT_OF_BOUNDS,
            .actor = rd_sim_actor_self(RD_SIM_READ, 0),
            .address = (uintptr_t)info->si_addr,
            .interval = rd_sim_core.interval,
        });
        int status = report(running);
        fflush(stdout);
        _exit(status);
    }
    raise(number);
}

static void catch_crashes(void)
{
    static char stack[1 << 18];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        sigaction(numbers[k], &action, NULL);
}

static enum rd_status make_arguments(const struct rd_check_options *options,
                                     const struct rd_check_module *module,
                                     struct rd_check_arg args[RD_CHECK_ARGS_MAX],
                                     struct rd_error *error)
{
    if (module->n_parameters != options->n_args)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' has %u parameters, and there are %u --arg",
                       options->kernel, module->n_parameters, options->n_args);
    for (unsigned k = 0; k < options->n_args; k++) {
        enum rd_status status =
            rd_check_arg_init(&args[k], options->args[k], &module->parameters[k], k, error);
        if (status != RD_OK)
            return status;
        rd_check_parameter_name(module, k, args[k].name);
        if (!args[k].name[0])
            snprintf(args[k].name, sizeof args[k].name, "argument %u", k + 1);
        if (args[k].is_buffer)
            rd_sim_memory_name(args[k].memory, args[k].name, args[k].type, args[k].elem_bytes);
    }
    return RD_OK;
}

static int run_child(const struct rd_check_options *options, const char *library)
{
    static struct rd_check_arg args[RD_CHECK_ARGS_MAX];
    void *arguments[RD_CHECK_ARGS_MAX];
    struct rd_check_module module;
    struct rd_error error = {""};
    running = options;
    enum rd_status status = rd_sim_memory_init(&error);
    if (status == RD_OK)
        status = rd_check_module_load(&module, library, options->shared_bytes, &error);
    if (status == RD_OK)
        status = make_arguments(options, &module, args, &error);
    if (status != RD_OK)
        return fail(&error);
    for (unsigned k = 0; k < options->n_args; k++)
        arguments[k] = args[k].is_buffer ? (void *)&args[k].memory : (void *)args[k].bytes;
    const struct rd_sim_grid grid = {
        .thread = module.thread,
        .arguments = arguments,
        .grid = options->grid,
        .block = options->block,
        .schedule = options->schedule,
        .seed = options->seed,
        .steps_max = options->steps,
    };
    rd_sim_core.on_event = rd_sim_report_event;
    rd_sim_report_begin(grid.grid, grid.block);
    catch_crashes();
    if (!rd_sim_run_grid(&grid)) {
        rd_fail(&error, RD_ERROR_MEMORY, "no memory for the threads' stacks");
        return fail(&error);
    }
    fflush(stdout); /* what the kernel printed */
    int exit_status = report(options);
    if (rd_sim_threads_run() == 0) {
        rd_fail(&error, RD_ERROR_DEVICE, "no thread of '%s' has run", options->kernel);
        return fail(&error);
    }
    if (options->print >= 0 && options->print < (int)options->n_args)
        rd_check_arg_print(&args[options->print], stdout);
    return exit_status;
}

/* ---- the parent ---- */

static volatile sig_atomic_t timed_out;
static pid_t child;

static void on_alarm(int number)
{
    (void)number;
    timed_out = 1;
    kill(child, SIGKILL);
}

static int supervise(const struct rd_check_options *options)
{
    int status;
    struct sigaction action = {.sa_handler = on_alarm};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    alarm(options->timeout_s);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    alarm(0);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (timed_out)
        printf("no-termination: the kernel was stopped after %u s\n%s: 1 hazard\n",
               options->timeout_s, options->kernel);
    else
        printf("out-of-bounds: the kernel was ended by signal %d (%s)\n%s: 1 hazard\n",
               WTERMSIG(status), strsignal(WTERMSIG(status)), options->kernel);
    return FOUND;
}

static enum rd_status check_launch(const struct rd_check_options *options, struct rd_error *error)
{
    const struct rd_sim_dim *g = &options->grid, *b = &options->block;
    if (b->x == 0 || b->y == 0 || b->z == 0 || b->x > 1024 || b->y > 1024 || b->z > 64 ||
        (uint64_t)b->x * b->y * b->z > 1024)
        return rd_fail(error, RD_ERROR_LAUNCH,
                       "cudaErrorInvalidConfiguration: a block of %u x %u x %u threads, where the "
                       "device takes 1 to 1024, and at most 64 in z",
                       b->x, b->y, b->z);
    if (g->x == 0 || g->y == 0 || g->z == 0 || g->x > INT32_MAX || g->y > 65535 || g->z > 65535)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "cudaErrorInvalidConfiguration: a grid of %u x %u x %u blocks, where the device "
            "takes at most 2147483647 x 65535 x 65535",
            g->x, g->y, g->z);
    if (options->shared_bytes > 227 * 1024)
        return rd_fail(
            error, RD_ERROR_LAUNCH,
            "cudaErrorInvalidValue: %zu bytes of dynamic shared memory, where the device "
            "takes at most %d",
            options->shared_bytes, 227 * 1024);
    return RD_OK;
}

static int run_once(const struct rd_check_options *options, const char *library)
{
    fflush(NULL);
    child = fork();
    if (child == 0) {
        int status = run_child(options, library);
        fflush(stdout);
        _exit(status);
    }
    return child > 0 ? supervise(options) : FAILED;
}

static int run_schedules(const struct rd_check_options *options, const char *library)
{
    static const char *const names[] = {"ascending", "descending", "warp", "random", "interleave"};
    int worst = HOLDS;
    if (!options->all_schedules)
        return run_once(options, library);
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        struct rd_check_options one = *options;
        one.schedule = (enum rd_sim_schedule)k;
        if (!options->json)
            printf("schedule %s\n", names[k]);
        int status = run_once(&one, library);
        worst = status > worst ? status : worst;
    }
    return worst;
}

int rd_check(const struct rd_check_options *options)
{
    char library[512], directory[256];
    struct rd_error error = {""};
    const char *tmp = getenv("TMPDIR");
    if (check_launch(options, &error) != RD_OK) {
        printf("illegal-launch: %s\n%s: 1 hazard\n", error.text, options->kernel);
        return FOUND;
    }
    snprintf(directory, sizeof directory, "%s/reductio-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(directory)) {
        rd_fail(&error, RD_ERROR_IO, "'%s' can't be made: %s", directory, strerror(errno));
        return fail(&error);
    }
    int exit_status;
    if (rd_check_compile(options, directory, library, sizeof library, &error) != RD_OK) {
        exit_status = fail(&error);
    } else {
        exit_status = run_schedules(options, library);
    }
    rd_check_clean(directory);
    return exit_status;
}
