// SPDX-License-Identifier: MIT
/* reductio bench: what things cost. It only finds the benchmark; each is a file of its own. */
#include "cli/benchmarks.h"

#include <string.h>

/* The first is the one that is meant where none is named. */
static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
} benchmarks[] = {
    {"verified", rd_cli_bench_verified},
    {"sim", rd_cli_bench_sim},
    {"seeds", rd_cli_bench_seeds},
    {"rounds", rd_cli_bench_rounds},
};

int rd_cli_bench(int argc, char **argv)
{
    for (size_t k = 0; argc > 1 && k < sizeof benchmarks / sizeof *benchmarks; k++)
        if (strcmp(argv[1], benchmarks[k].name) == 0) {
            argv[1] = argv[0];
            return benchmarks[k].main(argc - 1, argv + 1);
        }
    return benchmarks[0].main(argc, argv);
}

size_t rd_cli_bench_size(const char *subcommand, const char *option, const char *argument)
{
    struct rd_error error;
    size_t size;
    if (rd_cli_parse_size(option, argument, &size, &error) != RD_OK)
        rd_cli_usage(subcommand, "%s", error.text);
    return size;
}

unsigned rd_cli_bench_repeats(const char *subcommand, const char *argument)
{
    size_t repeats = rd_cli_bench_size(subcommand, "--repeats", argument);
    if (repeats < 1 || repeats > RD_BENCH_REPEATS_MAX)
        rd_cli_usage(subcommand, "'--repeats' is '%s': give 1 to %d", argument,
                     RD_BENCH_REPEATS_MAX);
    return (unsigned)repeats;
}
