// SPDX-License-Identifier: MIT
/* Launches by the host's code: each runs to its end before the host goes on. */
#include "device/sim/file/file.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine.h"
#include "device/sim/object.h"
#include "device/sim/report/report.h"
#include "device/sim/runtime/graphs.h"
#include "device/sim/runtime/kernels.h"
#include "device/sim/runtime/law_internal.h"
#include "device/sim/runtime/peers.h"
#include "device/sim/runtime/repeats.h"
#include "device/sim/runtime/schedules.h"
#include "device/sim/runtime/snapshot.h"

#include <stdio.h>
#include <string.h>

static struct {
    uint64_t n; /* launches so far */
    /* Kernels whose launches are to be exact ones, by what runs their threads. */
    const void *exact[64];
    unsigned n_exact;
} launch_state;

static bool is_exact(const void *thread)
{
    for (unsigned k = 0;
         k < launch_state.n_exact && k < sizeof launch_state.exact / sizeof *launch_state.exact;
         k++)
        if (launch_state.exact[k] == thread)
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
    const cudaError_t error = rd_sim_error_named(why);
    const char *name = rd_sim_outer_error_name(error); /* of the interface that the host calls */
    rd_sim_host_tell(&finding, "the launch of %s is refused: %s%s,", launch->kernel,
                     name ? name : "", name ? strchr(why, ':') : why);
    return error;
}

/* Checks what depends on the kernel. */
static bool fits_kernel(const struct rd_sim_launch *launch, char why[400])
{
    size_t static_bytes = 0, most = rd_sim_launch_shared_max(launch);
    unsigned threads_max = 0, threads = launch->block[0] * launch->block[1] * launch->block[2];
    bool is_known = rd_sim_launch_limits(launch, &static_bytes, &threads_max);
    if (is_known && threads_max > 0 && threads > threads_max)
        snprintf(
            why, 400,
            "cudaErrorInvalidValue: a block of %u threads, where it is compiled for at most %u "
            "by its __launch_bounds__",
            threads, threads_max);
    else if (launch->shared_bytes + static_bytes > most)
        snprintf(
            why, 400,
            "cudaErrorInvalidValue: %zu bytes of dynamic shared memory and %zu of static, where "
            "it gets at most %zu%s",
            launch->shared_bytes, static_bytes, most,
            most <= 48 * 1024 ? " unless cudaFuncSetAttribute() asks for more" : "");
    else
        return true;
    return false;
}

cudaError_t rd_sim_launch_check(const struct rd_sim_launch *launch, bool cooperative)
{
    const struct rd_file_launch *how = &rd_sim_runtime_program()->how;
    const unsigned *block = launch->block, *grid = launch->grid;
    struct rd_error refusal;
    char why[400];
    rd_sim_file_enter((uintptr_t)launch->thread);
    if (how->check_grid(how->self, index_of(grid), index_of(block), launch->shared_bytes,
                        &refusal) != RD_OK)
        return refuse(launch, refusal.text);
    if (!fits_kernel(launch, why))
        return refuse(launch, why);
    for (unsigned k = 0; k < launch->n_pointers; k++)
        rd_sim_tell_shadow(launch->pointers[k],
                           &(struct rd_sim_host_place){.file = launch->file, .line = launch->line},
                           "a kernel is given");
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    uint64_t most = rd_sim_grid_max(block[0] * block[1] * block[2], launch->shared_bytes);
    if (!cooperative || blocks <= most)
        return cudaSuccess;
    snprintf(why, sizeof why,
             "cudaErrorCooperativeLaunchTooLarge: a grid of %llu blocks that may wait for each "
             "other, where the device holds %llu at once",
             (unsigned long long)blocks, (unsigned long long)most);
    return refuse(launch, why);
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
        .is_serial = launch->is_serial,
        .heap_bytes = rd_sim_heap_wanted(),
        .jobs = rd_sim_runtime_program()->has_laws_in_kernels ? 1 : how->jobs,
    };
}

static enum rd_sim_ending run_once(const struct rd_sim_launch *launch,
                                   const struct rd_sim_grid *grid)
{
    rd_sim_file_set_shared(launch->shared_bytes);
    rd_sim_here->core.printed = (struct rd_sim_printed){0, 0};
    rd_sim_law_launch_begins(grid->block.x * grid->block.y * grid->block.z);
    rd_sim_launches_again(&rd_sim_runtime_program()->how, grid, launch->kernel);
    enum rd_sim_ending ending = rd_sim_run_grid(grid);
    return ending == RD_SIM_ENDED ? rd_sim_launches_run() : ending;
}

