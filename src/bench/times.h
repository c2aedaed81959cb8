// SPDX-License-Identifier: MIT
/* Shared by benchmarks: a clock, and a summary of several times. Private. */
#ifndef RD_BENCH_TIMES_H
#define RD_BENCH_TIMES_H

#include "reductio/bench.h"

/* Seconds since some moment; of processor time that this process has had, which others on the
 * machine do not lengthen. */
double rd_bench_now_s(void);
double rd_bench_processor_s(void);

/* Sorts them. Of an even number, the upper of the two in the middle. */
double rd_bench_median(double *times_s, unsigned count);

/* RD_ERROR_USAGE where it is not 1 to RD_BENCH_REPEATS_MAX. */
enum rd_status rd_bench_repeats_check(unsigned repeats, struct rd_error *error);

#endif
