// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/observers.h"
#include "base/array.h"
#include "device/sim/engine/detector.h"
#include "device/sim/api/hooks.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/engine/engine.h"
#include "device/sim/detect/races.h"
#include "device/sim/detect/last_access.h"

#include <stdlib.h>
#include <string.h>

/* Blocks that are looked at closely, which takes time: the others do the same. An array is compared in parts
 * of so many bytes, as few of them change from one thread to the next. */
enum { CLOSELY_MAX = 4, PART_BYTES = 256 };

/* Memory for the checkpoints of one block. */
#define BLOCK_BYTES_MAX ((size_t)64 << 20)

/* A lane that does not come leaves this. */
enum { ABSENT = 0xa5 };

struct entry {
    struct rd_place place;
    size_t next; /* the one before it in its bucket, plus 1; 0: none */
    uint32_t present;
    unsigned threads; /* that have come */
    bool written;
    size_t n_cells;
    /* Cells of an array as the first thread found it and, closely, behind that as the last did. */
    unsigned char *cells;
};

/* Log of the checkpoints that a running block has come to. Blocks that wait for the whole grid are several. */
struct log {
    uint64_t block;
    struct log *next;
    bool closely;     /* its arrays are compared as each thread comes; else as the first does */
    unsigned *counts; /* checkpoints, by thread */
    struct entry *entries;
    size_t n, capacity, bytes;
    size_t *buckets; /* by place: the last entry in each, plus 1 */
    size_t n_buckets;
    /* The entry that a thread has come to last: most often the next comes there, too. */
    size_t latest;
};

struct rd_sim_watching_state {
    struct rd_watch *watch;
    size_t blocks, elem_bytes;
    unsigned threads;
    struct log *logs;
    unsigned trial;       /* 0: the launch runs for the first time; */
    const char *schedule; /* else once more, under this schedule */
    unsigned n_closely;
    enum rd_status status;
};

void rd_sim_watch_begin(struct rd_watch *watch, size_t blocks, unsigned threads, size_t elem_bytes)
{
    struct rd_sim_watching_state *own = rd_sim_here->watching;
    own->watch = watch;
    own->blocks = blocks;
    own->threads = threads;
    own->elem_bytes = elem_bytes;
    own->n_closely = 0;
    own->status = RD_OK;
}

static bool is_observed(const struct rd_sim_watching_state *own, uint64_t block)
{
    const struct rd_blocks *blocks = &own->watch->blocks;
    if (blocks->all || (blocks->last && block == own->blocks - 1))
        return true;
    for (unsigned k = 0; k < blocks->count; k++)
        if (blocks->block[k] == block)
            return true;
    return false;
}

static struct log *log_of(struct rd_sim_watching_state *own, uint64_t block)
{
    for (struct log *log = own->logs; log; log = log->next)
        if (log->block == block)
            return log;
    struct log *log = calloc(1, sizeof *log);
    unsigned *counts = calloc(own->threads, sizeof *counts);
    if (!log || !counts) {
        free(log);
        free(counts);
        return NULL;
    }
    *log = (struct log){.block = block, .next = own->logs, .counts = counts};
    log->closely = own->n_closely++ < CLOSELY_MAX;
    return own->logs = log;
}

static size_t *bucket_of(const struct log *log, const struct rd_place *place)
{
    const uint64_t number = place->number, warp = (uint64_t)place->warp, point = place->point;
    const uint64_t key = ((number * 31 + warp) * 31 + point) * 31 + place->variable;
    return &log->buckets[(key * 0x9e3779b97f4a7c15 >> 32) & (log->n_buckets - 1)];
}

/* Compares places of one block. */
static inline bool is_place(const struct rd_place *x, const struct rd_place *y)
{
    return x->number == y->number && x->warp == y->warp && x->point == y->point &&
           x->variable == y->variable;
}

/* The entry of this place, if a thread has come to it already. */
static struct entry *find(struct log *log, const struct rd_place *place)
{
    if (log->n > 0 && is_place(&log->entries[log->latest].place, place))
        return &log->entries[log->latest];
    for (size_t k = log->n_buckets > 0 ? *bucket_of(log, place) : 0; k > 0;
         k = log->entries[k - 1].next)
        if (is_place(&log->entries[k - 1].place, place)) {
            log->latest = k - 1;
            return &log->entries[k - 1];
        }
    return NULL;
}

static void put_in_bucket(struct log *log, size_t index)
{
    size_t *bucket = bucket_of(log, &log->entries[index].place);
    log->entries[index].next = *bucket;
    *bucket = index + 1;
}

