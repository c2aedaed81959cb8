// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/causality.h"
#include "base/array.h"
#include "device/sim/detect/races.h"
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"
#include "device/sim/engine/engine_internal.h"

#include <stdlib.h>
#include <string.h>

/* Knowledge before a fence: what the thread knew, what it did up to an epoch, and what its block did before
 * an interval. */
struct past {
    const struct rd_sim_clock *known;
    unsigned epoch; /* 0: there was no fence */
    unsigned interval;
};

/* Clocks that a fence or barrier will make known: what was read from threads of the block, and from all. */
struct taken {
    const struct rd_sim_clock *near, *far;
};

struct thread {
    const struct rd_sim_clock *known;
    struct past any, device; /* before the last fence, of any scope, and of the device's */
    /* And before those of other threads of the block, up to the last barrier. */
    const struct rd_sim_clock *any_of_others, *device_of_others;
    struct taken at_fence, at_barrier;
    /* The thread, or a lane that it has met, has read strongly in the interval of this epoch. */
    unsigned told_in;
    /* The lanes of its warp that it has met last, and what each did before this epoch is known to it. */
    uint32_t met;
    unsigned met_epoch;
};

/* Knowledge of the threads of a block. */
struct rd_sim_knowledge {
    struct rd_sim_knowledge *next, **link; /* of all that there are */
    uint64_t block;
    unsigned n;
    const struct rd_sim_clock *heard; /* by any of its threads; only bounds of whole blocks */
    const struct rd_sim_clock *told;  /* the same, when they came to the last barrier */
    bool is_even; /* since the last barrier nobody has learned anything, or come to a fence */
    /* The epochs that fences have begun in this interval, ascending: threads share them, so that one
     * bound may stand for all of them. */
    unsigned *fence_epochs;
    size_t n_fence_epochs, fence_epochs_capacity;
    struct thread threads[];
};

/* Threads that have told others of a block by strong writes, for advice alone. */
enum { TELLERS_MAX = 4, TOLD_BLOCKS_MAX = 1 << 18 };
struct tellers {
    unsigned n;        /* threads; where there are more than TELLERS_MAX nobody knows them */
    unsigned interval; /* the epoch in which that of the last strong write began */
    struct teller {
        unsigned thread, epoch; /* up to which it has told of itself, */
        uint32_t met;           /* and of lanes that it had met, */
        unsigned met_epoch;     /* up to before this one */
    } tellers[TELLERS_MAX];
};

struct rd_sim_causality_state {
    struct rd_sim_knowledge *all, *running;
    struct tellers *tellers;
    size_t n_tellers, tellers_capacity;
};

static struct thread *me(void)
{
    return &rd_sim_here->causality->running->threads[rd_sim_here->core.thread];
}

static unsigned epoch_of(unsigned thread)
{
    const struct rd_sim_block *b = &rd_sim_here->block;
    unsigned own = b->threads[thread].epoch;
    return own > b->interval_epoch ? own : b->interval_epoch;
}

static void begin_epoch(unsigned thread, unsigned epoch)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    b->threads[thread].epoch = epoch;
    b->kept = b->uneven = true;
}

/* ---- blocks ---- */

static bool block_begin(unsigned threads)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    if (!rd_sim_here->core.exact)
        return true;
    struct rd_sim_knowledge *k = calloc(1, sizeof *k + threads * sizeof *k->threads);
    if (!k)
        return false;
    k->block = rd_sim_here->core.block;
    k->n = threads;
    k->is_even = true;
    k->next = own->all;
    k->link = &own->all;
    if (own->all)
        own->all->link = &k->next;
    own->all = own->running = k;
    return true;
}

static void destroy(struct rd_sim_knowledge *k)
{
    *k->link = k->next;
    if (k->next)
        k->next->link = k->link;
    free(k->fence_epochs);
    free(k);
}

static void block_end(void)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    if (own->running)
        destroy(own->running);
    own->running = NULL;
}

static struct rd_sim_knowledge *block_leave(void)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    struct rd_sim_knowledge *left = own->running;
    own->running = NULL;
    return left;
}

