// SPDX-License-Identifier: MIT
/* reductio bench rounds: the time and the bandwidth of each round of a program. */
#include "bench_rounds.h"
#include "cli/benchmarks.h"
#include "cli/json.h"
#include "cli/svg.h"
#include "values.h"
#include "view/plot/rounds.h"

enum {
    KEY_SVG = 256, /* no short option */
    PROGRAMS_MAX = RD_PLOT_PROGRAMS_MAX,
    DEFAULT_REPEATS = 5,
};

struct options {
    const struct rd_program *programs[PROGRAMS_MAX];
    unsigned n_programs;
    size_t n;
    const struct rd_numeric *numeric;
    const char *device;
    unsigned repeats;
    const char *svg;
    bool json;
};

static const struct argp_option option_table[] = {
    {NULL, 'n', "N", 0, "Elements (default 2^20)", 0},
    {"type", 't', "TYPE", 0, "i32, u32, u64, f32 or f64 (default f32)", 0},
    {"device", 'd', "NAME", 0, "auto (default), sim or cuda", 0},
    {"repeats", 'r', "R", 0, "Take the best and the median of so many, 1 to 101 (default 5)", 0},
    {"json", 'j', NULL, 0, "Print a JSON object", 0},
    {"svg", KEY_SVG, "FILE", 0, "Draw both over the rounds, too", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'n':
        options->n = rd_cli_bench_size("bench rounds", "-n", argument);
        if (options->n == 0)
            rd_cli_usage("bench rounds", "'-n' is '%s': a run takes at least 1 element", argument);
        return 0;
    case 't':
        options->numeric = rd_numeric_named(argument);
        if (!options->numeric)
            rd_cli_usage("bench rounds", "'%s' is not a type: use i32, u32, u64, f32 or f64",
                         argument);
        return 0;
    case 'd':
        options->device = argument;
        return 0;
    case 'r':
        options->repeats = rd_cli_bench_repeats("bench rounds", argument);
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case KEY_SVG:
        options->svg = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->n_programs == PROGRAMS_MAX)
            rd_cli_usage("bench rounds", "more than %d programs at a time", PROGRAMS_MAX);
        options->programs[options->n_programs++] = rd_cli_program("bench rounds", argument);
        return 0;
    case ARGP_KEY_NO_ARGS:
        rd_cli_usage("bench rounds", "no program: 'reductio list' shows them all");
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- output ---- */

static void print_rounds(const struct options *options, const struct rd_program *program,
                         const struct rd_bench_rounds *result)
{
    const char *width = result->count > 0 ? result->rounds[0].round.width_name : NULL;
    for (unsigned k = 1; k < result->count && !width; k++)
        width = result->rounds[k].round.width_name;
    printf("\n%s of %zu %s, %u round%s\n", program->name, options->n, options->numeric->name,
           result->count, result->count == 1 ? "" : "s");
    if (result->count == 0)
        return;
    printf("%6s %10s %12s %14s %12s %12s %10s\n", "round", width ? width : "", "threads", "bytes",
           "median us", "best us", "GB/s");
    for (unsigned k = 0; k < result->count; k++) {
        const struct rd_bench_round *round = &result->rounds[k];
        char value[24] = "";
        if (round->round.width_name)
            snprintf(value, sizeof value, "%zu", round->round.width);
        printf("%6u %10s %12zu %14llu %12.3f %12.3f %10.3f\n", round->round.number, value,
               round->round.threads, (unsigned long long)round->traffic.bytes,
               1e6 * round->median_s, 1e6 * round->best_s, rd_bench_round_gb_per_s(round));
    }
}

static json_t *round_as_json(const struct rd_bench_round *round)
{
    json_t *object = json_pack(
        "{s:i, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "round", (int)round->round.number, "threads",
        (json_int_t)round->round.threads, "read_elems", (json_int_t)round->traffic.read_elems,
        "written_elems", (json_int_t)round->traffic.written_elems, "bytes",
        (json_int_t)round->traffic.bytes, "median_us", 1e6 * round->median_s, "best_us",
        1e6 * round->best_s, "gb_per_s", rd_bench_round_gb_per_s(round));
    if (round->round.width_name)
        json_object_set_new(object, "width",
                            json_pack("{s:s, s:I}", "name", round->round.width_name, "value",
                                      (json_int_t)round->round.width));
    return object;
}

static json_t *program_as_json(const struct rd_program *program,
                               const struct rd_bench_rounds *result)
{
    json_t *rounds = json_array();
    for (unsigned k = 0; k < result->count; k++)
        json_array_append_new(rounds, round_as_json(&result->rounds[k]));
    return json_pack("{s:s, s:o}", "program", program->name, "rounds", rounds);
}

static void print(const struct options *options, const struct rd_device *device,
                  const struct rd_bench_rounds *results)
{
    if (options->json) {
        json_t *programs = json_array();
        for (unsigned k = 0; k < options->n_programs; k++)
            json_array_append_new(programs, program_as_json(options->programs[k], &results[k]));
        rd_cli_json_print(json_pack(
            "{s:s, s:o, s:s, s:i, s:I, s:s, s:o}", "device", device->ops->name, "device_name",
            rd_cli_json_text(device->ops->describe(device)), "clock", rd_bench_clock(device),
            "repeats", (int)options->repeats, "n", (json_int_t)options->n, "type",
            options->numeric->name, "programs", programs));
        return;
    }
    printf("device %s (%s), median of %u\ntimes are %s\n", device->ops->name,
           device->ops->describe(device), options->repeats, rd_bench_clock(device));
    for (unsigned k = 0; k < options->n_programs; k++)
        print_rounds(options, options->programs[k], &results[k]);
}

static enum rd_status draw(const struct options *options, const struct rd_device *device,
                           const struct rd_bench_rounds *results, FILE *file,
                           struct rd_error *error)
{
    struct rd_plot_rounds what = {
        .n = options->n,
        .type = options->numeric->name,
        .device = device->ops->describe(device),
        .clock = rd_bench_clock(device),
        .repeats = options->repeats,
        .n_programs = options->n_programs,
    };
    for (unsigned k = 0; k < options->n_programs; k++) {
        what.programs[k] = options->programs[k];
        what.results[k] = &results[k];
    }
    return rd_plot_rounds_write(&what, file, error);
}

/* ---- measuring ---- */

/* Before the first of them is measured. */
static enum rd_status accept_all(const struct options *options, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < options->n_programs && status == RD_OK; k++) {
        const struct rd_shape shape =
            rd_program_shape(options->programs[k], (struct rd_shape){.n = options->n});
        status = rd_bench_rounds_accept(options->programs[k], &shape, error);
    }
    return status;
}

