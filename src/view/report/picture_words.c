// SPDX-License-Identifier: MIT
/* The words of a picture. They are written after the size of the picture, so that those of a wide
 * one are no smaller when it fills a wall; lines are broken where they would leave it. */
#include "names.h"
#include "view/report/picture_parts.h"
#include "view/summary.h"
#include "view/utf8.h"

#include <stdio.h>
#include <string.h>

enum {
    MARGIN = 16,
    WORDS_MIN = 15, /* letters, in pixels */
    WORDS_MAX = 26,
    ACROSS = 48, /* so many of them on the picture's width, between these */
    NOTE = 18,   /* a line of small letters */
    NOTES_MAX = 4,
    TITLE_SIZE = 1024,
};
/* The letters of a proportional face of 1 pixel are about so wide, and its lines so high. */
#define LETTER 0.56
#define LINE   1.4

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

/* How many bytes of the text the next line takes: words, as many as fit, but one at least. */
static size_t line_bytes(const struct rd_drawing *drawing, const char *text)
{
    size_t room = (size_t)((drawing->width - 2 * MARGIN) / (LETTER * type_of(drawing)));
    size_t bytes = strlen(text), most = rd_utf8_bytes(text, room);
    while (bytes > most) {
        size_t shorter = bytes - 1;
        while (shorter > 0 && text[shorter] != ' ')
            shorter--;
        if (shorter == 0)
            break;
        bytes = shorter;
    }
    return bytes;
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

/* The hazards of the round that has ended here; "" where there is none. */
static const char *hazards_of(const struct rd_drawing *drawing, char text[RD_SENTENCE_SIZE])
{
    const struct rd_frame *frame = drawing->frame;
    text[0] = '\0';
    if (frame->n_hazards == 0)
        return text;
    const char *name = rd_history_hazard(drawing->history, frame->first_hazard)->name;
    if (frame->n_hazards == 1)
        snprintf(text, RD_SENTENCE_SIZE, "hazard: %s", name);
    else
        snprintf(text, RD_SENTENCE_SIZE, "%zu hazards, the first: %s", frame->n_hazards, name);
    return text;
}

static int write_claim(struct rd_drawing *drawing, int y)
{
    const enum rd_verdict verdict = drawing->frame->verdict;
    char text[RD_SENTENCE_SIZE];
    y = write_lines(drawing, "claim", y + type_of(drawing) + 4, drawing->frame->statement, 0);
    rd_markup_format(
        drawing->to, "<text class=\"verdict %s\" x=\"%d\" y=\"%d\" font-size=\"%d\">%s</text>\n",
        rd_picture_verdict(verdict), MARGIN, y, type_of(drawing), rd_verdict_name(verdict));
    y = write_lines(drawing, "reason", y + line_high(drawing), reason_of(drawing, text), 0);
    y = write_lines(drawing, "reason", y, hazards_of(drawing, text), 0);
    return y - type_of(drawing);
}

/* ---- notes ---- */

static bool has_late(const struct rd_flow *flow)
{
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].late)
            return true;
    return false;
}

static bool has_overwritten(const struct rd_flow *flow)
{
    for (unsigned k = 0; k < flow->n_sources; k++)
        for (size_t i = 0; i < flow->sources[k].n; i++)
            if (flow->sources[k].overwritten[i])
                return true;
    return false;
}

struct note {
    const char *sample; /* the sign, about a place 30 wide */
    char text[128];
};

/* The signs that occur here. Of a picture of all rounds, which is drawn in parts that join,
 * none. */
static unsigned notes_of(const struct rd_drawing *drawing, struct note notes[NOTES_MAX])
{
    const struct rd_flow *flow = &drawing->flow;
    unsigned count = 0;
    if (drawing->picture->chained)
        return 0;
    if (has_late(flow))
        notes[count++] = (struct note){
            "<path class=\"sample\" stroke-dasharray=\"7 5\" d=\"M0 -4h30\"/>",
            "read after it was overwritten",
        };
    if (has_overwritten(flow))
        notes[count++] = (struct note){
            "<text class=\"later\" font-size=\"12\">\u2192x</text>",
            "overwritten after it was read; x came last",
        };
    if (drawing->picture->standalone)
        notes[count++] = (struct note){
            "<path class=\"mark\" d=\"M18 -10h-12l12 12z\"/>",
            "changed; !: wrong; dashed box: the claim is not of it",
        };
    if (drawing->picture->standalone && flow->left_out > 0) {
        snprintf(notes[count].text, sizeof notes[count].text,
                 "%zu arrow%s not drawn: too many, or from too long a row", flow->left_out,
                 flow->left_out == 1 ? " is" : "s are");
        notes[count++].sample = "<text class=\"note\">\u2026</text>";
    }
    return count;
}

static void write_notes(struct rd_drawing *drawing, int y)
{
    enum { SAMPLE = 40 };
    struct note notes[NOTES_MAX];
    unsigned count = notes_of(drawing, notes);
    for (unsigned k = 0; k < count; k++) {
        y += NOTE;
        rd_markup_format(
            drawing->to,
            "<g transform=\"translate(%d %d)\">%s<text class=\"note\" x=\"%d\">%s</text></g>\n",
            MARGIN, y, notes[k].sample, SAMPLE, notes[k].text);
    }
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
    struct note notes[NOTES_MAX];
    unsigned count = notes_of(drawing, notes);
    int high = count > 0 ? (int)count * NOTE + 6 : 0, lines = 1;
    if (!drawing->picture->standalone)
        return high;
    lines += lines_of(drawing, drawing->frame->statement);
    lines += lines_of(drawing, reason_of(drawing, text));
    lines += lines_of(drawing, hazards_of(drawing, text));
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
    write_notes(drawing, y);
}
