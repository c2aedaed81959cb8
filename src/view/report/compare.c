// SPDX-License-Identifier: MIT
/* What two runs side by side have in common: in words, as nobody compares hundreds of boxes by eye. */
#include "view/report/page.h"
#include "view/paint.h"

#include <stdio.h>
#include <string.h>

struct comparison {
    struct rd_history *histories[2];
    const struct rd_history_about *about[2];
    bool checkpoints; /* are compared, too */
    char *text;
};

/* "type: i32 and f32": what makes cells incomparable, or explains why they differ. */
static void remark(const struct comparison *comparison, const char *what, const char *left,
                   const char *right)
{
    size_t length = strlen(comparison->text);
    if (strcmp(left, right) != 0)
        snprintf(comparison->text + length, RD_PAGE_COMPARED_SIZE - length, "%s%s: %s and %s",
                 length > 0 ? ", " : "they differ in ", what, left, right);
}

static void remark_number(const struct comparison *comparison, const char *what, size_t left,
                          size_t right)
{
    char texts[2][24];
    snprintf(texts[0], sizeof texts[0], "%zu", left);
    snprintf(texts[1], sizeof texts[1], "%zu", right);
    remark(comparison, what, texts[0], texts[1]);
}

static void remark_all(const struct comparison *comparison)
{
    const struct rd_history_about *left = comparison->about[0], *right = comparison->about[1];
    remark_number(comparison, "n", left->shape.n, right->shape.n);
    remark(comparison, "type", left->numeric->title, right->numeric->title);
    remark(comparison, "values", left->values ? left->values : "?",
           right->values ? right->values : "?");
    if (strcmp(left->program->name, right->program->name) != 0)
        return;
    remark_number(comparison, "block", left->shape.block, right->shape.block);
    remark_number(comparison, "grid", left->shape.grid, right->shape.grid);
}

/* The next frame that is compared. */
static size_t next(const struct comparison *comparison, int side, size_t frame)
{
    struct rd_history *history = comparison->histories[side];
    while (!comparison->checkpoints && frame < rd_history_frames(history) &&
           rd_history_frame(history, frame)->inside)
        frame++;
    return frame;
}

static bool same_place(const struct rd_frame *left, const struct rd_frame *right)
{
    return left->step == right->step && left->inside == right->inside &&
           left->n_cells == right->n_cells &&
           (!left->inside || rd_place_same(&left->place, &right->place));
}

/* The first cell in which two frames differ; their count where none does. */
static enum rd_status first_cell(const struct comparison *comparison, const size_t frames[2],
                                 size_t *found, struct rd_history_cell cells[2],
                                 struct rd_error *error)
{
    size_t count = rd_history_frame(comparison->histories[0], frames[0])->n_cells;
    for (size_t i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            enum rd_status status =
                rd_history_cell(comparison->histories[side], frames[side], i, &cells[side], error);
            if (status != RD_OK)
                return status;
        }
        *found = i;
        if (cells[0].known && cells[1].known &&
            !comparison->about[0]->numeric->same(cells[0].value, cells[1].value))
            return RD_OK;
    }
    *found = count;
    return RD_OK;
}

static void tell_cell(const struct comparison *comparison, size_t number, size_t index,
                      const struct rd_history_cell cells[2])
{
    const struct rd_numeric *numeric = comparison->about[0]->numeric;
    char texts[2][RD_VALUE_TEXT_SIZE], title[256];
    rd_picture_title(comparison->histories[0], number, title, sizeof title);
    for (int side = 0; side < 2; side++)
        rd_cell_text(numeric, comparison->about[side]->a, comparison->about[side]->n_a,
                     cells[side].value, texts[side]);
    snprintf(comparison->text, RD_PAGE_COMPARED_SIZE,
             "they first differ at %s: %s[%zu] is %s and %s", title,
             rd_history_frame(comparison->histories[0], number)->array, index, texts[0], texts[1]);
}

static enum rd_status compare_frames(const struct comparison *comparison, struct rd_error *error)
{
    size_t frames[2] = {0, 0}, count = 0;
    for (;; count++, frames[0]++, frames[1]++) {
        struct rd_history_cell cells[2];
        bool ended[2];
        size_t index, cells_there;
        for (int side = 0; side < 2; side++) {
            frames[side] = next(comparison, side, frames[side]);
            ended[side] = frames[side] >= rd_history_frames(comparison->histories[side]);
        }
        if (ended[0] && ended[1])
            break;
        if (ended[0] || ended[1] ||
            !same_place(rd_history_frame(comparison->histories[0], frames[0]),
                        rd_history_frame(comparison->histories[1], frames[1]))) {
            snprintf(comparison->text, RD_PAGE_COMPARED_SIZE,
                     "the same in the first %zu step%s, and then other steps", count,
                     rd_plural(count));
            return RD_OK;
        }
        cells_there = rd_history_frame(comparison->histories[0], frames[0])->n_cells;
        enum rd_status status = first_cell(comparison, frames, &index, cells, error);
        if (status != RD_OK)
            return status;
        if (index < cells_there) {
            tell_cell(comparison, frames[0], index, cells);
            return RD_OK;
        }
    }
    snprintf(comparison->text, RD_PAGE_COMPARED_SIZE, "the same in all %zu step%s", count,
             rd_plural(count));
    return RD_OK;
}

enum rd_status rd_page_compare(struct rd_history *left, struct rd_history *right,
                               char text[RD_PAGE_COMPARED_SIZE], struct rd_error *error)
{
    struct comparison comparison = {
        .histories = {left, right},
        .about = {rd_history_about(left), rd_history_about(right)},
        .text = text,
    };
    const struct rd_history_about *const *about = comparison.about;
    comparison.checkpoints = about[0]->program == about[1]->program;
    text[0] = '\0';
    remark_all(&comparison);
    if (text[0] != '\0' || about[0]->witness || about[1]->witness)
        return RD_OK;
    return compare_frames(&comparison, error);
}
