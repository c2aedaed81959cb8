// SPDX-License-Identifier: MIT
#include "history/accesses.h"

#include <stdlib.h>
#include <string.h>

/* A thread of a launch has fewer, see the devices' limits. */
enum { THREADS_MAX = 1024 };

/* Room for so many elements, and never none, so that NULL is always a failure. */
static void *room(size_t count, size_t size)
{
    return malloc((count + 1) * size);
}

static enum rd_status no_memory(struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the accesses of a round");
}

static size_t count_left(const struct rd_access_list *list)
{
    size_t count = 0;
    for (size_t k = 0; k < list->count; k++)
        count += rd_access_leaves(list->accesses[k].op);
    return count;
}

/* ---- by thread ---- */

static int by_block(const void *x, const void *y, void *context)
{
    const struct rd_access *accesses = context;
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    if (accesses[i].block != accesses[j].block)
        return accesses[i].block < accesses[j].block ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* Most blocks need no sorting: their threads ran one after the other. */
static bool is_sorted(const struct rd_access *accesses, const uint32_t *order, size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (accesses[order[k - 1]].thread > accesses[order[k]].thread)
            return false;
    return true;
}

/* Sorts the accesses of a block by thread, and keeps each thread's order. */
static void sort_block(const struct rd_access *accesses, uint32_t *order, size_t count,
                       uint32_t *spare)
{
    size_t ends[THREADS_MAX + 1] = {0};
    if (is_sorted(accesses, order, count))
        return;
    for (size_t k = 0; k < count; k++)
        ends[accesses[order[k]].thread % THREADS_MAX + 1]++;
    for (size_t t = 0; t < THREADS_MAX; t++)
        ends[t + 1] += ends[t];
    for (size_t k = 0; k < count; k++)
        spare[ends[accesses[order[k]].thread % THREADS_MAX]++] = order[k];
    memcpy(order, spare, count * sizeof *order);
}

/* Blocks that wait for each other are interleaved; else they come one after the other. */
static void sort_launch(const struct rd_access *accesses, uint32_t *order, size_t count,
                        uint32_t *spare)
{
    size_t first = 0, k = 1;
    while (k < count && accesses[order[k - 1]].block <= accesses[order[k]].block)
        k++;
    if (k < count)
        qsort_r(order, count, sizeof *order, by_block, (void *)accesses);
    for (k = 1; k <= count; k++)
        if (k == count || accesses[order[k]].block != accesses[order[first]].block) {
            sort_block(accesses, order + first, k - first, spare);
            first = k;
        }
}

static enum rd_status sort(struct rd_links *links, const struct rd_access_list *list,
                           const size_t *ends, struct rd_error *error)
{
    const size_t whole[] = {0, list->count};
    uint32_t *spare = room(list->count, sizeof *spare);
    links->order = room(list->count, sizeof *links->order);
    if (!spare || !links->order) {
        free(spare);
        return no_memory(error);
    }
    for (size_t k = 0; k < list->count; k++)
        links->order[k] = (uint32_t)k;
    const size_t *end = ends ? ends : whole;
    for (size_t first = 0; first < list->count; first = *end)
        sort_launch(list->accesses, links->order + first, *++end - first, spare);
    free(spare);
    return RD_OK;
}

/* ---- threads ---- */

/* Tells whether the k-th access begins those of its thread in its launch. */
static bool begins(const struct rd_access_list *list, const uint32_t *order, size_t k,
                   const size_t *end)
{
    if (k == 0 || (end && k == *end))
        return true;
    const struct rd_access *x = &list->accesses[order[k - 1]], *y = &list->accesses[order[k]];
    return x->block != y->block || x->thread != y->thread;
}

/* The launch that the access is in: its end is behind `end`. */
static const size_t *pass_launches(const size_t *end, size_t k)
{
    while (end && end[1] <= k)
        end++;
    return end;
}

static size_t count_threads(const struct rd_links *links, const struct rd_access_list *list,
                            const size_t *ends)
{
    size_t count = 0;
    for (size_t k = 0; k < list->count; k++) {
        ends = pass_launches(ends, k);
        count += begins(list, links->order, k, ends);
    }
    return count;
}

static void fill_threads(struct rd_links *links, const struct rd_access_list *list,
                         const size_t *ends)
{
    size_t threads = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        const struct rd_access *access = &list->accesses[links->order[k]];
        ends = pass_launches(ends, k);
        if (begins(list, links->order, k, ends))
            links->threads[threads++] = (struct rd_access_thread){
                .block = access->block, .thread = access->thread, .first = k};
        links->threads[threads - 1].count++;
    }
}

