// SPDX-License-Identifier: MIT
/* Words around a picture, and its notes. */
#include "view/parts.h"
#include "view/report/picture_parts.h"
#include "reductio/summary.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* ---- words ---- */

/* The words of a picture of its own. They are written after the size of the picture, so that those
 * of a wide one are no smaller when it fills a wall; lines are broken where they would leave it. */

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

static size_t drawing_line(const char *text, int room, int type);

static size_t line_bytes(const struct rd_drawing *drawing, const char *text)
{
    return drawing_line(text, drawing->width - 2 * MARGIN, type_of(drawing));
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

/* The reason why a step is wrong; "" where it isn't. */
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
    char text[RD_SENTENCE_SIZE], how[RD_HOW_SIZE];
    y = write_lines(drawing, "claim", y + type_of(drawing) + 4, drawing->frame->statement, 0);
    rd_markup_format(drawing->to,
                     "<text class=\"verdict %s\" x=\"%d\" y=\"%d\" font-size=\"%d\">%s%s</text>\n",
                     rd_picture_verdict(verdict), MARGIN, y, type_of(drawing),
                     rd_verdict_name(verdict), rd_asserted_how(&foot, how));
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

/* ---- notes ---- */

/* The key to a picture, and what it lacks: small letters below it, broken where they would leave it. */

enum {
    SAMPLE = 40, /* where the words begin behind the sign */
    TYPE = 12,   /* as in picture.css */
    LINE_HIGH = 18,
    NOTES_MAX = 12,
};
/* The letters of a proportional face of 1 pixel are about so wide. */
#define LETTER 0.56

/* Returns the bytes of the text's next line, in a proportional face of `type` pixels: words,
 * as many as fit in the room, but one at least. */
static size_t drawing_line(const char *text, int room, int type)
{
    size_t bytes = strlen(text), most = rd_utf8_bytes(text, (size_t)(room / (LETTER * type)));
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

/* ---- the signs ---- */

static bool has_late_arrow(const struct rd_flow *flow)
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

static bool has_times(const struct rd_flow *flow)
{
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].times > 1)
            return true;
    return false;
}

static bool has_hues(const struct rd_drawing *drawing)
{
    const struct rd_flow *flow = &drawing->flow;
    for (size_t k = 1; k < flow->count; k++)
        if (rd_drawing_hue(drawing, flow->arrows[k].to) !=
            rd_drawing_hue(drawing, flow->arrows[0].to))
            return true;
    return false;
}

/* Arrows from arrays without a row that are drawn after all: the first to a cell. */
static size_t far_drawn(const struct rd_drawing *drawing)
{
    size_t count = 0;
    for (size_t k = 0; k < RD_FLOW_ROW_MAX; k++)
        count += drawing->flow.far[k].count > 0;
    return rd_drawing_has_far(drawing) ? count : 0;
}

static bool has_passing_arrow(const struct rd_flow *flow)
{
    for (size_t k = 0; k < flow->count; k++)
        if (flow->arrows[k].through)
            return true;
    return false;
}

void rd_drawing_signs(const struct rd_drawing *drawing, struct rd_picture_signs *signs)
{
    const struct rd_flow *flow = &drawing->flow;
    *signs = (struct rd_picture_signs){
        .late = has_late_arrow(flow),
        .overwritten = has_overwritten(flow),
        .times = has_times(flow),
        .hues = has_hues(drawing),
        .was = drawing->was,
        .marks = drawing->picture->standalone || drawing->picture->chained,
        .through = has_passing_arrow(flow),
        .sources = flow->n_sources > 0,
        .floats = drawing->picture->standalone || drawing->picture->chained
                      ? rd_float_text(drawing->about->program, drawing->about->numeric)
                      : "",
        .too_long = flow->too_long - far_drawn(drawing),
        .too_many = flow->too_many,
        .no_row = flow->no_row,
        .unseen = flow->unseen,
    };
}

void rd_picture_signs_add(struct rd_picture_signs *all, const struct rd_picture_signs *signs)
{
    all->late |= signs->late;
    all->overwritten |= signs->overwritten;
    all->times |= signs->times;
    all->hues |= signs->hues;
    all->was |= signs->was;
    all->marks |= signs->marks;
    all->through |= signs->through;
    all->sources |= signs->sources;
    all->floats = signs->floats;
    all->too_long += signs->too_long;
    all->too_many += signs->too_many;
    all->no_row += signs->no_row;
    all->unseen += signs->unseen;
}

/* ---- their words ---- */

