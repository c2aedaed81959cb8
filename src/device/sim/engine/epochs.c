// SPDX-License-Identifier: MIT
/* Epochs have 26 bits. Where a launch needs more, those that are still compared with anything are numbered
 * anew, in their order; what lies between two of them stays between. So no comparison changes. */
#include "device/sim/object.h"
#include "device/sim/engine/engine.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/engine_internal.h"

#include <stdlib.h>
#include <string.h>

struct rd_sim_epochs_state {
    /* The block that has run since an epoch. */
    struct residence {
        unsigned epoch; /* its first */
        uint64_t block;
    } * residences;
    size_t n_residences, residences_capacity;
    /* All epochs that records are compared with, ascending, while they are numbered anew. */
    struct {
        unsigned *epochs;
        size_t n, capacity;
        bool failed;
    } used;
    uint64_t n_taken_back; /* of those that were given */
};

static void forget(uint64_t *record)
{
    *record &= RD_INIT;
}

void rd_sim_epochs_launch(void)
{
    struct rd_sim_core *core = &rd_sim_here->core;
    rd_sim_here->epochs->n_residences = 0;
    if (core->epoch > RD_EPOCH_MAX / 2 && !core->exact) {
        rd_sim_shadow_visit(forget);
        core->epoch = 1;
    }
    core->launch_floor = (uint64_t)(core->epoch + 1) << RD_EPOCH_SHIFT;
    core->known_granules = 0; /* arrays may have come and gone */
}

void rd_sim_epochs_block(void)
{
    struct rd_sim_epochs_state *own = rd_sim_here->epochs;
    unsigned epoch = rd_sim_epoch_next();
    if (!rd_array_make_room(&own->residences, own->n_residences, &own->residences_capacity,
                            sizeof *own->residences))
        own->n_residences = 0; /* reports then name no block before this one */
    if (own->n_residences < own->residences_capacity)
        own->residences[own->n_residences++] = (struct residence){epoch, rd_sim_here->core.block};
}

uint64_t rd_sim_block_of(unsigned epoch)
{
    struct rd_sim_epochs_state *own = rd_sim_here->epochs;
    size_t low = 0, high = own->n_residences;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (own->residences[middle].epoch <= epoch)
            low = middle;
        else
            high = middle;
    }
    return own->n_residences > 0 ? own->residences[low].block : rd_sim_here->core.block;
}

/* Forgets all blocks but the last, and their accesses, if a launch has so many that they alone take a good
 * part of all epochs. */
static void bound_residences(void)
{
    struct rd_sim_epochs_state *own = rd_sim_here->epochs;
    if (own->n_residences <= RD_EPOCH_MAX / 4)
        return;
    own->residences[0] = own->residences[own->n_residences - 1];
    own->n_residences = 1;
    rd_sim_jobs_depend();
    rd_sim_here->core.launch_floor = (uint64_t)own->residences[0].epoch << RD_EPOCH_SHIFT;
}

/* ---- new numbers ---- */

static void collect(unsigned *epoch)
{
    struct rd_sim_epochs_state *own = rd_sim_here->epochs;
    if (*epoch == 0 || own->used.failed)
        return;
    own->used.failed = !rd_array_make_room(&own->used.epochs, own->used.n, &own->used.capacity,
                                           sizeof *own->used.epochs);
    if (!own->used.failed)
        own->used.epochs[own->used.n++] = *epoch;
}

static int by_size(const void *x, const void *y)
{
    unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    return (a > b) - (a < b);
}

static void sort(void)
{
    struct rd_sim_epochs_state *own = rd_sim_here->epochs;
    size_t n = 0;
    qsort(own->used.epochs, own->used.n, sizeof *own->used.epochs, by_size);
    for (size_t k = 0; k < own->used.n; k++)
        if (n == 0 || own->used.epochs[n - 1] != own->used.epochs[k])
            own->used.epochs[n++] = own->used.epochs[k];
    own->used.n = n;
}

/* Epoch k of those in use becomes 2k + 2; what lies before it, and behind the one before, 2k + 1. */
static unsigned renumbered(unsigned epoch)
{
    struct rd_sim_epochs_state *own = rd_sim_here->epochs;
    size_t low = 0, high = own->used.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (own->used.epochs[middle] < epoch)
            low = middle + 1;
        else
            high = middle;
    }
    return (unsigned)(2 * low + 1 + (low < own->used.n && own->used.epochs[low] == epoch));
}

static void renumber(unsigned *epoch)
{
    if (*epoch > 0)
        *epoch = renumbered(*epoch);
}

