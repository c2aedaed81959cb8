// SPDX-License-Identifier: MIT
/* Launches by the host's code: each runs to its end before the host goes on. */
#include "device/sim/file/file.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine.h"
#include "device/sim/object.h"
#include "device/sim/runtime/runtime_internal.h"
#include "device/sim/runtime/snapshot.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static struct {
    uint64_t n; /* launches so far */
    /* Kernels whose launches are to be exact ones, by what runs their threads. */
    const void *exact[64];
    unsigned n_exact;
} own;

static bool is_exact(const void *thread)
{
    for (unsigned k = 0; k < own.n_exact && k < sizeof own.exact / sizeof *own.exact; k++)
        if (own.exact[k] == thread)
            return true;
    return false;
}

static struct rd_sim_dim dim_of(const unsigned n[3])
{
    return (struct rd_sim_dim){n[0], n[1], n[2]};
}

static struct rd_index3 index_of(const unsigned n[3])
{
    return (struct rd_index3){n[0], n[1], n[2]};
}

/* Tells of a launch that a device refuses, and gives CUDA's error. */
static cudaError_t refuse(const struct rd_sim_launch *launch, const char *why)
{
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_ILLEGAL_LAUNCH,
        .place = {.file = launch->file, .line = launch->line},
    };
    rd_sim_host_tell(&finding, "the launch of %s is refused: %s,", launch->kernel, why);
    return rd_sim_error_named(why);
}

static struct rd_sim_grid grid_of(const struct rd_sim_launch *launch, bool cooperative)
{
    const struct rd_file_launch *how = &rd_sim_runtime_program()->how;
    return (struct rd_sim_grid){
        .thread = launch->thread,
        .arguments = (void *const *)launch->closure,
        .grid = dim_of(launch->grid),
        .block = dim_of(launch->block),
        .shared_bytes = launch->shared_bytes,
        .cooperative = cooperative,
        .tells_returns = rd_sim_file()->tells_returns,
        .schedule = how->schedule,
        .exact = how->schedule.order >= RD_ORDER_RANDOM || is_exact((const void *)launch->thread),
        .steps_max = how->steps_max,
        .heap_bytes = how->heap_bytes,
        .jobs = how->jobs,
    };
}

static enum rd_sim_ending run_once(const struct rd_sim_launch *launch,
                                   const struct rd_sim_grid *grid)
{
    rd_sim_file_set_shared(launch->shared_bytes);
    rd_sim_launches_again(&rd_sim_runtime_program()->how, grid, launch->kernel);
    enum rd_sim_ending ending = rd_sim_run_grid(grid);
    return ending == RD_SIM_ENDED ? rd_sim_launches_run() : ending;
}

/* Runs the grid; where it turns out that it is to be an exact launch, once more, from the memory that there was. */
static enum rd_sim_ending run(const struct rd_sim_launch *launch, struct rd_sim_grid *grid)
{
    struct rd_sim_snapshot snapshot;
    bool saved = !grid->exact && rd_sim_snapshot_take(&snapshot);
    if (!saved)
        grid->exact = true;
    enum rd_sim_ending ending = run_once(launch, grid);
    if (ending == RD_SIM_EXACT_WANTED && saved) {
        rd_sim_snapshot_restore(&snapshot);
        if (own.n_exact < sizeof own.exact / sizeof *own.exact)
            own.exact[own.n_exact++] = (const void *)launch->thread;
        grid->exact = true;
        ending = run_once(launch, grid);
    }
    if (saved)
        rd_sim_snapshot_drop(&snapshot);
    return ending;
}

/* Ends the program where its launch can't be simulated: what the host would go on with is nothing. */
static void check_ending(const struct rd_sim_launch *launch, enum rd_sim_ending ending)
{
    const struct rd_file_launch *how = &rd_sim_runtime_program()->how;
    char why[300];
    if (ending == RD_SIM_ENDED)
        return;
    if (ending == RD_SIM_EXACT_FAILED)
        snprintf(why, sizeof why,
                 "not all of the launch of %.100s at %.100s:%u can be looked at: %s",
                 launch->kernel, launch->file, launch->line, rd_sim_exact_failure());
    else
        snprintf(why, sizeof why, "no memory for the threads of %.100s at %.100s:%u",
                 launch->kernel, launch->file, launch->line);
    how->on_stopped(how->self, RD_FILE_FAILED, why, NULL);
}

static void tell_launch(const struct rd_sim_launch *launch)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    const struct rd_file_launched launched = {
        .number = own.n,
        .kernel = launch->kernel,
        .file = launch->file,
        .line = launch->line,
        .grid = index_of(launch->grid),
        .block = index_of(launch->block),
        .shared_bytes = launch->shared_bytes,
        .stream = rd_sim_stream_number(launch->stream),
    };
    program->on_launch(program->how.self, &launched);
}

uint64_t rd_sim_host_launches(void)
{
    return own.n;
}

cudaError_t rd_sim_host_launch(const struct rd_sim_launch *launch, bool cooperative)
{
    const struct rd_file_launch *how = &rd_sim_runtime_program()->how;
    struct rd_error why;
    struct rd_sim_grid grid = grid_of(launch, cooperative);
    if (how->check_grid(how->self, index_of(launch->grid), index_of(launch->block),
                        launch->shared_bytes, &why) != RD_OK)
        return refuse(launch, why.text);
    if (rd_sim_stream_number(launch->stream) == UINT_MAX)
        return cudaErrorInvalidResourceHandle;
    own.n++;
    tell_launch(launch);
    enum rd_sim_ending ending = run(launch, &grid);
    rd_sim_launches_settle();
    rd_sim_here->core.budget = 1;
    check_ending(launch, ending);
    return cudaSuccess;
}

RD_HOOK void rd_sim_launch(const struct rd_sim_launch *launch)
{
    const struct rd_sim_host_call call = {launch->kernel,
                                          {.file = launch->file, .line = launch->line}};
    cudaError_t error;
    if (rd_sim_is_running())
        rd_sim_launches_add(launch);
    else if (rd_sim_call_begins(&call, &error))
        rd_sim_launch_ends(&call, rd_sim_host_launch(launch, false));
}
