// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "base/clock.h"
#include "device/sim/engine/engine.h"
#include "device/sim/engine/engine_internal.h"
#include "device/sim/engine/detector.h"
#include "device/sim/memory/memory.h"
#include "device/sim/source/elf.h"
#include "device/sim/source/source.h"

#include <string.h>

struct rd_sim_scheduler_state {
    double phase_began_s; /* when a block was last begun, or passed a barrier behind accesses */
    uint64_t threads_run;
    uintptr_t constants, constants_end; /* of a loaded file */
    bool exact_wanted;
    const char *exact_failure;
};

void rd_sim_constants_set(uintptr_t start, uintptr_t end)
{
    struct rd_sim_scheduler_state *own = rd_sim_here->scheduler;
    own->constants = start;
    own->constants_end = end;
}

/* Constants of the kernel's program that are read through a pointer: of the loaded file, else of this
 * program's image. And the thread's place, to which a loaded file may have a reference. */
bool rd_sim_is_harmless(uintptr_t address, enum rd_sim_op op)
{
    struct rd_sim_scheduler_state *own = rd_sim_here->scheduler;
    if (op != RD_SIM_READ)
        return false;
    if (own->constants_end > 0)
        return (address >= own->constants && address < own->constants_end) ||
               address - (uintptr_t)&rd_sim_place < sizeof rd_sim_place;
    const struct rd_sim_image *image = rd_sim_image();
    return address >= image->start && address < image->end;
}

double rd_sim_phase_began_s(void)
{
    return rd_sim_here->scheduler->phase_began_s;
}

void rd_sim_phase_begins(void)
{
    rd_sim_here->scheduler->phase_began_s = rd_clock_s(RD_SIM_CLOCK);
}

uint64_t rd_sim_threads_run(void)
{
    return rd_sim_here->scheduler->threads_run -
           (rd_sim_here->core.is_running ? rd_sim_here->block.n_unstarted : 0);
}

/* ---- exact launches ---- */

void rd_sim_exact_want(void)
{
    if (rd_sim_here->core.is_part)
        rd_sim_jobs_depend();
    rd_sim_here->scheduler->exact_wanted = rd_sim_here->block.stopped = true;
    rd_sim_ask_soon();
}

void rd_sim_exact_fails(const char *why)
{
    struct rd_sim_scheduler_state *own = rd_sim_here->scheduler;
    if (!own->exact_failure)
        own->exact_failure = why;
    rd_sim_here->block.stopped = true;
    rd_sim_ask_soon();
}

const char *rd_sim_exact_failure(void)
{
    return rd_sim_here->scheduler->exact_failure;
}

bool rd_sim_has_communicated(void)
{
    return rd_sim_here->core.communicates;
}

/* ---- a block ---- */

static struct rd_sim_dim block_index(const struct rd_sim_grid *grid, uint64_t block)
{
    uint64_t row = block / grid->grid.x;
    return (struct rd_sim_dim){(unsigned)(block % grid->grid.x), (unsigned)(row % grid->grid.y),
                               (unsigned)(row / grid->grid.y)};
}

/* Gives the block memory that holds nothing of other blocks. */
static void renew_memory(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_core *core = &rd_sim_here->core;
    RD_SIM_TELL(memory_changes);
    rd_sim_shared_poison_used();
    if (core->exact)
        rd_sim_shared_forget();
    core->block_floor = core->interval_floor =
        core->exact ? core->launch_floor : core->interval_stamp;
    RD_SIM_EACH_DETECTOR
    if (detector->block_begin && !detector->block_begin(b->n))
        b->failed = true;
}

static void start_block(uint64_t block)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_core *core = &rd_sim_here->core;
    core->block = block;
    rd_sim_jobs_poll();
    rd_sim_epochs_block();
    rd_sim_warps_interval();
    b->interval_epoch = core->epoch;
    core->interval_stamp = (uint64_t)core->epoch << RD_EPOCH_SHIFT;
    renew_memory();
    core->interval = 0;
    core->clock = 0;
    b->cursor = b->n_done = b->n_ready = b->n_in_warp = b->n_true = b->n_in_vain = 0;
    rd_sim_barrier_await(b);
    b->uneven = rd_sim_turns_are_short();
    b->n_unstarted = b->n;
    memset(b->state, RD_SIM_UNSTARTED, b->n);
    for (unsigned k = 0; k < b->n && b->kept; k++) {
        struct rd_sim_thread_state *thread = &b->threads[k];
        thread->epoch = thread->barriers = thread->n_reads = thread->n_writes = 0;
        thread->steps = 0;
        thread->poll = (struct rd_sim_poll){.address = 0};
        thread->trapped = thread->has_returned = false;
        thread->met_file = NULL;
    }
    b->kept = b->has_accessed = false;
    rd_sim_turns_block();
    rd_sim_here->scheduler->threads_run += b->n;
    rd_sim_phase_begins();
}

static void end_block(void)
{
    const struct rd_sim_grid *grid = rd_sim_here->block.grid;
    rd_sim_blocks_ended();
    RD_SIM_TELL(block_end);
    if (grid->block_over)
        grid->block_over(rd_sim_here->core.block);
}

/* Runs it up to its end, to the grid's barrier, or until it gives way. */
static void run_block(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_parked *parked;
    b->leaves = false;
    if (!b->failed)
        rd_sim_block_run();
    if (b->stopped || b->failed) {
        rd_sim_stacks_leave(NULL);
    } else if (b->leaves) {
        parked = rd_sim_park();
        b->failed = !parked;
        if (parked)
            rd_sim_blocks_left(parked);
    } else if (b->n_at_grid > 0) {
        b->failed = !rd_sim_grid_park();
    } else {
        end_block();
    }
}

