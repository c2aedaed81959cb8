// SPDX-License-Identifier: MIT
/* reductio bench seeds: a dot product timed as a published article has timed it, next to its figures.
 * There the GPU's time does not grow with n: what was measured is a fixed cost, and no throughput. */
#include "cli/benchmarks.h"
#include "reductio/plot.h"
#include "device/devices.h"

enum {
    SMALL = 1000000,
    LARGE = 10000000,
};

/* The figures of "CUDA Dot Product Reduction: Beyond Simple Array Operations", in milliseconds. */
static const struct {
    double gpu_small, cpu_small, gpu_large, cpu_large, gpu_whole, cpu_whole;
} published = {16.335, 2.967, 16.262, 28.847, 385.854, 104.82};

static struct rd_bench_dot small, large;

static const struct argp_option option_table[] = {
    {"device", 'd', RD_DEVICE_WORDS, 0, "Where kernels run (default auto)", 0},
    {"repeats", 'r', "R", 0, "Take the median of so many, 1 to 101 (default 5)", 0},
    {"svg", RD_CLI_BENCH_SVG, "FILE", 0, "Draw the times of kernel and loop, too", 0},
    {0},
};

static error_t parse_bench_seeds(int key, char *argument, struct rd_cli_bench_options *options)
{
    (void)options;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    rd_cli_usage("bench seeds", "'%s' is one argument too many: it takes none", argument);
}

static enum rd_status measure(const struct rd_cli_bench_options *options, struct rd_device *device,
                              struct rd_error *error)
{
    rd_cli_bench_print_device(options, device);
    enum rd_status status = rd_bench_dot(device, SMALL, options->repeats, &small, error);
    if (status == RD_OK)
        status = rd_bench_dot(device, LARGE, options->repeats, &large, error);
    return status;
}

static void print_row(const char *what, size_t n, double gpu_ms, double cpu_ms, double device_s,
                      double host_s)
{
    printf("%-16s %9zu %12.3f %12.3f %12.3f %12.3f\n", what, n, gpu_ms, cpu_ms, 1e3 * device_s,
           1e3 * host_s);
}

/* Time is taken for fixed + slope * n. */
static void print_split(const char *who, double small_ms, double large_ms)
{
    double slope_ms = (large_ms - small_ms) / (LARGE - SMALL);
    printf("%-16s %12.3f %12.3f\n", who, small_ms - slope_ms * SMALL, 1e6 * slope_ms);
}

static int tell(const struct rd_cli_bench_options *options, const struct rd_device *device)
{
    const char *name = device->ops->name;
    (void)options;
    printf("%-16s %9s %12s %12s %12s %12s\n", "ms", "n", "article GPU", "article CPU", name,
           "host");
    print_row("kernel, or loop", SMALL, published.gpu_small, published.cpu_small, small.kernel_s,
              small.host_s);
    print_row("kernel, or loop", LARGE, published.gpu_large, published.cpu_large, large.kernel_s,
              large.host_s);
    print_row("with allocation", LARGE, published.gpu_whole, published.cpu_whole, large.whole_s,
              large.host_whole_s);
    printf("\n%-16s %12s %12s\n", "kernel, or loop", "fixed ms", "ns/element");
    print_split("article GPU", published.gpu_small, published.gpu_large);
    print_split("article CPU", published.cpu_small, published.cpu_large);
    print_split(name, 1e3 * small.kernel_s, 1e3 * large.kernel_s);
    print_split("host", 1e3 * small.host_s, 1e3 * large.host_s);
    return RD_EXIT_HOLDS;
}

/* Two sizes make a line: flat is a fixed cost, and ten times up a throughput. */
static enum rd_status draw(const struct rd_cli_bench_options *options,
                           const struct rd_device *device, FILE *file, struct rd_error *error)
{
    static const double n[] = {SMALL, LARGE};
    (void)error;
    const double article_gpu[] = {published.gpu_small, published.gpu_large};
    const double article_cpu[] = {published.cpu_small, published.cpu_large};
    const double measured_ms[] = {1e3 * small.kernel_s, 1e3 * large.kernel_s};
    const double host[] = {1e3 * small.host_s, 1e3 * large.host_s};
    const struct rd_plot_series series[] = {
        {.name = "the article's GPU", .count = 2, .x = n, .y = article_gpu},
        {.name = "the article's CPU", .count = 2, .x = n, .y = article_cpu},
        {.name = device->ops->name, .count = 2, .x = n, .y = measured_ms},
        {.name = "a loop on this host", .count = 2, .x = n, .y = host},
    };
    const struct rd_plot_panel panel = {
        .y = {.label = "time of the kernel, or of the loop", .unit = "ms", .scale = RD_PLOT_LOG10},
        .series = series,
        .n_series = sizeof series / sizeof *series,
    };
    char subtitle[400];
    snprintf(subtitle, sizeof subtitle, "%s is %s; median of %u; without allocation",
             device->ops->name, device->ops->describe(device), options->repeats);
    rd_plot_write(
        &(struct rd_plot){
            .title = "A dot product of f32, next to published figures",
            .subtitle = subtitle,
            .x = {.label = "elements", .scale = RD_PLOT_LOG10},
            .panels = &panel,
            .n_panels = 1,
        },
        file);
    return RD_OK;
}

const struct rd_cli_benchmark rd_cli_benchmark_seeds = {
    .name = "bench seeds",
    .doc = "Times the dot product of 1 and of 10 million f32 on the device and by a loop on the "
           "host, next to the figures of an article in which the GPU's time does not grow with "
           "n: two sizes tell the fixed cost from the slope.\v"
           "Exit status: 0 measured, 2 bad usage, or the environment failed.",
    .options = option_table,
    .repeats = 5,
    .parse = parse_bench_seeds,
    .measure = measure,
    .draw = draw,
    .tell = tell,
};
