// SPDX-License-Identifier: MIT
#include "check/program/gpu.h"
#include "check/sandbox/sandbox.h"
#include "check/report/findings.h"
#include "check/sandbox/interruption.h"
#include "check/program/told.h"
#include "check/program/recording.h"
#include "base/clock.h"
#include "reductio/version.h"
#include "check/compiler/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE_S = 2 };

/* ---- what the process has told ---- */

/* A program that writes its own recording must not fill this process's memory: findings, and sentences, of which more are not
 * told. */
enum { TOLD_MAX = 1000 };

static void add_lack(struct rd_check_told *told, const char *text)
{
    const size_t n = json_array_size(told->lacks);
    for (size_t k = 0; k < n; k++)
        if (strcmp(json_string_value(json_array_get(told->lacks, k)), text) == 0)
            return;
    if (n < TOLD_MAX)
        json_array_append_new(told->lacks, rd_check_text(text, strlen(text)));
}

void rd_check_told_init(struct rd_check_told *told)
{
    told->hazards = json_array();
    told->lacks = json_array();
    told->differences = json_array();
}

void rd_check_told_finish(struct rd_check_told *told)
{
    json_decref(told->hazards);
    json_decref(told->lacks);
    json_decref(told->differences);
    json_decref(told->tried);
}

void rd_check_told_add_hazard(struct rd_check_told *told, json_t *hazard, bool counts)
{
    size_t k;
    json_t *known;
    json_array_foreach(told->hazards, k, known)
    {
        if (rd_check_same_hazard(known, hazard)) {
            /* What only others had shown is counted as the program's own schedule shows it. */
            const bool is_own = counts && json_object_get(known, "schedules") &&
                                !json_object_get(hazard, "schedules");
            json_int_t count = json_integer_value(json_object_get(hazard, "count"));
            if (is_own)
                json_object_del(known, "schedules");
            else
                count += json_integer_value(json_object_get(known, "count"));
            if (counts)
                json_object_set_new(known, "count", json_integer(count));
            return;
        }
    }
    if (json_array_size(told->hazards) == TOLD_MAX) {
        add_lack(told, "more than 1000 findings: the others are not told");
        return;
    }
    json_object_del(hazard, "event");
    json_array_append(told->hazards, hazard);
}

static void add_hazard(struct rd_check_told *told, json_t *hazard)
{
    rd_check_told_add_hazard(told, hazard, true);
}

static enum rd_status add_event(struct rd_check_told *told, const struct rd_recording_event *event,
                                struct rd_error *error)
{
    const json_t *object = event->object;
    const enum rd_status status = rd_check_laws_take(told->laws, event, error);
    if (strcmp(event->name, "law") == 0)
        return status;
    if (told->on_gpu && strcmp(event->name, "no-gpu") == 0)
        return rd_fail(error, RD_ERROR_DEVICE, "there is no GPU: %s; use --device sim",
                       rd_check_text_of(object, "text"));
    if (!rd_recording_is_sound(event)) {
        add_lack(told, "an event of the recording is not understood");
    } else if (strcmp(event->name, "launch") == 0) {
        told->n_launches++;
        told->n_threads += (uint64_t)json_integer_value(json_object_get(object, "threads"));
    } else if (strcmp(event->name, "finding") == 0) {
        add_hazard(told, event->object);
    } else if (strcmp(event->name, "difference") == 0 || strcmp(event->name, "tried") == 0) {
        rd_check_orders_take(told, object);
    } else if (strcmp(event->name, "lack") == 0) {
        add_lack(told, rd_check_text_of(object, "text"));
    } else if (strcmp(rd_check_text_of(object, "seal"), told->seal) != 0) {
        add_lack(told, "an end of the program that the simulator has not written");
    } else {
        if (json_integer_value(json_object_get(object, "events")) != (json_int_t)told->n_events)
            add_lack(told, "events that the simulator has written are no longer in the recording");
        snprintf(told->how, sizeof told->how, "%s", rd_check_text_of(object, "how"));
        told->status = (int)json_integer_value(json_object_get(object, "status"));
        snprintf(told->refused, sizeof told->refused, "%s",
                 rd_check_text_of(object, "refused_write"));
        snprintf(told->unvaried, sizeof told->unvaried, "%s", rd_check_text_of(object, "unvaried"));
    }
    return status;
}