enum rd_status rd_links_init(struct rd_links *links, struct rd_access_list *list,
                             const size_t *ends, struct rd_error *error)
{
    struct rd_links made = {.order = NULL};
    enum rd_status status = sort(&made, list, ends, error);
    if (status == RD_OK) {
        list->n_threads = count_threads(&made, list, ends);
        made.threads = room(list->n_threads, sizeof *made.threads);
        if (!made.threads)
            status = no_memory(error);
    }
    if (status != RD_OK) {
        rd_links_finish(&made);
        return status;
    }
    fill_threads(&made, list, ends);
    list->order = made.order;
    list->threads = made.threads;
    *links = made;
    return RD_OK;
}

void rd_links_finish(struct rd_links *links)
{
    free(links->order);
    free(links->threads);
    free(links->position);
    free(links->seen);
    free(links->moves);
    rd_derivation_finish(&links->sources);
    *links = (struct rd_links){.order = NULL};
}

/* ---- the write before ---- */

/* The last value left in each element, by element: open addressing, linear probing. */
struct table {
    const struct rd_access_list *list;
    uint32_t *slots; /* an access, or RD_NO_ACCESS */
    size_t mask;
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15u;
    return x ^ (x >> 29);
}

/* The slot of the element that the access is to. */
static uint32_t *find(const struct table *table, const struct rd_access *access)
{
    const struct rd_access_list *list = table->list;
    bool shared = list->arrays[access->array].shared;
    uint64_t block = shared ? access->block + 1 : 0;
    size_t k = mix(mix(block << 8 | access->array) ^ access->index) & table->mask;
    for (;; k = (k + 1) & table->mask) {
        uint32_t *slot = &table->slots[k];
        if (*slot == RD_NO_ACCESS)
            return slot;
        const struct rd_access *other = &list->accesses[*slot];
        if (other->index == access->index && other->array == access->array &&
            (!shared || other->block == access->block))
            return slot;
    }
}

static enum rd_status see(const struct rd_access_list *list, const size_t *ends, uint32_t *seen,
                          struct rd_error *error)
{
    struct table table = {.list = list};
    size_t size = 64, left = count_left(list);
    while (size < 2 * left)
        size *= 2;
    table.mask = size - 1;
    table.slots = malloc(size * sizeof *table.slots);
    if (!table.slots)
        return no_memory(error);
    memset(table.slots, 0xff, size * sizeof *table.slots);
    for (uint32_t k = 0; k < list->count; k++) {
        const struct rd_access *access = &list->accesses[k];
        ends = pass_launches(ends, k);
        uint32_t *slot = find(&table, access);
        /* Shared memory lasts no longer than its launch. */
        bool gone = list->arrays[access->array].shared && ends && *slot < *ends;
        seen[k] = gone ? RD_NO_ACCESS : *slot;
        if (rd_access_leaves(access->op))
            *slot = k;
    }
    free(table.slots);
    return RD_OK;
}

enum rd_status rd_links_see(struct rd_links *links, const struct rd_access_list *list,
                            const size_t *ends, struct rd_error *error)
{
    if (links->seen)
        return RD_OK;
    uint32_t *position = room(list->count, sizeof *position);
    uint32_t *seen = room(list->count, sizeof *seen);
    enum rd_status status = position && seen ? see(list, ends, seen, error) : no_memory(error);
    if (status != RD_OK) {
        free(position);
        free(seen);
        return status;
    }
    for (uint32_t k = 0; k < list->count; k++)
        position[links->order[k]] = k;
    links->position = position;
    links->seen = seen;
    return RD_OK;
}

/* ---- moves ---- */

/* Without lanes: a cell that is read and then written with nothing left by its thread in between is
 * read for that write. */
static void fill_moves(const struct rd_links *links, struct rd_access_list *list)
{
    for (uint32_t t = 0; t < list->n_threads; t++) {
        const struct rd_access_thread *thread = &links->threads[t];
        uint32_t first = thread->first, end = thread->first + thread->count;
        for (uint32_t k = first; k < end; k++) {
            if (!rd_access_leaves(list->accesses[links->order[k]].op))
                continue;
            links->moves[list->n_moves++] = (struct rd_access_move){
                .thread = t, .first = first, .n_reads = k - first, .write = k};
            first = k + 1;
        }
    }
    list->sources = links->order;
}

/* The search for the sources of the moves of a list with lanes. */
struct moving {
    const struct rd_deriving *deriving;
    struct rd_links *links;
    struct rd_access_list *list;
    struct rd_derivation own, waiting; /* of what is derived; of what came through lanes */
};