struct note {
    const char *sample; /* the sign, about a place 30 wide */
    char text[160];
};

struct notes {
    unsigned count;
    struct note note[NOTES_MAX];
};

static void add(struct notes *notes, const char *sample, const char *text)
{
    struct note *note = &notes->note[notes->count++];
    note->sample = sample;
    snprintf(note->text, sizeof note->text, "%s", text);
}

static void add_lack(struct notes *notes, size_t count, const char *why)
{
    if (count == 0)
        return;
    struct note *note = &notes->note[notes->count++];
    note->sample = "<text class=\"note\">\u2026</text>";
    snprintf(note->text, sizeof note->text, "%zu arrow%s not drawn: %s", count,
             count == 1 ? " is" : "s are", why);
}

static void find_notes(const struct rd_picture_signs *signs, struct notes *notes)
{
    notes->count = 0;
    if (signs->late)
        add(notes, "<path class=\"sample\" stroke-dasharray=\"7 5\" d=\"M0 -4h30\"/>",
            "read after it was overwritten");
    if (signs->overwritten)
        add(notes, "<text class=\"later\" font-size=\"12\">\u2192x</text>",
            "overwritten after it was read; x came last");
    if (signs->marks)
        add(notes, "<path class=\"mark\" d=\"M18 -10h-12l12 12z\"/>",
            signs->sources ? "changed; !: wrong; dashed box: the claim is not of it, or, in "
                             "another array, it was not read"
                           : "changed; !: wrong; dashed box: the claim is not of it");
    if (signs->was)
        add(notes, "<text class=\"was\" font-size=\"12\">x\u2192</text>", "what it was before");
    if (signs->times)
        add(notes, "<text class=\"times\" font-size=\"12\">2\u00d7</text>",
            "read and written so often, by one thread or several");
    if (signs->hues)
        add(notes,
            "<g class=\"key a0\"><path class=\"line\" d=\"M0 -8h30\"/></g>"
            "<g class=\"key a1\"><path class=\"line\" d=\"M0 -4h30\"/></g>"
            "<g class=\"key a2\"><path class=\"line\" d=\"M0 0h30\"/></g>",
            "the colours only tell neighbouring arrows apart");
    if (signs->through)
        add(notes, "<path class=\"sample\" stroke-dasharray=\"2 4\" d=\"M0 -4h30\"/>",
            "read by another lane, and handed on from register to register by shuffles");
    if (signs->floats && signs->floats[0])
        add(notes, "<text class=\"note\">=</text>", signs->floats);
    add_lack(notes, signs->too_long, "from arrays too long for a row, of more than 32 cells");
    add_lack(notes, signs->no_row, "from other arrays, for which there is no row");
    add_lack(notes, signs->too_many, "too many for a picture");
    if (signs->unseen > 0)
        add(notes, "<text class=\"note\">?</text>",
            "some values need not be made of just what is shown: it does not add up to them");
}

static int lines_of_note(const char *text, int room)
{
    int lines = 0;
    for (; *text; lines++) {
        text += drawing_line(text, room, TYPE);
        text += strspn(text, " ");
    }
    return lines;
}

int rd_picture_notes_high(const struct rd_picture_signs *signs, int width)
{
    struct notes notes;
    int lines = 0;
    find_notes(signs, &notes);
    for (unsigned k = 0; k < notes.count; k++)
        lines += lines_of_note(notes.note[k].text, width - 2 * MARGIN - SAMPLE);
    return lines > 0 ? lines * LINE_HIGH + 6 : 0;
}

void rd_picture_notes(const struct rd_picture_signs *signs, struct rd_markup *to, int y, int width)
{
    struct notes notes;
    find_notes(signs, &notes);
    for (unsigned k = 0; k < notes.count; k++) {
        const char *text = notes.note[k].text;
        rd_markup_format(to, "<g transform=\"translate(%d %d)\">%s", MARGIN, y + LINE_HIGH,
                         notes.note[k].sample);
        for (int at = 0; *text; at += LINE_HIGH, y += LINE_HIGH) {
            size_t bytes = drawing_line(text, width - 2 * MARGIN - SAMPLE, TYPE);
            rd_markup_format(to, "<text class=\"note\" x=\"%d\" y=\"%d\">", SAMPLE, at);
            rd_markup_text_of(to, text, bytes);
            rd_markup_raw(to, "</text>");
            text += bytes;
            text += strspn(text, " ");
        }
        rd_markup_raw(to, "</g>\n");
    }
}