static enum rd_status read_recording(FILE *file, struct rd_check_told *told, struct rd_error *error)
{
    struct rd_recording_event event;
    enum rd_status status;
    rewind(file);
    while ((status = rd_recording_read(file, &event, error)) == RD_OK && event.object) {
        rd_check_calm(event.object);
        event.name = rd_check_text_of(event.object, "event");
        status = add_event(told, &event, error);
        told->n_events++;
        rd_recording_event_finish(&event);
        if (status != RD_OK)
            return status;
    }
    if (status == RD_ERROR_INPUT) { /* what has been read counts all the same */
        add_lack(told, error->text);
        status = RD_OK;
    }
    return status;
}

/* Sets how the program has ended: waitpid() is right whatever the process has told. */
static void set_end(struct rd_check_told *told, int status, bool had_time, bool timed_out)
{
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (told->stopped[0]) {
        add_lack(told, told->stopped);
        snprintf(told->how, sizeof told->how, "contained");
    } else if (timed_out || (number == SIGALRM && had_time)) {
        snprintf(told->how, sizeof told->how, "timeout");
    } else if (number) {
        snprintf(told->how, sizeof told->how, "signal");
        told->status = number;
    } else if (!told->how[0] ||
               (strcmp(told->how, "signal") != 0 && strcmp(told->how, "timeout") != 0 &&
                strcmp(told->how, "failed") != 0)) {
        if (!told->how[0])
            add_lack(told, "the process of the program has ended without a word, as by _exit()");
        if (strcmp(told->how, "returned") != 0)
            snprintf(told->how, sizeof told->how, "exit");
        told->status = WEXITSTATUS(status);
    }
    told->laws->stopped = strcmp(told->how, "returned") != 0 && strcmp(told->how, "exit") != 0;
}

/* ---- running it ---- */

/* Discards the output of a further run, whose first has printed it, and gives it no input but a file's. False, with errno. */
static bool silence(void)
{
    const int nothing = open("/dev/null", O_RDWR);
    return nothing >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0 &&
           (lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0 || dup2(nothing, STDIN_FILENO) >= 0);
}

/* Sends the program's output to standard error where a document has standard output. False, with errno. */
static bool redirect_to_stderr(const struct rd_check_program_options *options)
{
    return options->common.format == RD_FORMAT_TEXT || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
}

/* Tells where standard input stands; -1 where it is a pipe that somebody may write to, which can be read once. */
static off_t input_position(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    const off_t position = lseek(STDIN_FILENO, 0, SEEK_CUR);
    struct stat about;
    if (position >= 0 || fstat(STDIN_FILENO, &about) != 0 || S_ISCHR(about.st_mode))
        return position >= 0 ? position : 0;
    const bool is_over =
        poll(&input, 1, 0) == 1 && (input.revents & POLLHUP) && !(input.revents & POLLIN);
    return is_over ? 0 : -1;
}

/* Tells whether standard input is still open, and nothing has come: of a pipe at both ends of a run that nobody has read from. */
static bool is_input_idle(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) == 0;
}

/* The seconds after which the process is ended, if it does not do so: its own time limit stands still while it tries other
 * schedules, for about as long. */
static int limit_of(const struct rd_check_program_run *run)
{
    const struct rd_check_program_options *options = run->options;
    const uint64_t times = run->one_order ? 1 : options->n_schedules ? options->n_schedules : 2;
    const uint64_t limit_s = times * options->common.timeout_s + GRACE_S * times;
    return limit_s < INT32_MAX ? (int)limit_s : INT32_MAX;
}

