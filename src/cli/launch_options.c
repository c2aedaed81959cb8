// SPDX-License-Identifier: MIT
#include "cli/launch_options.h"
#include "cli/cli.h"
#include "cli/sandbox_options.h"
#include "device/files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_MAX_S = 1000000 };

uint64_t rd_cli_whole(const char *subcommand, const char *option, const char *text, uint64_t min,
                      uint64_t max)
{
    errno = 0;
    bool digits = *text && text[strspn(text, "0123456789")] == '\0';
    uint64_t number = strtoull(text, NULL, 10);
    if (!digits || errno || number < min || number > max)
        rd_cli_usage(subcommand, "'%s' is '%s': use a whole number from %" PRIu64 " to %" PRIu64,
                     option, text, min, max);
    return number;
}

enum rd_order rd_cli_order(const char *subcommand, const char *text, const char *more)
{
    enum rd_order order;
    if (!rd_order_named(text, &order))
        rd_cli_usage(subcommand,
                     *more ? "'--schedule' is '%s': use ascending, descending, warp, random, "
                             "interleave or %s"
                           : "'--schedule' is '%s': use ascending, descending, warp, random or "
                             "interleave",
                     text, more);
    return order;
}

static uint64_t steps_of(const char *subcommand, const char *text)
{
    const size_t steps = rd_cli_size(subcommand, "--steps", text);
    if (steps == 0)
        rd_cli_usage(subcommand, "'--steps' is 0, which no thread can keep to: use at least 1");
    return steps;
}

error_t rd_cli_launch_parse(const char *subcommand, int key, const char *argument,
                            struct rd_check_common_options *options)
{
    switch (key) {
    case RD_CLI_KEY_SEED:
        options->seed = rd_cli_whole(subcommand, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case RD_CLI_KEY_STEPS:
        options->steps = steps_of(subcommand, argument);
        return 0;
    case RD_CLI_KEY_JOBS:
        options->jobs =
            (unsigned)rd_cli_whole(subcommand, "--jobs", argument, 1, RD_LAUNCH_JOBS_MAX);
        return 0;
    case RD_CLI_KEY_TIMEOUT:
        options->timeout_s =
            (unsigned)rd_cli_whole(subcommand, "--timeout", argument, 1, TIMEOUT_MAX_S);
        return 0;
    case RD_CLI_KEY_MAX_ERRORS:
        options->max_errors =
            (unsigned)rd_cli_whole(subcommand, "--max-errors", argument, 1, UINT32_MAX);
        return 0;
    case RD_CLI_KEY_ONE_LINE:
        options->one_line = true;
        return 0;
    case RD_CLI_KEY_FORMAT:
        options->format = rd_cli_format(subcommand, argument);
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    }
    return rd_cli_sandbox_parse(subcommand, key, argument, &options->sandbox);
}
