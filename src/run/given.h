// SPDX-License-Identifier: MIT
/* A run as a client gives it: of this version's size or another's, and perhaps without a member that must be there. Private
 * to the library. */
#ifndef RD_RUN_GIVEN_H
#define RD_RUN_GIVEN_H

#include "reductio/run.h"

/* The run with the members of this version: itself where it has these, else *own, made of it. NULL, and RD_ERROR_USAGE is told,
 * where its size is no version's, or a member that must be there is NULL: program, numeric, device; and, where the run is on
 * inputs of its own, those that the program takes. */
const struct rd_run *rd_run_given(const struct rd_run *given, struct rd_run *own, bool has_inputs,
                                  struct rd_error *error);

/* RD_ERROR_USAGE where one of the observers, NULL-terminated, or NULL, is of another size. */
enum rd_status rd_observers_check(const struct rd_observer *const *observers,
                                  struct rd_error *error);

#endif
