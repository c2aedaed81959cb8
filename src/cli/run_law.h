// SPDX-License-Identifier: MIT
/* `reductio run PROGRAM --law LAW`. Private to src/cli. */
#ifndef RD_CLI_RUN_LAW_H
#define RD_CLI_RUN_LAW_H

#include "cli/run_options.h"

#include <signal.h>

/* Judges options->law by runs of the program, on one n or on options->sizes. Returns the exit status: 0 where it is
 * true and enough, 1 where it is not, 2 where it can't be read or no run could be made, 130 where *interrupted
 * ended it. */
int rd_cli_run_law(const struct rd_cli_run_options *options,
                   const volatile sig_atomic_t *interrupted);

#endif
