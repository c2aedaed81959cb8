// SPDX-License-Identifier: MIT
/* this_grid().sync(): a block whose threads have all come to it is kept aside, and the next block
 * runs up to it; when all have come, they go on, one after the other. What a block leaves behind is
 * copied: the scheduler's state of it, what is on its threads' stacks, and its shared memory. So a
 * grid needs no more stacks than a block.
 *
 * Behind the barrier nothing races with what was before it: for global memory's shadow, that is a
 * new launch. */
#include "sim/hooks.h"
#include "sim/jobs.h"
#include "sim/order.h"
#include "sim/recorder.h"
#include "sim/room.h"
#include "sim/shadow.h"
#include "sim/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an H100 SXM holds at once: CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability", 9.0. A block takes a KiB of shared memory besides its own, and whole warps. */
enum {
    MULTIPROCESSORS = 132,
    THREADS_MAX = 2048,
    BLOCKS_MAX = 32,
    SHARED_MAX = 228 * 1024,
    SHARED_RESERVED = 1024,
};

enum { GRANULE = 4 };

/* Four bytes of shared memory, and which of them are initialised: a bit each. */
struct granule {
    uint32_t bytes;
    unsigned initialised;
};

/* A block that waits. */
struct parked {
    unsigned interval;
    long long clock;
    char *state; /* of the scheduler's struct, with as many threads as there are */
    char *stacks;
    void **contexts; /* of its threads, there */
    struct granule *shared;
};

static struct parked *parked; /* of each block; no state where it has ended */
static uint64_t n_blocks, n_parked;
static bool is_wanted_whole, is_checked;

static void destroy(struct parked *p)
{
    free(p->state);
    free(p->stacks);
    free(p->contexts);
    free(p->shared);
    *p = (struct parked){0};
}

void rd_sim_grid_begin(void)
{
    const struct rd_sim_dim *grid = &rd_sim_block.grid->grid;
    for (uint64_t k = 0; k < n_blocks && parked; k++)
        destroy(&parked[k]);
    free(parked);
    parked = NULL;
    n_blocks = (uint64_t)grid->x * grid->y * grid->z;
    n_parked = 0;
    is_wanted_whole = is_checked = false;
}

bool rd_sim_grid_is_wanted_whole(void)
{
    return is_wanted_whole;
}

/* ---- keeping aside ---- */

/* The granules of shared memory that are some variable's, as runs. */
static struct run {
    size_t first, end;
} * runs;
static size_t n_runs, n_granules;

static bool find_runs(void)
{
    const struct rd_sim_core *core = &rd_sim_core;
    size_t n = core->shared_size / GRANULE, capacity = 0;
    n_runs = n_granules = 0;
    for (size_t k = 0; k < n; k++) {
        if (core->shared_shadow[k] == RD_NO_MEMORY)
            continue;
        if (!rd_sim_room_make(&runs, n_runs, &capacity, sizeof *runs))
            return false;
        size_t first = k;
        while (k < n && core->shared_shadow[k] != RD_NO_MEMORY)
            k++;
        runs[n_runs++] = (struct run){first, k};
        n_granules += k - first;
    }
    return true;
}

/* Variables may be a sanitizer's, with zones around them. */
__attribute__((no_sanitize("address"))) static void shared_save(struct granule *granule)
{
    const struct rd_sim_core *core = &rd_sim_core;
    const uint32_t *bytes = (const uint32_t *)core->shared;
    for (const struct run *run = runs; run < runs + n_runs; run++)
        for (size_t k = run->first; k < run->end; k++)
            *granule++ =
                (struct granule){bytes[k], rd_sim_granule_initialised(&core->shared_shadow[k])};
}

__attribute__((no_sanitize("address"))) static void shared_restore(const struct granule *granule,
                                                                   uint64_t record)
{
    const struct rd_sim_core *core = &rd_sim_core;
    uint32_t *bytes = (uint32_t *)core->shared;
    for (const struct run *run = runs; run < runs + n_runs; run++)
        for (size_t k = run->first; k < run->end; k++, granule++) {
            bytes[k] = granule->bytes;
            rd_sim_granule_set(&core->shared_shadow[k], granule->initialised, record);
        }
}

