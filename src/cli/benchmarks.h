// SPDX-License-Identifier: MIT
/* The benchmarks of `reductio bench`: one a file, all run by bench.c. Private to src/cli. */
#ifndef RD_CLI_BENCHMARKS_H
#define RD_CLI_BENCHMARKS_H

#include "reductio/bench.h"
#include "cli/cli.h"
#include "reductio/values.h"

enum { RD_CLI_BENCH_PROGRAMS_MAX = 16 };

/* Keys of options that have no letter. */
enum {
    RD_CLI_BENCH_SVG = 256,
    RD_CLI_BENCH_OWN, /* from here on: a benchmark's own */
};

/* The options that were given to a benchmark. */
struct rd_cli_bench_options {
    const struct rd_program *programs[RD_CLI_BENCH_PROGRAMS_MAX];
    unsigned n_programs;
    size_t n;                         /* default: 2^20 */
    const struct rd_numeric *numeric; /* default: f32 */
    const char *device;               /* default: "auto" */
    const char *svg;                  /* NULL: no chart */
    unsigned repeats;
    bool json;
};

/* A benchmark. What it has measured it keeps itself, from `measure` to `draw` and `tell`. */
struct rd_cli_benchmark {
    const char *name; /* "bench rounds" */
    const char *args_doc, *doc;
    /* Options that the benchmark takes: some of -n, -t, -d, -r, -j and --svg, and its own */
    const struct argp_option *options;
    unsigned repeats;      /* by default */
    unsigned programs_max; /* 0: it takes none */
    bool no_device;        /* it opens none: `device` is NULL */

    /* Optional: its own options and arguments, and the end of them. Without programs_max it refuses
     * arguments that it does not take. */
    error_t (*parse)(int key, char *argument, struct rd_cli_bench_options *options);
    /* Optional: refuses a program, before the first of them is measured. Default: none. */
    enum rd_status (*accept)(const struct rd_program *program, const struct rd_shape *shape,
                             struct rd_error *error);
    /* Required: may print what it has measured at once. */
    enum rd_status (*measure)(const struct rd_cli_bench_options *options, struct rd_device *device,
                              struct rd_error *error);
    /* Required: the chart of --svg. */
    enum rd_status (*draw)(const struct rd_cli_bench_options *options,
                           const struct rd_device *device, FILE *file, struct rd_error *error);
    /* Optional: prints, where all has gone well, and gives the exit status. Default:
     * RD_EXIT_HOLDS. */
    int (*tell)(const struct rd_cli_bench_options *options, const struct rd_device *device);
};

extern const struct rd_cli_benchmark rd_cli_benchmark_rounds, rd_cli_benchmark_seeds,
    rd_cli_benchmark_sim, rd_cli_benchmark_verified;

/* A run of a program as the options have it, on random values, which rd_values_finish frees after it.
 * Errors as rd_values_init_two. */
enum rd_status rd_cli_bench_run(const struct rd_cli_bench_options *options,
                                const struct rd_program *program, struct rd_device *device,
                                struct rd_values *values, struct rd_run *run,
                                struct rd_error *error);

/* "device sim (…), median of 5". */
void rd_cli_bench_print_device(const struct rd_cli_bench_options *options,
                               const struct rd_device *device);

#endif
