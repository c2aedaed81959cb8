// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/engine/engine_internal.h"
#include "base/random.h"

#include <stdlib.h>

/* Up to so many blocks any order of them may come up; of more, one of those with a fixed distance
 * from each to the next. */
enum { SHUFFLED_MAX = 1 << 16 };
/* So many are interleaved where their order is random; more only where all of these wait for others. With odd
 * seeds they go on side by side, each up to its next access that others may see; with even ones who has given
 * way is left behind, while others begin and end. */
enum { TAKE_TURNS = 8 };

struct rd_sim_blocks_state {
    enum rd_order order;
    uint64_t first, n;                /* the blocks to run */
    uint64_t begun;                   /* so many of them */
    uint64_t resident, resident_max;  /* that have begun and not ended, and that the device holds */
    uint64_t *shuffled, step, offset; /* a random order */
    uint64_t seed, random;
    struct rd_sim_parked *ready, **end; /* that may go on, in the order in which they gave way */
    size_t n_ready, n_waiting;          /* of these, so many wait for others; */
    size_t n_in_round; /* and the first of them have not had their turn in this round */
};

static bool is_random(void)
{
    return rd_sim_here->blocks->order >= RD_ORDER_RANDOM;
}

static uint64_t below(uint64_t n)
{
    return rd_random(&rd_sim_here->blocks->random) % n;
}

/* ---- which one is the k-th ---- */

static uint64_t common_divisor(uint64_t x, uint64_t y)
{
    while (y > 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

static void shuffle(void)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    free(own->shuffled);
    own->shuffled = own->n <= SHUFFLED_MAX ? malloc(own->n * sizeof *own->shuffled) : NULL;
    for (uint64_t k = 0; k < own->n && own->shuffled; k++)
        own->shuffled[k] = k;
    for (uint64_t k = own->n; k > 1 && own->shuffled; k--) {
        uint64_t other = below(k), swap = own->shuffled[k - 1];
        own->shuffled[k - 1] = own->shuffled[other];
        own->shuffled[other] = swap;
    }
    own->offset = below(own->n);
    do
        own->step = 1 + below(own->n);
    while (common_divisor(own->step, own->n) != 1);
}

static uint64_t block_at(uint64_t k)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    switch (own->order) {
    case RD_ORDER_DESCENDING:
        return own->first + own->n - 1 - k;
    case RD_ORDER_WARP_WISE:
        return own->first + (k + own->n / 2) % own->n;
    case RD_ORDER_RANDOM:
    case RD_ORDER_INTERLEAVE:
        if (own->shuffled)
            return own->first + own->shuffled[k];
        return own->first + (uint64_t)(((unsigned __int128)k * own->step + own->offset) % own->n);
    case RD_ORDER_ASCENDING:
        break;
    }
    return own->first + k;
}

/* ---- blocks that may go on ---- */

static void append(struct rd_sim_parked *parked)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    parked->next = NULL;
    *own->end = parked;
    own->end = &parked->next;
    own->n_ready++;
    own->n_waiting += parked->waits;
}

static struct rd_sim_parked *take(size_t k)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    struct rd_sim_parked **link = &own->ready;
    for (; k > 0; k--)
        link = &(*link)->next;
    struct rd_sim_parked *parked = *link;
    *link = parked->next;
    if (!*link)
        own->end = link;
    own->n_ready--;
    own->n_waiting -= parked->waits;
    return parked;
}

void rd_sim_blocks_begin(uint64_t first, uint64_t end)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    const struct rd_sim_block *b = &rd_sim_here->block;
    rd_sim_blocks_finish();
    own->order = b->grid->schedule.order;
    own->first = first;
    own->n = end > first ? end - first : 0;
    own->begun = own->resident = 0;
    own->resident_max = rd_sim_grid_max(b->n, b->grid->shared_bytes);
    own->seed = own->random = b->grid->schedule.seed;
    own->n_in_round = 0;
    if (is_random() && own->n > 0)
        shuffle();
}

void rd_sim_blocks_finish(void)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    while (own->n_ready > 0)
        rd_sim_parked_destroy(take(0));
    own->ready = NULL;
    own->end = &own->ready;
    own->n_waiting = 0;
}

void rd_sim_blocks_ended(void)
{
    rd_sim_here->blocks->resident--;
    rd_sim_turns_progress();
}

void rd_sim_blocks_left(struct rd_sim_parked *parked)
{
    append(parked);
}

void rd_sim_blocks_released(struct rd_sim_parked *parked)
{
    while (parked) {
        struct rd_sim_parked *next = parked->next;
        parked->waits = false;
        parked->behind_grid = true;
        append(parked);
        parked = next;
    }
}

bool rd_sim_blocks_wait(void)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    return own->n_ready > 0 || (own->begun < own->n && own->resident < own->resident_max);
}

/* Tells whether a new block is to begin, where one may. */
static bool begins_new_block(void)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    if (own->n_ready == 0)
        return true;
    if (!is_random())
        return true; /* who has given way waits for somebody */
    return own->n_waiting == own->n_ready || own->resident < TAKE_TURNS;
}

/* Chooses a block among those that may go on. */
static size_t choose(void)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    if (!is_random())
        return 0;
    if (own->seed % 2 == 0)
        return below(own->n_ready);
    if (own->n_in_round == 0 || own->n_in_round > own->n_ready)
        own->n_in_round = own->n_ready;
    return below(own->n_in_round--);
}

bool rd_sim_blocks_next(struct rd_sim_turn_of_block *turn)
{
    struct rd_sim_blocks_state *own = rd_sim_here->blocks;
    bool may_begin = own->begun < own->n && own->resident < own->resident_max;
    if (may_begin && begins_new_block()) {
        *turn = (struct rd_sim_turn_of_block){.block = block_at(own->begun++)};
        own->resident++;
        return true;
    }
    if (own->n_ready == 0)
        return false;
    struct rd_sim_parked *parked = take(choose());
    *turn = (struct rd_sim_turn_of_block){parked->block, parked};
    return true;
}

static void blocks_finish(void)
{
    rd_sim_blocks_finish();
    free(rd_sim_here->blocks->shuffled);
}

const struct rd_sim_part rd_sim_part_blocks = {
    .size_bytes = sizeof(struct rd_sim_blocks_state),
    .at = offsetof(struct rd_sim, blocks),
    .finish = blocks_finish,
};
