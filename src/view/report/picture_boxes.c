// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"

#include <stdio.h>
#include <string.h>

static void draw_box(struct rd_drawing *drawing, int x, int y, const struct rd_history_cell *cell,
                     const char *text, const char *more)
{
    int wide = drawing->wide - 4;
    size_t length = 0; /* in characters */
    for (const char *c = text; *c; c++)
        length += ((unsigned char)*c & 0xc0) != 0x80;
    rd_markup_format(drawing->to, "<g class=\"cell %s%s%s\"%s>", cell->live ? "live" : "dead",
                     cell->changed ? " changed" : "", cell->wrong ? " wrong" : "", more);
    rd_markup_format(drawing->to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>",
                     x + 2, y, wide, RD_DRAWING_HIGH);
    if (cell->changed)
        rd_markup_format(drawing->to, "<path class=\"mark\" d=\"M%d %dh-11l11 11z\"/>",
                         x + 2 + wide - 1, y + 1);
    rd_markup_format(drawing->to, "<text class=\"v\" x=\"%d\" y=\"%d\"", x + 2 + wide / 2, y + 26);
    if (length > drawing->picture->chars + 1)
        rd_markup_format(drawing->to, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"",
                         wide - 8);
    rd_markup_raw(drawing->to, ">");
    rd_markup_text(drawing->to, text);
    rd_markup_raw(drawing->to, "</text>");
    if (cell->wrong)
        rd_markup_format(drawing->to, "<text class=\"bang\" x=\"%d\" y=\"%d\">!</text>", x + 10,
                         y + 15);
    rd_markup_raw(drawing->to, "</g>\n");
}

void rd_drawing_label(struct rd_drawing *drawing, int y, const char *name, const char *when)
{
    rd_markup_format(drawing->to, "<text class=\"row\" x=\"%d\" y=\"%d\">", RD_DRAWING_LEFT - 12,
                     y + (when[0] ? 20 : 26));
    rd_markup_text(drawing->to, name);
    rd_markup_format(drawing->to, "</text>");
    if (when[0]) {
        rd_markup_format(drawing->to, "<text class=\"when\" x=\"%d\" y=\"%d\">",
                         RD_DRAWING_LEFT - 12, y + 36);
        rd_markup_text(drawing->to, when);
        rd_markup_raw(drawing->to, "</text>");
    }
}

static void draw_indices(struct rd_drawing *drawing, int y, size_t count)
{
    for (size_t k = 0; k < count; k++)
        rd_markup_format(drawing->to, "<text class=\"index\" x=\"%d\" y=\"%d\">%zu</text>",
                         rd_drawing_row_x(drawing, k) + drawing->wide / 2, y - 7, k);
}

/* The array as one row, at this frame or at the one before. */
static enum rd_status draw_row(struct rd_drawing *drawing, size_t frame, int y, bool is_before,
                               struct rd_error *error)
{
    size_t n = rd_history_frame(drawing->history, frame)->n_cells;
    rd_markup_format(drawing->to, "<g class=\"%s\">", is_before ? "before" : "after");
    for (size_t i = 0; i < n && i < drawing->shown.run[0].count; i++) {
        struct rd_history_cell cell;
        char text[RD_PICTURE_TEXT_SIZE], more[48] = "";
        enum rd_status status = rd_picture_cell(drawing->history, frame, i, &cell, text, error);
        if (status != RD_OK)
            return status;
        if (is_before) /* its marks were those of the round before */
            cell.changed = cell.wrong = false;
        else
            snprintf(more, sizeof more, " data-i=\"%zu\"", i);
        draw_box(drawing, rd_drawing_row_x(drawing, i), y, &cell, text, more);
    }
    rd_markup_raw(drawing->to, "</g>");
    return RD_OK;
}