/* Runs the grid; where it turns out that it is to be an exact launch, once more, from the memory that there was. */
static enum rd_sim_ending run(const struct rd_sim_launch *launch, struct rd_sim_grid *grid)
{
    struct rd_sim_snapshot snapshot;
    if (!rd_sim_file()->may_be_exact && !grid->exact)
        return run_once(launch, grid);
    bool saved = !grid->exact && rd_sim_snapshot_take(&snapshot);
    if (!saved)
        grid->exact = true;
    enum rd_sim_ending ending = run_once(launch, grid);
    if (ending == RD_SIM_EXACT_WANTED && saved) {
        rd_sim_snapshot_restore(&snapshot);
        if (launch_state.n_exact < sizeof launch_state.exact / sizeof *launch_state.exact)
            launch_state.exact[launch_state.n_exact++] = (const void *)launch->thread;
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
    if (ending == RD_SIM_EXACT_WANTED || ending == RD_SIM_EXACT_FAILED)
        snprintf(why, sizeof why,
                 "not all of the launch of %.100s at %.100s:%u can be looked at: %s",
                 launch->kernel, launch->file, launch->line,
                 ending == RD_SIM_EXACT_WANTED ? "it asks for an exact launch unforeseen"
                                               : rd_sim_exact_failure());
    else
        snprintf(why, sizeof why, "no memory for the threads of %.100s at %.100s:%u",
                 launch->kernel, launch->file, launch->line);
    how->on_stopped(how->self, RD_FILE_FAILED, why, NULL);
}

static void tell_launch(const struct rd_sim_launch *launch)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    const struct rd_file_launched launched = {
        .number = launch_state.n,
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

/* The error of a launch whose threads were stopped: all that follows fails so. */
static void check_trapped(void)
{
    size_t count;
    const struct rd_finding *findings = rd_sim_report_findings(&count);
    cudaError_t error = cudaErrorIllegalAddress;
    if (!rd_sim_here->block.trapped)
        return;
    for (size_t k = 0; findings && k < count; k++)
        if (findings[k].hazard == RD_HAZARD_ASSERT_FAILED)
            error =
                strstr(findings[k].message, "__trap()") ? cudaErrorLaunchFailure : cudaErrorAssert;
        else if (findings[k].hazard == RD_HAZARD_MISALIGNED && error == cudaErrorIllegalAddress)
            error = cudaErrorMisalignedAddress;
    rd_sim_error_sticks(error);
}

/* Runs it to its end, and tells what was found. Gives where to keep what it has accessed, or NULL; `floor` is that of its records. */
static struct rd_sim_reach *run_now(const struct rd_sim_launch *launch, struct rd_sim_grid *grid,
                                    uint64_t floor)
{
    const bool is_strange = rd_sim_peers_are_strange(launch);
    if (is_strange) /* processes that share the blocks don't say who has read what */
        grid->jobs = 0;
    rd_sim_repeat_begin();
    rd_sim_schedules_begin(launch, grid, run_once);
    const enum rd_sim_ending ending = run(launch, grid);
    rd_sim_schedules_end(launch, grid, ending);
    rd_sim_law_launch_ends(launch->kernel);
    if (is_strange)
        rd_sim_peers_look(launch, floor);
    check_trapped();
    rd_sim_launches_settle();
    struct rd_sim_reach *reach = rd_sim_repeat_end(ending == RD_SIM_ENDED && !grid->exact);
    rd_sim_launch_forget(launch);
    rd_sim_here->core.budget = 1;
    check_ending(launch, ending);
    return reach;
}

cudaError_t rd_sim_host_launch(const struct rd_sim_launch *launch, bool cooperative,
                               const struct rd_sim_step *step, bool may_race)
{
    rd_sim_file_enter((uintptr_t)launch->thread);
    struct rd_sim_grid grid = grid_of(launch, cooperative);
    const bool looks = may_race || rd_sim_memory_is_seen();
    const uint64_t floor = (uint64_t)(rd_sim_here->core.epoch + 1) << RD_EPOCH_SHIFT;
    if (looks) /* parts in other processes would not tell which thread accessed what */
        grid.jobs = 0;
    rd_sim_here->core.on_device_atomic = rd_sim_memory_is_seen() ? rd_sim_step_device_atomic : NULL;
    launch_state.n++;
    rd_sim_file_launch_begins(launch->is_serial);
    rd_sim_law_launch_counts(launch_state.n);
    tell_launch(launch);
    rd_sim_launch_name(launch);
    if (launch->of_library)
        rd_sim_source_instead(launch->file, launch->line);
    const struct rd_sim_reach *known = NULL;
    struct rd_sim_reach *reach = NULL;
    const unsigned how =
        looks ? may_race ? 2 : 1 : 0; /* 0: not looked at; 1: memory that the host sees; 2: all */
    const bool is_taken = rd_sim_repeat_take(launch, &grid, how, &known);
    if (is_taken)
        rd_sim_launch_forget(launch);
    else
        reach = run_now(launch, &grid, floor);
    rd_sim_source_instead(NULL, 0);
    rd_sim_file_launch_ends();
    if (looks && is_taken)
        rd_sim_step_repeats(step, known);
    else if (looks)
        rd_sim_step_launched(step, floor, !may_race, reach);
    return cudaSuccess;
}
