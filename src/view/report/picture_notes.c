// SPDX-License-Identifier: MIT
/* What the signs of a picture mean, and what it lacks: small letters below it, broken where they
 * would leave it. */
#include "view/parts.h"
#include "view/report/picture_parts.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum {
    MARGIN = 16,
    SAMPLE = 40, /* where the words begin behind the sign */
    TYPE = 12,   /* as in picture.css */
    LINE_HIGH = 18,
    NOTES_MAX = 12,
};
/* The letters of a proportional face of 1 pixel are about so wide. */
#define LETTER 0.56

size_t rd_drawing_line(const char *text, int room, int type)
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

static bool has_through(const struct rd_flow *flow)
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
        .late = has_late(flow),
        .overwritten = has_overwritten(flow),
        .times = has_times(flow),
        .hues = has_hues(drawing),
        .was = drawing->was,
        .marks = drawing->picture->standalone || drawing->picture->chained,
        .through = has_through(flow),
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

static int lines_of(const char *text, int room)
{
    int lines = 0;
    for (; *text; lines++) {
        text += rd_drawing_line(text, room, TYPE);
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
        lines += lines_of(notes.note[k].text, width - 2 * MARGIN - SAMPLE);
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
            size_t bytes = rd_drawing_line(text, width - 2 * MARGIN - SAMPLE, TYPE);
            rd_markup_format(to, "<text class=\"note\" x=\"%d\" y=\"%d\">", SAMPLE, at);
            rd_markup_text_of(to, text, bytes);
            rd_markup_raw(to, "</text>");
            text += bytes;
            text += strspn(text, " ");
        }
        rd_markup_raw(to, "</g>\n");
    }
}
