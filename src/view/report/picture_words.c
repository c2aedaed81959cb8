// SPDX-License-Identifier: MIT
/* The words of a picture of its own. They are written after the size of the picture, so that those
 * of a wide one are no smaller when it fills a wall; lines are broken where they would leave it. */
#include "view/parts.h"
#include "view/report/picture_parts.h"
#include "reductio/summary.h"

#include <stdio.h>
#include <string.h>

enum {
    MARGIN = 16,
    WORDS_MIN = 15, /* letters, in pixels */
    WORDS_MAX = 26,
    ACROSS = 48, /* so many of them on the picture's width, between these */
    TITLE_SIZE = 1024,
};
/* The lines of a proportional face of 1 pixel are about so high. */
#define LINE 1.4

/* ---- lines ---- */

static int type_of(const struct rd_drawing *drawing)
{
    int type = drawing->width / ACROSS;
    return type < WORDS_MIN ? WORDS_MIN : type > WORDS_MAX ? WORDS_MAX : type;
}

static int line_high(const struct rd_drawing *drawing)
{
    return (int)(LINE * type_of(drawing));
}

static size_t line_bytes(const struct rd_drawing *drawing, const char *text)
{
    return rd_drawing_line(text, drawing->width - 2 * MARGIN, type_of(drawing));
}

static int lines_of(const struct rd_drawing *drawing, const char *text)
{
    int lines = 0;
    for (; *text; lines++) {
        text += line_bytes(drawing, text);
        text += strspn(text, " ");
    }
    return lines;
}

/* The first `strong` bytes, of the first line, are bold. Returns the next line's y. */
static int write_lines(struct rd_drawing *drawing, const char *class, int y, const char *text,
                       size_t strong)
{
    struct rd_markup *to = drawing->to;
    for (; *text; y += line_high(drawing), strong = 0) {
        size_t bytes = line_bytes(drawing, text);
        size_t first = strong < bytes ? strong : bytes;
        rd_markup_format(to, "<text class=\"%s\" x=\"%d\" y=\"%d\" font-size=\"%d\">", class,
                         MARGIN, y, type_of(drawing));
        if (first > 0) {
            rd_markup_raw(to, "<tspan class=\"strong\">");
            rd_markup_text_of(to, text, first);
            rd_markup_raw(to, "</tspan>");
        }
        rd_markup_text_of(to, text + first, bytes - first);
        rd_markup_raw(to, "</text>\n");
        text += bytes;
        text += strspn(text, " ");
    }
    return y;
}

/* ---- of a file of its own ---- */

static const char *title_of(const struct rd_drawing *drawing, char title[TITLE_SIZE])
{
    char what[TITLE_SIZE / 2];
    rd_picture_title(drawing->history, drawing->number, what, sizeof what);
    snprintf(title, TITLE_SIZE, "%s of %zu, %s", drawing->about->program->name,
             drawing->about->shape.n, what);
    return title;
}

/* What is wrong with the step; "" where nothing is. */
static const char *reason_of(const struct rd_drawing *drawing, char text[RD_SENTENCE_SIZE])
{
    text[0] = '\0';
    if (drawing->frame->violated && !drawing->about->witness)
        rd_violation_text(&drawing->frame->violation, drawing->about->numeric, text);
    return text;
}

static int write_claim(struct rd_drawing *drawing, int y)
{
    const enum rd_verdict verdict = drawing->frame->verdict;
    const struct rd_step_foot foot = rd_frame_foot(drawing->about, drawing->frame);
    char text[RD_SENTENCE_SIZE];
    y = write_lines(drawing, "claim", y + type_of(drawing) + 4, drawing->frame->statement, 0);
    rd_markup_format(drawing->to,
                     "<text class=\"verdict %s\" x=\"%d\" y=\"%d\" font-size=\"%d\">%s%s</text>\n",
                     rd_picture_verdict(verdict), MARGIN, y, type_of(drawing),
                     rd_verdict_name(verdict), rd_asserted_how(&foot));
    y = write_lines(drawing, "reason", y + line_high(drawing), reason_of(drawing, text), 0);
    y = write_lines(drawing, "reason", y,
                    rd_picture_hazards(drawing->history, drawing->number, text), 0);
    return y - type_of(drawing);
}

/* ---- the whole ---- */

int rd_drawing_words_begin(const struct rd_drawing *drawing)
{
    char title[TITLE_SIZE];
    return 20 + lines_of(drawing, title_of(drawing, title)) * line_high(drawing);
}

int rd_drawing_words_high(const struct rd_drawing *drawing)
{
    char text[RD_SENTENCE_SIZE];
    int lines = 1;
    int high =
        drawing->picture->chained ? 0 : rd_picture_notes_high(&drawing->signs, drawing->width);
    if (!drawing->picture->standalone)
        return high;
    lines += lines_of(drawing, drawing->frame->statement);
    lines += lines_of(drawing, reason_of(drawing, text));
    lines += lines_of(drawing, rd_picture_hazards(drawing->history, drawing->number, text));
    return high + lines * line_high(drawing) + 14;
}

void rd_drawing_words(struct rd_drawing *drawing)
{
    int y = drawing->y_words;
    if (drawing->picture->standalone) {
        char title[TITLE_SIZE];
        write_lines(drawing, "title", 12 + type_of(drawing), title_of(drawing, title),
                    strlen(drawing->about->program->name));
        y = write_claim(drawing, y);
    }
    if (!drawing->picture->chained)
        rd_picture_notes(&drawing->signs, drawing->to, y, drawing->width);
}
