// SPDX-License-Identifier: MIT
/* The parts of a picture: a layout is worked out, and then drawn. Private to src/view/report.
 *
 *     title                    of a file of its own
 *     all  [ | | | | | | ]     the overview of a long array
 *     a    [ ] [ ] [ ] [ ]     sources: other arrays that were read
 *     A    [ ] [ ] [ ] [ ]     what was,
 *            \\   |              arrows,
 *     A    [ ] [ ] [ ] [ ]     and what is: as a row, or as a grid with its arrows in it
 *     claim, verdict           of a file of its own
 */
#ifndef RD_VIEW_PICTURE_PARTS_H
#define RD_VIEW_PICTURE_PARTS_H

#include "view/report/flow.h"
#include "view/report/picture.h"

/* In units of the picture. */
enum {
    RD_DRAWING_LEFT = 96, /* for the names of rows */
    RD_DRAWING_RIGHT = 12,
    RD_DRAWING_HIGH = 46, /* a box: a band for its marks, and its value below it */
    RD_DRAWING_BAND = 16,
    RD_DRAWING_INDEX = 22,       /* the line with the indices */
    RD_DRAWING_TYPE = 16,        /* the letters of a value that is not long */
    RD_DRAWING_SMALL = 10,       /* of what a cell of a grid was before, in its band: */
    RD_DRAWING_FLAG = 19,        /* right of the flag, */
    RD_DRAWING_CORNER = 14,      /* and left of the corner */
    RD_DRAWING_ONE_HUE_MAX = 16, /* arrows; of more, those to neighbouring cells have others */
};

/* The letters of a fixed-width face of 1 pixel are about so wide. */
#define RD_DRAWING_LETTER 0.605

struct rd_drawing {
    const struct rd_picture *picture;
    struct rd_markup *to;
    struct rd_history *history;
    const struct rd_history_about *about;
    const struct rd_frame *frame;
    size_t number; /* of the frame */
    struct rd_flow flow;
    struct rd_picture_shown shown;
    bool in_row;  /* else in a grid */
    bool was;     /* cells of a grid tell what they were before */
    bool before;  /* the row of what was is drawn, too, */
    bool chained; /* or is the picture above */
    int wide;     /* a box */
    int type;     /* the letters of a value, in pixels */
    int columns;  /* of a grid, */
    int gap;      /* and between its rows, for the arrows */
    int y;        /* where the array is */
    int y_before;
    int y_source[RD_FLOW_SOURCES_MAX];
    int y_words; /* what is said below the boxes */
    int width, height;
    struct rd_picture_signs signs;
};

/* ---- picture_layout.c ---- */

/* Works out where everything is, from `shown` and the flow; arrows that have no place there are
 * taken out of the flow. */
void rd_drawing_lay_out(struct rd_drawing *drawing);

/* How many cells are drawn. */
size_t rd_drawing_count(const struct rd_picture_shown *shown);

/* Where a cell stands among those that are drawn; false where it is not. */
bool rd_drawing_rank(const struct rd_picture_shown *shown, size_t index, size_t *rank);

/* The left side of the place of number k of a row, or of a grid, and its upper side. */
int rd_drawing_row_x(const struct rd_drawing *drawing, size_t k);
int rd_drawing_grid_x(const struct rd_drawing *drawing, size_t k);
int rd_drawing_grid_y(const struct rd_drawing *drawing, size_t k);

/* Whether arrows stand for what has no row: nothing else leads to the array. */
bool rd_drawing_has_far(const struct rd_drawing *drawing);

/* ---- picture_boxes.c ---- */

/* The name of a row whose boxes begin at y, and what is told of it below: "" for nothing. */
void rd_drawing_label(struct rd_drawing *drawing, int y, const char *name, const char *when);

/* The array before and after, and the sources. Statuses as for rd_picture_draw. */
enum rd_status rd_drawing_rows(struct rd_drawing *drawing, struct rd_error *error);
enum rd_status rd_drawing_grid(struct rd_drawing *drawing, struct rd_error *error);

/* Text that is no wider than there is room: smaller where it is long, and cut where that does not
 * do. What was cut off can be read from data-v. */
void rd_drawing_text(struct rd_drawing *drawing, const char *class, int x, int y, int type,
                     double room, const char *text);

/* ---- picture_words.c ---- */

/* The title of a file of its own, the claim and the verdict; and in every picture what its signs
 * mean that explain themselves the least. */
void rd_drawing_words(struct rd_drawing *drawing);

/* Where what is below the title may begin, and what the words below the boxes take. */
int rd_drawing_words_begin(const struct rd_drawing *drawing);
int rd_drawing_words_high(const struct rd_drawing *drawing);

/* ---- picture_notes.c ---- */

/* How many bytes of the text the next line takes, in a proportional face of `type` pixels: words,
 * as many as fit in the room, but one at least. */
size_t rd_drawing_line(const char *text, int room, int type);

/* From the flow, without the arrows that have no place. */
void rd_drawing_signs(const struct rd_drawing *drawing, struct rd_picture_signs *signs);

/* ---- picture_arrows.c, picture_overview.c ---- */

void rd_drawing_arrows(struct rd_drawing *drawing);

/* The colour of an arrow to that cell. */
unsigned rd_drawing_hue(const struct rd_drawing *drawing, size_t to);

/* A bar for the whole of a long array. */
enum rd_status rd_drawing_overview(struct rd_drawing *drawing, struct rd_error *error);

#endif
