// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- overview ---- */

/* Bars of an overview, and cells that are looked at in a longer one. */
enum { BUCKETS_MAX = 128, LOOKS_MAX = 2048 };

/* A bar for so many neighbours, and what is to be seen in it. */
struct bucket {
    size_t changed, wrong;
    bool live;
};

static enum rd_status look(struct rd_drawing *drawing, size_t first, size_t end,
                           struct bucket *bucket, struct rd_error *error)
{
    size_t stride = (end - first + LOOKS_MAX - 1) / LOOKS_MAX;
    for (size_t i = first; i < end; i += stride) {
        struct rd_history_cell cell;
        enum rd_status status = rd_history_cell(drawing->history, drawing->number, i, &cell, error);
        if (status != RD_OK)
            return status;
        bucket->changed += cell.changed;
        bucket->wrong += cell.wrong;
    }
    const struct rd_frame *frame = drawing->frame;
    bucket->live = rd_claim_has_any(&frame->claim, first, end);
    if (frame->violated && frame->violation.cell >= first && frame->violation.cell < end)
        bucket->wrong += bucket->wrong == 0;
    return RD_OK;
}

static void drawing_label(struct rd_drawing *drawing, int y, const char *name, const char *when);

enum rd_status rd_drawing_overview(struct rd_drawing *drawing, struct rd_error *error)
{
    enum { BAR_HIGH = 26 };
    size_t n = drawing->frame->n_cells, each = (n + BUCKETS_MAX - 1) / BUCKETS_MAX;
    int y = drawing->picture->standalone ? rd_drawing_words_begin(drawing) : 8;
    double wide = (double)(drawing->width - RD_DRAWING_LEFT - RD_DRAWING_RIGHT) / BUCKETS_MAX;
    drawing_label(drawing, y - 10, "all", "");
    rd_markup_format(drawing->to, "<g class=\"overview\">");
    for (size_t first = 0, k = 0; first < n; first += each, k++) {
        size_t end = n - first < each ? n : first + each;
        struct bucket bucket = {0};
        enum rd_status status = look(drawing, first, end, &bucket, error);
        if (status != RD_OK)
            return status;
        rd_markup_format(drawing->to,
                         "<rect class=\"%s%s%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\">"
                         "<title>%zu to %zu</title></rect>",
                         bucket.live ? "live" : "dead", bucket.changed ? " changed" : "",
                         bucket.wrong ? " wrong" : "", RD_DRAWING_LEFT + wide * (double)k, y,
                         wide - 0.8, BAR_HIGH, first, end - 1);
    }
    rd_markup_format(drawing->to,
                     "</g><text class=\"note\" x=\"%d\" y=\"%d\">%zu cells, %zu a bar%s; %zu of "
                     "them below</text>",
                     RD_DRAWING_LEFT, y + BAR_HIGH + 18, n, each,
                     each > LOOKS_MAX ? ", not all looked at" : "",
                     rd_drawing_count(&drawing->shown));
    return RD_OK;
}

/* ---- arrows ---- */

enum {
    LONG = 9, /* a head */
    HUES = 4,
    MANY = 64,
    LANES = 8, /* beside each other in a column of a grid */
    SIDE = 6,  /* of arrows within its row: from the middle of a cell */
    DASH = 7,  /* of what was read late; */
    GAP = 5,
    DOT = 2, /* of what came through registers */
    DOT_GAP = 4,
};

/* Path of an arrow without its head, and how far down it is pulled at its ends. */
struct arrow_path {
    double x1, y1, x2, y2;
    double bend1, bend2;
};

unsigned rd_drawing_hue(const struct rd_drawing *drawing, size_t to)
{
    if (drawing->flow.count <= RD_DRAWING_ONE_HUE_MAX)
        return 0;
    return (unsigned)(to + to / (size_t)drawing->columns) % HUES;
}

/* The head continues the line, which ends upright. */
static void draw_head(struct rd_drawing *drawing, double x, double y, bool down)
{
    rd_markup_format(drawing->to, "M%.1f %.1fm-4 0h8l-4 %dz", x, y, down ? LONG : -LONG);
}

