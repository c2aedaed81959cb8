// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "cli/proved.h"
#include "cli/run_law.h"
#include "cli/run_file.h"
#include "cli/run_options.h"
#include "reductio/trace.h"
#include "view/step/stepper.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_TRACE = 512, KEY_LAST, KEY_SCRIPT, KEY_STEP_LAW };

struct step_options {
    struct rd_cli_run_options run;
    const char *trace; /* NULL: a program is run */
    const char *script;
    const char *law; /* of the user's own, or @FILE; NULL: none */
    char last[RD_CLI_LAST_PATH_SIZE];
};

static const struct argp_option step_options[] = {
    {NULL, 0, NULL, 0, "What else to step through, in a program's place:", 3},
    {"trace", KEY_TRACE, "FILE", 0, "A trace; - for standard input", 3},
    {"last", KEY_LAST, NULL, 0, "The trace of the last run", 3},
    {NULL, 0, NULL, 0, "A law of your own:", 4},
    {"law", KEY_STEP_LAW, "LAW|@FILE", 0,
     "Judge the run by this law, too, and mark the cells of which it says something else than they "
     "hold",
     4},
    {NULL, 0, NULL, 0, "Without a screen:", 5},
    {"script", KEY_SCRIPT, "FILE", 0,
     "Do the commands of this file, - for standard input, and print the screen as text after each",
     5},
    {0},
};

static void set_trace(struct step_options *options, const char *path)
{
    if (options->trace)
        rd_cli_usage("step", "'%s' is one trace too many: step takes one", path);
    options->trace = path;
}

static void set_last(struct step_options *options)
{
    rd_cli_last_find("step", options->last);
    set_trace(options, options->last);
}

static error_t parse_step(int key, char *argument, struct argp_state *state)
{
    struct step_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->run;
        return 0;
    case KEY_TRACE:
        set_trace(options, argument);
        return 0;
    case KEY_LAST:
        set_last(options);
        return 0;
    case KEY_SCRIPT:
        options->script = argument;
        return 0;
    case KEY_STEP_LAW:
        options->law = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->law && options->run.witness)
            rd_cli_usage("step", "'--law' is asserted of values, and not of sets: leave --values "
                                 "witness out");
        if (options->trace && options->run.program)
            rd_cli_usage("step", "'%s' and a trace are two things to step through: name one",
                         options->run.program->name);
        if (options->trace && options->script && strcmp(options->trace, "-") == 0 &&
            strcmp(options->script, "-") == 0)
            rd_cli_usage("step", "'-' stands twice: standard input can be read once only");
        if (options->trace && (options->run.n || options->run.numeric || options->run.values ||
                               options->run.block || options->run.grid))
            rd_cli_usage("step", "a trace has its n, type, values, block and grid: leave them out");
        if (!options->trace && !options->run.program)
            rd_cli_usage("step", "no program: 'reductio list' shows them all; or name a trace, by "
                                 "--trace or --last");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static void parse_options(struct step_options *options, int argc, char **argv)
{
    static const struct argp_child children[] = {{.argp = &rd_cli_run_shared_argp}, {0}};
    const struct argp argp = {
        .options = step_options,
        .parser = parse_step,
        .children = children,
        .args_doc = "PROGRAM|FILE.cu|--trace=FILE|--last",
        .doc = "Steps through a run: round by round, checkpoint by checkpoint, thread by thread, "
               "and back. The key ? shows all keys."
               "\vExit status: that of the run, as it is when you leave: 0 everything asserted "
               "holds, 1 an invariant is violated or a hazard was found, 3 inconclusive; and 2 bad "
               "usage, also in a script, or the environment failed.",
    };
    rd_cli_run_options_init(&options->run, "step");
    rd_cli_parse(&argp, "reductio step", argc, argv, options);
    if (!options->run.program)
        return;
    rd_cli_run_options_for_view(&options->run);
}

/* ---- making the history ---- */

static volatile sig_atomic_t interrupted;

struct session {
    struct step_options options;
    struct rd_cli_run_setup setup; /* of a live run */
    struct rd_stepper stepper;
    bool begun; /* there is a stepper */
    struct rd_cli_proved proved;
    bool has_proved; /* it was looked up */
};

static void on_signal(int number)
{
    interrupted = number;
}

/* Judges by the law, which Ctrl-C ends; a second one ends the process. */
static enum rd_status judge(struct rd_stepper *stepper, const char *text,
                            struct rd_law_error *mistake)
{
    struct sigaction old, action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, NULL, &old);
    if (old.sa_handler != SIG_IGN) /* as under nohup */
        sigaction(SIGINT, &action, NULL);
    stepper->law.interrupted = &interrupted;
    enum rd_status status = rd_stepper_set_law(stepper, text, mistake);
    stepper->law.interrupted = NULL;
    stepper->law.stopped = false;
    sigaction(SIGINT, &old, NULL);
    return status;
}

