// SPDX-License-Identifier: MIT
#include "device/sim/detect/async.h"
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"
#include "device/sim/object.h"
#include "device/sim/source/sites.h"

#include <stdlib.h>

enum { GRANULE = 4, GRANULES = 4 };

struct copy {
    struct copy *next; /* of its thread */
    uint64_t block;
    uintptr_t to, pc;
    size_t size_bytes;
    bool is_committed;
    unsigned age;     /* groups that its thread has committed since */
    uintptr_t object; /* that it belongs to; 0: to a group */
    uint64_t phase;
    uint64_t records[GRANULES]; /* as they were when it was issued; 0: not known */
};

struct rd_sim_async_state {
    struct copy *of[RD_SIM_BLOCK_MAX]; /* by threads */
    struct copy *spare;
    size_t n;
};

/* ---- records ---- */

/* Epochs are renumbered at times. */
static uint64_t without_epoch(uint64_t record)
{
    return record & ((UINT64_C(1) << RD_EPOCH_SHIFT) - 1);
}

static uint64_t *record_of(const struct copy *copy, unsigned k)
{
    enum rd_sim_space space;
    uintptr_t at = copy->to + GRANULE * k;
    bool is_whole = at % GRANULE == 0 && GRANULE * (k + 1) <= copy->size_bytes;
    uint64_t *record = is_whole ? rd_sim_shadow(at, &space) : NULL;
    return record && *record != RD_NO_MEMORY ? record : NULL;
}

/* Marks what was written as if by atomics: then the thread's own reads change it, too. */
static void mark(struct copy *copy)
{
    for (unsigned k = 0; k < GRANULES; k++) {
        uint64_t *record = record_of(copy, k);
        if (record && !rd_sim_here->core.exact && rd_record_kind(*record) == RD_EXCLUSIVE)
            *record = (*record & ~(uint64_t)RD_KIND_MASK) | RD_ATOMICS;
        copy->records[k] = record ? without_epoch(*record) : 0;
    }
}

static void unmark(const struct copy *copy, unsigned k, uint64_t *record)
{
    if (!rd_sim_here->core.exact && rd_record_kind(copy->records[k]) == RD_ATOMICS)
        *record = (*record & ~(uint64_t)RD_KIND_MASK) | RD_EXCLUSIVE;
}

static void tell(const struct copy *copy, unsigned thread, unsigned k, uint64_t record)
{
    bool is_plain = rd_record_kind(record) != RD_SPLIT && !rd_sim_is_cell(record);
    struct rd_sim_actor copier = rd_sim_actor_self(RD_SIM_WRITE, copy->pc), other = copier;
    copier.thread = thread;
    other.thread_known = is_plain;
    other.thread = is_plain ? rd_record_thread(record) : 0;
    const bool reads = rd_record_kind(record) == RD_READS ||
                       (rd_record_kind(record) == RD_EXCLUSIVE && other.thread == thread);
    other.op =
        reads ? RD_SIM_READ : RD_SIM_WRITE; /* or by a copy, which is marked as this one was */
    other.site.pc = is_plain ? rd_sim_site_first(rd_record_sites(record)) : 0;
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_RACE,
        .actor = copier,
        .other = other,
        .has_other = true,
        .is_async = true,
        .address = copy->to + GRANULE * k,
        .size_bytes = GRANULE,
        .bytes = 15,
        .interval = rd_sim_here->core.interval,
    });
}

/* The copy is done, or will never be waited for. */
static void settle(const struct copy *copy, unsigned thread)
{
    bool told = false;
    for (unsigned k = 0; k < GRANULES; k++) {
        uint64_t *record = record_of(copy, k);
        if (!record || !copy->records[k])
            continue;
        if (without_epoch(*record) == copy->records[k]) {
            unmark(copy, k, record);
        } else if (!told) {
            tell(copy, thread, k, *record);
            told = true;
        }
    }
}

/* ---- copies ---- */

void rd_sim_async_add(uintptr_t to, size_t size_bytes, uintptr_t pc)
{
    struct rd_sim_async_state *own = rd_sim_here->async;
    unsigned thread = rd_sim_here->core.thread;
    struct copy *copy = own->spare;
    rd_sim_settle();
    if (copy)
        own->spare = copy->next;
    else
        copy = malloc(sizeof *copy);
    if (!copy) {
        rd_sim_here->block.failed = rd_sim_here->block.stopped = true;
        return;
    }
    *copy = (struct copy){.next = own->of[thread],
                          .block = rd_sim_here->core.block,
                          .to = to,
                          .size_bytes = size_bytes,
                          .pc = pc};
    own->of[thread] = copy;
    own->n++;
    mark(copy);
}

