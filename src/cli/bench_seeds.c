// SPDX-License-Identifier: MIT
/* reductio bench seeds: a dot product timed as a published article has timed it, next to its figures.
 * There the GPU's time does not grow with n: what was measured is a fixed cost, and no throughput. */
#include "cli/benchmarks.h"
#include "cli/svg.h"
#include "view/plot/plot.h"

enum {
    KEY_SVG = 256, /* no short option */
    SMALL = 1000000,
    LARGE = 10000000,
    DEFAULT_REPEATS = 5,
};

/* The figures of "CUDA Dot Product Reduction: Beyond Simple Array Operations", in milliseconds. */
static const struct {
    double gpu_small, cpu_small, gpu_large, cpu_large, gpu_whole, cpu_whole;
} published = {16.335, 2.967, 16.262, 28.847, 385.854, 104.82};

struct options {
    const char *device;
    unsigned repeats;
    const char *svg;
};

static const struct argp_option option_table[] = {
    {"device", 'd', "NAME", 0, "auto (default), sim or cuda", 0},
    {"repeats", 'r', "R", 0, "Take the median of so many, 1 to 101 (default 5)", 0},
    {"svg", KEY_SVG, "FILE", 0, "Draw the times of kernel and loop, too", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'd':
        options->device = argument;
        return 0;
    case 'r':
        options->repeats = rd_cli_bench_repeats("bench seeds", argument);
        return 0;
    case KEY_SVG:
        options->svg = argument;
        return 0;
    case ARGP_KEY_ARG:
        rd_cli_usage("bench seeds", "'%s' is one argument too many: it takes none", argument);
    }
    return ARGP_ERR_UNKNOWN;
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

static void print(const struct rd_device *device, const struct rd_bench_dot *small,
                  const struct rd_bench_dot *large)
{
    const char *name = device->ops->name;
    printf("%-16s %9s %12s %12s %12s %12s\n", "ms", "n", "article GPU", "article CPU", name,
           "host");
    print_row("kernel, or loop", SMALL, published.gpu_small, published.cpu_small, small->kernel_s,
              small->host_s);
    print_row("kernel, or loop", LARGE, published.gpu_large, published.cpu_large, large->kernel_s,
              large->host_s);
    print_row("with allocation", LARGE, published.gpu_whole, published.cpu_whole, large->whole_s,
              large->host_whole_s);
    printf("\n%-16s %12s %12s\n", "kernel, or loop", "fixed ms", "ns/element");
    print_split("article GPU", published.gpu_small, published.gpu_large);
    print_split("article CPU", published.cpu_small, published.cpu_large);
    print_split(name, 1e3 * small->kernel_s, 1e3 * large->kernel_s);
    print_split("host", 1e3 * small->host_s, 1e3 * large->host_s);
}

/* Two sizes make a line: flat is a fixed cost, and ten times up a throughput. */
static void draw(const struct rd_device *device, unsigned repeats, const struct rd_bench_dot *small,
                 const struct rd_bench_dot *large, FILE *file)
{
    static const double n[] = {SMALL, LARGE};
    const double article_gpu[] = {published.gpu_small, published.gpu_large};
    const double article_cpu[] = {published.cpu_small, published.cpu_large};
    const double ours[] = {1e3 * small->kernel_s, 1e3 * large->kernel_s};
    const double host[] = {1e3 * small->host_s, 1e3 * large->host_s};
    const struct rd_plot_series series[] = {
        {.name = "the article's GPU", .count = 2, .x = n, .y = article_gpu},
        {.name = "the article's CPU", .count = 2, .x = n, .y = article_cpu},
        {.name = device->ops->name, .count = 2, .x = n, .y = ours},
        {.name = "a loop on this host", .count = 2, .x = n, .y = host},
    };
    const struct rd_plot_panel panel = {
        .y = {.label = "time of the kernel, or of the loop", .unit = "ms", .scale = RD_PLOT_LOG10},
        .series = series,
        .n_series = sizeof series / sizeof *series,
    };
    char subtitle[400];
    snprintf(subtitle, sizeof subtitle, "%s is %s; median of %u; without allocation",
             device->ops->name, device->ops->describe(device), repeats);
    rd_plot_write(
        &(struct rd_plot){
            .title = "A dot product of f32, next to published figures",
            .subtitle = subtitle,
            .x = {.label = "elements", .scale = RD_PLOT_LOG10},
            .panels = &panel,
            .n_panels = 1,
        },
        file);
}

int rd_cli_bench_seeds(int argc, char **argv)
{
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .doc =
            "Times the dot product of 1 and of 10 million f32 on the device and by a loop on the "
            "host, next to the figures of an article in which the GPU's time does not grow with "
            "n: two sizes tell the fixed cost from the slope.",
    };
    struct options options = {.device = "auto", .repeats = DEFAULT_REPEATS};
    struct rd_device *device = NULL;
    struct rd_error why, error;
    struct rd_bench_dot small, large;
    struct rd_cli_svg svg = {0};
    rd_cli_parse(&argp, "reductio bench seeds", argc, argv, &options);
    enum rd_status status = rd_device_open(options.device, &device, &why, &error);
    if (status == RD_OK)
        status = rd_cli_svg_open(&svg, options.svg, &error);
    if (status == RD_OK) {
        printf("device %s (%s), median of %u\n", device->ops->name, device->ops->describe(device),
               options.repeats);
        status = rd_bench_dot(device, SMALL, options.repeats, &small, &error);
    }
    if (status == RD_OK)
        status = rd_bench_dot(device, LARGE, options.repeats, &large, &error);
    if (status == RD_OK && svg.file)
        draw(device, options.repeats, &small, &large, svg.file);
    status = rd_cli_svg_close(&svg, status, &error);
    if (status == RD_OK)
        print(device, &small, &large);
    rd_device_close(device);
    if (status == RD_OK)
        return RD_EXIT_HOLDS;
    rd_cli_complain("%s", error.text);
    return RD_EXIT_FAILED;
}
