// SPDX-License-Identifier: MIT
/* Commands that go to another step or cell. */
#include "view/step/commands.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

static void say_where_it_ends(struct rd_stepper *stepper)
{
    char score[64] = "";
    if (stepper->quiz.on)
        snprintf(score, sizeof score, "; quiz: %u of %u right", stepper->quiz.right,
                 stepper->quiz.asked);
    const struct rd_history_about *about = stepper->about;
    rd_stepper_say(stepper, "this is the end: %s%s",
                   about->incomplete           ? about->incomplete
                   : about->result.interrupted ? "the run was interrupted here"
                                               : "the run has ended",
                   score);
    stepper->playing = false;
}

enum rd_status rd_act_next(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    (void)argument;
    (void)error;
    size_t target =
        rd_history_frame_of_step(stepper->history, frame->inside ? frame->step : frame->step + 1);
    if (target <= stepper->frame)
        target = rd_history_frames(stepper->history) - 1;
    if (target == stepper->frame && !stepper->quiz.hidden)
        say_where_it_ends(stepper);
    else
        rd_quiz_forward(stepper, target);
    return RD_OK;
}

enum rd_status rd_act_previous(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    (void)argument;
    (void)error;
    if (frame->step == 0)
        rd_stepper_say(stepper, "this is the beginning, before the first round");
    else
        rd_stepper_go(stepper, rd_history_frame_of_step(stepper->history, frame->step - 1));
    return RD_OK;
}

enum rd_status rd_act_step(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (stepper->frame + 1 == rd_history_frames(stepper->history) && !stepper->quiz.hidden)
        say_where_it_ends(stepper);
    else
        rd_quiz_forward(stepper, stepper->frame + 1);
    return RD_OK;
}

enum rd_status rd_act_step_back(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (stepper->frame == 0)
        rd_stepper_say(stepper, "this is the beginning, before the first round");
    else
        rd_stepper_go(stepper, stepper->frame - 1);
    return RD_OK;
}

enum rd_status rd_act_first(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    (void)argument;
    (void)error;
    rd_stepper_go(stepper, 0);
    return RD_OK;
}

enum rd_status rd_act_last(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    (void)argument;
    (void)error;
    rd_stepper_go(stepper, rd_history_frames(stepper->history) - 1);
    return RD_OK;
}

enum rd_status rd_act_round(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    uint64_t round;
    if (!rd_step_number(argument, &round))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is not a round: write its number", argument);
    const struct rd_frame *end =
        rd_history_frame(stepper->history, rd_history_frames(stepper->history) - 1);
    if (round > end->step)
        return rd_fail(error, RD_ERROR_USAGE, "there is no round %s: the last is %u", argument,
                       end->step);
    rd_stepper_go(stepper, rd_history_frame_of_step(stepper->history, (unsigned)round));
    return RD_OK;
}

/* ---- cells ---- */

bool rd_step_number(const char *text, uint64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    *number = strtoull(text, &end, 10);
    return *end == '\0';
}

enum rd_status rd_step_cell(struct rd_stepper *stepper, const char *text, size_t *cell,
                            struct rd_error *error)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    size_t name = strlen(frame->array);
    char number[32];
    uint64_t index;
    const char *from = text;
    if (strncmp(text, frame->array, name) == 0 && text[name] == '[')
        from = text + name + 1;
    snprintf(number, sizeof number, "%.*s", (int)strcspn(from, "]"), from);
    if (!rd_step_number(number, &index))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is not a cell: write its index, as 5", text);
    if (index >= frame->n_cells)
        return rd_fail(error, RD_ERROR_USAGE, "there is no %s[%s]: the last is %s[%zu]",
                       frame->array, number, frame->array, frame->n_cells - 1);
    *cell = (size_t)index;
    return RD_OK;
}

enum rd_status rd_act_cell(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    size_t cell;
    enum rd_status status = rd_step_cell(stepper, argument, &cell, error);
    if (status == RD_OK) {
        stepper->cell = cell;
        rd_step_leave_thread(stepper);
    }
    return status;
}

static void move_cell(struct rd_stepper *stepper, bool forward, size_t by)
{
    size_t n = rd_stepper_frame(stepper)->n_cells;
    if (forward)
        stepper->cell = n - 1 - stepper->cell < by ? n - 1 : stepper->cell + by;
    else
        stepper->cell = stepper->cell < by ? 0 : stepper->cell - by;
    rd_step_leave_thread(stepper);
}

/* The cell of the access that is looked at is the selected one, where it is on the screen. */
static void select_access(struct rd_stepper *stepper)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    rd_step_select_accessed(
        stepper, rd_log_access(log, log->list.threads[stepper->thread].first + stepper->access));
}

enum { SCROLL_LINES = 16 }; /* of a text, a page: so many are in sight in 22 rows, too */

/* ↓ and ↑ go through what lies over the screen, if anything does. */
static bool scroll(struct rd_stepper *stepper, bool forward, size_t lines)
{
    if (stepper->overlay == RD_OVERLAY_NONE)
        return false;
    if (stepper->overlay == RD_OVERLAY_TRACE && stepper->has_thread) {
        size_t count = rd_stepper_log(stepper)->list.threads[stepper->thread].count;
        if (forward && stepper->access + 1 < count)
            stepper->access++;
        else if (!forward && stepper->access > 0)
            stepper->access--;
        select_access(stepper);
    } else if (forward) {
        stepper->scroll += lines; /* drawing ends it where the text ends */
    } else {
        stepper->scroll -= stepper->scroll < lines ? stepper->scroll : lines;
    }
    return true;
}

enum rd_status rd_act_cell_next(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, true, 1))
        move_cell(stepper, true, 1);
    return RD_OK;
}

enum rd_status rd_act_cell_previous(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, false, 1))
        move_cell(stepper, false, 1);
    return RD_OK;
}

enum rd_status rd_act_page_next(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, true, SCROLL_LINES))
        move_cell(stepper, true, stepper->page);
    return RD_OK;
}

enum rd_status rd_act_page_previous(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, false, SCROLL_LINES))
        move_cell(stepper, false, stepper->page);
    return RD_OK;
}

void rd_stepper_go_to_violation(struct rd_stepper *stepper)
{
    for (size_t k = 0; k < rd_history_frames(stepper->history); k++) {
        const struct rd_frame *frame = rd_history_frame(stepper->history, k);
        if (!frame->violated)
            continue;
        rd_stepper_go(stepper, k);
        if (frame->violation.cell < frame->n_cells)
            stepper->cell = frame->violation.cell;
        return;
    }
    for (size_t k = 0; k < rd_history_frames(stepper->history); k++) {
        const struct rd_frame *frame = rd_history_frame(stepper->history, k);
        if (frame->n_hazards == 0)
            continue;
        rd_stepper_go(stepper, k);
        rd_stepper_say(stepper, "no step is violated; this is the first with a hazard");
        return;
    }
    rd_stepper_say(stepper, "no step is violated%s",
                   stepper->about->result.violated ? ", but the goal is not reached" : "");
}

enum rd_status rd_act_violation(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error)
{
    (void)argument;
    (void)error;
    rd_stepper_go_to_violation(stepper);
    return RD_OK;
}
