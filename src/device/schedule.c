// SPDX-License-Identifier: MIT
#include "device/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [RD_SIM_ASCENDING] = "ascending",   [RD_SIM_DESCENDING] = "descending",
    [RD_SIM_WARP_WISE] = "warp",        [RD_SIM_RANDOM] = "random",
    [RD_SIM_INTERLEAVE] = "interleave",
};
enum { N_NAMES = sizeof names / sizeof *names };

/* The first ones, with what is added to the seed; then random and interleave in turn. */
static const struct rd_sim_schedule first[] = {
    {RD_SIM_ASCENDING, 0}, {RD_SIM_DESCENDING, 0}, {RD_SIM_RANDOM, 0},
    {RD_SIM_RANDOM, 1},    {RD_SIM_WARP_WISE, 0},  {RD_SIM_INTERLEAVE, 0},
};
enum { N_FIRST = sizeof first / sizeof *first };

struct rd_sim_schedule rd_sim_schedule_number(unsigned k, uint64_t seed)
{
    if (k < N_FIRST)
        return (struct rd_sim_schedule){first[k].order, seed + first[k].seed};
    k -= N_FIRST;
    return k % 2 ? (struct rd_sim_schedule){RD_SIM_INTERLEAVE, seed + 1 + k / 2}
                 : (struct rd_sim_schedule){RD_SIM_RANDOM, seed + 2 + k / 2};
}

void rd_sim_schedule_name(const struct rd_sim_schedule *schedule,
                          char name[RD_SIM_SCHEDULE_NAME_SIZE])
{
    if (schedule->order < RD_SIM_RANDOM)
        snprintf(name, RD_SIM_SCHEDULE_NAME_SIZE, "%s", names[schedule->order]);
    else
        snprintf(name, RD_SIM_SCHEDULE_NAME_SIZE, "%s seed %" PRIu64, names[schedule->order],
                 schedule->seed);
}

bool rd_sim_order_named(const char *name, enum rd_sim_order *order)
{
    for (int k = 0; k < N_NAMES; k++)
        if (strcmp(name, names[k]) == 0) {
            *order = (enum rd_sim_order)k;
            return true;
        }
    return false;
}
