// SPDX-License-Identifier: MIT
/* The hazards' names, and what each teaches. */
#ifndef RD_SIM_LESSONS_H
#define RD_SIM_LESSONS_H

#include "sim/event.h"

/* "race". NULL behind the last class. */
const char *rd_sim_hazard_name(enum rd_sim_event_class class);

/* One sentence: the rule that is broken, and the usual cure. */
const char *rd_sim_lesson(enum rd_sim_event_class class);

/* Lessons of some cases, in place of their class's. */
enum rd_sim_case {
    RD_CASE_FREED,  /* use of what has been freed */
    RD_CASE_FREE,   /* free() of something else */
    RD_CASE_STRAY,  /* a pointer to no device memory */
    RD_CASE_SHARED, /* shared memory that the launch does not have */
    RD_CASE_STACK,  /* a thread's stack is used up */
};
const char *rd_sim_case_lesson(enum rd_sim_case which);

#endif
