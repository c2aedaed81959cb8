// SPDX-License-Identifier: MIT
#include "reductions.h"

#include <stdio.h>

const char *const test_reductions[TEST_REDUCTIONS] = {
    "fold",
    "fold-guard",
    "fold-ceil",
    "tournament",
    "ladder-interleaved-modulo",
    "ladder-interleaved-strided",
    "ladder-sequential",
    "ladder-first-add",
    "ladder-warp-shuffle",
    "ladder-unrolled",
    "ladder-grid-stride",
    "ladder-shuffles-twice",
    "ladder-tiles",
    "ladder-vectorised-atomic",
    "ladder-vectorised",
    "ladder-cooperative",
};

static enum rd_status keep_first(void *self, const struct rd_run *run, const struct rd_step *step,
                                 struct rd_error *error)
{
    struct test_reduction *kept = self;
    (void)error;
    if (step->place)
        return RD_OK;
    kept->first = run->numeric->load(step->cells, 0);
    for (size_t k = 1; run->program->goal == RD_GOAL_TOTAL && k < step->n_cells; k++)
        kept->first = rd_cell_combine(run->numeric, run->a, run->n, kept->first,
                                      run->numeric->load(step->cells, k));
    return RD_OK;
}

static enum rd_status keep_hazard(void *self, const struct rd_run *run,
                                  const struct rd_hazard *hazard, struct rd_error *error)
{
    struct test_reduction *kept = self;
    (void)run, (void)error;
    snprintf(kept->hazard, sizeof kept->hazard, "%s", hazard->name);
    return RD_OK;
}

struct test_reduction test_reduce_broken(const char *program, const struct rd_numeric *numeric,
                                         const void *a, size_t n, const struct rd_break *broken)
{
    struct test_reduction kept = {.first = 0};
    struct rd_error error = {""};
    const struct rd_run run = {
        .program = rd_program_named(program),
        .numeric = numeric,
        .n = n,
        .block = n % 2 ? 40 : 8,
        .a = a,
        .values = "test",
        .frame = true,
        .device = test_device(),
        .breaks = broken,
        .n_breaks = broken != NULL,
        .go_on = broken != NULL,
    };
    const struct rd_observer keep = {.self = &kept, .step = keep_first, .hazard = keep_hazard};
    if (rd_run(&run, (const struct rd_observer *const[]){&keep, NULL}, &kept.result, &error) !=
        RD_OK)
        fail_msg("%s of %s: %s", program, numeric->title, error.text);
    return kept;
}

struct test_reduction test_reduce(const char *program, const struct rd_numeric *numeric,
                                  const void *a, size_t n)
{
    return test_reduce_broken(program, numeric, a, n, NULL);
}
