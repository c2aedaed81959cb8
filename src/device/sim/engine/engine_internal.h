// SPDX-License-Identifier: MIT
/* The block that runs: its threads, and how one of them gives way to the next. Private to the parts
 * of the scheduler. */
#ifndef RD_SIM_ENGINE_INTERNAL_H
#define RD_SIM_ENGINE_INTERNAL_H

#include "device/sim/engine/context.h"
#include "device/sim/api/cuda.h"
#include "device/sim/engine/engine.h"
#include "device/sim/object.h"

#include <stdatomic.h>

/* ---- schedule_policy.c: whose turn it is ---- */

/* The order of a launch, and of a block: it depends on the seed and the block's number alone. */
void rd_sim_turns_launch(void);
void rd_sim_turns_block(void);
/* Changes the order, if the schedule is random. */
void rd_sim_turns_shuffle(void);
/* Tells whether a turn is less than RD_SIM_SLICE accesses. */
static inline bool rd_sim_turns_are_short(void)
{
    return rd_sim_here->block.grid->schedule.order == RD_ORDER_INTERLEAVE ||
           rd_sim_here->core.on_access;
}
/* The accesses after which a thread is asked to give way. */
uint64_t rd_sim_turn_slice(void);
/* Tells whether blocks other than the running thread's could go on: see scheduler.c. */
bool rd_sim_blocks_wait(void);
/* Something has happened that a thread may have waited for. */
void rd_sim_turns_progress(void);
/* The thread to go on with, or RD_SIM_NOBODY when all are done or at the grid's barrier. Lets those
 * go on that wait, where nobody else can. */
unsigned rd_sim_turn_next(void);

/* ---- barrier.c, warp.c ---- */

/* Begins the next barrier, to which no thread has come yet. */
static inline void rd_sim_barrier_await(struct rd_sim_block *b)
{
    b->file = NULL;
    b->way.n = 0;
    b->way.pcs[0] = 0;
    b->pc = 0;
    b->diverged = false;
}

/* Releases the block's barrier, to which all threads that can come have come: checks that they met, and lets them go on. */
void rd_sim_barrier_release(void);
/* Lanes wait for lanes that never come, or ask who is active: lets some of them go on. */
void rd_sim_warp_resolve(void);
/* A thread has ended, for which its warp need not wait any more. */
void rd_sim_warp_leave(unsigned thread);

/* ---- grid.c ---- */

/* A launch begins: no block is at the grid's barrier. */
void rd_sim_grid_begin(void);
/* Blocks that still wait there do not go on. */
void rd_sim_grid_finish(void);
/* The running block's threads have all come to the grid's barrier, or ended: it is kept aside until all
 * blocks have come. False without memory. */
bool rd_sim_grid_park(void);
/* Releases the grid's barrier, as all blocks have come or ended. Returns the blocks that waited; NULL: none. */
struct rd_sim_parked *rd_sim_grid_release(void);

/* ---- barrier.c: those who have returned ---- */

/* A launch begins: nobody has returned. */
void rd_sim_returns_begin(void);
/* Says why a thread that has ended does not come to this barrier: RD_HAZARD_BARRIER_SKIPPED if it has returned
 * before, or nobody knows; RD_HAZARD_BARRIER_DIVERGENCE if it has passed it by. NULL: any of the launch. */
enum rd_hazard_kind rd_sim_absence(const struct rd_sim_thread_state *gone, const char *file,
                                   unsigned line);
/* Tells of the first thread of either kind that has exited and does not come to the barrier there; not of
 * those that were ended before their time. */
void rd_sim_tell_absent(const struct rd_sim_block *b, const char *file, unsigned line,
                        void (*tell)(enum rd_hazard_kind hazard, unsigned thread, void *self),
                        void *self);

/* ---- threads.c ---- */

/* The running thread's block gives way to others, for which it may wait; returns when it goes on. */
void rd_sim_block_leave(bool waits);

/* The stacks of the threads that wait are free for others; what is on them, if it is to be kept,
 * goes to `copy`, and comes back from it. */
size_t rd_sim_stacks_size(void);
void rd_sim_stacks_leave(char *copy);
void rd_sim_stacks_take(const char *copy);

/* Reports two threads at the barriers where they wait; `paths` (optional) are the calls by which they came there. */
void rd_sim_tell_waiting(enum rd_hazard_kind hazard, unsigned thread, unsigned other,
                         const struct rd_sim_path paths[2]);
/* Lets other threads go on; returns when it is this thread's turn again. Its state says what it
 * waits for. */
void rd_sim_yield(void);
/* Tells whether the launch was asked to stop; then it does. */
static inline bool rd_sim_is_interrupted(void)
{
    const struct rd_sim_grid *grid = rd_sim_here->block.grid;
    if (grid->interrupted && *grid->interrupted)
        rd_sim_here->block.stopped = true;
    return rd_sim_here->block.stopped;
}
/* The launch has been stopped: does not come back. */
void rd_sim_thread_stop(void);
/* Runs the block, until all its threads are done or at the grid's barrier. */
void rd_sim_block_run(void);
/* Part of rd_sim_next_context. */
void *rd_sim_next_context_slowly(void *context);
/* Part of rd_sim_become. */
void rd_sim_become_uneven(unsigned k);

/* ---- turns ---- */

/* Thread k runs from here on, in a block whose threads are even. */
static inline __attribute__((always_inline)) void rd_sim_become_even(struct rd_sim *sim, unsigned k)
{
    struct rd_sim_core *core = &sim->core;
    const struct rd_sim_turn *turn = &sim->block.turns[k];
    core->thread = k;
    core->stamp = core->interval_stamp | turn->stamp;
    core->budget = RD_SIM_SLICE;
    rd_sim_place.thread = turn->index;
}

