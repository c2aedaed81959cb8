// SPDX-License-Identifier: MIT
#include "view/plot/panel.h"
#include "base/utf8.h"

#include <math.h>

/* ---- marks ---- */

/* Distance of a value's text above its marker. */
enum { VALUE_ABOVE = 9 };

/* A shape for each series, about (0, 0), each of about the same area. */
static const char *const shapes[RD_PLOT_SERIES_MAX] = {
    "M-4.5 0A4.5 4.5 0 1 0 4.5 0A4.5 4.5 0 1 0 -4.5 0Z",            /* a disc */
    "M-4 -4H4V4H-4Z",                                               /* a square */
    "M0 -5.6L5.4 3.8H-5.4Z",                                        /* a triangle, */
    "M0 -5.8L5.8 0L0 5.8L-5.8 0Z",                                  /* a diamond */
    "M0 5.6L5.4 -3.8H-5.4Z",                                        /* upside down */
    "M-1.8 -5.2H1.8V-1.8H5.2V1.8H1.8V5.2H-1.8V1.8H-5.2V-1.8H-1.8Z", /* a cross */
};

void rd_mark_write(FILE *out, size_t k, double x, double y)
{
    fputs("<path class=\"rdp-mark\" transform=\"translate(", out);
    rd_svg_number(out, x);
    fputc(' ', out);
    rd_svg_number(out, y);
    fprintf(out, ")\" d=\"%s\"/>", shapes[k % RD_PLOT_SERIES_MAX]);
}

static bool has_place(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                      const struct rd_plot_series *series, size_t p)
{
    return rd_scale_takes(frame->x.kind, series->x[p]) &&
           rd_scale_takes(panel->y.scale, series->y[p]);
}

static bool has_best(const struct rd_plot_panel *panel, const struct rd_plot_series *series,
                     size_t p)
{
    return series->best && rd_scale_takes(panel->y.scale, series->best[p]);
}

static double place_of(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                       size_t k, size_t p)
{
    double x = rd_scale_at(&frame->x, panel->series[k].x[p]);
    if (panel->form == RD_PLOT_STEMS)
        x += RD_STEMS_APART * ((double)k - ((double)panel->n_series - 1) / 2);
    return x;
}

/* Through the points that have a place; what has none is a gap. */
static void write_curve(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                        size_t k, const struct rd_scale *y)
{
    const struct rd_plot_series *series = &panel->series[k];
    bool pen_is_down = false;
    fputs("<path class=\"rdp-line\" d=\"", frame->out);
    for (size_t p = 0; p < series->count; p++) {
        bool is_placed = has_place(frame, panel, series, p);
        if (is_placed) {
            fputc(pen_is_down ? 'L' : 'M', frame->out);
            rd_svg_number(frame->out, place_of(frame, panel, k, p));
            fputc(' ', frame->out);
            rd_svg_number(frame->out, rd_scale_at(y, series->y[p]));
        }
        pen_is_down = is_placed;
    }
    fputs("\"/>\n", frame->out);
}

static void write_stem(FILE *out, double x, double from, double to)
{
    fputs("<line class=\"rdp-stem\"", out);
    rd_svg_length(out, "x1", x);
    rd_svg_length(out, "y1", from);
    rd_svg_length(out, "x2", x);
    rd_svg_length(out, "y2", to);
    fputs("/>", out);
}

static void write_value(FILE *out, double x, double y, double value)
{
    char text[RD_NUMBER_TEXT_SIZE];
    fputs("<text class=\"rdp-value\" text-anchor=\"middle\"", out);
    rd_svg_length(out, "x", x);
    rd_svg_length(out, "y", y - VALUE_ABOVE);
    fprintf(out, ">%s</text>", rd_svg_value_text(value, 3, text));
}

/* From a marker to the best, with a bar across its end. */
static void write_best(FILE *out, double x, double from, double to)
{
    fputs("<path class=\"rdp-best\" d=\"M", out);
    rd_svg_number(out, x);
    fputc(' ', out);
    rd_svg_number(out, from);
    fputc('V', out);
    rd_svg_number(out, to);
    fputs("m-5 0h10\"/>", out);
}

static void write_unit(FILE *out, const struct rd_plot_panel *panel)
{
    if (!panel->y.unit)
        return;
    fputc(' ', out);
    rd_svg_text(out, panel->y.unit);
}

