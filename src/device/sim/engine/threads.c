// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/engine/engine_internal.h"
#include "device/sim/api/hooks.h"

#include <stdlib.h>

RD_HOOK struct rd_sim_place rd_sim_place;
struct rd_sim_reduction rd_sim_reduction;

struct rd_sim_stacks_state {
    struct rd_sim_stack *free;
    unsigned n_stacks;
};

bool rd_sim_is_on_stack(uintptr_t address)
{
    const struct rd_sim_stack *stack = rd_sim_here->block.stacks[rd_sim_here->core.thread];
    return address - stack->base < stack->size_bytes;
}

static struct rd_sim_stack *take_stack(void)
{
    struct rd_sim_stacks_state *own = rd_sim_here->stacks;
    struct rd_sim_stack *stack = own->free;
    if (!stack)
        return rd_sim_stack_create(own->n_stacks++);
    own->free = stack->next;
    return stack;
}

/* Puts the stack back into the pool; its thread may run on it until somebody takes it. */
static void give_back(struct rd_sim_stack *stack)
{
    struct rd_sim_stacks_state *own = rd_sim_here->stacks;
    stack->next = own->free;
    own->free = stack;
}

void rd_sim_become_uneven(unsigned k)
{
    const struct rd_sim_block *b = &rd_sim_here->block;
    if (b->threads[k].epoch > b->interval_epoch)
        rd_sim_here->core.stamp = rd_record_stamp(b->threads[k].epoch, k);
    rd_sim_here->core.budget = rd_sim_turn_slice();
}

static inline void thread_is_done(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    rd_sim_settle();
    b->state[k] = RD_SIM_DONE;
    b->n_done++;
    if (b->n_in_warp > 0 && b->in_warp[k / RD_SIM_WARP] > 0)
        rd_sim_warp_leave(k);
}

/* The context of a thread that goes on, or home where k is nobody. */
static inline void *context_of(unsigned k)
{
    struct rd_sim *sim = rd_sim_here;
    struct rd_sim_block *b = &sim->block;
    if (k == RD_SIM_NOBODY)
        return b->home;
    b->n_ready--;
    rd_sim_become(sim, k);
    rd_sim_turn_foresee(sim);
    return b->turns[k].context;
}

static inline unsigned next_thread(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned k = b->order[b->cursor];
    if (b->state[k] > RD_SIM_READY)
        return rd_sim_turn_next();
    b->cursor++;
    return k;
}

/* A stack's life: runs threads one after the other, as long as the next one is yet to start. Then
 * the stack is given back, and the rest of its life is lost. A thread that goes on does so in the
 * same call that starts others: when it ends, it returns to the same place, only on its own stack. */
static void carry(struct rd_sim_stack *stack)
{
    struct rd_sim *sim = rd_sim_here;
    struct rd_sim_block *b = &sim->block;
    unsigned k = b->starting;
    RD_SIM_NEEDS_FRAME; /* the outermost */
    for (;;) {
        void (*go)(void *const *) = rd_sim_context_resume;
        void *const *argument;
        if (b->state[k] == RD_SIM_UNSTARTED) {
            b->n_unstarted--;
            b->stacks[k] = stack;
            rd_sim_become(sim, k);
            go = b->grid->thread;
            argument = b->grid->arguments;
        } else {
            give_back(stack);
            argument = context_of(k);
        }
        go(argument);
        thread_is_done(sim->core.thread);
        k = next_thread();
    }
}

/* Goes on with thread k, which is not READY, or home. */
static void start(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_stack *stack = k == RD_SIM_NOBODY ? NULL : take_stack();
    if (!stack) {
        b->failed = k != RD_SIM_NOBODY;
        rd_sim_context_resume(b->home);
        return;
    }
    b->starting = k;
    rd_sim_stack_start(stack, carry);
}

void *rd_sim_next_context_slowly(void *context)
{
    unsigned k = next_thread();
    if (rd_sim_here->block.state[k] == RD_SIM_READY)
        return context_of(k);
    start(k);
    return context;
}

_Noreturn void rd_sim_thread_end(void)
{
    rd_sim_here->block.trapped = rd_sim_here->block.kept = true;
    rd_sim_here->block.threads[rd_sim_here->core.thread].trapped = true;
    rd_sim_thread_exit();
}

_Noreturn void rd_sim_thread_exit(void)
{
    struct rd_sim_stack *stack = rd_sim_here->block.stacks[rd_sim_here->core.thread];
    thread_is_done(rd_sim_here->core.thread);
    rd_sim_stack_unguard(stack);
    give_back(stack);
    unsigned k = rd_sim_turn_next();
    if (rd_sim_here->block.state[k] == RD_SIM_READY)
        rd_sim_context_resume(context_of(k));
    start(k);
    abort();
}

RD_HOOK void rd_sim_end(void)
{
    rd_sim_thread_exit();
}

RD_PRIVATE __attribute__((used)) void *rd_sim_leave_next(const char *file, unsigned line,
                                                         void *context);
