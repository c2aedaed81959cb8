// SPDX-License-Identifier: MIT
/* Cells of an exact launch: the accesses to each, and which of these race. Longer than others: all of it runs at each access, and the
 * compiler puts it together. */
#include "device/sim/object.h"
#include "device/sim/detect/slow_path.h"
#include "base/array.h"
#include "device/sim/engine/engine.h"
#include "device/sim/engine/detector.h"
#include "device/sim/memory/memory.h"
#include "device/sim/source/sites.h"

#include <stdlib.h>
#include <string.h>

/* Accesses of some lanes of a warp that are alike. */
struct entry {
    uint64_t block;
    uintptr_t pc;
    unsigned epoch;
    uint32_t lanes;
    /* Strong ones only: the write's number in the location's chain, 0 for a read, and the writes that a
     * read has seen, seen_start + 1 to seen_last. */
    unsigned number, seen_start, seen_last;
    uint8_t warp;
    bool reads : 1, writes : 1, is_strong : 1, of_block : 1, is_atomic : 1, is_volatile : 1;
};

struct list {
    struct entry *entries;
    size_t n, capacity;
};

/* State of strong accesses to it. */
struct strong {
    struct rd_sim_chain chain;
    struct list polls; /* strong accesses that only read */
};

struct cell {
    uintptr_t address; /* of its first byte; 0: it is free */
    struct list writes, reads;
    struct strong *strong; /* NULL: there was none */
    bool are_others;       /* than strong and volatile ones, among its accesses so far */
    size_t next_free;
};

struct rd_sim_cells_state {
    struct cell *cells; /* number 0 is none */
    size_t n_cells, capacity, first_free;
};

/* Lists that are long are looked through for what is newest from their end. */
enum { RECENT = 8, ENTRIES_MAX = 1 << 16 };
/* More would take more memory than there may be. */
#define CELLS_MAX ((size_t)1 << 23)

static void fail(void)
{
    rd_sim_exact_fails("no memory for all accesses that are not ordered");
}

/* ---- cells ---- */

static uint64_t record_of(size_t number, uint64_t init)
{
    return (uint64_t)RD_EPOCH_MAX << RD_EPOCH_SHIFT | (uint64_t)number << RD_SITE_SHIFT | init |
           RD_EXCLUSIVE;
}

static size_t number_of(uint64_t record)
{
    return (size_t)(record >> RD_SITE_SHIFT & UINT32_MAX);
}

/* 0 without memory. */
static size_t make_cell(uintptr_t address)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    size_t number = own->first_free;
    if (number > 0) {
        own->first_free = own->cells[number].next_free;
    } else {
        if (own->n_cells > CELLS_MAX ||
            !rd_array_make_room(&own->cells, own->n_cells, &own->capacity, sizeof *own->cells))
            return 0;
        number = own->n_cells++;
    }
    own->cells[number] = (struct cell){.address = address};
    return number;
}

static void free_strong(struct cell *cell)
{
    if (!cell->strong)
        return;
    rd_sim_chain_finish(&cell->strong->chain);
    free(cell->strong->polls.entries);
    free(cell->strong);
    cell->strong = NULL;
}

static void free_cell(size_t number)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    struct cell *cell = &own->cells[number];
    free_strong(cell);
    free(cell->writes.entries);
    free(cell->reads.entries);
    *cell = (struct cell){.next_free = own->first_free};
    own->first_free = number;
}

static void drop(uint64_t record)
{
    free_cell(number_of(record));
}

static bool copy_list(struct list *to, const struct list *from)
{
    if (from->n == 0)
        return true;
    to->entries = malloc(from->n * sizeof *to->entries);
    if (!to->entries)
        return false;
    memcpy(to->entries, from->entries, from->n * sizeof *to->entries);
    to->n = to->capacity = from->n;
    return true;
}

static bool copy_strong(struct cell *to, const struct strong *from)
{
    if (!from)
        return true;
    to->strong = calloc(1, sizeof *to->strong);
    return to->strong && rd_sim_chain_copy(&to->strong->chain, &from->chain) &&
           copy_list(&to->strong->polls, &from->polls);
}

