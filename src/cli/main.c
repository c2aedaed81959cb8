// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "base/spelling.h"
#include "reductio/version.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct subcommand {
    const char *name;
    int (*main)(int argc, char **argv);
} subcommands[] = {
    {"list", rd_cli_list},     {"explain", rd_cli_explain}, {"run", rd_cli_run},
    {"verify", rd_cli_verify}, {"diff", rd_cli_diff},       {"bench", rd_cli_bench},
    {"check", rd_cli_check},   {"report", rd_cli_report},   {"step", rd_cli_step},
    {"judge", rd_cli_judge},   {"prove", rd_cli_prove},     {"new", rd_cli_new},
};
enum { N_SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static const char doc[] =
    "Launches a parallel reduction round by round and asserts its loop invariant after each round."
    "\v"
    "Commands:\n"
    "  list                    the programs and, under each, its faults\n"
    "  explain PROGRAM         the documented invariant\n"
    "  run PROGRAM             run it, and print and assert each round\n"
    "  step PROGRAM            step through its rounds on the terminal, and back\n"
    "  verify TRACE...         assert every invariant of recorded traces again\n"
    "  judge [LAWS]            which fault is caught by which law\n"
    "  prove [PROGRAM]         prove it for every n, every shape and every input\n"
    "  diff TRACE TRACE        the first step and cell at which two traces differ\n"
    "  report TRACE|PROGRAM    write it as an HTML page for a projector\n"
    "  check FILE.cu           run a kernel of your own and tell its hazards\n"
    "  run FILE.cu             run a program of your own, with its laws in comments\n"
    "  new NAME                a program with its laws and its test, to begin with\n"
    "  bench [PROGRAM...]      what verifying costs\n"
    "  bench rounds PROGRAM    the time and the bandwidth of each round\n"
    "  bench sim               what the simulator costs\n"
    "  bench seeds             a dot product, next to published figures\n"
    "\n"
    "Each takes --help, and 'reductio help COMMAND' prints the same. First steps: 'reductio run "
    "fold', then 'reductio run fold:wrong-half'.\n"
    "\n"
    "Exit status: 0 everything asserted holds, 1 something does not, 2 bad usage or the "
    "environment failed, 3 inconclusive, 130 interrupted, 141 nobody reads the output.";

struct choice {
    const struct subcommand *subcommand;
    int first; /* its index in argv */
};

static _Noreturn void refuse(const char *word)
{
    const char *names[N_SUBCOMMANDS + 1] = {NULL};
    for (int k = 0; k < N_SUBCOMMANDS; k++)
        names[k] = subcommands[k].name;
    const char *nearest = rd_nearest(word, names);
    if (rd_cli_is_source(word))
        rd_cli_usage(NULL, "'%s' is not a command: 'reductio run %s' runs it", word, word);
    if (nearest)
        rd_cli_usage(NULL, "'%s' is not a command: did you mean '%s'?", word, nearest);
    rd_cli_usage(NULL,
                 "'%s' is not a command: use list, explain, run, judge, prove, verify, diff, step, "
                 "report, check, new or bench",
                 word);
}

static error_t parse_main(int key, char *argument, struct argp_state *state)
{
    struct choice *choice = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        for (int k = 0; k < N_SUBCOMMANDS; k++)
            if (strcmp(argument, subcommands[k].name) == 0)
                choice->subcommand = &subcommands[k];
        if (!choice->subcommand)
            refuse(argument);
        choice->first = state->next - 1;
        state->next = state->argc; /* the rest is the subcommand's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        rd_cli_usage(NULL, "no command: use list, explain, run, judge, prove, verify, diff, step, "
                           "report, check, new or bench");
    }
    return ARGP_ERR_UNKNOWN;
}

/* argp ends the process by itself after --help: standard output is closed here in every case. */
static void close_at_exit(void)
{
    int status = rd_cli_close_stdout();
    if (status != 0)
        _exit(status);
}

/* A file that is opened later must not become standard output because that was closed. Writing to
 * what stands in for it fails, as it should. */
static void hold_descriptors(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

int main(int argc, char **argv)
{
    static char name[] = "reductio";
    static char *no_arguments[] = {name, NULL};
    static char version[40];
    const struct argp argp = {.parser = parse_main, .args_doc = "COMMAND [OPTION...]", .doc = doc};
    struct choice choice = {0};

    hold_descriptors();
    signal(SIGPIPE, SIG_IGN); /* so that a trace beside a closed pipe still gets its last record */
    signal(SIGXFSZ,
           SIG_IGN); /* so that a file beyond the limit on its size fails, with a message */
    argp_err_exit_status = RD_EXIT_FAILED;
    snprintf(version, sizeof version, "reductio %s", rd_version());
    argp_program_version = version;
    if (argc < 1) {
        argc = 1;
        argv = no_arguments;
    }
    argv[0] = name;
    static char option[] = "--help";
    if (argc > 1 && strcmp(argv[1], "-h") == 0)
        argv[1] = option;
    if (argc > 1 && strcmp(argv[1], "help") == 0) { /* "help run", for "run --help" */
        argv[1] = argc > 2 ? argv[2] : option;
        if (argc > 2)
            argv[2] = option;
    }
    atexit(close_at_exit);
    int own = 1; /* up to the subcommand, whose options are its own */
    while (own < argc && argv[own][0] == '-')
        own++;
    rd_cli_check_options(&argp, name, own, argv);
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);

    argv[choice.first] = name;
    return choice.subcommand->main(argc - choice.first, argv + choice.first);
}
