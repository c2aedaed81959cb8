// SPDX-License-Identifier: MIT
/* The one table of commands: keys, scripts, the help and the man page all have them from here. */
#include "view/step/commands.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- going about ---- */

static void say_where_it_ends(struct rd_stepper *stepper)
{
    rd_stepper_say(stepper, "this is the end: the run %s",
                   stepper->about->result.interrupted ? "was interrupted here"
                   : stepper->about->incomplete       ? "is known so far only"
                                                      : "has ended");
    stepper->playing = false;
}

static enum rd_status act_next(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    (void)argument;
    (void)error;
    size_t target =
        rd_history_frame_of_step(stepper->history, frame->inside ? frame->step : frame->step + 1);
    if (target <= stepper->frame)
        target = rd_history_frames(stepper->history) - 1;
    if (target == stepper->frame)
        say_where_it_ends(stepper);
    else
        rd_quiz_forward(stepper, target);
    return RD_OK;
}

static enum rd_status act_previous(struct rd_stepper *stepper, const char *argument,
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

static enum rd_status act_step(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (stepper->frame + 1 == rd_history_frames(stepper->history))
        say_where_it_ends(stepper);
    else
        rd_quiz_forward(stepper, stepper->frame + 1);
    return RD_OK;
}

static enum rd_status act_step_back(struct rd_stepper *stepper, const char *argument,
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

static enum rd_status act_first(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error)
{
    (void)argument;
    (void)error;
    rd_stepper_go(stepper, 0);
    return RD_OK;
}

static enum rd_status act_last(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    (void)argument;
    (void)error;
    rd_stepper_go(stepper, rd_history_frames(stepper->history) - 1);
    return RD_OK;
}

static enum rd_status act_round(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error)
{
    uint64_t round;
    if (!rd_step_number(argument, &round))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is not a round: write its number", argument);
    const struct rd_frame *end =
        rd_history_frame(stepper->history, rd_history_frames(stepper->history) - 1);
    if (round > end->step)
        return rd_fail(error, RD_ERROR_USAGE, "there is no round %" PRIu64 ": the last is %u",
                       round, end->step);
    rd_stepper_go(stepper, rd_history_frame_of_step(stepper->history, (unsigned)round));
    return RD_OK;
}

/* ---- threads ---- */

static void say_thread(struct rd_stepper *stepper)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_log_thread *thread = &log->threads[stepper->thread];
    rd_stepper_say(stepper,
                   "thread %u of block %" PRIu64 ", number %zu of the %zu that did something",
                   thread->thread, thread->block, stepper->thread + 1, log->n_threads);
}

/* What it writes is shown. */
static void select_thread(struct rd_stepper *stepper, size_t k)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_log_thread *thread = &log->threads[k];
    stepper->has_thread = true;
    stepper->thread = k;
    stepper->access = 0;
    for (size_t at = thread->first + thread->count; at > thread->first; at--) {
        const struct rd_access *access = rd_log_access(log, at - 1);
        if (access->op != RD_ACCESS_READ && (int)access->array == log->array) {
            stepper->cell = access->index;
            break;
        }
    }
    say_thread(stepper);
}

static enum rd_status no_threads(struct rd_stepper *stepper, struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    if (log->status != RD_OK)
        return rd_fail(error, RD_ERROR_USAGE, "%s", log->error.text);
    return rd_fail(error, RD_ERROR_USAGE,
                   "no thread did anything here: go to a round, with 'next' (the key n)");
}

static enum rd_status act_thread_next(struct rd_stepper *stepper, const char *argument,
                                      struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    (void)argument;
    if (log->n_threads == 0)
        return no_threads(stepper, error);
    if (!stepper->has_thread)
        select_thread(stepper, 0);
    else if (stepper->thread + 1 < log->n_threads)
        select_thread(stepper, stepper->thread + 1);
    else
        rd_stepper_say(stepper, "this is the last thread of the round");
    return RD_OK;
}

static enum rd_status act_thread_previous(struct rd_stepper *stepper, const char *argument,
                                          struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    (void)argument;
    if (log->n_threads == 0)
        return no_threads(stepper, error);
    if (!stepper->has_thread)
        select_thread(stepper, log->n_threads - 1);
    else if (stepper->thread > 0)
        select_thread(stepper, stepper->thread - 1);
    else
        rd_stepper_say(stepper, "this is the first thread of the round");
    return RD_OK;
}

