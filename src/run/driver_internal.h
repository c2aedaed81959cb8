// SPDX-License-Identifier: MIT
/* The loop of the driver, whose parts stand in several files: driver.c has the loop itself, its assertions and
 * its log, driver_launch.c the launch of a round and what is asserted inside it, driver_hazards.c what is told of
 * it as a hazard. */
#ifndef RD_RUN_DRIVER_INTERNAL_H
#define RD_RUN_DRIVER_INTERNAL_H

#include "run/assertion.h"
#include "run/checkpoint_order.h"
#include "run/companion.h"
#include "run/observers.h"
#include "run/points.h"
#include "run/state.h"

/* A run under way. */
struct rd_loop {
    const struct rd_run *run;
    struct rd_observers observers;
    struct rd_result *result;
    struct rd_error *error;
    struct rd_expect expect;          /* the array as it must be */
    struct rd_state state;            /* the array as it is */
    struct rd_points points;          /* the arrays inside kernels, as they must be, */
    struct rd_checkpoint_order order; /* and where kernels come to them */
    struct rd_companion companion;    /* who looks for hazards where the device does not */
    struct rd_claim claim;            /* of the last array copied back, */
    struct rd_state_view view;        /* the array, */
    struct rd_comparison found;       /* and how it compares with what it must be */
    struct rd_step step;              /* the last step asserted, and what it points to */
    struct rd_violation violation;
    char statement[RD_STATEMENT_SIZE];
    struct rd_shape shape;
    const struct rd_round *round; /* that is under way */
    unsigned n_advanced;          /* steps that the expectation has made */
    unsigned trial;               /* how often its kernel was run again, under other schedules */
    char elsewhere[512];          /* an invariant that is violated there only; or "" */
    unsigned unchanged;           /* inputs, that were looked at behind it */
    bool held;                    /* the invariant, before it: it was not found false */
    bool undefined;               /* a hazard leaves open what it makes */
    bool sound;                   /* nothing keeps the rounds so far from ending in the goal */
    bool unwritten;               /* memory was read that nobody has written */
    bool raced;                   /* the device saw a race */
    bool refused;                 /* the launch of this round: its threads never ran */
    bool lost;                    /* the device is: a kernel never ended, or was stopped */
};

/* ---- driver.c ---- */

void rd_loop_tell_activity(const struct rd_loop *loop, enum rd_activity activity);

/* Copies the array back and compares it with what it must be, which is worked out meanwhile. */
enum rd_status rd_loop_copy_back(struct rd_loop *loop, unsigned step);

/* Logs a step: in the result, and with all who observe. */
enum rd_status rd_loop_log_step(struct rd_loop *loop, const struct rd_step *step);

/* ---- driver_launch.c ---- */

/* Launches the round's kernel. Where the program has invariants inside it, they are asserted of each
 * checkpoint. */
enum rd_status rd_loop_launch(struct rd_loop *loop, const struct rd_round *round);

/* ---- driver_hazards.c ---- */

/* A launch that has ended, with `status`: tells what is wrong with it, whatever it has made of the array.
 * `reason` is the device's, where it was refused or has failed. */
enum rd_status rd_loop_tell_hazards(struct rd_loop *loop, const struct rd_round *round,
                                    const struct rd_watch *watch, enum rd_status status,
                                    const struct rd_error *reason);

/* A kernel that the device stops is a finding about the program, too. The device is lost with it. Any status but
 * RD_ERROR_FAULT is passed on. */
enum rd_status rd_loop_take_fault(struct rd_loop *loop, const struct rd_round *round,
                                  enum rd_status status);

/* Compares with the simulator: what holds on the device is to hold there, too. */
enum rd_status rd_loop_compare_companion(struct rd_loop *loop);

/* Remembers that an invariant does not hold under that schedule; the first of a round is told with it. */
void rd_loop_describe_under(struct rd_loop *loop, const struct rd_violation *violation,
                            const char *schedule);

#endif