/* The tooltip: "fold, round 3, half = 128: 12.3 µs, best 11.9 µs". */
static void write_tip(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                      const struct rd_plot_series *series, size_t p)
{
    const struct rd_plot_axis *x = &frame->plot->x;
    char text[RD_NUMBER_TEXT_SIZE];
    fputs("<title>", frame->out);
    if (series->name) {
        rd_svg_text(frame->out, series->name);
        fputs(", ", frame->out);
    }
    if (series->notes && series->notes[p]) {
        rd_svg_text(frame->out, series->notes[p]);
    } else if (x->scale == RD_PLOT_NAMES) {
        if (series->x[p] >= 0 && series->x[p] < (double)x->n_names)
            rd_svg_text(frame->out, x->names[(size_t)series->x[p]]);
    } else {
        rd_svg_text(frame->out, x->label);
        fprintf(frame->out, " %s", rd_svg_value_text(series->x[p], 4, text));
    }
    fprintf(frame->out, ": %s", rd_svg_value_text(series->y[p], 4, text));
    write_unit(frame->out, panel);
    if (has_best(panel, series, p)) {
        fprintf(frame->out, ", best %s", rd_svg_value_text(series->best[p], 4, text));
        write_unit(frame->out, panel);
    }
    fputs("</title>", frame->out);
}

/* The series of a panel, number k of n, with its markers. */
static void series_write(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                         size_t k, const struct rd_scale *y)
{
    const struct rd_plot_series *series = &panel->series[k];
    fprintf(frame->out, "<g class=\"rdp-series rdp-s%zu\">\n", k % RD_PLOT_SERIES_MAX);
    if (panel->form == RD_PLOT_LINES)
        write_curve(frame, panel, k, y);
    for (size_t p = 0; p < series->count; p++) {
        if (!has_place(frame, panel, series, p))
            continue;
        double at_x = place_of(frame, panel, k, p), at_y = rd_scale_at(y, series->y[p]);
        fputs("<g>", frame->out);
        write_tip(frame, panel, series, p);
        if (panel->form == RD_PLOT_STEMS) {
            write_stem(frame->out, at_x, y->from, at_y);
            write_value(frame->out, at_x, at_y, series->y[p]);
        }
        if (has_best(panel, series, p))
            write_best(frame->out, at_x, at_y, rd_scale_at(y, series->best[p]));
        rd_mark_write(frame->out, k, at_x, at_y);
        fputs("</g>\n", frame->out);
    }
    fputs("</g>\n", frame->out);
}

/* ---- panels ---- */

/* Pixels: the data's area; from a baseline to the middle of the letters, and above a level to its
 * name, or below. */
enum { AREA = 210, BASELINE = 4, NAME_ABOVE = 5, NAME_BELOW = 13 };

void rd_axis_write_label(const struct rd_plot_axis *axis, FILE *out)
{
    rd_svg_text(out, axis->label);
    if (axis->unit) {
        fputs(", ", out);
        rd_svg_text(out, axis->unit);
    }
}

static void widen(enum rd_plot_scale kind, double value, double *least, double *most)
{
    if (!rd_scale_takes(kind, value))
        return;
    *least = fmin(*least, value);
    *most = fmax(*most, value);
}

void rd_panel_range(const struct rd_plot_panel *panel, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t k = 0; k < panel->n_series; k++)
        for (size_t p = 0; p < panel->series[k].count; p++) {
            widen(panel->y.scale, panel->series[k].y[p], least, most);
            if (panel->series[k].best)
                widen(panel->y.scale, panel->series[k].best[p], least, most);
        }
    for (size_t k = 0; k < panel->n_levels; k++)
        widen(panel->y.scale, panel->levels[k].y, least, most);
}

/* ---- axes ---- */

static void write_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<line class=\"%s\"", class);
    rd_svg_length(out, "x1", x1);
    rd_svg_length(out, "y1", y1);
    rd_svg_length(out, "x2", x2);
    rd_svg_length(out, "y2", y2);
    fputs("/>", out);
}

static void write_label(FILE *out, double x, double y, const char *anchor, const char *text)
{
    fprintf(out, "<text class=\"rdp-label\" text-anchor=\"%s\"", anchor);
    rd_svg_length(out, "x", x);
    rd_svg_length(out, "y", y);
    fputc('>', out);
    rd_svg_text(out, text);
    fputs("</text>", out);
}

static void write_y_axis(const struct rd_plot_frame *frame, const struct rd_scale *y)
{
    struct rd_tick ticks[RD_TICKS_MAX];
    size_t count = rd_scale_ticks(y, ticks);
    fputs("<g class=\"rdp-y\">\n", frame->out);
    for (size_t k = 0; k < count; k++) {
        double at = rd_scale_at(y, ticks[k].value);
        bool is_labelled = ticks[k].label[0] != '\0';
        fputs(is_labelled ? "<g class=\"rdp-tick\">" : "<g>", frame->out);
        write_line(frame->out, is_labelled ? "rdp-grid" : "rdp-minor", frame->x.from, at,
                   frame->x.to, at);
        if (is_labelled)
            write_label(frame->out, frame->x.from - 8, at + BASELINE, "end", ticks[k].label);
        fputs("</g>\n", frame->out);
    }
    fputs("</g>\n", frame->out);
}

