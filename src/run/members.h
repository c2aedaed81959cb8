// SPDX-License-Identifier: MIT
/* The members of a run that must be there. Private to the library. */
#ifndef RD_RUN_MEMBERS_H
#define RD_RUN_MEMBERS_H

#include "reductio/run.h"

/* RD_ERROR_USAGE, with the name of the first that is NULL: program, numeric, device; and, where the run is on inputs of its
 * own, those that the program takes. */
enum rd_status rd_run_check_members(const struct rd_run *run, bool has_inputs,
                                    struct rd_error *error);

#endif