static size_t state_size(void)
{
    size_t size =
        offsetof(struct rd_sim_block, threads) + rd_sim_block.n * sizeof *rd_sim_block.threads;
    return (size / _Alignof(struct rd_sim_block) + 1) * _Alignof(struct rd_sim_block);
}

bool rd_sim_grid_park(void)
{
    const struct rd_sim_core *core = &rd_sim_core;
    if (!parked && (!find_runs() || !(parked = calloc(n_blocks, sizeof *parked))))
        return false;
    struct parked *p = &parked[core->block];
    *p = (struct parked){
        .interval = core->interval,
        .clock = core->clock,
        .state = aligned_alloc(_Alignof(struct rd_sim_block), state_size()),
        .stacks = malloc(rd_sim_stacks_size()),
        .contexts = malloc(rd_sim_block.n * sizeof *p->contexts),
        .shared = malloc((n_granules + 1) * sizeof *p->shared),
    };
    if (!p->state || !p->stacks || !p->contexts || !p->shared)
        return false;
    for (unsigned k = 0; k < rd_sim_block.n; k++)
        p->contexts[k] = rd_sim_block.turns[k].context;
    rd_sim_stacks_leave(p->stacks);
    memcpy(p->state, &rd_sim_block, state_size());
    shared_save(p->shared);
    rd_sim_block.n_at_grid = 0;
    n_parked++;
    return true;
}

bool rd_sim_grid_resume(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    struct rd_sim_core *core = &rd_sim_core;
    struct parked *p = &parked[core->block];
    rd_sim_recorder_settle();
    rd_sim_order_block(); /* also for a block that has ended: blocks are counted by it */
    if (!p->state)
        return false;
    const size_t from = offsetof(struct rd_sim_block, cursor);
    memcpy((char *)b + from, p->state + from, state_size() - from);
    for (unsigned k = 0; k < b->n; k++)
        b->turns[k].context = p->contexts[k];
    rd_sim_stacks_take(p->stacks);
    core->clock = p->clock;
    core->interval = p->interval + 1;
    core->block_floor = (uint64_t)core->epoch << RD_EPOCH_SHIFT;
    shared_restore(p->shared, rd_record_stamp(core->epoch, 0));
    b->interval_epoch = rd_sim_epoch_next(); /* behind what shared memory was restored with */
    core->interval_floor = (uint64_t)b->interval_epoch << RD_EPOCH_SHIFT;
    for (unsigned k = 0; k < b->n; k++) {
        b->threads[k].epoch = 0;
        b->state[k] = b->state[k] == RD_SIM_AT_GRID ? RD_SIM_READY : b->state[k];
    }
    b->n_ready = b->n_at_grid;
    b->n_at_grid = b->cursor = 0;
    b->uneven = rd_sim_turns_are_short();
    rd_sim_turns_shuffle();
    destroy(p);
    n_parked--;
    return true;
}

/* ---- the meeting ---- */

static struct rd_sim_actor first_of(const struct parked *p)
{
    const struct rd_sim_block *b = (const void *)p->state;
    const struct rd_sim_thread_state *thread = &b->threads[b->first_at_grid];
    struct rd_sim_actor actor =
        rd_sim_actor_at(thread->file, thread->line & ((1u << RD_SIM_LINE_BITS) - 1));
    actor.thread = b->first_at_grid;
    actor.block = (uint64_t)(p - parked);
    return actor;
}

static void tell_skipped(const struct parked *waiting, const struct parked *other, unsigned thread)
{
    struct rd_sim_actor exited = rd_sim_actor_at(NULL, 0);
    exited.thread = thread;
    exited.block = (uint64_t)(other - parked);
    rd_sim_core.on_event(&(struct rd_sim_event){
        .class = RD_SIM_BARRIER_SKIPPED,
        .actor = first_of(waiting),
        .other = exited,
        .has_other = true,
        .interval = waiting->interval,
    });
}

