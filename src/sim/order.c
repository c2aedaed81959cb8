// SPDX-License-Identifier: MIT
#include "sim/order.h"
#include "sim/fences.h"
#include "sim/jobs.h"
#include "sim/memory.h"
#include "sim/room.h"
#include "sim/shadow.h"

#include <stdlib.h>
#include <string.h>

enum { WARPS = RD_SIM_BLOCK_MAX / RD_SIM_WARP };

/* ---- epochs ---- */

static unsigned *block_epochs; /* the first epoch of each block of this launch */
static size_t n_blocks, blocks_capacity;

static void forget(uint64_t *record)
{
    *record &= RD_INIT;
}

/* A launch is about to start: nothing that was before it matters, but what is initialised. */
static void start_anew(void)
{
    rd_sim_shadow_visit(forget);
    rd_sim_core.epoch = 1;
    rd_sim_core.launch_floor = (uint64_t)1 << RD_EPOCH_SHIFT;
    n_blocks = 0;
}

unsigned rd_sim_epoch_next(void)
{
    if (rd_sim_core.epoch == RD_EPOCH_MAX)
        rd_sim_epochs_renumber();
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

/* clocks[w].known[l][m]: up to this epoch, what lane m did is ordered before lane l; and so it is up to
 * epoch `all`, whichever lanes they are. */
static struct clocks {
    bool used;
    unsigned all;
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
    if (mask == ~0u) {
        c->all = epoch;
        return epoch;
    }
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
    return c->used && (epoch < c->all ||
                       epoch < c->known[rd_sim_core.thread % RD_SIM_WARP][thread % RD_SIM_WARP]);
}

unsigned *rd_sim_order_known(void)
{
    const unsigned me = rd_sim_core.thread;
    const struct clocks *c = &clocks[me / RD_SIM_WARP];
    unsigned *known = c->used ? malloc(sizeof c->known[0]) : NULL;
    for (unsigned k = 0; known && k < RD_SIM_WARP; k++) {
        unsigned lane = c->known[me % RD_SIM_WARP][k];
        known[k] = lane > c->all ? lane : c->all;
    }
    return known;
}

void rd_sim_order_bound(void)
{
    if (n_blocks <= RD_EPOCH_MAX / 4)
        return;
    block_epochs[0] = block_epochs[n_blocks - 1];
    n_blocks = 1;
    rd_sim_jobs_depend();
    rd_sim_core.launch_floor = (uint64_t)block_epochs[0] << RD_EPOCH_SHIFT;
}

void rd_sim_order_visit(void (*visit)(unsigned *epoch))
{
    for (size_t k = 0; k < n_blocks; k++)
        visit(&block_epochs[k]);
    for (struct clocks *c = clocks; c < clocks + WARPS; c++) {
        if (!c->used)
            continue;
        visit(&c->all);
        for (unsigned k = 0; k < RD_SIM_WARP * RD_SIM_WARP; k++)
            visit(&c->known[0][0] + k);
    }
}

/* ---- starts ---- */

void rd_sim_order_launch(void)
{
    rd_sim_fences_launch();
    n_blocks = 0;
    if (rd_sim_core.epoch > RD_EPOCH_MAX / 2)
        start_anew();
    rd_sim_core.launch_floor = (uint64_t)(rd_sim_core.epoch + 1) << RD_EPOCH_SHIFT;
}

void rd_sim_order_block(void)
{
    rd_sim_fences_block();
    unsigned epoch = rd_sim_epoch_next();
    if (!rd_sim_room_make(&block_epochs, n_blocks, &blocks_capacity, sizeof *block_epochs))
        n_blocks = 0; /* reports then name no block before this one */
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
