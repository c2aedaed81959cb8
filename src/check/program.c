// SPDX-License-Identifier: MIT
#include "check/program.h"
#include "check/await.h"
#include "check/check_internal.h"
#include "check/interruption.h"
#include "check/recording.h"
#include "reductio/version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOLDS = 0, FOUND = 1, FAILED = 2, INCONCLUSIVE = 3, INTERRUPTED = 130, GRACE_S = 2 };

/* ---- what the process has told ---- */

/* A run, as far as it is known. */
struct told {
    json_t *hazards, *lacks; /* findings, each once; sentences */
    uint64_t n_launches, n_threads;
    char how[16]; /* it has ended, as in a recording; "": it has not said so */
    int status;   /* of its exit, or the number of a signal */
};

static void add_hazard(struct told *told, json_t *hazard)
{
    size_t k;
    json_t *known;
    json_array_foreach(told->hazards, k, known)
    {
        if (rd_check_same_hazard(known, hazard)) {
            json_int_t count = json_integer_value(json_object_get(known, "count")) +
                               json_integer_value(json_object_get(hazard, "count"));
            json_object_set_new(known, "count", json_integer(count));
            return;
        }
    }
    json_object_del(hazard, "event");
    json_array_append(told->hazards, hazard);
}

static void add_lack(struct told *told, const char *text)
{
    json_array_append_new(told->lacks, rd_check_text(text, strlen(text)));
}

static void add_event(struct told *told, const struct rd_recording_event *event)
{
    const json_t *object = event->object;
    if (!rd_recording_is_sound(event)) {
        add_lack(told, "an event of the recording is not understood");
    } else if (strcmp(event->name, "launch") == 0) {
        told->n_launches++;
        told->n_threads += (uint64_t)json_integer_value(json_object_get(object, "threads"));
    } else if (strcmp(event->name, "finding") == 0) {
        add_hazard(told, event->object);
    } else if (strcmp(event->name, "lack") == 0) {
        add_lack(told, rd_check_text_of(object, "text"));
    } else {
        snprintf(told->how, sizeof told->how, "%s", rd_check_text_of(object, "how"));
        told->status = (int)json_integer_value(json_object_get(object, "status"));
    }
}

static enum rd_status read_recording(FILE *file, struct told *told, struct rd_error *error)
{
    struct rd_recording_event event;
    enum rd_status status;
    rewind(file);
    while ((status = rd_recording_read(file, &event, error)) == RD_OK && event.object) {
        add_event(told, &event);
        rd_recording_event_finish(&event);
    }
    if (status == RD_ERROR_INPUT) { /* what has been read counts all the same */
        add_lack(told, error->text);
        status = RD_OK;
    }
    return status;
}

