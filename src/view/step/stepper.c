// SPDX-License-Identifier: MIT
#include "view/parts.h"
#include "base/texts.h"
#include "view/step/commands.h"

#include <stdio.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void rd_stepper_init(struct rd_stepper *stepper, struct rd_history *history,
                     const struct rd_run *run, const struct rd_history_options *options)
{
    *stepper = (struct rd_stepper){
        .history = history,
        .about = rd_history_about(history),
        .run = run,
        .options = options,
        .page = 1,
        .play_ms = 1000,
    };
    if (run)
        stepper->breaks.run = *run;
    stepper->breaks.run.breaks = stepper->breaks.list;
    stepper->breaks.run.n_breaks = 0;
    if (stepper->about->witness)
        stepper->view = RD_SHOW_SETS;
}

void rd_stepper_finish(struct rd_stepper *stepper)
{
    rd_log_finish(&stepper->log);
    rd_step_law_finish(&stepper->law);
    rd_history_destroy(stepper->history);
    stepper->history = NULL;
}

const struct rd_frame *rd_stepper_frame(const struct rd_stepper *stepper)
{
    return rd_history_frame(stepper->history, stepper->frame);
}

void rd_stepper_busy(const struct rd_stepper *stepper)
{
    enum { LARGE = 1 << 14 }; /* inputs; below it the screen would only flicker */
    if (stepper->busy && stepper->about->n_a >= LARGE)
        stepper->busy();
}

const struct rd_log *rd_stepper_log(struct rd_stepper *stepper)
{
    if (!stepper->log.made || stepper->log.frame != stepper->frame)
        rd_stepper_busy(stepper);
    rd_log_make(&stepper->log, stepper->history, stepper->frame);
    return &stepper->log;
}

void rd_stepper_say(struct rd_stepper *stepper, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(stepper->message, sizeof stepper->message, format, arguments);
    va_end(arguments);
}

/* ---- position ---- */

/* The thread that was followed is followed on, where the frame has it. */
static void keep_thread(struct rd_stepper *stepper, const struct rd_access_thread *wanted)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    stepper->access = 0;
    for (size_t k = 0; k < log->list.n_threads; k++)
        if (log->list.threads[k].block == wanted->block &&
            log->list.threads[k].thread == wanted->thread) {
            stepper->thread = k;
            return;
        }
    rd_step_leave_thread(stepper);
}

void rd_stepper_go(struct rd_stepper *stepper, size_t frame)
{
    struct rd_access_thread thread = {0};
    size_t last = rd_history_frames(stepper->history) - 1;
    if (stepper->has_thread)
        thread = rd_stepper_log(stepper)->list.threads[stepper->thread];
    stepper->frame = frame < last ? frame : last;
    stepper->quiz.hidden = false;
    stepper->scroll = 0;
    size_t n = rd_stepper_frame(stepper)->n_cells;
    if (stepper->cell >= n)
        stepper->cell = n > 0 ? n - 1 : 0;
    if (stepper->has_thread)
        keep_thread(stepper, &thread);
}

/* ---- what cells show ---- */

static const char *const view_names[] = {
    [RD_SHOW_VALUES] = "values",
    [RD_SHOW_SETS] = "index sets",
    [RD_SHOW_CHANGES] = "changes",
    [RD_SHOW_EXPECTED] = "expected",
};

const char *rd_step_view_name(enum rd_step_view view)
{
    return view_names[view];
}

/* "+4": what the step has added. */
static void change_text(struct rd_stepper *stepper, size_t before, size_t index, rd_bits now,
                        char *text, size_t size)
{
    const struct rd_numeric *numeric = stepper->about->numeric;
    struct rd_history_cell was;
    char number[RD_VALUE_TEXT_SIZE];
    if (rd_history_cell(stepper->history, before, index, &was, NULL) != RD_OK || !was.known)
        return;
    if (numeric->lanes->select) { /* another input, and not one so much further on */
        rd_cell_text(numeric, stepper->about->a, stepper->about->n_a, now, number);
        snprintf(text, size, "%s", number);
        return;
    }
    bool grew =
        !numeric->less(now, was.value) && !numeric->is_nan(now) && !numeric->is_nan(was.value);
    rd_bits change = grew ? numeric->subtract(now, was.value) : numeric->subtract(was.value, now);
    if (numeric->type == RD_TYPE_I32) /* two may lie further apart than the type reaches */
        numeric = rd_numeric(RD_TYPE_U32);
    if (numeric->type == RD_TYPE_I64)
        numeric = rd_numeric(RD_TYPE_U64);
    numeric->format(number, change);
    snprintf(text, size, "%s%s", grew ? "+" : "-", number);
}

