// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TYPE_MIN = RD_DRAWING_SMALL }; /* smaller letters can't be read */

void rd_drawing_text(struct rd_drawing *drawing, const char *class, int x, int y, int type,
                     double room, const char *text)
{
    const double columns = (double)rd_utf8_columns(text);
    const double fitting = columns > 0 ? room / (RD_DRAWING_LETTER * columns) : type;
    const bool cut = fitting < TYPE_MIN;
    const double size = cut ? TYPE_MIN : fitting < type ? fitting : type;
    size_t bytes = strlen(text);
    rd_markup_format(drawing->to, "<text class=\"%s\" x=\"%d\" y=\"%d\"", class, x, y);
    if (size != drawing->type)
        rd_markup_format(drawing->to, " font-size=\"%g\"", floor(10 * size) / 10);
    if (cut) {
        bytes = rd_utf8_bytes(text, (size_t)(room / (RD_DRAWING_LETTER * TYPE_MIN)) - 1);
        rd_markup_raw(drawing->to, " data-v=\"");
        rd_markup_text(drawing->to, text);
        rd_markup_raw(drawing->to, "\"");
    }
    rd_markup_raw(drawing->to, ">");
    rd_markup_text_of(drawing->to, text, bytes);
    rd_markup_raw(drawing->to, cut ? "\u2026</text>" : "</text>");
}

/* A box: in its band a flag where it is wrong, and a corner where it has changed; its value
 * below. */
static void draw_box(struct rd_drawing *drawing, int x, int y, const struct rd_history_cell *cell,
                     const char *text, const char *more)
{
    struct rd_markup *to = drawing->to;
    int wide = drawing->wide - 4;
    x += 2;
    rd_markup_format(to, "<g class=\"cell %s%s%s\"%s>", cell->live ? "live" : "dead",
                     cell->changed ? " changed" : "", cell->wrong ? " wrong" : "", more);
    rd_markup_format(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>", x, y,
                     wide, RD_DRAWING_HIGH);
    if (cell->changed)
        rd_markup_format(to, "<path class=\"mark\" d=\"M%d %dh-12l12 12z\"/>", x + wide - 1, y + 1);
    if (cell->wrong)
        rd_markup_format(to,
                         "<path class=\"flag\" d=\"M%d %dv-10a5 5 0 0 1 5 -5h13v15z\"/>"
                         "<text class=\"bang\" x=\"%d\" y=\"%d\">!</text>",
                         x, y + RD_DRAWING_BAND - 1, x + 9, y + 12);
    rd_drawing_text(drawing, "v", x + wide / 2, y + 34, drawing->type, wide - 8, text);
    rd_markup_raw(to, "</g>\n");
}

/* A name of several words has a line for each. */
void rd_drawing_label(struct rd_drawing *drawing, int y, const char *name, const char *when)
{
    enum { LINES_MAX = 3, MARGIN = 12, WHEN_TYPE = 11 };
    const char *rest = name;
    int lines = 1, x = RD_DRAWING_LEFT - MARGIN;
    for (const char *c = name; lines < LINES_MAX && (c = strchr(c, ' ')); c++)
        lines++;
    int type = lines < LINES_MAX ? RD_DRAWING_TYPE : WHEN_TYPE + 1;
    int high = lines * type + (when[0] ? WHEN_TYPE + 1 : 0);
    int at = y + (RD_DRAWING_HIGH - high) / 2 + type - 2;
    for (int k = 1; k <= lines; k++, at += type) {
        char line[64];
        size_t size = k < lines ? strcspn(rest, " ") : strlen(rest);
        snprintf(line, sizeof line, "%.*s", (int)size, rest);
        rd_drawing_text(drawing, "row", x, at, type, x - 4, line);
        rest += size + (k < lines);
    }
    if (when[0])
        rd_drawing_text(drawing, "when", x, at - 1, WHEN_TYPE, x - 4, when);
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
        const struct rd_history_cell cell = {
            .live = source->read[i],
            .changed = source->overwritten[i],
        };
        char text[RD_VALUE_TEXT_SIZE] = "", later[RD_VALUE_TEXT_SIZE + RD_UTF8_BYTES_MAX];
        if (source->read[i] && !drawing->about->witness)
            rd_cell_text(source->numeric, NULL, 0, source->value[i], text);
        int x = rd_drawing_row_x(drawing, i);
        draw_box(drawing, x, y, &cell, text, "");
        if (source->overwritten[i] && !drawing->about->witness) {
            snprintf(later, sizeof later, "\u2192");
            rd_cell_text(source->numeric, NULL, 0, source->last[i], later + strlen(later));
            rd_drawing_text(drawing, "later", x + 6, y + 13, 11, drawing->wide - 24, later);
        }
    }
    rd_markup_raw(drawing->to, "</g>");
}

/* What a cell of a grid was, as no row shows it: "64→" in its band, where it is no longer than
 * that. */
static enum rd_status draw_was(struct rd_drawing *drawing, size_t index, int x, int y,
                               const struct rd_history_cell *now, struct rd_error *error)
{
    struct rd_history_cell cell;
    char text[RD_PICTURE_TEXT_SIZE], was[RD_PICTURE_TEXT_SIZE + RD_UTF8_BYTES_MAX];
    if (!now->changed || !drawing->was)
        return RD_OK;
    enum rd_status status =
        rd_picture_cell(drawing->history, drawing->frame->before, index, &cell, text, error);
    if (status != RD_OK || !text[0])
        return status;
    const int left = now->wrong ? RD_DRAWING_FLAG : 4;
    const double room = drawing->wide - 4 - left - RD_DRAWING_CORNER;
    snprintf(was, sizeof was, "%s\u2192", text);
    if (RD_DRAWING_LETTER * RD_DRAWING_SMALL * (double)rd_utf8_columns(was) <= room)
        rd_drawing_text(drawing, "was", x + 2 + left, y + 12, RD_DRAWING_SMALL, room, was);
    return RD_OK;
}

enum rd_status rd_drawing_grid(struct rd_drawing *drawing, struct rd_error *error)
{
    size_t k = 0;
    rd_drawing_label(drawing, drawing->y - RD_DRAWING_INDEX - 16, drawing->frame->array, "");
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
                                 RD_DRAWING_LEFT - 12, rd_drawing_grid_y(drawing, k) + 34, i);
            snprintf(more, sizeof more, " data-i=\"%zu\"", i);
            int x = rd_drawing_grid_x(drawing, k), y = rd_drawing_grid_y(drawing, k);
            draw_box(drawing, x, y, &cell, text, more);
            status = draw_was(drawing, i, x, y, &cell, error);
            if (status != RD_OK)
                return status;
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
