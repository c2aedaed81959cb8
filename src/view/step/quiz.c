// SPDX-License-Identifier: MIT
/* The quiz: a step's state is hidden until it is guessed, and the answer says why. */
#include "view/boxes.h"
#include "view/step/commands.h"

#include <string.h>

static void ask(struct rd_stepper *stepper)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    stepper->quiz.hidden = true;
    stepper->has_thread = false;
    stepper->overlay = RD_OVERLAY_NONE;
    stepper->playing = false;
    rd_stepper_say(stepper, "what will %s[%zu] hold? '=' takes your guess", frame->array,
                   stepper->cell);
}

/* What the cell holds and why, behind what is said already. */
static void explain(struct rd_stepper *stepper, const char *verdict, size_t index,
                    const struct rd_history_cell *cell)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_access_move *move = rd_log_writer(log, index);
    const struct rd_numeric *numeric = stepper->about->numeric;
    const char *array = rd_stepper_frame(stepper)->array;
    char holds[RD_VALUE_TEXT_SIZE], wanted[RD_VALUE_TEXT_SIZE], why[RD_STEP_SENTENCE_SIZE] = "",
                                                                but[96] = "";
    numeric->format(holds, cell->value);
    if (cell->wrong && cell->expected_known) {
        numeric->format(wanted, cell->expected);
        snprintf(but, sizeof but, "; but the invariant wants %s", wanted);
    }
    if (move)
        rd_stepper_move_text(log, move, why);
    else if (log->status == RD_OK)
        snprintf(why, sizeof why, "no thread wrote it, so it is as it was");
    else
        snprintf(why, sizeof why, "%s", log->error.text);
    rd_stepper_say(stepper, "%s: %s[%zu] = %s: %s%s", verdict, array, index, holds, why, but);
}

/* A question that nobody can answer does not count. */
static void give_up(struct rd_stepper *stepper)
{
    struct rd_history_cell cell;
    struct rd_error error;
    stepper->quiz.hidden = false;
    if (rd_history_cell(stepper->history, stepper->frame, stepper->cell, &cell, &error) != RD_OK) {
        rd_stepper_say(stepper, "%s", error.text);
    } else if (!cell.known) {
        rd_stepper_say(stepper, "what %s[%zu] holds is not known: %s",
                       rd_stepper_frame(stepper)->array, stepper->cell,
                       rd_stepper_unknown_text(stepper));
    } else {
        stepper->quiz.asked++;
        explain(stepper, "not guessed", stepper->cell, &cell);
    }
}

void rd_quiz_forward(struct rd_stepper *stepper, size_t frame)
{
    if (stepper->quiz.hidden) {
        give_up(stepper);
        return;
    }
    rd_stepper_go(stepper, frame);
    if (stepper->quiz.on)
        ask(stepper);
}

enum rd_status rd_quiz_act(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    (void)argument;
    (void)error;
    struct rd_quiz *quiz = &stepper->quiz;
    if (quiz->on) {
        quiz->on = quiz->hidden = false;
        rd_stepper_say(stepper, "the quiz is over: %u of %u right", quiz->right, quiz->asked);
        return RD_OK;
    }
    *quiz = (struct rd_quiz){.on = true};
    if (stepper->frame + 1 < rd_history_frames(stepper->history)) {
        rd_stepper_go(stepper, stepper->frame + 1);
        ask(stepper);
    } else {
        rd_stepper_say(stepper, "the quiz asks about the next step: go back first");
    }
    return RD_OK;
}

/* ---- guesses ---- */

static const char *parse(const struct rd_stepper *stepper, const char *text, rd_bits *value)
{
    const char *end = stepper->about->numeric->parse(text, value);
    return end && (*end == '\0' || *end == ' ') ? end + strspn(end, " ") : NULL;
}

static enum rd_status not_a_number(const struct rd_stepper *stepper, const char *text,
                                   struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_USAGE, "'%s' is not a number of the type %s", text,
                   stepper->about->numeric->name);
}

static void settle(struct rd_stepper *stepper, bool right)
{
    stepper->quiz.hidden = false;
    stepper->quiz.asked++;
    stepper->quiz.right += right;
}

static enum rd_status unknown(const struct rd_stepper *stepper, struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_USAGE, "what it holds is not known: %s; guess another cell",
                   rd_stepper_unknown_text(stepper));
}

