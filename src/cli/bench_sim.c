// SPDX-License-Identifier: MIT
/* reductio bench sim: what a launch costs in the simulator, all hazards looked for. */
#include "cli/benchmarks.h"
#include "cli/cli.h"
#include "reductio/plot.h"

#include <string.h>

enum {
    KEY_TO = RD_CLI_BENCH_OWN,
    KERNELS_MAX = 2,
    SIZES_MAX = 6, /* from FROM to TO_MAX */
    DEFAULT_TO = 1 << 22,
    FROM = 1 << 10,
    FACTOR = 16,
    TO_MAX = 1 << 26,
};

static const struct rd_bench_kernel *only; /* NULL: all */
static size_t to = DEFAULT_TO;

/* The measurements of a kernel. */
struct line {
    const struct rd_bench_kernel *kernel;
    size_t count;
    size_t threads[SIZES_MAX];
    struct rd_bench_sim results[SIZES_MAX];
};

static struct line lines[KERNELS_MAX];
static size_t n_lines;

static const struct argp_option option_table[] = {
    {"to", KEY_TO, "N", 0, "The most threads, 2^10 to 2^26 (default 2^22)", 0},
    {"repeats", 'r', "R", 0, "Take the best and the median of so many, 1 to 101 (default 7)", 0},
    {"json", 'j', NULL, 0, "Print a JSON object", 0},
    {"svg", RD_CLI_BENCH_SVG, "FILE", 0, "Draw the median over the threads, too", 0},
    {0},
};

static const struct rd_bench_kernel *kernel_named(const char *name)
{
    for (size_t k = 0; rd_bench_kernels[k]; k++)
        if (strcmp(rd_bench_kernels[k]->name, name) == 0)
            return rd_bench_kernels[k];
    rd_cli_usage("bench sim", "'%s' is no kernel that the simulator is timed on: use %s or %s",
                 name, rd_bench_kernels[0]->name, rd_bench_kernels[1]->name);
}