/* ---- a grid ---- */

static void set_threads(struct rd_sim_dim block)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned k = 0;
    memset(b->threads, 0, b->n * sizeof *b->threads);
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++, k++)
                b->turns[k] =
                    (struct rd_sim_turn){.stamp = rd_record_stamp(0, k), .index = {x, y, z}};
}

/* The rest of the grid, in other processes. False where they can't. */
static bool run_elsewhere(uint64_t first, uint64_t end)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_jobs_result result;
    rd_sim_here->core.block = first;
    rd_sim_here->core.is_running = false;
    bool done = rd_sim_jobs_run(b->grid, end, &result);
    rd_sim_here->core.is_running = true;
    if (!done)
        return false;
    rd_sim_here->scheduler->threads_run += result.threads_run;
    b->trapped = b->trapped || result.trapped;
    rd_sim_here->core.took_mask |= result.took_mask;
    rd_sim_here->core.took_clock |= result.took_clock;
    rd_sim_here->core.communicates |= result.communicates;
    rd_sim_here->core.printed.n += result.printed.n;
    rd_sim_here->core.printed.sum += result.printed.sum;
    rd_sim_outdated_add(&rd_sim_here->core.outdated, &result.outdated);
    if (!rd_sim_here->core.untold_pc)
        rd_sim_here->core.untold_pc = result.untold_pc;
    return true;
}

/* Runs blocks, in the order of the launch, until all have ended or come to the grid's barrier. */
static void run_blocks(uint64_t end)
{
    const struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_turn_of_block turn;
    while (!rd_sim_is_interrupted() && rd_sim_blocks_next(&turn)) {
        if (!turn.parked && turn.block >= rd_sim_here->core.jobs_next &&
            run_elsewhere(turn.block, end))
            return;
        rd_sim_place.block = block_index(b->grid, turn.block);
        if (turn.parked)
            rd_sim_unpark(turn.parked);
        else
            start_block(turn.block);
        run_block();
        if (b->failed || b->stopped)
            return;
    }
}

bool rd_sim_run_part(uint64_t first, uint64_t end)
{
    rd_sim_here->core.is_running = true;
    rd_sim_blocks_begin(first, end);
    run_blocks(end);
    rd_sim_here->core.is_running = false;
    return !rd_sim_here->block.failed && !rd_sim_here->block.stopped;
}

static void begin(const struct rd_sim_grid *grid)
{
    struct rd_sim_scheduler_state *own = rd_sim_here->scheduler;
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_core *core = &rd_sim_here->core;
    b->grid = grid;
    b->n = grid->block.x * grid->block.y * grid->block.z;
    b->failed = b->stopped = b->trapped = false;
    b->user_depth = 0;
    b->n_unstarted = b->n_at_grid = 0;
    own->threads_run = 0;
    own->exact_wanted = false;
    own->exact_failure = NULL;
    core->communicates = core->is_waiting = false;
    core->granted = RD_SIM_SLICE;
    set_threads(grid->block);
    rd_sim_turns_launch();
    memset(b->in_warp, 0, sizeof b->in_warp);
    rd_sim_place = (struct rd_sim_place){.block_dim = grid->block, .grid_dim = grid->grid};
    rd_sim_epochs_launch();
    rd_sim_shared_poison(); /* other threads of the host may have used it since */
    core->exact = grid->exact;
    rd_sim_heap_limit(grid->heap_bytes);
    rd_sim_grid_begin();
    rd_sim_jobs_begin(grid);
    rd_sim_park_begin();
}

static void end(void)
{
    rd_sim_blocks_finish();
    rd_sim_grid_finish();
    RD_SIM_TELL(launch_end);
    rd_sim_here->core.exact = false;
}

static enum rd_sim_ending ending(void)
{
    struct rd_sim_scheduler_state *own = rd_sim_here->scheduler;
    const struct rd_sim_block *b = &rd_sim_here->block;
    if (b->failed)
        return RD_SIM_NO_MEMORY;
    if (own->exact_wanted)
        return RD_SIM_EXACT_WANTED;
    return own->exact_failure ? RD_SIM_EXACT_FAILED : RD_SIM_ENDED;
}

enum rd_sim_ending rd_sim_run_grid(const struct rd_sim_grid *grid)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_parked *waiting;
    uint64_t last = (uint64_t)grid->grid.x * grid->grid.y * grid->grid.z;
    if (grid->end_block > 0 && grid->end_block < last)
        last = grid->end_block;
    begin(grid);
    rd_sim_blocks_begin(grid->first_block, last);
    rd_sim_here->core.is_running = true;
    if (!b->failed)
        run_blocks(last);
    while (!b->failed && !b->stopped && (waiting = rd_sim_grid_release())) {
        rd_sim_blocks_released(waiting);
        run_blocks(last);
    }
    rd_sim_here->core.is_running = false;
    if (!b->trapped && !b->stopped) /* else it was not for the kernel to free it */
        rd_sim_heap_tell_leaks();
    end();
    return ending();
}

const struct rd_sim_part rd_sim_part_scheduler = {
    .size_bytes = sizeof(struct rd_sim_scheduler_state),
    .at = offsetof(struct rd_sim, scheduler),
};
