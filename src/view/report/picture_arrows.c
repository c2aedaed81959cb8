// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"

#include <math.h>

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

/* Where an arrow goes, but for its head, and how far down it is pulled at its ends. */
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

/* How often, where it was more than once. */
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

/* What has no row is told over the cell that it went to: its first, and how many more. Names of
 * neighbours have two heights. */
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
    rd_drawing_text(drawing, "far", x, y - HIGH - 5 - (to % 2 ? NAME_TYPE + 3 : 0), NAME_TYPE,
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
