// SPDX-License-Identifier: MIT
#include "view/step/draw.h"
#include "view/step/commands.h"

#include <stdio.h>
#include <string.h>

/* The array as it was and as it is, one over the other, and between them an arrow for each cell that
 * was written, from the cells that were read for it:
 *
 *       0     1     2     3
 *    ┌─────┬─────┬─────┬─────┐
 *    │   0 │   1 │   2 │   3 │
 *    └──┬──┴──┬──┴──┬──┴──┬──┘
 *       ├─────│─────┘     │
 *       │     ├───────────┘
 *    ┌──▼──┬──▼──┬┄┄┄┄┄┬┄┄┄┄┄┐
 *    │   2*│   4*│   2 ┆   3 ┆
 *    └─────┴─────┴┄┄┄┄┄┴┄┄┄┄┄┘
 */

/* A set may be wider than a value, but a few cells must have room beside each other. */
enum { TEXT_MAX = 16, SETS_ABREAST = 3, TEXT_SIZE = 128, CELLS_MAX = RD_ARROWS_MAX };

/* Cells that are looked at for a part of the strip. */
enum { LOOKED_AT_MAX = 64 };

/* The cells of the viewport, and where they stand. */
struct picture {
    struct rd_stepper *stepper;
    struct rd_canvas *canvas;
    const struct rd_frame *frame;
    bool has_before; /* the array as it was is shown, too */
    int x;           /* the first box's left border */
    size_t first, count;
    int inner; /* columns for a text */
};

/* ---- which cells ---- */

static enum rd_step_view view_before(enum rd_step_view view)
{
    return view == RD_SHOW_SETS ? view : RD_SHOW_VALUES;
}

static int text_max(const struct picture *picture)
{
    int room = ((int)picture->canvas->width - picture->x - 2) / SETS_ABREAST - 3;
    return picture->stepper->view == RD_SHOW_SETS && room > TEXT_MAX ? room : TEXT_MAX;
}

/* Columns that the cell needs at a frame: its text and its index. */
static int width_of(const struct picture *picture, size_t frame, size_t index)
{
    char text[TEXT_SIZE], number[24];
    struct rd_stepper *stepper = picture->stepper;
    bool now = frame == stepper->frame;
    rd_stepper_cell_text(stepper, frame, index, now ? stepper->view : view_before(stepper->view),
                         text, sizeof text);
    int widest = rd_canvas_columns(text);
    const struct rd_candidate_look *law = now ? rd_stepper_law_look(stepper) : NULL;
    if (law) {
        rd_step_law_cell_text(&stepper->law, law, index, text, sizeof text);
        widest = rd_canvas_columns(text) > widest ? rd_canvas_columns(text) : widest;
    }
    int digits = snprintf(number, sizeof number, "%zu", index);
    int most = text_max(picture);
    widest = digits > widest ? digits : widest;
    return widest < 3 ? 3 : widest > most ? most : widest;
}

/* Counts the cells from `first` that fit, of at most `count`, as wide as the widest of them at that frame and
 * as widths[k] has them, which is updated. */
static size_t fit_at(const struct picture *picture, size_t frame, size_t first, size_t count,
                     int *widths)
{
    int room = (int)picture->canvas->width - picture->x - 2, widest = 0;
    for (size_t k = 0; k < count; k++) {
        int width = width_of(picture, frame, first + k);
        widths[k] = width > widths[k] ? width : widths[k];
        widest = widths[k] > widest ? widths[k] : widest;
        if (k > 0 && (int)(k + 1) * (widest + 3) > room)
            return k;
    }
    return count;
}

/* Counts the cells from `first` that fit, as wide as the widest of them, and finds that width. One frame
 * after the other: to go from frame to frame with each cell would take long. */
static size_t fit(const struct picture *picture, size_t first, int *inner)
{
    int widths[CELLS_MAX] = {0};
    size_t left = picture->frame->n_cells - first, count = left < CELLS_MAX ? left : CELLS_MAX;
    count = fit_at(picture, picture->stepper->frame, first, count, widths);
    if (picture->has_before)
        count = fit_at(picture, picture->frame->before, first, count, widths);
    *inner = 0;
    for (size_t k = 0; k < count; k++)
        *inner = widths[k] > *inner ? widths[k] : *inner;
    return count;
}