/* Thread k runs from here on, as what it was when it gave way. */
static inline void rd_sim_become(struct rd_sim *sim, unsigned k)
{
    rd_sim_become_even(sim, k);
    if (sim->block.uneven)
        rd_sim_become_uneven(k);
}

/* The stacks of a block are more than the first cache holds: the one behind the next will be wanted
 * soon, and has been out of sight for a whole round. */
static inline __attribute__((always_inline)) void rd_sim_turn_foresee(const struct rd_sim *sim)
{
    const struct rd_sim_block *b = &sim->block;
    const char *soon = b->turns[b->order[b->cursor + 1]].context;
    __builtin_prefetch(soon);
    __builtin_prefetch(soon + 64);
    /* The frames of who called the kernel, which a barrier looks at. */
    __builtin_prefetch(soon + 128);
    __builtin_prefetch(soon + 192);
    __builtin_prefetch(soon + 256);
}

/* Returns the next thread's context, for a function that gives way (see context.h) in the running thread's name. It calls
 * other functions last, so that the common case needs no stack frame. */
static inline __attribute__((always_inline)) void *rd_sim_next_context(struct rd_sim *sim,
                                                                       void *context)
{
    struct rd_sim_block *b = &sim->block;
    unsigned k = b->order[b->cursor];
    b->turns[sim->core.thread].context = context;
    if (__builtin_expect(b->state[k] != RD_SIM_READY || b->uneven, 0))
        return rd_sim_next_context_slowly(context);
    b->cursor++;
    b->n_ready--;
    rd_sim_become_even(sim, k);
    rd_sim_turn_foresee(sim);
    return b->turns[k].context;
}

/* ---- park.c ---- */

/* Blocks that are kept aside while others run. What a block leaves behind is copied: the scheduler's state of
 * it, what is on its threads' stacks, and its shared memory with what is known of that. So a grid needs no more
 * stacks than a block. */

struct rd_sim_parked {
    struct rd_sim_parked *next; /* for the owner's lists */
    uint64_t block;
    bool waits; /* it gave way because its threads wait for others */
    /* The thread has passed a barrier of the grid, behind which no access races with one before it */
    bool behind_grid;
    unsigned interval;
    long long clock;
    struct rd_sim_block *state; /* of as many threads as there are */
    char *stacks;
    void **contexts; /* of its threads, there */
    struct rd_sim_parked_granule *shared;
    uint64_t (*splits)[4]; /* the records of those of its granules that are split */
    struct rd_sim_knowledge *knowledge;
};

/* A launch begins. */
void rd_sim_park_begin(void);
/* Keeps the running block aside. NULL without memory. */
struct rd_sim_parked *rd_sim_park(void);
/* Puts it back, as core.block, and frees what was kept. */
void rd_sim_unpark(struct rd_sim_parked *parked);
/* A block that does not go on. */
void rd_sim_parked_destroy(struct rd_sim_parked *parked);

/* Forgets all that is known of the running block's shared memory, in an exact launch. */
void rd_sim_shared_forget(void);

/* ---- block_order.c: the block of a launch that runs next, a new one, or one that has given way ---- */

struct rd_sim_turn_of_block {
    uint64_t block;
    struct rd_sim_parked *parked; /* goes on; NULL: begins */
};

/* Begins the launch's blocks [first, end). */
void rd_sim_blocks_begin(uint64_t first, uint64_t end);
/* No more blocks run. */
void rd_sim_blocks_finish(void);
/* The block to go on with. False where all have ended, or are kept by others. */
bool rd_sim_blocks_next(struct rd_sim_turn_of_block *turn);

/* The running block has ended; or given way. */
void rd_sim_blocks_ended(void);
void rd_sim_blocks_left(struct rd_sim_parked *parked);
/* Lets parked blocks go on, as all have come to the grid's barrier. */
void rd_sim_blocks_released(struct rd_sim_parked *parked);

/* ---- dirty_pages.c ---- */

/* Pages of global memory that several processes have touched, each running a part of one launch on a copy
 * of it: whether the parts were independent of each other, and if so, what they have written. */

/* An array, or the kernel file's own variables. The bits are one for each granule of four bytes,
 * and are shared by the processes, as what is behind them is. */
struct rd_sim_touched_region {
    uintptr_t base;
    size_t n_granules, n_words; /* of bits */
    uint64_t *shadow;
    _Atomic uint64_t *touched, *written;
    _Atomic uint64_t *partial; /* written, and not initialised as a whole: */
    uint8_t *masks;            /* which of its bytes are */
    uint32_t *content;         /* of what is written */
    uint64_t *raced; /* of this process: written, though the record does not tell; or NULL */
};

struct rd_sim_touched {
    uint64_t floor; /* records below it are not of these processes */
    struct rd_sim_touched_region *regions;
    size_t n_regions, capacity;
};

/* Sets up the marks, before the processes fork. False without memory. */
bool rd_sim_touched_init(struct rd_sim_touched *touched);
void rd_sim_touched_finish(struct rd_sim_touched *touched);

/* Notes, in any process, bytes that have raced, of which only the later access is on record. False without
 * memory. */
bool rd_sim_touched_race(struct rd_sim_touched *touched, uintptr_t address, size_t size_bytes);
/* Shares the pages that a process has written, at the end of its part. False if one part has written what another has
 * touched; one of the two finds that. */
bool rd_sim_touched_share(struct rd_sim_touched *touched);

/* Copies the shared pages to memory, once all processes have shared theirs without such a conflict. */
void rd_sim_touched_take(const struct rd_sim_touched *touched);

#endif
