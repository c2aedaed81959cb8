// SPDX-License-Identifier: MIT
#include "view/step/draw.h"
#include "view/parts.h"
#include "reductio/summary.h"

#include <stdlib.h>
#include <string.h>

/* From this width on the source stands beside the facts, where it does not fit below them. */
enum { WIDTH_TWO_COLUMNS = 120 };

/* Rows that the facts take where all is well. */
static int facts_min(const struct rd_stepper *stepper, int width)
{
    int watches = (int)stepper->watches.count;
    return (width < 72 ? 9 : 8) + (watches > 1 ? watches - 1 : 0) + (stepper->law.text ? 2 : 0);
}

/* Rows that the source has to itself: a law of one's own is what one looks at, and takes them. */
static int source_min(const struct rd_stepper *stepper)
{
    return stepper->law.text ? 0 : 3;
}

static void draw_title(struct rd_stepper *stepper, struct rd_canvas *canvas)
{
    const struct rd_history_about *about = stepper->about;
    char left[512], right[160];
    int x = rd_canvas_print(canvas, 1, 0, RD_INK_BOLD, "%s", about->program->name);
    snprintf(left, sizeof left, ": n = %zu, %s, values %s%s, %s", about->shape.n,
             about->numeric->title, about->values ? about->values : "?",
             stepper->view == RD_SHOW_SETS && !about->witness ? ", as sets" : "", about->device);
    if (stepper->quiz.on)
        snprintf(right, sizeof right, " quiz: %u of %u right ", stepper->quiz.right,
                 stepper->quiz.asked);
    else
        snprintf(right, sizeof right, " cells show %s ", rd_step_view_name(stepper->view));
    int end = (int)canvas->width - rd_canvas_columns(right);
    rd_canvas_clip(canvas, x, 0, end - 1, RD_INK_PLAIN, left);
    rd_canvas_print(canvas, end, 0, RD_INK_PLAIN, "%s", right);
    rd_canvas_reverse(canvas, 0, 0, (int)canvas->width);
}

/* ---- the status line ---- */

/* In at most so many columns: what there is no room for is left out from the end on. */
static void status_text(const struct rd_stepper *stepper, int columns, char *text, size_t size)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    const struct rd_round *round = &frame->round;
    char grid[RD_DIMENSIONS_TEXT_SIZE], block[RD_DIMENSIONS_TEXT_SIZE], place[RD_SENTENCE_SIZE],
        parts[4][RD_SENTENCE_SIZE];
    if (!frame->has_round) {
        snprintf(text, size, "step 0 of %u: initialization, before the first round",
                 stepper->about->rounds);
        return;
    }
    rd_dimensions_text(round->grid, round->grid_y, grid);
    rd_dimensions_text(round->block, round->block_y, block);
    snprintf(text, size, "round %u of %u: ", round->number, stepper->about->rounds);
    if (frame->inside)
        snprintf(parts[0], sizeof parts[0], "%s",
                 rd_place_text(&frame->place, frame->variable, place));
    else
        snprintf(parts[0], sizeof parts[0], "%s = %zu", round->width_name, round->width);
    snprintf(parts[1], sizeof parts[1], frame->inside ? " at '%s'" : "%s", frame->point);
    snprintf(parts[2], sizeof parts[2], ", grid %s x block %s", grid, block);
    snprintf(parts[3], sizeof parts[3], ", %zu active", round->threads);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        size_t length = strlen(text);
        if (k == 0 || rd_canvas_columns(text) + rd_canvas_columns(parts[k]) <= columns)
            snprintf(text + length, size - length, "%s", parts[k]);
    }
}

/* A message may take rows above the status line, too, which the other parts then do without: as
 * many as leave them what must be seen. */
static int status_rows(const struct rd_stepper *stepper, struct rd_canvas *canvas,
                       const struct rd_step_prompt *prompt)
{
    enum { OTHERS_MIN = 16 };
    int height = (int)canvas->height;
    const struct rd_canvas_area out_of_sight = {
        .x = 1, .y = height, .end = (int)canvas->width - 1, .rows_max = height - OTHERS_MIN};
    if (prompt)
        return rd_step_prompt_rows(canvas, prompt);
    if (stepper->message[0] == '\0')
        return 1;
    return rd_canvas_wrap(canvas, &out_of_sight, RD_INK_BOLD, stepper->message);
}

