// SPDX-License-Identifier: MIT
#include "sim/scheduler.h"
#include "sim/context.h"
#include "sim/cuda.h"
#include "sim/hooks.h"
#include "sim/intrinsics.h"
#include "sim/memory.h"
#include "sim/order.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 1 << 16, NONE = RD_SIM_BLOCK_MAX, WARPS = RD_SIM_BLOCK_MAX / RD_SIM_WARP };

/* Accesses between two barriers, above which a thread is taken not to end. */
#define STEPS_MAX ((uint64_t)1 << 28)

enum state { UNSTARTED, READY, AT_BARRIER, IN_WARP, DONE };

struct thread {
    void *context; /* where it goes on, while it waits on a stack of its own: */
    struct rd_sim_stack *stack;
    struct rd_sim_dim index;
    unsigned epoch;   /* since the last warp barrier; of this interval if not below the block's */
    const char *file; /* where it waits */
    unsigned line;
    unsigned slices; /* of its budget, used up since the last barrier */
    struct rd_sim_lane *lane;
} __attribute__((aligned(64)));

RD_HOOK struct rd_sim_place rd_sim_place;

static struct {
    const struct rd_sim_grid *grid;
    unsigned n, cursor; /* threads; the next position in the order to look at */
    unsigned n_done, n_ready, n_unstarted, n_in_warp;
    unsigned interval_epoch;
    unsigned starting;
    bool failed, running;
    /* The barrier that threads come to: */
    unsigned n_waiting, first, n_true;
    bool diverged;             /* not all came to the place of the first */
    unsigned released, truths; /* of the last one: how many met, and how many with a true value */
    uint64_t random, threads_run;
    uint8_t state[RD_SIM_BLOCK_MAX];
    uint16_t order[RD_SIM_BLOCK_MAX];
    uint8_t in_warp[WARPS]; /* lanes that wait for their warp */
    struct thread threads[RD_SIM_BLOCK_MAX];
    struct rd_sim_stack *free_stacks, *running_stack;
    unsigned n_stacks;
    void *home;
} b;

/* ---- order ---- */