/* Moves the viewport so far that the selected cell is in it. */
static void place_viewport(struct picture *picture)
{
    struct rd_stepper *stepper = picture->stepper;
    size_t n = picture->frame->n_cells, cell = stepper->cell;
    size_t first = stepper->first < n ? stepper->first : 0;
    if (cell < first || n == 0)
        first = cell;
    size_t count = fit(picture, first, &picture->inner);
    if (cell >= first + count) {
        first = cell + 1 - count;
        count = fit(picture, first, &picture->inner);
        while (cell >= first + count && count > 0) {
            first += cell + 1 - first - count;
            count = fit(picture, first, &picture->inner);
        }
    }
    if (first > 0 && first + count == n) { /* leave no room unused at the end */
        int inner;
        while (first > 0 && first + fit(picture, first - 1, &inner) - 1 == n)
            first--;
        count = fit(picture, first, &picture->inner);
    }
    picture->first = stepper->first = first;
    picture->count = count;
    stepper->page = count > 0 ? count : 1;
}

/* ---- boxes ---- */

static int left_of(const struct picture *picture, size_t k)
{
    return picture->x + (int)k * (picture->inner + 3);
}

static void draw_indices(const struct picture *picture, int y)
{
    for (size_t k = 0; k < picture->count; k++) {
        char text[32];
        size_t index = picture->first + k;
        bool selected = index == picture->stepper->cell;
        int width = snprintf(text, sizeof text, selected ? "[%zu]" : "%zu", index);
        int x = left_of(picture, k) + 2 + picture->inner - width + selected;
        rd_canvas_print(picture->canvas, x, y, selected ? RD_INK_BOLD : RD_INK_DIM, "%s", text);
    }
}

static void draw_borders(const struct picture *picture, const struct rd_frame *frame, int y)
{
    struct rd_canvas *canvas = picture->canvas;
    for (int solid = 0; solid < 2; solid++)
        for (size_t k = 0; k < picture->count; k++) {
            bool live = rd_claim_has(&frame->claim, picture->first + k);
            enum rd_line_style style = live ? RD_STYLE_SOLID : RD_STYLE_DOTTED;
            enum rd_ink ink = live ? RD_INK_PLAIN : RD_INK_DIM;
            int left = left_of(picture, k), right = left_of(picture, k + 1);
            if (live != (solid == 1))
                continue;
            rd_canvas_horizontal(canvas, left, right, y, ink, style);
            rd_canvas_horizontal(canvas, left, right, y + 2, ink, style);
            rd_canvas_vertical(canvas, left, y, y + 2, ink, style);
            rd_canvas_vertical(canvas, right, y, y + 2, ink, style);
        }
}

/* Tells whether the cell shows another set than before; one may have the same value all the same. */
static bool set_changed(struct rd_stepper *stepper, size_t frame, size_t index)
{
    struct rd_input_set now, was, expected;
    size_t before = rd_history_frame(stepper->history, frame)->before;
    return before != frame &&
           rd_history_set(stepper->history, frame, index, &now, &expected, NULL) == RD_OK &&
           rd_history_set(stepper->history, before, index, &was, &expected, NULL) == RD_OK &&
           !rd_step_sets_same(&now, &was);
}

/* The mark of the user's own law at the cell. */
static enum rd_candidate_mark law_mark(struct rd_stepper *stepper, size_t index)
{
    const struct rd_candidate_look *law = rd_stepper_law_look(stepper);
    return law && index < law->n_cells ? (enum rd_candidate_mark)law->marks[index]
                                       : RD_CANDIDATE_UNSAID;
}

