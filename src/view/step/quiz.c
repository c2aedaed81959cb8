// SPDX-License-Identifier: MIT
/* The quiz. */
#include "view/step/commands.h"
#include "view/paint.h"
#include "reductio/summary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets of inputs ---- */

/* Reads a set of inputs as the views write them. */

static bool number(const char **text, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return true;
}

/* Takes the next word, if it is that. */
static bool word(const char **text, const char *wanted)
{
    size_t length = strlen(wanted);
    if (strncmp(*text, wanted, length) != 0)
        return false;
    *text += length;
    return true;
}

/* "3", "0..7", "0..60 by 4", "3x2", "(0..7)x2": counts its members. */
static bool read_item(const char **text, size_t n, int64_t *counts)
{
    uint64_t first, last, stride = 1, times = 1;
    bool open = word(text, "(");
    if (!number(text, &first))
        return false;
    last = first;
    if (word(text, "..") && !number(text, &last))
        return false;
    if (word(text, " by ") && !number(text, &stride))
        return false;
    if (open && !word(text, ")"))
        return false;
    if (word(text, "x") && !number(text, &times))
        return false;
    if (last >= n || stride == 0 || times > INT32_MAX)
        return false;
    for (uint64_t input = first; input <= last; input += stride)
        counts[input] += (int64_t)times;
    return true;
}

/* Reads a set of some of n inputs, as rd_input_set_text writes it, with or without the braces.
 * RD_ERROR_USAGE, RD_ERROR_MEMORY. */
static enum rd_status quiz_read_set(const char *text, size_t n, struct rd_input_set *set,
                                    struct rd_error *error)
{
    enum { INPUTS_MAX = 1 << 20 };
    static const char between[] = " ,";
    n = n < INPUTS_MAX ? n : INPUTS_MAX;
    int64_t *counts = calloc(n + 1, sizeof *counts);
    if (!counts)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a set of inputs");
    const char *rest = text;
    bool open = word(&rest, "{"), fine = true;
    for (rest += strspn(rest, between); fine && *rest && *rest != '}';) {
        fine = read_item(&rest, n, counts) && (*rest == '\0' || strchr(" ,}", *rest));
        rest += strspn(rest, between);
    }
    fine = fine && word(&rest, "}") == open && *rest == '\0';
    memset(set, 0, sizeof *set);
    for (size_t input = 0; fine && input < n; input++)
        if (counts[input] != 0)
            rd_input_set_add(set, input, counts[input]);
    free(counts);
    if (fine)
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'%s' is not a set of inputs 0 to %zu: write their numbers, as {0,4} or {0..7}",
                   text, n - 1);
}

/* ---- guesses ---- */

/* Guesses in a quiz: of a cell, of all live cells, of their sum, of the inputs in a cell. */

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

static void quiz_explain_value(struct rd_stepper *stepper, const char *verdict, size_t index,
                               const struct rd_history_cell *cell);

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
    quiz_explain_value(stepper, verdict, stepper->cell, &cell);
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
    quiz_explain_value(stepper, "wrong", stepper->cell, &differs);
    return RD_OK;
}

static enum rd_status quiz_explain_set(struct rd_stepper *stepper, const char *verdict,
                                       size_t index, struct rd_error *error);

/* The inputs in the selected cell. */
static enum rd_status guess_set(struct rd_stepper *stepper, const char *text,
                                struct rd_error *error)
{
    enum { TEXT_SIZE = 4096, SHOWN_SIZE = 100 };
    struct rd_input_set guess, actual, expected;
    char guessed[TEXT_SIZE], holds[TEXT_SIZE], verdict[SHOWN_SIZE + 16];
    enum rd_status status = quiz_read_set(text, stepper->about->n_a, &guess, error);
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
    return quiz_explain_set(stepper, verdict, stepper->cell, error);
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

/* ---- quiz ---- */

/* The quiz: a step's state is hidden until it is guessed, and the answer says why. */

/* ---- answers ---- */

static void quiz_explain(struct rd_stepper *stepper, const char *verdict, size_t index,
                         const char *holds, const char *wanted)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_access_move *move = rd_log_writer(log, index);
    const char *array = rd_stepper_frame(stepper)->array;
    char why[RD_STEP_SENTENCE_SIZE] = "";
    if (move)
        rd_stepper_move_text(log, move, why);
    else if (log->status == RD_OK)
        snprintf(why, sizeof why, "no thread wrote it, so it is as it was");
    else
        snprintf(why, sizeof why, "%s", log->error.text);
    rd_stepper_say(stepper, "%s: %s[%zu] = %s: %s%s%s", verdict, array, index, holds, why,
                   *wanted ? "; but the invariant wants " : "", wanted);
}

static void quiz_explain_value(struct rd_stepper *stepper, const char *verdict, size_t index,
                               const struct rd_history_cell *cell)
{
    const struct rd_numeric *numeric = stepper->about->numeric;
    char holds[RD_VALUE_TEXT_SIZE], wanted[RD_VALUE_TEXT_SIZE] = "";
    const struct rd_history_about *about = stepper->about;
    rd_cell_text(numeric, about->a, about->n_a, cell->value, holds);
    if (cell->wrong && cell->expected_known)
        rd_cell_text(numeric, about->a, about->n_a, cell->expected, wanted);
    quiz_explain(stepper, verdict, index, holds, wanted);
}

