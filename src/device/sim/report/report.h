// SPDX-License-Identifier: MIT
/* Turns the core's events into findings: one for each pair of places, with a count, in words. */
#ifndef RD_SIM_REPORT_H
#define RD_SIM_REPORT_H

#include "reductio/device.h"
#include "device/sim/engine/event.h"

/* The launch that the events which follow are of; what was found before is forgotten. */
void rd_sim_report_begin(struct rd_sim_dim grid, struct rd_sim_dim block);
/* Sets the digits of which values in u64 consist, after a report's beginning. */
void rd_sim_report_digits(const struct rd_digits *digits);
/* Sets the launch's kernel, one of several, after a report's beginning; the name must stay. */
void rd_sim_report_kernel(const char *name);
void rd_sim_report_event(const struct rd_sim_event *event);
/* The findings since then, in the order in which they were first seen; they live until the next
 * begin. */
const struct rd_finding *rd_sim_report_findings(size_t *count);

/* Lists what was found since then, to be handed from a process that runs later blocks to one that has run
 * those before, or has been handed what was found in them. There are RD_SIM_FOUND_MAX at most; more
 * are left out. */
enum { RD_SIM_FOUND_MAX = 4096 };
struct rd_sim_found;
void rd_sim_report_add(const struct rd_sim_found *found, size_t count);

/* The lesson of each kind of hazard. */

/* Returns a sentence on the kind as a whole: the rule that is broken, and the usual cure; "" for kinds that the simulator
 * does not find. */
const char *rd_sim_lesson(enum rd_hazard_kind hazard);

/* Details that tell hazards of one kind apart. */
enum rd_sim_detail {
    RD_DETAIL_NONE,
    RD_DETAIL_ATOMIC,   /* a race with an atomic access */
    RD_DETAIL_FREED,    /* use of what has been freed */
    RD_DETAIL_FREE,     /* free() of something else */
    RD_DETAIL_STACK,    /* a thread's stack is used up */
    RD_DETAIL_DYNAMIC,  /* dynamic shared memory that the launch has not asked for */
    RD_DETAIL_BELOW,    /* in front of the array */
    RD_DETAIL_LOST,     /* where nothing is */
    RD_DETAIL_HEAP,     /* memory that a kernel has allocated */
    RD_DETAIL_GRID,     /* a barrier of the whole grid */
    RD_DETAIL_SELF,     /* a mask that leaves its own lane out */
    RD_DETAIL_ABSENT,   /* of a lane that the block does not have */
    RD_DETAIL_WRITE,    /* by a write */
    RD_DETAIL_CHILD,    /* a launch inside a kernel */
    RD_DETAIL_UNSET,    /* a variable of the file that host code sets */
    RD_DETAIL_FENCE,    /* a race that fences would order: atomics or flags do the rest */
    RD_DETAIL_BARRIER,  /* one that fences and barriers would */
    RD_DETAIL_VOLATILE, /* a race of volatile accesses */
    RD_DETAIL_WHOLE,    /* of an instruction of the whole warp */
    RD_DETAIL_CALL,     /* at one place, which threads come to by different calls */
};

struct rd_sim_case {
    const char *kind, *scope; /* as in struct rd_finding */
    enum rd_sim_detail detail;
};

/* The same, of hazards like this one. */
const char *rd_sim_case_lesson(enum rd_hazard_kind hazard, const struct rd_sim_case *which);

#endif
