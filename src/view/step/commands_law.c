// SPDX-License-Identifier: MIT
/* A law of one's own. */
#include "law/place.h"
#include "view/step/commands.h"

#include <stdlib.h>
#include <string.h>

enum rd_status rd_stepper_set_law(struct rd_stepper *stepper, const char *text,
                                  struct rd_law_error *error)
{
    *error = (struct rd_law_error){0};
    if (*text == '\0') {
        rd_stepper_say(stepper, stepper->law.text ? "your law is judged no more"
                                                  : "there is no law of yours");
        rd_step_law_finish(&stepper->law);
        return RD_OK;
    }
    rd_stepper_busy(stepper);
    enum rd_status status =
        rd_step_law_set(&stepper->law, stepper->history, stepper->run, text, error);
    if (status != RD_OK)
        return status;
    char *verdict = rd_step_law_verdict(&stepper->law);
    if (stepper->quiz.hidden)
        rd_stepper_say(stepper, "guess first, with '=': the verdict on your law would tell");
    else if (verdict)
        rd_stepper_say(stepper, "your law is %s", verdict);
    free(verdict);
    return RD_OK;
}

void rd_stepper_judge_again(struct rd_stepper *stepper)
{
    struct rd_law_error error;
    char *text = stepper->law.text ? strdup(stepper->law.text) : NULL;
    rd_step_law_finish(&stepper->law);
    if (text)
        rd_step_law_set(&stepper->law, stepper->history, stepper->run, text, &error);
    free(text);
}

const struct rd_candidate_look *rd_stepper_law_look(struct rd_stepper *stepper)
{
    if (stepper->quiz.hidden)
        return NULL;
    return rd_step_law_look(&stepper->law, stepper->history, stepper->frame);
}

enum rd_status rd_law_command_accept(const struct rd_stepper *stepper, struct rd_error *error)
{
    return rd_step_law_accept(stepper->about, error);
}

enum rd_status rd_act_law(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    struct rd_law_error mistake;
    char *text, place[RD_LAW_PLACE_SIZE];
    const bool in_file = argument[0] == '@';
    enum rd_status status = rd_law_given_text(argument, &text, error);
    if (status != RD_OK)
        return status;
    status = rd_stepper_set_law(stepper, text, &mistake);
    free(text);
    if (status == RD_OK)
        return RD_OK;
    if (in_file)
        return rd_fail(error, status, "%s: %s", rd_law_place(place, argument + 1, &mistake),
                       mistake.what.text);
    stepper->mistake_column =
        mistake.column; /* which the prompt marks, and a script counts from its own line's begin */
    *error = mistake.what;
    return status;
}