/* The same of the inputs in it. Statuses as for rd_history_set. */
static enum rd_status quiz_explain_set(struct rd_stepper *stepper, const char *verdict,
                                       size_t index, struct rd_error *error)
{
    enum { TEXT_SIZE = 120 };
    struct rd_input_set actual, expected;
    char holds[TEXT_SIZE], wanted[TEXT_SIZE];
    enum rd_status status =
        rd_history_set(stepper->history, stepper->frame, index, &actual, &expected, error);
    if (status != RD_OK)
        return status;
    rd_input_set_text(&actual, holds, sizeof holds);
    rd_input_set_text(&expected, wanted, sizeof wanted);
    bool live = rd_claim_has(&rd_stepper_frame(stepper)->claim, index);
    quiz_explain(stepper, verdict, index, holds, live && strcmp(holds, wanted) != 0 ? wanted : "");
    return RD_OK;
}

/* A question that nobody can answer does not count. */
static void give_up(struct rd_stepper *stepper)
{
    static const char verdict[] = "not guessed";
    struct rd_history_cell cell;
    struct rd_error error;
    stepper->quiz.hidden = false;
    enum rd_status status =
        rd_history_cell(stepper->history, stepper->frame, stepper->cell, &cell, &error);
    if (status == RD_OK && stepper->about->witness)
        status = quiz_explain_set(stepper, verdict, stepper->cell, &error);
    else if (status == RD_OK && cell.known)
        quiz_explain_value(stepper, verdict, stepper->cell, &cell);
    if (status != RD_OK)
        rd_stepper_say(stepper, "%s", error.text);
    else if (!cell.known && !stepper->about->witness)
        rd_stepper_say(stepper, "what %s[%zu] holds is not known: %s",
                       rd_stepper_frame(stepper)->array, stepper->cell,
                       rd_stepper_unknown_text(stepper));
    else
        stepper->quiz.asked++;
}

/* ---- questions ---- */

static bool can_be_told(struct rd_stepper *stepper, size_t index, struct rd_error *error)
{
    struct rd_input_set actual, expected;
    struct rd_history_cell cell;
    if (stepper->about->witness)
        return rd_history_set(stepper->history, stepper->frame, index, &actual, &expected, error) ==
               RD_OK;
    if (rd_history_cell(stepper->history, stepper->frame, index, &cell, error) != RD_OK)
        return false;
    if (!cell.known)
        rd_fail(error, RD_ERROR_USAGE, "%s", rd_stepper_unknown_text(stepper));
    return cell.known;
}

/* The selected cell, or else the first live one whose answer is known. */
static bool choose_cell(struct rd_stepper *stepper, struct rd_error *error)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    size_t live = rd_claim_live(&frame->claim, frame->n_cells);
    if (can_be_told(stepper, stepper->cell, error))
        return true;
    for (size_t k = 0; k < live; k++)
        if (can_be_told(stepper, k * frame->claim.stride, error)) {
            stepper->cell = k * frame->claim.stride;
            return true;
        }
    return false;
}

static void ask(struct rd_stepper *stepper)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    struct rd_error error = {""};
    char place[RD_SENTENCE_SIZE] = "";
    stepper->has_thread = false;
    stepper->overlay = RD_OVERLAY_NONE;
    stepper->playing = false;
    if (!choose_cell(stepper, &error)) {
        rd_stepper_say(stepper, "there is nothing to guess at this step: %s", error.text);
        return;
    }
    stepper->quiz.hidden = true;
    if (frame->inside)
        rd_place_text(&frame->place, frame->variable, place);
    else
        snprintf(place, sizeof place, "after round %u", frame->step);
    if (stepper->about->witness)
        rd_stepper_say(stepper, "%s, which inputs will %s[%zu] hold? '=' takes them, as {0,4}",
                       place, frame->array, stepper->cell);
    else
        rd_stepper_say(stepper, "%s, what will %s[%zu] hold? '=' takes your guess", place,
                       frame->array, stepper->cell);
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
    struct rd_quiz *quiz = &stepper->quiz;
    size_t frames = rd_history_frames(stepper->history);
    if (quiz->on) {
        quiz->on = quiz->hidden = false;
        rd_stepper_say(stepper, "the quiz is over: %u of %u right", quiz->right, quiz->asked);
        return RD_OK;
    }
    if (frames == 1)
        return rd_fail(error, RD_ERROR_USAGE,
                       "there is no step to be asked about: this run of '%s' makes no round",
                       stepper->about->program->name);
    *quiz = (struct rd_quiz){.on = true};
    if (stepper->frame + 1 < frames) {
        rd_stepper_go(stepper, stepper->frame + 1);
        ask(stepper);
    } else {
        rd_stepper_say(stepper, "this is the last step, and the quiz asks about the next one: go "
                                "back first, with 'previous' (the key p)");
    }
    return RD_OK;
}
