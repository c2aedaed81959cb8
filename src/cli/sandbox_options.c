// SPDX-License-Identifier: MIT
#include "cli/sandbox_options.h"
#include "cli/cli.h"
#include "reductio/text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMORY_MIN = 64 << 20, PROCESSES_MIN = 16, PROCESSES_MAX = 1 << 20 };

static size_t size_of(const char *subcommand, const char *option, const char *text, size_t least,
                      size_t most, const char *hint)
{
    const size_t size = rd_cli_size(subcommand, option, text);
    if (size < least || size > most)
        rd_cli_usage(subcommand, "'%s' is '%s': use %s", option, text, hint);
    return size;
}

static void add_folder(const char *subcommand, const char *path, struct rd_sandbox_options *options)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        rd_cli_usage(subcommand, "'--write %s' names no directory: %s", path, strerror(errno));
    if (!S_ISDIR(facts.st_mode))
        rd_cli_usage(subcommand, "'--write %s' names no directory", path);
    if (options->n_write == RD_SANDBOX_WRITE_MAX)
        rd_cli_usage(subcommand, "'--write %s' is one directory too many", path);
    options->write[options->n_write++] = path;
}

error_t rd_cli_sandbox_parse(const char *subcommand, int key, const char *argument,
                             struct rd_sandbox_options *options)
{
    switch (key) {
    case RD_CLI_KEY_MEMORY:
        options->memory_bytes =
            size_of(subcommand, "--memory", argument, MEMORY_MIN, SIZE_MAX, "at least 64M");
        return 0;
    case RD_CLI_KEY_PROCESSES:
        options->n_processes = (unsigned)size_of(subcommand, "--processes", argument, PROCESSES_MIN,
                                                 PROCESSES_MAX, "a number from 16 on");
        return 0;
    case RD_CLI_KEY_WRITE:
        add_folder(subcommand, argument, options);
        return 0;
    case RD_CLI_KEY_NO_SANDBOX:
        options->off = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}
