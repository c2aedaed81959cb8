// SPDX-License-Identifier: MIT
/* The parts of a chart. Private to src/view/plot. */
#ifndef RD_VIEW_PLOT_PANEL_H
#define RD_VIEW_PLOT_PANEL_H

#include "view/plot/scale.h"

/* What the panels of a chart share. */
struct rd_plot_frame {
    const struct rd_plot *plot;
    FILE *out;
    struct rd_scale x; /* of which from and to are the panels' sides */
};

/* What a panel takes in height, and how far below its top the area of its data begins. */
enum { RD_PANEL_HEIGHT = 290, RD_PANEL_CAPTION = 30 };

/* About what a character of a label is wide; how far stems at one name stand apart. */
enum { RD_LABEL_CHARACTER = 7, RD_STEMS_APART = 34 };

void rd_panel_write(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                    double top);

/* The smallest and the greatest of the panel's values that its axis takes; least > most where there
 * is none. */
void rd_panel_range(const struct rd_plot_panel *panel, double *least, double *most);

/* "time per round, µs" */
void rd_axis_write_label(const struct rd_plot_axis *axis, FILE *out);

/* ---- marks.c ---- */

/* The marker of series number k, about a point. */
void rd_mark_write(FILE *out, size_t k, double x, double y);

/* The series of a panel, number k of n, with its markers. */
void rd_series_write(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel, size_t k,
                     const struct rd_scale *y);

/* ---- style.c ---- */

/* Colours and type of a chart of its own, as a <style> element. */
void rd_style_write(FILE *out);

#endif
