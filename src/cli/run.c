// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "cli/run_file.h"
#include "cli/run_law.h"
#include "cli/run_options.h"
#include "check/sandbox/interruption.h"
#include "reductio/trace.h"
#include "reductio/text.h"
#include "reductio/summary.h"
#include "reductio/witness.h"
#include "view/parts.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The parts of a run, in the order in which they are made. */
struct session {
    struct rd_cli_run_options options;
    FILE *text; /* where the text goes */
    struct rd_cli_run_setup setup;
    struct rd_text_view *view;
    struct rd_trace_writer *trace;
    struct rd_cli_last last;
    json_t *hazards; /* for --json */
    struct rd_observer hazard_observer;
    struct rd_run_record record; /* for --format */
    const struct rd_observer *observers[6];
    size_t n_observers;
    struct rd_result result;
    bool unbegun; /* it was interrupted before there was a run */
};

/* ---- setting up ---- */

static enum rd_status collect_hazard(void *self, const struct rd_run *run,
                                     const struct rd_hazard *hazard, struct rd_error *error)
{
    struct session *session = self;
    (void)run;
    (void)error;
    json_array_append_new(session->hazards, json_pack("{s:s, s:i, s:o}", "name", hazard->name,
                                                      "step", (int)hazard->step, "message",
                                                      rd_cli_json_text(hazard->message)));
    return RD_OK;
}

static void observe(struct session *session, const struct rd_observer *observer)
{
    session->observers[session->n_observers++] = observer;
}

static enum rd_status make_view(struct session *session, struct rd_error *error)
{
    const struct rd_cli_run_options *options = &session->options;
    if (options->format != RD_FORMAT_TEXT) {
        enum rd_status status = rd_run_record_init(&session->record, error);
        if (status == RD_OK)
            observe(session, &session->record.observer);
        return status;
    }
    if (options->json) {
        session->hazards = json_array();
        session->hazard_observer = (struct rd_observer){.self = session, .hazard = collect_hazard};
        observe(session, &session->hazard_observer);
        return RD_OK;
    }
    const struct rd_text_options text = {
        .out = session->text,
        .width = rd_cli_width(session->text),
        .color = rd_cli_run_options_color(options, session->text),
        .quiet = options->quiet,
        .witness = options->witness,
        .wrap_last = isatty(fileno(session->text)),
    };
    enum rd_status status = rd_text_view_create(&session->view, &text, error);
    if (status == RD_OK)
        observe(session, rd_text_view_observer(session->view));
    return status;
}

/* This trace is kept unasked, and is cut at RD_CLI_LAST_BYTES: many passes are to fit in it. */
static size_t last_cells(const struct session *session)
{
    enum { N_LARGE = 1024, CELLS_FEW = 16 };
    size_t cells = session->options.trace_cells;
    bool many_passes = session->options.witness && session->setup.run.n > N_LARGE;
    return many_passes && cells > CELLS_FEW ? CELLS_FEW : cells;
}

/* The traces come first: whatever becomes of the output, they have the step. */
static enum rd_status make_observers(struct session *session, struct rd_error *error)
{
    const struct rd_cli_run_options *options = &session->options;
    observe(session, &session->setup.progress.observer);
    if (options->trace) {
        enum rd_status status =
            rd_trace_writer_open(&session->trace, options->trace, options->trace_cells, error);
        if (status != RD_OK)
            return status;
        observe(session, rd_trace_writer_observer(session->trace));
    }
    if (!options->no_last) {
        rd_cli_last_init(&session->last, last_cells(session));
        observe(session, &session->last.observer);
    }
    return make_view(session, error);
}

static enum rd_status prepare(struct session *session, struct rd_error *error)
{
    const struct rd_cli_run_options *options = &session->options;
    struct rd_run *run = &session->setup.run;
    struct rd_error why = {""};
    enum rd_status status =
        rd_cli_run_setup_init(&session->setup, options, rd_interruption(), &why, error);
    if (status != RD_OK)
        return status;
    status = make_observers(session, error);
    if (status == RD_OK && session->view && !options->quiet)
        fprintf(session->text, "device %s (%s): %s\n", run->device->ops->name,
                run->device->ops->describe(run->device), why.text);
    return status;
}

/* ---- running ---- */

static enum rd_status run_program(struct session *session, struct rd_error *error)
{
    struct rd_result *result = &session->result;
    enum rd_status status;
    rd_interruption_let_calls_go_on();
    if (session->options.witness)
        status = rd_witness_run(&session->setup.run, session->observers, result, error);
    else
        status = rd_run(&session->setup.run, session->observers, result, error);
    rd_cli_progress_clear(&session->setup.progress);
    bool ended = status == RD_OK || status == RD_ERROR_INTERRUPTED;
    if (ended && session->options.witness && session->view) {
        enum rd_status printed = rd_text_view_end_witness(session->view, result, error);
        status = printed == RD_OK ? status : printed;
    }
    return status;
}

/* Chooses the pass of a witness run that is its result, and counts the passes. */
static void settle_passes(struct session *session)
{
    struct rd_run *run = &session->setup.run;
    const struct rd_premise *premise = &session->result.premise;
    if (premise->numeric) { /* that pass is the result */
        run->numeric = premise->numeric;
        run->values = premise->values;
    } else if (session->options.witness) {
        struct rd_witness_plan plan;
        const struct rd_shape shape = rd_run_shape(run);
        rd_witness_plan(run->program, &shape, run->numeric->operation, &plan);
        run->passes = plan.passes;
    }
}