static enum rd_status run_once(const struct rd_check_program_run *given, struct rd_check_told *told,
                               struct rd_error *error)
{
    struct rd_check_program_run run = *given;
    unsigned timeout_s = given->options->common.timeout_s;
    bool timed_out = false;
    struct rd_sandbox box;
    const double start = rd_clock_s(CLOCK_MONOTONIC);
    run.recording = rd_check_record_open();
    if (!run.recording)
        return rd_fail(error, RD_ERROR_IO, "no temporary file for a run: %s", strerror(errno));
    if (!rd_check_seal_make(run.seal)) {
        fclose(run.recording);
        return rd_fail(error, RD_ERROR_IO, "no random number for a run: %s", strerror(errno));
    }
    told->laws->played.seal = told->seal = run.seal;
    told->input_start = input_position();
    const bool was_idle = is_input_idle();
    fflush(NULL);
    const int kept[] = {fileno(run.recording)};
    const struct rd_sandbox_options uncontained = {.off = true};
    const pid_t child =
        rd_sandbox_fork(&box, run.gpu_program ? &uncontained : &given->options->common.sandbox,
                        given->directory, kept, 1);
    if (child == 0) {
        rd_interruption_release();
        if (run.silent ? !silence() : !redirect_to_stderr(run.options))
            _exit(1);
        if (run.gpu_program)
            rd_check_gpu_child(&run);
        rd_check_program_child(&run);
    }
    enum rd_status status = RD_OK;
    if (child < 0) {
        status = rd_fail(error, RD_ERROR_MEMORY, "no process for a run: %s", strerror(errno));
    } else {
        rd_interruption_watch(child);
        int limit_s = limit_of(&run);
        int ended = rd_check_await(&box, limit_s, NULL, NULL, &timed_out);
        const char *stopped = rd_sandbox_why_stopped(&box, ended);
        snprintf(told->stopped, sizeof told->stopped, "%s", stopped ? stopped : "");
        snprintf(told->missing, sizeof told->missing, "%s",
                 run.gpu_program ? "anything: it ran on a GPU, whose driver is not to be contained"
                                 : box.missing);
        told->ran = true;
        if (told->input_start < 0 && was_idle && is_input_idle())
            told->input_start = 0;
        told->seconds = rd_clock_s(CLOCK_MONOTONIC) - start;
        status = read_recording(run.recording, told, error);
        if (status == RD_OK)
            set_end(told, ended, rd_clock_s(CLOCK_MONOTONIC) - start >= timeout_s, timed_out);
        if (*rd_interruption())
            status = rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted");
    }
    told->laws->played.seal = told->seal = NULL;
    fclose(run.recording);
    return status;
}

/* Runs the program once more, for what its annotations tell with other inputs. */
static enum rd_status run_again(void *self, unsigned site, const void *values, size_t size_bytes,
                                struct rd_played *again, struct rd_error *error)
{
    const struct rd_check_program_run *first = self;
    struct rd_check_program_run run = *first;
    struct rd_check_laws laws = {0};
    struct rd_check_told told = {.options = run.options, .laws = &laws};
    rd_check_told_init(&told);
    rd_played_init(&laws.played, first->laws->files, first->laws->n_files);
    unsigned k = 0;
    while (k < run.n_given && run.given[k].site != site)
        k++;
    run.n_given += k == run.n_given && k < RD_CHECK_GIVEN_MAX;
    if (k < run.n_given)
        run.given[k] = (struct rd_check_given){site, values, NULL, size_bytes};
    run.silent = true;
    run.one_order = true;
    const enum rd_status status = run_once(&run, &told, error);
    rd_check_told_finish(&told);
    if (status == RD_OK)
        *again = laws.played;
    else
        rd_played_finish(&laws.played);
    return status;
}

/* ---- other inputs ---- */