/* Numbers of cells stay, but their places may change when one is made. */
static bool copy_cell(size_t to, size_t from)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    own->cells[to].are_others = own->cells[from].are_others;
    return copy_list(&own->cells[to].writes, &own->cells[from].writes) &&
           copy_list(&own->cells[to].reads, &own->cells[from].reads) &&
           copy_strong(&own->cells[to], own->cells[from].strong);
}

void rd_sim_cell_split(uint64_t record, uint64_t records[4])
{
    size_t first = number_of(record);
    for (unsigned k = 1; k < 4; k++) {
        size_t number = make_cell(rd_sim_here->cells->cells[first].address + k);
        if (number == 0 || !copy_cell(number, first)) {
            fail();
            return;
        }
        records[k] = record_of(number, record & RD_INIT);
    }
}

/* Returns the record of these bytes. */
static uint64_t *find_record(uintptr_t address)
{
    enum rd_sim_space space;
    uint64_t *shadow = rd_sim_shadow(address, &space);
    return shadow ? rd_sim_byte_record(shadow, address) : NULL;
}

/* The record of a launch that has ended, as one access of the kind that matters to others. */
static uint64_t record_of_ended(const struct cell *cell, uint64_t init)
{
    bool writes = cell->writes.n > 0 || cell->strong;
    return rd_record_stamp(rd_sim_here->core.epoch, 0) | init |
           (!writes            ? RD_READS
            : cell->are_others ? RD_EXCLUSIVE
                               : RD_ATOMICS);
}

/* The launch has ended: the records that are cells become plain ones of that launch. */
static void forget_all(void)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    for (size_t number = 1; number < own->n_cells; number++) {
        uintptr_t address = own->cells[number].address;
        uint64_t *record = address ? find_record(address) : NULL;
        if (record && rd_sim_is_cell(*record) && number_of(*record) == number)
            *record = record_of_ended(&own->cells[number], *record & RD_INIT);
        if (address)
            free_cell(number);
    }
    free(own->cells);
    own->cells = NULL;
    own->n_cells = 1;
    own->capacity = own->first_free = 0;
}

void rd_sim_cells_visit_chains(void (*keep)(const struct rd_sim_clock **root))
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    for (size_t number = 1; number < own->n_cells; number++)
        if (own->cells[number].strong)
            rd_sim_chain_visit(&own->cells[number].strong->chain, keep);
}

/* ---- entries ---- */

static void append(struct list *list, const struct entry *entry)
{
    size_t wanted = list->capacity ? 2 * list->capacity : 2;
    if (list->n == list->capacity) {
        struct entry *grown =
            wanted <= ENTRIES_MAX ? realloc(list->entries, wanted * sizeof *grown) : NULL;
        if (!grown) {
            fail();
            return;
        }
        list->entries = grown;
        list->capacity = wanted;
    }
    list->entries[list->n++] = *entry;
}

static struct entry entry_of(const struct rd_sim_attempt *a)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    return (struct entry){
        .block = core->block,
        .pc = a->pc,
        .epoch = rd_record_epoch(core->stamp),
        .lanes = 1u << core->thread % RD_SIM_WARP,
        .warp = (uint8_t)(core->thread / RD_SIM_WARP),
        .reads = a->reads,
        .writes = a->writes,
        .is_strong = a->is_strong,
        .of_block = a->is_strong && a->strong.of_block,
        .is_atomic = a->op == RD_SIM_ATOMIC,
        .is_volatile = a->is_volatile,
    };
}

/* The access that a record stands for by itself. */
static struct entry entry_of_record(uint64_t record)
{
    unsigned thread = rd_record_thread(record), epoch = rd_record_epoch(record);
    return (struct entry){
        .block = rd_sim_block_of(epoch),
        .pc = rd_sim_site_first(rd_record_sites(record)),
        .epoch = epoch,
        .lanes = 1u << thread % RD_SIM_WARP,
        .warp = (uint8_t)(thread / RD_SIM_WARP),
        .reads = rd_record_kind(record) == RD_READS,
        .writes = rd_record_kind(record) != RD_READS,
    };
}

static bool same_threads(const struct entry *x, const struct entry *y)
{
    return x->block == y->block && x->warp == y->warp;
}

static bool same_nature(const struct entry *x, const struct entry *y)
{
    return x->reads == y->reads && x->writes == y->writes && x->is_strong == y->is_strong &&
           x->of_block == y->of_block;
}

