// SPDX-License-Identifier: MIT
/* reductio bench sim: what a launch costs in the simulator, all hazards looked for. */
#include "cli/benchmarks.h"
#include "cli/json.h"
#include "cli/svg.h"
#include "view/plot/plot.h"

#include <string.h>

enum {
    KEY_TO = 256, /* no short option */
    KEY_SVG,
    KERNELS_MAX = 2,
    SIZES_MAX = 6, /* from FROM to TO_MAX */
    DEFAULT_REPEATS = 7,
    DEFAULT_TO = 1 << 22,
    FROM = 1 << 10,
    FACTOR = 16,
    TO_MAX = 1 << 26,
};

struct options {
    const struct rd_bench_kernel *kernel; /* NULL: all */
    size_t to;
    unsigned repeats;
    const char *svg;
    bool json;
};

/* What was measured of a kernel. */
struct line {
    const struct rd_bench_kernel *kernel;
    size_t count;
    double threads[SIZES_MAX], median_ns[SIZES_MAX];
};

static const struct argp_option option_table[] = {
    {"to", KEY_TO, "N", 0, "The most threads, 2^10 to 2^26 (default 2^22)", 0},
    {"repeats", 'r', "R", 0, "Take the best and the median of so many, 1 to 101 (default 7)", 0},
    {"json", 'j', NULL, 0, "Print a JSON object", 0},
    {"svg", KEY_SVG, "FILE", 0, "Draw the median over the threads, too", 0},
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case KEY_TO:
        options->to = rd_cli_bench_size("bench sim", "--to", argument);
        if (options->to < FROM || options->to > TO_MAX || (options->to & (options->to - 1)))
            rd_cli_usage("bench sim", "'--to' is '%s': give a power of two, 2^10 to 2^26",
                         argument);
        return 0;
    case 'r':
        options->repeats = rd_cli_bench_repeats("bench sim", argument);
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case KEY_SVG:
        options->svg = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->kernel)
            rd_cli_usage("bench sim", "'%s' is one kernel too many: give one, or none for all",
                         argument);
        options->kernel = kernel_named(argument);
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

static void draw(const struct options *options, const struct line *lines, size_t n, FILE *file)
{
    struct rd_plot_series series[KERNELS_MAX];
    struct rd_plot_level levels[2 * KERNELS_MAX];
    char names[2 * KERNELS_MAX][64], subtitle[320];
    for (size_t k = 0; k < n; k++) {
        const struct rd_bench_kernel *kernel = lines[k].kernel;
        series[k] = (struct rd_plot_series){.name = kernel->name,
                                            .count = lines[k].count,
                                            .x = lines[k].threads,
                                            .y = lines[k].median_ns};
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
        .n_series = n,
        .levels = levels,
        .n_levels = 2 * n,
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
}

/* Appends to `lines` where there is JSON to print. Returns whether none had a hazard. */
static bool measure(const struct options *options, const struct rd_bench_kernel *kernel,
                    json_t *lines, struct line *line, enum rd_status *status,
                    struct rd_error *error)
{
    line->kernel = kernel;
    uint64_t hazards = 0;
    for (size_t threads = FROM;; threads *= FACTOR) {
        struct rd_bench_sim result;
        threads = threads < options->to ? threads : options->to;
        *status = rd_bench_sim(kernel, threads, options->repeats, &result, error);
        if (*status != RD_OK)
            return false;
        hazards += result.hazards;
        line->threads[line->count] = (double)threads;
        line->median_ns[line->count++] = 1e9 * result.median_s / (double)threads;
        if (options->json)
            json_array_append_new(lines, line_as_json(kernel, threads, &result));
        else
            print_line(kernel, threads, &result);
        if (threads == options->to)
            return hazards == 0;
    }
}

int rd_cli_bench_sim(int argc, char **argv)
{
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[KERNEL]",
        .doc = "Measures what a launch takes in the simulator on one core, all hazards looked for, "
               "from 2^10 threads on: ns of processor time a thread and an access, bytes that tell "
               "who accessed a byte of data, and the memory of the process.\v"
               "KERNEL is block-sum or fold-round; without it, both.",
    };
    struct options options = {.to = DEFAULT_TO, .repeats = DEFAULT_REPEATS};
    struct line measured[KERNELS_MAX] = {{0}};
    size_t n_measured = 0;
    struct rd_cli_svg svg;
    struct rd_error error;
    bool clean = true;
    rd_cli_parse(&argp, "reductio bench sim", argc, argv, &options);
    enum rd_status status = rd_cli_svg_open(&svg, options.svg, &error);
    json_t *lines = options.json ? json_array() : NULL;
    if (status == RD_OK && !options.json)
        printf(
            "simulator on one core of %s, all hazards looked for, %u repetitions, processor time\n"
            "%-12s %10s %9s %9s %9s %8s %9s %8s %6s %5s\n",
            machine(), options.repeats, "kernel", "threads", "best ns", "median ns", "an access",
            "shadow", "MiB", "hazards", "target", "goal");
    for (size_t k = 0; rd_bench_kernels[k] && status == RD_OK; k++)
        if (!options.kernel || options.kernel == rd_bench_kernels[k])
            clean &= measure(&options, rd_bench_kernels[k], lines, &measured[n_measured++], &status,
                             &error);
    if (status == RD_OK && svg.file)
        draw(&options, measured, n_measured, svg.file);
    status = rd_cli_svg_close(&svg, status, &error);
    if (status != RD_OK) {
        json_decref(lines);
        rd_cli_complain("%s", error.text);
        return RD_EXIT_FAILED;
    }
    if (options.json)
        rd_cli_json_print(json_pack("{s:s, s:i, s:o}", "machine", machine(), "repeats",
                                    (int)options.repeats, "kernels", lines));
    return clean ? RD_EXIT_HOLDS : RD_EXIT_VIOLATED;
}
