// SPDX-License-Identifier: MIT
#include "view/plot/panel.h"
#include "base/utf8.h"
#include "reductio/plot_rounds.h"
#include "reductio/plot.h"

#include <math.h>
#include <stdlib.h>

/* A chart of its own has a background, and is dark where the viewer prefers that: its colours are
 * then at least 4.5 to 1 from that background, too. */
static const char standalone_css[] = ".rdp { color: #1b1f24; }\n"
                                     ".rdp-paper { fill: #ffffff; }\n"
                                     "@media (prefers-color-scheme: dark) {\n"
                                     ".rdp { color: #e4e7eb; }\n"
                                     ".rdp-paper { fill: #15181d; }\n"
                                     ".rdp-s0 { color: #6cb8ff; } .rdp-s1 { color: #ff9a5c; }\n"
                                     ".rdp-s2 { color: #3fd0a4; } .rdp-s3 { color: #e79be2; }\n"
                                     ".rdp-s4 { color: #e5c14d; } .rdp-s5 { color: #bcc2cb; }\n"
                                     "}\n";

/* Colours and type of a chart of its own, as a <style> element. */
static void style_write(FILE *out)
{
    fprintf(out, "<style>\n%s%s</style>\n", rd_plot_css, standalone_css);
}

/* ---- charts ---- */

/* Pixels. */
enum {
    WIDTH = 760, /* at least, */
    WIDTH_MAX = 2400,
    LEFT = 72,
    RIGHT = 28,
    TITLE_AT = 34,
    TITLE_SIZE = 18,
    SUBTITLE_AT = 56,
    SUBTITLE_SIZE = 13,
    HEADER = 70, /* what title and subtitle take */
    KEY_ROW = 24,
    KEY_SAMPLE = 34,   /* the line and the marker before a name */
    KEY_APART = 22,    /* from a name to the next sample */
    KEY_CHARACTER = 7, /* about, of a name */
    LABEL_AT = -6,     /* the x axis' name, from the bottom of the last panel, */
    FOOTER = 14,       /* and the chart's end */
};

/* The letters of a font of 1 pixel are about so wide. */
#define LETTER 0.6

static const char *id_of(const struct rd_plot *plot)
{
    return plot->id ? plot->id : "plot";
}

/* ---- the key ---- */

/* Position of the next name, which moves to the next row if it does not fit. */
struct pen {
    double x, y;
};

static void move_for(struct pen *pen, const char *name, double right, double *x)
{
    double width = KEY_SAMPLE + KEY_CHARACTER * (double)rd_utf8_columns(name);
    if (pen->x > LEFT && pen->x + width > right) {
        pen->x = LEFT;
        pen->y += KEY_ROW;
    }
    *x = pen->x;
    pen->x += width + KEY_APART;
}

static void write_sample(FILE *out, size_t k, const char *name, double x, double y)
{
    fprintf(out, "<g class=\"rdp-s%zu\"><path class=\"rdp-line\" d=\"M", k % RD_PLOT_SERIES_MAX);
    rd_svg_number(out, x);
    fputc(' ', out);
    rd_svg_number(out, y);
    fputs("h26\"/>", out);
    rd_mark_write(out, k, x + 13, y);
    fputs("</g><text class=\"rdp-key\"", out);
    rd_svg_length(out, "x", x + KEY_SAMPLE);
    rd_svg_length(out, "y", y + 4.5);
    fputc('>', out);
    rd_svg_text(out, name);
    fputs("</text>\n", out);
}

/* Writes it, unless `out` is NULL. Returns where it ends. */
static double write_key(const struct rd_plot_frame *frame, double top, FILE *out)
{
    const struct rd_plot *plot = frame->plot;
    struct pen pen = {LEFT, top + 8};
    bool is_there = false;
    for (size_t k = 0; plot->n_panels > 0 && k < plot->panels[0].n_series; k++) {
        const char *name = plot->panels[0].series[k].name;
        double x;
        if (!name)
            continue;
        move_for(&pen, name, frame->x.to, &x);
        is_there = true;
        if (out)
            write_sample(out, k, name, x, pen.y);
    }
    return is_there ? pen.y + KEY_ROW : top;
}

/* ---- words ---- */

/* "time per round, µs: fold 1.2 to 402; …." for each panel. */
static void write_ranges(const struct rd_plot_panel *panel, FILE *out)
{
    char text[RD_NUMBER_TEXT_SIZE];
    fputc(' ', out);
    rd_axis_write_label(&panel->y, out);
    for (size_t k = 0; k < panel->n_series; k++) {
        struct rd_plot_panel alone = *panel;
        double least, most;
        struct rd_plot_series series = panel->series[k];
        series.best = NULL;
        alone.series = &series;
        alone.n_series = 1;
        alone.n_levels = 0;
        rd_panel_range(&alone, &least, &most);
        fputs(k == 0 ? ": " : "; ", out);
        if (alone.series->name) {
            rd_svg_text(out, alone.series->name);
            fputc(' ', out);
        }
        if (least > most) {
            fputs("has no values", out);
            continue;
        }
        fputs(rd_svg_value_text(least, 3, text), out);
        fprintf(out, " to %s", rd_svg_value_text(most, 3, text));
    }
    fputc('.', out);
}

static void write_description(const struct rd_plot *plot, FILE *out)
{
    fprintf(out, "<desc id=\"%s-desc\">", id_of(plot));
    if (plot->description)
        rd_svg_text(out, plot->description);
    for (size_t k = 0; k < plot->n_panels; k++)
        write_ranges(&plot->panels[k], out);
    fputs("</desc>\n", out);
}

