// SPDX-License-Identifier: MIT
#include "reductio/sources.h"
#include "view/parts.h"
#include "view/step/draw.h"

#include <stdio.h>
#include <string.h>

/* The first line to show: the marked one is in the middle, and the part fills the rows. */
static unsigned first_line(const struct rd_source *source, unsigned line, unsigned rows)
{
    unsigned last_start = source->last + 1 > rows ? source->last + 1 - rows : 1;
    if (last_start < source->first)
        last_start = source->first;
    unsigned start = line > rows / 2 ? line - rows / 2 : 1;
    if (line == 0)
        start = source->first;
    start = start > last_start ? last_start : start;
    return start < source->first ? source->first : start;
}

static void draw_line(struct rd_canvas *canvas, const struct rd_step_area *area, int row,
                      const struct rd_source *source, unsigned number, bool marked)
{
    size_t length;
    char text[256];
    const char *line = rd_source_line(source->text, number, &length);
    if (!line)
        return;
    enum rd_ink ink = marked ? RD_INK_BOLD : RD_INK_PLAIN;
    int x = rd_canvas_print(canvas, area->x, area->y + row, marked ? ink : RD_INK_DIM, "%s%4u ",
                            marked ? "▶" : " ", number);
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    text[strcspn(text, "\r")] = '\0';
    rd_canvas_clip(canvas, x, area->y + row, area->x + area->width, ink, text);
}

int rd_step_draw_source(struct rd_stepper *stepper, struct rd_canvas *canvas,
                        const struct rd_step_area *area)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    const struct rd_frame *of = frame;
    const struct rd_access *ran = rd_stepper_ran(stepper);
    unsigned line = ran ? ran->line : 0;
    /* Before the first round, what it will run. */
    if (of->kernel[0] == '\0' && rd_history_frames(stepper->history) > 1)
        of = rd_history_frame(stepper->history, 1);
    const char *kernel = of->kernel;
    const struct rd_source *source = rd_stepper_source(ran, kernel);
    if (area->height < 2)
        return 0;
    rd_canvas_horizontal(canvas, area->x, area->x + area->width - 1, area->y, RD_INK_DIM,
                         RD_STYLE_SOLID);
    if (!source) {
        rd_canvas_print(canvas, area->x + 2, area->y, RD_INK_DIM, " no kernel ");
        return 1;
    }
    bool own = strcmp(source->name, kernel) == 0;
    char names[RD_KERNEL_NAMES_SIZE], title[320];
    rd_kernel_names_text(kernel, &of->round, names);
    snprintf(title, sizeof title, " %s: %s%s%s%s ", source->path, own ? "" : "called by ", kernel,
             names[0] ? "; " : "", names);
    rd_canvas_clip(canvas, area->x + 2, area->y, area->x + area->width, RD_INK_DIM, title);
    unsigned rows = (unsigned)area->height - 1, first = first_line(source, line, rows);
    unsigned row = 0;
    for (; row < rows && first + row <= source->last; row++)
        draw_line(canvas, area, (int)row + 1, source, first + row, first + row == line);
    return (int)row + 1;
}