static void print_json(struct session *session)
{
    settle_passes(session);
    json_t *object = rd_cli_json_result(&session->setup.run, &session->result);
    json_object_set(object, "hazard_reports", session->hazards);
    rd_cli_json_print(object);
}

/* Writes the document of results, also for a run that failed or could not begin. */
static enum rd_status print_results(struct session *session, enum rd_status status,
                                    struct rd_error *error)
{
    char text[RD_SENTENCE_SIZE];
    struct rd_results results;
    struct rd_run *run = &session->setup.run;
    rd_results_init(&results, "run");
    if (status == RD_OK || status == RD_ERROR_INTERRUPTED) {
        settle_passes(session);
        run->pass = session->record.pass;
        rd_results_add_run(&results, run, &session->record, &session->result,
                           session->options.witness ? rd_witness_text(run, &session->result, text)
                                                    : NULL);
    } else if (session->unbegun) {
        rd_results_add_interruption(&results, "run", session->options.program->name);
    } else {
        rd_results_add_failure(&results, "run", session->options.program->name, error->text);
    }
    enum rd_status written = rd_results_write(&results, session->options.format, stdout, error);
    rd_results_finish(&results);
    return written == RD_OK ? status : written;
}

static void finish(struct session *session)
{
    rd_text_view_destroy(session->view);
    json_decref(session->hazards);
    rd_run_record_finish(&session->record);
    rd_cli_run_setup_finish(&session->setup);
}

/* ---- kernels that may not end ---- */

static pid_t guarded;
static volatile sig_atomic_t out_of_time;

static void on_alarm(int number)
{
    (void)number;
    out_of_time = 1;
    kill(guarded, SIGKILL);
}

/* The child stops, and tells what it has seen. */
static void hand_on(int number)
{
    kill(guarded, number);
}

/* A kernel that does not end is the end of a process on a GPU: it is run by a child. Does not return
 * in the parent. The device itself has a time limit; this one is for when it can't even say so. */
static void guard(bool looks_at_length)
{
    enum { LIMIT_S = 60 };
    int status = 0;
    fflush(NULL);
    guarded = fork();
    if (guarded <= 0) /* the child; or there is none, and we go on ourselves */
        return;
    signal(SIGINT, SIG_IGN); /* it is the child's to stop */
    signal(SIGTERM, hand_on);
    signal(SIGHUP, hand_on);
    signal(SIGALRM, on_alarm);
    alarm(looks_at_length ? 10 * LIMIT_S : LIMIT_S);
    while (rd_interruption_await(guarded) < 0 && errno == EINTR) {
    }
    alarm(0); /* before another process can be given the number */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    waitpid(guarded, &status, 0);
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    if (out_of_time)
        rd_cli_complain("the kernel did not end, and its process had to be ended");
    else if (number == SIGINT || number == SIGTERM || number == SIGHUP)
        _exit(RD_EXIT_INTERRUPTED);
    else
        rd_cli_complain("the process of the run was ended by signal %d (%s)", number,
                        strsignal(number));
    _exit(RD_EXIT_FAILED);
}

int rd_cli_run(int argc, char **argv)
{
    struct session session = {.n_observers = 0};
    struct rd_error error = {""}, trace_error = {""};
    if (rd_cli_names_file(argc, argv))
        return rd_cli_run_file(argc, argv);
    rd_cli_run_options_parse(&session.options, argc, argv);
    bool guarded_run =
        session.options.program->may_hang && !rd_device_simulates(session.options.device);
    if (guarded_run)
        guard(session.options.hazards_by == RD_HAZARDS_BY_SANITIZER);
    rd_interruption_catch();
    if (session.options.law) {
        rd_interruption_let_calls_go_on();
        return rd_cli_run_law(&session.options, rd_interruption());
    }
    bool trace_on_stdout = session.options.trace && strcmp(session.options.trace, "-") == 0;
    session.text = trace_on_stdout ? stderr : stdout;

    enum rd_status status = prepare(&session, &error);
    session.unbegun = status != RD_OK && *rd_interruption();
    if (status == RD_OK)
        status = run_program(&session, &error);
    bool ended = !session.unbegun && (status == RD_OK || status == RD_ERROR_INTERRUPTED);
    if (ended && session.options.json)
        print_json(&session);
    rd_cli_last_finish(&session.last);
    if (rd_trace_writer_close(session.trace, &trace_error) != RD_OK && ended) {
        ended = false;
        status = RD_ERROR_IO;
        error = trace_error;
    }
    if (session.options.format != RD_FORMAT_TEXT) {
        status = print_results(&session, status, &error);
        ended = !session.unbegun && (status == RD_OK || status == RD_ERROR_INTERRUPTED);
    }
    finish(&session);

    if (session.unbegun && session.options.format == RD_FORMAT_TEXT)
        rd_cli_complain("interrupted: nothing was asserted before");
    else if (!session.unbegun && !ended && !(ferror(stdout) && rd_cli_pipe_is_closed()))
        rd_cli_complain("%s", error.text);
    int exit_status = session.unbegun ? RD_EXIT_INTERRUPTED : RD_EXIT_FAILED;
    if (ended)
        exit_status = session.result.interrupted ? RD_EXIT_INTERRUPTED
                                                 : rd_cli_exit_status(session.result.verdict);
    if (guarded_run) { /* what CUDA does at exit would wait for the kernel */
        fflush(NULL);
        _exit(exit_status);
    }
    return exit_status;
}