/* A line of so many pixels a letter; smaller where it would not fit. */
static void write_heading(const struct rd_plot_frame *frame, const char *class, double y,
                          double size, const char *text)
{
    FILE *out = frame->out;
    double width = LETTER * size * (double)rd_utf8_columns(text);
    double room = frame->x.to - frame->x.from;
    fprintf(out, "<text class=\"%s\"", class);
    rd_svg_length(out, "x", LEFT);
    rd_svg_length(out, "y", y);
    rd_svg_length(out, "font-size", width > room ? size * room / width : size);
    fputc('>', out);
    rd_svg_text(out, text);
    fputs("</text>\n", out);
}

/* ---- the chart ---- */

/* Stems have the room that their names and values need. */
static double width_of(const struct rd_plot *plot)
{
    double place = 0, width;
    for (size_t k = 0; k < plot->n_panels; k++)
        if (plot->panels[k].form == RD_PLOT_STEMS)
            place = fmax(place, RD_STEMS_APART * (double)(plot->panels[k].n_series + 1));
    for (size_t k = 0; place > 0 && k < plot->x.n_names; k++)
        place = fmax(place, RD_LABEL_CHARACTER * (double)(rd_utf8_columns(plot->x.names[k]) + 1));
    width = LEFT + RIGHT + place * (double)plot->x.n_names;
    return fmin(fmax(width, WIDTH), WIDTH_MAX);
}

/* Finds the range of all panels' points; an axis of names has a place for each. */
static struct rd_scale fit_x(const struct rd_plot *plot)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < plot->n_panels; k++)
        for (size_t s = 0; s < plot->panels[k].n_series; s++)
            for (size_t p = 0; p < plot->panels[k].series[s].count; p++) {
                double x = plot->panels[k].series[s].x[p];
                if (rd_scale_takes(plot->x.scale, x)) {
                    least = fmin(least, x);
                    most = fmax(most, x);
                }
            }
    if (plot->x.scale == RD_PLOT_NAMES) {
        least = 0;
        most = plot->x.n_names > 0 ? (double)plot->x.n_names - 1 : 0;
    }
    struct rd_scale scale = rd_scale_fit(plot->x.scale, least, most);
    scale.from = LEFT;
    scale.to = width_of(plot) - RIGHT;
    return scale;
}

static void write_head(const struct rd_plot_frame *frame, double height)
{
    const struct rd_plot *plot = frame->plot;
    FILE *out = frame->out;
    const char *id = id_of(plot);
    int width = (int)frame->x.to + RIGHT;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rdp\" viewBox=\"0 0 %d %d\" "
            "width=\"%d\" height=\"%d\" role=\"img\" aria-labelledby=\"%s-title %s-desc\">\n"
            "<title id=\"%s-title\">",
            width, (int)height, width, (int)height, id, id, id);
    rd_svg_text(out, plot->title);
    fputs("</title>\n", out);
    write_description(plot, out);
    if (!plot->inlined) {
        style_write(out);
        fprintf(out, "<rect class=\"rdp-paper\" width=\"%d\" height=\"%d\"/>\n", width,
                (int)height);
    }
    write_heading(frame, "rdp-title", TITLE_AT, TITLE_SIZE, plot->title);
    if (plot->subtitle)
        write_heading(frame, "rdp-subtitle", SUBTITLE_AT, SUBTITLE_SIZE, plot->subtitle);
}

void rd_plot_write(const struct rd_plot *plot, FILE *out)
{
    const struct rd_plot_frame frame = {.plot = plot, .out = out, .x = fit_x(plot)};
    double header = plot->subtitle ? HEADER : HEADER - (SUBTITLE_AT - TITLE_AT);
    double top = write_key(&frame, header, NULL);
    double bottom = top + (double)plot->n_panels * RD_PANEL_HEIGHT;
    write_head(&frame, bottom + FOOTER);
    write_key(&frame, header, out);
    for (size_t k = 0; k < plot->n_panels; k++)
        rd_panel_write(&frame, &plot->panels[k], top + (double)k * RD_PANEL_HEIGHT);
    fputs("<text class=\"rdp-caption\" text-anchor=\"middle\"", out);
    rd_svg_length(out, "x", (frame.x.from + frame.x.to) / 2);
    rd_svg_length(out, "y", bottom + LABEL_AT);
    fputc('>', out);
    rd_axis_write_label(&plot->x, out);
    fputs("</text>\n</svg>\n", out);
}

/* ---- a chart of rounds ---- */

enum { NOTE_SIZE = 64, TITLE_BYTES = 512 };

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
    char title[TITLE_BYTES], subtitle[TITLE_BYTES];
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
    char who[TITLE_BYTES / 2], n[RD_NUMBER_TEXT_SIZE];
    if (what->n_programs > 2)
        snprintf(who, sizeof who, "%zu programs", what->n_programs);
    else if (what->n_programs == 2)
        snprintf(who, sizeof who, "%s and %s", what->programs[0]->name, what->programs[1]->name);
    else
        snprintf(who, sizeof who, "%s", what->n_programs ? what->programs[0]->name : "no program");
    if (what->n >= 1024 && (what->n & (what->n - 1)) == 0)
        rd_svg_power_text(2, (int)log2((double)what->n), n);
    else
        snprintf(n, sizeof n, "%zu", what->n);
    snprintf(chart->title, TITLE_BYTES, "%s, round by round: n = %s, %s", who, n, what->type);
    snprintf(chart->subtitle, TITLE_BYTES, "%s: %s; median and best of %u", what->device,
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