void *rd_sim_leave_next(const char *file, unsigned line, void *context)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    (void)file, (void)line;
    b->turns[rd_sim_here->core.thread].context = context;
    b->state[rd_sim_here->core.thread] = RD_SIM_READY;
    b->n_ready++;
    b->leaves = true;
    return b->home;
}

static void leave(const char *file, unsigned line);
static RD_SIM_GIVING_WAY(leave, rd_sim_leave_next)

    void rd_sim_block_leave(bool waits)
{
    rd_sim_here->block.waits = waits;
    leave(NULL, 0);
}

void rd_sim_thread_stop(void)
{
    rd_sim_here->block.state[rd_sim_here->core.thread] =
        RD_SIM_AT_GRID; /* its stack goes as those of others */
    rd_sim_context_resume(rd_sim_here->block.home);
}

RD_PRIVATE __attribute__((used)) void *rd_sim_yield_next(const char *file, unsigned line,
                                                         void *context);
void *rd_sim_yield_next(const char *file, unsigned line, void *context)
{
    (void)file, (void)line;
    rd_sim_here->block.turns[rd_sim_here->core.thread].context = context;
    return rd_sim_next_context_slowly(context);
}

static void yield(const char *file, unsigned line);
static RD_SIM_GIVING_WAY(yield, rd_sim_yield_next)

    void rd_sim_yield(void)
{
    yield(NULL, 0);
}

RD_PRIVATE __attribute__((used)) void *rd_sim_block_begin(const char *file, unsigned line,
                                                          void *context);
void *rd_sim_block_begin(const char *file, unsigned line, void *context)
{
    (void)file, (void)line;
    rd_sim_here->block.home = context;
    start(rd_sim_turn_next());
    return context;
}

static void leave_home(const char *file, unsigned line);
static RD_SIM_GIVING_WAY(leave_home, rd_sim_block_begin)

    void rd_sim_block_run(void)
{
    leave_home(NULL, 0);
}

/* ---- keeping aside ---- */

static bool waits(unsigned k)
{
    return rd_sim_here->block.state[k] != RD_SIM_UNSTARTED &&
           rd_sim_here->block.state[k] != RD_SIM_DONE;
}

size_t rd_sim_stacks_size(void)
{
    const struct rd_sim_block *b = &rd_sim_here->block;
    size_t size = 0;
    for (unsigned k = 0; k < b->n; k++)
        if (waits(k))
            size += rd_sim_stack_used(b->stacks[k], b->turns[k].context);
    return size;
}

void rd_sim_stacks_leave(char *copy)
{
    for (unsigned k = 0; k < rd_sim_here->block.n; k++) {
        struct rd_sim_stack *stack = rd_sim_here->block.stacks[k];
        if (!waits(k))
            continue;
        if (copy) {
            rd_sim_stack_save(stack, rd_sim_here->block.turns[k].context, copy);
            copy += rd_sim_stack_used(stack, rd_sim_here->block.turns[k].context);
        }
        rd_sim_stack_unguard(stack);
        give_back(stack);
    }
}

void rd_sim_stacks_take(const char *copy)
{
    for (unsigned k = 0; k < rd_sim_here->block.n; k++)
        if (waits(k))
            rd_sim_here->block.stacks[k]->is_taken = true;
    for (struct rd_sim_stack **at = &rd_sim_here->stacks->free; *at;) {
        if ((*at)->is_taken)
            *at = (*at)->next;
        else
            at = &(*at)->next;
    }
    for (unsigned k = 0; k < rd_sim_here->block.n; k++) {
        struct rd_sim_stack *stack = rd_sim_here->block.stacks[k];
        if (!waits(k))
            continue;
        stack->is_taken = false;
        rd_sim_stack_restore(stack, rd_sim_here->block.turns[k].context, copy);
        copy += rd_sim_stack_used(stack, rd_sim_here->block.turns[k].context);
    }
}

/* ---- actors ---- */

static struct rd_sim_actor actor_waiting(unsigned k)
{
    const struct rd_sim_thread_state *thread = &rd_sim_here->block.threads[k];
    return (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = k,
        .block = rd_sim_here->core.block,
        .site = {.file = thread->file, .line = RD_SIM_LINE(thread->line)},
    };
}

void rd_sim_tell_waiting(enum rd_hazard_kind hazard, unsigned thread, unsigned other,
                         const struct rd_sim_path paths[2])
{
    struct rd_sim_event event = {
        .hazard = hazard,
        .actor = actor_waiting(thread),
        .other = actor_waiting(other),
        .has_other = true,
        .interval = rd_sim_here->core.interval,
    };
    const struct rd_sim_site meeting = event.actor.site;
    if (paths && meeting.line == event.other.site.line && meeting.file == event.other.site.file &&
        rd_sim_paths_part(&paths[0], &paths[1], &event.actor.site, &event.other.site))
        event.meeting = meeting;
    rd_sim_here->core.on_event(&event);
}

static void stacks_finish(void)
{
    rd_sim_stacks_destroy(rd_sim_here->stacks->free);
}

const struct rd_sim_part rd_sim_part_stacks = {
    .size_bytes = sizeof(struct rd_sim_stacks_state),
    .at = offsetof(struct rd_sim, stacks),
    .finish = stacks_finish,
};
