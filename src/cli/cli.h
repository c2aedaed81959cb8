// SPDX-License-Identifier: MIT
/* Shared by the subcommands. Private to src/cli. */
#ifndef RD_CLI_H
#define RD_CLI_H

#include "base/exit_status.h"
#include "reductio/run.h"
#include "reductio/status.h"
#include "view/results.h"
#include "reductio/trace.h"

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The subcommands. argv[0] is the program's name, the arguments follow. Each returns the exit
 * status. */
int rd_cli_bench(int argc, char **argv);
int rd_cli_check(int argc, char **argv);
int rd_cli_new(int argc, char **argv);
int rd_cli_diff(int argc, char **argv);
int rd_cli_explain(int argc, char **argv);
int rd_cli_judge(int argc, char **argv);
int rd_cli_list(int argc, char **argv);
int rd_cli_prove(int argc, char **argv);
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
/* Returns that number; complains and exits where it is none. */
size_t rd_cli_size(const char *subcommand, const char *option, const char *text);

/* Reads decimal digits, and no sign or space; saturates. Returns the end. */
const char *rd_cli_read_digits(const char *text, uint64_t *number);

/* Refuses an unknown long option: complains, and exits, where it is near to a known one;
 * argp refuses the others. For rd_cli_parse. */
void rd_cli_check_options(const struct argp *argp, const char *name, int argc, char **argv);

/* Tells whether it ends as a source file's name does. */
bool rd_cli_is_source(const char *text);

/* Complains and exits where the word is a source, and not a trace. */
void rd_cli_check_trace(const char *subcommand, const char *word);
/* So, of each word that is the option's, "--compare". */
void rd_cli_check_option_of_trace(const char *subcommand, const char *option, int argc,
                                  char **argv);
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

/* Writes what is buffered of standard output, and keeps why that failed for rd_cli_close_stdout. */
void rd_cli_flush(void);

/* Ends the standard output, and complains where it could not be written, except to a pipe that
 * nobody reads any more. Returns RD_EXIT_HOLDS, RD_EXIT_FAILED or RD_EXIT_PIPE. */
int rd_cli_close_stdout(void);

/* The exit status of a verdict. */
int rd_cli_exit_status(enum rd_verdict verdict);

/* Results as JSON. Numbers are written as in traces: a whole number beyond 2^53, an infinity and a
 * NaN are strings. Private to src/cli. */

/* A string; bytes that are not UTF-8 become U+FFFD. */
json_t *rd_cli_json_text(const char *text);
json_t *rd_cli_json_value(const struct rd_numeric *numeric, rd_bits value);
json_t *rd_cli_json_violation(const struct rd_violation *violation,
                              const struct rd_numeric *numeric);

/* The result of a run. The program, n, type and device are the run's. */
json_t *rd_cli_json_result(const struct rd_run *run, const struct rd_result *result);

/* Prints the value on standard output, and gives it up. */
void rd_cli_json_print(json_t *value);

/* The trace of the last run, for later commands. Nobody has asked for it: where it can't be kept,
 * nothing is said, and the run goes on. Private to src/cli. */

/* Limit on the last trace: it ends with the first line beyond, and a note says so. */
#define RD_CLI_LAST_BYTES ((uint64_t)64 << 20)

enum { RD_CLI_LAST_PATH_SIZE = 4096 };

struct rd_cli_last {
    struct rd_observer observer; /* for rd_run */
    struct rd_trace_writer *writer;
    bool has_run;                     /* what it would be the trace of */
    bool full;                        /* the trace has ended before the run */
    char path[RD_CLI_LAST_PATH_SIZE]; /* where `verify --last` looks for it */
    char own[RD_CLI_LAST_PATH_SIZE];  /* where it is until the run is over */
};

/* Starts the trace, states cut to `cells`. The observer does nothing where that can't be. */
void rd_cli_last_init(struct rd_cli_last *last, size_t cells);
/* Makes it the trace of the last run. Where a run has left none, there is none: that of the run before is not the last's. */
void rd_cli_last_finish(struct rd_cli_last *last);
/* Finds the trace of the last run, for --last of a command. Does not return where there is none. */
void rd_cli_last_find(const char *command, char path[RD_CLI_LAST_PATH_SIZE]);

/* Shows the progress of a long run in one line on the terminal. Private to src/cli. */

/* Least elements of a run that shows progress: a smaller one is over before anybody could read the line. */
enum { RD_CLI_PROGRESS_MIN = 1 << 22, RD_CLI_PROGRESS_PASSES_MIN = 1 << 20 };

/* Progress on the terminal; must not move once it is initialised. */
struct rd_cli_progress {
    struct rd_progress progress; /* for rd_run */
    struct rd_observer observer; /* clears the line before others write; let it be the first */
    bool on;                     /* standard error is a terminal, and the run is a long one */
    bool shown;                  /* the line is there */
    char pass[64];               /* "pass 3 of 142 on other values: "; "" where there is none */
};

/* Sets up progress for a run over n_elems elements, in all its passes together. */
void rd_cli_progress_init(struct rd_cli_progress *progress, size_t n_elems);

/* Shows progress for a run of any size. */
void rd_cli_progress_init_always(struct rd_cli_progress *progress);

/* Shows a line in the place of the one before. */
void rd_cli_progress_show(struct rd_cli_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Leaves the terminal as if there had been none. */
void rd_cli_progress_clear(struct rd_cli_progress *progress);

/* The file of --svg. Private to src/cli. */

struct rd_cli_svg {
    const char *path; /* NULL: none asked for */
    FILE *file;
};

/* Opens it, where one is asked for: before anything is measured, so that a path that can't be written
 * is told at once. RD_ERROR_USAGE, RD_ERROR_IO. */
enum rd_status rd_cli_svg_open(struct rd_cli_svg *svg, const char *path, struct rd_error *error);

/* Closes the chart's file. If the benchmark has failed (`status`), or the chart can't be written, the file is removed,
 * unless it is a device or the like. Returns `status` unless that is RD_OK; RD_ERROR_IO. */
enum rd_status rd_cli_svg_close(struct rd_cli_svg *svg, enum rd_status status,
                                struct rd_error *error);

#endif
