// SPDX-License-Identifier: MIT
/* The hazards' names, and what each teaches. */
#ifndef RD_SIM_LESSONS_H
#define RD_SIM_LESSONS_H

#include "sim/event.h"

/* "race". NULL behind the last class. */
const char *rd_sim_hazard_name(enum rd_sim_event_class class);
/* One sentence: the rule that is broken, and the usual cure. */
const char *rd_sim_lesson(enum rd_sim_event_class class);

#endif