/* Writes the arrow's count beside it, if more than 1. */
static void draw_times(struct rd_drawing *drawing, const struct rd_flow_arrow *arrow, double x,
                       double y)
{
    enum { TIMES_TYPE = 12 };
    if (arrow->times > 1)
        rd_markup_format(drawing->to,
                         "<text class=\"times\" x=\"%.1f\" y=\"%.1f\" font-size=\"%d\">%u\u00d7"
                         "</text>",
                         x, y, TIMES_TYPE, arrow->times);
}

/* In pages dashes are told in parts of about its length, as they draw it bit by bit; programs that
 * show files may not know that measure. */
static void draw_arrow(struct rd_drawing *drawing, const struct rd_flow_arrow *arrow,
                       const struct arrow_path *path)
{
    struct rd_markup *to = drawing->to;
    const bool in_page = !drawing->picture->standalone && !drawing->picture->chained;
    const int dash = arrow->late ? DASH : DOT, gap = arrow->late ? GAP : DOT_GAP;
    double far = 1.1 * hypot(path->x2 - path->x1, path->y2 - path->y1);
    rd_markup_format(to, "<g class=\"arrow a%u%s%s\" data-t=\"%llu.%u\" data-from=\"%u.%zu\" ",
                     rd_drawing_hue(drawing, arrow->to), arrow->late ? " late" : "",
                     arrow->through ? " through" : "", (unsigned long long)arrow->block,
                     arrow->thread, arrow->source, arrow->from);
    rd_markup_format(to, "data-to=\"%zu\"><path class=\"line\"%s", arrow->to,
                     in_page ? " pathLength=\"1\"" : "");
    if ((arrow->late || arrow->through) && in_page)
        rd_markup_format(to, " stroke-dasharray=\"%.3f %.3f\"", dash / far, gap / far);
    else if (arrow->late || arrow->through)
        rd_markup_format(to, " stroke-dasharray=\"%d %d\"", dash, gap);
    rd_markup_format(to, " d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>", path->x1, path->y1,
                     path->x1, path->y1 + path->bend1, path->x2, path->y2 + path->bend2, path->x2,
                     path->y2);
    rd_markup_raw(to, "<path class=\"head\" d=\"");
    draw_head(drawing, path->x2, path->y2, path->bend2 < 0);
    rd_markup_raw(to, "\"/>");
    draw_times(drawing, arrow, (path->x1 + path->x2) / 2 + 6,
               (path->y1 + path->y2) / 2 + (path->bend1 + path->bend2) * 0.375);
    rd_markup_raw(to, "</g>\n");
}

static void drawing_text(struct rd_drawing *drawing, const char *class, int x, int y, int type,
                         double room, const char *text);

/* Names the sources that have no row over the cell that they went to: the first, and how many more. Names of neighbours
 * have two heights. */
static void draw_far(struct rd_drawing *drawing, size_t to)
{
    enum { HIGH = 22, NAME_TYPE = 12 };
    const struct rd_flow_far *far = &drawing->flow.far[to];
    char name[128];
    if (far->count == 0)
        return;
    int length = snprintf(name, sizeof name, "%s[%zu]", far->array, far->from);
    if (far->count > 1 && length < (int)sizeof name)
        snprintf(name + length, sizeof name - (size_t)length, " + %zu", far->count - 1);
    const bool alone = drawing->frame->n_cells == 1;
    const int x = rd_drawing_row_x(drawing, to) + drawing->wide / 2, y = drawing->y - LONG - 2;
    rd_markup_format(drawing->to, "<g class=\"key a0\"><path class=\"line\" d=\"M%d %dv%d\"/>", x,
                     y - HIGH, HIGH);
    rd_markup_raw(drawing->to, "<path class=\"head\" d=\"");
    draw_head(drawing, x, y, true);
    rd_markup_raw(drawing->to, "\"/>");
    drawing_text(drawing, "far", x, y - HIGH - 5 - (to % 2 ? NAME_TYPE + 3 : 0), NAME_TYPE,
                 alone ? 2.0 * (RD_DRAWING_LEFT + drawing->wide / 2) : 2.0 * drawing->wide - 6,
                 name);
    rd_markup_raw(drawing->to, "</g>\n");
}

