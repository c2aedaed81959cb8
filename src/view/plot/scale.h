// SPDX-License-Identifier: MIT
/* Where a value stands on an axis, and where its ticks are. Private to src/view/plot. */
#ifndef RD_VIEW_PLOT_SCALE_H
#define RD_VIEW_PLOT_SCALE_H

#include "reductio/plot.h"
#include "view/plot/svg.h"

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

/* Whether the value has a place on an axis of this kind. */
bool rd_scale_takes(enum rd_plot_scale kind, double value);

/* The scale of these values, its ends at round numbers. `least` and `most` are values that it
 * takes; where there are none, least > most, and the scale is of 0 to 1, or of 1 to 10. */
struct rd_scale rd_scale_fit(enum rd_plot_scale kind, double least, double most);

/* Where the value is. */
double rd_scale_at(const struct rd_scale *scale, double value);

/* The ticks, at most RD_TICKS_MAX; RD_PLOT_NAMES has none of its own. Returns how many. */
size_t rd_scale_ticks(const struct rd_scale *scale, struct rd_tick ticks[RD_TICKS_MAX]);

#endif
