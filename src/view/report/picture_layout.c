// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"

enum {
    WIDE_MIN = 48, /* a box, */
    SQUEEZED_WIDE = 96,
    LONG_CHARS = 12, /* longer values have smaller letters */
    LONG_TYPE = 13,
    ROWS_APART = 14,
    FALL = 76, /* between what was and what is, for the arrows; */
    DEEP_FALL = 112,
    FEW_ARROWS = 32, /* deeper for more than these */
    BELOW = 14,      /* the last row */
    GAP = 20,
    WIDE_GAP = 44, /* in a grid of few lines, where arrows are flat */
    FEW_LINES = 4,
    OVERVIEW = 64,
    ROW_WIDE_MAX = 1500,
    GRID_WIDE_MAX = 1500,
    LARGE_WIDE_MAX = 2000, /* of a grid of many cells */
    LARGE_CELLS = 256,
    WIDTH_MIN = 420,
};

size_t rd_drawing_count(const struct rd_picture_shown *shown)
{
    size_t count = 0;
    for (unsigned k = 0; k < shown->n; k++)
        count += shown->run[k].count;
    return count;
}

bool rd_drawing_rank(const struct rd_picture_shown *shown, size_t index, size_t *rank)
{
    size_t before = 0;
    for (unsigned k = 0; k < shown->n; k++) {
        size_t behind = index - shown->run[k].first;
        if (index >= shown->run[k].first && behind < shown->run[k].count) {
            *rank = before + behind;
            return true;
        }
        before += shown->run[k].count;
    }
    return false;
}

int rd_drawing_row_x(const struct rd_drawing *drawing, size_t k)
{
    return RD_DRAWING_LEFT + (int)k * drawing->wide;
}

int rd_drawing_grid_x(const struct rd_drawing *drawing, size_t k)
{
    return RD_DRAWING_LEFT + (int)(k % (size_t)drawing->columns) * drawing->wide;
}

int rd_drawing_grid_y(const struct rd_drawing *drawing, size_t k)
{
    return drawing->y + (int)(k / (size_t)drawing->columns) * (RD_DRAWING_HIGH + drawing->gap);
}

static bool own_arrows(const struct rd_flow *flow)
{
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].source == 0)
            return true;
    return false;
}

bool rd_drawing_has_far(const struct rd_drawing *drawing)
{
    bool any = false;
    for (size_t k = 0; k < RD_FLOW_ROW_MAX; k++)
        any |= drawing->flow.far[k].count > 0;
    return any && drawing->in_row && drawing->flow.count == 0 &&
           drawing->frame->n_cells <= RD_FLOW_ROW_MAX;
}

/* ---- the parts, from the top ---- */

/* Boxes are as wide as the longest value takes, in smaller letters where it is long. */
static void size_boxes(struct rd_drawing *drawing)
{
    int chars = (int)drawing->picture->chars;
    drawing->type = chars <= LONG_CHARS ? RD_DRAWING_TYPE : LONG_TYPE;
    drawing->wide = (int)(RD_DRAWING_LETTER * drawing->type * chars) + 20;
    if (drawing->wide < WIDE_MIN)
        drawing->wide = WIDE_MIN;
}

/* In a grid there is room for what a cell was before, too, unless they are many. */
static void widen_boxes(struct rd_drawing *drawing)
{
    int letters = (int)drawing->picture->chars + 1;
    int wide = (int)(RD_DRAWING_LETTER * RD_DRAWING_SMALL * letters) + 6 + RD_DRAWING_FLAG +
               RD_DRAWING_CORNER;
    if (drawing->wide < wide)
        drawing->wide = wide;
}

/* A source that would make the picture too wide makes all boxes narrower, and cuts what is in
 * them. */
static void squeeze(struct rd_drawing *drawing, size_t longest)
{
    int room = ROW_WIDE_MAX / (int)longest;
    if (drawing->wide > room && drawing->wide > SQUEEZED_WIDE)
        drawing->wide = room > SQUEEZED_WIDE ? room : SQUEEZED_WIDE;
}

