// SPDX-License-Identifier: MIT
/* Playing round after round. */
#include "view/step/commands.h"

enum { PLAY_MS_MIN = 125, PLAY_MS_MAX = 8000 };

enum rd_status rd_act_play(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
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

enum rd_status rd_act_faster(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error)
{
    (void)argument;
    (void)error;
    if (stepper->play_ms > PLAY_MS_MIN)
        stepper->play_ms /= 2;
    say_speed(stepper);
    return RD_OK;
}

enum rd_status rd_act_slower(struct rd_stepper *stepper, const char *argument,
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