/* Whoever has ended does not come any more; where threads were ended before their time, it is not known
 * of a whole block. */
static void check_meeting(void)
{
    const struct parked *first = parked;
    while (!first->state)
        first++;
    for (const struct parked *p = parked; p < parked + n_blocks; p++) {
        const struct rd_sim_block *b = (const void *)p->state;
        unsigned exited = b ? rd_sim_first_exited(b) : RD_SIM_NOBODY;
        if (!b && !rd_sim_block.trapped)
            tell_skipped(first, p, 0);
        else if (exited != RD_SIM_NOBODY)
            tell_skipped(p, p, exited);
    }
}

bool rd_sim_grid_release(void)
{
    if (n_parked == 0)
        return false;
    check_meeting();
    rd_sim_order_launch();
    return true;
}

/* ---- the barrier ---- */

static unsigned least(unsigned x, unsigned y)
{
    return x < y ? x : y;
}

uint64_t rd_sim_grid_max(unsigned threads, size_t shared_bytes)
{
    unsigned warps = (threads + RD_SIM_WARP - 1) / RD_SIM_WARP;
    unsigned each = least(BLOCKS_MAX, THREADS_MAX / (warps * RD_SIM_WARP));
    size_t shared = shared_bytes + SHARED_RESERVED;
    return MULTIPROCESSORS * (uint64_t)least(each, (unsigned)(SHARED_MAX / shared));
}

static void refuse(const char *why, const char *file, unsigned line)
{
    rd_sim_block.stopped = true;
    rd_sim_core.on_event(&(struct rd_sim_event){
        .class = RD_SIM_ILLEGAL_LAUNCH,
        .actor = rd_sim_actor_at(file, line),
        .text = why,
    });
}

/* Blocks wait for each other: all of them must be on the device at once, which only a cooperative
 * launch makes sure of. */
static void check_launch(const char *file, unsigned line)
{
    static char text[200];
    const struct rd_sim_block *b = &rd_sim_block;
    uint64_t most = rd_sim_grid_max(b->n, b->grid->shared_bytes);
    if (!b->grid->cooperative) {
        refuse("a barrier of the whole grid, in a launch that is not cooperative,", file, line);
    } else if (n_blocks > most) {
        snprintf(text, sizeof text,
                 "cudaErrorCooperativeLaunchTooLarge: a grid of %" PRIu64
                 " blocks that waits for all of them, where the device holds %" PRIu64 " at once,",
                 n_blocks, most);
        refuse(text, file, line);
    }
}

/* Whether a launch of these blocks can have such a barrier. */
static bool is_possible(const char *file, unsigned line)
{
    const struct rd_sim_grid *grid = rd_sim_block.grid;
    if (grid->first_block > 0 || (grid->end_block > 0 && grid->end_block < n_blocks))
        is_wanted_whole = rd_sim_block.stopped = true;
    else if (!is_checked)
        check_launch(file, line);
    is_checked = true;
    return !rd_sim_block.stopped;
}

/* Within a block, threads must meet at one place, as at __syncthreads(), which is a part of this
 * barrier. Blocks only count each other: each may come from a place of its own. */
RD_HOOK void rd_sim_grid_sync(const char *file, unsigned line)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned k = rd_sim_core.thread;
    struct rd_sim_thread_state *me = &b->threads[k];
    rd_sim_settle();
    rd_sim_jobs_depend();
    if (!is_possible(file, line))
        rd_sim_thread_stop();
    me->file = file;
    me->line = line;
    if (b->n_at_grid++ == 0)
        b->first_at_grid = k;
    else if (line != b->threads[b->first_at_grid].line || file != b->threads[b->first_at_grid].file)
        rd_sim_tell_waiting(RD_SIM_BARRIER_DIVERGENCE, k, b->first_at_grid);
    b->state[k] = RD_SIM_AT_GRID;
    rd_sim_yield();
}