static void draw_message(struct rd_stepper *stepper, struct rd_canvas *canvas)
{
    int height = (int)canvas->height, width = (int)canvas->width;
    int rows = status_rows(stepper, canvas, NULL);
    const struct rd_canvas_area area = {
        .x = 1, .y = height - rows, .end = width - 1, .rows_max = rows};
    for (int y = area.y; y < height; y++)
        rd_canvas_print(canvas, 0, y, RD_INK_PLAIN, "%*s", width, "");
    rd_canvas_wrap(canvas, &area, RD_INK_BOLD, stepper->message);
    for (int y = area.y; y < height; y++)
        rd_canvas_reverse(canvas, 0, y, width);
}

static void draw_status(struct rd_stepper *stepper, struct rd_canvas *canvas,
                        const struct rd_step_prompt *prompt)
{
    static const char hint[] = " ? keys  q quit ";
    char text[RD_STEP_MESSAGE_SIZE];
    int y = (int)canvas->height - 1, x = (int)canvas->width - (int)strlen(hint);
    if (prompt) {
        rd_step_draw_prompt(canvas, prompt);
        return;
    }
    if (stepper->message[0] != '\0') {
        draw_message(stepper, canvas);
    } else {
        status_text(stepper, x - 1, text, sizeof text);
        rd_canvas_clip(canvas, 1, y, x, RD_INK_PLAIN, text);
        rd_canvas_print(canvas, x, y, RD_INK_PLAIN, "%s", hint);
        rd_canvas_reverse(canvas, 0, y, (int)canvas->width);
    }
}

/* ---- all of it ---- */

/* Draws the parts above row `bottom`, with so many blank rows between them, the source below the
 * facts or beside them. Returns how many rows are left over. */
static int draw_parts(struct rd_stepper *stepper, struct rd_canvas *canvas, int gap, int bottom,
                      bool beside)
{
    int width = (int)canvas->width;
    rd_canvas_clear(canvas);
    draw_title(stepper, canvas);
    int y = rd_step_draw_array(stepper, canvas, 1 + gap,
                               bottom - 1 - facts_min(stepper, width) - source_min(stepper));
    struct rd_step_area facts = {1, y + gap, beside ? width / 2 - 2 : width - 2, 0};
    facts.height = bottom - facts.y - (beside ? 0 : source_min(stepper));
    int rows = rd_step_draw_facts(stepper, canvas, &facts);
    struct rd_step_area source = {1, facts.y + rows + gap, width - 2, 0};
    if (beside)
        source = (struct rd_step_area){width / 2 + 1, y + gap, width - width / 2 - 2, 0};
    source.height = bottom - source.y;
    int used = rd_step_draw_source(stepper, canvas, &source);
    return bottom - (beside && rows > used ? facts.y + rows : source.y + used);
}

static void draw_too_small(struct rd_canvas *canvas)
{
    const struct rd_canvas_area area = {.end = (int)canvas->width, .rows_max = (int)canvas->height};
    rd_canvas_clear(canvas);
    char text[160];
    snprintf(text, sizeof text,
             "%u x %u is too small: make the terminal at least %d x %d, or press q to leave",
             canvas->width, canvas->height, RD_STEP_WIDTH_MIN, RD_STEP_HEIGHT_MIN);
    rd_canvas_wrap(canvas, &area, RD_INK_PLAIN, text);
}

void rd_step_draw(struct rd_stepper *stepper, struct rd_canvas *canvas,
                  const struct rd_step_prompt *prompt)
{
    if (canvas->width < RD_STEP_WIDTH_MIN || canvas->height < RD_STEP_HEIGHT_MIN) {
        draw_too_small(canvas);
        return;
    }
    int bottom = (int)canvas->height - status_rows(stepper, canvas, prompt);
    int left = draw_parts(stepper, canvas, 0, bottom, false);
    bool beside = left <= 0 && canvas->width >= WIDTH_TWO_COLUMNS;
    if (beside)
        left = draw_parts(stepper, canvas, 0, bottom, true);
    if (left >= 3) /* so many gaps there are */
        draw_parts(stepper, canvas, 1, bottom, beside);
    rd_step_draw_overlay(stepper, canvas);
    draw_status(stepper, canvas, prompt);
}
