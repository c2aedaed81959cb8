// SPDX-License-Identifier: MIT
#include "sim/fences.h"
#include "sim/order.h"
#include "sim/room.h"
#include "sim/threads.h"

#include <stdlib.h>
#include <string.h>

/* ---- fences ---- */

/* Of each thread of the block: up to this epoch, what it did is behind a fence. 0: there is none. */
static struct fence {
    unsigned grid, block;
} fences[RD_SIM_BLOCK_MAX];
static bool fences_used;
bool rd_sim_fences_acquire;

static void fence_acquired(unsigned thread, unsigned epoch, bool of_block);

/* What the thread does next is of a new epoch, so that the two sides of the fence can be told apart. */
void rd_sim_fence(bool of_block)
{
    struct rd_sim_block *b = &rd_sim_block;
    struct rd_sim_core *core = &rd_sim_core;
    if (!rd_sim_is_running())
        return;
    unsigned me = core->thread, epoch = rd_record_epoch(core->stamp);
    fences_used = true;
    fences[me].block = epoch;
    fence_acquired(me, epoch, of_block);
    if (!of_block)
        fences[me].grid = epoch;
    b->threads[me].epoch = rd_sim_epoch_next();
    b->kept = b->uneven = true;
    core->stamp = rd_record_stamp(b->threads[me].epoch, me);
}

/* ---- releases ---- */

/* What `thread` did up to an epoch: for its block, for the grid; and its block up to the interval
 * before. The atomic itself was in epoch `at`. What its warp's barriers had ordered before it is in
 * `known`, if there were any. */
struct release {
    uint64_t block;
    unsigned thread, grid_epoch, block_epoch, interval_epoch, at;
    unsigned *known;
};
/* Whoever acquires more than `behind` releases acquires so many of another location's, too. */
struct link {
    size_t behind, location, n;
    bool grid; /* not for its block only */
    uint64_t block;
};
/* All releases to one address, in their order: later ones carry the earlier ones on. */
struct location {
    uintptr_t address;
    struct release *releases;
    struct link *links;
    size_t n, capacity, n_links, links_capacity;
};
static struct location *locations;
static size_t n_locations, locations_capacity;
static size_t *slots, n_slots; /* location + 1 by the address's hash */

/* What the running block has acquired: so many releases of a location, by a thread in an epoch. */
struct acquired {
    size_t location, n, n_before; /* before the last one */
    unsigned thread, epoch;
    unsigned fenced; /* behind this epoch there is a fence; 0: there is none yet */
    bool of_block, takes_fence;
};
static struct acquired *acquired;
static size_t n_acquired, acquired_capacity;

static size_t *slot_of(uintptr_t address)
{
    size_t k = (size_t)(address * 0x9e3779b97f4a7c15u >> 20);
    for (;; k++) {
        size_t *slot = &slots[k & (n_slots - 1)];
        if (*slot == 0 || locations[*slot - 1].address == address)
            return slot;
    }
}

static bool grow_slots(void)
{
    size_t wanted = n_slots ? 2 * n_slots : 64;
    size_t *grown = calloc(wanted, sizeof *grown);
    if (!grown)
        return false;
    free(slots);
    slots = grown;
    n_slots = wanted;
    for (size_t k = 0; k < n_locations; k++)
        *slot_of(locations[k].address) = k + 1;
    return true;
}

static struct location *location_of(uintptr_t address, bool make)
{
    if (2 * (n_locations + 1) > n_slots && !grow_slots())
        return NULL;
    size_t *slot = slot_of(address);
    if (*slot > 0)
        return &locations[*slot - 1];
    if (!make || !rd_sim_room_make(&locations, n_locations, &locations_capacity, sizeof *locations))
        return NULL;
    locations[n_locations] = (struct location){.address = address};
    *slot = ++n_locations;
    return &locations[n_locations - 1];
}

/* Of a location's releases, how many the running thread may count on. What another thread of the
 * block has acquired is ours behind the next barrier of both. What a lock protects must stay behind
 * its taking, which takes a fence: where an atomicCAS() acquires, the thread must have come to one,
 * or to a barrier. */