static void block_resume(struct rd_sim_knowledge *knowledge)
{
    rd_sim_here->causality->running = knowledge;
}

static void launch_end(void)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    if (!rd_sim_here->core.exact)
        return;
    while (own->all)
        destroy(own->all);
    own->running = NULL;
    own->n_tellers = 0;
    rd_sim_clocks_free();
}

/* ---- clocks that are no longer needed ---- */

static void visit_thread(struct thread *t, void (*keep)(const struct rd_sim_clock **root))
{
    const struct rd_sim_clock **const roots[] = {
        &t->known,         &t->any.known,        &t->device.known,
        &t->any_of_others, &t->device_of_others, &t->at_fence.near,
        &t->at_fence.far,  &t->at_barrier.near,  &t->at_barrier.far,
    };
    for (size_t r = 0; r < sizeof roots / sizeof *roots; r++)
        keep(roots[r]);
}

static void visit_roots(void (*keep)(const struct rd_sim_clock **root))
{
    for (struct rd_sim_knowledge *k = rd_sim_here->causality->all; k; k = k->next) {
        keep(&k->heard);
        keep(&k->told);
        for (unsigned t = 0; t < k->n; t++)
            visit_thread(&k->threads[t], keep);
    }
    rd_sim_cells_visit_chains(keep);
}

/* To be called where no clock is held but by what visit_roots knows. */
static void tidy(void)
{
    if (rd_sim_clocks_are_many())
        rd_sim_clocks_collect(visit_roots);
    if (rd_sim_clocks_failed())
        rd_sim_exact_fails("no memory for the order of its accesses");
}

/* ---- questions ---- */

uint32_t rd_sim_causality_unknown(uint64_t block, unsigned warp, uint32_t lanes, unsigned epoch)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const struct rd_sim_clock *known = me()->known;
    if (block == core->block) {
        if (epoch < rd_sim_here->block.interval_epoch)
            return 0;
        if (warp == core->thread / RD_SIM_WARP)
            lanes &= ~(1u << core->thread % RD_SIM_WARP);
    }
    if (!known || !lanes)
        return lanes;
    if (epoch < rd_sim_clock_bound(known, rd_sim_clock_block(block)) ||
        epoch < rd_sim_clock_bound(known, rd_sim_clock_warp(block, warp)))
        return 0;
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if ((lanes >> lane & 1) &&
            epoch <
                rd_sim_clock_bound(known, rd_sim_clock_thread(block, warp * RD_SIM_WARP + lane)))
            lanes &= ~(1u << lane);
    return lanes;
}

/* NULL where the block is none of the first ones, or without memory. */
static struct tellers *tellers_of(uint64_t block)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    while (block < TOLD_BLOCKS_MAX && own->n_tellers <= block) {
        if (!rd_array_make_room(&own->tellers, own->n_tellers, &own->tellers_capacity,
                                sizeof *own->tellers))
            return NULL;
        own->tellers[own->n_tellers++] = (struct tellers){.n = 0};
    }
    return block < TOLD_BLOCKS_MAX ? &own->tellers[block] : NULL;
}

static void add_teller(const struct thread *t)
{
    const unsigned thread = rd_sim_here->core.thread;
    struct tellers *of = tellers_of(rd_sim_here->core.block);
    unsigned k = 0;
    if (!of)
        return;
    of->interval = rd_sim_here->block.interval_epoch;
    while (k < of->n && k < TELLERS_MAX && of->tellers[k].thread != thread)
        k++;
    if (k == of->n)
        of->n++;
    if (k < TELLERS_MAX)
        of->tellers[k] = (struct teller){thread, epoch_of(thread), t->met, t->met_epoch};
}