static error_t parse_bench_sim(int key, char *argument, struct rd_cli_bench_options *options)
{
    (void)options;
    switch (key) {
    case KEY_TO:
        to = rd_cli_size("bench sim", "--to", argument);
        if (to < FROM || to > TO_MAX || (to & (to - 1)))
            rd_cli_usage("bench sim", "'--to' is '%s': give a power of two, 2^10 to 2^26",
                         argument);
        return 0;
    case ARGP_KEY_ARG:
        if (only)
            rd_cli_usage("bench sim", "'%s' is one kernel too many: give one, or none for all",
                         argument);
        only = kernel_named(argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static void print_line(const struct rd_bench_kernel *kernel, size_t threads,
                       const struct rd_bench_sim *r)
{
    double ns = 1e9 / (double)threads;
    printf("%-12s %10zu %9.1f %9.1f %9.1f %8.2f %9.1f %8llu %6.0f %5.0f\n", kernel->name, threads,
           ns * r->best_s, ns * r->median_s, 1e9 * r->median_s / (double)r->accesses,
           (double)r->shadow_bytes / (double)r->data_bytes, (double)r->resident_bytes / (1 << 20),
           (unsigned long long)r->hazards, kernel->target_ns, kernel->goal_ns);
    fflush(stdout);
}

static json_t *line_as_json(const struct rd_bench_kernel *kernel, size_t threads,
                            const struct rd_bench_sim *r)
{
    return json_pack(
        "{s:s, s:I, s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "kernel", kernel->name,
        "threads", (json_int_t)threads, "best_ns", 1e9 * r->best_s / (double)threads, "median_ns",
        1e9 * r->median_s / (double)threads, "accesses", (json_int_t)r->accesses, "data_bytes",
        (json_int_t)r->data_bytes, "shadow_bytes", (json_int_t)r->shadow_bytes, "resident_bytes",
        (json_int_t)r->resident_bytes, "hazards", (json_int_t)r->hazards, "target_ns",
        kernel->target_ns, "goal_ns", kernel->goal_ns);
}

/* The processor's name, as far as the system tells. */
static const char *machine(void)
{
    static char line[256];
    const char *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !name && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            line[strcspn(line, "\n")] = '\0';
            name = strchr(line, ':') + 1;
            name += strspn(name, " ");
        }
    if (file)
        fclose(file);
    return name ? name : "an unknown processor";
}

static enum rd_status draw(const struct rd_cli_bench_options *options,
                           const struct rd_device *device, FILE *file, struct rd_error *error)
{
    struct rd_plot_series series[KERNELS_MAX];
    struct rd_plot_level levels[2 * KERNELS_MAX];
    double threads[KERNELS_MAX][SIZES_MAX], median_ns[KERNELS_MAX][SIZES_MAX];
    char names[2 * KERNELS_MAX][64], subtitle[320];
    (void)device, (void)error;
    for (size_t k = 0; k < n_lines; k++) {
        const struct rd_bench_kernel *kernel = lines[k].kernel;
        for (size_t s = 0; s < lines[k].count; s++) {
            threads[k][s] = (double)lines[k].threads[s];
            median_ns[k][s] = 1e9 * lines[k].results[s].median_s / threads[k][s];
        }
        series[k] = (struct rd_plot_series){
            .name = kernel->name, .count = lines[k].count, .x = threads[k], .y = median_ns[k]};
        snprintf(names[2 * k], sizeof names[0], "%s: may take %.0f", kernel->name,
                 kernel->target_ns);
        snprintf(names[2 * k + 1], sizeof names[0], "%s: aims at %.0f", kernel->name,
                 kernel->goal_ns);
        levels[2 * k] = (struct rd_plot_level){names[2 * k], kernel->target_ns, k};
        levels[2 * k + 1] = (struct rd_plot_level){names[2 * k + 1], kernel->goal_ns, k};
    }
    snprintf(subtitle, sizeof subtitle,
             "one core of %s, all hazards looked for; processor time, median of %u", machine(),
             options->repeats);
    const struct rd_plot_panel panel = {
        .y = {.label = "time per thread", .unit = "ns", .scale = RD_PLOT_LOG10},
        .series = series,
        .n_series = n_lines,
        .levels = levels,
        .n_levels = 2 * n_lines,
    };
    rd_plot_write(
        &(struct rd_plot){
            .title = "What a thread costs in the simulator",
            .subtitle = subtitle,
            .x = {.label = "threads of the launch", .scale = RD_PLOT_LOG2},
            .panels = &panel,
            .n_panels = 1,
        },
        file);
    return RD_OK;
}

static enum rd_status measure_kernel(const struct rd_cli_bench_options *options, struct line *line,
                                     struct rd_error *error)
{
    for (size_t threads = FROM;; threads *= FACTOR) {
        struct rd_bench_sim *result = &line->results[line->count];
        threads = threads < to ? threads : to;
        enum rd_status status =
            rd_bench_sim(line->kernel, threads, options->repeats, result, error);
        if (status != RD_OK)
            return status;
        line->threads[line->count++] = threads;
        if (!options->json)
            print_line(line->kernel, threads, result);
        if (threads == to)
            return RD_OK;
    }
}

static enum rd_status measure(const struct rd_cli_bench_options *options, struct rd_device *device,
                              struct rd_error *error)
{
    enum rd_status status = RD_OK;
    (void)device;
    if (!options->json)
        printf(
            "simulator on one core of %s, all hazards looked for, %u repetitions, processor time\n"
            "%-12s %10s %9s %9s %9s %8s %9s %8s %6s %5s\n",
            machine(), options->repeats, "kernel", "threads", "best ns", "median ns", "an access",
            "shadow", "MiB", "hazards", "target", "goal");
    for (size_t k = 0; rd_bench_kernels[k] && status == RD_OK; k++)
        if (!only || only == rd_bench_kernels[k]) {
            lines[n_lines].kernel = rd_bench_kernels[k];
            status = measure_kernel(options, &lines[n_lines++], error);
        }
    return status;
}

static int tell(const struct rd_cli_bench_options *options, const struct rd_device *device)
{
    json_t *kernels = json_array();
    uint64_t hazards = 0;
    (void)device;
    for (size_t k = 0; k < n_lines; k++)
        for (size_t s = 0; s < lines[k].count; s++) {
            const struct rd_bench_sim *result = &lines[k].results[s];
            hazards += result->hazards;
            json_array_append_new(kernels,
                                  line_as_json(lines[k].kernel, lines[k].threads[s], result));
        }
    if (options->json)
        rd_cli_json_print(json_pack("{s:s, s:i, s:O}", "machine", machine(), "repeats",
                                    (int)options->repeats, "kernels", kernels));
    json_decref(kernels);
    return hazards == 0 ? RD_EXIT_HOLDS : RD_EXIT_VIOLATED;
}

const struct rd_cli_benchmark rd_cli_benchmark_sim = {
    .name = "bench sim",
    .args_doc = "[KERNEL]",
    .doc =
        "Measures what a launch takes in the simulator on one core, all hazards looked for, "
        "from 2^10 threads on: ns of processor time a thread and an access, bytes that tell "
        "who accessed a byte of data, and the memory of the process.\v"
        "KERNEL is block-sum or fold-round; without it, both. Exit status: 0 measured, 1 a hazard "
        "was found, 2 bad usage, or the environment failed.",
    .options = option_table,
    .repeats = 7,
    .no_device = true,
    .parse = parse_bench_sim,
    .measure = measure,
    .draw = draw,
    .tell = tell,
};
