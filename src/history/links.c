// SPDX-License-Identifier: MIT
#include "history/links.h"

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

/* Blocks that wait for each other take turns; else they come one after the other. */
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

/* ---- what a write takes ---- */

/* Where a thread's accesses of a launch begin. */
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

static void count(const struct rd_links *links, struct rd_access_list *list, const size_t *ends)
{
    for (size_t k = 0; k < list->count; k++) {
        ends = pass_launches(ends, k);
        list->n_threads += begins(list, links->order, k, ends);
        list->n_moves += list->accesses[k].op != RD_ACCESS_READ;
    }
}

/* A cell that is read and then written with no write of its thread in between is read for that
 * write. */
static void fill(struct rd_links *links, const struct rd_access_list *list, const size_t *ends)
{
    uint32_t threads = 0, moves = 0, first = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        const struct rd_access *access = &list->accesses[links->order[k]];
        ends = pass_launches(ends, k);
        if (begins(list, links->order, k, ends)) {
            links->threads[threads++] = (struct rd_access_thread){
                .block = access->block, .thread = access->thread, .first = k};
            first = k;
        }
        links->threads[threads - 1].count++;
        if (access->op == RD_ACCESS_READ)
            continue;
        links->moves[moves++] = (struct rd_access_move){
            .thread = threads - 1, .first = first, .n_reads = k - first, .write = k};
        first = k + 1;
    }
}

enum rd_status rd_links_init(struct rd_links *links, struct rd_access_list *list,
                             const size_t *ends, struct rd_error *error)
{
    struct rd_links made = {.order = NULL};
    struct rd_access_list linked = *list;
    enum rd_status status = sort(&made, list, ends, error);
    linked.n_threads = linked.n_moves = 0;
    if (status == RD_OK) {
        count(&made, &linked, ends);
        made.threads = room(linked.n_threads, sizeof *made.threads);
        made.moves = room(linked.n_moves, sizeof *made.moves);
        if (!made.threads || !made.moves)
            status = no_memory(error);
    }
    if (status != RD_OK) {
        rd_links_finish(&made);
        return status;
    }
    fill(&made, list, ends);
    linked.order = made.order;
    linked.threads = made.threads;
    linked.moves = made.moves;
    *links = made;
    *list = linked;
    return RD_OK;
}

void rd_links_finish(struct rd_links *links)
{
    free(links->order);
    free(links->threads);
    free(links->moves);
    free(links->position);
    free(links->seen);
    *links = (struct rd_links){.order = NULL};
}

/* ---- the write before ---- */

/* The last write of each element, by element: open addressing, linear probing. */
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
    size_t size = 64;
    while (size < 2 * list->n_moves)
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
        if (access->op != RD_ACCESS_READ)
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
