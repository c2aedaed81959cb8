// SPDX-License-Identifier: MIT
#include "view/last_line.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 4 };

static void say(struct rd_last_line *line, const char *text)
{
    if (line->wrapped)
        line->column = rd_paint_flow(line->paint, RD_INK_PLAIN, line->column, INDENT, text);
    else
        fprintf(line->paint->out, " %s", text);
}

struct rd_last_line rd_last_line_begin(const struct rd_paint *paint, bool wrapped,
                                       enum rd_verdict verdict, const char *text)
{
    size_t word = strcspn(text, " ");
    struct rd_last_line line = {.paint = paint, .wrapped = wrapped, .column = word};
    rd_paint_print(paint, rd_paint_verdict(verdict), "%.*s", (int)word, text);
    if (text[word])
        say(&line, text + word + 1);
    return line;
}

void rd_last_line_add(struct rd_last_line *line, const char *text)
{
    fputc(';', line->paint->out);
    line->column++;
    say(line, text);
}

void rd_last_line_end(const struct rd_last_line *line)
{
    fputc('\n', line->paint->out);
}
