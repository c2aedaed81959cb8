// SPDX-License-Identifier: MIT
/* Arrows between the array as it was and as it is: which there are, where they run, and their lines. */
#include "view/step/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int column(const struct rd_arrow_window *window, size_t k)
{
    return window->x + (int)k * window->pitch;
}

/* ---- which ---- */

/* Appends a word to a label, once. */
static void append(char label[RD_ARROW_LABEL_SIZE], const char *word)
{
    size_t length = strlen(label), size = strlen(word);
    const char *found = strstr(label, word);
    if (found && (found[size] == ' ' || found[size] == '\0'))
        return;
    snprintf(label + length, RD_ARROW_LABEL_SIZE - length, "%s%s", length > 0 ? " " : "", word);
}

/* "[512]" of the array itself, "a[3]" of another one. */
static void add_label(struct rd_arrow *arrow, const struct rd_log *log,
                      const struct rd_access *read)
{
    char text[RD_ACCESS_TEXT_SIZE];
    bool same = (int)read->array == log->array;
    rd_log_place(log, read, text);
    char *bracket = strchr(text, '[');
    append(arrow->label, same ? bracket : text);
    *bracket = '\0';
    append(arrow->names, text);
    arrow->n_others++;
}

static void add_source(struct rd_arrow *arrow, size_t k)
{
    for (unsigned s = 0; s < arrow->n_sources; s++)
        if (arrow->source[s] == k)
            return;
    arrow->source[arrow->n_sources++] = (unsigned char)k;
}

static void add_move(struct rd_arrows *arrows, const struct rd_log *log,
                     const struct rd_access_move *move)
{
    const struct rd_arrow_window *window = &arrows->window;
    const struct rd_access *write = rd_log_access(log, move->write);
    if ((int)write->array != log->array || write->index < window->first ||
        write->index - window->first >= window->count)
        return;
    size_t target = write->index - window->first;
    struct rd_arrow *arrow = &arrows->arrow[target];
    arrow->used = true;
    arrow->n_moves++;
    arrow->own |= write->op == RD_ACCESS_ATOMIC;
    size_t first = move->n_far > 0 ? move->first_far : move->first;
    size_t count = move->n_far > 0 ? move->n_far : move->n_reads;
    for (size_t k = 0; k < count; k++) {
        const struct rd_access *read = rd_log_source(log, first + k);
        bool same = (int)read->array == log->array;
        if (same && read->index == write->index)
            arrow->own = true;
        else if (same && read->index >= window->first &&
                 read->index - window->first < window->count)
            add_source(arrow, read->index - window->first);
        else if (arrow->n_moves == 1)
            add_label(arrow, log, read);
    }
}

/* ---- where ---- */

/* Says it so, unless the label fits already. */
__attribute__((format(printf, 3, 4))) static void relabel(struct rd_arrow *arrow, int room,
                                                          const char *format, ...)
{
    va_list arguments;
    if (rd_canvas_columns(arrow->label) <= room)
        return;
    va_start(arguments, format);
    vsnprintf(arrow->label, sizeof arrow->label, format, arguments);
    va_end(arguments);
}

/* The label in the fullest form that leaves room for the neighbour's. Returns its columns. */
static int shorten(const struct rd_arrow_window *window, struct rd_arrow *arrow)
{
    int room = window->pitch - 1;
    bool one_array = arrow->names[0] != '\0' && !strchr(arrow->names, ' ');
    if (arrow->n_moves > 1 && arrow->n_sources == 0) {
        snprintf(arrow->label, sizeof arrow->label, "%zu times", arrow->n_moves);
        relabel(arrow, room, "%zux", arrow->n_moves);
    }
    if (arrow->n_moves == 1 && one_array && arrow->n_others > 1)
        relabel(arrow, room, "%u of %.32s", arrow->n_others, arrow->names);
    if (arrow->n_moves == 1 || arrow->n_sources > 0)
        relabel(arrow, room, "%s", arrow->names);
    relabel(arrow, room, "…");
    return rd_canvas_columns(arrow->label);
}

static void measure(const struct rd_arrow_window *window, struct rd_arrow *arrow, size_t target)
{
    int x = column(window, target), label = shorten(window, arrow);
    arrow->from = arrow->to = x;
    for (unsigned s = 0; s < arrow->n_sources; s++) {
        int source = column(window, arrow->source[s]);
        arrow->from = source < arrow->from ? source : arrow->from;
        arrow->to = source > arrow->to ? source : arrow->to;
    }
    if (label > 0 && arrow->n_sources > 0) {
        if (arrow->to + 1 + label < window->end)
            arrow->to += 1 + label;
        else
            arrow->label[0] = '\0';
    } else if (label > 0) {
        arrow->from = x - label / 2;
        arrow->to = arrow->from + label - 1;
    }
}

static bool is_free(const struct rd_arrows *arrows, const struct rd_arrow *arrow, int lane)
{
    for (size_t k = 0; k < arrows->window.count; k++) {
        const struct rd_arrow *other = &arrows->arrow[k];
        if (other != arrow && other->used && other->lane == lane && other->from <= arrow->to &&
            arrow->from <= other->to)
            return false;
    }
    return true;
}

