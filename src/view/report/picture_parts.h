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

#include "reductio/history.h"
#include "view/report/picture.h"

/* Data flow between two frames: from each cell that a thread read to the cell that it then wrote. Private to src/view. */

enum { RD_FLOW_SOURCES_MAX = 4, RD_FLOW_ROW_MAX = 32, RD_FLOW_ARROWS_MAX = 4096 };

/* An arrow to a cell of the frame's array. */
struct rd_flow_arrow {
    unsigned source; /* 0: from a cell of the same array; else of sources[source - 1] */
    size_t from, to; /* elements */
    uint64_t block;  /* of the thread */
    unsigned thread;
    unsigned line;  /* of the write; 0: unknown */
    bool late;      /* the cell held no longer what its row shows: it was overwritten before */
    bool through;   /* another lane has read it, and handed on what it made of it */
    unsigned times; /* this way was gone, by this thread and others; 0: told with one of theirs */
};

/* Reads without a row that a cell was written from: the first, and how many there were. */
struct rd_flow_far {
    const char *array;
    size_t from, count; /* 0: none */
};

/* Array other than A that was read: an input, or the shared array of a block. */
struct rd_flow_source {
    const char *name;
    bool shared;
    uint64_t block; /* whose it is, of a shared one */
    size_t n;       /* at most RD_FLOW_ROW_MAX */
    const struct rd_numeric *numeric;
    bool read[RD_FLOW_ROW_MAX];
    rd_bits value[RD_FLOW_ROW_MAX]; /* when it was first read */
    bool overwritten[RD_FLOW_ROW_MAX];
    rd_bits last[RD_FLOW_ROW_MAX]; /* with what, after that, at last */
};

struct rd_flow {
    struct rd_flow_arrow *arrows; /* thread by thread, in the order of their writes */
    size_t count;
    size_t too_long; /* arrows left out: from arrays that are too long for a row, */
    size_t no_row;   /* that have none in a picture of this frame, */
    size_t too_many; /* and beyond the limit */
    size_t unseen;   /* values that need not be made of just that */
    unsigned n_sources;
    struct rd_flow_source sources[RD_FLOW_SOURCES_MAX];
    struct rd_flow_far far[RD_FLOW_ROW_MAX]; /* of the first cells; among too_long */
};

/* Works the arrows out; none where the frame's array is not in memory, as lanes' registers.
 * RD_ERROR_USAGE where the accesses can't be had; RD_ERROR_MEMORY. */
enum rd_status rd_flow_init(struct rd_flow *flow, struct rd_history *history, size_t frame,
                            struct rd_error *error);
void rd_flow_finish(struct rd_flow *flow);

/* Measures, in units of the picture. */
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

/* ---- picture.c ---- */

/* Counts the cells that are drawn. */
size_t rd_drawing_count(const struct rd_picture_shown *shown);

/* Finds the rank of a cell among those that are drawn; false if it is not drawn. */
bool rd_drawing_rank(const struct rd_picture_shown *shown, size_t index, size_t *rank);

/* The left side of the place of number k of a row, or of a grid, and its upper side. */
int rd_drawing_row_x(const struct rd_drawing *drawing, size_t k);
int rd_drawing_grid_x(const struct rd_drawing *drawing, size_t k);
int rd_drawing_grid_y(const struct rd_drawing *drawing, size_t k);

/* Tells whether arrows stand for what has no row: nothing else leads to the array. */
bool rd_drawing_has_far(const struct rd_drawing *drawing);

/* ---- picture_boxes.c ---- */

/* The array before and after, and the sources. Statuses as for rd_picture_draw. */
enum rd_status rd_drawing_rows(struct rd_drawing *drawing, struct rd_error *error);
enum rd_status rd_drawing_grid(struct rd_drawing *drawing, struct rd_error *error);

/* ---- picture_notes.c ---- */

/* The title of a file of its own, the claim and the verdict; and in every picture what its signs
 * mean that explain themselves the least. */
void rd_drawing_words(struct rd_drawing *drawing);

/* Return the top of what stands below the title, and the height of the words below the boxes. */
int rd_drawing_words_begin(const struct rd_drawing *drawing);
int rd_drawing_words_high(const struct rd_drawing *drawing);

/* Makes the picture's signs from the flow, without arrows that have no place. */
void rd_drawing_signs(const struct rd_drawing *drawing, struct rd_picture_signs *signs);

void rd_drawing_arrows(struct rd_drawing *drawing);

/* The colour of an arrow to that cell. */
unsigned rd_drawing_hue(const struct rd_drawing *drawing, size_t to);

/* A bar for the whole of a long array. */
enum rd_status rd_drawing_overview(struct rd_drawing *drawing, struct rd_error *error);

#endif
