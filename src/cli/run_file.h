// SPDX-License-Identifier: MIT
#ifndef RD_CLI_RUN_FILE_H
#define RD_CLI_RUN_FILE_H

#include <stdbool.h>

/* Tells whether `run` is given a file, rather than the name of a program of its own. */
bool rd_cli_names_file(int argc, char **argv);
/* Tells whether it ends as a source file's name does. */
bool rd_cli_is_source(const char *text);
/* Runs a user's program. */
int rd_cli_run_file(int argc, char **argv);

#endif
