// SPDX-License-Identifier: MIT
#include "device/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [RD_ORDER_ASCENDING] = "ascending",   [RD_ORDER_DESCENDING] = "descending",
    [RD_ORDER_WARP_WISE] = "warp",        [RD_ORDER_RANDOM] = "random",
    [RD_ORDER_INTERLEAVE] = "interleave",
};
enum { N_NAMES = sizeof names / sizeof *names };

/* The first ones, with what is added to the seed; then random and interleave in turn. */
static const struct rd_schedule first[] = {
    {RD_ORDER_ASCENDING, 0}, {RD_ORDER_DESCENDING, 0}, {RD_ORDER_RANDOM, 0},
    {RD_ORDER_RANDOM, 1},    {RD_ORDER_WARP_WISE, 0},  {RD_ORDER_INTERLEAVE, 0},
};
enum { N_FIRST = sizeof first / sizeof *first };

struct rd_schedule rd_schedule_number(unsigned k, uint64_t seed)
{
    if (k < N_FIRST)
        return (struct rd_schedule){first[k].order, seed + first[k].seed};
    k -= N_FIRST;
    return k % 2 ? (struct rd_schedule){RD_ORDER_INTERLEAVE, seed + 1 + k / 2}
                 : (struct rd_schedule){RD_ORDER_RANDOM, seed + 2 + k / 2};
}

void rd_schedule_name(const struct rd_schedule *schedule, char name[RD_SCHEDULE_NAME_SIZE])
{
    if (schedule->order < RD_ORDER_RANDOM)
        snprintf(name, RD_SCHEDULE_NAME_SIZE, "%s", names[schedule->order]);
    else
        snprintf(name, RD_SCHEDULE_NAME_SIZE, "%s seed %" PRIu64, names[schedule->order],
                 schedule->seed);
}

bool rd_order_named(const char *name, enum rd_order *order)
{
    for (int k = 0; k < N_NAMES; k++)
        if (strcmp(name, names[k]) == 0) {
            *order = (enum rd_order)k;
            return true;
        }
    return false;
}
