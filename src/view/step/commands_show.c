// SPDX-License-Identifier: MIT
/* Commands that change what is shown. */
#include "view/step/commands.h"

#include <stdio.h>
#include <string.h>

enum rd_status rd_act_views(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    enum rd_step_view view = (stepper->view + 1) % RD_SHOW_COUNT;
    if (*argument) {
        for (view = 0; view < RD_SHOW_COUNT; view++)
            if (strcmp(argument, rd_step_view_name(view)) == 0 ||
                (view == RD_SHOW_SETS && strcmp(argument, "sets") == 0))
                break;
        if (view == RD_SHOW_COUNT)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'%s' is no view: use values, sets, changes or expected", argument);
    }
    struct rd_input_set actual, expected;
    struct rd_error reason;
    stepper->view = view;
    if (view == RD_SHOW_SETS && rd_history_set(stepper->history, stepper->frame, stepper->cell,
                                               &actual, &expected, &reason) != RD_OK)
        rd_stepper_say(stepper, "cells show %s: %s", rd_step_view_name(view), reason.text);
    else
        rd_stepper_say(stepper, "cells show %s", rd_step_view_name(view));
    return RD_OK;
}

static void toggle(struct rd_stepper *stepper, enum rd_overlay overlay)
{
    stepper->overlay = stepper->overlay == overlay ? RD_OVERLAY_NONE : overlay;
    stepper->scroll = 0;
}

enum rd_status rd_act_details(struct rd_stepper *stepper, const char *argument,
                              struct rd_error *error)
{
    (void)argument;
    if (stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE, "that would tell the answer: guess first, with '='");
    toggle(stepper, RD_OVERLAY_CELL);
    return RD_OK;
}

enum rd_status rd_act_hazards(struct rd_stepper *stepper, const char *argument,
                              struct rd_error *error)
{
    (void)argument;
    if (stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE, "that would tell the answer: guess first, with '='");
    toggle(stepper, RD_OVERLAY_HAZARDS);
    return RD_OK;
}

enum rd_status rd_act_trace(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    (void)argument;
    const struct rd_log *log = rd_stepper_log(stepper);
    if (stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE, "that would tell the answer: guess first, with '='");
    if (log->list.n_threads == 0)
        return rd_step_no_threads(stepper, error);
    if (!stepper->has_thread) {
        const struct rd_access_move *move = rd_log_writer(log, stepper->cell);
        rd_step_select_thread(stepper, move ? move->thread : 0);
    }
    toggle(stepper, RD_OVERLAY_TRACE);
    return RD_OK;
}

enum rd_status rd_act_watch(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    struct rd_step_watch *watch = &stepper->watch;
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    size_t cell = stepper->cell;
    enum rd_status status = *argument ? rd_step_cell(stepper, argument, &cell, error) : RD_OK;
    if (status != RD_OK)
        return status;
    if (watch->on && watch->cell == cell && strcmp(watch->array, frame->array) == 0) {
        watch->on = false;
        rd_stepper_say(stepper, "%s[%zu] is no longer watched", watch->array, watch->cell);
        return RD_OK;
    }
    watch->on = true;
    watch->cell = cell;
    snprintf(watch->array, sizeof watch->array, "%s", frame->array);
    return RD_OK;
}

enum rd_status rd_act_play(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    (void)argument;
    (void)error;
    stepper->playing = !stepper->playing;
    return RD_OK;
}

enum rd_status rd_act_help(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    (void)argument;
    (void)error;
    toggle(stepper, RD_OVERLAY_HELP);
    return RD_OK;
}

enum rd_status rd_act_close(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (stepper->overlay != RD_OVERLAY_NONE)
        stepper->overlay = RD_OVERLAY_NONE;
    else
        stepper->has_thread = false;
    return RD_OK;
}

enum rd_status rd_act_quit(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    (void)argument;
    (void)error;
    stepper->quit = true;
    return RD_OK;
}