/* Adds what a further run has found. */
static void add_findings(struct rd_check_told *told, const struct rd_check_told *further)
{
    size_t k;
    json_t *object;
    json_array_foreach(further->hazards, k, object) add_hazard(told, object);
    json_array_foreach(further->lacks, k, object) add_lack(told, json_string_value(object));
    json_array_extend(told->differences, further->differences);
    if (!told->tried)
        told->tried = json_incref(further->tried);
}

/* Runs the program, which has run, once more with the values that the user wants; what is asserted of its own run is told only if it
 * is violated. */
static enum rd_status run_with_values(const struct rd_check_program_run *first,
                                      struct rd_check_told *told, struct rd_check_laws *laws,
                                      struct rd_error *error)
{
    struct rd_check_program_run run = *first;
    struct rd_check_program_options silent = *run.options;
    struct rd_check_values values;
    struct rd_check_told further = {.options = run.options, .laws = laws};
    struct rd_results own_results;
    rd_results_init(&own_results, "run");
    rd_check_told_init(&further);
    silent.common.json = true;
    silent.trace = NULL;
    silent.last = NULL;
    run.silent = true;
    enum rd_status status =
        rd_check_laws_judge(told->laws, &silent, told->results ? &own_results : NULL, NULL, error);
    if (status == RD_OK)
        status = rd_check_orders_judge(first, told, run_once, error);
    if (status == RD_OK)
        status = rd_check_laws_init(laws, run.options, error);
    if (status == RD_OK)
        status = rd_check_values_init(&values, run.options->values, told->laws, &run, error);
    else
        values = (struct rd_check_values){.n = 0};
    if (status == RD_OK)
        status = run_once(&run, &further, error);
    if (status == RD_OK) {
        laws->own = &told->laws->played;
        laws->values = run.options->values;
        laws->given_names = values.names;
        const struct rd_played_again again = {run_again, &run, (void *)first};
        status = rd_check_laws_judge(laws, run.options, told->results, &again, error);
        if (status == RD_OK)
            status = rd_check_orders_judge(&run, &further, run_once, error);
        add_findings(told, &further);
    }
    const struct rd_played_summary *own = &told->laws->summary;
    if (status == RD_OK && own->violated > 0) {
        const bool is_too = laws->summary.violated > 0;
        laws->summary.verdict = RD_VIOLATED;
        laws->summary.violated += own->violated;
        laws->summary.loops += own->loops;
        laws->summary.asserted += own->asserted;
        const char *too =
            is_too ? "with the program's own inputs it is violated, too: run it without --values"
                   : "with the program's own inputs it is violated: run it without --values";
        if (told->results)
            rd_check_results_add_own(told->results, &own_results);
        else if (laws->told)
            puts(too);
        else
            add_lack(told, too);
    }
    told->laws = laws;
    rd_results_finish(&own_results);
    rd_check_values_finish(&values);
    rd_check_told_finish(&further);
    return status;
}

/* ---- the simulator beside a GPU ---- */

static void add_beside(struct rd_check_told *told, const struct rd_check_told *beside,
                       const char *why)
{
    char text[500], end[200];
    add_findings(told, beside);
    rd_check_told_end_text(beside, end);
    snprintf(text, sizeof text, "the simulator's run beside the GPU is another one: %s",
             *why ? why : end);
    if (*why || rd_check_told_is_at_its_end(beside) != rd_check_told_is_at_its_end(told) ||
        beside->status != told->status)
        add_lack(told, text);
}

/* Adds a violation of the simulator's to what holds on the GPU. */
static void add_violation(struct rd_check_told *told)
{
    static const char lesson[] = "What holds on the device does not hold in the simulator.";
    json_t *hazard = json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:[], s:i}", "name",
                               rd_hazard_name(RD_HAZARD_VIOLATED_IN_SIMULATOR), "kind", "", "scope",
                               "", "count", 1, "message",
                               "an annotation is violated in the simulator: --device sim shows "
                               "where. What holds on the device does not hold in the simulator.",
                               "lesson", lesson, "places", "interval", 0);
    add_hazard(told, hazard);
    json_decref(hazard);
}