/* Tells whether strong writes tell of what the thread did in an epoch, by itself or by who has waited for it. */
static bool is_told_of(uint64_t block, unsigned thread, unsigned epoch)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    const struct tellers *of = block < own->n_tellers ? &own->tellers[block] : NULL;
    if (!of || of->n > TELLERS_MAX || epoch < of->interval)
        return true;
    for (unsigned k = 0; k < of->n; k++) {
        const struct teller *one = &of->tellers[k];
        bool met = one->thread / RD_SIM_WARP == thread / RD_SIM_WARP &&
                   (one->met >> thread % RD_SIM_WARP & 1);
        if ((one->thread == thread && epoch <= one->epoch) || (met && epoch < one->met_epoch))
            return true;
    }
    return false;
}

enum rd_sim_heard rd_sim_causality_heard(uint64_t block, unsigned warp, uint32_t lanes,
                                         unsigned epoch)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    const uint64_t key = rd_sim_clock_block(block);
    if (epoch >= rd_sim_clock_bound(own->running->heard, key))
        return RD_SIM_UNHEARD;
    if (epoch >= rd_sim_clock_bound(own->running->told, key) &&
        me()->told_in != rd_sim_here->block.interval_epoch)
        return RD_SIM_HEARD_OF_BLOCK;
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if ((lanes >> lane & 1) && !is_told_of(block, warp * RD_SIM_WARP + lane, epoch))
            return RD_SIM_HEARD_OF_BLOCK;
    return RD_SIM_HEARD_OF_THREAD;
}

bool rd_sim_causality_fenced(bool of_device)
{
    const struct thread *t = me();
    return of_device ? t->device.epoch > 0 || t->device_of_others
                     : t->any.epoch > 0 || t->any_of_others;
}

/* ---- fences ---- */

/* Makes known what was taken; the far part only with `far`. */
static void count_on(struct thread *t, struct taken *taken, bool far)
{
    t->known = rd_sim_clock_join(t->known, taken->near);
    taken->near = NULL;
    if (!far)
        return;
    t->known = rd_sim_clock_join(t->known, taken->far);
    taken->far = NULL;
}

/* The first of the fences' epochs that lies behind this one; there is a new one where none does. */
static unsigned fence_epoch_behind(unsigned epoch)
{
    struct rd_sim_knowledge *k = rd_sim_here->causality->running;
    size_t low = 0, high = k->n_fence_epochs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (k->fence_epochs[middle] > epoch)
            high = middle;
        else
            low = middle + 1;
    }
    if (low < k->n_fence_epochs)
        return k->fence_epochs[low];
    unsigned next = rd_sim_epoch_next();
    if (rd_array_make_room(&k->fence_epochs, k->n_fence_epochs, &k->fence_epochs_capacity,
                           sizeof *k->fence_epochs))
        k->fence_epochs[k->n_fence_epochs++] = next;
    return next;
}

void rd_sim_causality_fence(bool of_block)
{
    unsigned thread = rd_sim_here->core.thread, epoch = epoch_of(thread);
    struct thread *t = me();
    tidy();
    rd_sim_here->causality->running->is_even = false;
    count_on(t, &t->at_fence, !of_block);
    count_on(t, &t->at_barrier, !of_block);
    t->any = (struct past){t->known, epoch, rd_sim_here->block.interval_epoch};
    if (!of_block)
        t->device = t->any;
    begin_epoch(thread, fence_epoch_behind(epoch));
    rd_sim_here->core.stamp = rd_record_stamp(rd_sim_here->block.threads[thread].epoch, thread);
}

/* ---- strong accesses ---- */

/* Knowledge before a thread's fence, and before those of others. */
static const struct rd_sim_clock *clock_of(const struct past *past, unsigned thread,
                                           const struct rd_sim_clock *of_others)
{
    uint64_t block = rd_sim_here->causality->running->block;
    if (past->epoch == 0)
        return of_others;
    const struct rd_sim_clock *clock = rd_sim_clock_join(past->known, of_others);
    clock = rd_sim_clock_with(clock, rd_sim_clock_thread(block, thread), past->epoch + 1);
    return rd_sim_clock_with(clock, rd_sim_clock_block(block), past->interval);
}