/* What waitpid() knows is true whatever the process has told. */
static void set_end(struct told *told, int status, bool timed_out)
{
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (timed_out || number == SIGALRM) {
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
}

/* ---- running it ---- */

static enum rd_status run_once(const struct rd_check_program_run *given, struct told *told,
                               struct rd_error *error)
{
    struct rd_check_program_run run = *given;
    unsigned timeout_s = given->options->timeout_s;
    bool timed_out = false;
    run.recording = tmpfile();
    if (!run.recording)
        return rd_fail(error, RD_ERROR_IO, "no temporary file for a run: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        rd_interruption_release();
        rd_check_program_child(&run);
    }
    enum rd_status status = RD_OK;
    if (child < 0) {
        status = rd_fail(error, RD_ERROR_MEMORY, "no process for a run: %s", strerror(errno));
    } else {
        rd_interruption_watch(child);
        int limit_s = timeout_s < INT32_MAX - GRACE_S ? (int)timeout_s + GRACE_S : INT32_MAX;
        int ended = rd_check_await(child, limit_s, NULL, NULL, &timed_out);
        status = read_recording(run.recording, told, error);
        if (status == RD_OK)
            set_end(told, ended, timed_out);
        if (*rd_interruption())
            status = rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted");
    }
    fclose(run.recording);
    return status;
}

/* ---- the verdict ---- */

static bool has_come_to_its_end(const struct told *told)
{
    return strcmp(told->how, "returned") == 0 || strcmp(told->how, "exit") == 0;
}

static int exit_status_of(const struct told *told)
{
    if (json_array_size(told->hazards) > 0 || strcmp(told->how, "signal") == 0 ||
        (has_come_to_its_end(told) && told->status != 0))
        return FOUND;
    return INCONCLUSIVE;
}

/* The end in words: "exit status 0". */
static void write_end(const struct told *told, const struct rd_check_program_options *options,
                      char text[200])
{
    if (strcmp(told->how, "timeout") == 0)
        snprintf(text, 200, "stopped after %u s", options->timeout_s);
    else if (strcmp(told->how, "signal") == 0 && told->status > 0)
        snprintf(text, 200, "ended by signal %d (%s)", told->status, strsignal(told->status));
    else if (strcmp(told->how, "signal") == 0)
        snprintf(text, 200, "ended by a signal");
    else if (strcmp(told->how, "failed") == 0)
        snprintf(text, 200, "not run to its end");
    else
        snprintf(text, 200, "exit status %d", told->status);
}

static json_t *outcome_of(const struct told *told, const struct rd_check_program_options *options,
                          const char *file, const char *error)
{
    char end[200] = "";
    int status = error ? FAILED : exit_status_of(told);
    write_end(told, options, end);
    json_t *outcome =
        json_pack("{s:s, s:o, s:O, s:I, s:I, s:s, s:s, s:i, s:O, s:o, s:o, s:s, s:i}", "reductio",
                  rd_version(), "file", rd_check_text(file, strlen(file)), "hazards", told->hazards,
                  "launches", (json_int_t)told->n_launches, "threads", (json_int_t)told->n_threads,
                  "ended", told->how, "end", end, "exit_status", told->status, "lacks", told->lacks,
                  "counts", rd_check_count_hazards(told->hazards), "error",
                  error ? rd_check_text(error, strlen(error)) : json_null(), "verdict",
                  status == FOUND ? "VIOLATED" : "INCONCLUSIVE", "status", status);
    rd_check_cut(outcome, options->max_errors);
    return outcome;
}

/* ---- telling ---- */

/* "INCONCLUSIVE fold.cu: exit status 0, 3 launches, 0 hazards: no invariant was asserted". */
static void print_summary(const json_t *outcome, FILE *file)
{
    const json_t *counts = json_object_get(outcome, "counts"), *count;
    json_int_t n = 0, launches = json_integer_value(json_object_get(outcome, "launches"));
    const char *name;
    unsigned place = 0;
    json_object_foreach((json_t *)counts, name, count) n += json_integer_value(count);
    fprintf(file, "%s %s: %s, %lld launch%s, %lld hazard%s", rd_check_text_of(outcome, "verdict"),
            rd_check_text_of(outcome, "file"), rd_check_text_of(outcome, "end"),
            (long long)launches, launches == 1 ? "" : "es", (long long)n, n == 1 ? "" : "s");
    json_object_foreach((json_t *)counts, name, count) fprintf(
        file, "%s%s %lld", place++ == 0 ? " (" : ", ", name, (long long)json_integer_value(count));
    fputs(place > 0 ? ")" : "", file);
    fputs(json_array_size(json_object_get(outcome, "lacks")) > 0 ? ", not all was looked at" : "",
          file);
    fputs(": no invariant was asserted\n", file);
}

static void print(const json_t *outcome, const struct rd_check_program_options *options, FILE *file)
{
    size_t k;
    json_t *lack;
    if (!options->quiet) {
        rd_check_print_hazards(outcome, options->one_line, options->width, file);
        json_array_foreach(json_object_get(outcome, "lacks"), k, lack)
            fprintf(file, "not looked at: %s\n", json_string_value(lack));
    }
    print_summary(outcome, file);
}

static int tell(const struct told *told, const struct rd_check_program_options *options,
                const char *file, const char *error)
{
    json_t *outcome = outcome_of(told, options, file, error);
    int exit_status = (int)json_integer_value(json_object_get(outcome, "status"));
    if (options->json) {
        json_dumpf(outcome, stdout, JSON_INDENT(2));
        putchar('\n');
    } else if (!error) {
        print(outcome, options, stdout);
    }
    fflush(stdout);
    if (error)
        fprintf(stderr, "reductio: %s\n", error);
    json_decref(outcome);
    return exit_status;
}

/* ---- all of it ---- */

int rd_check_program(const struct rd_check_program_options *options)
{
    static char directory[256], library[RD_CHECK_PATH_SIZE];
    struct rd_error error = {""};
    struct told told = {.hazards = json_array(), .lacks = json_array()};
    struct rd_check_program_run run = {
        .options = options, .directory = directory, .library = library};
    rd_interruption_catch();
    enum rd_status status = rd_files_find(rd_devices, options->device, &run.device, &error);
    if (status == RD_OK)
        status = rd_check_make_directory(directory, &error);
    if (status == RD_OK)
        status = rd_check_program_compile(options, run.device, directory, library, &run.main_file,
                                          &error);
    rd_interruption_let_calls_go_on();
    if (status == RD_OK)
        status = run_once(&run, &told, &error);
    if (*directory)
        rd_check_program_clean(directory, options->n_files);
    int exit_status = INTERRUPTED;
    if (status != RD_ERROR_INTERRUPTED)
        exit_status = tell(&told, options, run.main_file ? run.main_file : options->files[0],
                           status == RD_OK ? NULL : error.text);
    else
        fprintf(stderr, "reductio: interrupted\n");
    json_decref(told.hazards);
    json_decref(told.lacks);
    return exit_status;
}