/* Buckets for one entry more. */
static bool make_buckets(struct log *log)
{
    enum { FEWEST = 64 };
    if (log->n < log->n_buckets)
        return true;
    const size_t n_buckets = log->n_buckets ? 2 * log->n_buckets : FEWEST;
    size_t *buckets = calloc(n_buckets, sizeof *buckets);
    if (!buckets)
        return false;
    free(log->buckets);
    log->buckets = buckets;
    log->n_buckets = n_buckets;
    for (size_t k = 0; k < log->n; k++)
        put_in_bucket(log, k);
    return true;
}

static struct entry *add(struct log *log, const struct rd_place *place, size_t n_cells,
                         size_t elem_bytes)
{
    bool twice = place->warp == RD_WHOLE_BLOCK && log->closely;
    size_t size_bytes = (twice ? 2 : 1) * n_cells * elem_bytes;
    if (log->bytes + size_bytes > BLOCK_BYTES_MAX)
        return NULL;
    if (!rd_array_make_room(&log->entries, log->n, &log->capacity, sizeof *log->entries) ||
        !make_buckets(log))
        return NULL;
    unsigned char *cells = malloc(size_bytes ? size_bytes : 1);
    if (!cells)
        return NULL;
    memset(cells, ABSENT, size_bytes);
    log->bytes += size_bytes;
    log->entries[log->n] = (struct entry){.place = *place, .n_cells = n_cells, .cells = cells};
    put_in_bucket(log, log->n);
    log->latest = log->n;
    return &log->entries[log->n++];
}

/* Checkpoint that the running thread has come to. */
struct arrival {
    enum rd_point point;
    int warp;          /* or RD_WHOLE_BLOCK: */
    const void *array; /* of so many cells */
    size_t n_cells, elem_bytes;
    uint64_t variable;
};

/* NULL where nobody is told of it. `is_new`: it is the first of those that meet there. */
static struct entry *come(const struct rd_sim *sim, const struct arrival *arrival, struct log **its,
                          bool *is_new)
{
    struct rd_sim_watching_state *own = sim->watching;
    const uint64_t block = sim->core.block;
    if (!own->watch || arrival->elem_bytes != own->elem_bytes || !is_observed(own, block))
        return NULL;
    struct log *log = *its = log_of(own, block);
    unsigned *count = log ? &log->counts[sim->core.thread] : NULL;
    if (log && *count >= own->watch->count_max) {
        own->watch->endless = true;
        rd_sim_thread_end();
    }
    const struct rd_place place = {
        .point = arrival->point,
        .block = block,
        .warp = arrival->warp,
        .number = log ? ++*count : 0,
        .variable = arrival->variable,
    };
    struct entry *entry = log ? find(log, &place) : NULL;
    *is_new = !entry;
    if (!entry && log) {
        /* One that is no device memory is not what the invariant is of. */
        bool is_readable = !arrival->array ||
                           rd_sim_is_memory(arrival->array, arrival->n_cells * arrival->elem_bytes);
        entry = add(log, &place, is_readable ? arrival->n_cells : 0, own->elem_bytes);
    }
    if (entry)
        entry->threads++;
    else
        own->watch->truncated = true;
    return entry;
}

/* Tells whether a thread of the block has written to a cell between two bytes of the array with no barrier behind it, and
 * is yet to come: the running one comes now. */
static bool is_written(const struct log *log, const struct entry *entry, const unsigned char *array,
                       size_t from, size_t end)
{
    const struct rd_sim *sim = rd_sim_here;
    const bool one_warp = sim->watching->threads <= RD_SIM_WARP;
    const size_t size = sim->watching->elem_bytes;
    unsigned thread;
    for (size_t at = from;
         (at = rd_sim_find_written(array, at, end, size, one_warp, &thread)) < end; at += size)
        if (thread == sim->core.thread || log->counts[thread] < entry->place.number)
            return true;
    return false;
}

/* Keeps the array as the first thread has found it. */
static void keep(const struct log *log, struct entry *entry, const unsigned char *array)
{
    const size_t size_bytes = entry->n_cells * rd_sim_here->watching->elem_bytes;
    memcpy(entry->cells, array, size_bytes);
    if (log->closely)
        memcpy(entry->cells + size_bytes, array, size_bytes);
    entry->written = is_written(log, entry, array, 0, size_bytes);
}

/* Compares the array with how the thread before has found it. Who has come goes on, and may write: the
 * build that people run has no barrier here. */
static void compare(const struct log *log, struct entry *entry, const unsigned char *array)
{
    const size_t size = rd_sim_here->watching->elem_bytes, part = PART_BYTES;
    const size_t size_bytes = entry->n_cells * size;
    unsigned char *latest = entry->cells + size_bytes;
    for (size_t at = 0; at < size_bytes; at += part) {
        size_t end = size_bytes - at < part ? size_bytes : at + part;
        if (memcmp(latest + at, array + at, end - at) == 0)
            continue;
        for (size_t k = at; k < end && !entry->written; k += size)
            if (memcmp(latest + k, array + k, size) != 0)
                entry->written = is_written(log, entry, array, k, k + size);
        memcpy(latest + at, array + at, end - at);
    }
}

