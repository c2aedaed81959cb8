// SPDX-License-Identifier: MIT
/* Kinds of hazards: the name of each, and what it leaves of a run. Findings and events carry the kind; traces and reports
 * the name, from which readers find the kind again.
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

/* Returns the kind's name: "race"; "unknown" for RD_HAZARD_UNKNOWN. */
const char *rd_hazard_name(enum rd_hazard_kind kind);
/* Describes the kind in a sentence. */
const char *rd_hazard_sentence(enum rd_hazard_kind kind);
/* Looks a kind up by its name; RD_HAZARD_UNKNOWN if there is none of that name, or if it is NULL. */
enum rd_hazard_kind rd_hazard_named(const char *name);

/* The functions below take RD_HAZARD_UNKNOWN for a hazard that leaves everything undefined. */

/* Tells whether the hazard keeps the rounds from reaching the goal; an access beyond the budget, a leak or a stale
 * ticket don't, as they leave the array as it should be. */
bool rd_hazard_ends(enum rd_hazard_kind kind);
/* Tells whether the hazard leaves its round's result undefined: with a race, say, or a read of memory that nobody has
 * written, the result is no function of the array before it. It is defined with a changed input, and with findings at
 * checkpoints, which only observe. */
bool rd_hazard_undefines(enum rd_hazard_kind kind);
/* Tells whether a device may stop the kernel for it: an access to no memory, say, or an assertion that fails. */
bool rd_hazard_may_stop_kernel(enum rd_hazard_kind kind);
/* Tells whether the device is lost after it: the kernel never ended, or was stopped. */
bool rd_hazard_loses_device(enum rd_hazard_kind kind);
/* Tells whether the kind says only that something was not looked at. */
bool rd_hazard_is_unseen(enum rd_hazard_kind kind);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