const char *rd_stepper_unknown_text(const struct rd_stepper *stepper)
{
    return stepper->about->witness ? "witness values tell only which inputs are in it"
                                   : "it was not copied back, or the trace has cut it";
}

static void sets_text(struct rd_stepper *stepper, size_t frame, size_t index, char *text,
                      size_t size)
{
    struct rd_input_set actual, expected;
    if (rd_history_set(stepper->history, frame, index, &actual, &expected, NULL) == RD_OK)
        rd_input_set_text(&actual, text, size); /* else unknown: the command has said why */
}

void rd_stepper_cell_text(struct rd_stepper *stepper, size_t frame, size_t index,
                          enum rd_step_view view, char *text, size_t size)
{
    struct rd_history_cell cell;
    struct rd_error error;
    char number[RD_VALUE_TEXT_SIZE];
    snprintf(text, size, "?");
    if (stepper->quiz.hidden && frame == stepper->frame)
        return;
    if (rd_history_cell(stepper->history, frame, index, &cell, &error) != RD_OK) {
        rd_stepper_say(stepper, "%s", error.text);
        return;
    }
    if (view == RD_SHOW_SETS) {
        sets_text(stepper, frame, index, text, size);
    } else if (view == RD_SHOW_EXPECTED) {
        bool silent = !cell.live && rd_history_frame(stepper->history, frame)->inside;
        if (cell.expected_known)
            rd_cell_text(stepper->about->numeric, stepper->about->a, stepper->about->n_a,
                         cell.expected, number);
        if (cell.expected_known || silent)
            snprintf(text, size, "%s", cell.expected_known ? number : "·");
    } else if (cell.known && view == RD_SHOW_CHANGES) {
        if (cell.changed)
            change_text(stepper, rd_history_frame(stepper->history, frame)->before, index,
                        cell.value, text, size);
        else
            snprintf(text, size, "·");
    } else if (cell.known) {
        rd_cell_text(stepper->about->numeric, stepper->about->a, stepper->about->n_a, cell.value,
                     number);
        snprintf(text, size, "%s", number);
    }
}

const char *rd_stepper_wraps_text(const struct rd_stepper *stepper, char text[RD_STEP_WRAPS_SIZE])
{
    enum { DIGITS = 18 }; /* that a long double holds */
    long double whole;
    text[0] = '\0';
    if (rd_history_wraps(stepper->history, stepper->frame, stepper->cell, &whole))
        snprintf(text, RD_STEP_WRAPS_SIZE, "%.*Lg mod 2^%zu", DIGITS, whole,
                 8 * stepper->about->numeric->size_bytes);
    return text;
}

/* ---- watched cells ---- */

bool rd_stepper_has_watched(const struct rd_stepper *stepper, size_t frame,
                            const struct rd_step_watch *watch)
{
    const struct rd_frame *of = rd_history_frame(stepper->history, frame);
    return strcmp(of->array, watch->array) == 0 && watch->cell < of->n_cells &&
           of->inside == watch->inside &&
           (!of->inside || (of->place.block == watch->block && of->place.warp == watch->warp));
}

/* ---- hazards ---- */

/* At a checkpoint the frame has none: they are those of the round that is under way. */
size_t rd_stepper_hazards(const struct rd_stepper *stepper, size_t *first)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    size_t count = 0;
    *first = frame->first_hazard;
    if (!frame->inside)
        return frame->n_hazards;
    for (size_t k = 0; k < rd_history_hazards(stepper->history); k++) {
        bool its = rd_history_hazard(stepper->history, k)->step == frame->step;
        if (its && count == 0)
            *first = k;
        count += its;
    }
    return count;
}

/* ---- what threads did ---- */

/* The verb for a source of a value: " reads ", and of the next nothing more. */
static const char *source_verb(const struct rd_access *source, const struct rd_access *before)
{
    if (before && before->op == source->op)
        return "";
    switch (source->op) {
    case RD_ACCESS_READ:
    case RD_ACCESS_TAKE:
        return rd_access_verb(source->op);
    case RD_ACCESS_HOLD:
    case RD_ACCESS_HAND:
        return rd_access_verb(RD_ACCESS_HOLD);
    case RD_ACCESS_WRITE:
    case RD_ACCESS_ATOMIC:
        break;
    }
    return "keeps";
}

