// SPDX-License-Identifier: MIT
/* Commands that go to a step or a cell, change the display, and play; the table of all commands. */
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

/* As rd_step_command.act, in the order of the table. */
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
    if (target == stepper->frame && !stepper->quiz.hidden)
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
    if (stepper->frame + 1 == rd_history_frames(stepper->history) && !stepper->quiz.hidden)
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

static enum rd_status act_cell(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
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

static enum rd_status act_cell_next(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, true, 1))
        move_cell(stepper, true, 1);
    return RD_OK;
}

static enum rd_status act_cell_previous(struct rd_stepper *stepper, const char *argument,
                                        struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, false, 1))
        move_cell(stepper, false, 1);
    return RD_OK;
}

static enum rd_status act_page_next(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, true, SCROLL_LINES))
        move_cell(stepper, true, stepper->page);
    return RD_OK;
}

static enum rd_status act_page_previous(struct rd_stepper *stepper, const char *argument,
                                        struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (!scroll(stepper, false, SCROLL_LINES))
        move_cell(stepper, false, stepper->page);
    return RD_OK;
}

/* To the first violated step and its cell; says so where there is none. */
static void go_to_violation(struct rd_stepper *stepper)
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

static enum rd_status act_violation(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error)
{
    (void)argument;
    (void)error;
    go_to_violation(stepper);
    return RD_OK;
}

/* ---- showing ---- */

/* Commands that change what is shown. */

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

static enum rd_status act_details(struct rd_stepper *stepper, const char *argument,
                                  struct rd_error *error)
{
    (void)argument;
    if (stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE, "that would tell the answer: guess first, with '='");
    rd_stepper_busy(stepper);
    toggle(stepper, RD_OVERLAY_CELL);
    return RD_OK;
}

static enum rd_status act_hazards(struct rd_stepper *stepper, const char *argument,
                                  struct rd_error *error)
{
    (void)argument;
    if (stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE, "that would tell the answer: guess first, with '='");
    toggle(stepper, RD_OVERLAY_HAZARDS);
    return RD_OK;
}

static enum rd_status act_proof(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error)
{
    (void)argument;
    if (stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE, "that would tell the answer: guess first, with '='");
    if (!stepper->proof.print)
        return rd_fail(error, RD_ERROR_USAGE, "nothing is known of proofs here");
    rd_stepper_busy(stepper);
    toggle(stepper, RD_OVERLAY_PROOF);
    return RD_OK;
}