bool rd_step_thread(struct rd_stepper *stepper, const char *text, uint64_t *block, unsigned *thread)
{
    char *end;
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    if (!isdigit((unsigned char)*text))
        return false;
    uint64_t first = strtoull(text, &end, 10), second;
    if (*end == '\0') {
        *block = frame->inside ? frame->place.block : 0;
        *thread = (unsigned)first;
        return first <= UINT32_MAX;
    }
    if (*end != ':' || !rd_step_number(end + 1, &second) || second > UINT32_MAX)
        return false;
    *block = first;
    *thread = (unsigned)second;
    return true;
}

static enum rd_status act_thread(struct rd_stepper *stepper, const char *argument,
                                 struct rd_error *error)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    uint64_t block;
    unsigned thread;
    if (!rd_step_thread(stepper, argument, &block, &thread))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is not a thread: write its number, or BLOCK:THREAD", argument);
    if (log->n_threads == 0)
        return no_threads(stepper, error);
    for (size_t k = 0; k < log->n_threads; k++)
        if (log->threads[k].block == block && log->threads[k].thread == thread) {
            select_thread(stepper, k);
            return RD_OK;
        }
    return rd_fail(error, RD_ERROR_USAGE, "thread %u of block %" PRIu64 " did nothing here", thread,
                   block);
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
        return rd_fail(error, RD_ERROR_USAGE, "there is no %s[%" PRIu64 "]: the last is %s[%zu]",
                       frame->array, index, frame->array, frame->n_cells - 1);
    *cell = (size_t)index;
    return RD_OK;
}

static enum rd_status act_cell(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    size_t cell;
    enum rd_status status = rd_step_cell(stepper, argument, &cell, error);
    if (status == RD_OK) {
        stepper->cell = cell;
        stepper->has_thread = false;
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
    stepper->has_thread = false;
}

/* ↓ and ↑ go through what lies over the screen, if anything does. */
static bool scroll(struct rd_stepper *stepper, bool forward)
{
    if (stepper->overlay == RD_OVERLAY_NONE)
        return false;
    if (stepper->overlay == RD_OVERLAY_TRACE && stepper->has_thread) {
        size_t count = rd_stepper_log(stepper)->threads[stepper->thread].count;
        if (forward && stepper->access + 1 < count)
            stepper->access++;
        else if (!forward && stepper->access > 0)
            stepper->access--;
    } else if (forward) {
        stepper->scroll++;
    } else if (stepper->scroll > 0) {
        stepper->scroll--;
    }
    return true;
}

static enum rd_status act_cell_next(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, true))
        move_cell(stepper, true, 1);
    return RD_OK;
}

static enum rd_status act_cell_previous(struct rd_stepper *stepper, const char *argument,
                                        struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, false))
        move_cell(stepper, false, 1);
    return RD_OK;
}

static enum rd_status act_page_next(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, true))
        move_cell(stepper, true, stepper->page);
    return RD_OK;
}

static enum rd_status act_page_previous(struct rd_stepper *stepper, const char *argument,
                                        struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, false))
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
    rd_stepper_say(stepper, "no step is violated%s",
                   stepper->about->result.violated ? ", but the goal is not reached" : "");
}

static enum rd_status act_violation(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error)
{
    (void)argument;
    (void)error;
    rd_stepper_go_to_violation(stepper);
    return RD_OK;
}

/* ---- what is shown ---- */

static enum rd_status act_views(struct rd_stepper *stepper, const char *argument,
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
    stepper->view = view;
    rd_stepper_say(stepper, "cells show %s", rd_step_view_name(view));
    return RD_OK;
}

static void toggle(struct rd_stepper *stepper, enum rd_overlay overlay)
{
    stepper->overlay = stepper->overlay == overlay ? RD_OVERLAY_NONE : overlay;
    stepper->scroll = 0;
}

