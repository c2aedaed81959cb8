// SPDX-License-Identifier: MIT
/* The quiz: a step's state is hidden until it is guessed, and the answer says why. */
#include "view/boxes.h"
#include "view/step/commands.h"
#include "reductio/summary.h"

#include <string.h>

/* ---- answers ---- */

void rd_quiz_explain(struct rd_stepper *stepper, const char *verdict, size_t index,
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

void rd_quiz_explain_value(struct rd_stepper *stepper, const char *verdict, size_t index,
                           const struct rd_history_cell *cell)
{
    const struct rd_numeric *numeric = stepper->about->numeric;
    char holds[RD_VALUE_TEXT_SIZE], wanted[RD_VALUE_TEXT_SIZE] = "";
    const struct rd_history_about *about = stepper->about;
    rd_cell_text(numeric, about->a, about->n_a, cell->value, holds);
    if (cell->wrong && cell->expected_known)
        rd_cell_text(numeric, about->a, about->n_a, cell->expected, wanted);
    rd_quiz_explain(stepper, verdict, index, holds, wanted);
}

enum rd_status rd_quiz_explain_set(struct rd_stepper *stepper, const char *verdict, size_t index,
                                   struct rd_error *error)
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
    rd_quiz_explain(stepper, verdict, index, holds,
                    live && strcmp(holds, wanted) != 0 ? wanted : "");
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
        status = rd_quiz_explain_set(stepper, verdict, stepper->cell, &error);
    else if (status == RD_OK && cell.known)
        rd_quiz_explain_value(stepper, verdict, stepper->cell, &cell);
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