static enum rd_status act_trace(struct rd_stepper *stepper, const char *argument,
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

static enum rd_status act_watch(struct rd_stepper *stepper, const char *argument,
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

static enum rd_status act_unwatch(struct rd_stepper *stepper, const char *argument,
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

/* As in less: what lies over the screen is left first. */
static enum rd_status act_quit(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    (void)argument;
    (void)error;
    stepper->quit = stepper->overlay == RD_OVERLAY_NONE;
    stepper->overlay = RD_OVERLAY_NONE;
    return RD_OK;
}

/* ---- playing ---- */

/* Playing round after round. */

enum { PLAY_MS_MIN = 125, PLAY_MS_MAX = 8000 };

static enum rd_status act_play(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error)
{
    (void)argument;
    (void)error;
    stepper->playing = !stepper->playing;
    return RD_OK;
}

static void say_speed(struct rd_stepper *stepper)
{
    rd_stepper_say(stepper, "a round every %g s%s", stepper->play_ms / 1000.0,
                   stepper->play_ms == PLAY_MS_MIN   ? ", which is as fast as it goes"
                   : stepper->play_ms == PLAY_MS_MAX ? ", which is as slow as it goes"
                                                     : "");
}

static enum rd_status act_faster(struct rd_stepper *stepper, const char *argument,
                                 struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (stepper->play_ms > PLAY_MS_MIN)
        stepper->play_ms /= 2;
    say_speed(stepper);
    return RD_OK;
}

static enum rd_status act_slower(struct rd_stepper *stepper, const char *argument,
                                 struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (stepper->play_ms < PLAY_MS_MAX)
        stepper->play_ms *= 2;
    say_speed(stepper);
    return RD_OK;
}

/* Checkpoints on the way count, too. */
static bool goes_wrong_between(const struct rd_stepper *stepper, size_t first, size_t last)
{
    for (size_t k = first; k <= last; k++)
        if (rd_history_frame(stepper->history, k)->violated)
            return true;
    return false;
}

enum rd_status rd_stepper_play_on(struct rd_stepper *stepper, struct rd_error *error)
{
    size_t from = stepper->frame;
    bool wrong = rd_stepper_frame(stepper)->violated;
    enum rd_status status = rd_stepper_do(stepper, "next", error);
    if (status != RD_OK || stepper->quiz.hidden) { /* a question waits for its answer */
        stepper->playing = false;
        return status;
    }
    if (!wrong && stepper->frame > from && goes_wrong_between(stepper, from + 1, stepper->frame)) {
        rd_stepper_say(stepper, "stopped: step %u is violated; Space plays on",
                       rd_stepper_frame(stepper)->step);
        stepper->playing = false;
    }
    return RD_OK;
}

/* ---- the table ---- */

/* The one table of commands: keys, scripts and the help have them from here, and a test compares the
 * man page with it. */

// clang-format off
const struct rd_step_command rd_step_commands[] = {
    {{"Right", "n", "j"}, "next", NULL, NULL, "to the end of the next round", act_next, NULL},
    {{"Left", "p", "k", "rn"}, "previous", NULL, NULL, "back by a round", act_previous, NULL},
    {{"s", "."}, "step", NULL, NULL, "to the next checkpoint or end of a round", act_step, NULL},
    {{"rs", ","}, "step-back", NULL, NULL, "back by a checkpoint", act_step_back, NULL},
    {{"S-Right", "]"}, "thread-next", NULL, NULL, "the step's next thread alone", rd_act_thread_next, NULL},
    {{"S-Left", "["}, "thread-previous", NULL, NULL, "the thread before", rd_act_thread_previous, NULL},
    {{NULL}, "thread", "T|B:T", NULL, "thread T, of block B, alone", rd_act_thread, NULL},
    {{"Home", "<"}, "first", NULL, NULL, "to the beginning", act_first, NULL},
    {{"End", "G", ">"}, "last", NULL, NULL, "to the end", act_last, NULL},
    {{"Ng"}, "round", "N", NULL, "a number, then g: to the end of round N", act_round, NULL},
    {{"Space"}, "play", NULL, NULL, "play up to what is violated; any key stops", act_play, NULL},
    {{"+"}, "faster", NULL, NULL, "play twice as fast; does not stop it", act_faster, NULL},
    {{"-"}, "slower", NULL, NULL, "play half as fast; does not stop it", act_slower, NULL},
    {{"!"}, "violation", NULL, NULL, "to the first violated step, or else hazard", act_violation, NULL},
    {{"Down", "l", "Tab"}, "cell-next", NULL, NULL, "the next cell; down in a text", act_cell_next, NULL},
    {{"Up", "h", "S-Tab"}, "cell-previous", NULL, NULL, "the cell before; up", act_cell_previous, NULL},
    {{"PgDn"}, "page-next", NULL, NULL, "a screen of cells on", act_page_next, NULL},
    {{"PgUp"}, "page-previous", NULL, NULL, "a screen of cells back", act_page_previous, NULL},
    {{"/", "g"}, "cell", "INDEX", "cell", "to a cell", act_cell, NULL},
    {{"Enter"}, "details", NULL, NULL, "what is in the cell, and how it came in", act_details, NULL},
    {{"v"}, "views", "[VIEW]", NULL, "show values, sets, changes or expected", act_views, NULL},
    {{"H"}, "hazards", NULL, NULL, "all hazards, in full; Down, Up", act_hazards, NULL},
    {{"P"}, "proof", NULL, NULL, "why: the round's sets of inputs; every n", act_proof, NULL},
    {{"t"}, "trace", NULL, NULL, "follow a thread's accesses; Down, Up", act_trace, NULL},
    {{"w"}, "watch", "[INDEX]", NULL, "watch the cell from now on, or no longer", act_watch, NULL},
    {{"W"}, "unwatch", "[INDEX]", NULL, "watch that cell, or any, no longer", act_unwatch, NULL},
    {{"x"}, "break", "WHAT", "break here: V of the cell, thread [T] or barrier [N]",
     "V; value I V; thread [T]; barrier [N]: go wrong", rd_break_act, rd_break_accept},
    {{"u"}, "undo", NULL, NULL, "undo the last break", rd_break_undo, NULL},
    {{"U"}, "redo", NULL, NULL, "break again what was undone", rd_break_redo, NULL},
    {{"a"}, "quiz", NULL, NULL, "be asked before each step is shown", rd_quiz_act, NULL},
    {{"="}, "guess", "GUESS", "guess: V of the cell, V V ... of the round, sum V, or {I,J} in it",
     "answer: V, V V ..., sum V or {I,J}", rd_quiz_guess, rd_quiz_accept},
    {{"L"}, "law", "[LAW|@FILE]", "law", "judge a law of your own; without one, no more", rd_act_law, rd_law_command_accept},
    {{"?"}, "help", NULL, NULL, "these keys", act_help, NULL},
    {{"Esc"}, "close", NULL, NULL, "close this; all threads again", act_close, NULL},
    {{"q"}, "quit", NULL, NULL, "close this; leave", act_quit, NULL},
    {{NULL}, NULL, NULL, NULL, NULL, NULL, NULL},
};
// clang-format on