static bool conflict(const struct entry *x, const struct entry *y)
{
    if (!x->writes && !y->writes)
        return false;
    return !x->is_strong || !y->is_strong || (x->block != y->block && (x->of_block || y->of_block));
}

/* The lanes of an entry whose accesses the running thread does not know to have come before. */
static uint32_t unknown_lanes(const struct entry *e)
{
    return rd_sim_causality_unknown(e->block, e->warp, e->lanes, e->epoch);
}

static bool has_seen(const struct entry *reader, const struct entry *write)
{
    return write->number > reader->seen_start && write->number <= reader->seen_last;
}

/* Tells whether one of them has seen the write, and is known. */
static bool is_seen_by(const struct list *list, const struct entry *write)
{
    for (size_t k = list->n; k-- > 0;)
        if (has_seen(&list->entries[k], write) && !unknown_lanes(&list->entries[k]))
            return true;
    return false;
}

/* The lanes of an earlier access to the cell that are not ordered before the one that is made now. */
static uint32_t unordered_lanes(const struct cell *cell, const struct entry *e,
                                const struct entry *now)
{
    if (has_seen(now, e))
        return 0;
    uint32_t lanes = unknown_lanes(e);
    if (lanes && e->number > 0 &&
        (is_seen_by(&cell->strong->polls, e) || is_seen_by(&cell->writes, e)))
        return 0;
    return lanes;
}

/* ---- one stands for the other ---- */

/* Tells whether what a reader has seen still matters: writes that are stood for by others need no witness. */
static bool needs_witness(const struct cell *cell, const struct entry *reader)
{
    for (size_t k = 0; k < cell->writes.n; k++)
        if (has_seen(reader, &cell->writes.entries[k]))
            return true;
    return false;
}

static bool has_seen_as_much(const struct cell *cell, const struct entry *now,
                             const struct entry *before)
{
    return before->seen_start == before->seen_last ||
           (now->seen_start <= before->seen_start && now->seen_last >= before->seen_last) ||
           !needs_witness(cell, before);
}

/* Tells whether `now` stands for one that is ordered before it. */
static bool stands_for(const struct cell *cell, const struct entry *now, const struct entry *before)
{
    if (now->writes && !now->is_strong)
        return true;
    if (!now->is_strong)
        return !before->writes && has_seen_as_much(cell, now, before);
    return same_nature(now, before) && has_seen(now, before) && has_seen_as_much(cell, now, before);
}

/* ---- steps ---- */

static void tell_race(struct rd_sim_attempt *a, const struct entry *e, uint32_t lanes)
{
    if (!rd_sim_attempt_race(a))
        return;
    a->other = (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = e->warp * (unsigned)RD_SIM_WARP + (unsigned)__builtin_ctz(lanes),
        .block = e->block,
        .op = e->is_atomic ? RD_SIM_ATOMIC
              : e->writes  ? RD_SIM_WRITE
                           : RD_SIM_READ,
        .is_volatile = e->is_volatile,
        .site.pc = e->pc,
    };
    if (e->block != rd_sim_here->core.block)
        a->heard = rd_sim_causality_heard(e->block, e->warp, lanes, e->epoch);
}

static bool is_of_this_launch(const struct entry *e)
{
    return e->epoch >= rd_record_epoch(rd_sim_here->core.launch_floor);
}

/* The last first: a strong write that stands for earlier ones may have taken the witness of an order with it
 * (see is_seen_by), but then it races itself. */
static bool races_with_list(const struct cell *cell, const struct list *list,
                            const struct entry *now, struct rd_sim_attempt *a)
{
    for (size_t k = list->n; k-- > 0;) {
        const struct entry *e = &list->entries[k];
        uint32_t lanes =
            is_of_this_launch(e) && conflict(e, now) ? unordered_lanes(cell, e, now) : 0;
        if (lanes) {
            tell_race(a, e, lanes);
            return true;
        }
    }
    return false;
}

/* Takes out those that the access stands for. */
static void replace_in_list(struct cell *cell, struct list *list, const struct entry *now)
{
    size_t n = 0;
    for (size_t k = 0; k < list->n; k++) {
        struct entry *e = &list->entries[k];
        if (!is_of_this_launch(e))
            continue;
        if (stands_for(cell, now, e))
            e->lanes = unordered_lanes(cell, e, now);
        if (e->lanes)
            list->entries[n++] = *e;
    }
    list->n = n;
}

