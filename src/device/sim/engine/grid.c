// SPDX-License-Identifier: MIT
/* this_grid().sync(): a block whose threads have all come to it is kept aside, and the next block
 * runs up to it; when all have come, they go on. Behind the barrier nothing races with what was before
 * it: for global memory's shadow, that is a new launch. */
#include "device/sim/object.h"
#include "device/sim/engine/engine.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Capacity of an H100 SXM: CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability", 9.0. A block takes a KiB of shared memory besides its own, and whole warps. */
enum {
    MULTIPROCESSORS = 132,
    THREADS_MAX = 2048,
    BLOCKS_MAX = 32,
    SHARED_MAX = 228 * 1024,
    SHARED_RESERVED = 1024,
};

struct rd_sim_meeting_state {
    /* The blocks at the barrier, in the order in which they have come. */
    struct rd_sim_parked *first, **end;
    uint64_t n_blocks, n_waiting;
    bool is_wanted_whole, is_checked;
    char refusal[200];
};

void rd_sim_grid_finish(void)
{
    struct rd_sim_meeting_state *own = rd_sim_here->meeting;
    while (own->first) {
        struct rd_sim_parked *next = own->first->next;
        rd_sim_parked_destroy(own->first);
        own->first = next;
    }
    own->end = &own->first;
}

void rd_sim_grid_begin(void)
{
    struct rd_sim_meeting_state *own = rd_sim_here->meeting;
    const struct rd_sim_dim *grid = &rd_sim_here->block.grid->grid;
    rd_sim_grid_finish();
    own->n_blocks = (uint64_t)grid->x * grid->y * grid->z;
    own->n_waiting = 0;
    own->is_wanted_whole = own->is_checked = false;
    rd_sim_returns_begin();
}

bool rd_sim_grid_is_wanted_whole(void)
{
    return rd_sim_here->meeting->is_wanted_whole;
}

bool rd_sim_grid_park(void)
{
    struct rd_sim_meeting_state *own = rd_sim_here->meeting;
    struct rd_sim_parked *parked = rd_sim_park();
    if (!parked)
        return false;
    parked->next = NULL;
    *own->end = parked;
    own->end = &parked->next;
    own->n_waiting++;
    return true;
}

/* ---- the meeting ---- */

static struct rd_sim_actor first_of(const struct rd_sim_parked *parked)
{
    const struct rd_sim_block *b = parked->state;
    const struct rd_sim_thread_state *thread = &b->threads[b->first_at_grid];
    struct rd_sim_actor actor = rd_sim_actor_at(thread->file, RD_SIM_LINE(thread->line));
    actor.thread = b->first_at_grid;
    actor.block = parked->block;
    return actor;
}

/* A thread of the other block, in which it is the first or, where that is parked, has exited. */
static void tell_absent(enum rd_hazard_kind hazard, const struct rd_sim_parked *waiting,
                        const struct rd_sim_block *b, uint64_t block, unsigned thread)
{
    const struct rd_sim_thread_state *gone = b ? &b->threads[thread] : NULL;
    bool is_known = gone && hazard == RD_HAZARD_BARRIER_SKIPPED && gone->has_returned;
    struct rd_sim_actor exited =
        rd_sim_actor_at(is_known ? gone->file : NULL, is_known ? gone->line : 0);
    exited.thread = thread;
    exited.block = block;
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = hazard,
        .actor = first_of(waiting),
        .other = exited,
        .has_other = true,
        .interval = waiting->interval,
    });
}

static void tell_of_parked(enum rd_hazard_kind hazard, unsigned thread, void *self)
{
    const struct rd_sim_parked *parked = self;
    tell_absent(hazard, parked, parked->state, parked->block, thread);
}

/* Blocks that have ended do not come any more. */
static void tell_missing(void)
{
    struct rd_sim_meeting_state *own = rd_sim_here->meeting;
    const struct rd_sim_actor at = first_of(own->first);
    bool *waits = calloc(own->n_blocks, sizeof *waits);
    if (!waits) {
        rd_sim_here->block.failed = true;
        return;
    }
    for (const struct rd_sim_parked *p = own->first; p; p = p->next)
        waits[p->block] = true;
    for (uint64_t block = 0; block < own->n_blocks; block++)
        if (!waits[block])
            tell_absent(rd_sim_absence(NULL, at.site.file, at.site.line), own->first, NULL, block,
                        0);
    free(waits);
}