/* From the row that was read down to the array. */
static void draw_fall(struct rd_drawing *drawing, const struct rd_flow_arrow *arrow)
{
    double y1 = (arrow->source ? drawing->y_source[arrow->source - 1] : drawing->y_before) +
                RD_DRAWING_HIGH;
    double y2 = drawing->y - LONG - 2, half = drawing->wide / 2.0;
    draw_arrow(drawing, arrow,
               &(struct arrow_path){
                   .x1 = rd_drawing_row_x(drawing, arrow->from) + half,
                   .y1 = y1,
                   .x2 = rd_drawing_row_x(drawing, arrow->to) + half,
                   .y2 = y2,
                   .bend1 = (y2 - y1) / 2,
                   .bend2 = (y1 - y2) / 2,
               });
}

/* From cell to cell of a grid, behind the boxes between them: it is seen in the gaps. Arrows
 * between rows keep to lanes, so that those of neighbouring rows run side by side; arrows within a
 * row swing through the gap below it. A cell that a thread adds to has none to itself: only how
 * often, where that is told. */
static void draw_jump(struct rd_drawing *drawing, const struct rd_flow_arrow *arrow)
{
    size_t from, to, columns = (size_t)drawing->columns;
    if (!rd_drawing_rank(&drawing->shown, arrow->from, &from) ||
        !rd_drawing_rank(&drawing->shown, arrow->to, &to))
        return;
    if (from == to) {
        draw_times(drawing, arrow, rd_drawing_grid_x(drawing, to) + 6,
                   rd_drawing_grid_y(drawing, to) + RD_DRAWING_HIGH + 13);
        return;
    }
    bool level = from / columns == to / columns, up = from / columns > to / columns;
    double half = drawing->wide / 2.0, swing = 0.4 * drawing->gap;
    double aside = ((double)(to / columns % LANES) - (LANES - 1) / 2.0) * (half - 8) / LANES * 2;
    if (level)
        aside = from > to ? -SIDE : SIDE;
    struct arrow_path path = {
        .x1 = rd_drawing_grid_x(drawing, from) + half + aside,
        .y1 = rd_drawing_grid_y(drawing, from) + (level || !up ? RD_DRAWING_HIGH : 0),
        .x2 = rd_drawing_grid_x(drawing, to) + half + (level ? -aside : aside),
        .y2 =
            rd_drawing_grid_y(drawing, to) + (level || up ? RD_DRAWING_HIGH + LONG + 1 : -LONG - 1),
    };
    path.bend1 = level ? swing + LONG : (path.y2 - path.y1) / 3;
    path.bend2 = level ? swing : -path.bend1;
    draw_arrow(drawing, arrow, &path);
}

void rd_drawing_arrows(struct rd_drawing *drawing)
{
    rd_markup_format(drawing->to, "<g class=\"arrows%s\">",
                     drawing->flow.count > MANY ? " many" : "");
    for (size_t k = 0; k < drawing->flow.count; k++)
        if (drawing->in_row)
            draw_fall(drawing, &drawing->flow.arrows[k]);
        else
            draw_jump(drawing, &drawing->flow.arrows[k]);
    if (rd_drawing_has_far(drawing))
        for (size_t k = 0; k < drawing->frame->n_cells; k++)
            draw_far(drawing, k);
    rd_markup_raw(drawing->to, "</g>");
}

/* ---- boxes ---- */

enum { TYPE_MIN = RD_DRAWING_SMALL }; /* smaller letters can't be read */

static void drawing_text(struct rd_drawing *drawing, const char *class, int x, int y, int type,
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
    drawing_text(drawing, "v", x + wide / 2, y + 34, drawing->type, wide - 8, text);
    rd_markup_raw(to, "</g>\n");
}

/* A name of several words has a line for each. */
static void drawing_label(struct rd_drawing *drawing, int y, const char *name, const char *when)
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
        drawing_text(drawing, "row", x, at, type, x - 4, line);
        rest += size + (k < lines);
    }
    if (when[0])
        drawing_text(drawing, "when", x, at - 1, WHEN_TYPE, x - 4, when);
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
    drawing_label(drawing, y, source->name, when);
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
            drawing_text(drawing, "later", x + 6, y + 13, 11, drawing->wide - 24, later);
        }
    }
    rd_markup_raw(drawing->to, "</g>");
}