static void renumber_record(uint64_t *record)
{
    const uint64_t rest = *record & (((uint64_t)1 << RD_EPOCH_SHIFT) - 1);
    if (*record < rd_sim_here->core.launch_floor)
        *record &= RD_INIT;
    else
        *record = (uint64_t)renumbered(rd_record_epoch(*record)) << RD_EPOCH_SHIFT | rest;
}

void rd_sim_epochs_visit_floor(uint64_t *bits, void (*visit)(unsigned *epoch))
{
    unsigned epoch = rd_record_epoch(*bits);
    visit(&epoch);
    *bits = (*bits & (((uint64_t)1 << RD_EPOCH_SHIFT) - 1)) | (uint64_t)epoch << RD_EPOCH_SHIFT;
}

static void visit_all(void (*visit)(unsigned *epoch))
{
    struct rd_sim_epochs_state *own = rd_sim_here->epochs;
    struct rd_sim_core *core = &rd_sim_here->core;
    struct rd_sim_block *b = &rd_sim_here->block;
    rd_sim_epochs_visit_floor(&core->launch_floor, visit);
    rd_sim_epochs_visit_floor(&core->block_floor, visit);
    rd_sim_epochs_visit_floor(&core->interval_floor, visit);
    rd_sim_epochs_visit_floor(&core->interval_stamp, visit);
    rd_sim_epochs_visit_floor(&core->stamp, visit);
    visit(&b->interval_epoch);
    for (unsigned k = 0; k < b->n; k++)
        visit(&b->threads[k].epoch);
    for (size_t k = 0; k < own->n_residences; k++)
        visit(&own->residences[k].epoch);
    rd_sim_warps_visit(visit);
    rd_sim_jobs_visit(visit);
}

uint64_t rd_sim_epochs_given(void)
{
    return rd_sim_here->epochs->n_taken_back + rd_sim_here->core.epoch;
}

static void renumber_all(void)
{
    struct rd_sim_epochs_state *own = rd_sim_here->epochs;
    unsigned given = rd_sim_here->core.epoch;
    own->used.n = 0;
    own->used.failed = false;
    bound_residences();
    visit_all(collect);
    if (own->used.failed) { /* the launch ends with an error: nothing of it is told */
        rd_sim_here->block.failed = true;
        rd_sim_here->core.epoch = RD_EPOCH_MAX / 2;
    } else {
        sort();
        rd_sim_shadow_visit(renumber_record); /* by the launch's floor of old */
        visit_all(renumber);
        rd_sim_here->core.epoch = (unsigned)(2 * own->used.n + 1);
    }
    own->n_taken_back += given - rd_sim_here->core.epoch;
    free(own->used.epochs);
    own->used.epochs = NULL;
    own->used.capacity = 0;
}

unsigned rd_sim_epoch_next(void)
{
    struct rd_sim_core *core = &rd_sim_here->core;
    if (core->epoch == RD_EPOCH_LAST && core->exact)
        rd_sim_exact_fails("more than 33 million fences and barriers");
    else if (core->epoch == RD_EPOCH_LAST)
        renumber_all();
    return core->exact && core->epoch == RD_EPOCH_LAST ? core->epoch : ++core->epoch;
}

static void epochs_finish(void)
{
    free(rd_sim_here->epochs->residences);
    free(rd_sim_here->epochs->used.epochs);
}

const struct rd_sim_part rd_sim_part_epochs = {
    .size_bytes = sizeof(struct rd_sim_epochs_state),
    .at = offsetof(struct rd_sim, epochs),
    .finish = epochs_finish,
};

/* ---- meetings of warps ---- */

enum { WARPS = RD_SIM_BLOCK_MAX / RD_SIM_WARP };

struct rd_sim_warps_state {
    unsigned met[WARPS]; /* the epoch since a warp's last meeting; 0: it has not met */
    bool any_met;
};

void rd_sim_warps_interval(void)
{
    struct rd_sim_warps_state *own = rd_sim_here->warps;
    if (own->any_met)
        memset(own->met, 0, sizeof own->met);
    own->any_met = false;
}

void rd_sim_warps_meet(unsigned warp, unsigned epoch)
{
    struct rd_sim_warps_state *own = rd_sim_here->warps;
    own->any_met = true;
    own->met[warp] = epoch;
}

bool rd_sim_warp_ordered(unsigned epoch, unsigned thread)
{
    return epoch < rd_sim_here->warps->met[thread / RD_SIM_WARP];
}

void rd_sim_warps_visit(void (*visit)(unsigned *epoch))
{
    struct rd_sim_warps_state *own = rd_sim_here->warps;
    for (unsigned warp = 0; warp < WARPS && own->any_met; warp++)
        visit(&own->met[warp]);
}

const struct rd_sim_part rd_sim_part_warps = {
    .size_bytes = sizeof(struct rd_sim_warps_state),
    .at = offsetof(struct rd_sim, warps),
};
