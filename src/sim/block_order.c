// SPDX-License-Identifier: MIT
#include "sim/block_order.h"
#include "random.h"

#include <stdlib.h>

/* Up to so many blocks any order of them may come up; of more, one of those with a fixed distance
 * from each to the next. */
enum { SHUFFLED_MAX = 1 << 16 };
/* So many are interleaved where their order is random; more only where all of these wait for others. With odd
 * seeds they go on side by side, each up to its next access that others may see; with even ones who has given
 * way is left behind, while others begin and end. */
enum { TAKE_TURNS = 8 };

static struct {
    enum rd_sim_order order;
    uint64_t first, n;                /* the blocks to run */
    uint64_t begun;                   /* so many of them */
    uint64_t resident, resident_max;  /* that have begun and not ended, and that the device holds */
    uint64_t *shuffled, step, offset; /* a random order */
    uint64_t seed, random;
    struct rd_sim_parked *ready, **end; /* that may go on, in the order in which they gave way */
    size_t n_ready, n_waiting;          /* of these, so many wait for others; */
    size_t n_in_round; /* and the first of them have not had their turn in this round */
} blocks;

static bool is_random(void)
{
    return blocks.order >= RD_SIM_RANDOM;
}

static uint64_t below(uint64_t n)
{
    return rd_random(&blocks.random) % n;
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
    free(blocks.shuffled);
    blocks.shuffled = blocks.n <= SHUFFLED_MAX ? malloc(blocks.n * sizeof *blocks.shuffled) : NULL;
    for (uint64_t k = 0; k < blocks.n && blocks.shuffled; k++)
        blocks.shuffled[k] = k;
    for (uint64_t k = blocks.n; k > 1 && blocks.shuffled; k--) {
        uint64_t other = below(k), swap = blocks.shuffled[k - 1];
        blocks.shuffled[k - 1] = blocks.shuffled[other];
        blocks.shuffled[other] = swap;
    }
    blocks.offset = below(blocks.n);
    do
        blocks.step = 1 + below(blocks.n);
    while (common_divisor(blocks.step, blocks.n) != 1);
}

static uint64_t block_at(uint64_t k)
{
    switch (blocks.order) {
    case RD_SIM_DESCENDING:
        return blocks.first + blocks.n - 1 - k;
    case RD_SIM_WARP_WISE:
        return blocks.first + (k + blocks.n / 2) % blocks.n;
    case RD_SIM_RANDOM:
    case RD_SIM_INTERLEAVE:
        if (blocks.shuffled)
            return blocks.first + blocks.shuffled[k];
        return blocks.first +
               (uint64_t)(((unsigned __int128)k * blocks.step + blocks.offset) % blocks.n);
    case RD_SIM_ASCENDING:
        break;
    }
    return blocks.first + k;
}

/* ---- blocks that may go on ---- */

static void append(struct rd_sim_parked *parked)
{
    parked->next = NULL;
    *blocks.end = parked;
    blocks.end = &parked->next;
    blocks.n_ready++;
    blocks.n_waiting += parked->waits;
}

static struct rd_sim_parked *take(size_t k)
{
    struct rd_sim_parked **link = &blocks.ready;
    for (; k > 0; k--)
        link = &(*link)->next;
    struct rd_sim_parked *parked = *link;
    *link = parked->next;
    if (!*link)
        blocks.end = link;
    blocks.n_ready--;
    blocks.n_waiting -= parked->waits;
    return parked;
}

void rd_sim_blocks_begin(uint64_t first, uint64_t end)
{
    const struct rd_sim_block *b = &rd_sim_block;
    rd_sim_blocks_finish();
    blocks.order = b->grid->schedule.order;
    blocks.first = first;
    blocks.n = end > first ? end - first : 0;
    blocks.begun = blocks.resident = 0;
    blocks.resident_max = rd_sim_grid_max(b->n, b->grid->shared_bytes);
    blocks.seed = blocks.random = b->grid->schedule.seed;
    blocks.n_in_round = 0;
    if (is_random() && blocks.n > 0)
        shuffle();
}

void rd_sim_blocks_finish(void)
{
    while (blocks.n_ready > 0)
        rd_sim_parked_destroy(take(0));
    blocks.ready = NULL;
    blocks.end = &blocks.ready;
    blocks.n_waiting = 0;
}

void rd_sim_blocks_ended(void)
{
    blocks.resident--;
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
    return blocks.n_ready > 0 || (blocks.begun < blocks.n && blocks.resident < blocks.resident_max);
}

/* Whether a new block is to begin, where one may. */
static bool is_to_begin(void)
{
    if (blocks.n_ready == 0)
        return true;
    if (!is_random())
        return true; /* who has given way waits for somebody */
    return blocks.n_waiting == blocks.n_ready || blocks.resident < TAKE_TURNS;
}

/* Which of those that may go on does so. */
static size_t choose(void)
{
    if (!is_random())
        return 0;
    if (blocks.seed % 2 == 0)
        return below(blocks.n_ready);
    if (blocks.n_in_round == 0 || blocks.n_in_round > blocks.n_ready)
        blocks.n_in_round = blocks.n_ready;
    return below(blocks.n_in_round--);
}

bool rd_sim_blocks_next(struct rd_sim_turn_of_block *turn)
{
    bool may_begin = blocks.begun < blocks.n && blocks.resident < blocks.resident_max;
    if (may_begin && is_to_begin()) {
        *turn = (struct rd_sim_turn_of_block){.block = block_at(blocks.begun++)};
        blocks.resident++;
        return true;
    }
    if (blocks.n_ready == 0)
        return false;
    struct rd_sim_parked *parked = take(choose());
    *turn = (struct rd_sim_turn_of_block){parked->block, parked};
    return true;
}
