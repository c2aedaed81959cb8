// SPDX-License-Identifier: MIT
#include "view/step/canvas.h"

/* By arms: the sum of RD_LINE_…. */
static const uint32_t solid[16] = {
    ' ',    0x2502, 0x2502, 0x2502, 0x2500, 0x2518, 0x2510, 0x2524,
    0x2500, 0x2514, 0x250C, 0x251C, 0x2500, 0x2534, 0x252C, 0x253C,
};

enum { DOTTED_VERTICAL = 0x2506, DOTTED_HORIZONTAL = 0x2504 };

static uint32_t character_of(const struct rd_canvas *canvas, unsigned arms, bool dotted)
{
    bool vertical = (arms & ~(unsigned)(RD_LINE_UP | RD_LINE_DOWN)) == 0;
    bool horizontal = (arms & ~(unsigned)(RD_LINE_LEFT | RD_LINE_RIGHT)) == 0;
    if (canvas->ascii)
        return vertical ? (dotted ? ':' : '|') : dotted ? '.' : horizontal ? '-' : '+';
    if (dotted && vertical)
        return DOTTED_VERTICAL;
    if (dotted && horizontal)
        return DOTTED_HORIZONTAL;
    return solid[arms];
}

void rd_canvas_line(struct rd_canvas *canvas, int x, int y, enum rd_ink ink,
                    enum rd_line_style style, unsigned arms)
{
    struct rd_canvas_cell *cell = rd_canvas_at(canvas, x, y);
    if (!cell || arms == 0)
        return;
    bool dotted = style == RD_STYLE_DOTTED;
    if (cell->arms == 0 || (cell->ink == RD_INK_DIM && ink != RD_INK_DIM))
        cell->ink = ink;
    cell->dotted = dotted && (cell->arms == 0 || cell->dotted);
    cell->arms |= (unsigned char)arms;
    cell->character = character_of(canvas, cell->arms, cell->dotted);
}

void rd_canvas_horizontal(struct rd_canvas *canvas, int from, int to, int y, enum rd_ink ink,
                          enum rd_line_style style)
{
    if (from > to) {
        int swap = from;
        from = to;
        to = swap;
    }
    for (int x = from; x <= to; x++)
        rd_canvas_line(canvas, x, y, ink, style,
                       (x > from ? RD_LINE_LEFT : 0u) | (x < to ? RD_LINE_RIGHT : 0u));
}

void rd_canvas_vertical(struct rd_canvas *canvas, int x, int from, int to, enum rd_ink ink,
                        enum rd_line_style style)
{
    for (int y = from; y <= to; y++)
        rd_canvas_line(canvas, x, y, ink, style,
                       (y > from ? RD_LINE_UP : 0u) | (y < to ? RD_LINE_DOWN : 0u));
}

void rd_canvas_frame(struct rd_canvas *canvas, int x, int y, int width, int height, enum rd_ink ink)
{
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++)
            rd_canvas_put(canvas, x + column, y + row, RD_INK_PLAIN, ' ');
    rd_canvas_horizontal(canvas, x, x + width - 1, y, ink, RD_STYLE_SOLID);
    rd_canvas_horizontal(canvas, x, x + width - 1, y + height - 1, ink, RD_STYLE_SOLID);
    rd_canvas_vertical(canvas, x, y, y + height - 1, ink, RD_STYLE_SOLID);
    rd_canvas_vertical(canvas, x + width - 1, y, y + height - 1, ink, RD_STYLE_SOLID);
}
