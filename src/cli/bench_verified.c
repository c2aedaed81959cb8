// SPDX-License-Identifier: MIT
/* reductio bench verified: what verifying costs, next to a loop that makes the same launches and copies. */
#include "cli/benchmarks.h"
#include "reductio/plot.h"
#include "device/devices.h"

static struct rd_bench_verified results[RD_CLI_BENCH_PROGRAMS_MAX];

static const struct argp_option option_table[] = {
    {NULL, 'n', "N", 0, "Elements (default 2^20)", 0},
    {"type", 't', RD_TYPE_WORDS, 0, "Type of the elements (default f32)", 0},
    {"device", 'd', RD_DEVICE_WORDS, 0, "Where kernels run (default auto)", 0},
    {"repeats", 'r', "R", 0, "Take the median of so many, 1 to 101 (default 5)", 0},
    {"svg", RD_CLI_BENCH_SVG, "FILE", 0, "Draw both times, too", 0},
    {0},
};

static error_t parse_bench_verified(int key, char *argument, struct rd_cli_bench_options *options)
{
    (void)argument;
    if (key != ARGP_KEY_NO_ARGS)
        return ARGP_ERR_UNKNOWN;
    options->programs[options->n_programs++] = rd_program_named("fold");
    options->programs[options->n_programs++] = rd_program_named("tournament");
    return 0;
}

static enum rd_status measure_one(const struct rd_cli_bench_options *options,
                                  const struct rd_program *program, struct rd_device *device,
                                  struct rd_bench_verified *result, struct rd_error *error)
{
    struct rd_values values;
    struct rd_run run;
    enum rd_status status = rd_cli_bench_run(options, program, device, &values, &run, error);
    if (status != RD_OK)
        return status;
    status = rd_bench_verified(&run, options->repeats, result, error);
    rd_values_finish(&values);
    if (status != RD_OK)
        return status;
    printf("%-16s %12zu %4s %12.3f %10.1f %12.3f %8.2f\n", program->name, run.n,
           options->numeric->name, 1e3 * result->bare_s,
           1e-9 * (double)result->copied_bytes / result->bare_s, 1e3 * result->verified_s,
           result->verified_s / result->bare_s);
    return RD_OK;
}

static enum rd_status measure(const struct rd_cli_bench_options *options, struct rd_device *device,
                              struct rd_error *error)
{
    enum rd_status status = RD_OK;
    rd_cli_bench_print_device(options, device);
    printf("%-16s %12s %4s %12s %10s %12s %8s\n", "program", "n", "type", "bare ms", "GB/s",
           "verified ms", "ratio");
    for (unsigned k = 0; k < options->n_programs && status == RD_OK; k++)
        status = measure_one(options, options->programs[k], device, &results[k], error);
    return status;
}

static enum rd_status draw(const struct rd_cli_bench_options *options,
                           const struct rd_device *device, FILE *file, struct rd_error *error)
{
    double x[RD_CLI_BENCH_PROGRAMS_MAX], bare[RD_CLI_BENCH_PROGRAMS_MAX],
        verified[RD_CLI_BENCH_PROGRAMS_MAX];
    const char *names[RD_CLI_BENCH_PROGRAMS_MAX];
    size_t n = options->n_programs;
    char title[128], subtitle[400];
    (void)error;
    for (size_t k = 0; k < n; k++) {
        x[k] = (double)k;
        bare[k] = 1e3 * results[k].bare_s;
        verified[k] = 1e3 * results[k].verified_s;
        names[k] = options->programs[k]->name;
    }
    const struct rd_plot_series series[] = {
        {.name = "bare: the same launches and copies", .count = n, .x = x, .y = bare},
        {.name = "verified: every step asserted", .count = n, .x = x, .y = verified},
    };
    const struct rd_plot_panel panel = {
        .y = {.label = "time of a run", .unit = "ms", .scale = RD_PLOT_LINEAR},
        .form = RD_PLOT_STEMS,
        .series = series,
        .n_series = sizeof series / sizeof *series,
    };
    snprintf(title, sizeof title, "What verifying costs: n = %zu, %s", options->n,
             options->numeric->name);
    snprintf(subtitle, sizeof subtitle, "%s; median of %u", device->ops->describe(device),
             options->repeats);
    rd_plot_write(
        &(struct rd_plot){
            .title = title,
            .subtitle = subtitle,
            .x = {.label = "program", .scale = RD_PLOT_NAMES, .names = names, .n_names = n},
            .panels = &panel,
            .n_panels = 1,
        },
        file);
    return RD_OK;
}

const struct rd_cli_benchmark rd_cli_benchmark_verified = {
    .name = "bench",
    .args_doc = "[verified] [PROGRAM...]\nrounds PROGRAM...\nsim [KERNEL]\nseeds",
    .doc = "Measures what verifying costs: a run in which every live cell of every step is "
           "asserted, next to a bare loop of the same launches and the same copies.\v"
           "Without PROGRAM: fold and tournament. 'reductio bench rounds' measures each round, "
           "'reductio bench sim' the simulator itself, and 'reductio bench seeds' a dot "
           "product, next to published figures; each has its --help. "
           "Exit status: 0 measured, whatever the times, 2 bad usage, a run that does not hold, or "
           "the environment failed.",
    .options = option_table,
    .repeats = 5,
    .programs_max = RD_CLI_BENCH_PROGRAMS_MAX,
    .parse = parse_bench_verified,
    .accept = rd_program_accept,
    .measure = measure,
    .draw = draw,
};
