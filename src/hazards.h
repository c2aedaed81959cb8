// SPDX-License-Identifier: MIT
/* The table of hazards: the name of each, and what it leaves of a run. Findings, traces and reports carry the
 * name; all else about a hazard is asked for here. */
#ifndef RD_HAZARDS_H
#define RD_HAZARDS_H

#include "driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Those that `check` tells come first, in the order in which its reports list their rules. */
enum rd_hazard_kind {
    /* Seen by the simulator, in one launch or in several of one kernel. */
    RD_HAZARD_RACE,
    RD_HAZARD_BARRIER_DIVERGENCE,
    RD_HAZARD_BARRIER_SKIPPED,
    RD_HAZARD_OUT_OF_BOUNDS,
    RD_HAZARD_MISALIGNED,
    RD_HAZARD_UNINITIALISED,
    RD_HAZARD_NO_TERMINATION,
    RD_HAZARD_INACTIVE_LANE,
    RD_HAZARD_MASK_MISMATCH,
    RD_HAZARD_ASSERT_FAILED,
    RD_HAZARD_LEAK,
    RD_HAZARD_OVER_BUDGET,
    RD_HAZARD_ILLEGAL_LAUNCH,
    RD_HAZARD_ORDER_DEPENDENT,
    RD_HAZARD_PLAIN_READ_OF_ATOMIC,
    RD_HAZARD_UNDEFINED_ARITHMETIC,
    RD_HAZARD_DEAD_FRAME,
    /* Of a kernel that `check` runs. The second is no hazard, but a finding all the same. */
    RD_HAZARD_CRASH,
    RD_HAZARD_UNEXPECTED_RESULT,
    /* Of a run, seen by the driver. */
    RD_HAZARD_KERNEL_FAULT,
    RD_HAZARD_STALE_TICKET,
    RD_HAZARD_INPUT_CHANGED,
    RD_HAZARD_VIOLATED_IN_SIMULATOR,
    RD_HAZARD_CHECKPOINT_ORDER,
    RD_HAZARD_CHECKPOINT_DIVERGENCE,
    RD_HAZARD_CHECKPOINT_RACE,
    RD_HAZARD_CHECKPOINT_MISSING,
    RD_HAZARD_COUNT
};

/* "race". */
const char *rd_hazard_name(enum rd_hazard_kind kind);
/* Whether it is the name of that hazard. */
bool rd_hazard_is(const char *name, enum rd_hazard_kind kind);

/* A name that is not in the table, as of a trace that a later version has written, is taken for a hazard that
 * leaves everything undefined. rd_hazard_verdict stands in driver.h. */

/* Whether it keeps the rounds from ending in the goal: not an access beyond the budget, a leak or a stale
 * ticket, which leave the array as it should be. */
bool rd_hazard_ends(const char *name);
/* Whether it leaves undefined what its round makes: with a race, say, or a read of memory that nobody has
 * written, the round is no function of the array before it. A changed input is certain, and so is what is
 * amiss at checkpoints, which only look on. */
bool rd_hazard_undefines(const char *name);
/* Whether it is an access for which a device may stop the kernel, or an assertion that does so. */
bool rd_hazard_may_stop_kernel(const char *name);
/* Whether the device is lost behind it: the kernel never ended, or was stopped. */
bool rd_hazard_loses_device(const char *name);

#ifdef __cplusplus
}
#endif
#endif
