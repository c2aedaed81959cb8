// SPDX-License-Identifier: MIT
/* Draws a stepper into a canvas. */
#ifndef RD_VIEW_STEP_DRAW_H
#define RD_VIEW_STEP_DRAW_H

#include "view/step/canvas.h"
#include "view/step/stepper.h"

/* Smallest terminal with room for all parts of the screen. */
enum { RD_STEP_WIDTH_MIN = 60, RD_STEP_HEIGHT_MIN = 22 };

/* A line that is typed. */
struct rd_step_prompt {
    const char *label; /* "cell: " */
    const char *line;
    size_t cursor;       /* in the line; at its end, mostly */
    const char *mistake; /* what is wrong with it; NULL: nothing */
    size_t column;       /* and where, from 1 on */
};

/* Draws all of it; `prompt` takes the place of the status line where it is not NULL. Where the
 * canvas is too small it says so instead. */
void rd_step_draw(struct rd_stepper *stepper, struct rd_canvas *canvas,
                  const struct rd_step_prompt *prompt);

/* ---- the parts; private to draw_*.c ---- */

/* Draws the array before and after, with arrows, from row y on, in at most height rows. Returns the
 * row behind it. */
int rd_step_draw_array(struct rd_stepper *stepper, struct rd_canvas *canvas, int y, int height);

/* The columns and rows that a text part may take. */
struct rd_step_area {
    int x, y, width, height;
};

/* Draws the accesses of the threads, the invariant, the obligations, hazards, the watched cells. Returns the number of
 * rows. */
int rd_step_draw_facts(struct rd_stepper *stepper, struct rd_canvas *canvas,
                       const struct rd_step_area *area);

/* The arrows between the array as it was and as it is: one for each cell of the viewport that was
 * written, from the cells that were read for it. Each has a lane, a row of its own where another
 * one would cross it lengthwise. Private to src/view/step. */

enum { RD_ARROWS_MAX = 128, RD_ARROW_LABEL_SIZE = 64 };

struct rd_arrow {
    bool used;
    bool own; /* the cell itself was read */
    unsigned n_sources;
    unsigned char source[RD_ARROWS_MAX]; /* cells of the viewport, counted from its first */
    unsigned n_others;                   /* what else was read: cells out of view, other arrays */
    char label[RD_ARROW_LABEL_SIZE];     /* and what they are called: "[512]", "a[3] b[3]" */
    char names[RD_ARROW_LABEL_SIZE];     /* their arrays: "a b" */
    size_t n_moves;                      /* how often it was written */
    int from, to;                        /* columns that it takes in its lane */
    int lane;                            /* -1: it needs none, or got none */
    bool left_out;
};

struct rd_arrow_window {
    size_t first, count; /* the cells of the viewport */
    int x, pitch;        /* the column of the first one's middle, and from one to the next */
    int end;             /* the first column that is not there */
    int lanes_max;
    bool has_before;  /* the array as it was stands above */
    bool only_thread; /* only what this thread has done: */
    size_t thread;
};

struct rd_arrows {
    struct rd_arrow_window window;
    struct rd_arrow arrow[RD_ARROWS_MAX]; /* by target */
    int n_lanes;
    unsigned n_left_out; /* for want of lanes */
};

/* Makes the arrows of the window from the accesses of a round. All members are 0 before. */
void rd_arrows_make(struct rd_arrows *arrows, const struct rd_log *log,
                    const struct rd_arrow_window *window);
/* Draws them from the row `top` to the row `bottom`, the borders of the boxes. */
void rd_arrows_draw(const struct rd_arrows *arrows, struct rd_canvas *canvas, int top, int bottom);

#endif
