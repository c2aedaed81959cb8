// SPDX-License-Identifier: MIT
#ifndef RD_CLI_RUN_FILE_H
#define RD_CLI_RUN_FILE_H

#include <stdbool.h>

/* Tells whether `run` is given a file, rather than the name of a program of its own. */
bool rd_cli_names_file(int argc, char **argv);
/* Tells whether a view is given a source file, rather than a trace or a program's name. */
bool rd_cli_names_source(int argc, char **argv);
/* Runs a user's program. */
int rd_cli_run_file(int argc, char **argv);

/* Runs the program that a view's command line names, and returns the view's own arguments: those of `options` (with their
 * values), and `trace` with the path of the trace of the program's loop. Ends the process where there is nothing to show. */
char **rd_cli_trace_file(int *argc, char **argv, const char *const *options, const char *trace);

#endif