/* A cell of a grid. */
struct grid_cell {
    size_t index;
    struct rd_history_cell now;
    char text[RD_PICTURE_TEXT_SIZE], was[RD_PICTURE_TEXT_SIZE]; /* "" for none */
};

/* Fills in the cells, and then what the changed ones held before: one frame after the other, as going between them may
 * cost a run. */
static enum rd_status find_grid(const struct rd_drawing *drawing, struct grid_cell *cells,
                                struct rd_error *error)
{
    enum rd_status status = RD_OK;
    size_t n = 0;
    for (unsigned run = 0; run < drawing->shown.n; run++)
        for (size_t j = 0; j < drawing->shown.run[run].count && status == RD_OK; j++) {
            struct grid_cell *cell = &cells[n++];
            cell->index = drawing->shown.run[run].first + j;
            status = rd_picture_cell(drawing->history, drawing->number, cell->index, &cell->now,
                                     cell->text, error);
        }
    for (size_t k = 0; k < n && drawing->was && status == RD_OK; k++) {
        struct rd_history_cell before;
        if (cells[k].now.changed)
            status = rd_picture_cell(drawing->history, drawing->frame->before, cells[k].index,
                                     &before, cells[k].was, error);
    }
    return status;
}

/* Writes the value that a cell of a grid had before, which no row shows, where its band has room: "64\u2192". */
static void draw_was(struct rd_drawing *drawing, const struct grid_cell *cell, int x, int y)
{
    char was[RD_PICTURE_TEXT_SIZE + RD_UTF8_BYTES_MAX];
    if (!cell->was[0])
        return;
    const int left = cell->now.wrong ? RD_DRAWING_FLAG : 4;
    const double room = drawing->wide - 4 - left - RD_DRAWING_CORNER;
    snprintf(was, sizeof was, "%s\u2192", cell->was);
    if (RD_DRAWING_LETTER * RD_DRAWING_SMALL * (double)rd_utf8_columns(was) <= room)
        drawing_text(drawing, "was", x + 2 + left, y + 12, RD_DRAWING_SMALL, room, was);
}

static void draw_grid(struct rd_drawing *drawing, const struct grid_cell *cells)
{
    drawing_label(drawing, drawing->y - RD_DRAWING_INDEX - 16, drawing->frame->array, "");
    for (int column = 0; column < drawing->columns; column++)
        rd_markup_format(drawing->to, "<text class=\"index\" x=\"%d\" y=\"%d\">+%d</text>",
                         rd_drawing_row_x(drawing, (size_t)column) + drawing->wide / 2,
                         drawing->y - 8, column);
    rd_markup_raw(drawing->to, "<g class=\"after\">");
    for (size_t k = 0; k < rd_drawing_count(&drawing->shown); k++) {
        char more[48];
        if (k % (size_t)drawing->columns == 0)
            rd_markup_format(drawing->to, "<text class=\"row\" x=\"%d\" y=\"%d\">%zu</text>",
                             RD_DRAWING_LEFT - 12, rd_drawing_grid_y(drawing, k) + 34,
                             cells[k].index);
        snprintf(more, sizeof more, " data-i=\"%zu\"", cells[k].index);
        const int x = rd_drawing_grid_x(drawing, k), y = rd_drawing_grid_y(drawing, k);
        draw_box(drawing, x, y, &cells[k].now, cells[k].text, more);
        draw_was(drawing, &cells[k], x, y);
    }
    rd_markup_raw(drawing->to, "</g>");
}

enum rd_status rd_drawing_grid(struct rd_drawing *drawing, struct rd_error *error)
{
    struct grid_cell *cells = calloc(rd_drawing_count(&drawing->shown) + 1, sizeof *cells);
    if (!cells)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the picture");
    enum rd_status status = find_grid(drawing, cells, error);
    if (status == RD_OK)
        draw_grid(drawing, cells);
    free(cells);
    return status;
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
        drawing_label(drawing, drawing->y_before, drawing->frame->array, "before");
        status = draw_row(drawing, drawing->frame->before, drawing->y_before, true, error);
    }
    bool two = drawing->before && !drawing->chained;
    drawing_label(drawing, drawing->y, drawing->frame->array, two ? "after" : "");
    if (status == RD_OK)
        status = draw_row(drawing, drawing->number, drawing->y, false, error);
    return status;
}