static enum rd_status act_details(struct rd_stepper *stepper, const char *argument,
                                  struct rd_error *error)
{
    (void)argument;
    if (stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE, "that would tell the answer: guess first, with '='");
    toggle(stepper, RD_OVERLAY_CELL);
    return RD_OK;
}

static enum rd_status act_trace(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error)
{
    (void)argument;
    const struct rd_log *log = rd_stepper_log(stepper);
    if (stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE, "that would tell the answer: guess first, with '='");
    if (log->n_threads == 0)
        return no_threads(stepper, error);
    if (!stepper->has_thread) {
        const struct rd_log_move *move = rd_log_writer(log, stepper->cell);
        select_thread(stepper, move ? move->thread : 0);
    }
    toggle(stepper, RD_OVERLAY_TRACE);
    return RD_OK;
}

static enum rd_status act_watch(struct rd_stepper *stepper, const char *argument,
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

static enum rd_status act_play(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    (void)argument;
    (void)error;
    stepper->playing = !stepper->playing;
    return RD_OK;
}

static enum rd_status act_help(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    (void)argument;
    (void)error;
    toggle(stepper, RD_OVERLAY_HELP);
    return RD_OK;
}

static enum rd_status act_close(struct rd_stepper *stepper, const char *argument,
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

static enum rd_status act_quit(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    (void)argument;
    (void)error;
    stepper->quit = true;
    return RD_OK;
}

/* ---- the table ---- */

const struct rd_step_command rd_step_commands[] = {
    {{"Right", "n", "j"}, "next", NULL, NULL, "to the end of the next round", act_next},
    {{"Left", "p", "k", "rn"}, "previous", NULL, NULL, "back by a round", act_previous},
    {{"s", "."}, "step", NULL, NULL, "to the next checkpoint, or end of a round", act_step},
    {{"rs", ","}, "step-back", NULL, NULL, "back by a checkpoint", act_step_back},
    {{"S-Right", "]"}, "thread-next", NULL, NULL, "the round's next thread alone", act_thread_next},
    {{"S-Left", "["}, "thread-previous", NULL, NULL, "the thread before", act_thread_previous},
    {{NULL}, "thread", "[BLOCK:]THREAD", NULL, "this thread alone", act_thread},
    {{"Home", "<"}, "first", NULL, NULL, "to the beginning", act_first},
    {{"End", "G", ">"}, "last", NULL, NULL, "to the end", act_last},
    {{"Ng"}, "round", "N", NULL, "digits, then g: to the end of round N", act_round},
    {{"Space"}, "play", NULL, NULL, "play round after round; any key stops", act_play},
    {{"!"}, "violation", NULL, NULL, "to the first step that is violated", act_violation},
    {{"Down", "l", "Tab"}, "cell-next", NULL, NULL, "the next cell; down in a text", act_cell_next},
    {{"Up", "h", "S-Tab"}, "cell-previous", NULL, NULL, "the cell before; up", act_cell_previous},
    {{"PgDn"}, "page-next", NULL, NULL, "a screen of cells on", act_page_next},
    {{"PgUp"}, "page-previous", NULL, NULL, "a screen of cells back", act_page_previous},
    {{"/", "g"}, "cell", "INDEX", "cell", "to a cell", act_cell},
    {{"Enter"}, "details", NULL, NULL, "what is in the cell, and how it came there", act_details},
    {{"v"}, "views", "[VIEW]", NULL, "show values, index sets, changes, expected", act_views},
    {{"t"}, "trace", NULL, NULL, "a thread's accesses in order; Down, Up", act_trace},
    {{"w"}, "watch", "[INDEX]", NULL, "watch the cell through the rounds, or no longer", act_watch},
    {{"a"}, "quiz", NULL, NULL, "ask before each step what it gives", rd_quiz_act},
    {{"="},
     "guess",
     "GUESS",
     "guess: V of the cell, V V ... of the round, or sum V",
     "answer: V, V V ... or sum V",
     rd_quiz_guess},
    {{"?"}, "help", NULL, NULL, "these keys", act_help},
    {{"Esc"}, "close", NULL, NULL, "close what lies over the screen; all threads", act_close},
    {{"q"}, "quit", NULL, NULL, "leave", act_quit},
    {{NULL}, NULL, NULL, NULL, NULL, NULL},
};
