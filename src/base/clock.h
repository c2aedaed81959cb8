// SPDX-License-Identifier: MIT
/* Seconds, of any of the system's clocks. */
#ifndef RD_BASE_CLOCK_H
#define RD_BASE_CLOCK_H

#include <time.h>

/* Returns the seconds since some moment that does not change while the process runs. */
static inline double rd_clock_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
