// SPDX-License-Identifier: MIT
/* A stepper on the terminal: keys go to it, and its canvas goes to the screen. */
#ifndef RD_VIEW_STEP_SCREEN_H
#define RD_VIEW_STEP_SCREEN_H

#include "view/step/stepper.h"

#include <signal.h>

struct rd_step_screen {
    bool color;
    bool ascii;
    /* Set to the number of a signal that asks to leave. */
    volatile sig_atomic_t *interrupted;
};

/* Runs until the user leaves, or a signal asks to; the terminal is then as it was before, and so it
 * is after a crash. RD_ERROR_USAGE where standard input or output is no terminal, or this build has
 * no screen; RD_ERROR_IO where the terminal can't be used, or has gone; RD_ERROR_MEMORY. */
enum rd_status rd_step_screen_run(const struct rd_step_screen *screen, struct rd_stepper *stepper,
                                  struct rd_error *error);

#endif
