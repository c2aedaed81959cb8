// SPDX-License-Identifier: MIT
/* The schedules under which a launch is tried. Where its threads communicate, what it does may depend on
 * which of them comes first: so it is run under several. */
#ifndef RD_SIM_SCHEDULE_LIST_H
#define RD_SIM_SCHEDULE_LIST_H

#include "reductio/device.h"
#include "device/sim/engine/scheduler.h"

/* The k-th, from 0 on. The seeds of the random ones count up from `seed`. */
struct rd_sim_schedule rd_sim_schedule_number(unsigned k, uint64_t seed);

enum { RD_SIM_SCHEDULE_NAME_SIZE = 40 };
/* "ascending", or "random seed 7". */
void rd_sim_schedule_name(const struct rd_sim_schedule *schedule,
                          char name[RD_SIM_SCHEDULE_NAME_SIZE]);
/* The order of a name, as in "random". False where there is none. */
bool rd_sim_order_named(const char *name, enum rd_sim_order *order);

#endif
