// SPDX-License-Identifier: MIT
#include "view/plot/panel.h"

/* How far a value stands above its marker. */
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
static void write_line(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
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

/* What a pointer is told: "fold, round 3, half = 128: 12.3 µs, best 11.9 µs". */
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

void rd_series_write(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel, size_t k,
                     const struct rd_scale *y)
{
    const struct rd_plot_series *series = &panel->series[k];
    fprintf(frame->out, "<g class=\"rdp-series rdp-s%zu\">\n", k % RD_PLOT_SERIES_MAX);
    if (panel->form == RD_PLOT_LINES)
        write_line(frame, panel, k, y);
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