static size_t mine(const struct acquired *a)
{
    const struct rd_sim_core *core = &rd_sim_core;
    unsigned epoch = rd_sim_fences_acquire ? a->fenced : a->epoch;
    if (a->thread == core->thread)
        return epoch > 0 && (!a->takes_fence || epoch < rd_record_epoch(core->stamp)) ? a->n
                                                                                      : a->n_before;
    if (epoch == 0)
        return 0;
    if ((uint64_t)epoch << RD_EPOCH_SHIFT < core->interval_floor)
        return a->n;
    bool met = a->thread / RD_SIM_WARP == core->thread / RD_SIM_WARP &&
               rd_sim_warp_ordered(epoch, a->thread);
    return met ? a->n : 0;
}

static void fence_acquired(unsigned thread, unsigned epoch, bool of_block)
{
    for (size_t k = 0; k < n_acquired; k++)
        if (acquired[k].thread == thread && acquired[k].fenced == 0 &&
            (!of_block || acquired[k].of_block))
            acquired[k].fenced = epoch;
}

static void acquire(const struct location *location, enum rd_sim_atomic atomic)
{
    struct acquired now = {
        .location = (size_t)(location - locations),
        .n = location->n,
        .thread = rd_sim_core.thread,
        .epoch = rd_record_epoch(rd_sim_core.stamp),
        .of_block = atomic & RD_SIM_OF_BLOCK,
        .takes_fence = atomic & RD_SIM_TAKES_LOCK,
    };
    for (size_t k = 0; k < n_acquired; k++)
        if (acquired[k].location == now.location && acquired[k].thread == now.thread) {
            now.n_before = mine(&acquired[k]);
            acquired[k] = now;
            return;
        }
    if (rd_sim_room_make(&acquired, n_acquired, &acquired_capacity, sizeof *acquired))
        acquired[n_acquired++] = now;
}

static void add_links(struct location *to, bool grid)
{
    for (size_t k = 0; k < n_acquired; k++) {
        const struct acquired *a = &acquired[k];
        if (&locations[a->location] == to || mine(a) == 0)
            continue;
        if (!rd_sim_room_make(&to->links, to->n_links, &to->links_capacity, sizeof *to->links))
            return;
        to->links[to->n_links++] =
            (struct link){to->n, a->location, mine(a), grid && !a->of_block, rd_sim_core.block};
    }
}

static void release(struct location *location, enum rd_sim_atomic atomic)
{
    const struct rd_sim_core *core = &rd_sim_core;
    bool grid = !(atomic & RD_SIM_OF_BLOCK) && fences[core->thread].grid > 0;
    if (!rd_sim_room_make(&location->releases, location->n, &location->capacity,
                          sizeof *location->releases))
        return;
    add_links(location, grid);
    location->releases[location->n++] = (struct release){
        .block = core->block,
        .thread = core->thread,
        .grid_epoch = grid ? fences[core->thread].grid : 0,
        .block_epoch = fences[core->thread].block,
        .interval_epoch = (unsigned)(core->interval_floor >> RD_EPOCH_SHIFT),
        .at = rd_record_epoch(core->stamp),
        .known = rd_sim_order_known(),
    };
}

void rd_sim_fences_atomic(uintptr_t address, enum rd_sim_atomic atomic)
{
    bool releases = fences_used && fences[rd_sim_core.thread].block > 0;
    if (!releases && n_locations == 0)
        return;
    struct location *location = location_of(address, releases);
    if (!location)
        return;
    if (location->n > 0)
        acquire(location, atomic);
    if (releases)
        release(location, atomic);
}

/* ---- questions ---- */

struct question {
    uint64_t block;
    unsigned thread, epoch; /* epoch 0: any */
    uintptr_t address;
};

static bool answers(const struct release *r, const struct question *q, const struct location *l,
                    bool within)
{
    unsigned up_to = within ? r->block_epoch : r->grid_epoch;
    if (up_to == 0)
        return false;
    if (r->thread == q->thread)
        /* The atomic itself is in front of whoever acquires it. */
        return q->epoch <= up_to || (l->address == q->address && q->epoch <= r->at);
    return q->epoch > 0 && (q->epoch < r->interval_epoch ||
                            (r->known && r->thread / RD_SIM_WARP == q->thread / RD_SIM_WARP &&
                             q->epoch < r->known[q->thread % RD_SIM_WARP]));
}

