// SPDX-License-Identifier: MIT
#include "device/sim/engine/engine.h"
#include "device/sim/engine/detector.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what buffers hold ---- */

/* The buffers one behind the other. NULL without memory. */
static unsigned char *save(const struct rd_sim_trials *trials)
{
    size_t size_bytes = 1;
    for (unsigned k = 0; k < trials->n_buffers; k++)
        size_bytes += trials->buffers[k].size_bytes;
    unsigned char *saved = malloc(size_bytes), *at = saved;
    for (unsigned k = 0; k < trials->n_buffers && saved; k++) {
        memcpy(at, trials->buffers[k].bytes, trials->buffers[k].size_bytes);
        at += trials->buffers[k].size_bytes;
    }
    return saved;
}

static void restore(const struct rd_sim_trials *trials, const unsigned char *saved)
{
    for (unsigned k = 0; k < trials->n_buffers; k++) {
        memcpy(trials->buffers[k].bytes, saved, trials->buffers[k].size_bytes);
        saved += trials->buffers[k].size_bytes;
    }
}

/* Reports the first byte of each buffer that the first run had left otherwise. */
static void compare(const struct rd_sim_trials *trials, const unsigned char *first)
{
    for (unsigned k = 0; k < trials->n_buffers; k++) {
        const struct rd_sim_trial_buffer *buffer = &trials->buffers[k];
        if (buffer->is_compared && memcmp(buffer->bytes, first, buffer->size_bytes) != 0)
            RD_SIM_TELL(difference, (uintptr_t)buffer->bytes, first, buffer->size_bytes);
        first += buffer->size_bytes;
    }
}

/* ---- runs ---- */

static enum rd_status status_of(enum rd_sim_ending ending, const struct rd_sim_grid *grid,
                                struct rd_error *error)
{
    switch (ending) {
    case RD_SIM_ENDED:
        break;
    case RD_SIM_NO_MEMORY:
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the stacks of %u threads",
                       grid->block.x * grid->block.y * grid->block.z);
    case RD_SIM_EXACT_WANTED: /* a bug of ours: see LAUNCHABLE_COMMUNICATING */
        return rd_fail(
            error, RD_ERROR_DEVICE,
            "the threads of this kernel communicate, and it is not listed as one that does");
    case RD_SIM_EXACT_FAILED:
        return rd_fail(error, RD_ERROR_MEMORY, "not all of this launch can be looked at: %s",
                       rd_sim_exact_failure());
    }
    return grid->interrupted && *grid->interrupted
               ? rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted")
               : RD_OK;
}

static enum rd_status run_once(const struct rd_sim_grid *grid, struct rd_error *error)
{
    enum rd_status status = status_of(rd_sim_run_grid(grid), grid, error);
    if (status == RD_OK && rd_sim_has_communicated())
        status = status_of(RD_SIM_EXACT_WANTED, grid, error);
    return status;
}

/* Once more, under the k-th schedule, whose name it sets. */
static enum rd_status run_again(const struct rd_sim_grid *first, unsigned k,
                                char name[RD_SCHEDULE_NAME_SIZE], struct rd_error *error)
{
    struct rd_sim_grid grid = *first;
    grid.schedule = rd_schedule_number(k, first->schedule.seed);
    rd_schedule_name(&grid.schedule, name);
    RD_SIM_TELL(again, k, name);
    return status_of(rd_sim_run_grid(&grid), &grid, error);
}

static void begin(struct rd_tried *tried, bool communicates)
{
    tried->communicates = communicates;
    tried->n_schedules = 1;
    tried->why[0] = '\0';
}

/* Tells of a further run that has come to its end. Who is told may use other simulators, on this thread. */
static enum rd_status tell(struct rd_tried *tried, const char *schedule)
{
    struct rd_sim *here = rd_sim_here;
    if (!tried)
        return RD_OK;
    tried->n_schedules++;
    const enum rd_status status = tried->again ? tried->again(tried->self, schedule) : RD_OK;
    rd_sim_here = here;
    return status;
}

/* Runs a launch under the other schedules; its first run has come to its end. */
static enum rd_status run_others(const struct rd_sim_grid *grid, const struct rd_sim_trials *trials,
                                 const unsigned char *before, struct rd_error *error)
{
    unsigned char *after = save(trials);
    struct rd_error why = {""};
    enum rd_status status =
        after ? RD_OK : rd_fail(&why, RD_ERROR_MEMORY, "no memory to run a launch again");
    enum rd_status tried = status;
    for (unsigned k = 1; k < trials->n_schedules && status == RD_OK; k++) {
        char name[RD_SCHEDULE_NAME_SIZE];
        restore(trials, before);
        status = tried = run_again(grid, k, name, &why);
        if (status != RD_OK)
            break;
        compare(trials, after);
        status = tell(trials->tried, name);
    }
    if (after)
        restore(trials, after);
    free(after);
    if (tried == RD_ERROR_MEMORY && trials->tried) { /* it is known what was tried */
        snprintf(trials->tried->why, sizeof trials->tried->why, "%s", why.text);
        return RD_OK;
    }
    if (status != RD_OK && error && why.text[0])
        *error = why;
    return status;
}

enum rd_status rd_sim_try(const struct rd_sim_grid *given, const struct rd_sim_trials *trials,
                          struct rd_error *error)
{
    struct rd_sim_grid grid = *given;
    grid.schedule = rd_schedule_number(0, given->schedule.seed);
    grid.exact = trials->communicates;
    if (trials->tried)
        begin(trials->tried, trials->communicates);
    if (!trials->communicates)
        return run_once(&grid, error);
    unsigned char *before = save(trials);
    if (!before)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to run a launch again");
    enum rd_status status = status_of(rd_sim_run_grid(&grid), &grid, error);
    RD_SIM_TELL(first_end);
    if (status == RD_OK && trials->n_schedules > 1)
        status = run_others(&grid, trials, before, error);
    free(before);
    return status;
}