static uint64_t next_random(void)
{
    uint64_t z = b.random += 0x9e3779b97f4a7c15u; /* SplitMix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void set_order(void)
{
    unsigned n = b.n, warps = (n + RD_SIM_WARP - 1) / RD_SIM_WARP, k = 0;
    switch (b.grid->schedule) {
    case RD_SIM_DESCENDING:
        for (; k < n; k++)
            b.order[k] = (uint16_t)(n - 1 - k);
        break;
    case RD_SIM_WARP_WISE:
        for (unsigned warp = warps; warp-- > 0;)
            for (unsigned lane = warp * RD_SIM_WARP; lane < n && lane < (warp + 1) * RD_SIM_WARP;
                 lane++)
                b.order[k++] = (uint16_t)lane;
        break;
    case RD_SIM_ASCENDING:
    case RD_SIM_RANDOM:
    case RD_SIM_INTERLEAVE:
        for (; k < n; k++)
            b.order[k] = (uint16_t)k;
        break;
    }
}

static void shuffle_order(void)
{
    if (b.grid->schedule < RD_SIM_RANDOM)
        return;
    for (unsigned k = b.n; k > 1; k--) {
        unsigned other = (unsigned)(next_random() % k);
        uint16_t swap = b.order[k - 1];
        b.order[k - 1] = b.order[other];
        b.order[other] = swap;
    }
}

/* ---- the thread that runs ---- */

static uint64_t slice(void)
{
    return b.grid->schedule == RD_SIM_INTERLEAVE ? 1 + next_random() % 8 : SLICE;
}

static inline __attribute__((always_inline)) void become(unsigned k)
{
    struct rd_sim_core *core = &rd_sim_core;
    unsigned epoch = b.threads[k].epoch;
    if (epoch < b.interval_epoch)
        epoch = b.interval_epoch;
    core->thread = k;
    core->stamp = rd_record_stamp(epoch, k);
    core->budget = SLICE;
    if (b.grid->schedule == RD_SIM_INTERLEAVE)
        core->budget = slice();
    rd_sim_place.thread = b.threads[k].index;
}

bool rd_sim_is_on_stack(uintptr_t address)
{
    return address - b.running_stack->base < b.running_stack->size_bytes;
}

static unsigned next_thread(void);
static void carrier_main(struct rd_sim_stack *self);

static struct rd_sim_stack *take_stack(void)
{
    struct rd_sim_stack *stack = b.free_stacks;
    if (stack) {
        b.free_stacks = stack->next;
        return stack;
    }
    return rd_sim_stack_create(b.n_stacks++, carrier_main);
}

/* Goes on with a thread that is yet to start, or home where k is NONE. */
static void __attribute__((noinline)) switch_to_new(void **save, unsigned k)
{
    struct rd_sim_stack *stack = k == NONE ? NULL : take_stack();
    if (!stack) {
        b.failed = k != NONE;
        rd_sim_context_switch(save, b.home);
        return;
    }
    b.starting = k;
    rd_sim_stack_entered = stack;
    b.running_stack = stack;
    rd_sim_context_switch(save, stack->context);
}

/* Goes on with thread k, and leaves the running context in *save. Inlined, as are those who call
 * it: after a switch, the processor mispredicts each return. */
static inline __attribute__((always_inline)) void switch_to(void **save, unsigned k)
{
    if (k == NONE || b.state[k] == UNSTARTED) {
        switch_to_new(save, k);
        return;
    }
    /* The one behind it will be wanted next: its stack has been out of sight for a whole round. */
    const char *after = b.threads[b.order[b.cursor % RD_SIM_BLOCK_MAX]].context;
    __builtin_prefetch(after);
    __builtin_prefetch(after + 64);
    __builtin_prefetch(after + 128);
    b.n_ready--;
    become(k);
    b.running_stack = b.threads[k].stack;
    rd_sim_context_switch(save, b.threads[k].context);
}

/* The next thread in the order, if it can go on; else the long way. */
static inline __attribute__((always_inline)) unsigned next_quickly(void)
{
    if (b.cursor < b.n) {
        unsigned k = b.order[b.cursor];
        if (b.state[k] <= READY) {
            b.cursor++;
            return k;
        }
    }
    return next_thread();
}

/* Others may go on; returns when it is this thread's turn again. */
static inline __attribute__((always_inline)) void yield_as(enum state state)
{
    unsigned me = rd_sim_core.thread;
    b.state[me] = (uint8_t)state;
    b.n_ready += state == READY;
    b.threads[me].stack = b.running_stack;
    unsigned k = next_quickly();
    if (k == me) {
        b.n_ready--;
        become(me);
        return;
    }
    switch_to(&b.threads[me].context, k);
}

static void meet_without(unsigned thread);

static void thread_is_done(unsigned k)
{
    rd_sim_settle();
    b.state[k] = DONE;
    b.n_done++;
    if (b.in_warp[k / RD_SIM_WARP])
        meet_without(k);
}

/* A stack's life: runs threads one after the other, as long as the next one is yet to start. */
static void carrier_main(struct rd_sim_stack *self)
{
    for (;;) {
        unsigned k = b.starting;
        do {
            b.n_unstarted--;
            become(k);
            b.grid->thread(b.grid->arguments);
            thread_is_done(rd_sim_core.thread);
            k = next_quickly();
        } while (k != NONE && b.state[k] == UNSTARTED);
        self->next = b.free_stacks;
        b.free_stacks = self;
        switch_to(&self->context, k);
    }
}

_Noreturn void rd_sim_thread_end(void)
{
    struct rd_sim_stack *stack = b.running_stack;
    void *nowhere;
    thread_is_done(rd_sim_core.thread);
    unsigned k = next_thread();
    /* The stack is running until the switch below: it can be given away afterwards only. */
    static struct rd_sim_stack *ended;
    if (ended && ended != stack) {
        rd_sim_stack_reset(ended);
        ended->next = b.free_stacks;
        b.free_stacks = ended;
    }
    ended = stack;
    switch_to(&nowhere, k);
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

/* ---- barriers ---- */

static struct rd_sim_actor actor_waiting(unsigned k)
{
    return (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = k,
        .block = rd_sim_core.block,
        .site = {.file = b.threads[k].file,
                 .line = b.threads[k].line & ((1u << RD_SIM_LINE_BITS) - 1)},
    };
}

static void tell_two(enum rd_sim_event_class class, unsigned actor, unsigned other)
{
    rd_sim_core.on_event(&(struct rd_sim_event){
        .class = class,
        .actor = actor_waiting(actor),
        .other = actor_waiting(other),
        .has_other = true,
        .interval = rd_sim_core.interval,
    });
}

static void check_meeting(void)
{
    unsigned exited = 0;
    for (unsigned k = 0; k < b.n && b.diverged; k++) {
        const struct thread *thread = &b.threads[k], *first = &b.threads[b.first];
        if (b.state[k] == AT_BARRIER &&
            (thread->line != first->line || thread->file != first->file))
            tell_two(RD_SIM_BARRIER_DIVERGENCE, k, b.first);
    }
    if (b.n_done == 0)
        return;
    while (b.state[exited] != DONE)
        exited++;
    b.threads[exited].file = NULL;
    tell_two(RD_SIM_BARRIER_SKIPPED, b.first, exited);
}

/* All that can come have come: checks that they met at one place, and lets them go on. */
static void release_barrier(void)
{
    if (b.diverged || b.n_done > 0)
        check_meeting();
    for (unsigned k = 0; k < b.n; k++)
        b.state[k] = b.state[k] == AT_BARRIER ? READY : b.state[k];
    b.n_ready = b.released = b.n_waiting;
    b.truths = b.n_true;
    b.n_waiting = b.n_true = 0;
    b.diverged = false;
    rd_sim_core.interval++;
    b.interval_epoch = rd_sim_epoch_next();
    rd_sim_core.interval_floor = (uint64_t)b.interval_epoch << RD_EPOCH_SHIFT;
    rd_sim_order_interval();
    shuffle_order();
}

RD_HOOK int rd_sim_syncthreads(int kind, int value, const char *file, unsigned line)
{
    unsigned k = rd_sim_core.thread;
    struct thread *me = &b.threads[k];
    rd_sim_settle();
    if (b.n_waiting++ == 0)
        b.first = k;
    else if (line != b.threads[b.first].line || file != b.threads[b.first].file)
        b.diverged = true;
    b.n_true += value != 0;
    me->file = file;
    me->line = line;
    me->slices = 0;
    yield_as(AT_BARRIER);
    switch ((enum rd_sim_barrier)kind) {
    case RD_BARRIER_AND:
        return b.truths == b.released;
    case RD_BARRIER_OR:
        return b.truths > 0;
    case RD_BARRIER_PLAIN:
    case RD_BARRIER_COUNT:
        break;
    }
    return (int)b.truths;
}

/* ---- warps ---- */

static unsigned first_lane(unsigned thread)
{
    return thread / RD_SIM_WARP * RD_SIM_WARP;
}

/* The lanes that wait for what lane k waits for. */
static unsigned companions(unsigned k)
{
    unsigned first = first_lane(k), lanes = 0;
    const struct rd_sim_lane *mine = b.threads[k].lane;
    for (unsigned lane = 0; lane < RD_SIM_WARP && first + lane < b.n; lane++) {
        const struct rd_sim_lane *its = b.threads[first + lane].lane;
        if (b.state[first + lane] == IN_WARP && its->meeting == mine->meeting &&
            its->operation == mine->operation && its->mask == mine->mask &&
            (mine->meeting != RD_MEET_ACTIVE ||
             (its->line == mine->line && its->file == mine->file)))
            lanes |= 1u << lane;
    }
    return lanes;
}

/* The lanes of the warp that have not exited. */
static unsigned living(unsigned k)
{
    unsigned first = first_lane(k), lanes = 0;
    for (unsigned lane = 0; lane < RD_SIM_WARP && first + lane < b.n; lane++)
        if (b.state[first + lane] != DONE)
            lanes |= 1u << lane;
    return lanes;
}

static void meet(unsigned k, unsigned lanes)
{
    unsigned first = first_lane(k), epoch = 0;
    uint64_t values[RD_SIM_WARP] = {0};
    const struct rd_sim_lane *mine = b.threads[k].lane;
    if (mine->meeting == RD_MEET_SYNC)
        epoch = rd_sim_order_warp(k / RD_SIM_WARP, lanes);
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if (lanes >> lane & 1) {
            const struct rd_sim_lane *its = b.threads[first + lane].lane;
            values[lane] = its->value;
            if (its->line != mine->line || its->file != mine->file) {
                b.threads[k].file = mine->file, b.threads[k].line = mine->line;
                b.threads[first + lane].file = its->file, b.threads[first + lane].line = its->line;
                tell_two(RD_SIM_MASK_MISMATCH, k, first + lane);
            }
        }
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if (lanes >> lane & 1) {
            struct thread *thread = &b.threads[first + lane];
            memcpy(thread->lane->values, values, sizeof values);
            thread->lane->present = lanes;
            if (epoch)
                thread->epoch = epoch;
            b.state[first + lane] = READY;
            b.n_ready++;
            b.n_in_warp--;
            b.in_warp[k / RD_SIM_WARP]--;
        }
}

/* Lets a warp go on if all that its lanes wait for have come. */
static bool try_meet(unsigned k)
{
    const struct rd_sim_lane *lane = b.threads[k].lane;
    if (lane->meeting == RD_MEET_ACTIVE)
        return false;
    unsigned lanes = companions(k);
    if ((lane->mask & living(k)) & ~lanes)
        return false;
    meet(k, lanes);
    return true;
}

static void meet_without(unsigned thread)
{
    unsigned first = first_lane(thread);
    for (unsigned k = first; k < first + RD_SIM_WARP && k < b.n; k++)
        if (b.state[k] == IN_WARP)
            try_meet(k);
}

/* Nobody can go on: lanes wait for lanes that never come. Or they ask who is active: these. */
static void meet_who_is_there(void)
{
    for (unsigned k = 0; k < b.n; k++)
        if (b.state[k] == IN_WARP && b.threads[k].lane->meeting == RD_MEET_ACTIVE)
            meet(k, companions(k));
    if (b.n_ready > 0)
        return;
    for (unsigned k = 0; k < b.n; k++)
        if (b.state[k] == IN_WARP) {
            const struct rd_sim_lane *lane = b.threads[k].lane;
            unsigned lanes = companions(k), missing = lane->mask & living(k) & ~lanes;
            b.threads[k].file = lane->file, b.threads[k].line = lane->line;
            tell_two(RD_SIM_MASK_MISMATCH, k,
                     first_lane(k) + (unsigned)__builtin_ctz(missing ? missing : 1));
            meet(k, lanes);
        }
}

void rd_sim_warp_meet(struct rd_sim_lane *lane)
{
    unsigned k = rd_sim_core.thread;
    rd_sim_settle();
    b.threads[k].lane = lane;
    b.state[k] = IN_WARP;
    b.n_in_warp++;
    b.in_warp[k / RD_SIM_WARP]++;
    if (try_meet(k)) { /* the last to come goes on at once */
        b.n_ready--;
        become(k);
    } else {
        yield_as(IN_WARP);
    }
}

/* ---- who is next ---- */

/* The thread to go on with, or NONE when all are done. */
static unsigned next_thread(void)
{
    for (;;) {
        while (b.cursor < b.n) {
            unsigned k = b.order[b.cursor++];
            if (b.state[k] <= READY)
                return k;
        }
        if (b.n_done == b.n)
            return NONE;
        if (b.n_ready == 0) {
            if (b.n_in_warp > 0)
                meet_who_is_there();
            else
                release_barrier();
        }
        b.cursor = 0;
    }
}

bool rd_sim_is_running(void)
{
    return b.running;
}

static uintptr_t constants, constants_end; /* of a loaded file */

void rd_sim_constants_set(uintptr_t start, uintptr_t end)
{
    constants = start;
    constants_end = end;
}

/* Constants of the program that are read through a pointer. */
bool rd_sim_is_harmless(uintptr_t address, enum rd_sim_op op)
{
    extern const char __executable_start, _end;
    return op == RD_SIM_READ &&
           ((address >= (uintptr_t)&__executable_start && address < (uintptr_t)&_end) ||
            (address >= constants && address < constants_end));
}

uint64_t rd_sim_threads_run(void)
{
    return b.threads_run;
}

void rd_sim_ask_soon(void)
{
    rd_sim_core.budget = 1;
}

void rd_sim_ask(void)
{
    unsigned k = rd_sim_core.thread;
    rd_sim_core.budget = SLICE;
    if (!b.running)
        return;
    rd_sim_settle();
    struct thread *me = &b.threads[k];
    uint64_t steps = ++me->slices * (uint64_t)(b.grid->schedule == RD_SIM_INTERLEAVE ? 4 : SLICE);
    if (steps > (b.grid->steps_max ? b.grid->steps_max : STEPS_MAX)) {
        rd_sim_core.on_event(&(struct rd_sim_event){
            .class = RD_SIM_NO_TERMINATION,
            .actor = rd_sim_actor_self(RD_SIM_READ, 0),
            .interval = rd_sim_core.interval,
        });
        rd_sim_thread_end();
    }
    /* A thread that spins waits for others: they get their turn. */
    if (b.n_ready + b.n_unstarted > 0) {
        if (b.grid->schedule == RD_SIM_INTERLEAVE)
            b.cursor = (unsigned)(next_random() % b.n);
        yield_as(READY);
    } else {
        rd_sim_core.budget = slice();
    }
}

/* ---- blocks ---- */

static void run_block(void)
{
    struct rd_sim_core *core = &rd_sim_core;
    rd_sim_order_block();
    rd_sim_shared_poison();
    b.interval_epoch = core->epoch;
    core->block_floor = core->interval_floor = (uint64_t)core->epoch << RD_EPOCH_SHIFT;
    core->interval = 0;
    b.cursor = b.n_done = b.n_ready = b.n_in_warp = b.n_waiting = b.n_true = 0;
    b.diverged = false;
    b.n_unstarted = b.n;
    memset(b.state, UNSTARTED, b.n);
    shuffle_order();
    switch_to(&b.home, next_thread());
    b.threads_run += b.n;
}

static void set_indices(struct rd_sim_dim block)
{
    unsigned k = 0;
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++)
                b.threads[k++] = (struct thread){.index = {x, y, z}};
}

bool rd_sim_run_grid(const struct rd_sim_grid *grid)
{
    struct rd_sim_core *core = &rd_sim_core;
    b.grid = grid;
    b.n = grid->block.x * grid->block.y * grid->block.z;
    b.random = grid->seed;
    b.failed = false;
    b.threads_run = 0;
    set_indices(grid->block);
    set_order();
    memset(b.in_warp, 0, sizeof b.in_warp);
    rd_sim_place = (struct rd_sim_place){.block_dim = grid->block, .grid_dim = grid->grid};
    rd_sim_order_launch();
    core->block = 0;
    b.running = true;
    for (unsigned z = 0; z < grid->grid.z && !b.failed; z++)
        for (unsigned y = 0; y < grid->grid.y && !b.failed; y++)
            for (unsigned x = 0; x < grid->grid.x && !b.failed; x++, core->block++) {
                rd_sim_place.block = (struct rd_sim_dim){x, y, z};
                run_block();
            }
    b.running = false;
    return !b.failed;
}
