// SPDX-License-Identifier: MIT
/* The driver: driver.c has the loop, its launches, its assertions and its log, driver_hazards.c its hazards,
 * companion.c the simulator beside the run. */
#ifndef RD_RUN_DRIVER_INTERNAL_H
#define RD_RUN_DRIVER_INTERNAL_H

#include "reductio/run.h"
#include "reductio/hazards.h"
#include "program/paragraph.h"
#include "run/assertion.h"
#include "run/checkpoint_order.h"
#include "run/points.h"
#include "run/state.h"

/* Dispatches driver events to observers. Private to the driver. */

/* Observers of a run. Begins with `list`, `run` and `error` set, as rd_run has them, and the rest 0. */
struct rd_observers {
    const struct rd_observer *const *list; /* NULL-terminated; NULL: nobody */
    const struct rd_run *run;
    struct rd_error *error;
    size_t begun; /* how many have begun: the others are told nothing */
};

/* Call the observers in turn, stop at the first that fails, and return its status. */
enum rd_status rd_observers_hazard(const struct rd_observers *observers,
                                   const struct rd_hazard *hazard);

/* The simulator beside a run on a device that does not look for hazards: it makes the same rounds before the
 * run does, and what it finds is told with the rounds of the run. Private to the driver. */

struct rd_companion {
    enum rd_hazards_by by;           /* who looked */
    char unlooked[RD_UNLOOKED_SIZE]; /* why nobody has, though the simulator was to; or "" */
    struct rd_shape shape;           /* of the simulator's run; n is 0 where it made none */
    struct rd_result result;         /* likewise */
    const struct rd_hazard *hazards; /* `step` is the round of the accompanied run, */
    size_t n_hazards;
    struct rd_companion_memory *memory; /* and this is where they are kept */
};

/* Looks for hazards as the run asks: where its device does so itself, or nobody is to, there is nothing to
 * do. That the simulator could not is no error, but is `unlooked`. RD_ERROR_MEMORY. */
enum rd_status rd_companion_init(struct rd_companion *companion, const struct rd_run *run,
                                 struct rd_error *error);
void rd_companion_finish(struct rd_companion *companion);

/* Tells whether that hazard was found in the round. */
bool rd_companion_found(const struct rd_companion *companion, unsigned round,
                        enum rd_hazard_kind kind);
/* Says at which place the device stopped the kernel of this round, which the simulator beside it knows. */
void rd_companion_place(const struct rd_companion *companion, unsigned round, char *text,
                        size_t size);

/* The shape of the simulator's run: that of `run`, or a smaller one, of at most RD_COMPANION_WORK_MAX accesses
 * or so, which ends as it does. False where the program takes none that is small enough. */
bool rd_companion_shape(const struct rd_run *run, struct rd_shape *shape);

/* Accesses that the simulator makes in a second, about. Where threads communicate it keeps more of each. */
enum { RD_COMPANION_WORK_MAX = 3 << 20 };

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
    struct rd_paragraph_watch watch; /* what of the program's paragraph has no value */
    const struct rd_round *round;    /* that is under way */
    unsigned n_advanced;             /* steps that the expectation has made */
    unsigned trial;                  /* how often its kernel was run again, under other schedules */
    char elsewhere[512];             /* an invariant that is violated there only; or "" */
    unsigned unchanged;              /* inputs, that were looked at behind it */
    bool held;                       /* the invariant, before it: it was not found false */
    bool undefined;                  /* a hazard leaves open what it makes */
    bool sound;                      /* nothing keeps the rounds so far from ending in the goal */
    bool unwritten;                  /* memory was read that nobody has written */
    bool raced;                      /* the device saw a race */
    bool refused;                    /* the launch of this round: its threads never ran */
    bool lost;                       /* the device is: a kernel never ended, or was stopped */
};

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