/* Tells whether all that know of a read know of a later one of the same thread, which has seen as much; or need no
 * witness. */
static bool is_as_good_a_witness(const struct cell *cell, const struct entry *now,
                                 const struct entry *before)
{
    return now->epoch == before->epoch ? has_seen_as_much(cell, now, before)
                                       : !needs_witness(cell, before);
}

/* Adds a read to those of others; it is the newest of its thread. */
static void add_read(const struct cell *cell, struct list *list, const struct entry *now)
{
    for (size_t k = list->n; k > 0 && list->n - k < RECENT; k--) {
        struct entry *e = &list->entries[k - 1];
        if (!same_threads(e, now) || !same_nature(e, now) || !is_as_good_a_witness(cell, now, e))
            continue;
        if (e->epoch == now->epoch && (!now->is_strong || e->lanes == now->lanes)) {
            e->lanes |= now->lanes;
            e->seen_start = now->seen_start;
            e->seen_last = now->seen_last;
            return;
        }
        if (e->lanes == now->lanes) {
            *e = *now;
            return;
        }
    }
    append(list, now);
}

static int by_threads(const void *one, const void *other)
{
    const struct entry *x = one, *y = other;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    return (x->epoch < y->epoch) - (x->epoch > y->epoch);
}

/* Takes out what later reads of the same threads stand for. */
static void tidy(const struct cell *cell, struct list *list)
{
    size_t n = 0;
    qsort(list->entries, list->n, sizeof *list->entries, by_threads);
    for (size_t k = 0; k < list->n; k++) {
        struct entry e = list->entries[k];
        for (size_t m = n; m-- > 0 && same_threads(&list->entries[m], &e) && e.lanes;)
            if (same_nature(&list->entries[m], &e) &&
                is_as_good_a_witness(cell, &list->entries[m], &e))
                e.lanes &= ~list->entries[m].lanes;
        if (e.lanes)
            list->entries[n++] = e;
    }
    list->n = n;
}

static void add(struct cell *cell, const struct entry *now)
{
    struct list *list = now->writes      ? &cell->writes
                        : now->is_strong ? &cell->strong->polls
                                         : &cell->reads;
    if (now->writes) {
        append(list, now);
        return;
    }
    if (list->n == list->capacity && list->n > RECENT)
        tidy(cell, list);
    add_read(cell, list, now);
}

static void clear(struct cell *cell)
{
    cell->writes.n = cell->reads.n = 0;
    if (cell->strong)
        cell->strong->polls.n = 0;
}

/* Reads conflict with writes only. */
static bool races(const struct cell *cell, const struct entry *now, struct rd_sim_attempt *a)
{
    return races_with_list(cell, &cell->writes, now, a) ||
           (now->writes && cell->strong && races_with_list(cell, &cell->strong->polls, now, a)) ||
           (now->writes && races_with_list(cell, &cell->reads, now, a));
}

static void replace(struct cell *cell, const struct entry *now)
{
    if (!now->writes)
        return; /* reads of the same thread are dealt with where they are added */
    replace_in_list(cell, &cell->writes, now);
    replace_in_list(cell, &cell->reads, now);
    if (cell->strong)
        replace_in_list(cell, &cell->strong->polls, now);
}

/* Enters the access into the chain of strong writes. False without memory. */
static bool step_chain(struct cell *cell, struct entry *now, const struct rd_sim_attempt *a)
{
    if (!now->is_strong) {
        if (cell->strong && now->writes)
            rd_sim_chain_break(&cell->strong->chain);
        return true;
    }
    if (!cell->strong && !(cell->strong = calloc(1, sizeof *cell->strong)))
        return false;
    struct rd_sim_chain *chain = &cell->strong->chain;
    rd_sim_causality_strong(chain, &a->strong, &now->seen_start, &now->seen_last);
    now->number = now->writes ? chain->last : 0;
    return true;
}

/* The thread has read the cell, and now makes sure that it still holds that. */
static void note_guesses(const struct cell *cell, const struct entry *now)
{
    for (size_t k = 0; k < cell->reads.n; k++) {
        const struct entry *e = &cell->reads.entries[k];
        if (same_threads(e, now) && (e->lanes & now->lanes))
            rd_sim_trait_note(e->pc, RD_SIM_IS_GUESS);
    }
}