/* Adds the reads from memory, by any lane, behind the move's values that came from registers. False without memory. */
static bool add_far(struct moving *moving, struct rd_access_move *move)
{
    const struct rd_access_list *list = moving->list;
    struct rd_derivation *all = &moving->links->sources, *waiting = &moving->waiting;
    move->first_far = (uint32_t)all->count;
    waiting->count = 0;
    for (uint32_t k = 0; k < move->n_reads; k++)
        if (!rd_derivation_add(waiting, all->sources[move->first + move->n_reads - 1 - k]))
            return false;
    while (waiting->count > 0 && all->count - move->first_far < RD_FAR_MAX) {
        uint32_t at = waiting->sources[--waiting->count];
        enum rd_access_op op = list->accesses[at].op;
        if (op == RD_ACCESS_READ && !rd_derivation_add(all, at))
            return false;
        if (op == RD_ACCESS_TAKE)
            at = moving->links->seen[at];
        if (op == RD_ACCESS_READ || at == RD_NO_ACCESS)
            continue;
        if (!rd_derive(moving->deriving, at, &moving->own))
            return false;
        for (size_t k = moving->own.count; k-- > 0;)
            if (!rd_derivation_add(waiting, moving->own.sources[k]))
                return false;
    }
    moving->list->truncated |= waiting->count > 0;
    move->n_far = (uint32_t)all->count - move->first_far;
    return true;
}

/* Tells whether it was made of anything but what its thread had left before. */
static bool is_move(const struct rd_access_list *list, const struct rd_access *access,
                    const struct rd_derivation *own)
{
    bool any = !rd_access_is_of_lane(access->op);
    for (size_t k = 0; k < own->count; k++)
        any |= !rd_access_leaves(list->accesses[own->sources[k]].op);
    return any;
}

static bool add_move(struct moving *moving, uint32_t thread, uint32_t at)
{
    struct rd_access_list *list = moving->list;
    struct rd_derivation *all = &moving->links->sources, *own = &moving->own;
    const struct rd_access *access = &list->accesses[moving->links->order[at]];
    bool through = false;
    if (!rd_derive(moving->deriving, moving->links->order[at], own))
        return false;
    if (!is_move(list, access, own))
        return true;
    struct rd_access_move move = {
        .thread = thread,
        .first = (uint32_t)all->count,
        .n_reads = (uint32_t)own->count,
        .write = at,
        .unsure = own->state != RD_DERIVED,
    };
    for (size_t k = 0; k < own->count; k++) {
        through |= list->accesses[own->sources[k]].op != RD_ACCESS_READ;
        if (!rd_derivation_add(all, own->sources[k]))
            return false;
    }
    if (through && !rd_access_is_of_lane(access->op) && !add_far(moving, &move))
        return false;
    moving->links->moves[list->n_moves++] = move;
    return true;
}

static bool derive_moves(struct moving *moving)
{
    const struct rd_links *links = moving->links;
    const struct rd_access_list *list = moving->list;
    for (uint32_t t = 0; t < list->n_threads; t++)
        for (uint32_t k = 0; k < links->threads[t].count; k++) {
            uint32_t at = links->threads[t].first + k;
            if (rd_access_leaves(list->accesses[links->order[at]].op) && !add_move(moving, t, at))
                return false;
        }
    return true;
}

struct rd_deriving rd_links_deriving(const struct rd_links *links,
                                     const struct rd_access_list *list, const size_t *ends,
                                     const struct rd_weights *weights)
{
    return (struct rd_deriving){
        .list = list,
        .order = links->order,
        .position = links->position,
        .seen = links->seen,
        .ends = ends,
        .weights = weights->of,
        .mask = weights->mask,
    };
}

bool rd_links_keep(const struct rd_links *links, const struct rd_access_list *list)
{
    for (size_t t = 0; t < list->n_threads && !list->lanes; t++) {
        bool has_read = false, since = false;
        for (uint32_t k = 0; k < links->threads[t].count; k++) {
            uint32_t at = links->order[links->threads[t].first + k];
            const enum rd_access_op op = list->accesses[at].op;
            if (op == RD_ACCESS_WRITE && has_read && !since)
                return true;
            since = !rd_access_leaves(op);
            has_read |= since;
        }
    }
    return list->lanes;
}

enum rd_status rd_links_move(struct rd_links *links, struct rd_access_list *list,
                             const struct rd_weights *weights, struct rd_error *error)
{
    struct rd_deriving deriving = {.list = list};
    struct moving moving = {.deriving = &deriving, .links = links, .list = list};
    enum rd_status status = RD_OK;
    links->moves = room(count_left(list), sizeof *links->moves);
    list->n_moves = 0;
    if (!links->moves)
        return no_memory(error);
    if (!weights) {
        fill_moves(links, list);
    } else {
        deriving = rd_links_deriving(links, list, NULL, weights);
        if (!derive_moves(&moving))
            status = no_memory(error);
        list->sources = links->sources.sources;
    }
    list->moves = links->moves;
    rd_derivation_finish(&moving.own);
    rd_derivation_finish(&moving.waiting);
    return status;
}
