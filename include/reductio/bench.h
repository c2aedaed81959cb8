// SPDX-License-Identifier: MIT
/* Benchmarks of the library itself.
 *
 * Thread safety: one of these calls at a time, on any thread: they measure. */
#ifndef RD_BENCH_H
#define RD_BENCH_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { RD_BENCH_REPEATS_MAX = 101 };

/* ---- what verifying costs ---- */

/* Times of a run, and of a bare loop of the same launches and the same copies that asserts nothing. Both use
 * arrays that are already allocated and on the device; medians, in seconds. */
struct rd_bench_verified {
    double bare_s;         /* the loop */
    double verified_s;     /* the run */
    uint64_t copied_bytes; /* from the device, by each of them */
};

/* Measures the run `repeats` times (1 to RD_BENCH_REPEATS_MAX), bare and verified in turn.
 * Statuses as for rd_run; RD_ERROR_INPUT if the run does not hold. */
enum rd_status rd_bench_verified(const struct rd_run *run, unsigned repeats,
                                 struct rd_bench_verified *result, struct rd_error *error);

/* ---- what the simulator costs ---- */

enum { RD_BENCH_SIM_BLOCK = 256 };

/* A kernel that the simulator is timed on, in blocks of RD_BENCH_SIM_BLOCK threads of f32. */
struct rd_bench_kernel {
    const char *name;    /* "block-sum" */
    const char *summary; /* one line */
    double target_ns;    /* longest time that a thread may take */
    double goal_ns;      /* time of a thread to aim at */
};

/* All kernels that can be timed, NULL-terminated. */
extern const struct rd_bench_kernel *const rd_bench_kernels[];

/* Cost of a launch in the simulator, all hazards looked for. */
struct rd_bench_sim {
    double best_s, median_s; /* of processor time */
    uint64_t accesses;       /* to memory, in all */
    uint64_t data_bytes;     /* of its arrays */
    uint64_t shadow_bytes;   /* the simulator's records of who accessed them */
    uint64_t resident_bytes; /* of the process, arrays and all */
    uint64_t hazards;        /* findings, over all repetitions: there are none */
};

/* Measures a launch `repeats` times (1 to RD_BENCH_REPEATS_MAX), after one that is not measured. `threads`
 * is a multiple of the block. RD_ERROR_USAGE: `threads` is no such multiple, or `repeats` out of range. RD_ERROR_MEMORY. */
enum rd_status rd_bench_sim(const struct rd_bench_kernel *kernel, size_t threads, unsigned repeats,
                            struct rd_bench_sim *result, struct rd_error *error);

/* ---- a dot product, as people time one ---- */

/* The dot product of two vectors of f32, by dot_shared with a thread for each element, in blocks of
 * RD_BLOCK_DEFAULT, and by a loop on the host. Medians, in seconds. */
struct rd_bench_dot {
    /* From the launch until a sum of it can be read; the vectors are on the device. */
    double kernel_s;
    double whole_s;      /* with the vectors of host and device allocated, filled and freed */
    double host_s;       /* the loop on the host */
    double host_whole_s; /* with its vectors allocated, filled and freed */
};

/* Measures the product of n elements `repeats` times (1 to RD_BENCH_REPEATS_MAX), after one that is not measured.
 * RD_ERROR_USAGE: `n` is 0, or `repeats` out of range. RD_ERROR_MEMORY, RD_ERROR_LAUNCH, RD_ERROR_DEVICE. */
enum rd_status rd_bench_dot(struct rd_device *device, size_t n, unsigned repeats,
                            struct rd_bench_dot *result, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
