// SPDX-License-Identifier: MIT
/* Options of how launches of a user's file are run and told, which `check` and `run FILE.cu` share. Private to src/cli. */
#ifndef RD_CLI_LAUNCH_OPTIONS_H
#define RD_CLI_LAUNCH_OPTIONS_H

#include "check/options.h"
#include "device/schedule.h"

#include <argp.h>

enum {
    RD_CLI_KEY_SEED = 0x600,
    RD_CLI_KEY_STEPS,
    RD_CLI_KEY_JOBS,
    RD_CLI_KEY_TIMEOUT,
    RD_CLI_KEY_MAX_ERRORS,
    RD_CLI_KEY_ONE_LINE,
    RD_CLI_KEY_FORMAT,
};

enum { RD_CLI_TIMEOUT_S = 60 };

/* Rows of a table of argp. */
#define RD_CLI_LAUNCH_ROWS(group, jobs_default)                                                    \
    {"seed", RD_CLI_KEY_SEED, "N", 0, "Seed of the schedules random and interleave (default: 1)",  \
     group},                                                                                       \
        {"jobs",                                                                                   \
         RD_CLI_KEY_JOBS,                                                                          \
         "N",                                                                                      \
         0,                                                                                        \
         "Run the blocks of a launch in N processes, where it is worth its while "                 \
         "(default: " jobs_default "); the report is the same",                                    \
         group},                                                                                   \
        {"steps",                                                                                  \
         RD_CLI_KEY_STEPS,                                                                         \
         "N",                                                                                      \
         0,                                                                                        \
         "Take a thread that makes more accesses than N between two barriers for endless "         \
         "(default: 2^28)",                                                                        \
         group},                                                                                   \
    {                                                                                              \
        "timeout", RD_CLI_KEY_TIMEOUT, "SECONDS", 0, "Stop what runs longer (default: 60)", group  \
    }

#define RD_CLI_REPORT_ROWS(group, json_text, format_text)                                          \
    {"max-errors", RD_CLI_KEY_MAX_ERRORS, "N", 0, "Print at most N hazards", group},               \
        {"one-line", RD_CLI_KEY_ONE_LINE, NULL, 0, "Print each hazard on one line, however long",  \
         group},                                                                                   \
        {"json", 'j', NULL, 0, json_text, group},                                                  \
        {"format", RD_CLI_KEY_FORMAT, RD_FORMAT_WORDS, 0, format_text, group},                     \
    {                                                                                              \
        "quiet", 'q', NULL, 0, "Print the last line only", group                                   \
    }

/* Takes an option of these rows, or of the sandbox's: ARGP_ERR_UNKNOWN for another. What can't be taken is told, and
 * ends the process. */
error_t rd_cli_launch_parse(const char *subcommand, int key, const char *argument,
                            struct rd_check_common_options *options);

/* A number without a unit, all 64 bits of it: what is none, or out of range, is told, and ends the process. */
uint64_t rd_cli_whole(const char *subcommand, const char *option, const char *text, uint64_t min,
                      uint64_t max);
/* Returns the order of that name; `more` is another word that the option takes, "all", or "". */
enum rd_order rd_cli_order(const char *subcommand, const char *text, const char *more);

#endif
