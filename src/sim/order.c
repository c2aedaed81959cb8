// SPDX-License-Identifier: MIT
#include "sim/order.h"
#include "sim/memory.h"
#include "sim/shadow.h"

#include <stdlib.h>
#include <string.h>

enum { WARPS = RD_SIM_BLOCK_MAX / RD_SIM_WARP, LOCATIONS_MAX = 64 };

/* ---- epochs ---- */

static unsigned *block_epochs; /* the first epoch of each block of this launch */
static size_t n_blocks, blocks_capacity;

static void epochs_run_out(void)
{
    rd_sim_shadow_forget();
    rd_sim_splits_forget();
    rd_sim_core.epoch = 1;
    rd_sim_core.launch_floor = (uint64_t)1 << RD_EPOCH_SHIFT;
    n_blocks = 0;
}

unsigned rd_sim_epoch_next(void)
{
    return ++rd_sim_core.epoch;
}

uint64_t rd_sim_block_of(unsigned epoch)
{
    size_t low = 0, high = n_blocks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (block_epochs[middle] <= epoch)
            low = middle;
        else
            high = middle;
    }
    return rd_sim_core.block + 1 - n_blocks + low;
}

/* ---- warp barriers ---- */

/* clocks[w].known[l][m]: up to this epoch, what lane m did is ordered before lane l. */
static struct clocks {
    bool used;
    unsigned known[RD_SIM_WARP][RD_SIM_WARP];
} clocks[WARPS];
static bool clocks_used; /* any of them */

unsigned rd_sim_order_warp(unsigned warp, unsigned mask)
{
    struct clocks *c = &clocks[warp];
    unsigned joined[RD_SIM_WARP] = {0}, epoch = rd_sim_epoch_next();
    if (!c->used)
        memset(c, 0, sizeof *c);
    c->used = clocks_used = true;
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        for (unsigned k = 0; (mask >> lane & 1) && k < RD_SIM_WARP; k++)
            if (joined[k] < c->known[lane][k])
                joined[k] = c->known[lane][k];
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if (mask >> lane & 1)
            joined[lane] = epoch;
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if (mask >> lane & 1)
            memcpy(c->known[lane], joined, sizeof joined);
    return epoch;
}

bool rd_sim_warp_ordered(unsigned epoch, unsigned thread)
{
    const struct clocks *c = &clocks[thread / RD_SIM_WARP];
    return c->used && epoch < c->known[rd_sim_core.thread % RD_SIM_WARP][thread % RD_SIM_WARP];
}

/* ---- fences with atomics ---- */

/* One release: what `thread` did up to `epoch`, and its block up to the interval before. */
struct release {
    uint64_t block;
    unsigned thread, epoch, interval_epoch;
};
/* All releases to one address, in their order: later ones carry the earlier ones on. */
static struct location {
    uintptr_t address;
    struct release *releases;
    size_t n, capacity;
} locations[LOCATIONS_MAX];
static unsigned n_locations;

/* What the running block has acquired: so many releases of a location, by a thread in an epoch. */
static struct acquired {
    unsigned location, thread, epoch;
    size_t n;
} acquired[LOCATIONS_MAX];
static unsigned n_acquired;

static struct {
    uint64_t block;
    unsigned thread, epoch; /* epoch 0: none */
} fence;

void rd_sim_order_fence(void)
{
    fence.block = rd_sim_core.block;
    fence.thread = rd_sim_core.thread;
    fence.epoch = rd_record_epoch(rd_sim_core.stamp);
}

static struct location *location_of(uintptr_t address)
{
    for (unsigned k = 0; k < n_locations; k++)
        if (locations[k].address == address)
            return &locations[k];
    if (n_locations == LOCATIONS_MAX)
        return NULL;
    locations[n_locations].address = address;
    locations[n_locations].n = 0;
    return &locations[n_locations++];
}

static void acquire(const struct location *location)
{
    const struct acquired now = {
        .location = (unsigned)(location - locations),
        .thread = rd_sim_core.thread,
        .epoch = rd_record_epoch(rd_sim_core.stamp),
        .n = location->n,
    };
    for (unsigned k = 0; k < n_acquired; k++)
        if (acquired[k].location == now.location && acquired[k].thread == now.thread) {
            acquired[k] = now;
            return;
        }
    if (n_acquired < LOCATIONS_MAX)
        acquired[n_acquired++] = now;
}

void rd_sim_order_atomic(uintptr_t address)
{
    const struct rd_sim_core *core = &rd_sim_core;
    bool releases = fence.epoch && fence.block == core->block && fence.thread == core->thread;
    if (!releases && n_locations == 0)
        return;
    struct location *location = location_of(address);
    if (!location)
        return;
    if (location->n > 0)
        acquire(location);
    if (!releases)
        return;
    if (location->n == location->capacity) {
        size_t capacity = location->capacity ? 2 * location->capacity : 64;
        struct release *grown = realloc(location->releases, capacity * sizeof *grown);
        if (!grown)
            return;
        location->releases = grown;
        location->capacity = capacity;
    }
    location->releases[location->n++] = (struct release){
        .block = core->block,
        .thread = core->thread,
        .epoch = fence.epoch,
        .interval_epoch = (unsigned)(core->interval_floor >> RD_EPOCH_SHIFT),
    };
}

bool rd_sim_fence_ordered(uint64_t block, unsigned epoch, unsigned thread)
{
    const struct rd_sim_core *core = &rd_sim_core;
    for (unsigned k = 0; k < n_acquired; k++) {
        const struct acquired *a = &acquired[k];
        bool mine = a->thread == core->thread;
        /* What another thread of the block acquired is ours behind the next barrier. */
        if (!mine && (uint64_t)a->epoch << RD_EPOCH_SHIFT >= core->interval_floor)
            continue;
        const struct location *location = &locations[a->location];
        for (size_t n = a->n; n-- > 0;) {
            const struct release *r = &location->releases[n];
            if (r->block == block &&
                (epoch < r->interval_epoch || (r->thread == thread && epoch <= r->epoch)))
                return true;
        }
    }
    return false;
}

/* ---- starts ---- */

void rd_sim_order_launch(void)
{
    n_locations = n_acquired = 0;
    n_blocks = 0;
    if (rd_sim_core.epoch > RD_EPOCH_MAX / 2)
        epochs_run_out();
    rd_sim_core.launch_floor = (uint64_t)(rd_sim_core.epoch + 1) << RD_EPOCH_SHIFT;
}

void rd_sim_order_block(void)
{
    /* A launch of more epochs than there are: what blocks before this one did is forgotten. */
    if (rd_sim_core.epoch > RD_EPOCH_MAX - (1 << 22)) {
        epochs_run_out();
        n_locations = 0;
    }
    n_acquired = 0;
    fence.epoch = 0;
    unsigned epoch = rd_sim_epoch_next();
    if (n_blocks == blocks_capacity) {
        size_t capacity = blocks_capacity ? 2 * blocks_capacity : 1024;
        unsigned *grown = realloc(block_epochs, capacity * sizeof *grown);
        if (grown) {
            block_epochs = grown;
            blocks_capacity = capacity;
        } else {
            n_blocks = 0; /* reports then name no block before this one */
        }
    }
    if (n_blocks < blocks_capacity)
        block_epochs[n_blocks++] = epoch;
    rd_sim_order_interval();
}

void rd_sim_order_interval(void)
{
    for (unsigned warp = 0; warp < WARPS && clocks_used; warp++)
        clocks[warp].used = false;
    clocks_used = false;
}