static void write_x_tick(const struct rd_plot_frame *frame, double value, const char *label,
                         double bottom)
{
    double at = rd_scale_at(&frame->x, value);
    fputs("<g class=\"rdp-tick\">", frame->out);
    write_line(frame->out, "rdp-axis", at, bottom, at, bottom + 5);
    write_label(frame->out, at, bottom + 19, "middle", label);
    fputs("</g>\n", frame->out);
}

/* Every so manieth name has room. */
static size_t names_apart(const struct rd_plot_frame *frame)
{
    const struct rd_plot_axis *x = &frame->plot->x;
    size_t longest = 1;
    for (size_t k = 0; k < x->n_names; k++) {
        size_t columns = rd_utf8_columns(x->names[k]);
        longest = columns > longest ? columns : longest;
    }
    double room = (frame->x.to - frame->x.from) / (frame->x.high - frame->x.low);
    return (size_t)ceil((double)(RD_LABEL_CHARACTER * (longest + 1)) / room);
}

static void write_x_axis(const struct rd_plot_frame *frame, double bottom)
{
    const struct rd_plot_axis *x = &frame->plot->x;
    struct rd_tick ticks[RD_TICKS_MAX];
    size_t count = rd_scale_ticks(&frame->x, ticks);
    fputs("<g class=\"rdp-x\">\n", frame->out);
    write_line(frame->out, "rdp-axis", frame->x.from, bottom, frame->x.to, bottom);
    fputc('\n', frame->out);
    for (size_t k = 0; k < count; k++)
        if (ticks[k].label[0] != '\0')
            write_x_tick(frame, ticks[k].value, ticks[k].label, bottom);
    size_t apart = x->scale == RD_PLOT_NAMES ? names_apart(frame) : 1;
    for (size_t k = 0; x->scale == RD_PLOT_NAMES && k < x->n_names; k += apart)
        write_x_tick(frame, (double)k, x->names[k], bottom);
    fputs("</g>\n", frame->out);
}

/* ---- the panel ---- */

/* Tells whether a series ends where the name of a level at this height would be. */
static bool is_label_place_taken(const struct rd_plot_panel *panel, const struct rd_scale *y,
                                 double at)
{
    for (size_t k = 0; k < panel->n_series; k++) {
        const struct rd_plot_series *series = &panel->series[k];
        double last = series->count > 0 ? series->y[series->count - 1] : 0;
        if (series->count == 0 || !rd_scale_takes(y->kind, last))
            continue;
        double above = at - rd_scale_at(y, last);
        if (above > -BASELINE && above < NAME_ABOVE + NAME_BELOW)
            return true;
    }
    return false;
}

static void write_level(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                        const struct rd_plot_level *level, const struct rd_scale *y)
{
    double at = rd_scale_at(y, level->y);
    double name_at = is_label_place_taken(panel, y, at) ? at + NAME_BELOW : at - NAME_ABOVE;
    fprintf(frame->out, "<g class=\"rdp-s%zu\">", level->series % RD_PLOT_SERIES_MAX);
    write_line(frame->out, "rdp-level", frame->x.from, at, frame->x.to, at);
    fputs("<text class=\"rdp-level-name\" text-anchor=\"end\"", frame->out);
    rd_svg_length(frame->out, "x", frame->x.to - 2);
    rd_svg_length(frame->out, "y", name_at);
    fputc('>', frame->out);
    rd_svg_text(frame->out, level->name);
    fputs("</text></g>\n", frame->out);
}

void rd_panel_write(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                    double top)
{
    double least, most;
    rd_panel_range(panel, &least, &most);
    struct rd_scale y = rd_scale_fit(panel->y.scale, least, most);
    y.to = top + RD_PANEL_CAPTION;
    y.from = y.to + AREA;
    fputs("<g class=\"rdp-panel\">\n<text class=\"rdp-caption\"", frame->out);
    rd_svg_length(frame->out, "x", frame->x.from);
    rd_svg_length(frame->out, "y", top + 14);
    fputc('>', frame->out);
    rd_axis_write_label(&panel->y, frame->out);
    fputs("</text>\n", frame->out);
    write_y_axis(frame, &y);
    write_x_axis(frame, y.from);
    for (size_t k = 0; k < panel->n_levels; k++)
        if (rd_scale_takes(panel->y.scale, panel->levels[k].y))
            write_level(frame, panel, &panel->levels[k], &y);
    for (size_t k = 0; k < panel->n_series; k++)
        series_write(frame, panel, k, &y);
    if (least > most)
        write_label(frame->out, (frame->x.from + frame->x.to) / 2, (y.from + y.to) / 2, "middle",
                    "nothing was measured");
    fputs("</g>\n", frame->out);
}
