// SPDX-License-Identifier: MIT
/* Text on a terminal, with or without colour. Colour only repeats what the text says. */
#ifndef RD_VIEW_PAINT_H
#define RD_VIEW_PAINT_H

#include "reductio/run.h"
#include "reductio/program.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum rd_ink { RD_INK_PLAIN, RD_INK_BOLD, RD_INK_DIM, RD_INK_GOOD, RD_INK_BAD, RD_INK_DOUBT };

struct rd_paint {
    FILE *out;
    unsigned width; /* columns */
    bool color;
};

/* Prints in the ink's colour. */
void rd_paint_print(const struct rd_paint *paint, enum rd_ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints the words of a text behind what takes up `column` columns of the line, and goes on in
 * further lines, indented, where the width is used up. Returns the column; the line is
 * not ended. */
size_t rd_paint_flow(const struct rd_paint *paint, enum rd_ink ink, size_t column, unsigned indent,
                     const char *text);

/* Prints a text as lines of at most the width, each indented, broken at spaces. */
void rd_paint_wrap(const struct rd_paint *paint, enum rd_ink ink, unsigned indent,
                   const char *text);

/* The plural ending of the noun behind a count: "" or "s". */
const char *rd_plural(uint64_t count);
/* Prints a text as a line, and what is beyond the width in further ones, each indented. */
void rd_paint_hang(const struct rd_paint *paint, enum rd_ink ink, unsigned indent,
                   const char *text);

/* The ink of a verdict. */
enum rd_ink rd_paint_verdict(enum rd_verdict verdict);

#ifdef __cplusplus
}
#endif

/* An array drawn as boxes, its indices above it. A live cell stands in solid lines and a dead one
 * in dots; a cell that the round changed bears a '*' and a wrong one a '!':
 *
 *         0    1    2    3    4    5    6    7
 *      +----+----+----+----+....................
 *      |  4*|  6*|  8*| 10*|  4 :  5 :  6 :  7 :
 *      +----+----+----+----+....................
 */

#ifdef __cplusplus
extern "C" {
#endif

enum { RD_BOX_TEXT_SIZE = RD_VALUE_TEXT_SIZE };

/* Box of a cell. */
struct rd_box {
    size_t index;
    bool live;
    bool changed;
    bool wrong;
    char text[RD_BOX_TEXT_SIZE]; /* "" where the value is not known */
};

/* The array to draw. */
struct rd_box_array {
    size_t n;
    struct rd_claim claim; /* its live cells */
    bool whole;            /* dead cells have a value */
    size_t focus;          /* a cell that must show, whatever is elided; n: none */
    /* Fills changed, wrong and text of the box of a cell; the rest is set. */
    void (*fill)(const void *self, size_t index, struct rd_box *box);
    const void *self;
};

/* Counts the live cells of an array of n. */
size_t rd_claim_live(const struct rd_claim *claim, size_t n);

/* Numbers of cells that a drawing does not show. */
struct rd_elided {
    size_t live, dead; /* left out, for want of columns */
    size_t uncopied;   /* dead cells without a value, drawn or not */
};

/* Draws the array: in up to four rows where it fits, otherwise in one row with cells left out. */
struct rd_elided rd_boxes_draw(const struct rd_box_array *array, const struct rd_paint *paint);

#ifdef __cplusplus
}
#endif

#endif
