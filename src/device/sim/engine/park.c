// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/engine/engine_internal.h"
#include "base/array.h"
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULE = 4 };

/* Four bytes of shared memory, and what is known of them. */
struct rd_sim_parked_granule {
    uint32_t bytes;
    uint64_t record;
};

struct rd_sim_park_state {
    /* The granules of shared memory that are some variable's, as runs. */
    struct run {
        size_t first, end;
    } * runs;
    size_t n_runs, runs_capacity, n_granules;
    bool runs_known; /* of this launch */
};

void rd_sim_park_begin(void)
{
    rd_sim_here->park->runs_known = false;
}

/* Looked for where a block is kept aside, which few launches do. */
static bool find_runs(void)
{
    struct rd_sim_park_state *own = rd_sim_here->park;
    const struct rd_sim_core *core = &rd_sim_here->core;
    size_t n = core->shared_size / GRANULE;
    if (own->runs_known)
        return true;
    own->n_runs = own->n_granules = 0;
    for (size_t k = 0; k < n; k++) {
        if (core->shared_shadow[k] == RD_NO_MEMORY)
            continue;
        if (!rd_array_make_room(&own->runs, own->n_runs, &own->runs_capacity, sizeof *own->runs))
            return false;
        size_t first = k;
        while (k < n && core->shared_shadow[k] != RD_NO_MEMORY)
            k++;
        own->runs[own->n_runs++] = (struct run){first, k};
        own->n_granules += k - first;
    }
    own->runs_known = true;
    return true;
}

/* ---- shared memory ---- */

static bool is_split(uint64_t record)
{
    return rd_record_kind(record) == RD_SPLIT;
}

static uint64_t *split_of(uint64_t record)
{
    return rd_sim_here->core.splits[rd_record_split_number(record)];
}

static size_t count_splits(void)
{
    struct rd_sim_park_state *own = rd_sim_here->park;
    size_t n = 0;
    for (const struct run *run = own->runs; run < own->runs + own->n_runs; run++)
        for (size_t k = run->first; k < run->end; k++)
            n += is_split(rd_sim_here->core.shared_shadow[k]);
    return n;
}

static void drop_cell(uint64_t record)
{
    if (rd_sim_is_cell(record))
        RD_SIM_TELL(cell_drop, record);
}

static void forget_record(uint64_t *record)
{
    drop_cell(*record);
    *record = 0;
}

void rd_sim_shared_forget(void)
{
    struct rd_sim_park_state *own = rd_sim_here->park;
    if (!find_runs()) {
        rd_sim_here->block.failed = true;
        return;
    }
    for (const struct run *run = own->runs; run < own->runs + own->n_runs; run++)
        for (size_t k = run->first; k < run->end; k++) {
            uint64_t *record = &rd_sim_here->core.shared_shadow[k];
            if (!is_split(*record))
                forget_record(record);
            for (unsigned byte = 0; byte < 4 && is_split(*record); byte++)
                forget_record(&split_of(*record)[byte]);
        }
}

/* Variables may be a sanitizer's, with zones around them. */
__attribute__((no_sanitize("address"))) static void shared_save(struct rd_sim_parked *parked)
{
    struct rd_sim_park_state *own = rd_sim_here->park;
    const struct rd_sim_core *core = &rd_sim_here->core;
    const uint32_t *bytes = (const uint32_t *)core->shared;
    struct rd_sim_parked_granule *granule = parked->shared;
    uint64_t(*splits)[4] = parked->splits;
    for (const struct run *run = own->runs; run < own->runs + own->n_runs; run++)
        for (size_t k = run->first; k < run->end; k++) {
            uint64_t *record = &core->shared_shadow[k];
            *granule++ = (struct rd_sim_parked_granule){bytes[k], *record};
            if (is_split(*record)) {
                memcpy(*splits++, split_of(*record), sizeof *splits);
                memset(split_of(*record), 0, sizeof *splits);
            } else {
                *record = 0;
            }
        }
}

__attribute__((no_sanitize("address"))) static void
shared_restore(const struct rd_sim_parked *parked)
{
    struct rd_sim_park_state *own = rd_sim_here->park;
    const struct rd_sim_core *core = &rd_sim_here->core;
    uint32_t *bytes = (uint32_t *)core->shared;
    const struct rd_sim_parked_granule *granule = parked->shared;
    uint64_t(*splits)[4] = parked->splits;
    for (const struct run *run = own->runs; run < own->runs + own->n_runs; run++)
        for (size_t k = run->first; k < run->end; k++, granule++) {
            uint64_t *record = &core->shared_shadow[k];
            bytes[k] = granule->bytes;
            if (is_split(granule->record)) {
                *record = granule->record;
                memcpy(split_of(*record), *splits++, sizeof *splits);
            } else if (is_split(*record)) { /* by another block, since then */
                for (unsigned byte = 0; byte < 4; byte++)
                    split_of(*record)[byte] = granule->record;
                if (rd_sim_is_cell(granule->record))
                    RD_SIM_TELL(cell_split, granule->record, split_of(*record));
            } else {
                *record = granule->record;
            }
        }
}

/* Initialised memory stays so, and nothing else is known of it. */
static void renew_record(uint64_t *record)
{
    uint64_t init = *record & RD_INIT;
    drop_cell(*record);
    *record = init ? rd_record_stamp(rd_sim_here->core.epoch, 0) | RD_INIT : 0;
}

