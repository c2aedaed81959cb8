// SPDX-License-Identifier: MIT
#include "reductio/plot_rounds.h"
#include "base/powers_of_two.h"
#include "reductio/plot.h"
#include "view/plot/svg.h"

#include <math.h>
#include <stdlib.h>

enum { NOTE_SIZE = 64, TITLE_SIZE = 512 };

/* One program's points, and what each is. */
struct points {
    double x[RD_BENCH_ROUNDS_MAX], us[RD_BENCH_ROUNDS_MAX], gb_per_s[RD_BENCH_ROUNDS_MAX];
    double best_us[RD_BENCH_ROUNDS_MAX], best_gb_per_s[RD_BENCH_ROUNDS_MAX];
    char note[RD_BENCH_ROUNDS_MAX][NOTE_SIZE];
    const char *notes[RD_BENCH_ROUNDS_MAX];
};

/* All that the chart points to. */
struct chart {
    struct points points[RD_PLOT_PROGRAMS_MAX];
    struct rd_plot_series times[RD_PLOT_PROGRAMS_MAX], bandwidths[RD_PLOT_PROGRAMS_MAX];
    char number[RD_BENCH_ROUNDS_MAX][4];
    const char *numbers[RD_BENCH_ROUNDS_MAX];
    size_t n_rounds;
    char title[TITLE_SIZE], subtitle[TITLE_SIZE];
};

static void put_round(struct points *points, unsigned k, const struct rd_bench_round *round)
{
    points->x[k] = k;
    points->us[k] = 1e6 * round->median_s;
    points->gb_per_s[k] = rd_bench_round_gb_per_s(round);
    points->best_us[k] = 1e6 * round->best_s;
    points->best_gb_per_s[k] = points->gb_per_s[k] * round->median_s / round->best_s;
    if (round->round.width_name)
        snprintf(points->note[k], NOTE_SIZE, "round %u, %s = %zu", k + 1, round->round.width_name,
                 round->round.width);
    else
        snprintf(points->note[k], NOTE_SIZE, "round %u", k + 1);
    points->notes[k] = points->note[k];
}

static void put_program(struct chart *chart, size_t p, const char *name,
                        const struct rd_bench_rounds *result)
{
    struct points *points = &chart->points[p];
    for (unsigned k = 0; k < result->count; k++)
        put_round(points, k, &result->rounds[k]);
    chart->times[p] = (struct rd_plot_series){
        .name = name,
        .count = result->count,
        .x = points->x,
        .y = points->us,
        .best = points->best_us,
        .notes = points->notes,
    };
    chart->bandwidths[p] = chart->times[p];
    chart->bandwidths[p].y = points->gb_per_s;
    chart->bandwidths[p].best = points->best_gb_per_s;
    if (result->count > chart->n_rounds)
        chart->n_rounds = result->count;
}

/* "fold and tournament, round by round: n = 2¹⁰, f32"; of more than two, their number. */
static void put_title(struct chart *chart, const struct rd_plot_rounds *what)
{
    char who[TITLE_SIZE / 2], n[RD_NUMBER_TEXT_SIZE];
    if (what->n_programs > 2)
        snprintf(who, sizeof who, "%zu programs", what->n_programs);
    else if (what->n_programs == 2)
        snprintf(who, sizeof who, "%s and %s", what->programs[0]->name, what->programs[1]->name);
    else
        snprintf(who, sizeof who, "%s", what->n_programs ? what->programs[0]->name : "no program");
    if (what->n >= 1024 && rd_is_power_of_two(what->n))
        rd_svg_power_text(2, (int)log2((double)what->n), n);
    else
        snprintf(n, sizeof n, "%zu", what->n);
    snprintf(chart->title, TITLE_SIZE, "%s, round by round: n = %s, %s", who, n, what->type);
    snprintf(chart->subtitle, TITLE_SIZE, "%s: %s; median and best of %u", what->device,
             what->clock, what->repeats);
}

enum rd_status rd_plot_rounds_write(const struct rd_plot_rounds *what, FILE *out,
                                    struct rd_error *error)
{
    struct chart *chart = calloc(1, sizeof *chart);
    if (!chart)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a chart");
    for (size_t p = 0; p < what->n_programs; p++)
        put_program(chart, p, what->programs[p]->name, what->results[p]);
    for (size_t k = 0; k < chart->n_rounds; k++) {
        snprintf(chart->number[k], sizeof chart->number[k], "%u", (unsigned)(k + 1) % 1000);
        chart->numbers[k] = chart->number[k];
    }
    put_title(chart, what);
    const struct rd_plot_panel panels[] = {
        {
            .y = {.label = "time per round", .unit = "µs", .scale = RD_PLOT_LOG10},
            .series = chart->times,
            .n_series = what->n_programs,
        },
        {
            .y = {.label = "bandwidth per round", .unit = "GB/s", .scale = RD_PLOT_LOG10},
            .series = chart->bandwidths,
            .n_series = what->n_programs,
        },
    };
    const struct rd_plot plot = {
        .title = chart->title,
        .subtitle = chart->subtitle,
        .description = "Two charts over the rounds of each program.",
        .id = what->id,
        .inlined = what->inlined,
        .x = {.label = "round",
              .scale = RD_PLOT_NAMES,
              .names = chart->numbers,
              .n_names = chart->n_rounds},
        .panels = panels,
        .n_panels = sizeof panels / sizeof *panels,
    };
    rd_plot_write(&plot, out);
    free(chart);
    return RD_OK;
}
