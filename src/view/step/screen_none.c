// SPDX-License-Identifier: MIT
/* Stands in for screen.c in a build without ncursesw. */
#include "view/step/stepper.h"

enum rd_status rd_step_screen_run(const struct rd_step_screen *screen, struct rd_stepper *stepper,
                                  struct rd_error *error)
{
    (void)screen;
    (void)stepper;
    return rd_fail(error, RD_ERROR_USAGE,
                   "the screen is not in this build, which was made without ncursesw: use "
                   "'--script FILE', or build it with ncursesw");
}