RD_HOOK void rd_sim_checkpoint(int point, const void *array, size_t count, size_t elem_bytes,
                               uint64_t variable)
{
    const struct arrival arrival = {
        .point = (enum rd_point)point,
        .warp = RD_WHOLE_BLOCK,
        .array = array,
        .n_cells = count,
        .elem_bytes = elem_bytes,
        .variable = variable,
    };
    struct log *log;
    bool is_new;
    rd_sim_settle();
    if (rd_sim_here->core.on_access) /* the recorder may be who is told of each */
        rd_sim_recorder_checkpoint(point, array);
    struct entry *entry = come(rd_sim_here, &arrival, &log, &is_new);
    if (entry && is_new)
        keep(log, entry, array);
    else if (entry && log->closely)
        compare(log, entry, array);
}

RD_HOOK void rd_sim_checkpoint_lane(int point, const void *value, size_t elem_bytes,
                                    uint64_t variable)
{
    const struct rd_sim *sim = rd_sim_here;
    const struct arrival arrival = {
        .point = (enum rd_point)point,
        .warp = (int)(sim->core.thread / RD_SIM_WARP),
        .n_cells = RD_WARP_LANES,
        .elem_bytes = elem_bytes,
        .variable = variable,
    };
    struct log *log;
    bool is_new;
    unsigned lane = sim->core.thread % RD_SIM_WARP;
    rd_sim_recorder_checkpoint_lane(point, value, elem_bytes,
                                    (uintptr_t)__builtin_return_address(0));
    struct entry *entry = come(sim, &arrival, &log, &is_new);
    if (!entry)
        return;
    entry->present |= 1u << lane;
    memcpy(entry->cells + lane * elem_bytes, value, elem_bytes);
}

/* ---- telling ---- */

static int by_place(const void *x, const void *y)
{
    const struct rd_place *a = &((const struct entry *)x)->place;
    const struct rd_place *b = &((const struct entry *)y)->place;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    return (a->variable > b->variable) - (a->variable < b->variable);
}

/* Passes the log to the listener, which may use other simulators on this thread. */
static void tell(struct log *log)
{
    struct rd_sim *here = rd_sim_here;
    struct rd_sim_watching_state *own = here->watching;
    qsort(log->entries, log->n, sizeof *log->entries, by_place);
    for (size_t k = 0; k < log->n; k++) {
        const struct entry *entry = &log->entries[k];
        const struct rd_checkpoint checkpoint = {
            .place = entry->place,
            .cells = entry->cells,
            .n_cells = entry->n_cells,
            .present = entry->present,
            .trial = own->trial,
            .schedule = own->schedule,
            .threads = entry->threads,
            .written = entry->written,
        };
        if (own->status == RD_OK)
            own->status = own->watch->checkpoint(own->watch->self, &checkpoint);
        rd_sim_here = here;
    }
}

static void destroy(struct log *log)
{
    for (size_t k = 0; k < log->n; k++)
        free(log->entries[k].cells);
    free(log->entries);
    free(log->buckets);
    free(log->counts);
    free(log);
}

void rd_sim_watch_block(uint64_t block)
{
    struct rd_sim_watching_state *own = rd_sim_here->watching;
    if (!own->watch)
        return;
    for (struct log **at = &own->logs; *at; at = &(*at)->next)
        if ((*at)->block == block) {
            struct log *log = *at;
            *at = log->next;
            tell(log);
            destroy(log);
            return;
        }
}

static void forget(void)
{
    struct rd_sim_watching_state *own = rd_sim_here->watching;
    while (own->logs) {
        struct log *log = own->logs;
        own->logs = log->next;
        destroy(log);
    }
}

static void again(unsigned trial, const char *schedule)
{
    struct rd_sim_watching_state *own = rd_sim_here->watching;
    forget();
    own->n_closely = 0;
    own->trial = trial;
    own->schedule = schedule;
}

enum rd_status rd_sim_watch_end(void)
{
    struct rd_sim_watching_state *own = rd_sim_here->watching;
    forget();
    own->watch = NULL;
    own->trial = 0;
    own->schedule = NULL;
    return own->status;
}

const struct rd_sim_part rd_sim_part_watching = {
    .size_bytes = sizeof(struct rd_sim_watching_state),
    .at = offsetof(struct rd_sim, watching),
};

const struct rd_sim_detector rd_sim_detector_watching = {.again = again};