/* Sources have no rows beside a grid. */
static void drop_sources(struct rd_flow *flow)
{
    size_t kept = 0;
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].source == 0)
            flow->arrows[kept++] = flow->arrows[k];
    flow->no_row += flow->count - kept;
    flow->count = kept;
    flow->n_sources = 0;
}

/* Returns where the sources end. */
static int place_sources(struct rd_drawing *drawing, int y)
{
    for (unsigned k = 0; k < drawing->flow.n_sources; k++) {
        y += k == 0 ? RD_DRAWING_INDEX : ROWS_APART;
        drawing->y_source[k] = y;
        y += RD_DRAWING_HIGH;
    }
    return y;
}

/* The array, below what it was where that is drawn. */
static void place_array(struct rd_drawing *drawing, int y)
{
    const struct rd_flow *flow = &drawing->flow;
    bool moved = drawing->frame->before != drawing->number;
    int fall = flow->count > FEW_ARROWS ? DEEP_FALL : FALL;
    if (flow->count == 0 && !rd_drawing_has_far(drawing) && !drawing->picture->chained)
        fall = ROWS_APART;
    drawing->before = drawing->in_row && moved && (own_arrows(flow) || flow->n_sources == 0);
    drawing->chained =
        drawing->picture->chained && drawing->before && flow->n_sources == 0 && drawing->number > 0;
    if (drawing->chained) {
        y = 0;
        drawing->y_before = -RD_DRAWING_HIGH - BELOW; /* what the picture above ends with */
    } else if (drawing->before) {
        y += flow->n_sources ? ROWS_APART : RD_DRAWING_INDEX;
        drawing->y_before = y;
        y += RD_DRAWING_HIGH;
    }
    drawing->y = y + (drawing->before || flow->n_sources ? fall : RD_DRAWING_INDEX);
}

void rd_drawing_lay_out(struct rd_drawing *drawing)
{
    size_t cells = rd_drawing_count(&drawing->shown), longest = cells;
    struct rd_flow *flow = &drawing->flow;
    size_boxes(drawing);
    drawing->in_row = cells <= RD_FLOW_ROW_MAX && (int)cells * drawing->wide <= ROW_WIDE_MAX;
    if (!drawing->in_row) {
        drop_sources(flow);
        const bool has_room = cells <= LARGE_CELLS && !drawing->about->witness;
        drawing->was = has_room && drawing->frame->before != drawing->number;
        if (has_room) /* at step 0, too: its boxes are as those of the rounds */
            widen_boxes(drawing);
    }
    for (unsigned k = 0; k < flow->n_sources; k++)
        longest = flow->sources[k].n > longest ? flow->sources[k].n : longest;
    if (drawing->in_row)
        squeeze(drawing, longest);

    int wide_max = cells > LARGE_CELLS ? LARGE_WIDE_MAX : GRID_WIDE_MAX;
    if (drawing->picture->beside)
        wide_max = wide_max * 3 / 5;
    drawing->columns = 32;
    while (!drawing->in_row && drawing->columns > 4 && drawing->columns * drawing->wide > wide_max)
        drawing->columns /= 2;
    size_t lines = drawing->in_row ? 1 : (cells - 1) / (size_t)drawing->columns + 1;
    drawing->gap = lines <= FEW_LINES ? WIDE_GAP : GAP;
    size_t across = drawing->in_row ? longest : (size_t)drawing->columns;
    drawing->width = RD_DRAWING_LEFT + (int)across * drawing->wide + RD_DRAWING_RIGHT;
    if (drawing->width < WIDTH_MIN)
        drawing->width = WIDTH_MIN;

    int y = drawing->picture->standalone ? rd_drawing_words_begin(drawing) : 8;
    if (drawing->frame->n_cells > RD_PICTURE_CELLS_MAX)
        y += OVERVIEW;
    place_array(drawing, place_sources(drawing, y));
    drawing->y_words = drawing->y + (int)lines * (RD_DRAWING_HIGH + drawing->gap);
    if (drawing->in_row)
        drawing->y_words += BELOW - drawing->gap;
    rd_drawing_signs(drawing, &drawing->signs);
    drawing->height = drawing->y_words + rd_drawing_words_high(drawing);
}