/* Settles, and takes away, those of a thread that the function chooses. */
static void settle_some(unsigned thread, bool (*is_chosen)(const struct copy *copy, void *self),
                        void *self)
{
    struct rd_sim_async_state *own = rd_sim_here->async;
    struct copy **place = &own->of[thread];
    while (*place) {
        struct copy *copy = *place;
        if (copy->block != rd_sim_here->core.block || !is_chosen(copy, self)) {
            place = &copy->next;
            continue;
        }
        settle(copy, thread);
        *place = copy->next;
        copy->next = own->spare;
        own->spare = copy;
        own->n--;
    }
}

void rd_sim_async_commit(void)
{
    struct copy *copy = rd_sim_here->async->of[rd_sim_here->core.thread];
    for (; copy; copy = copy->next) {
        if (copy->block != rd_sim_here->core.block || copy->object)
            continue;
        copy->age += copy->is_committed;
        copy->is_committed = true;
    }
}

struct wait {
    unsigned groups;
    bool all;
};

static bool is_waited_for(const struct copy *copy, void *self)
{
    const struct wait *wait = self;
    return !copy->object && (wait->all || (copy->is_committed && copy->age >= wait->groups));
}

void rd_sim_async_wait(unsigned groups, bool all)
{
    if (rd_sim_here->async->n > 0)
        settle_some(rd_sim_here->core.thread, is_waited_for, &(struct wait){groups, all});
}

void rd_sim_async_bind(uintptr_t object, uint64_t phase)
{
    struct copy *copy = rd_sim_here->async->of[rd_sim_here->core.thread];
    for (; copy; copy = copy->next)
        if (copy->block == rd_sim_here->core.block && !copy->object && !copy->is_committed) {
            copy->object = object;
            copy->phase = phase;
        }
}

struct done {
    uintptr_t object;
    uint64_t phase;
};

static bool is_done(const struct copy *copy, void *self)
{
    const struct done *done = self;
    return copy->object == done->object && copy->phase <= done->phase;
}

void rd_sim_async_done(uintptr_t object, uint64_t phase)
{
    for (unsigned k = 0; k < rd_sim_here->block.n && rd_sim_here->async->n > 0; k++)
        settle_some(k, is_done, &(struct done){object, phase});
}

bool rd_sim_async_has(uintptr_t address)
{
    if (rd_sim_here->async->n == 0)
        return false;
    for (unsigned k = 0; k < rd_sim_here->block.n; k++)
        for (const struct copy *copy = rd_sim_here->async->of[k]; copy; copy = copy->next)
            if (address - copy->to < copy->size_bytes)
                return true;
    return false;
}

/* ---- ends ---- */

static bool is_any(const struct copy *copy, void *self)
{
    (void)copy, (void)self;
    return true;
}

static void block_end(void)
{
    for (unsigned k = 0; k < rd_sim_here->block.n && rd_sim_here->async->n > 0; k++)
        settle_some(k, is_any, NULL);
}

/* What blocks that were stopped have left. */
static void forget(void)
{
    struct rd_sim_async_state *own = rd_sim_here->async;
    for (unsigned k = 0; k < RD_SIM_BLOCK_MAX && own->n > 0; k++)
        while (own->of[k]) {
            struct copy *copy = own->of[k];
            own->of[k] = copy->next;
            free(copy);
            own->n--;
        }
}

static void again(unsigned k, const char *schedule)
{
    (void)k, (void)schedule;
    forget();
}

static void finish(void)
{
    struct rd_sim_async_state *own = rd_sim_here->async;
    forget();
    while (own->spare) {
        struct copy *copy = own->spare;
        own->spare = copy->next;
        free(copy);
    }
}

const struct rd_sim_part rd_sim_part_async = {
    .size_bytes = sizeof(struct rd_sim_async_state),
    .at = offsetof(struct rd_sim, async),
    .finish = finish,
};

const struct rd_sim_detector rd_sim_detector_async = {
    .launch_end = forget,
    .again = again,
    .block_end = block_end,
};