void rd_arrows_make(struct rd_arrows *arrows, const struct rd_log *log,
                    const struct rd_arrow_window *window)
{
    bool any = false;
    arrows->window = *window;
    for (size_t k = 0; k < window->count; k++)
        arrows->arrow[k].lane = -1;
    for (size_t k = 0; k < log->list.n_moves; k++)
        if (!window->only_thread || log->list.moves[k].thread == window->thread)
            add_move(arrows, log, &log->list.moves[k]);
    for (size_t k = 0; k < window->count; k++) {
        struct rd_arrow *arrow = &arrows->arrow[k];
        any |= arrow->used;
        if (!arrow->used)
            continue;
        measure(window, arrow, k);
        if (arrow->n_sources == 0 && arrow->label[0] == '\0')
            continue;
        int lane = 0;
        while (lane < window->lanes_max && !is_free(arrows, arrow, lane))
            lane++;
        arrow->left_out = lane >= window->lanes_max;
        arrows->n_left_out += arrow->left_out;
        if (arrow->left_out)
            continue;
        arrow->lane = lane;
        arrows->n_lanes = lane + 1 > arrows->n_lanes ? lane + 1 : arrows->n_lanes;
    }
    if (any && arrows->n_lanes == 0 && window->lanes_max > 0)
        arrows->n_lanes = 1;
}

/* ---- drawing ---- */

static void draw(const struct rd_arrows *arrows, struct rd_canvas *canvas, size_t target, int top,
                 int bottom)
{
    const struct rd_arrow *arrow = &arrows->arrow[target];
    const struct rd_arrow_window *window = &arrows->window;
    int x = column(window, target), y = top + 1 + (arrow->lane < 0 ? 0 : arrow->lane);
    int from = x, to = x, start = window->has_before ? top : y;
    for (unsigned s = 0; s < arrow->n_sources; s++) {
        int source = column(window, arrow->source[s]);
        from = source < from ? source : from;
        to = source > to ? source : to;
        rd_canvas_vertical(canvas, source, start, y, RD_INK_PLAIN, RD_STYLE_SOLID);
    }
    if (arrow->own)
        rd_canvas_vertical(canvas, x, start, y, RD_INK_PLAIN, RD_STYLE_SOLID);
    if (from < to)
        rd_canvas_horizontal(canvas, from, to, y, RD_INK_PLAIN, RD_STYLE_SOLID);
    rd_canvas_vertical(canvas, x, y, bottom, RD_INK_PLAIN, RD_STYLE_SOLID);
}

/* Draws the lines of other arrows over this one's lane where they only cross it. */
static void draw_crossings(const struct rd_arrows *arrows, struct rd_canvas *canvas, size_t target,
                           int top)
{
    const struct rd_arrow *arrow = &arrows->arrow[target];
    const struct rd_arrow_window *window = &arrows->window;
    size_t from = target, to = target;
    for (unsigned s = 0; s < arrow->n_sources; s++) {
        from = arrow->source[s] < from ? arrow->source[s] : from;
        to = arrow->source[s] > to ? arrow->source[s] : to;
    }
    for (size_t k = from + 1; k < to; k++) {
        bool joins = k == target;
        for (unsigned s = 0; s < arrow->n_sources; s++)
            joins |= arrow->source[s] == k;
        int x = column(window, k), y = top + 1 + arrow->lane;
        struct rd_canvas_cell *cell = rd_canvas_at(canvas, x, y);
        if (joins || !cell || (cell->arms & (RD_LINE_UP | RD_LINE_DOWN)) == 0)
            continue;
        rd_canvas_put(canvas, x, y, RD_INK_PLAIN, ' ');
        rd_canvas_line(canvas, x, y, RD_INK_PLAIN, RD_STYLE_SOLID, RD_LINE_UP | RD_LINE_DOWN);
    }
}

/* Behind all lines, so that none goes through them. */
static void draw_ends(const struct rd_arrows *arrows, struct rd_canvas *canvas, size_t target,
                      int top, int bottom)
{
    const struct rd_arrow *arrow = &arrows->arrow[target];
    int x = column(&arrows->window, target);
    rd_canvas_put(canvas, x, bottom, RD_INK_PLAIN, 0x25BC); /* ▼ */
    if (arrow->label[0] == '\0')
        return;
    int columns = rd_canvas_columns(arrow->label);
    rd_canvas_print(canvas, arrow->to + 1 - columns, top + 1 + arrow->lane, RD_INK_DIM, "%s",
                    arrow->label);
}

void rd_arrows_draw(const struct rd_arrows *arrows, struct rd_canvas *canvas, int top, int bottom)
{
    for (size_t k = 0; k < arrows->window.count; k++)
        if (arrows->arrow[k].used && !arrows->arrow[k].left_out)
            draw(arrows, canvas, k, top, bottom);
    for (size_t k = 0; k < arrows->window.count; k++)
        if (arrows->arrow[k].used && !arrows->arrow[k].left_out && arrows->arrow[k].lane >= 0)
            draw_crossings(arrows, canvas, k, top);
    for (size_t k = 0; k < arrows->window.count; k++)
        if (arrows->arrow[k].used && !arrows->arrow[k].left_out)
            draw_ends(arrows, canvas, k, top, bottom);
}
