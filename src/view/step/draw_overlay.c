// SPDX-License-Identifier: MIT
/* What lies over the screen: the keys, a cell's details, hazards, a thread's accesses. */
#include "view/step/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void draw_text(struct rd_canvas *canvas, const struct rd_step_area *area, size_t from,
                      const char *text)
{
    for (size_t line = 0; *text; line++) {
        size_t length = strcspn(text, "\n");
        if (line >= from && line - from < (size_t)area->height) {
            char copy[512];
            snprintf(copy, sizeof copy, "%.*s", (int)length, text);
            rd_canvas_clip(canvas, area->x, area->y + (int)(line - from), area->x + area->width,
                           copy[0] == '>' ? RD_INK_BOLD : RD_INK_PLAIN, copy);
        }
        text += length + (text[length] == '\n');
    }
}

static void measure(const char *text, size_t *lines, int *columns)
{
    *lines = 0;
    *columns = 0;
    while (*text) {
        char copy[512];
        size_t length = strcspn(text, "\n");
        snprintf(copy, sizeof copy, "%.*s", (int)length, text);
        int width = rd_canvas_columns(copy);
        *columns = width > *columns ? width : *columns;
        ++*lines;
        text += length + (text[length] == '\n');
    }
}

/* Bytes of the line that go into so many columns: up to a space or behind a comma, if there is one. */
static size_t that_fit(const char *line, size_t length, int columns)
{
    size_t size = 0, last = 0;
    for (int column = 0; size < length; column++) {
        if (column == columns)
            return last > 0 ? last : size;
        if (line[size] == ' ')
            last = size;
        do
            size++;
        while (size < length && ((unsigned char)line[size] & 0xC0) == 0x80);
        if (line[size - 1] == ',')
            last = size;
    }
    return length;
}

/* The text with lines of at most so many columns; what is broken goes on behind the labels. The
 * caller frees it. NULL: no memory. */
static char *wrapped(const char *text, int columns)
{
    enum { LABEL = 13 };
    char *copy = NULL;
    size_t size;
    FILE *out = open_memstream(&copy, &size);
    if (!out)
        return NULL;
    for (; *text; text += *text == '\n') {
        size_t length = strcspn(text, "\n"), part = that_fit(text, length, columns);
        fprintf(out, "%.*s\n", (int)part, text);
        for (text += part, length -= part; length > 0; text += part, length -= part) {
            size_t blank = strspn(text, " ");
            blank = blank < length ? blank : length;
            text += blank;
            length -= blank;
            part = that_fit(text, length, columns - LABEL);
            fprintf(out, "%*s%.*s\n", LABEL, "", (int)part, text);
        }
    }
    if (fclose(out) == 0)
        return copy;
    free(copy);
    return NULL;
}

static void draw_frame(struct rd_stepper *stepper, struct rd_canvas *canvas, const char *title,
                       const char *whole)
{
    size_t lines;
    int columns;
    char *text = wrapped(whole, (int)canvas->width - 4);
    if (!text)
        return;
    measure(text, &lines, &columns);
    int width = columns + 4, height = (int)lines + 2, bottom = (int)canvas->height - 1;
    width = width < rd_canvas_columns(title) + 6 ? rd_canvas_columns(title) + 6 : width;
    width = width > (int)canvas->width ? (int)canvas->width : width;
    height = height > bottom ? bottom : height;
    int x = ((int)canvas->width - width) / 2, y = (bottom - height) / 2;
    rd_canvas_frame(canvas, x, y, width, height, RD_INK_PLAIN);
    rd_canvas_print(canvas, x + 2, y, RD_INK_BOLD, " %s ", title);
    size_t shown = (size_t)height - 2, most = lines > shown ? lines - shown : 0;
    if (stepper->scroll > most)
        stepper->scroll = most;
    if (most > 0)
        rd_canvas_print(canvas, x + 2, y + height - 1, RD_INK_DIM, " %zu-%zu of %zu: Down, Up ",
                        stepper->scroll + 1, stepper->scroll + shown, lines);
    const struct rd_step_area area = {x + 2, y + 1, width - 4, height - 2};
    draw_text(canvas, &area, stepper->scroll, text);
    free(text);
}

void rd_step_draw_overlay(struct rd_stepper *stepper, struct rd_canvas *canvas)
{
    char *text = NULL, title[128];
    switch (stepper->overlay) {
    case RD_OVERLAY_NONE:
    case RD_OVERLAY_TRACE: /* stands in the facts' place */
        return;
    case RD_OVERLAY_HELP:
        snprintf(title, sizeof title, "keys");
        text = rd_step_help_text();
        break;
    case RD_OVERLAY_CELL:
        snprintf(title, sizeof title, "%s[%zu]", rd_stepper_frame(stepper)->array, stepper->cell);
        text = rd_stepper_details_text(stepper);
        break;
    case RD_OVERLAY_HAZARDS:
        snprintf(title, sizeof title, "hazards");
        text = rd_stepper_hazards_text(stepper);
        break;
    }
    if (text)
        draw_frame(stepper, canvas, title, text);
    free(text);
}
