// SPDX-License-Identifier: MIT
/* Drives a stepper from a file: one command a line, and after each the screen as text. */
#ifndef RD_VIEW_STEP_SCRIPT_H
#define RD_VIEW_STEP_SCRIPT_H

#include "view/step/stepper.h"

#include <stdio.h>

struct rd_step_script {
    FILE *in;
    const char *name; /* of the file, for messages */
    FILE *out;
    unsigned width, height; /* of the screen; `size W H` changes it */
    bool ascii;
};

/* Prints the first screen, and then for each command a line "> command" and the screen behind it;
 * `#` starts a comment. Ends with the file, or at `quit`. RD_ERROR_USAGE, with the line's number,
 * at the first line that can't be done; RD_ERROR_IO; RD_ERROR_MEMORY. */
enum rd_status rd_step_script_run(const struct rd_step_script *script, struct rd_stepper *stepper,
                                  struct rd_error *error);

#endif
