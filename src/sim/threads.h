// SPDX-License-Identifier: MIT
/* The block that runs: its threads, and how one of them gives way to the next. Private to the parts
 * of the scheduler. What a barrier needs is inline: after a switch of stacks the processor
 * mispredicts each return, so that a call more costs more than its work. */
#ifndef RD_SIM_THREADS_H
#define RD_SIM_THREADS_H

#include "sim/context.h"
#include "sim/cuda.h"
#include "sim/scheduler.h"

enum {
    RD_SIM_SLICE = 1 << 16, /* accesses of a thread until it is asked to give way */
    RD_SIM_NOBODY = RD_SIM_BLOCK_MAX,
    RD_SIM_WARPS = RD_SIM_BLOCK_MAX / RD_SIM_WARP,
};

enum rd_sim_state {
    RD_SIM_UNSTARTED,
    RD_SIM_READY,
    RD_SIM_AT_BARRIER,
    RD_SIM_IN_WARP,
    RD_SIM_DONE,
};

struct rd_sim_thread_state {
    void *context; /* where it goes on, while it waits on a stack of its own: */
    struct rd_sim_stack *stack;
    struct rd_sim_dim index;
    unsigned epoch;   /* since the last warp barrier; of this interval if not below the block's */
    const char *file; /* where it waits */
    unsigned line;
    unsigned slices; /* of its budget, used up since the last barrier */
    struct rd_sim_lane *lane;
} __attribute__((aligned(64)));

extern RD_PRIVATE struct rd_sim_block {
    const struct rd_sim_grid *grid;
    unsigned n, cursor; /* threads; the next position in the order to look at */
    unsigned n_done, n_ready, n_unstarted, n_in_warp;
    unsigned interval_epoch;
    unsigned starting;
    bool failed;
    bool kept; /* an epoch or slices of threads are left over from this block */
    /* The barrier that threads come to: */
    unsigned n_waiting, first, n_true;
    bool diverged;             /* not all came to the place of the first */
    unsigned released, truths; /* of the last one: how many met, and how many with a true value */
    uint64_t random;
    uint8_t state[RD_SIM_BLOCK_MAX];
    uint16_t order[RD_SIM_BLOCK_MAX];
    uint8_t in_warp[RD_SIM_WARPS]; /* lanes that wait for their warp */
    struct rd_sim_thread_state threads[RD_SIM_BLOCK_MAX];
    struct rd_sim_stack *running_stack;
    void *home; /* whoever runs the block */
} rd_sim_block;

/* ---- turns.c: whose turn it is ---- */

/* The order of a launch, and of a block: it depends on the seed and the block's number alone. */
void rd_sim_turns_launch(void);
void rd_sim_turns_block(void);
/* Another order, where the schedule is a random one. */
void rd_sim_turns_shuffle(void);
/* The accesses after which a thread is asked to give way. */
uint64_t rd_sim_turn_slice(void);
/* The thread to go on with, or RD_SIM_NOBODY when all are done. Lets those go on that wait, where
 * nobody else can. */
unsigned rd_sim_turn_next(void);

/* ---- barrier.c, warp.c ---- */

/* All that can come to the block's barrier have come: checks that they met, and lets them go on. */
void rd_sim_barrier_release(void);
/* Lanes wait for lanes that never come, or ask who is active: lets some of them go on. */
void rd_sim_warp_resolve(void);
/* A thread has ended, for which its warp need not wait any more. */
void rd_sim_warp_leave(unsigned thread);

/* ---- threads.c ---- */

/* Two threads, at what they wait for. */
void rd_sim_tell_waiting(enum rd_sim_event_class class, unsigned thread, unsigned other);
/* Goes on with a thread that is yet to start, or home where k is nobody. */
void rd_sim_switch_to_new(void **save, unsigned k);

/* ---- the switch ---- */

/* Thread k runs from here on, as what it was when it gave way. */
static inline __attribute__((always_inline)) void rd_sim_become(unsigned k)
{
    const struct rd_sim_block *b = &rd_sim_block;
    struct rd_sim_core *core = &rd_sim_core;
    unsigned epoch = b->threads[k].epoch;
    if (epoch < b->interval_epoch)
        epoch = b->interval_epoch;
    core->thread = k;
    core->stamp = rd_record_stamp(epoch, k);
    core->budget = RD_SIM_SLICE;
    if (b->grid->schedule == RD_SIM_INTERLEAVE)
        core->budget = rd_sim_turn_slice();
    rd_sim_place.thread = b->threads[k].index;
}

/* Goes on with thread k, and leaves the running context in *save. */
static inline __attribute__((always_inline)) void rd_sim_switch_to(void **save, unsigned k)
{
    struct rd_sim_block *b = &rd_sim_block;
    if (k == RD_SIM_NOBODY || b->state[k] == RD_SIM_UNSTARTED) {
        rd_sim_switch_to_new(save, k);
        return;
    }
    /* The one behind it will be wanted next: its stack has been out of sight for a whole round. */
    const char *after = b->threads[b->order[b->cursor % RD_SIM_BLOCK_MAX]].context;
    __builtin_prefetch(after);
    __builtin_prefetch(after + 64);
    __builtin_prefetch(after + 128);
    b->n_ready--;
    rd_sim_become(k);
    b->running_stack = b->threads[k].stack;
    rd_sim_context_switch(save, b->threads[k].context);
}

/* The next thread in the order, if it can go on; else the long way. */
static inline __attribute__((always_inline)) unsigned rd_sim_next_quickly(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    if (b->cursor < b->n) {
        unsigned k = b->order[b->cursor];
        if (b->state[k] <= RD_SIM_READY) {
            b->cursor++;
            return k;
        }
    }
    return rd_sim_turn_next();
}

/* Others may go on; returns when it is this thread's turn again. */
static inline __attribute__((always_inline)) void rd_sim_yield_as(enum rd_sim_state state)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned me = rd_sim_core.thread;
    b->state[me] = (uint8_t)state;
    b->n_ready += state == RD_SIM_READY;
    b->threads[me].stack = b->running_stack;
    unsigned k = rd_sim_next_quickly();
    if (k == me) {
        b->n_ready--;
        rd_sim_become(me);
        return;
    }
    rd_sim_switch_to(&b->threads[me].context, k);
}

#endif
