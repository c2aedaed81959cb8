// SPDX-License-Identifier: MIT
/* An array drawn as boxes, its indices above it. A live cell stands in solid lines and a dead one
 * in dots; a cell that the round changed bears a '*' and a wrong one a '!':
 *
 *         0    1    2    3    4    5    6    7
 *      +----+----+----+----+....................
 *      |  4*|  6*|  8*| 10*|  4 :  5 :  6 :  7 :
 *      +----+----+----+----+....................
 */
#ifndef RD_VIEW_BOXES_H
#define RD_VIEW_BOXES_H

#include "reductio/program.h"
#include "view/paint.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RD_BOX_TEXT_SIZE = RD_VALUE_TEXT_SIZE };

/* One cell. */
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

/* How many cells of an array of n are live. */
size_t rd_claim_live(const struct rd_claim *claim, size_t n);

/* How many cells a drawing does not show. */
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
