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

/* A run, next to a bare loop of the same launches and the same copies that asserts nothing. Both on
 * arrays that are already allocated and on the device; medians, in seconds. */
struct rd_bench_verified {
    double bare_s;
    double verified_s;
    uint64_t copied_bytes; /* by each of them */
};

/* Measures it `repeats` times (1 to RD_BENCH_REPEATS_MAX), each time bare and verified, in turn.
 * Statuses as for rd_run; RD_ERROR_INPUT if the run does not hold. */
enum rd_status rd_bench_verified(const struct rd_run *run, unsigned repeats,
                                 struct rd_bench_verified *result, struct rd_error *error);

/* ---- what the simulator costs ---- */

enum { RD_BENCH_SIM_BLOCK = 256 };

/* A kernel that the simulator is timed on, in blocks of RD_BENCH_SIM_BLOCK threads of f32. */
struct rd_bench_kernel {
    const char *name;    /* "block-sum" */
    const char *summary; /* in a line */
    double target_ns;    /* a thread may take so long, */
    double goal_ns;      /* and should take no longer than this */
};

/* All of them, NULL-terminated. */
extern const struct rd_bench_kernel *const rd_bench_kernels[];

/* One launch, all hazards looked for. */
struct rd_bench_sim {
    double best_s, median_s; /* of processor time */
    uint64_t accesses;       /* to memory, in all */
    uint64_t data_bytes;     /* of its arrays */
    uint64_t shadow_bytes;   /* the memory that tells who accessed them */
    uint64_t resident_bytes; /* of the process, arrays and all */
    uint64_t hazards;        /* findings, over all repetitions: there are none */
};

/* Measures it `repeats` times (1 to RD_BENCH_REPEATS_MAX) after one that is not measured. `threads`
 * is a multiple of the block. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_bench_sim(const struct rd_bench_kernel *kernel, size_t threads, unsigned repeats,
                            struct rd_bench_sim *result, struct rd_error *error);

/* ---- a dot product, as people time one ---- */

/* The dot product of two vectors of f32, by dot_shared with a thread for each element, in blocks of
 * RD_BLOCK_DEFAULT, and by a loop on the host. Medians, in seconds. */
struct rd_bench_dot {
    double kernel_s;     /* from the launch until a sum of it can be read; the vectors are there */
    double whole_s;      /* the host's vectors made and filled, the device's too, and all freed */
    double host_s;       /* the loop */
    double host_whole_s; /* and the vectors made, filled and freed */
};

/* Measures it `repeats` times (1 to RD_BENCH_REPEATS_MAX) after one that is not measured.
 * RD_ERROR_USAGE, RD_ERROR_MEMORY, RD_ERROR_LAUNCH, RD_ERROR_DEVICE. */
enum rd_status rd_bench_dot(struct rd_device *device, size_t n, unsigned repeats,
                            struct rd_bench_dot *result, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
