// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[] = {
    [RD_SIM_ASCENDING] = "ascending",   [RD_SIM_DESCENDING] = "descending",
    [RD_SIM_WARP_WISE] = "warp",        [RD_SIM_RANDOM] = "random",
    [RD_SIM_INTERLEAVE] = "interleave",
};
enum { N_NAMES = sizeof names / sizeof *names };

struct rd_check_schedule rd_check_schedule_of_run(unsigned k, uint64_t seed)
{
    if (k < RD_SIM_RANDOM)
        return (struct rd_check_schedule){.order = (enum rd_sim_schedule)k, .seed = seed};
    k -= RD_SIM_RANDOM;
    return (struct rd_check_schedule){.order = k % 2 ? RD_SIM_INTERLEAVE : RD_SIM_RANDOM,
                                      .seed = seed + k / 2};
}

void rd_check_schedule_name(const struct rd_check_schedule *schedule, char name[64])
{
    if (schedule->order < RD_SIM_RANDOM)
        snprintf(name, 64, "%s", names[schedule->order]);
    else
        snprintf(name, 64, "%s seed %" PRIu64, names[schedule->order], schedule->seed);
}

bool rd_check_schedule_named(const char *name, enum rd_sim_schedule *order)
{
    for (int k = 0; k < N_NAMES; k++)
        if (strcmp(name, names[k]) == 0) {
            *order = (enum rd_sim_schedule)k;
            return true;
        }
    return false;
}