static void release(struct rd_sim_chain *chain, const struct rd_sim_strong *strong)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const struct thread *t = me();
    struct past any = t->any, device = t->device;
    if (strong->releases) {
        any = (struct past){t->known, epoch_of(core->thread), rd_sim_here->block.interval_epoch};
        if (!strong->of_block)
            device = any;
    }
    chain->far =
        rd_sim_clock_join(chain->far, clock_of(&device, core->thread, t->device_of_others));
    rd_sim_chain_add_near(chain, clock_of(&any, core->thread, t->any_of_others));
    chain->last++;
    chain->block = core->block;
    chain->of_block = strong->of_block;
}

static void take(const struct rd_sim_chain *chain, const struct rd_sim_strong *strong)
{
    struct thread *t = me();
    struct taken read = {rd_sim_chain_near(chain, rd_sim_here->core.block), chain->far};
    struct taken *later = strong->acquires == RD_ACQUIRE_AT_FENCE ? &t->at_fence : &t->at_barrier;
    rd_sim_here->causality->running->is_even = false;
    if (strong->acquires == RD_ACQUIRE_NOW) {
        count_on(t, &read, !strong->of_block);
    } else {
        later->near = rd_sim_clock_join(later->near, read.near);
        later->far = rd_sim_clock_join(later->far, read.far);
    }
}

/* Notes accesses that order nothing by themselves, but would with fences. */
static void hear(struct rd_sim_chain *chain, const struct rd_sim_strong *strong)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    const struct rd_sim_core *core = &rd_sim_here->core;
    const struct rd_sim_clock *here;
    struct thread *t = me();
    if (strong->reads) {
        own->running->heard = rd_sim_clock_join(own->running->heard, chain->heard);
        t->told_in = rd_sim_here->block.interval_epoch;
    }
    if (!strong->writes)
        return;
    add_teller(t);
    here = rd_sim_clock_with(own->running->heard, rd_sim_clock_block(core->block), core->epoch + 1);
    own->running->heard = here;
    chain->heard = rd_sim_clock_join(chain->heard, here);
}

void rd_sim_causality_strong(struct rd_sim_chain *chain, const struct rd_sim_strong *strong,
                             unsigned *start, unsigned *last)
{
    bool same_block = chain->block == rd_sim_here->core.block;
    bool follows =
        chain->last > chain->start && (same_block || (!chain->of_block && !strong->of_block));
    tidy();
    hear(chain, strong);
    if (follows) {
        *start = chain->start;
        *last = chain->last;
    }
    if (follows && strong->reads)
        take(chain, strong);
    if (!strong->writes)
        return;
    if (!follows)
        rd_sim_chain_break(chain);
    else if (!strong->reads)
        rd_sim_chain_withdraw(chain);
    release(chain, strong);
}

void rd_sim_causality_released(void)
{
    unsigned thread = rd_sim_here->core.thread;
    rd_sim_here->causality->running->is_even = false;
    begin_epoch(thread, fence_epoch_behind(epoch_of(thread)));
    rd_sim_here->core.stamp = rd_record_stamp(rd_sim_here->block.threads[thread].epoch, thread);
}

/* ---- barriers ---- */

/* Knowledge that the running block's thread has behind fences of the device's scope, or of any. */
static const struct rd_sim_clock *fenced_by(unsigned thread, bool of_device)
{
    const struct thread *t = &rd_sim_here->causality->running->threads[thread];
    return of_device ? clock_of(&t->device, thread, t->device_of_others)
                     : clock_of(&t->any, thread, t->any_of_others);
}

/* The same of all threads of the block. Up to the epoch up to which all of them have, one bound tells. */
static const struct rd_sim_clock *fenced_by_block(bool of_device)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    const struct rd_sim_clock *clock = NULL;
    unsigned least = UINT32_MAX;
    for (unsigned k = 0; k < own->running->n; k++) {
        const struct thread *t = &own->running->threads[k];
        unsigned epoch = of_device ? t->device.epoch : t->any.epoch;
        least = epoch < least ? epoch : least;
    }
    for (unsigned k = 0; k < own->running->n; k++) {
        const struct thread *t = &own->running->threads[k];
        const struct past *past = of_device ? &t->device : &t->any;
        if (past->epoch > least || least == 0) {
            clock = rd_sim_clock_join(clock, fenced_by(k, of_device));
        } else {
            clock = rd_sim_clock_join(clock, past->known);
            clock = rd_sim_clock_join(clock, of_device ? t->device_of_others : t->any_of_others);
        }
    }
    return least > 0 ? rd_sim_clock_with(clock, rd_sim_clock_block(own->running->block), least + 1)
                     : clock;
}

