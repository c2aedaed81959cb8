// SPDX-License-Identifier: MIT
/* reductio bench rounds: the time and the bandwidth of each round of a program. */
#include "reductio/bench_rounds.h"
#include "cli/benchmarks.h"
#include "cli/cli.h"
#include "reductio/plot_rounds.h"
#include "device/devices.h"

enum { PROGRAMS_MAX = RD_PLOT_PROGRAMS_MAX };

static struct rd_bench_rounds results[PROGRAMS_MAX];

static const struct argp_option option_table[] = {
    {NULL, 'n', "N", 0, "Elements (default 2^20)", 0},
    {"type", 't', RD_TYPE_WORDS, 0, "Type of the elements (default f32)", 0},
    {"device", 'd', RD_DEVICE_WORDS, 0, "Where kernels run (default auto)", 0},
    {"repeats", 'r', "R", 0, "Take the best and the median of so many, 1 to 101 (default 5)", 0},
    {"json", 'j', NULL, 0, "Print a JSON object", 0},
    {"svg", RD_CLI_BENCH_SVG, "FILE", 0, "Draw both over the rounds, too", 0},
    {0},
};

static error_t parse_bench_rounds(int key, char *argument, struct rd_cli_bench_options *options)
{
    (void)argument, (void)options;
    if (key != ARGP_KEY_NO_ARGS)
        return ARGP_ERR_UNKNOWN;
    rd_cli_usage("bench rounds", "no program: 'reductio list' shows them all");
}

/* ---- output ---- */

static void print_rounds(const struct rd_cli_bench_options *options,
                         const struct rd_program *program, const struct rd_bench_rounds *result)
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

static int tell(const struct rd_cli_bench_options *options, const struct rd_device *device)
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
        return RD_EXIT_HOLDS;
    }
    rd_cli_bench_print_device(options, device);
    printf("times are %s\n", rd_bench_clock(device));
    for (unsigned k = 0; k < options->n_programs; k++)
        print_rounds(options, options->programs[k], &results[k]);
    return RD_EXIT_HOLDS;
}

static enum rd_status draw(const struct rd_cli_bench_options *options,
                           const struct rd_device *device, FILE *file, struct rd_error *error)
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

static enum rd_status measure_one(const struct rd_cli_bench_options *options,
                                  const struct rd_program *program, struct rd_device *device,
                                  struct rd_bench_rounds *result, struct rd_error *error)
{
    struct rd_values values;
    struct rd_run run;
    enum rd_status status = rd_cli_bench_run(options, program, device, &values, &run, error);
    if (status != RD_OK)
        return status;
    status = rd_bench_rounds(&run, options->repeats, result, error);
    rd_values_finish(&values);
    return status;
}

static enum rd_status measure(const struct rd_cli_bench_options *options, struct rd_device *device,
                              struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < options->n_programs && status == RD_OK; k++)
        status = measure_one(options, options->programs[k], device, &results[k], error);
    return status;
}

const struct rd_cli_benchmark rd_cli_benchmark_rounds = {
    .name = "bench rounds",
    .args_doc = "PROGRAM...",
    .doc = "Measures each round of a program, one kernel launch: its time, and the bandwidth "
           "that this makes of the elements which the round has to read and to write, each "
           "counted once. Nothing is copied back in between, and nothing asserted.\v"
           "On a GPU, times are those between events behind one launch and the next. In the "
           "simulator they are processor time of the simulation, which says nothing of a GPU. "
           "Exit status: 0 measured, 2 bad usage, or the environment failed.",
    .options = option_table,
    .repeats = 5,
    .programs_max = PROGRAMS_MAX,
    .parse = parse_bench_rounds,
    .accept = rd_bench_rounds_accept,
    .measure = measure,
    .draw = draw,
    .tell = tell,
};
