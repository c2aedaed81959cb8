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

/* "race"; of RD_HAZARD_UNKNOWN "unknown". */
const char *rd_hazard_name(enum rd_hazard_kind kind);
/* Describes it in a sentence. */
const char *rd_hazard_sentence(enum rd_hazard_kind kind);
/* The kind of that name; RD_HAZARD_UNKNOWN where the table has none. NULL is no name. */
enum rd_hazard_kind rd_hazard_named(const char *name);

/* RD_HAZARD_UNKNOWN is taken for a hazard that leaves everything undefined. */

/* Tells whether it keeps the rounds from ending in the goal: not an access beyond the budget, a leak or a stale
 * ticket, which leave the array as it should be. */
bool rd_hazard_ends(enum rd_hazard_kind kind);
/* Tells whether it leaves undefined what its round makes: with a race, say, or a read of memory that nobody has
 * written, the round is no function of the array before it. A changed input is certain, and so is what is
 * amiss at checkpoints, which only look on. */
bool rd_hazard_undefines(enum rd_hazard_kind kind);
/* Tells whether it is an access for which a device may stop the kernel, or an assertion that does so. */
bool rd_hazard_may_stop_kernel(enum rd_hazard_kind kind);
/* Tells whether the device is lost behind it: the kernel never ended, or was stopped. */
bool rd_hazard_loses_device(enum rd_hazard_kind kind);
/* Tells whether it says no more than that something was not looked at. */
bool rd_hazard_is_unseen(enum rd_hazard_kind kind);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