/* Judges, without a word, what the simulator has told, and adds it. `run` is its own: with other inputs the program runs there. */
static enum rd_status judge_beside(struct rd_check_told *told, struct rd_check_told *beside,
                                   struct rd_check_program_run *run, struct rd_error *error)
{
    const struct rd_check_program_options *options = run->options;
    char why[200];
    struct rd_check_program_options silent = *options;
    silent.common.json = true;
    silent.trace = NULL;
    silent.last = NULL;
    enum rd_status status = rd_check_laws_judge(beside->laws, &silent, NULL, NULL, error);
    if (status == RD_OK)
        status = rd_check_orders_judge(run, beside, run_once, error);
    const struct rd_played_summary *summary = &beside->laws->summary;
    const bool is_violated =
        summary->invariants + summary->assertions > 0 && summary->verdict == RD_VIOLATED;
    if (status == RD_OK)
        status = rd_check_gpu_take_kernels(told->laws, beside->laws, why, error);
    if (status == RD_OK)
        add_beside(told, beside, why);
    const struct rd_played_again again = {run_again, run, run};
    if (status == RD_OK)
        status = rd_check_laws_judge(told->laws, options, told->results, &again, error);
    if (status == RD_OK && is_violated && told->laws->summary.verdict != RD_VIOLATED)
        add_violation(told);
    return status;
}

static enum rd_status accompany(const struct rd_check_program_run *given, off_t start,
                                struct rd_check_told *told, struct rd_error *error)
{
    struct rd_check_laws laws = {0};
    struct rd_check_told beside = {.options = given->options, .laws = &laws};
    struct rd_check_program_run run = *given;
    rd_check_told_init(&beside);
    const off_t end = lseek(STDIN_FILENO, 0, SEEK_CUR);
    run.gpu_program = NULL;
    run.silent = true;
    enum rd_status status = rd_check_laws_init(&laws, given->options, error);
    run.has_laws_in_kernels = laws.in_kernels;
    if (start >= 0)
        lseek(STDIN_FILENO, start, SEEK_SET);
    if (status == RD_OK)
        status = run_once(&run, &beside, error);
    if (end >= 0)
        lseek(STDIN_FILENO, end, SEEK_SET);
    if (status == RD_OK)
        status = judge_beside(told, &beside, &run, error);
    rd_check_laws_finish(&laws);
    rd_check_told_finish(&beside);
    return status;
}

/* Annotations in kernels that nobody looks at. */
static void add_unseen(struct rd_check_told *told)
{
    for (unsigned file = 0; file < told->laws->n_files; file++)
        for (size_t k = 0; k < told->laws->files[file].n; k++)
            if (rd_check_gpu_is_in_kernel(told->laws, file, &told->laws->files[file].all[k])) {
                add_lack(told, "laws in kernels: by the simulator only, which has not run");
                return;
            }
}

/* Runs it on the GPU, beside it in the simulator, and judges both. */
static enum rd_status run_on_gpu(const struct rd_check_program_run *run, struct rd_check_told *told,
                                 struct rd_error *error)
{
    const off_t start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    told->on_gpu = true;
    told->laws->played.device = "cuda";
    told->is_unseen = !run->library;
    enum rd_status status = run_once(run, told, error);
    if (status != RD_OK || run->library)
        return status == RD_OK ? accompany(run, start, told, error) : status;
    add_unseen(told);
    return rd_check_laws_judge(told->laws, run->options, told->results, NULL, error);
}

/* ---- all of it ---- */

