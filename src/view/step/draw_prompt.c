// SPDX-License-Identifier: MIT
/* A line that is typed, at the bottom of the screen, and below it what is wrong with it:
 *
 *      law: for 0 <= i < w A[i] = a[i]
 *                          ^
 *      ',' or ':' after the ranges expected, and 'A' stands here
 */
#include "view/step/draw.h"

#include <string.h>

/* How much of the line is left of the screen: so much that the cursor is on it. */
static size_t hidden_part(const struct rd_canvas *canvas, const struct rd_step_prompt *prompt)
{
    enum { ROOM_MIN = 8 };
    size_t label = (size_t)rd_canvas_columns(prompt->label);
    size_t room = label + ROOM_MIN < canvas->width ? canvas->width - label - 1 : ROOM_MIN;
    return prompt->cursor > room ? prompt->cursor - room : 0;
}

static struct rd_canvas_area area_of_mistake(const struct rd_canvas *canvas, int y)
{
    enum { ROWS_MAX = 3 };
    return (struct rd_canvas_area){
        .x = 1, .y = y, .end = (int)canvas->width - 1, .rows_max = ROWS_MAX};
}

int rd_step_prompt_rows(struct rd_canvas *canvas, const struct rd_step_prompt *prompt)
{
    const struct rd_canvas_area out_of_sight = area_of_mistake(canvas, (int)canvas->height);
    return prompt->mistake ? 2 + rd_canvas_wrap(canvas, &out_of_sight, RD_INK_BAD, prompt->mistake)
                           : 1;
}

void rd_step_draw_prompt(struct rd_canvas *canvas, const struct rd_step_prompt *prompt)
{
    int width = (int)canvas->width, height = (int)canvas->height;
    int y = height - rd_step_prompt_rows(canvas, prompt);
    size_t hidden = hidden_part(canvas, prompt);
    for (int row = y; row < height; row++)
        rd_canvas_print(canvas, 0, row, RD_INK_PLAIN, "%*s", width, "");
    int start = rd_canvas_print(canvas, 0, y, RD_INK_BOLD, "%s", prompt->label);
    int end = rd_canvas_print(canvas, start, y, RD_INK_BOLD, "%s", prompt->line + hidden);
    if (prompt->line[prompt->cursor] == '\0')
        rd_canvas_print(canvas, end, y, RD_INK_BOLD, "_");
    else
        rd_canvas_reverse(canvas, start + (int)(prompt->cursor - hidden), y, 1);
    if (!prompt->mistake)
        return;
    const struct rd_canvas_area area = area_of_mistake(canvas, y + 2);
    if (prompt->column > hidden)
        rd_canvas_print(canvas, start + (int)(prompt->column - 1 - hidden), y + 1, RD_INK_BAD, "^");
    rd_canvas_wrap(canvas, &area, RD_INK_BAD, prompt->mistake);
}
