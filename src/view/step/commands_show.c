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
    if (view == RD_SHOW_SETS)
        rd_stepper_busy(stepper);
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
    rd_stepper_busy(stepper);
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

/* The number of a cell among those that are watched; their count: it is none of them. */
static unsigned find_watch(const struct rd_stepper *stepper, size_t cell)
{
    const struct rd_step_watches *watches = &stepper->watches;
    unsigned k = 0;
    while (k < watches->count &&
           (watches->list[k].cell != cell ||
            !rd_stepper_has_watched(stepper, stepper->frame, &watches->list[k])))
        k++;
    return k;
}

static void drop_watch(struct rd_stepper *stepper, unsigned k)
{
    struct rd_step_watches *watches = &stepper->watches;
    rd_stepper_say(stepper, "%s[%zu] is no longer watched", watches->list[k].array,
                   watches->list[k].cell);
    watches->count--;
    memmove(&watches->list[k], &watches->list[k + 1],
            (watches->count - k) * sizeof watches->list[0]);
}

enum rd_status rd_act_watch(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error)
{
    struct rd_step_watches *watches = &stepper->watches;
    size_t cell = stepper->cell;
    enum rd_status status = *argument ? rd_step_cell(stepper, argument, &cell, error) : RD_OK;
    if (status != RD_OK)
        return status;
    unsigned k = find_watch(stepper, cell);
    if (k < watches->count) {
        drop_watch(stepper, k);
        return RD_OK;
    }
    if (watches->count == RD_STEP_WATCHES_MAX)
        return rd_fail(error, RD_ERROR_USAGE,
                       "%d cells are watched already: drop one with 'unwatch INDEX', or all with "
                       "'unwatch' (the key W)",
                       RD_STEP_WATCHES_MAX);
    struct rd_step_watch *watch = &watches->list[watches->count++];
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    *watch = (struct rd_step_watch){
        .cell = cell,
        .inside = frame->inside,
        .block = frame->place.block,
        .warp = frame->place.warp,
    };
    snprintf(watch->array, sizeof watch->array, "%s", frame->array);
    return RD_OK;
}

enum rd_status rd_act_unwatch(struct rd_stepper *stepper, const char *argument,
                              struct rd_error *error)
{
    size_t cell;
    if (stepper->watches.count == 0)
        return rd_fail(error, RD_ERROR_USAGE, "no cell is watched: 'watch' (the key w) does that");
    if (*argument == '\0') {
        rd_stepper_say(stepper, "no cell is watched any more");
        stepper->watches.count = 0;
        return RD_OK;
    }
    enum rd_status status = rd_step_cell(stepper, argument, &cell, error);
    if (status != RD_OK)
        return status;
    unsigned k = find_watch(stepper, cell);
    if (k == stepper->watches.count)
        return rd_fail(error, RD_ERROR_USAGE, "%s[%zu] is not watched",
                       rd_stepper_frame(stepper)->array, cell);
    drop_watch(stepper, k);
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

/* As in less: what lies over the screen is left first. */
enum rd_status rd_act_quit(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    (void)argument;
    (void)error;
    stepper->quit = stepper->overlay == RD_OVERLAY_NONE;
    stepper->overlay = RD_OVERLAY_NONE;
    return RD_OK;
}