/* The fault in the law has been told, with its place; `error` is then empty. */
static enum rd_status take_law(struct session *session, struct rd_error *error)
{
    struct rd_law_error mistake;
    if (!session->options.law)
        return RD_OK;
    char *text = rd_cli_law_text(session->options.law);
    error->text[0] = '\0';
    if (!text)
        return RD_ERROR_USAGE;
    enum rd_status status = judge(&session->stepper, text, &mistake);
    if (status == RD_ERROR_INTERRUPTED && !session->options.script) {
        rd_stepper_say(&session->stepper, "interrupted"); /* the screen goes on without it */
        interrupted = 0;
        status = RD_OK;
    } else if (status != RD_OK) {
        rd_cli_law_complain(session->options.law, text, &mistake);
    }
    free(text);
    return status;
}

/* Writes how the round makes the cell, and what is proved of every n. The proof is looked up once. */
static void print_why(void *self, struct rd_history *history, size_t frame, size_t cell, FILE *out)
{
    struct session *session = self;
    const struct rd_program *program = rd_history_about(history)->program;
    struct rd_error error;
    if (!session->has_proved && rd_cli_proved_init(&session->proved, program, &error) != RD_OK) {
        fprintf(out, "%s\n", error.text);
        return;
    }
    session->has_proved = true;
    rd_cli_proved_print_round(&session->proved, history, frame, cell, out);
}

static enum rd_status begin(struct session *session, struct rd_error *error)
{
    struct rd_history *history;
    struct rd_error why;
    const struct rd_run *run = NULL;
    enum rd_status status;
    if (session->options.trace) {
        status = rd_history_read(&history, session->options.trace, NULL, error);
    } else {
        run = &session->setup.run;
        status = rd_cli_run_setup_init(&session->setup, &session->options.run, &interrupted, &why,
                                       error);
        if (status == RD_OK)
            status = rd_history_run(&history, run, NULL, error);
        rd_cli_progress_clear(&session->setup.progress);
        session->setup.run.progress = NULL; /* the screen is the stepper's from here */
    }
    if (status != RD_OK)
        return status;
    rd_stepper_init(&session->stepper, history, run, NULL);
    if (session->options.run.sets)
        session->stepper.view = RD_SHOW_SETS;
    session->begun = true;
    session->stepper.proof = (struct rd_step_proof){print_why, session};
    return take_law(session, error);
}

/* ---- scripts ---- */

static enum rd_status run_script(struct session *session, struct rd_error *error)
{
    const char *path = session->options.script;
    bool from_stdin = strcmp(path, "-") == 0;
    struct rd_step_script script = {
        .in = from_stdin ? stdin : fopen(path, "re"),
        .name = from_stdin ? "standard input" : path,
        .out = stdout,
        .width = 80,
        .height = 24,
        .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
    };
    if (!script.in)
        return rd_fail(error, RD_ERROR_IO, "the script '%s' can't be opened: %s", path,
                       strerror(errno));
    enum rd_status status = rd_step_script_run(&script, &session->stepper, error);
    if (!from_stdin)
        fclose(script.in);
    return status;
}

/* ---- the screen ---- */

static enum rd_status run_screen(struct session *session, struct rd_error *error)
{
    const char *no_color = getenv("NO_COLOR");
    const struct rd_step_screen screen = {
        .color = !no_color || no_color[0] == '\0',
        .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
        .interrupted = &interrupted,
    };
    return rd_step_screen_run(&screen, &session->stepper, error);
}

int rd_cli_step(int argc, char **argv)
{
    static struct session session;
    struct rd_error error = {""};
    static const char *const own[] = {"--script", "--law", "--color", NULL};
    rd_cli_check_option_of_trace("step", "--trace", argc, argv);
    if (rd_cli_names_source(argc, argv))
        argv = rd_cli_trace_file(&argc, argv, own, "--trace=");
    setlocale(LC_CTYPE, ""); /* numbers stay as they are */
    parse_options(&session.options, argc, argv);
    enum rd_status status = begin(&session, &error);
    if (status == RD_OK)
        status =
            session.options.script ? run_script(&session, &error) : run_screen(&session, &error);
    int exit_status = status == RD_ERROR_INTERRUPTED ? RD_EXIT_INTERRUPTED : RD_EXIT_FAILED;
    if (status == RD_OK)
        exit_status = interrupted || session.stepper.about->result.interrupted
                          ? RD_EXIT_INTERRUPTED
                          : rd_cli_exit_status(session.stepper.about->result.verdict);
    else if (error.text[0] != '\0' && !(ferror(stdout) && rd_cli_pipe_is_closed()))
        rd_cli_complain("%s", error.text);
    const struct rd_quiz *quiz = &session.stepper.quiz;
    if (status == RD_OK && quiz->on && quiz->asked > 0)
        printf("quiz: %u of %u right\n", quiz->right, quiz->asked);
    if (session.has_proved)
        rd_cli_proved_finish(&session.proved);
    if (session.begun)
        rd_stepper_finish(&session.stepper);
    rd_cli_run_setup_finish(&session.setup);
    return exit_status;
}