static void draw_source(struct rd_drawing *drawing, const struct rd_flow_source *source, int y)
{
    char when[48] = "";
    if (source->shared)
        snprintf(when, sizeof when, "block %llu", (unsigned long long)source->block);
    rd_drawing_label(drawing, y, source->name, when);
    rd_markup_raw(drawing->to, "<g class=\"source\" data-array=\"");
    rd_markup_text(drawing->to, source->name);
    rd_markup_format(drawing->to, "\" data-block=\"%llu\">", (unsigned long long)source->block);
    for (size_t i = 0; i < source->n; i++) {
        const struct rd_history_cell cell = {.live = source->read[i]};
        char text[RD_VALUE_TEXT_SIZE] = "";
        if (source->read[i] && !drawing->about->witness)
            source->numeric->format(text, source->value[i]);
        draw_box(drawing, rd_drawing_row_x(drawing, i), y, &cell, text, "");
    }
    rd_markup_raw(drawing->to, "</g>");
}

enum rd_status rd_drawing_grid(struct rd_drawing *drawing, struct rd_error *error)
{
    size_t k = 0;
    rd_drawing_label(drawing, drawing->y - RD_DRAWING_INDEX - 12, drawing->frame->array, "");
    for (int column = 0; column < drawing->columns; column++)
        rd_markup_format(drawing->to, "<text class=\"index\" x=\"%d\" y=\"%d\">+%d</text>",
                         rd_drawing_row_x(drawing, (size_t)column) + drawing->wide / 2,
                         drawing->y - 8, column);
    rd_markup_raw(drawing->to, "<g class=\"after\">");
    for (unsigned run = 0; run < drawing->shown.n; run++)
        for (size_t j = 0; j < drawing->shown.run[run].count; j++, k++) {
            size_t i = drawing->shown.run[run].first + j;
            struct rd_history_cell cell;
            char text[RD_PICTURE_TEXT_SIZE], more[48];
            enum rd_status status =
                rd_picture_cell(drawing->history, drawing->number, i, &cell, text, error);
            if (status != RD_OK)
                return status;
            if (k % (size_t)drawing->columns == 0)
                rd_markup_format(drawing->to, "<text class=\"row\" x=\"%d\" y=\"%d\">%zu</text>",
                                 RD_DRAWING_LEFT - 12, rd_drawing_grid_y(drawing, k) + 26, i);
            snprintf(more, sizeof more, " data-i=\"%zu\"", i);
            draw_box(drawing, rd_drawing_grid_x(drawing, k), rd_drawing_grid_y(drawing, k), &cell,
                     text, more);
        }
    rd_markup_raw(drawing->to, "</g>");
    return RD_OK;
}

static int top_row(const struct rd_drawing *drawing)
{
    return drawing->flow.n_sources ? drawing->y_source[0]
           : drawing->before       ? drawing->y_before
                                   : drawing->y;
}

/* In cells. */
static size_t longest_row(const struct rd_drawing *drawing)
{
    size_t longest = drawing->frame->n_cells;
    for (unsigned k = 0; k < drawing->flow.n_sources; k++)
        longest = drawing->flow.sources[k].n > longest ? drawing->flow.sources[k].n : longest;
    return longest;
}

enum rd_status rd_drawing_rows(struct rd_drawing *drawing, struct rd_error *error)
{
    struct rd_flow *flow = &drawing->flow;
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < flow->n_sources; k++)
        draw_source(drawing, &flow->sources[k], drawing->y_source[k]);
    if (!drawing->chained)
        draw_indices(drawing, top_row(drawing), longest_row(drawing));
    if (drawing->before && !drawing->chained) {
        rd_drawing_label(drawing, drawing->y_before, drawing->frame->array, "before");
        status = draw_row(drawing, drawing->frame->before, drawing->y_before, true, error);
    }
    bool two = drawing->before && !drawing->chained;
    rd_drawing_label(drawing, drawing->y, drawing->frame->array, two ? "after" : "");
    if (status == RD_OK)
        status = draw_row(drawing, drawing->number, drawing->y, false, error);
    return status;
}