static void barrier(void)
{
    struct rd_sim_knowledge *k = rd_sim_here->causality->running;
    const struct rd_sim_clock *known = NULL;
    if (!k)
        return;
    tidy();
    k->n_fence_epochs = 0;
    k->told = k->heard;
    if (k->is_even)
        return;
    for (unsigned t = 0; t < k->n; t++) {
        count_on(&k->threads[t], &k->threads[t].at_barrier, true);
        known = rd_sim_clock_join(known, k->threads[t].known);
    }
    /* The barrier's epoch tells as much of the block itself. */
    known = rd_sim_clock_without(known, k->block);
    const struct rd_sim_clock *any = fenced_by_block(false), *device = fenced_by_block(true);
    for (unsigned t = 0; t < k->n; t++)
        k->threads[t] = (struct thread){
            .known = known,
            .any_of_others = any,
            .device_of_others = device,
            .at_fence = k->threads[t].at_fence,
        };
    k->is_even = true;
}

/* All lanes that the warp has, ended or not. */
static uint32_t lanes_of(unsigned warp)
{
    unsigned n = rd_sim_here->causality->running->n - warp * RD_SIM_WARP;
    return n >= RD_SIM_WARP ? ~0u : (1u << n) - 1;
}

static void warp_barrier(unsigned warp, uint32_t lanes, unsigned epoch)
{
    struct rd_sim_knowledge *k = rd_sim_here->causality->running;
    if (!k)
        return;
    unsigned first = warp * RD_SIM_WARP;
    unsigned n = k->n - first < RD_SIM_WARP ? k->n - first : RD_SIM_WARP;
    const struct rd_sim_clock *known = NULL, *any = NULL, *device = NULL;
    unsigned told_in = 0;
    tidy();
    k->is_even = false;
    for (unsigned lane = 0; lane < n; lane++) {
        struct thread *t = &k->threads[first + lane];
        if (!(lanes >> lane & 1))
            continue;
        count_on(t, &t->at_barrier, true);
        known = rd_sim_clock_join(known, t->known);
        any = rd_sim_clock_join(any, fenced_by(first + lane, false));
        device = rd_sim_clock_join(device, fenced_by(first + lane, true));
        told_in = t->told_in > told_in ? t->told_in : told_in;
        if (lanes != lanes_of(warp))
            known = rd_sim_clock_with(known, rd_sim_clock_thread(k->block, first + lane), epoch);
    }
    if (lanes == lanes_of(warp))
        known = rd_sim_clock_with(known, rd_sim_clock_warp(k->block, warp), epoch);
    for (unsigned lane = 0; lane < n; lane++) {
        struct thread *t = &k->threads[first + lane];
        if (!(lanes >> lane & 1))
            continue;
        t->known = known;
        t->any_of_others = any;
        t->device_of_others = device;
        t->told_in = told_in;
        t->met = lanes;
        t->met_epoch = epoch;
    }
}

static void causality_finish(void)
{
    struct rd_sim_causality_state *own = rd_sim_here->causality;
    while (own->all)
        destroy(own->all);
    free(own->tellers);
}

const struct rd_sim_part rd_sim_part_causality = {
    .size_bytes = sizeof(struct rd_sim_causality_state),
    .at = offsetof(struct rd_sim, causality),
    .finish = causality_finish,
};

const struct rd_sim_detector rd_sim_detector_causality = {
    .launch_end = launch_end,
    .block_begin = block_begin,
    .block_end = block_end,
    .block_leave = block_leave,
    .block_resume = block_resume,
    .barrier = barrier,
    .warp_barrier = warp_barrier,
};
