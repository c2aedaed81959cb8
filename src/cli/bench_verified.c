// SPDX-License-Identifier: MIT
/* reductio bench verified: what verifying costs, next to a loop that makes the same launches and copies. */
#include "cli/benchmarks.h"
#include "cli/svg.h"
#include "values.h"
#include "view/plot/plot.h"

#include <stdlib.h>

enum {
    KEY_SVG = 256, /* no short option */
    PROGRAMS_MAX = 16,
    DEFAULT_REPEATS = 5,
};

struct options {
    const struct rd_program *programs[PROGRAMS_MAX];
    int n_programs;
    size_t n;
    const struct rd_numeric *numeric;
    const char *device;
    unsigned repeats;
    const char *svg;
};

static const struct argp_option option_table[] = {
    {NULL, 'n', "N", 0, "Elements (default 2^20)", 0},
    {"type", 't', "TYPE", 0, "i32, u32, u64, f32 or f64 (default f32)", 0},
    {"device", 'd', "NAME", 0, "auto (default), sim or cuda", 0},
    {"repeats", 'r', "R", 0, "Take the median of so many, 1 to 101 (default 5)", 0},
    {"svg", KEY_SVG, "FILE", 0, "Draw both times, too", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'n':
        options->n = rd_cli_bench_size("bench", "-n", argument);
        if (options->n == 0)
            rd_cli_usage("bench", "'-n' is '%s': a run takes at least 1 element", argument);
        return 0;
    case 't':
        options->numeric = rd_numeric_named(argument);
        if (!options->numeric)
            rd_cli_usage("bench", "'%s' is not a type: use i32, u32, u64, f32 or f64", argument);
        return 0;
    case 'd':
        options->device = argument;
        return 0;
    case 'r':
        options->repeats = rd_cli_bench_repeats("bench", argument);
        return 0;
    case KEY_SVG:
        options->svg = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->n_programs == PROGRAMS_MAX)
            rd_cli_usage("bench", "more than %d programs at a time", PROGRAMS_MAX);
        options->programs[options->n_programs++] = rd_cli_program("bench", argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static enum rd_status measure(const struct options *options, const struct rd_program *program,
                              struct rd_device *device, struct rd_bench_verified *result,
                              struct rd_error *error)
{
    struct rd_values values;
    const struct rd_shape shape = rd_program_shape(program, (struct rd_shape){.n = options->n});
    enum rd_status status = program->n_inputs || program->n_b
                                ? rd_values_init_two(&values, options->numeric, "random:1",
                                                     rd_program_inputs(program, &shape),
                                                     rd_program_inputs_b(program, &shape), error)
                                : rd_values_init(&values, options->numeric, "random:1", options->n,
                                                 0, program->has_b, error);
    if (status != RD_OK)
        return status;
    const struct rd_run run = {
        .program = program,
        .numeric = options->numeric,
        .n = options->n,
        .a = values.a,
        .b = values.b,
        .values = values.spec,
        .device = device,
    };
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

static void draw(const struct options *options, const struct rd_device *device,
                 const struct rd_bench_verified *results, FILE *file)
{
    double x[PROGRAMS_MAX], bare[PROGRAMS_MAX], verified[PROGRAMS_MAX];
    const char *names[PROGRAMS_MAX];
    size_t n = (size_t)options->n_programs;
    char title[128], subtitle[400];
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
}

int rd_cli_bench_verified(int argc, char **argv)
{
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[verified] [PROGRAM...]\nrounds PROGRAM...\nsim [KERNEL]\nseeds",
        .doc = "Measures what verifying costs: a run in which every live cell of every step is "
               "asserted, next to a bare loop of the same launches and the same copies.\v"
               "Without PROGRAM: fold and tournament. 'reductio bench rounds' measures each round, "
               "'reductio bench sim' the simulator itself, and 'reductio bench seeds' a dot "
               "product, next to published figures; each has its --help.",
    };
    struct options options = {
        .n = (size_t)1 << 20,
        .numeric = rd_numeric(RD_TYPE_F32),
        .device = "auto",
        .repeats = DEFAULT_REPEATS,
    };
    rd_cli_parse(&argp, "reductio bench", argc, argv, &options);
    if (options.n_programs == 0) {
        options.programs[options.n_programs++] = rd_program_named("fold");
        options.programs[options.n_programs++] = rd_program_named("tournament");
    }

    struct rd_bench_verified results[PROGRAMS_MAX];
    struct rd_device *device = NULL;
    struct rd_cli_svg svg = {0};
    struct rd_error why, error;
    enum rd_status status = RD_OK;
    for (int i = 0; i < options.n_programs && status == RD_OK; i++) {
        const struct rd_shape shape =
            rd_program_shape(options.programs[i], (struct rd_shape){.n = options.n});
        status = rd_program_accept(options.programs[i], &shape, &error);
    }
    if (status == RD_OK)
        status = rd_device_open(options.device, &device, &why, &error);
    if (status == RD_OK)
        status = rd_cli_svg_open(&svg, options.svg, &error);
    if (status == RD_OK) {
        printf("device %s (%s), median of %u\n", device->ops->name, device->ops->describe(device),
               options.repeats);
        printf("%-16s %12s %4s %12s %10s %12s %8s\n", "program", "n", "type", "bare ms", "GB/s",
               "verified ms", "ratio");
    }
    for (int i = 0; i < options.n_programs && status == RD_OK; i++)
        status = measure(&options, options.programs[i], device, &results[i], &error);
    if (status == RD_OK && svg.file)
        draw(&options, device, results, svg.file);
    status = rd_cli_svg_close(&svg, status, &error);
    rd_device_close(device);
    if (status == RD_OK)
        return RD_EXIT_HOLDS;
    rd_cli_complain("%s", error.text);
    return RD_EXIT_FAILED;
}
