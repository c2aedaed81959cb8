// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"

enum {
    FALL = 76, /* between what was and what is, for the arrows */
    ROW_WIDE_MAX = 1500,
    GRID_WIDE_MAX = 1400,
    LARGE_WIDE_MAX = 2000, /* of a grid of many cells */
    LARGE_CELLS = 256,
};
#define CHAR_WIDE 9.7

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
    return drawing->y + (int)(k / (size_t)drawing->columns) * (RD_DRAWING_HIGH + RD_DRAWING_GAP);
}

static bool own_arrows(const struct rd_flow *flow)
{
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].source == 0)
            return true;
    return false;
}

void rd_drawing_lay_out(struct rd_drawing *drawing)
{
    size_t cells = rd_drawing_count(&drawing->shown), longest = cells;
    struct rd_flow *flow = &drawing->flow;
    drawing->wide = (int)(CHAR_WIDE * drawing->picture->chars) + 20;
    if (drawing->wide < 48)
        drawing->wide = 48;
    drawing->in_row = cells <= RD_FLOW_ROW_MAX && (int)cells * drawing->wide <= ROW_WIDE_MAX;
    if (!drawing->in_row) { /* sources have no rows there */
        size_t kept = 0;
        for (size_t k = 0; k < flow->count; k++)
            if (flow->arrows[k].source == 0)
                flow->arrows[kept++] = flow->arrows[k];
        flow->left_out += flow->count - kept;
        flow->count = kept;
        flow->n_sources = 0;
    }
    int y = drawing->picture->standalone ? 44 : 8;
    if (drawing->frame->n_cells > RD_PICTURE_CELLS_MAX)
        y += 64;
    for (unsigned k = 0; k < flow->n_sources; k++) {
        y += k == 0 ? RD_DRAWING_INDEX : 14;
        drawing->y_source[k] = y;
        y += RD_DRAWING_HIGH;
        longest = flow->sources[k].n > longest ? flow->sources[k].n : longest;
    }
    bool moved = drawing->frame->before != drawing->number;
    drawing->before = drawing->in_row && moved && (own_arrows(flow) || flow->n_sources == 0);
    drawing->chained =
        drawing->picture->chained && drawing->before && flow->n_sources == 0 && drawing->number > 0;
    if (drawing->chained) {
        y = 0;
        drawing->y_before =
            -RD_DRAWING_HIGH - RD_DRAWING_GAP - 8; /* what the picture above ends with */
    } else if (drawing->before) {
        y += flow->n_sources ? 14 : RD_DRAWING_INDEX;
        drawing->y_before = y;
        y += RD_DRAWING_HIGH;
    }
    if (drawing->before)
        y += FALL;
    else
        y += flow->n_sources ? FALL : RD_DRAWING_INDEX;
    drawing->y = y;
    int wide_max = cells > LARGE_CELLS ? LARGE_WIDE_MAX : GRID_WIDE_MAX;
    drawing->columns = 32;
    while (!drawing->in_row && drawing->columns > 4 && drawing->columns * drawing->wide > wide_max)
        drawing->columns /= 2;
    size_t lines =
        drawing->in_row ? 1 : (cells + (size_t)drawing->columns - 1) / (size_t)drawing->columns;
    size_t across = drawing->in_row ? longest : (size_t)drawing->columns;
    drawing->width = RD_DRAWING_LEFT + (int)across * drawing->wide + RD_DRAWING_RIGHT;
    if (drawing->width < 420)
        drawing->width = 420;
    drawing->height = y + (int)lines * (RD_DRAWING_HIGH + RD_DRAWING_GAP) +
                      (drawing->picture->standalone ? 62 : 8);
}
