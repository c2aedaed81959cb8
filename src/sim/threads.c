// SPDX-License-Identifier: MIT
#include "sim/threads.h"
#include "sim/hooks.h"

#include <stdlib.h>

RD_HOOK struct rd_sim_place rd_sim_place;
struct rd_sim_block rd_sim_block;

static struct rd_sim_stack *free_stacks;
static unsigned n_stacks;

bool rd_sim_is_on_stack(uintptr_t address)
{
    const struct rd_sim_stack *stack = rd_sim_block.threads[rd_sim_core.thread].stack;
    return address - stack->base < stack->size_bytes;
}

static void carrier_main(struct rd_sim_stack *self);

static struct rd_sim_stack *take_stack(void)
{
    struct rd_sim_stack *stack = free_stacks;
    if (stack) {
        free_stacks = stack->next;
        return stack;
    }
    return rd_sim_stack_create(n_stacks++, carrier_main);
}

void rd_sim_become_uneven(unsigned k)
{
    const struct rd_sim_block *b = &rd_sim_block;
    if (b->threads[k].epoch > b->interval_epoch)
        rd_sim_core.stamp = rd_record_stamp(b->threads[k].epoch, k);
    rd_sim_core.budget = rd_sim_turn_slice();
}

void *rd_sim_context_of(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_block;
    if (k == RD_SIM_NOBODY)
        return b->home;
    if (b->state[k] == RD_SIM_READY) {
        b->n_ready--;
        rd_sim_become(k);
        return b->threads[k].context;
    }
    struct rd_sim_stack *stack = take_stack();
    if (!stack) {
        b->failed = true;
        return b->home;
    }
    b->starting = k;
    rd_sim_stack_entered = stack;
    return stack->context;
}

void *rd_sim_context_next(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned me = rd_sim_core.thread, k = rd_sim_turn_next();
    if (k != me)
        return rd_sim_context_of(k);
    b->n_ready--;
    rd_sim_become(me);
    return NULL;
}

static void thread_is_done(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_block;
    rd_sim_settle();
    b->state[k] = RD_SIM_DONE;
    b->n_done++;
    if (b->n_in_warp > 0 && b->in_warp[k / RD_SIM_WARP] > 0)
        rd_sim_warp_leave(k);
}

/* Runs a thread to its end. Returns who is next. */
static inline unsigned run_thread(unsigned k, struct rd_sim_stack *stack)
{
    struct rd_sim_block *b = &rd_sim_block;
    b->n_unstarted--;
    b->threads[k].stack = stack;
    rd_sim_become(k);
    b->grid->thread(b->grid->arguments);
    thread_is_done(rd_sim_core.thread);
    k = b->order[b->cursor];
    if (b->state[k] > RD_SIM_READY)
        return rd_sim_turn_next();
    b->cursor++;
    return k;
}

/* A stack's life: runs threads one after the other, as long as the next one is yet to start. */
static void carrier_main(struct rd_sim_stack *self)
{
    struct rd_sim_block *b = &rd_sim_block;
    for (;;) {
        unsigned k = b->starting;
        do
            k = run_thread(k, self);
        while (b->state[k] == RD_SIM_UNSTARTED);
        self->next = free_stacks;
        free_stacks = self;
        rd_sim_context_switch(&self->context, rd_sim_context_of(k));
    }
}

_Noreturn void rd_sim_thread_end(void)
{
    struct rd_sim_stack *stack = rd_sim_block.threads[rd_sim_core.thread].stack;
    void *nowhere;
    thread_is_done(rd_sim_core.thread);
    /* The stack is running until the switch below: it can be given away afterwards only. */
    static struct rd_sim_stack *ended;
    if (ended && ended != stack) {
        rd_sim_stack_reset(ended);
        ended->next = free_stacks;
        free_stacks = ended;
    }
    ended = stack;
    rd_sim_context_switch(&nowhere, rd_sim_context_of(rd_sim_turn_next()));
    abort();
}

/* ---- actors ---- */

struct rd_sim_actor rd_sim_actor_self(enum rd_sim_op op, uintptr_t pc)
{
    return (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = rd_sim_core.thread,
        .block = rd_sim_core.block,
        .op = op,
        .site.pc = pc,
    };
}

struct rd_sim_actor rd_sim_actor_at(const char *file, unsigned line)
{
    struct rd_sim_actor actor = rd_sim_actor_self(RD_SIM_READ, 0);
    actor.site = (struct rd_sim_site){.file = file, .line = line};
    return actor;
}

static struct rd_sim_actor actor_waiting(unsigned k)
{
    const struct rd_sim_thread_state *thread = &rd_sim_block.threads[k];
    return (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = k,
        .block = rd_sim_core.block,
        .site = {.file = thread->file, .line = thread->line & ((1u << RD_SIM_LINE_BITS) - 1)},
    };
}

void rd_sim_tell_waiting(enum rd_sim_event_class class, unsigned thread, unsigned other)
{
    rd_sim_core.on_event(&(struct rd_sim_event){
        .class = class,
        .actor = actor_waiting(thread),
        .other = actor_waiting(other),
        .has_other = true,
        .interval = rd_sim_core.interval,
    });
}
