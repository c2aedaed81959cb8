// SPDX-License-Identifier: MIT
/* Benchmarks of the library itself. */
#ifndef RD_BENCH_H
#define RD_BENCH_H

#include "driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What verifying costs: a run, next to a bare loop of the same launches and the same copies that
 * asserts nothing. Both on arrays that are already allocated and on the device; medians, in
 * seconds. */
struct rd_bench_verified {
    double bare_s;
    double verified_s;
    uint64_t copied_bytes; /* by each of them */
};

enum { RD_BENCH_REPEATS_MAX = 101 };

/* Measures it `repeats` times (1 to RD_BENCH_REPEATS_MAX), each time bare and verified, in turn. Statuses as for rd_run;
 * RD_ERROR_INPUT if the run does not hold. */
enum rd_status rd_bench_verified(const struct rd_run *run, unsigned repeats,
                                 struct rd_bench_verified *result, struct rd_error *error);

#ifdef __cplusplus
}
#endif
#endif