/* Compiles it for the GPU. Where it is not asked for, nvcc may refuse: then it runs in the simulator. */
static enum rd_status compile_for_gpu(struct rd_check_program_run *run,
                                      const struct rd_check_told *told, bool is_asked,
                                      char program[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    enum rd_status status =
        rd_check_gpu_compile(run->options, told->laws, run->directory, !is_asked, program, error);
    if (status == RD_OK) {
        run->gpu_program = program;
        run->main_file = rd_check_gpu_main_file(told->laws);
        if (!run->main_file) /* a macro may make it */
            run->main_file = run->options->files[0];
    }
    if (status != RD_ERROR_INPUT || is_asked)
        return status;
    fprintf(stderr, "reductio: %s, so it runs in the simulator (--device cuda shows why)\n",
            error->text);
    return RD_OK;
}

static enum rd_status compile(struct rd_check_program_run *run, const struct rd_check_told *told,
                              char library[RD_CHECK_PATH_SIZE], char program[RD_CHECK_PATH_SIZE],
                              struct rd_error *error)
{
    const struct rd_check_program_options *options = run->options;
    const bool is_asked = strcmp(options->device, "cuda") == 0;
    enum rd_status status =
        rd_files_find(rd_devices, is_asked ? "auto" : options->device, &run->device, error);
    if (status == RD_ERROR_USAGE)
        rd_fail(error, status, "'%s' is no device that runs a program: use --device sim or cuda",
                options->device);
    if (status == RD_OK &&
        (is_asked || (strcmp(options->device, "auto") == 0 && rd_check_gpu_is_there())))
        status = compile_for_gpu(run, told, is_asked, program, error);
    if (status != RD_OK || (run->gpu_program && options->hazards_off))
        return status;
    run->library = library;
    static struct rd_check_modules modules;
    run->modules = &modules;
    return rd_check_program_compile(options, told->laws->files, told->laws->n_files, run->device,
                                    run->directory, library, &run->main_file, &modules, error);
}

int rd_check_program(const struct rd_check_program_options *options)
{
    static char directory[256], library[RD_CHECK_PATH_SIZE], program[RD_CHECK_PATH_SIZE];
    struct rd_error error = {""};
    struct rd_check_laws laws = {0}, other = {0};
    struct rd_results results = {0};
    struct rd_check_told told = {.options = options,
                                 .laws = &laws,
                                 .results =
                                     options->common.format == RD_FORMAT_TEXT ? NULL : &results};
    struct rd_check_program_run run = {
        .options = options,
        .directory = directory,
        .one_order = options->one_order,
        .schedule = {options->order, options->common.seed},
    };
    rd_check_told_init(&told);
    rd_results_init(&results, "run");
    rd_interruption_catch();
    enum rd_status status = rd_check_make_directory(directory, &error);
    if (status == RD_OK)
        status = rd_check_laws_init(&laws, options, &error);
    if (status == RD_OK)
        status = compile(&run, &told, library, program, &error);
    rd_interruption_let_calls_go_on();
    run.laws = &laws;
    run.has_laws_in_kernels = laws.in_kernels;
    if (status == RD_OK && run.gpu_program) {
        status = run_on_gpu(&run, &told, &error);
    } else if (status == RD_OK) {
        struct rd_check_program_options looks = *options;
        looks.hazards_off = false; /* the simulator always does */
        const struct rd_played_again again = {run_again, &run, &run};
        status = run_once(&run, &told, &error);
        if (status == RD_OK && options->values)
            status = run_with_values(&run, &told, &other, &error);
        else if (status == RD_OK)
            status = rd_check_laws_judge(&laws, &looks, told.results, &again, &error);
        if (status == RD_OK && !options->values)
            status = rd_check_orders_judge(&run, &told, run_once, &error);
    }
    if (*directory) {
        rd_check_gpu_clean(directory, options->n_files);
        rd_check_program_clean(directory, options->n_files);
    }
    const int exit_status = rd_check_told_tell(
        &told, run.main_file ? run.main_file : options->files[0], status, &error);
    rd_check_told_finish(&told);
    rd_check_laws_finish(&laws);
    rd_results_finish(&results);
    rd_check_laws_finish(&other);
    return exit_status;
}
