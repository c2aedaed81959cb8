// SPDX-License-Identifier: MIT
/* The benchmarks of `reductio bench`, one a file. Private to src/cli. */
#ifndef RD_CLI_BENCHMARKS_H
#define RD_CLI_BENCHMARKS_H

#include "bench.h"
#include "cli/cli.h"

/* Each is called as a subcommand is: see cli.h. */
int rd_cli_bench_rounds(int argc, char **argv);
int rd_cli_bench_seeds(int argc, char **argv);
int rd_cli_bench_sim(int argc, char **argv);
int rd_cli_bench_verified(int argc, char **argv);

/* Options that benchmarks share. They complain, point to --help of `subcommand` and exit where the
 * argument is no size; where it is not 1 to RD_BENCH_REPEATS_MAX. */
size_t rd_cli_bench_size(const char *subcommand, const char *option, const char *argument);
unsigned rd_cli_bench_repeats(const char *subcommand, const char *argument);

#endif