static void draw_value(const struct picture *picture, size_t frame, size_t k, int y)
{
    struct rd_stepper *stepper = picture->stepper;
    struct rd_history_cell cell = {.known = false};
    char text[TEXT_SIZE];
    size_t index = picture->first + k;
    bool now = frame == stepper->frame, hidden = now && stepper->quiz.hidden;
    enum rd_step_view view = now ? stepper->view : view_before(stepper->view);
    rd_stepper_cell_text(stepper, frame, index, view, text, sizeof text);
    if (!hidden)
        rd_history_cell(stepper->history, frame, index, &cell, NULL);
    bool wrong = now && cell.wrong, changed = now && cell.changed;
    bool refuted = now && law_mark(stepper, index) == RD_CANDIDATE_IS_NOT;
    if (now && !hidden && view == RD_SHOW_SETS)
        changed |= set_changed(stepper, frame, index);
    enum rd_ink ink = wrong || refuted ? RD_INK_BAD
                      : !cell.live     ? RD_INK_DIM
                      : changed        ? RD_INK_BOLD
                                       : RD_INK_PLAIN;
    int columns = rd_canvas_columns(text), left = left_of(picture, k);
    int x = left + 2 + (columns < picture->inner ? picture->inner - columns : 0);
    rd_canvas_clip(picture->canvas, x, y, left + 2 + picture->inner, ink, text);
    if (wrong || changed)
        rd_canvas_print(picture->canvas, left + 2 + picture->inner, y, ink, wrong ? "!" : "*");
    if (now && index == stepper->cell)
        rd_canvas_reverse(picture->canvas, left + 1, y, picture->inner + 2);
}

static void draw_boxes(const struct picture *picture, size_t frame, int y)
{
    const struct rd_frame *of = rd_history_frame(picture->stepper->history, frame);
    draw_borders(picture, of, y);
    for (size_t k = 0; k < picture->count; k++)
        draw_value(picture, frame, k, y + 1);
    rd_canvas_print(picture->canvas, 1, y + 1, RD_INK_BOLD, "%s", of->array);
    if (picture->first > 0)
        rd_canvas_print(picture->canvas, picture->x - 2, y + 1, RD_INK_DIM, "…");
    if (picture->first + picture->count < of->n_cells)
        rd_canvas_print(picture->canvas, left_of(picture, picture->count) + 1, y + 1, RD_INK_DIM,
                        "…");
}

/* Below the array: what the user's own law says of each cell, and where that is not what it holds. */
static void draw_law(const struct picture *picture, int y)
{
    struct rd_stepper *stepper = picture->stepper;
    const struct rd_candidate_look *law = rd_stepper_law_look(stepper);
    rd_canvas_print(picture->canvas, 1, y, RD_INK_BOLD, "law");
    for (size_t k = 0; law && k < picture->count; k++) {
        char text[TEXT_SIZE];
        size_t index = picture->first + k;
        enum rd_candidate_mark mark = law_mark(stepper, index);
        enum rd_ink ink = mark == RD_CANDIDATE_IS_NOT   ? RD_INK_BAD
                          : mark == RD_CANDIDATE_UNSAID ? RD_INK_DIM
                                                        : RD_INK_PLAIN;
        rd_step_law_cell_text(&stepper->law, law, index, text, sizeof text);
        int columns = rd_canvas_columns(text), left = left_of(picture, k);
        int x = left + 2 + (columns < picture->inner ? picture->inner - columns : 0);
        rd_canvas_clip(picture->canvas, x, y, left + 2 + picture->inner, ink, text);
        if (mark == RD_CANDIDATE_IS_NOT)
            rd_canvas_print(picture->canvas, left + 2 + picture->inner, y, ink, "≠");
    }
}

/* ---- the strip: all cells, in one line ---- */

/* Some cells stand for all of a part that is too large to look through. */
static char mark_of(struct rd_stepper *stepper, size_t first, size_t last)
{
    bool changed = false;
    size_t stride = (last - first) / LOOKED_AT_MAX + 1;
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    const bool live = rd_claim_has_any(&frame->claim, first, last);
    for (size_t index = first; index < last && !stepper->quiz.hidden; index += stride) {
        struct rd_history_cell cell = {.known = false};
        rd_history_cell(stepper->history, stepper->frame, index, &cell, NULL);
        if (cell.wrong)
            return '!';
        if (law_mark(stepper, index) == RD_CANDIDATE_IS_NOT)
            return '/';
        changed |= cell.changed;
    }
    bool seen = frame->violated && frame->violation.cell >= first && frame->violation.cell < last;
    if (seen && !stepper->quiz.hidden)
        return '!';
    return live ? (changed ? '#' : '=') : (changed ? '*' : '.');
}