/* Tells whether the source is the input that a cell among the other sources holds the index of: "A[4] = -7 at 4" says
 * a[4] as well. */
static bool is_said_by_its_index(const struct rd_log *log, const struct rd_access_move *move,
                                 const struct rd_access *source)
{
    if (source->outside || rd_operation_selects(log->list.arrays[source->array].numeric->operation))
        return false;
    for (size_t k = 0; k < move->n_reads; k++) {
        const struct rd_access *other = rd_log_source(log, move->first + k);
        if (!other->outside && other->value == source->index &&
            rd_operation_selects(log->list.arrays[other->array].numeric->operation))
            return true;
    }
    return false;
}

static void append_sources(char text[RD_STEP_SENTENCE_SIZE], const struct rd_log *log,
                           const struct rd_access_move *move)
{
    enum { SHOWN_MAX = 6 };
    const struct rd_access *before = NULL, *told[SHOWN_MAX];
    size_t n_told = 0;
    for (size_t k = 0; k < move->n_reads; k++) {
        const struct rd_access *source = rd_log_source(log, move->first + k);
        if (is_said_by_its_index(log, move, source))
            continue;
        if (n_told < SHOWN_MAX)
            told[n_told] = source;
        n_told++;
    }
    const size_t shown = n_told < SHOWN_MAX ? n_told : SHOWN_MAX;
    for (size_t k = 0; k < shown; k++) {
        char access[RD_ACCESS_TEXT_SIZE];
        const struct rd_access *source = told[k];
        const bool last = k + 1 == shown && shown == n_told;
        const char *verb = source_verb(source, before);
        rd_append(text, RD_STEP_SENTENCE_SIZE, "%s%s%s%s",
                  k == 0 ? " "
                  : last ? " and "
                         : ", ",
                  verb, *verb ? " " : "", rd_log_text(log, source, access));
        before = source;
    }
    if (shown < n_told)
        rd_append(text, RD_STEP_SENTENCE_SIZE, " and %zu more", n_told - shown);
}

static const char *move_verb(enum rd_access_op op)
{
    if (op == RD_ACCESS_ATOMIC)
        return "updates atomically";
    return op == RD_ACCESS_WRITE ? "writes" : "then holds";
}

const char *rd_stepper_move_text(const struct rd_log *log, const struct rd_access_move *move,
                                 char text[RD_STEP_SENTENCE_SIZE])
{
    const struct rd_access_thread *thread = &log->list.threads[move->thread];
    const struct rd_access *write = rd_log_access(log, move->write);
    char access[RD_ACCESS_TEXT_SIZE];
    text[0] = '\0';
    rd_append(text, RD_STEP_SENTENCE_SIZE, "thread %u of block %" PRIu64, thread->thread,
              thread->block);
    append_sources(text, log, move);
    rd_append(text, RD_STEP_SENTENCE_SIZE, "%s %s %s", move->n_reads > 0 ? "," : "",
              move_verb(write->op), rd_log_text(log, write, access));
    char line[RD_LINE_TEXT_SIZE];
    if (write->line > 0)
        rd_append(text, RD_STEP_SENTENCE_SIZE, " (%s)",
                  rd_line_text(write->line, write->file, line));
    if (move->unsure)
        rd_append(text, RD_STEP_SENTENCE_SIZE, "; it need not be made of just that");
    return text;
}

const struct rd_access *rd_stepper_ran(struct rd_stepper *stepper)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    if (log->list.n_threads == 0 || stepper->quiz.hidden)
        return NULL;
    if (stepper->has_thread) {
        const struct rd_access_thread *thread = &log->list.threads[stepper->thread];
        size_t at = stepper->overlay == RD_OVERLAY_TRACE ? stepper->access : thread->count - 1;
        return rd_log_access(log, thread->first + at);
    }
    const struct rd_access_move *move = rd_log_writer(log, stepper->cell);
    if (!move && log->list.n_moves > 0)
        move = &log->list.moves[log->list.n_moves - 1];
    size_t at = move ? move->write : log->list.count - 1;
    return rd_log_access(log, at);
}
