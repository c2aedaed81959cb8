// SPDX-License-Identifier: MIT
/* reductio bench: what things cost. What benchmarks share: their options, and the way from there to a
 * result and a chart. */
#include "cli/benchmarks.h"
#include "base/spelling.h"
#include "cli/cli.h"

#include <string.h>

/* The first is the one that is meant where none is named. */
static const struct {
    const char *name;
    const struct rd_cli_benchmark *benchmark;
} benchmarks[] = {
    {"verified", &rd_cli_benchmark_verified},
    {"sim", &rd_cli_benchmark_sim},
    {"seeds", &rd_cli_benchmark_seeds},
    {"rounds", &rd_cli_benchmark_rounds},
};

struct input {
    const struct rd_cli_benchmark *benchmark;
    struct rd_cli_bench_options options;
};

/* ---- options ---- */

static size_t parse_n(const char *subcommand, const char *argument)
{
    size_t n = rd_cli_size(subcommand, "-n", argument);
    if (n == 0)
        rd_cli_usage(subcommand, "'-n' is '%s': a run takes at least 1 element", argument);
    return n;
}

static const struct rd_numeric *parse_type(const char *subcommand, const char *argument)
{
    const struct rd_numeric *numeric = rd_numeric_named(argument);
    if (numeric)
        return numeric;
    const char *names[RD_TYPE_COUNT + 1] = {NULL};
    char list[128];
    for (int type = 0; type < RD_TYPE_COUNT; type++)
        names[type] = rd_numeric((enum rd_type)type)->name;
    rd_alternatives(list, sizeof list, names);
    rd_cli_usage(subcommand, "'%s' is not a type: use %s", argument, list);
}

static unsigned parse_repeats(const char *subcommand, const char *argument)
{
    size_t repeats = rd_cli_size(subcommand, "--repeats", argument);
    if (repeats < 1 || repeats > RD_BENCH_REPEATS_MAX)
        rd_cli_usage(subcommand, "'--repeats' is '%s': give 1 to %d", argument,
                     RD_BENCH_REPEATS_MAX);
    return (unsigned)repeats;
}

static void add_program(struct input *input, const char *argument)
{
    const struct rd_cli_benchmark *benchmark = input->benchmark;
    struct rd_cli_bench_options *options = &input->options;
    if (options->n_programs == benchmark->programs_max)
        rd_cli_usage(benchmark->name, "more than %u programs at a time", benchmark->programs_max);
    options->programs[options->n_programs++] = rd_cli_program(benchmark->name, argument);
}

static error_t parse_bench(int key, char *argument, struct argp_state *state)
{
    struct input *input = state->input;
    const struct rd_cli_benchmark *benchmark = input->benchmark;
    struct rd_cli_bench_options *options = &input->options;
    switch (key) {
    case 'n':
        options->n = parse_n(benchmark->name, argument);
        return 0;
    case 't':
        options->numeric = parse_type(benchmark->name, argument);
        return 0;
    case 'd':
        options->device = argument;
        return 0;
    case 'r':
        options->repeats = parse_repeats(benchmark->name, argument);
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case RD_CLI_BENCH_SVG:
        options->svg = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (benchmark->programs_max == 0)
            break;
        add_program(input, argument);
        return 0;
    }
    return benchmark->parse ? benchmark->parse(key, argument, options) : ARGP_ERR_UNKNOWN;
}

/* ---- running ---- */

enum rd_status rd_cli_bench_run(const struct rd_cli_bench_options *options,
                                const struct rd_program *program, struct rd_device *device,
                                struct rd_values *values, struct rd_run *run,
                                struct rd_error *error)
{
    const struct rd_shape shape = rd_program_shape(program, (struct rd_shape){.n = options->n});
    enum rd_status status =
        rd_values_init_two(values, options->numeric, "random:1", rd_program_inputs(program, &shape),
                           rd_program_inputs_b(program, &shape), error);
    if (status != RD_OK)
        return status;
    *run = (struct rd_run){
        .program = program,
        .numeric = options->numeric,
        .n = options->n,
        .a = values->a,
        .b = values->b,
        .values = values->spec,
        .device = device,
    };
    return RD_OK;
}

void rd_cli_bench_print_device(const struct rd_cli_bench_options *options,
                               const struct rd_device *device)
{
    printf("device %s (%s), median of %u\n", device->ops->name, device->ops->describe(device),
           options->repeats);
}

static enum rd_status accept_all(const struct input *input, struct rd_error *error)
{
    const struct rd_cli_bench_options *options = &input->options;
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < options->n_programs && status == RD_OK; k++) {
        const struct rd_shape shape =
            rd_program_shape(options->programs[k], (struct rd_shape){.n = options->n});
        status = rd_program_accept_type(options->programs[k], options->numeric->type, error);
        if (status == RD_OK && input->benchmark->accept)
            status = input->benchmark->accept(options->programs[k], &shape, error);
    }
    return status;
}

static int run(const struct input *input)
{
    const struct rd_cli_benchmark *benchmark = input->benchmark;
    const struct rd_cli_bench_options *options = &input->options;
    struct rd_device *device = NULL;
    struct rd_cli_svg svg = {0};
    struct rd_error why, error;
    int exit_status = RD_EXIT_HOLDS;
    enum rd_status status = accept_all(input, &error);
    if (status == RD_OK && !benchmark->no_device)
        status = rd_device_open(options->device, &device, &why, &error);
    if (status == RD_OK)
        status = rd_cli_svg_open(&svg, options->svg, &error);
    if (status == RD_OK)
        status = benchmark->measure(options, device, &error);
    if (status == RD_OK && svg.file)
        status = benchmark->draw(options, device, svg.file, &error);
    status = rd_cli_svg_close(&svg, status, &error);
    if (status == RD_OK && benchmark->tell)
        exit_status = benchmark->tell(options, device);
    rd_device_close(device);
    if (status == RD_OK)
        return exit_status;
    rd_cli_complain("%s", error.text);
    return RD_EXIT_FAILED;
}

int rd_cli_bench(int argc, char **argv)
{
    const struct rd_cli_benchmark *benchmark = benchmarks[0].benchmark;
    for (size_t k = 0; argc > 1 && k < sizeof benchmarks / sizeof *benchmarks; k++)
        if (strcmp(argv[1], benchmarks[k].name) == 0) {
            benchmark = benchmarks[k].benchmark;
            argv[1] = argv[0];
            argc--, argv++;
            break;
        }
    const struct argp argp = {
        .options = benchmark->options,
        .parser = parse_bench,
        .args_doc = benchmark->args_doc,
        .doc = benchmark->doc,
    };
    struct input input = {
        .benchmark = benchmark,
        .options = {.n = (size_t)1 << 20,
                    .numeric = rd_numeric(RD_TYPE_F32),
                    .device = "auto",
                    .repeats = benchmark->repeats},
    };
    static char name[40]; /* argp keeps it */
    snprintf(name, sizeof name, "reductio %s", benchmark->name);
    rd_cli_parse(&argp, name, argc, argv, &input);
    return run(&input);
}
