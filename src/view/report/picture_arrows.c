// SPDX-License-Identifier: MIT
#include "view/report/picture_parts.h"

#include <math.h>

static void draw_head(struct rd_drawing *drawing, double x, double y, double angle)
{
    enum { LONG = 9 };
    const double half = 0.42;
    rd_markup_format(drawing->to, "M%.1f %.1fL%.1f %.1fL%.1f %.1fz", x, y,
                     x - LONG * cos(angle - half), y - LONG * sin(angle - half),
                     x - LONG * cos(angle + half), y - LONG * sin(angle + half));
}

static void begin_arrow(struct rd_drawing *drawing, const struct rd_flow_arrow *arrow)
{
    rd_markup_format(
        drawing->to,
        "<g class=\"arrow%s\" data-t=\"%llu.%u\" data-from=\"%u.%zu\" data-to=\"%zu\">",
        arrow->late ? " late" : "", (unsigned long long)arrow->block, arrow->thread, arrow->source,
        arrow->from, arrow->to);
}

/* From the row that was read down to the array. */
static void draw_fall(struct rd_drawing *drawing, const struct rd_flow_arrow *arrow)
{
    int x1 = rd_drawing_row_x(drawing, arrow->from) + drawing->wide / 2;
    int x2 = rd_drawing_row_x(drawing, arrow->to) + drawing->wide / 2;
    int y1 = (arrow->source ? drawing->y_source[arrow->source - 1] : drawing->y_before) +
             RD_DRAWING_HIGH;
    int y2 = drawing->y - 2;
    int bend = (drawing->y - y1) / 2;
    begin_arrow(drawing, arrow);
    rd_markup_format(drawing->to,
                     "<path class=\"line\" pathLength=\"1\" d=\"M%d %dC%d %d %d %d %d %d\"/>"
                     "<path class=\"head\" d=\"",
                     x1, y1, x1, y1 + bend, x2, y2 - bend - 6, x2, y2 - 6);
    draw_head(drawing, x2, y2, 1.5707963);
    rd_markup_raw(drawing->to, "\"/></g>\n");
}

/* From cell to cell of a grid. A cell that a thread adds to has none to itself. */
static void draw_jump(struct rd_drawing *drawing, const struct rd_flow_arrow *arrow)
{
    size_t from, to;
    if (arrow->from == arrow->to || !rd_drawing_rank(&drawing->shown, arrow->from, &from) ||
        !rd_drawing_rank(&drawing->shown, arrow->to, &to))
        return;
    double x1 = rd_drawing_grid_x(drawing, from) + drawing->wide / 2.0;
    double y1 = rd_drawing_grid_y(drawing, from) + RD_DRAWING_HIGH / 2.0;
    double x2 = rd_drawing_grid_x(drawing, to) + drawing->wide / 2.0;
    double y2 = rd_drawing_grid_y(drawing, to) + RD_DRAWING_HIGH / 2.0;
    double dx = x2 - x1, dy = y2 - y1, far = hypot(dx, dy);
    double bend = far < 160 ? 0.3 : 48 / far;
    double mx = (x1 + x2) / 2 + dy * bend, my = (y1 + y2) / 2 - dx * bend;
    double angle = atan2(y2 - my, x2 - mx);
    x2 -= 13 * cos(angle);
    y2 -= 13 * sin(angle);
    begin_arrow(drawing, arrow);
    rd_markup_format(drawing->to,
                     "<path class=\"line\" pathLength=\"1\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>"
                     "<path class=\"head\" d=\"",
                     x1, y1, mx, my, x2, y2);
    draw_head(drawing, x2, y2, angle);
    rd_markup_raw(drawing->to, "\"/></g>\n");
}

void rd_drawing_arrows(struct rd_drawing *drawing)
{
    rd_markup_format(drawing->to, "<g class=\"arrows%s\">",
                     drawing->flow.count > 64 ? " many" : "");
    for (size_t k = 0; k < drawing->flow.count; k++)
        if (drawing->in_row)
            draw_fall(drawing, &drawing->flow.arrows[k]);
        else
            draw_jump(drawing, &drawing->flow.arrows[k]);
    rd_markup_raw(drawing->to, "</g>");
}
