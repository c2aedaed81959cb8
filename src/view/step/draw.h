// SPDX-License-Identifier: MIT
/* Draws a stepper into a canvas. */
#ifndef RD_VIEW_STEP_DRAW_H
#define RD_VIEW_STEP_DRAW_H

#include "view/step/canvas.h"
#include "view/step/stepper.h"

/* Below this there is no room for all that belongs on a screen. */
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

/* The rows that a line which is typed takes at the bottom, with what is wrong with it below it; and draws it there. */
int rd_step_prompt_rows(struct rd_canvas *canvas, const struct rd_step_prompt *prompt);
void rd_step_draw_prompt(struct rd_canvas *canvas, const struct rd_step_prompt *prompt);

/* Draws the array before and after, with arrows, from row y on, in at most height rows. Returns the
 * row behind it. */
int rd_step_draw_array(struct rd_stepper *stepper, struct rd_canvas *canvas, int y, int height);

/* The columns and rows that a text part may take. */
struct rd_step_area {
    int x, y, width, height;
};

/* What the threads did, the invariant, the obligations, hazards, the watched cells. Returns how
 * many rows it took. */
int rd_step_draw_facts(struct rd_stepper *stepper, struct rd_canvas *canvas,
                       const struct rd_step_area *area);
/* The kernel's source around the line that just ran. Returns how many rows it took. */
int rd_step_draw_source(struct rd_stepper *stepper, struct rd_canvas *canvas,
                        const struct rd_step_area *area);
void rd_step_draw_overlay(struct rd_stepper *stepper, struct rd_canvas *canvas);

#endif
