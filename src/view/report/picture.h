// SPDX-License-Identifier: MIT
/* A frame drawn in SVG: what the array was, the arrows of what each thread read to what it wrote,
 * and what it is then. Private to src/view. */
#ifndef RD_VIEW_PICTURE_H
#define RD_VIEW_PICTURE_H

#include "reductio/history.h"
#include "view/report/markup.h"

/* Arrays of more cells are drawn as an overview, and some of their cells. */
enum { RD_PICTURE_CELLS_MAX = 1024 };

/* Measures of a history's drawing, the same for all its frames. */
struct rd_picture {
    struct rd_history *history;
    unsigned chars;  /* of the longest value */
    bool standalone; /* a file of its own, with its style and its words; else part of a page */
    bool reduced;    /* arrows left out, as there would be too many in all */
    bool beside;     /* another stands next to it: half the width */
    bool chained;    /* what was is the picture above: its row is left out */
};

/* RD_ERROR_MEMORY, RD_ERROR_IO, RD_ERROR_DEVICE. */
enum rd_status rd_picture_init(struct rd_picture *picture, struct rd_history *history,
                               struct rd_error *error);

/* The signs that occur in a picture, and how many arrows it lacks. */
struct rd_picture_signs {
    bool late;          /* a read of what was overwritten */
    bool overwritten;   /* a source's cell was, after it was read */
    bool times;         /* an arrow that was gone several times */
    bool hues;          /* arrows of several colours */
    bool was;           /* a small value of before, in a grid */
    bool sources;       /* other arrays, with what nobody read */
    bool marks;         /* the corners, flags and dashes of boxes, which a page explains itself */
    bool through;       /* values were handed on through registers before they were written */
    const char *floats; /* what "=" says, of a picture of its own; "" or NULL: nothing */
    size_t too_long;    /* arrows from arrays that are too long for a row, */
    size_t no_row;      /* from others beside a grid, */
    size_t too_many;    /* and beyond the limit */
    size_t unseen;      /* values that need not be made of just what is shown */
};

/* The signs of all pictures together. */
void rd_picture_signs_add(struct rd_picture_signs *all, const struct rd_picture_signs *signs);

/* Writes what they mean below y, within the width; and how much room that takes. */
void rd_picture_notes(const struct rd_picture_signs *signs, struct rd_markup *to, int y, int width);
int rd_picture_notes_high(const struct rd_picture_signs *signs, int width);

struct rd_picture_size {
    int width, height;
    struct rd_picture_signs signs;
};

/* Draws a frame; *size, unless NULL, is how large it became, and its signs. Statuses as
 * above. */
enum rd_status rd_picture_draw(const struct rd_picture *picture, struct rd_markup *to, size_t frame,
                               struct rd_picture_size *size, struct rd_error *error);

/* Draws the ends of all rounds below each other, with words beside them: a file of its own.
 * Statuses as above. */
enum rd_status rd_picture_draw_all(struct rd_picture *picture, struct rd_markup *to,
                                   struct rd_error *error);

/* The cells of a frame that are drawn: up to two runs of neighbours. */
struct rd_picture_shown {
    unsigned n;
    struct {
        size_t first, count;
    } run[2];
};

void rd_picture_shown(struct rd_history *history, size_t frame, struct rd_picture_shown *shown);

/* The text of a cell's box: its value, or its set on witness values. "" where it is not known. Statuses as above. */
enum { RD_PICTURE_TEXT_SIZE = 64 };
enum rd_status rd_picture_cell(struct rd_history *history, size_t frame, size_t index,
                               struct rd_history_cell *cell, char text[RD_PICTURE_TEXT_SIZE],
                               struct rd_error *error);

/* The hazards of the round that has ended with the frame: "hazard: race", "3 hazards, the first:
 * race"; "" where there is none. Returns text, of RD_SENTENCE_SIZE. */
const char *rd_picture_hazards(struct rd_history *history, size_t frame, char *text);

/* The class of a verdict's words: one that is neither is in doubt. */
const char *rd_picture_verdict(enum rd_verdict verdict);

/* "step 0: initialization", "round 2 of 3: fold, half = 2", or a checkpoint's place. */
void rd_picture_title(struct rd_history *history, size_t frame, char *text, size_t size);

/* The fixed parts of the page, as tools/page.py makes them of the files beside this one. Private to
 * src/view. */

extern const char rd_report_page[]; /* the page, with {{names}} where its parts go */
extern const char rd_report_style[];
extern const char rd_report_script[];
extern const char rd_report_policy[]; /* that allows this style and this script, and nothing else */
extern const char rd_report_picture_css[]; /* of a picture that is a file of its own */

#endif
