// SPDX-License-Identifier: MIT
/* The last line of a run: its verdict and what was counted. Programs read it, too: it is wrapped on
 * a terminal only. Private to src/view. */
#ifndef RD_VIEW_LAST_LINE_H
#define RD_VIEW_LAST_LINE_H

#include "reductio/run.h"
#include "view/paint.h"

struct rd_last_line {
    const struct rd_paint *paint;
    bool wrapped;
    size_t column; /* columns of the terminal's line that are taken */
};

/* The line begins with `text`, whose first word is the verdict. */
struct rd_last_line rd_last_line_begin(const struct rd_paint *paint, bool wrapped,
                                       enum rd_verdict verdict, const char *text);
/* "; " and more. */
void rd_last_line_add(struct rd_last_line *line, const char *text);
void rd_last_line_end(const struct rd_last_line *line);

#endif