static enum rd_status measure(const struct options *options, const struct rd_program *program,
                              struct rd_device *device, struct rd_bench_rounds *result,
                              struct rd_error *error)
{
    struct rd_values values;
    const struct rd_shape shape = rd_program_shape(program, (struct rd_shape){.n = options->n});
    enum rd_status status = rd_values_init_two(&values, options->numeric, "random:1",
                                               rd_program_inputs(program, &shape),
                                               rd_program_inputs_b(program, &shape), error);
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
    status = rd_bench_rounds(&run, options->repeats, result, error);
    rd_values_finish(&values);
    return status;
}

int rd_cli_bench_rounds(int argc, char **argv)
{
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "PROGRAM...",
        .doc = "Measures each round of a program, one kernel launch: its time, and the bandwidth "
               "that this makes of the elements which the round has to read and to write, each "
               "counted once. Nothing is copied back in between, and nothing asserted.\v"
               "On a GPU, times are those between events behind one launch and the next. In the "
               "simulator they are processor time of the simulation, which says nothing of a GPU.",
    };
    static struct rd_bench_rounds results[PROGRAMS_MAX];
    struct options options = {
        .n = (size_t)1 << 20,
        .numeric = rd_numeric(RD_TYPE_F32),
        .device = "auto",
        .repeats = DEFAULT_REPEATS,
    };
    struct rd_device *device = NULL;
    struct rd_cli_svg svg = {0};
    struct rd_error why, error;
    rd_cli_parse(&argp, "reductio bench rounds", argc, argv, &options);
    enum rd_status status = accept_all(&options, &error);
    if (status == RD_OK)
        status = rd_device_open(options.device, &device, &why, &error);
    if (status == RD_OK)
        status = rd_cli_svg_open(&svg, options.svg, &error);
    for (unsigned k = 0; k < options.n_programs && status == RD_OK; k++)
        status = measure(&options, options.programs[k], device, &results[k], &error);
    if (status == RD_OK && svg.file)
        status = draw(&options, device, results, svg.file, &error);
    status = rd_cli_svg_close(&svg, status, &error);
    if (status == RD_OK)
        print(&options, device, results);
    rd_device_close(device);
    if (status == RD_OK)
        return RD_EXIT_HOLDS;
    rd_cli_complain("%s", error.text);
    return RD_EXIT_FAILED;
}