static bool step_cell(struct cell *cell, struct rd_sim_attempt *a)
{
    struct entry now = entry_of(a);
    if (a->compares)
        note_guesses(cell, &now);
    if (!step_chain(cell, &now, a))
        return false;
    if (races(cell, &now, a))
        clear(cell); /* the location is reported: it starts anew with the later access */
    replace(cell, &now);
    add(cell, &now);
    return true;
}

/* Makes the record, *next, of a plain access by one thread that stands for all others. */
static bool step_record(uint64_t record, uint64_t init, struct rd_sim_attempt *a, uint64_t *next)
{
    bool is_read = !a->writes;
    if (a->is_strong)
        return false;
    *next = rd_sim_attempt_record(a, init);
    if (record < a->floor)
        return true;
    struct entry e = entry_of_record(record);
    uint32_t lanes = unknown_lanes(&e);
    if (lanes && (e.writes || !is_read)) {
        tell_race(a, &e, lanes);
        return true;
    }
    if (!lanes && e.writes && is_read &&
        (record ^ rd_sim_here->core.stamp) >> RD_SECOND_SHIFT == 0) {
        *next = record | init; /* the same thread, in the same epoch */
        return true;
    }
    return !lanes && (!is_read || !e.writes);
}

/* Tells whether all that is known of it is the plain write that was the last access. */
static bool is_alone(const struct cell *cell)
{
    return cell->writes.n == 1 && cell->reads.n == 0 &&
           (!cell->strong || cell->strong->polls.n == 0);
}

uint64_t rd_sim_cell_step(uint64_t record, uint64_t init, uintptr_t address,
                          struct rd_sim_attempt *a)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    uint64_t next;
    size_t number;
    if (rd_sim_is_cell(record)) {
        number = number_of(record);
    } else {
        if (step_record(record, init, a, &next))
            return next;
        number = make_cell(address);
        if (number > 0 && record >= a->floor) {
            struct entry e = entry_of_record(record);
            append(e.writes ? &own->cells[number].writes : &own->cells[number].reads, &e);
            own->cells[number].are_others = !rd_sim_trait_has(e.pc, RD_SIM_IS_VOLATILE);
        }
    }
    if (!a->is_strong && !a->is_volatile)
        own->cells[number].are_others = true;
    if (number == 0 || !step_cell(&own->cells[number], a)) {
        fail();
        return rd_sim_attempt_record(a, init);
    }
    const struct cell *cell = &own->cells[number];
    if (a->writes && !a->is_strong && is_alone(cell)) {
        free_cell(number);
        return rd_sim_attempt_record(a, init);
    }
    return record_of(number, init);
}

/* ---- what was written ---- */

static inline bool is_recent(const struct entry *e, unsigned *thread)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    if (!e->writes || e->block != core->block)
        return false;
    *thread = core->thread;
    if (e->warp == core->thread / RD_SIM_WARP && e->lanes >> core->thread % RD_SIM_WARP & 1 &&
        e->epoch >= rd_record_epoch(core->interval_stamp))
        return true;
    uint32_t unknown = unknown_lanes(e);
    if (unknown)
        *thread = e->warp * RD_SIM_WARP + (unsigned)__builtin_ctz(unknown);
    return unknown;
}

bool rd_sim_cell_is_written(uint64_t record, unsigned *thread)
{
    if (!rd_sim_is_cell(record)) {
        const struct entry e = entry_of_record(record);
        return record >= rd_sim_here->core.launch_floor && is_recent(&e, thread);
    }
    const struct list *writes = &rd_sim_here->cells->cells[number_of(record)].writes;
    for (size_t k = writes->n; k-- > 0;)
        if (is_recent(&writes->entries[k], thread))
            return true;
    return false;
}

static void cells_begin(void)
{
    rd_sim_here->cells->n_cells = 1;
}

const struct rd_sim_part rd_sim_part_cells = {
    .size_bytes = sizeof(struct rd_sim_cells_state),
    .at = offsetof(struct rd_sim, cells),
    .begin = cells_begin,
    .finish = forget_all,
};

static void launch_end(void)
{
    if (rd_sim_here->core.exact)
        forget_all();
}

const struct rd_sim_detector rd_sim_detector_cells = {
    .launch_end = launch_end,
    .cell_drop = drop,
    .cell_split = rd_sim_cell_split,
};
