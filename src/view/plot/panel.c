// SPDX-License-Identifier: MIT
#include "view/plot/panel.h"
#include "base/utf8.h"

#include <math.h>

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

/* Whether a series ends where the name of a level at this height would be. */
static bool is_taken(const struct rd_plot_panel *panel, const struct rd_scale *y, double at)
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
    double name_at = is_taken(panel, y, at) ? at + NAME_BELOW : at - NAME_ABOVE;
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
        rd_series_write(frame, panel, k, &y);
    if (least > most)
        write_label(frame->out, (frame->x.from + frame->x.to) / 2, (y.from + y.to) / 2, "middle",
                    "nothing was measured");
    fputs("</g>\n", frame->out);
}