/* The first of these releases, which is of the block or a later one. Blocks mostly come in order. */
static size_t first_of(const struct location *l, size_t n, uint64_t block)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->releases[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t *asked; /* of each location, so many releases have been looked at */
static size_t asked_capacity;

/* Looks through the first n releases of a location. Those that are for their block only count in
 * this block, and where a thread of their block has acquired them and released them to the grid. */
static bool find(size_t location, size_t n, uint64_t block, const struct question *q)
{
    const struct location *l = &locations[location];
    if (n <= asked[location])
        return false;
    asked[location] = n;
    size_t first = first_of(l, n, q->block);
    bool within = block == q->block;
    for (size_t k = first_of(l, n, q->block + 1); k-- > first;) {
        if (answers(&l->releases[k], q, l, within))
            return true;
        within |= l->releases[k].grid_epoch > 0;
    }
    return false;
}

static bool find_linked(const struct question *q)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < n_locations; k++)
            for (size_t m = 0; m < locations[k].n_links; m++) {
                const struct link *link = &locations[k].links[m];
                if (link->behind >= asked[k] || link->n <= asked[link->location] ||
                    (!link->grid && link->block != rd_sim_core.block))
                    continue;
                more = true;
                if (find(link->location, link->n, link->block, q))
                    return true;
            }
    }
    return false;
}

static bool ask(const struct question *q)
{
    if (n_acquired == 0)
        return false;
    if (asked_capacity < n_locations) {
        size_t *grown = realloc(asked, locations_capacity * sizeof *asked);
        if (!grown)
            return false;
        asked = grown;
        asked_capacity = locations_capacity;
    }
    memset(asked, 0, n_locations * sizeof *asked);
    for (size_t k = 0; k < n_acquired; k++) {
        const struct acquired *a = &acquired[k];
        bool in_scope = !a->of_block || q->block == rd_sim_core.block;
        if (in_scope && find(a->location, mine(a), rd_sim_core.block, q))
            return true;
    }
    return find_linked(q);
}

bool rd_sim_fences_have_released(void)
{
    return n_locations > 0;
}

bool rd_sim_fence_ordered(uint64_t block, unsigned epoch, unsigned thread, uintptr_t address)
{
    return ask(&(struct question){block, thread, epoch, address});
}

bool rd_sim_fence_knows(uint64_t block, unsigned thread)
{
    return ask(&(struct question){.block = block, .thread = thread});
}

/* ---- starts ---- */

void rd_sim_fences_launch(void)
{
    for (size_t k = 0; k < n_locations; k++) {
        for (size_t m = 0; m < locations[k].n; m++)
            free(locations[k].releases[m].known);
        free(locations[k].releases);
        free(locations[k].links);
    }
    if (n_locations > 0)
        memset(slots, 0, n_slots * sizeof *slots);
    n_locations = 0;
    rd_sim_fences_block();
}

void rd_sim_fences_block(void)
{
    n_acquired = 0;
    if (fences_used)
        memset(fences, 0, sizeof fences);
    fences_used = false;
}

void rd_sim_fences_visit(void (*visit)(unsigned *epoch))
{
    for (unsigned k = 0; fences_used && k < RD_SIM_BLOCK_MAX; k++) {
        visit(&fences[k].grid);
        visit(&fences[k].block);
    }
    for (size_t k = 0; k < n_acquired; k++) {
        visit(&acquired[k].epoch);
        visit(&acquired[k].fenced);
    }
    for (const struct location *l = locations; l < locations + n_locations; l++)
        for (struct release *r = l->releases; r < l->releases + l->n; r++) {
            visit(&r->grid_epoch);
            visit(&r->block_epoch);
            visit(&r->interval_epoch);
            visit(&r->at);
            for (unsigned lane = 0; r->known && lane < RD_SIM_WARP; lane++)
                visit(&r->known[lane]);
        }
}
