// SPDX-License-Identifier: MIT
/* Shared by the subcommands. Private to src/cli. */
#ifndef RD_CLI_H
#define RD_CLI_H

#include "reductio/run.h"
#include "reductio/status.h"
#include "view/results.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* Exit statuses; never 77, which test runners read as 'skipped'. */
enum {
    RD_EXIT_HOLDS = 0,
    RD_EXIT_VIOLATED = 1, /* or a hazard, or a difference */
    RD_EXIT_FAILED = 2,   /* bad usage, or the environment failed */
    RD_EXIT_INCONCLUSIVE = 3,
    RD_EXIT_INTERRUPTED = 130, /* 128 + SIGINT */
    RD_EXIT_PIPE = 141,        /* 128 + SIGPIPE: nobody reads our output any more */
};

/* The subcommands. argv[0] is the program's name, the arguments follow. Each returns the exit
 * status. */
int rd_cli_bench(int argc, char **argv);
int rd_cli_check(int argc, char **argv);
int rd_cli_diff(int argc, char **argv);
int rd_cli_explain(int argc, char **argv);
int rd_cli_judge(int argc, char **argv);
int rd_cli_list(int argc, char **argv);
int rd_cli_report(int argc, char **argv);
int rd_cli_run(int argc, char **argv);
int rd_cli_step(int argc, char **argv);
int rd_cli_verify(int argc, char **argv);

/* argp_parse for a subcommand: its usage and help call it `name`, for instance "reductio
 * run". Its parser finds `input` in state->input. */
void rd_cli_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input);

/* Prints a line; on a terminal it is broken at spaces where it is wider than that, and else it stays one. */
void rd_cli_print_line(FILE *file, const char *text);

/* Prints "reductio: …" on standard error, behind what standard output still holds. */
void rd_cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Complains, points to --help of the subcommand (NULL: of reductio) and exits. */
_Noreturn void rd_cli_usage(const char *subcommand, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads a number of elements or the like: "1000", "2^20", "64k", "1M", "1G" (k = 1024). The message
 * begins with the option's name. RD_ERROR_USAGE. */
enum rd_status rd_cli_parse_size(const char *option, const char *text, size_t *size,
                                 struct rd_error *error);

/* Refuses an unknown long option: complains, and exits, where it is near to a known one;
 * argp refuses the others. For rd_cli_parse. */
void rd_cli_check_options(const struct argp *argp, const char *name, int argc, char **argv);

/* The program of this name; complains and exits where there is none, and names the one that was
 * meant: 'fold:wrong-half' of 'wrong-half', too. */
const struct rd_program *rd_cli_program(const char *subcommand, const char *name);

/* The format of that name; complains and exits where there is none. */
enum rd_format rd_cli_format(const char *subcommand, const char *name);
/* Complains and exits where --format and --json are both there. */
void rd_cli_check_format(const char *subcommand, enum rd_format format, bool json);

/* The terminal's columns; 80 where that can't be known. */
unsigned rd_cli_width(FILE *file);

/* Tells whether standard output is a pipe whose reader has gone. */
bool rd_cli_pipe_is_closed(void);

/* Ends the standard output, and complains where it could not be written, except to a pipe that
 * nobody reads any more. Returns RD_EXIT_HOLDS, RD_EXIT_FAILED or RD_EXIT_PIPE. */
int rd_cli_close_stdout(void);

/* The exit status of a verdict. */
int rd_cli_exit_status(enum rd_verdict verdict);

#endif
