// SPDX-License-Identifier: MIT
#include "sim/scheduler.h"
#include "sim/heap.h"
#include "sim/jobs.h"
#include "sim/order.h"
#include "sim/recorder.h"
#include "sim/threads.h"

#include <string.h>

static bool running;
static uint64_t threads_run;
static uintptr_t constants, constants_end; /* of a loaded file */

bool rd_sim_is_running(void)
{
    return running;
}

void rd_sim_constants_set(uintptr_t start, uintptr_t end)
{
    constants = start;
    constants_end = end;
}

/* Constants of the kernel's program that are read through a pointer: of the loaded file, else of
 * ours. And the thread's place, to which a loaded file may have a reference. */
bool rd_sim_is_harmless(uintptr_t address, enum rd_sim_op op)
{
    extern const char __executable_start, _end;
    if (op != RD_SIM_READ)
        return false;
    if (constants_end > 0)
        return (address >= constants && address < constants_end) ||
               address - (uintptr_t)&rd_sim_place < sizeof rd_sim_place;
    return address >= (uintptr_t)&__executable_start && address < (uintptr_t)&_end;
}

uint64_t rd_sim_threads_run(void)
{
    return threads_run - (running ? rd_sim_block.n_unstarted : 0);
}

/* A new block. */
static void start_block(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    struct rd_sim_core *core = &rd_sim_core;
    rd_sim_jobs_poll();
    rd_sim_order_block();
    rd_sim_recorder_settle();
    rd_sim_shared_poison();
    b->interval_epoch = core->epoch;
    core->block_floor = core->interval_floor = (uint64_t)core->epoch << RD_EPOCH_SHIFT;
    core->interval = 0;
    core->clock = 0;
    b->cursor = b->n_done = b->n_ready = b->n_in_warp = b->n_true = 0;
    b->file = NULL;
    b->diverged = false;
    b->uneven = rd_sim_turns_are_short();
    b->n_unstarted = b->n;
    memset(b->state, RD_SIM_UNSTARTED, b->n);
    for (unsigned k = 0; k < b->n && b->kept; k++) {
        b->threads[k].epoch = b->threads[k].slices = b->threads[k].barriers = 0;
        b->threads[k].trapped = false;
    }
    b->kept = false;
    rd_sim_turns_block();
    threads_run += b->n;
}

/* Up to the block's end, or to the grid's barrier. */
static void run_block(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    rd_sim_block_run();
    if (!b->stopped && !b->failed && b->n_at_grid > 0 && !rd_sim_grid_park())
        b->failed = true;
    if (b->stopped || b->failed)
        rd_sim_stacks_leave(NULL);
}

static void set_threads(struct rd_sim_dim block)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned k = 0;
    memset(b->threads, 0, b->n * sizeof *b->threads);
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++, k++)
                b->turns[k] =
                    (struct rd_sim_turn){.stamp = rd_record_stamp(0, k), .index = {x, y, z}};
}

static struct rd_sim_dim block_index(const struct rd_sim_grid *grid, uint64_t block)
{
    uint64_t row = block / grid->grid.x;
    return (struct rd_sim_dim){(unsigned)(block % grid->grid.x), (unsigned)(row % grid->grid.y),
                               (unsigned)(row / grid->grid.y)};
}

/* The rest of the grid, in other processes. False where they can't. */
static bool run_elsewhere(uint64_t end)
{
    struct rd_sim_block *b = &rd_sim_block;
    struct rd_sim_jobs_result result;
    running = false;
    bool done = rd_sim_jobs_run(b->grid, end, &result);
    running = true;
    if (!done)
        return false;
    threads_run += result.threads_run;
    b->trapped = b->trapped || result.trapped;
    return true;
}

static void run_blocks(uint64_t first, uint64_t end, bool start)
{
    const struct rd_sim_block *b = &rd_sim_block;
    const struct rd_sim_grid *grid = b->grid;
    struct rd_sim_core *core = &rd_sim_core;
    for (core->block = first; core->block < end; core->block++) {
        if (rd_sim_is_interrupted())
            return;
        if (core->block >= rd_sim_jobs_next && run_elsewhere(end))
            return;
        rd_sim_place.block =
            block_index(grid, grid->last_first ? end - 1 - core->block : core->block);
        if (start)
            start_block();
        else if (!rd_sim_grid_resume())
            continue;
        run_block();
        if (b->failed || b->stopped)
            return;
        if (grid->block_over && b->n_done == b->n)
            grid->block_over(core->block);
    }
}

bool rd_sim_run_part(uint64_t first, uint64_t end)
{
    running = true;
    run_blocks(first, end, true);
    running = false;
    return !rd_sim_block.failed && !rd_sim_block.stopped;
}

bool rd_sim_run_grid(const struct rd_sim_grid *grid)
{
    struct rd_sim_block *b = &rd_sim_block;
    uint64_t end = (uint64_t)grid->grid.x * grid->grid.y * grid->grid.z;
    if (grid->end_block > 0 && grid->end_block < end)
        end = grid->end_block;
    b->grid = grid;
    b->n = grid->block.x * grid->block.y * grid->block.z;
    b->failed = b->stopped = b->trapped = false;
    b->n_unstarted = b->n_at_grid = 0;
    threads_run = 0;
    set_threads(grid->block);
    rd_sim_turns_launch();
    memset(b->in_warp, 0, sizeof b->in_warp);
    rd_sim_place = (struct rd_sim_place){.block_dim = grid->block, .grid_dim = grid->grid};
    rd_sim_order_launch();
    rd_sim_heap_limit(grid->heap_bytes);
    rd_sim_grid_begin();
    rd_sim_jobs_begin(grid);
    running = true;
    run_blocks(grid->first_block, end, true);
    while (!b->failed && !b->stopped && rd_sim_grid_release())
        run_blocks(grid->first_block, end, false);
    running = false;
    if (!b->trapped && !b->stopped) /* else it was not for the kernel to free it */
        rd_sim_heap_tell_leaks();
    return !b->failed;
}
