// SPDX-License-Identifier: MIT
/* Schedules under which a device that can choose one runs a launch. Where its threads communicate, what it does may depend on
 * which of them comes first: so it is run under several. */
#ifndef RD_DEVICE_SCHEDULE_H
#define RD_DEVICE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* The order of threads in a block, and of blocks. */
enum rd_order {
    RD_ORDER_ASCENDING,
    RD_ORDER_DESCENDING,
    RD_ORDER_WARP_WISE, /* the last warp first, its lanes ascending; the second half of the blocks first */
    /* Another order in each barrier interval; at what other threads may see, such as an atomic, another thread or
     * block may go on. */
    RD_ORDER_RANDOM,
    RD_ORDER_INTERLEAVE, /* random, and another thread may go on at any access */
};

struct rd_schedule {
    enum rd_order order;
    /* Seed of the random orders; that of a block's threads depends on this and the block's number. */
    uint64_t seed;
};

/* The k-th, from 0 on. The seeds of the random ones count up from `seed`. */
struct rd_schedule rd_schedule_number(unsigned k, uint64_t seed);

enum { RD_SCHEDULE_NAME_SIZE = 40 };
/* "ascending", or "random seed 7". */
void rd_schedule_name(const struct rd_schedule *schedule, char name[RD_SCHEDULE_NAME_SIZE]);
/* The order of a name, as in "random". False where there is none. */
bool rd_order_named(const char *name, enum rd_order *order);

#endif
