// SPDX-License-Identifier: MIT
#include "bench/times.h"
#include "base/clock.h"

#include <stdlib.h>

double rd_bench_now_s(void)
{
    return rd_clock_s(CLOCK_MONOTONIC);
}

double rd_bench_processor_s(void)
{
    return rd_clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

double rd_bench_median(double *times_s, unsigned count)
{
    qsort(times_s, count, sizeof *times_s, by_size);
    return times_s[count / 2];
}

enum rd_status rd_bench_repeats_check(unsigned repeats, struct rd_error *error)
{
    if (repeats == 0 || repeats > RD_BENCH_REPEATS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "'repeats' is %u: give 1 to %d", repeats,
                       RD_BENCH_REPEATS_MAX);
    return RD_OK;
}
