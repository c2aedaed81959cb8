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
    const struct rd_sim_stack *stack = rd_sim_block.running_stack;
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

void __attribute__((noinline)) rd_sim_switch_to_new(void **save, unsigned k)
{
    struct rd_sim_block *b = &rd_sim_block;
    struct rd_sim_stack *stack = k == RD_SIM_NOBODY ? NULL : take_stack();
    if (!stack) {
        b->failed = k != RD_SIM_NOBODY;
        rd_sim_context_switch(save, b->home);
        return;
    }
    b->starting = k;
    rd_sim_stack_entered = stack;
    b->running_stack = stack;
    rd_sim_context_switch(save, stack->context);
}

static void thread_is_done(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_block;
    rd_sim_settle();
    b->state[k] = RD_SIM_DONE;
    b->n_done++;
    if (b->in_warp[k / RD_SIM_WARP])
        rd_sim_warp_leave(k);
}

/* A stack's life: runs threads one after the other, as long as the next one is yet to start. */
static void carrier_main(struct rd_sim_stack *self)
{
    struct rd_sim_block *b = &rd_sim_block;
    for (;;) {
        unsigned k = b->starting;
        do {
            b->n_unstarted--;
            rd_sim_become(k);
            b->grid->thread(b->grid->arguments);
            thread_is_done(rd_sim_core.thread);
            k = rd_sim_next_quickly();
        } while (k != RD_SIM_NOBODY && b->state[k] == RD_SIM_UNSTARTED);
        self->next = free_stacks;
        free_stacks = self;
        rd_sim_switch_to(&self->context, k);
    }
}

_Noreturn void rd_sim_thread_end(void)
{
    struct rd_sim_stack *stack = rd_sim_block.running_stack;
    void *nowhere;
    thread_is_done(rd_sim_core.thread);
    unsigned k = rd_sim_turn_next();
    /* The stack is running until the switch below: it can be given away afterwards only. */
    static struct rd_sim_stack *ended;
    if (ended && ended != stack) {
        rd_sim_stack_reset(ended);
        ended->next = free_stacks;
        free_stacks = ended;
    }
    ended = stack;
    rd_sim_switch_to(&nowhere, k);
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
