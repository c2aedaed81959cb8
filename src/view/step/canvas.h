// SPDX-License-Identifier: MIT
/* A grid of characters with ink: what a screen shows. The whole stepper is drawn into a canvas,
 * which knows no terminal: screen.c copies it to one, and a script's output is its text. */
#ifndef RD_VIEW_STEP_CANVAS_H
#define RD_VIEW_STEP_CANVAS_H

#include "reductio/status.h"
#include "view/paint.h"

#include <stdint.h>

/* A character and how it is shown; the ink only repeats what the characters say. */
struct rd_canvas_cell {
    uint32_t character; /* a code point, one column wide */
    enum rd_ink ink;
    bool reverse;       /* as of what is selected */
    unsigned char arms; /* of RD_LINE_…, where it is a line; else 0 */
    bool dotted;        /* a line, and all of it dotted */
};

struct rd_canvas {
    unsigned width, height;
    bool ascii;                   /* characters beyond ASCII are put down as what comes near them */
    struct rd_canvas_cell *cells; /* row by row */
};

/* A blank canvas. RD_ERROR_MEMORY. */
enum rd_status rd_canvas_init(struct rd_canvas *canvas, unsigned width, unsigned height, bool ascii,
                              struct rd_error *error);
void rd_canvas_finish(struct rd_canvas *canvas);
void rd_canvas_clear(struct rd_canvas *canvas);

/* Coordinates count from the upper left; what lies outside is left out. */

struct rd_canvas_cell *rd_canvas_at(struct rd_canvas *canvas, int x, int y); /* NULL: outside */
void rd_canvas_put(struct rd_canvas *canvas, int x, int y, enum rd_ink ink, uint32_t character);

/* Prints UTF-8; a control character shows as '?'. Returns the column behind it. */
int rd_canvas_print(struct rd_canvas *canvas, int x, int y, enum rd_ink ink, const char *format,
                    ...) __attribute__((format(printf, 5, 6)));

/* Prints a text in the columns from x to `end`, cut with an ellipsis. Returns the column behind
 * it. */
int rd_canvas_clip(struct rd_canvas *canvas, int x, int y, int end, enum rd_ink ink,
                   const char *text);

/* Prints a text in the columns from x to `end`, broken at spaces into at most `rows_max` lines, the
 * later ones indented; what does not fit is cut, with an ellipsis. Returns how many lines. */
struct rd_canvas_area {
    int x, y, end;
    int indent;
    int rows_max;
};
int rd_canvas_wrap(struct rd_canvas *canvas, const struct rd_canvas_area *area, enum rd_ink ink,
                   const char *text);

/* ---- lines ---- */

/* Lines that meet or cross become junctions. */
enum rd_line { RD_LINE_UP = 1, RD_LINE_DOWN = 2, RD_LINE_LEFT = 4, RD_LINE_RIGHT = 8 };

enum rd_line_style { RD_STYLE_SOLID, RD_STYLE_DOTTED };

/* Adds arms, of RD_LINE_…, to what stands there. */
void rd_canvas_line(struct rd_canvas *canvas, int x, int y, enum rd_ink ink,
                    enum rd_line_style style, unsigned arms);
void rd_canvas_horizontal(struct rd_canvas *canvas, int from, int to, int y, enum rd_ink ink,
                          enum rd_line_style style);
void rd_canvas_vertical(struct rd_canvas *canvas, int x, int from, int to, enum rd_ink ink,
                        enum rd_line_style style);
/* A solid frame around an area, blank inside. */
void rd_canvas_frame(struct rd_canvas *canvas, int x, int y, int width, int height,
                     enum rd_ink ink);

/* Reverses the ink of some columns of a row. */
void rd_canvas_reverse(struct rd_canvas *canvas, int x, int y, int width);

/* Writes the canvas as lines of text without trailing spaces, and without the blank lines at its
 * end. */
void rd_canvas_write(const struct rd_canvas *canvas, FILE *out);

/* Columns that a text takes: its characters. */
int rd_canvas_columns(const char *text);

/* Encodes a code point; returns the size. */
int rd_canvas_encode(uint32_t character, char bytes[5]);

#endif
