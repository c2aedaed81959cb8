// SPDX-License-Identifier: MIT
/* Charts as SVG: one or more panels, one above the other, over one x axis. A series is told by its
 * marker's shape as well as by its colour; units stand at the axes; screen readers get a title and
 * a description with the figures' range; and each marker tells its value where a pointer rests on
 * it.
 *
 * Thread safety: any thread may call these functions at any time. */
#ifndef RD_PLOT_H
#define RD_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { RD_PLOT_SERIES_MAX = 6 };

enum rd_plot_scale {
    RD_PLOT_LINEAR, /* from 0 or, where there are negative values, from below */
    RD_PLOT_LOG10,  /* values that are not above 0 are left out, as if they were not finite */
    RD_PLOT_LOG2,   /* likewise */
    RD_PLOT_NAMES,  /* x axes only: value k is at names[k] */
};

struct rd_plot_axis {
    const char *label; /* "time per round" */
    const char *unit;  /* "µs"; NULL: none */
    enum rd_plot_scale scale;
    const char *const *names; /* of RD_PLOT_NAMES */
    size_t n_names;
};

/* Points that belong together, in the order of x. Those that are not finite leave a gap. */
struct rd_plot_series {
    const char *name;
    size_t count;
    const double *x, *y;
    /* Optional: the best of what `y` is the median of, as a line from the marker to it; NULL: none. A value
     * that is not finite has none */
    const double *best;
    const char *const *notes; /* optional: a description of each point, "half = 512"; NULL: none */
};

/* A value to compare a series with: a dashed line across, in the colour of that series. */
struct rd_plot_level {
    const char *name;
    double y;
    size_t series; /* its index in the panel */
};

enum rd_plot_form {
    RD_PLOT_LINES, /* markers, joined by a line */
    RD_PLOT_STEMS, /* markers on stems from the bottom, side by side, with their values above */
};

struct rd_plot_panel {
    struct rd_plot_axis y;
    enum rd_plot_form form;
    const struct rd_plot_series *series;
    size_t n_series; /* at most RD_PLOT_SERIES_MAX */
    const struct rd_plot_level *levels;
    size_t n_levels;
};

/* All text is UTF-8 and is escaped: what is not text of XML 1.0 becomes U+FFFD. */
struct rd_plot {
    const char *title;
    const char *subtitle;    /* a line under it; NULL: none */
    const char *description; /* for screen readers, before the ranges; NULL: none */
    /* Prefix of the ids in the SVG: letters, digits, '-'; unique among the charts of a page. NULL: "plot". */
    const char *id;
    bool inlined; /* for a page: see rd_plot_write */
    struct rd_plot_axis x;
    const struct rd_plot_panel *panels; /* of the same series, in the same order */
    size_t n_panels;
};

/* Writes the chart as an <svg> element, and nothing else; the caller checks ferror(out).
 *
 * A chart by itself has a background, and is light or dark by the viewer's preferred colour scheme.
 * Inlined, it has the background of the page, and lines and text in the page's text colour
 * (currentColor); the page has the rules of rd_plot_css among its own, which are for a light page, and
 * sets the `color` of .rdp-s0 to .rdp-s5 if the page is dark.
 */
void rd_plot_write(const struct rd_plot *plot, FILE *out);

/* The style of inlined charts, as CSS: src/view/plot/plot.css. */
extern const char rd_plot_css[];

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