static void shared_renew(void)
{
    struct rd_sim_park_state *own = rd_sim_here->park;
    for (const struct run *run = own->runs; run < own->runs + own->n_runs; run++)
        for (size_t k = run->first; k < run->end; k++) {
            uint64_t *record = &rd_sim_here->core.shared_shadow[k];
            if (!is_split(*record))
                renew_record(record);
            for (unsigned byte = 0; byte < 4 && is_split(*record); byte++)
                renew_record(&split_of(*record)[byte]);
        }
}

/* In a launch that is not exact, records of earlier blocks are still there, and count for nothing. */
static void shared_settle(void)
{
    struct rd_sim_park_state *own = rd_sim_here->park;
    for (const struct run *run = own->runs; run < own->runs + own->n_runs; run++)
        for (size_t k = run->first; k < run->end; k++) {
            uint64_t *record = &rd_sim_here->core.shared_shadow[k];
            if (!is_split(*record) && *record < rd_sim_here->core.block_floor)
                *record = 0;
            for (unsigned byte = 0; byte < 4 && is_split(*record); byte++)
                if (split_of(*record)[byte] < rd_sim_here->core.block_floor)
                    split_of(*record)[byte] = 0;
        }
}

/* ---- blocks ---- */

static size_t state_size(void)
{
    size_t size = offsetof(struct rd_sim_block, threads) +
                  rd_sim_here->block.n * sizeof *rd_sim_here->block.threads;
    return (size / _Alignof(struct rd_sim_block) + 1) * _Alignof(struct rd_sim_block);
}

void rd_sim_parked_destroy(struct rd_sim_parked *parked)
{
    if (!parked)
        return;
    free(parked->state);
    free(parked->stacks);
    free(parked->contexts);
    free(parked->shared);
    free(parked->splits);
    free(parked);
}

static struct rd_sim_parked *create(void)
{
    struct rd_sim_parked *p = find_runs() ? malloc(sizeof *p) : NULL;
    if (!p)
        return NULL;
    *p = (struct rd_sim_parked){
        .block = rd_sim_here->core.block,
        .interval = rd_sim_here->core.interval,
        .clock = rd_sim_here->core.clock,
        .waits = rd_sim_here->block.waits,
        .state = aligned_alloc(_Alignof(struct rd_sim_block), state_size()),
        .stacks = malloc(rd_sim_stacks_size() + 1),
        .contexts = malloc(rd_sim_here->block.n * sizeof *p->contexts),
        .shared = malloc((rd_sim_here->park->n_granules + 1) * sizeof *p->shared),
        .splits = malloc((count_splits() + 1) * sizeof *p->splits),
    };
    if (p->state && p->stacks && p->contexts && p->shared && p->splits)
        return p;
    rd_sim_parked_destroy(p);
    return NULL;
}

struct rd_sim_parked *rd_sim_park(void)
{
    RD_SIM_TELL(memory_changes);
    struct rd_sim_parked *p = create();
    if (!p)
        return NULL;
    for (unsigned k = 0; k < rd_sim_here->block.n; k++)
        p->contexts[k] = rd_sim_here->block.turns[k].context;
    rd_sim_stacks_leave(p->stacks);
    memcpy(p->state, &rd_sim_here->block, state_size());
    if (!rd_sim_here->core.exact)
        shared_settle();
    shared_save(p);
    RD_SIM_EACH_DETECTOR
    if (detector->block_leave)
        p->knowledge = detector->block_leave();
    rd_sim_here->block.n_at_grid = 0;
    return p;
}

/* All that it does from here on is behind the barrier, for all threads. */
static void pass_grid_barrier(void)
{
    struct rd_sim_core *core = &rd_sim_here->core;
    struct rd_sim_block *b = &rd_sim_here->block;
    shared_renew();
    b->interval_epoch = rd_sim_epoch_next(); /* behind what shared memory was restored with */
    for (unsigned k = 0; k < b->n; k++) {
        b->threads[k].epoch = 0;
        b->state[k] = b->state[k] == RD_SIM_AT_GRID ? RD_SIM_READY : b->state[k];
    }
    b->n_ready = b->n_at_grid;
    b->n_at_grid = b->cursor = 0;
    core->interval++;
    if (!core->exact)
        b->uneven = rd_sim_turns_are_short();
}

void rd_sim_unpark(struct rd_sim_parked *parked)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_core *core = &rd_sim_here->core;
    const size_t from = offsetof(struct rd_sim_block, cursor);
    RD_SIM_TELL(memory_changes);
    core->block = parked->block;
    rd_sim_epochs_block();
    rd_sim_warps_interval();
    memcpy((char *)b + from, (char *)parked->state + from, state_size() - from);
    for (unsigned k = 0; k < b->n; k++)
        b->turns[k].context = parked->contexts[k];
    rd_sim_stacks_take(parked->stacks);
    core->clock = parked->clock;
    core->interval = parked->interval;
    shared_restore(parked);
    RD_SIM_TELL(block_resume, parked->knowledge);
    if (!core->exact)
        core->block_floor = (uint64_t)core->epoch << RD_EPOCH_SHIFT;
    if (parked->behind_grid)
        pass_grid_barrier();
    core->interval_stamp = (uint64_t)b->interval_epoch << RD_EPOCH_SHIFT;
    if (core->exact)
        core->block_floor = core->interval_floor = core->launch_floor;
    else
        core->interval_floor = core->interval_stamp;
    if (parked->behind_grid)
        rd_sim_turns_shuffle();
    rd_sim_parked_destroy(parked);
}

static void park_finish(void)
{
    free(rd_sim_here->park->runs);
}

const struct rd_sim_part rd_sim_part_park = {
    .size_bytes = sizeof(struct rd_sim_park_state),
    .at = offsetof(struct rd_sim, park),
    .finish = park_finish,
};
