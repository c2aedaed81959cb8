// SPDX-License-Identifier: MIT
/* Epochs have 26 bits. Where a launch needs more, those that are still compared with anything are numbered
 * anew, in their order; what lies between two of them stays between. So no comparison changes. */
#include "device/sim/engine/epochs.h"
#include "base/array.h"
#include "device/sim/engine/jobs.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/threads.h"
#include "device/sim/detect/warps.h"

#include <stdlib.h>

/* Which block has run since when. */
static struct residence {
    unsigned epoch; /* its first */
    uint64_t block;
} * residences;
static size_t n_residences, residences_capacity;

static void forget(uint64_t *record)
{
    *record &= RD_INIT;
}

void rd_sim_epochs_launch(void)
{
    struct rd_sim_core *core = &rd_sim_core;
    n_residences = 0;
    if (core->epoch > RD_EPOCH_MAX / 2 && !core->exact) {
        rd_sim_shadow_visit(forget);
        core->epoch = 1;
    }
    core->launch_floor = (uint64_t)(core->epoch + 1) << RD_EPOCH_SHIFT;
}

void rd_sim_epochs_block(void)
{
    unsigned epoch = rd_sim_epoch_next();
    if (!rd_array_make_room(&residences, n_residences, &residences_capacity, sizeof *residences))
        n_residences = 0; /* reports then name no block before this one */
    if (n_residences < residences_capacity)
        residences[n_residences++] = (struct residence){epoch, rd_sim_core.block};
}

uint64_t rd_sim_block_of(unsigned epoch)
{
    size_t low = 0, high = n_residences;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (residences[middle].epoch <= epoch)
            low = middle;
        else
            high = middle;
    }
    return n_residences > 0 ? residences[low].block : rd_sim_core.block;
}

/* Where the launch has had so many blocks that they alone take a good part of all epochs, those
 * before the last are forgotten, and what they did. */
static void bound_residences(void)
{
    if (n_residences <= RD_EPOCH_MAX / 4)
        return;
    residences[0] = residences[n_residences - 1];
    n_residences = 1;
    rd_sim_jobs_depend();
    rd_sim_core.launch_floor = (uint64_t)residences[0].epoch << RD_EPOCH_SHIFT;
}

/* ---- new numbers ---- */

/* All epochs that records are compared with, ascending. */
static struct {
    unsigned *epochs;
    size_t n, capacity;
    bool failed;
} used;

static void collect(unsigned *epoch)
{
    if (*epoch == 0 || used.failed)
        return;
    used.failed = !rd_array_make_room(&used.epochs, used.n, &used.capacity, sizeof *used.epochs);
    if (!used.failed)
        used.epochs[used.n++] = *epoch;
}

static int by_size(const void *x, const void *y)
{
    unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    return (a > b) - (a < b);
}

static void sort(void)
{
    size_t n = 0;
    qsort(used.epochs, used.n, sizeof *used.epochs, by_size);
    for (size_t k = 0; k < used.n; k++)
        if (n == 0 || used.epochs[n - 1] != used.epochs[k])
            used.epochs[n++] = used.epochs[k];
    used.n = n;
}

/* Epoch k of those in use becomes 2k + 2; what lies before it, and behind the one before, 2k + 1. */
static unsigned renumbered(unsigned epoch)
{
    size_t low = 0, high = used.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (used.epochs[middle] < epoch)
            low = middle + 1;
        else
            high = middle;
    }
    return (unsigned)(2 * low + 1 + (low < used.n && used.epochs[low] == epoch));
}

static void renumber(unsigned *epoch)
{
    if (*epoch > 0)
        *epoch = renumbered(*epoch);
}

static void renumber_record(uint64_t *record)
{
    const uint64_t rest = *record & (((uint64_t)1 << RD_EPOCH_SHIFT) - 1);
    if (*record < rd_sim_core.launch_floor)
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
    struct rd_sim_core *core = &rd_sim_core;
    struct rd_sim_block *b = &rd_sim_block;
    rd_sim_epochs_visit_floor(&core->launch_floor, visit);
    rd_sim_epochs_visit_floor(&core->block_floor, visit);
    rd_sim_epochs_visit_floor(&core->interval_floor, visit);
    rd_sim_epochs_visit_floor(&core->interval_stamp, visit);
    rd_sim_epochs_visit_floor(&core->stamp, visit);
    visit(&b->interval_epoch);
    for (unsigned k = 0; k < b->n; k++)
        visit(&b->threads[k].epoch);
    for (size_t k = 0; k < n_residences; k++)
        visit(&residences[k].epoch);
    rd_sim_warps_visit(visit);
    rd_sim_jobs_visit(visit);
}

static uint64_t n_taken_back; /* of those that were given */

uint64_t rd_sim_epochs_given(void)
{
    return n_taken_back + rd_sim_core.epoch;
}

static void renumber_all(void)
{
    unsigned given = rd_sim_core.epoch;
    used.n = 0;
    used.failed = false;
    bound_residences();
    visit_all(collect);
    if (used.failed) { /* the launch ends with an error: nothing of it is told */
        rd_sim_block.failed = true;
        rd_sim_core.epoch = RD_EPOCH_MAX / 2;
    } else {
        sort();
        rd_sim_shadow_visit(renumber_record); /* by the launch's floor of old */
        visit_all(renumber);
        rd_sim_core.epoch = (unsigned)(2 * used.n + 1);
    }
    n_taken_back += given - rd_sim_core.epoch;
    free(used.epochs);
    used.epochs = NULL;
    used.capacity = 0;
}

unsigned rd_sim_epoch_next(void)
{
    struct rd_sim_core *core = &rd_sim_core;
    if (core->epoch == RD_EPOCH_LAST && core->exact)
        rd_sim_exact_fails("more than 33 million fences and barriers");
    else if (core->epoch == RD_EPOCH_LAST)
        renumber_all();
    return core->exact && core->epoch == RD_EPOCH_LAST ? core->epoch : ++core->epoch;
}