/* The sum of the live cells of a frame. False: not all are known. */
static enum rd_status sum_of(struct rd_stepper *stepper, size_t k, rd_bits *sum,
                             struct rd_error *error)
{
    const struct rd_frame *frame = rd_history_frame(stepper->history, k);
    const struct rd_numeric *numeric = stepper->about->numeric;
    size_t live = rd_claim_live(&frame->claim, frame->n_cells);
    rd_bits total = numeric->from_u64(0);
    for (size_t i = 0; i < live; i++) {
        struct rd_history_cell cell;
        enum rd_status status =
            rd_history_cell(stepper->history, k, i * frame->claim.stride, &cell, error);
        if (status == RD_OK && !cell.known)
            status = unknown(stepper, error);
        if (status != RD_OK)
            return status;
        total = i == 0 ? cell.value : numeric->add(total, cell.value);
    }
    *sum = total;
    return RD_OK;
}

static enum rd_status guess_sum(struct rd_stepper *stepper, const char *text,
                                struct rd_error *error)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    const struct rd_numeric *numeric = stepper->about->numeric;
    char holds[RD_VALUE_TEXT_SIZE], was[RD_VALUE_TEXT_SIZE], why[160] = "";
    rd_bits guess, sum, before;
    if (!parse(stepper, text, &guess))
        return not_a_number(stepper, text, error);
    enum rd_status status = sum_of(stepper, stepper->frame, &sum, error);
    if (status != RD_OK)
        return status;
    bool right = numeric->same(guess, sum);
    numeric->format(holds, sum);
    if (frame->before != stepper->frame && sum_of(stepper, frame->before, &before, NULL) == RD_OK) {
        numeric->format(was, before);
        if (numeric->same(sum, before))
            snprintf(why, sizeof why,
                     ", as before: what leaves the dead cells is in the live ones");
        else
            snprintf(why, sizeof why, ", and before it was %s: the step does not keep the sum",
                     was);
    }
    settle(stepper, right);
    rd_stepper_say(stepper, "%s: the live cells add up to %s%s", right ? "right" : "wrong", holds,
                   why);
    return RD_OK;
}

static enum rd_status guess_cell(struct rd_stepper *stepper, rd_bits guess, struct rd_error *error)
{
    struct rd_history_cell cell;
    enum rd_status status =
        rd_history_cell(stepper->history, stepper->frame, stepper->cell, &cell, error);
    if (status != RD_OK)
        return status;
    if (!cell.known)
        return unknown(stepper, error);
    bool right = stepper->about->numeric->same(guess, cell.value);
    settle(stepper, right);
    explain(stepper, right ? "right" : "wrong", stepper->cell, &cell);
    return RD_OK;
}

/* The values of all live cells, in their order. The first that is wrong is told. */
static enum rd_status guess_round(struct rd_stepper *stepper, const char *text,
                                  struct rd_error *error)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    size_t live = rd_claim_live(&frame->claim, frame->n_cells), count = 0, first = live;
    struct rd_history_cell cell = {.known = false}, differs = {.known = false};
    for (const char *rest = text; *rest; count++) {
        rd_bits guess;
        const char *end = parse(stepper, rest, &guess);
        if (!end)
            return not_a_number(stepper, rest, error);
        rest = end;
        if (count >= live)
            continue;
        enum rd_status status = rd_history_cell(stepper->history, stepper->frame,
                                                count * frame->claim.stride, &cell, error);
        if (status == RD_OK && !cell.known)
            status = unknown(stepper, error);
        if (status != RD_OK)
            return status;
        if (first == live && !stepper->about->numeric->same(guess, cell.value)) {
            first = count;
            differs = cell;
        }
    }
    if (count != live)
        return rd_fail(error, RD_ERROR_USAGE,
                       "%zu values, and there are %zu live cells: guess one, or all of them", count,
                       live);
    settle(stepper, first == live);
    if (first == live) {
        rd_stepper_say(stepper, "right: all %zu live cells are so", live);
        return RD_OK;
    }
    stepper->cell = first * frame->claim.stride;
    explain(stepper, "wrong", stepper->cell, &differs);
    return RD_OK;
}

enum rd_status rd_quiz_guess(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error)
{
    rd_bits guess;
    if (!stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE,
                       "there is no question: 'quiz' (the key a) asks about the next step");
    if (strncmp(argument, "sum ", 4) == 0)
        return guess_sum(stepper, argument + 4 + strspn(argument + 4, " "), error);
    const char *end = parse(stepper, argument, &guess);
    if (!end)
        return not_a_number(stepper, argument, error);
    return *end == '\0' ? guess_cell(stepper, guess, error) : guess_round(stepper, argument, error);
}
