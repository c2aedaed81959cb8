// SPDX-License-Identifier: MIT
/* Guesses in a quiz: of a cell, of all live cells, of their sum, of the inputs in a cell. */
#include "view/boxes.h"
#include "view/step/commands.h"

#include <string.h>

static const char *parse(const struct rd_stepper *stepper, const char *text, rd_bits *value)
{
    const char *end = rd_cell_parse(stepper->about->numeric, text, value);
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
            snprintf(why, sizeof why, ", and before it was %s: %s", was,
                     numeric->is_float ? "these additions of floats round otherwise, or the step "
                                         "does not keep the sum"
                                       : "the step does not keep the sum");
    }
    settle(stepper, right);
    rd_stepper_say(stepper, "%s: the live cells add up to %s%s", right ? "right" : "wrong", holds,
                   why);
    return RD_OK;
}

/* "wrong, 4 is what it held before". */
static void verdict_text(struct rd_stepper *stepper, rd_bits guess, bool right, char *text,
                         size_t size)
{
    const struct rd_numeric *numeric = stepper->about->numeric;
    size_t before = rd_stepper_frame(stepper)->before;
    struct rd_history_cell was;
    char value[RD_VALUE_TEXT_SIZE];
    rd_cell_text(numeric, NULL, 0, guess, value);
    bool held = before != stepper->frame &&
                rd_history_cell(stepper->history, before, stepper->cell, &was, NULL) == RD_OK &&
                was.known && numeric->same(guess, was.value);
    if (right)
        snprintf(text, size, "right");
    else
        snprintf(text, size, held ? "wrong, %s is what it held before" : "wrong, not %s", value);
}

static enum rd_status guess_cell(struct rd_stepper *stepper, rd_bits guess, struct rd_error *error)
{
    char verdict[RD_VALUE_TEXT_SIZE + 40];
    struct rd_history_cell cell;
    enum rd_status status =
        rd_history_cell(stepper->history, stepper->frame, stepper->cell, &cell, error);
    if (status != RD_OK)
        return status;
    if (!cell.known)
        return unknown(stepper, error);
    bool right = stepper->about->numeric->same(guess, cell.value);
    settle(stepper, right);
    verdict_text(stepper, guess, right, verdict, sizeof verdict);
    rd_quiz_explain_value(stepper, verdict, stepper->cell, &cell);
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
        rd_stepper_say(stepper, "right: all %zu live cells are so%s", live,
                       frame->violated ? ", but the invariant wants others"
                                       : ", as the invariant says");
        return RD_OK;
    }
    stepper->cell = first * frame->claim.stride;
    rd_quiz_explain_value(stepper, "wrong", stepper->cell, &differs);
    return RD_OK;
}

/* The inputs in the selected cell. */
static enum rd_status guess_set(struct rd_stepper *stepper, const char *text,
                                struct rd_error *error)
{
    enum { TEXT_SIZE = 4096, SHOWN_SIZE = 100 };
    struct rd_input_set guess, actual, expected;
    char guessed[TEXT_SIZE], holds[TEXT_SIZE], verdict[SHOWN_SIZE + 16];
    enum rd_status status = rd_quiz_read_set(text, stepper->about->n_a, &guess, error);
    if (status == RD_OK)
        status = rd_history_set(stepper->history, stepper->frame, stepper->cell, &actual, &expected,
                                error);
    if (status != RD_OK)
        return status;
    rd_input_set_text(&guess, guessed, sizeof guessed);
    rd_input_set_text(&actual, holds, sizeof holds);
    bool right = strcmp(guessed, holds) == 0;
    settle(stepper, right);
    snprintf(verdict, sizeof verdict, right ? "right" : "wrong, not %s",
             rd_input_set_text(&guess, guessed, SHOWN_SIZE));
    return rd_quiz_explain_set(stepper, verdict, stepper->cell, error);
}

enum rd_status rd_quiz_accept(const struct rd_stepper *stepper, struct rd_error *error)
{
    if (!stepper->quiz.hidden)
        return rd_fail(error, RD_ERROR_USAGE,
                       "there is no question: 'quiz' (the key a) asks about the next step");
    return RD_OK;
}

enum rd_status rd_quiz_guess(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error)
{
    rd_bits guess;
    bool sum = strcmp(argument, "sum") == 0 || strncmp(argument, "sum ", 4) == 0;
    if (sum && stepper->about->witness)
        return rd_fail(error, RD_ERROR_USAGE,
                       "witness values have no sum: write the inputs in the cell, as {0,4}");
    if (!sum && (stepper->about->witness || argument[0] == '{'))
        return guess_set(stepper, argument, error);
    if (sum)
        return guess_sum(stepper, argument + 3 + strspn(argument + 3, " "), error);
    const char *end = parse(stepper, argument, &guess);
    if (!end)
        return not_a_number(stepper, argument, error);
    return *end == '\0' ? guess_cell(stepper, guess, error) : guess_round(stepper, argument, error);
}