/* Reports blocks that miss the grid's meeting, but none whose threads were ended before their time. */
static void check_meeting(void)
{
    struct rd_sim_meeting_state *own = rd_sim_here->meeting;
    if (own->n_waiting < own->n_blocks && !rd_sim_here->block.trapped)
        tell_missing();
    for (struct rd_sim_parked *p = own->first; p; p = p->next) {
        const struct rd_sim_actor at = first_of(p);
        rd_sim_tell_absent(p->state, at.site.file, at.site.line, tell_of_parked, p);
    }
}

struct rd_sim_parked *rd_sim_grid_release(void)
{
    struct rd_sim_meeting_state *own = rd_sim_here->meeting;
    struct rd_sim_parked *released = own->first;
    if (!own->first)
        return NULL;
    check_meeting();
    rd_sim_epochs_launch();
    own->first = NULL;
    own->end = &own->first;
    own->n_waiting = 0;
    return released;
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
    rd_sim_here->block.stopped = true;
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_ILLEGAL_LAUNCH,
        .actor = rd_sim_actor_at(file, line),
        .text = why,
    });
}

/* Blocks wait for each other: all of them must be on the device at once, which only a cooperative
 * launch makes sure of. */
static void check_launch(const char *file, unsigned line)
{
    struct rd_sim_meeting_state *own = rd_sim_here->meeting;
    const struct rd_sim_block *b = &rd_sim_here->block;
    uint64_t most = rd_sim_grid_max(b->n, b->grid->shared_bytes);
    if (!b->grid->cooperative) {
        refuse("a barrier of the whole grid, in a launch that is not cooperative,", file, line);
    } else if (own->n_blocks > most) {
        snprintf(own->refusal, sizeof own->refusal,
                 "cudaErrorCooperativeLaunchTooLarge: a grid of %" PRIu64
                 " blocks that waits for all of them, where the device holds %" PRIu64 " at once,",
                 own->n_blocks, most);
        refuse(own->refusal, file, line);
    }
}

/* Tells whether a launch of these blocks can have such a barrier. */
static bool is_possible(const char *file, unsigned line)
{
    struct rd_sim_meeting_state *own = rd_sim_here->meeting;
    const struct rd_sim_grid *grid = rd_sim_here->block.grid;
    if (grid->first_block > 0 || (grid->end_block > 0 && grid->end_block < own->n_blocks))
        own->is_wanted_whole = rd_sim_here->block.stopped = true;
    else if (!own->is_checked)
        check_launch(file, line);
    own->is_checked = true;
    return !rd_sim_here->block.stopped;
}

/* Tells of a thread that is not where the first of its block waits, or has come there by other calls. */
static void check_place(unsigned k)
{
    const struct rd_sim_block *b = &rd_sim_here->block;
    const struct rd_sim_thread_state *me = &b->threads[k], *leader = &b->threads[b->first_at_grid];
    const struct rd_sim_path paths[] = {
        {me->at_grid, (uintptr_t)b->stacks[k]->top},
        {leader->at_grid, (uintptr_t)b->stacks[b->first_at_grid]->top},
    };
    if (me->line != leader->line || me->file != leader->file ||
        rd_sim_paths_differ(&paths[0], &paths[1]))
        rd_sim_tell_waiting(RD_HAZARD_BARRIER_DIVERGENCE, k, b->first_at_grid, paths);
}

/* Within a block, threads must meet at one place, as at __syncthreads(), which is a part of this
 * barrier. Blocks only count each other: each may come from a place of its own. */
RD_HOOK void rd_sim_grid_sync(const char *file, unsigned line)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned k = rd_sim_here->core.thread;
    struct rd_sim_thread_state *me = &b->threads[k];
    rd_sim_settle();
    rd_sim_jobs_depend();
    rd_sim_here->core.communicates = true;
    if (!is_possible(file, line))
        rd_sim_thread_stop();
    me->file = file;
    me->line = line;
    me->at_grid = RD_SIM_FRAME;
    if (b->n_at_grid++ == 0)
        b->first_at_grid = k;
    else
        check_place(k);
    b->state[k] = RD_SIM_AT_GRID;
    rd_sim_yield();
}

const struct rd_sim_part rd_sim_part_meeting = {
    .size_bytes = sizeof(struct rd_sim_meeting_state),
    .at = offsetof(struct rd_sim, meeting),
    .finish = rd_sim_grid_finish,
};
