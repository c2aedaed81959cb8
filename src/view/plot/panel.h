// SPDX-License-Identifier: MIT
/* The parts of a chart. Private to src/view/plot. */
#ifndef RD_VIEW_PLOT_PANEL_H
#define RD_VIEW_PLOT_PANEL_H

#include "reductio/plot.h"

#include <stddef.h>
#include <stdio.h>

/* Text and numbers of an SVG, the same in every locale. Private to src/view/plot. */

/* Writes text, escaped for an element or an attribute; what is no text becomes U+FFFD: see
 * base/utf8.h. */
void rd_svg_text(FILE *out, const char *text);

/* Writes the attribute ` NAME="VALUE"`: a length, with two digits behind the point at most. */
void rd_svg_length(FILE *out, const char *name, double value);
/* The same without name and quotes. */
void rd_svg_number(FILE *out, double value);

enum { RD_NUMBER_TEXT_SIZE = 40 };

/* "0.0123", "402", "1330", "1.5×10⁹": to so many significant digits, 1 to 9, whole numbers below
 * 10^6 in full. Returns text. */
const char *rd_svg_value_text(double value, unsigned digits, char text[RD_NUMBER_TEXT_SIZE]);
/* "2¹⁰". Returns text. */
const char *rd_svg_power_text(unsigned base, int exponent, char text[RD_NUMBER_TEXT_SIZE]);

/* Axes: positions of values and of ticks. Private to src/view/plot. */

struct rd_scale {
    enum rd_plot_scale kind;
    double low, high; /* values at the ends, */
    double from, to;  /* and where these are */
};

struct rd_tick {
    double value;
    char label[RD_NUMBER_TEXT_SIZE]; /* "": a lesser one */
};

enum { RD_TICKS_MAX = 128 };

/* Tells whether the value has a place on an axis of this kind. */
bool rd_scale_takes(enum rd_plot_scale kind, double value);

/* The scale of these values, its ends at round numbers. `least` and `most` are values that it
 * takes; where there are none, least > most, and the scale is of 0 to 1, or of 1 to 10. */
struct rd_scale rd_scale_fit(enum rd_plot_scale kind, double least, double most);

/* Returns the position of the value. */
double rd_scale_at(const struct rd_scale *scale, double value);

/* The ticks, at most RD_TICKS_MAX; RD_PLOT_NAMES has none of its own. Returns how many. */
size_t rd_scale_ticks(const struct rd_scale *scale, struct rd_tick ticks[RD_TICKS_MAX]);

/* The chart as its panels share it. */
struct rd_plot_frame {
    const struct rd_plot *plot;
    FILE *out;
    struct rd_scale x; /* of which from and to are the panels' sides */
};

/* The height of a panel, and how far below its top the area of its data begins. */
enum { RD_PANEL_HEIGHT = 290, RD_PANEL_CAPTION = 30 };

/* Approximate width of a label's character, and distance of the stems at one name, in pixels. */
enum { RD_LABEL_CHARACTER = 7, RD_STEMS_APART = 34 };

void rd_panel_write(const struct rd_plot_frame *frame, const struct rd_plot_panel *panel,
                    double top);

/* The smallest and the greatest of the panel's values that its axis takes; least > most where there
 * is none. */
void rd_panel_range(const struct rd_plot_panel *panel, double *least, double *most);

/* "time per round, µs" */
void rd_axis_write_label(const struct rd_plot_axis *axis, FILE *out);

/* ---- marks ---- */

/* The marker of series number k, about a point. */
void rd_mark_write(FILE *out, size_t k, double x, double y);

#endif
