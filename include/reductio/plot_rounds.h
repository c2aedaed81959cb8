// SPDX-License-Identifier: MIT
/* The chart of measured rounds.
 *
 * Thread safety: any thread may call these functions at any time. */
#ifndef RD_PLOT_ROUNDS_H
#define RD_PLOT_ROUNDS_H

#include "bench_rounds.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { RD_PLOT_PROGRAMS_MAX = 6 };

/* Measurements: up to RD_PLOT_PROGRAMS_MAX programs of one n, on one device. */
struct rd_plot_rounds {
    size_t n;
    const char *type;   /* "f32" */
    const char *device; /* for people: "NVIDIA H200, compute capability 9.0" */
    const char *clock;  /* as rd_bench_clock names it */
    unsigned repeats;
    size_t n_programs;
    const struct rd_program *programs[RD_PLOT_PROGRAMS_MAX];
    const struct rd_bench_rounds *results[RD_PLOT_PROGRAMS_MAX];
    const char *id; /* see struct rd_plot */
    bool inlined;   /* see struct rd_plot */
};

/* Writes time per round in µs and bandwidth per round in GB/s, by the medians, each with a line to
 * the best, as an <svg> element: see rd_plot_write. The caller checks ferror(out). RD_ERROR_MEMORY,
 * with nothing written. */
enum rd_status rd_plot_rounds_write(const struct rd_plot_rounds *what, FILE *out,
                                    struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
