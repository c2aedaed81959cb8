// SPDX-License-Identifier: MIT
/* Hazards: the name of each, and what it leaves of a run. Findings, traces and reports carry the name; all else about a
 * hazard is asked for here.
 *
 * Thread safety: any thread may call these functions at any time. All texts are constant. */
#ifndef RD_HAZARDS_H
#define RD_HAZARDS_H

#include "hazard_table.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* "race". */
const char *rd_hazard_name(enum rd_hazard_kind kind);
/* Describes it in a sentence. */
const char *rd_hazard_sentence(enum rd_hazard_kind kind);
/* Tells whether it is the name of that hazard. */
bool rd_hazard_is(const char *name, enum rd_hazard_kind kind);

/* A name that is not in the table, as of a trace that a later version has written, is taken for a hazard that
 * leaves everything undefined. */

/* Tells whether it keeps the rounds from ending in the goal: not an access beyond the budget, a leak or a stale
 * ticket, which leave the array as it should be. */
bool rd_hazard_ends(const char *name);
/* Tells whether it leaves undefined what its round makes: with a race, say, or a read of memory that nobody has
 * written, the round is no function of the array before it. A changed input is certain, and so is what is
 * amiss at checkpoints, which only look on. */
bool rd_hazard_undefines(const char *name);
/* Tells whether it is an access for which a device may stop the kernel, or an assertion that does so. */
bool rd_hazard_may_stop_kernel(const char *name);
/* Tells whether the device is lost behind it: the kernel never ended, or was stopped. */
bool rd_hazard_loses_device(const char *name);
/* Tells whether a hazard of this name only says that something was not looked at. */
bool rd_hazard_is_unseen(const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
