// SPDX-License-Identifier: MIT
/* Options of what contains a user's code, for the subcommands that run it. Private to src/cli. */
#ifndef RD_CLI_SANDBOX_OPTIONS_H
#define RD_CLI_SANDBOX_OPTIONS_H

#include "check/sandbox/sandbox.h"

#include <argp.h>

enum {
    RD_CLI_KEY_MEMORY = 0x500,
    RD_CLI_KEY_PROCESSES,
    RD_CLI_KEY_WRITE,
    RD_CLI_KEY_NO_SANDBOX,
};

/* Rows of a table of argp. */
#define RD_CLI_SANDBOX_ROWS(group)                                                                 \
    {"memory",                                                                                     \
     RD_CLI_KEY_MEMORY,                                                                            \
     "BYTES",                                                                                      \
     0,                                                                                            \
     "At most so much memory for the run's processes (default: three quarters of what is "         \
     "free)",                                                                                      \
     group},                                                                                       \
        {"processes",                                                                              \
         RD_CLI_KEY_PROCESSES,                                                                     \
         "N",                                                                                      \
         0,                                                                                        \
         "At most N processes and threads (default: 512)",                                         \
         group},                                                                                   \
    {                                                                                              \
        "no-sandbox", RD_CLI_KEY_NO_SANDBOX, NULL, 0,                                              \
            "Let the file's code do all that you may: write files, use the network, signal "       \
            "processes",                                                                           \
            group                                                                                  \
    }

/* Option of programs that may have files to write. */
#define RD_CLI_SANDBOX_WRITE_ROW(group)                                                            \
    {                                                                                              \
        "write", RD_CLI_KEY_WRITE, "DIRECTORY", 0,                                                 \
            "Let the program write here, too (default: in a folder of its own alone, TMPDIR, "     \
            "which is removed afterwards)",                                                        \
            group                                                                                  \
    }

/* Takes an option of that kind: ARGP_ERR_UNKNOWN for another. What can't be taken is told, and ends the process. */
error_t rd_cli_sandbox_parse(const char *subcommand, int key, const char *argument,
                             struct rd_sandbox_options *options);

#endif