static void draw_strip(const struct picture *picture, int y)
{
    static const struct {
        char mark;
        const char *glyph;
        enum rd_ink ink;
    } glyphs[] = {{'!', "!", RD_INK_BAD},   {'/', "≠", RD_INK_BAD},   {'#', "█", RD_INK_BOLD},
                  {'=', "▒", RD_INK_PLAIN}, {'*', "*", RD_INK_PLAIN}, {'.', "·", RD_INK_DIM}};
    size_t n = picture->frame->n_cells;
    char tail[64];
    int columns = snprintf(tail, sizeof tail, " %zu-%zu of %zu", picture->first,
                           picture->first + picture->count - 1, n);
    int width = (int)picture->canvas->width - picture->x - columns - 1;
    rd_canvas_print(picture->canvas, 1, y, RD_INK_DIM, "%s",
                    n / (size_t)width < LOOKED_AT_MAX ? "all" : "some");
    for (int k = 0; k < width; k++) {
        size_t first = (size_t)k * n / (size_t)width, last = (size_t)(k + 1) * n / (size_t)width;
        char mark = mark_of(picture->stepper, first, last > first ? last : first + 1);
        for (size_t g = 0; g < sizeof glyphs / sizeof *glyphs; g++)
            if (glyphs[g].mark == mark)
                rd_canvas_print(picture->canvas, picture->x + k, y, glyphs[g].ink, "%s",
                                glyphs[g].glyph);
    }
    int from = (int)(picture->first * (size_t)width / n);
    int to = (int)((picture->first + picture->count) * (size_t)width / n);
    to = to > from ? to : from + 1;
    to = to < width ? to : width - 1; /* behind it the tail begins */
    from = from < to ? from : to - 1;
    rd_canvas_print(picture->canvas, picture->x + from, y, RD_INK_BOLD, "[");
    rd_canvas_print(picture->canvas, picture->x + to, y, RD_INK_BOLD, "]");
    rd_canvas_print(picture->canvas, picture->x + width, y, RD_INK_DIM, "%s", tail);
}

/* ---- all of it ---- */

static void make_arrows(const struct picture *picture, struct rd_arrows *arrows, int lanes_max)
{
    struct rd_stepper *stepper = picture->stepper;
    const struct rd_arrow_window window = {
        .first = picture->first,
        .count = picture->count,
        .x = picture->x + (picture->inner + 3) / 2,
        .pitch = picture->inner + 3,
        .end = (int)picture->canvas->width,
        .lanes_max = lanes_max,
        .has_before = picture->has_before,
        .only_thread = stepper->has_thread,
        .thread = stepper->thread,
    };
    *arrows = (struct rd_arrows){.n_lanes = 0};
    if (!stepper->quiz.hidden && stepper->frame > 0)
        rd_arrows_make(arrows, rd_stepper_log(stepper), &window);
    stepper->arrows_left_out = arrows->n_left_out;
}

int rd_step_draw_array(struct rd_stepper *stepper, struct rd_canvas *canvas, int y, int height)
{
    struct rd_arrows arrows;
    struct picture picture = {
        .stepper = stepper,
        .canvas = canvas,
        .frame = rd_stepper_frame(stepper),
    };
    int name = (int)strlen(picture.frame->array);
    picture.has_before = picture.frame->before != stepper->frame;
    picture.x = 3 + (name > 3 ? name : 3);
    place_viewport(&picture);
    bool strip = picture.count < picture.frame->n_cells;
    bool law = rd_stepper_law_look(stepper) != NULL;
    make_arrows(&picture, &arrows, height - 4 - 3 * picture.has_before - strip - law);

    draw_indices(&picture, y++);
    if (picture.has_before) {
        draw_boxes(&picture, picture.frame->before, y);
        y += 3;
    }
    int top = y;
    y += arrows.n_lanes;
    draw_boxes(&picture, stepper->frame, y);
    rd_arrows_draw(&arrows, canvas, top - 1, y);
    y += 3;
    if (law)
        draw_law(&picture, y++);
    if (strip)
        draw_strip(&picture, y++);
    return y;
}
