// SPDX-License-Identifier: MIT
/* Times the simulator with all hazards on, on one core: bench-sim [REPETITIONS]. Prints the best
 * and the median, in ns a thread. */
#include "sim/memory.h"
#include "sim/report.h"
#include "sim/scheduler.h"
#include "sim/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCK = 256, REPETITIONS_MAX = 100 };

void block_sum_thread(void *const *arguments);
void fold_round_thread(void *const *arguments);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *x, const void *y)
{
    double d = *(const double *)x - *(const double *)y;
    return (d > 0) - (d < 0);
}

static void time_kernel(const char *name, void (*thread)(void *const *), void *const *arguments,
                        size_t threads, unsigned repetitions)
{
    static double times[REPETITIONS_MAX];
    size_t hazards = 0;
    const struct rd_sim_grid grid = {
        .thread = thread,
        .arguments = arguments,
        .grid = {(unsigned)(threads / BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
    };
    for (unsigned r = 0; r < repetitions; r++) {
        rd_sim_report_begin(grid.grid, grid.block);
        double start = now();
        if (!rd_sim_run_grid(&grid))
            exit(2);
        times[r] = (now() - start) / (double)threads;
        size_t count;
        rd_sim_report_findings(&count);
        hazards += count;
    }
    qsort(times, repetitions, sizeof *times, ascending);
    printf("%-12s %10zu %10.1f %10.1f %8zu\n", name, threads, times[0], times[repetitions / 2],
           hazards);
}

int main(int argc, char **argv)
{
    unsigned repetitions = argc > 1 ? (unsigned)atoi(argv[1]) : 7;
    if (repetitions < 1 || repetitions > REPETITIONS_MAX)
        return 2;
    if (rd_sim_memory_init(NULL) != RD_OK || rd_sim_shared_init(NULL) != RD_OK)
        return 2;
    rd_sim_core.on_event = rd_sim_report_event;
    printf("%-12s %10s %10s %10s %8s\n", "kernel", "threads", "best ns", "median ns", "hazards");
    for (unsigned log = 10; log <= 22; log += 4) {
        size_t n = (size_t)1 << log, half = n / 2;
        float *a = rd_sim_memory_alloc(n * sizeof *a, 8192);
        float *out = rd_sim_memory_alloc(n / BLOCK * sizeof *out, 8192);
        if (!a || !out)
            return 2;
        for (size_t i = 0; i < n; i++)
            a[i] = 1;
        rd_sim_memory_written(a, n * sizeof *a);
        void *sum[] = {&a, &out}, *fold[] = {&a, &half};
        time_kernel("block-sum", block_sum_thread, sum, n, repetitions);
        time_kernel("fold-round", fold_round_thread, fold, half, repetitions);
        rd_sim_memory_free(a);
        rd_sim_memory_free(out);
    }
    return 0;
}
