// SPDX-License-Identifier: MIT
/* The accesses to a cell of an exact launch, and which of these race. */
#include "device/sim/detect/cell.h"
#include "device/sim/object.h"
#include "device/sim/engine/engine.h"
#include "device/sim/source/sites.h"

#include <stdlib.h>

/* Lists that are long are looked through for what is newest from their end. */
enum { RECENT = 8, ENTRIES_MAX = 1 << 16 };

/* ---- entries ---- */

static void append(struct rd_sim_cell_list *list, const struct rd_sim_cell_entry *entry)
{
    size_t wanted = list->capacity ? 2 * list->capacity : 2;
    if (list->n == list->capacity) {
        struct rd_sim_cell_entry *grown =
            wanted <= ENTRIES_MAX ? realloc(list->entries, wanted * sizeof *grown) : NULL;
        if (!grown) {
            rd_sim_cell_fail();
            return;
        }
        list->entries = grown;
        list->capacity = wanted;
    }
    list->entries[list->n++] = *entry;
}

static struct rd_sim_cell_entry entry_of(const struct rd_sim_attempt *a)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    return (struct rd_sim_cell_entry){
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
static struct rd_sim_cell_entry entry_of_record(uint64_t record)
{
    unsigned thread = rd_record_thread(record), epoch = rd_record_epoch(record);
    return (struct rd_sim_cell_entry){
        .block = rd_sim_block_of(epoch),
        .pc = rd_sim_site_first(rd_record_sites(record)),
        .epoch = epoch,
        .lanes = 1u << thread % RD_SIM_WARP,
        .warp = (uint8_t)(thread / RD_SIM_WARP),
        .reads = rd_record_kind(record) == RD_READS,
        .writes = rd_record_kind(record) != RD_READS,
    };
}

static bool same_threads(const struct rd_sim_cell_entry *x, const struct rd_sim_cell_entry *y)
{
    return x->block == y->block && x->warp == y->warp;
}

static bool same_nature(const struct rd_sim_cell_entry *x, const struct rd_sim_cell_entry *y)
{
    return x->reads == y->reads && x->writes == y->writes && x->is_strong == y->is_strong &&
           x->of_block == y->of_block;
}

static bool conflict(const struct rd_sim_cell_entry *x, const struct rd_sim_cell_entry *y)
{
    if (!x->writes && !y->writes)
        return false;
    return !x->is_strong || !y->is_strong || (x->block != y->block && (x->of_block || y->of_block));
}

/* The lanes of an entry whose accesses the running thread does not know to have come before. */
static uint32_t unknown_lanes(const struct rd_sim_cell_entry *e)
{
    return rd_sim_causality_unknown(e->block, e->warp, e->lanes, e->epoch);
}

static bool has_seen(const struct rd_sim_cell_entry *reader, const struct rd_sim_cell_entry *write)
{
    return write->number > reader->seen_start && write->number <= reader->seen_last;
}

/* Tells whether one of them has seen the write, and is known. */
static bool is_seen_by(const struct rd_sim_cell_list *list, const struct rd_sim_cell_entry *write)
{
    for (size_t k = list->n; k-- > 0;)
        if (has_seen(&list->entries[k], write) && !unknown_lanes(&list->entries[k]))
            return true;
    return false;
}

/* The lanes of an earlier access to the cell that are not ordered before the one that is made now. */
static uint32_t unordered_lanes(const struct rd_sim_cell *cell, const struct rd_sim_cell_entry *e,
                                const struct rd_sim_cell_entry *now)
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
static bool needs_witness(const struct rd_sim_cell *cell, const struct rd_sim_cell_entry *reader)
{
    for (size_t k = 0; k < cell->writes.n; k++)
        if (has_seen(reader, &cell->writes.entries[k]))
            return true;
    return false;
}

static bool has_seen_as_much(const struct rd_sim_cell *cell, const struct rd_sim_cell_entry *now,
                             const struct rd_sim_cell_entry *before)
{
    return before->seen_start == before->seen_last ||
           (now->seen_start <= before->seen_start && now->seen_last >= before->seen_last) ||
           !needs_witness(cell, before);
}

/* Tells whether `now` stands for one that is ordered before it. */
static bool stands_for(const struct rd_sim_cell *cell, const struct rd_sim_cell_entry *now,
                       const struct rd_sim_cell_entry *before)
{
    if (now->writes && !now->is_strong)
        return true;
    if (!now->is_strong)
        return !before->writes && has_seen_as_much(cell, now, before);
    return same_nature(now, before) && has_seen(now, before) && has_seen_as_much(cell, now, before);
}

/* ---- steps ---- */

static void tell_race(struct rd_sim_attempt *a, const struct rd_sim_cell_entry *e, uint32_t lanes)
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

static bool is_of_this_launch(const struct rd_sim_cell_entry *e)
{
    return e->epoch >= rd_record_epoch(rd_sim_here->core.launch_floor);
}

/* The last first: a strong write that stands for earlier ones may have taken the witness of an order with it
 * (see is_seen_by), but then it races itself. */
static bool races_with_list(const struct rd_sim_cell *cell, const struct rd_sim_cell_list *list,
                            const struct rd_sim_cell_entry *now, struct rd_sim_attempt *a)
{
    for (size_t k = list->n; k-- > 0;) {
        const struct rd_sim_cell_entry *e = &list->entries[k];
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
static void replace_in_list(struct rd_sim_cell *cell, struct rd_sim_cell_list *list,
                            const struct rd_sim_cell_entry *now)
{
    size_t n = 0;
    for (size_t k = 0; k < list->n; k++) {
        struct rd_sim_cell_entry *e = &list->entries[k];
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
static bool is_as_good_a_witness(const struct rd_sim_cell *cell,
                                 const struct rd_sim_cell_entry *now,
                                 const struct rd_sim_cell_entry *before)
{
    return now->epoch == before->epoch ? has_seen_as_much(cell, now, before)
                                       : !needs_witness(cell, before);
}

/* Adds a read to those of others; it is the newest of its thread. */
static void add_read(const struct rd_sim_cell *cell, struct rd_sim_cell_list *list,
                     const struct rd_sim_cell_entry *now)
{
    for (size_t k = list->n; k > 0 && list->n - k < RECENT; k--) {
        struct rd_sim_cell_entry *e = &list->entries[k - 1];
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
    const struct rd_sim_cell_entry *x = one, *y = other;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    return (x->epoch < y->epoch) - (x->epoch > y->epoch);
}

/* Takes out what later reads of the same threads stand for. */
static void tidy(const struct rd_sim_cell *cell, struct rd_sim_cell_list *list)
{
    size_t n = 0;
    qsort(list->entries, list->n, sizeof *list->entries, by_threads);
    for (size_t k = 0; k < list->n; k++) {
        struct rd_sim_cell_entry e = list->entries[k];
        for (size_t m = n; m-- > 0 && same_threads(&list->entries[m], &e) && e.lanes;)
            if (same_nature(&list->entries[m], &e) &&
                is_as_good_a_witness(cell, &list->entries[m], &e))
                e.lanes &= ~list->entries[m].lanes;
        if (e.lanes)
            list->entries[n++] = e;
    }
    list->n = n;
}

static void add(struct rd_sim_cell *cell, const struct rd_sim_cell_entry *now)
{
    struct rd_sim_cell_list *list = now->writes      ? &cell->writes
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

static void clear(struct rd_sim_cell *cell)
{
    cell->writes.n = cell->reads.n = 0;
    if (cell->strong)
        cell->strong->polls.n = 0;
}

/* Reads conflict with writes only. */
static bool races(const struct rd_sim_cell *cell, const struct rd_sim_cell_entry *now,
                  struct rd_sim_attempt *a)
{
    return races_with_list(cell, &cell->writes, now, a) ||
           (now->writes && cell->strong && races_with_list(cell, &cell->strong->polls, now, a)) ||
           (now->writes && races_with_list(cell, &cell->reads, now, a));
}

static void replace(struct rd_sim_cell *cell, const struct rd_sim_cell_entry *now)
{
    if (!now->writes)
        return; /* reads of the same thread are dealt with where they are added */
    replace_in_list(cell, &cell->writes, now);
    replace_in_list(cell, &cell->reads, now);
    if (cell->strong)
        replace_in_list(cell, &cell->strong->polls, now);
}

/* Enters the access into the chain of strong writes. False without memory. */
static bool step_chain(struct rd_sim_cell *cell, struct rd_sim_cell_entry *now,
                       const struct rd_sim_attempt *a)
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
static void note_guesses(const struct rd_sim_cell *cell, const struct rd_sim_cell_entry *now)
{
    for (size_t k = 0; k < cell->reads.n; k++) {
        const struct rd_sim_cell_entry *e = &cell->reads.entries[k];
        if (same_threads(e, now) && (e->lanes & now->lanes))
            rd_sim_trait_note(e->pc, RD_SIM_IS_GUESS);
    }
}

static bool step_cell(struct rd_sim_cell *cell, struct rd_sim_attempt *a)
{
    struct rd_sim_cell_entry now = entry_of(a);
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
    struct rd_sim_cell_entry e = entry_of_record(record);
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
static bool is_alone(const struct rd_sim_cell *cell)
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
        number = rd_sim_cell_number(record);
    } else {
        if (step_record(record, init, a, &next))
            return next;
        number = rd_sim_cell_make(address);
        if (number > 0 && record >= a->floor) {
            struct rd_sim_cell_entry e = entry_of_record(record);
            append(e.writes ? &own->cells[number].writes : &own->cells[number].reads, &e);
            own->cells[number].are_others = !rd_sim_trait_has(e.pc, RD_SIM_IS_VOLATILE);
        }
    }
    if (!a->is_strong && !a->is_volatile)
        own->cells[number].are_others = true;
    if (number == 0 || !step_cell(&own->cells[number], a)) {
        rd_sim_cell_fail();
        return rd_sim_attempt_record(a, init);
    }
    const struct rd_sim_cell *cell = &own->cells[number];
    if (a->writes && !a->is_strong && is_alone(cell)) {
        rd_sim_cell_free(number);
        return rd_sim_attempt_record(a, init);
    }
    return rd_sim_cell_record(number, init);
}

/* ---- what was written ---- */

static inline bool is_recent(const struct rd_sim_cell_entry *e, unsigned *thread)
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
        const struct rd_sim_cell_entry e = entry_of_record(record);
        return record >= rd_sim_here->core.launch_floor && is_recent(&e, thread);
    }
    const struct rd_sim_cell_list *writes =
        &rd_sim_here->cells->cells[rd_sim_cell_number(record)].writes;
    for (size_t k = writes->n; k-- > 0;)
        if (is_recent(&writes->entries[k], thread))
            return true;
    return false;
}

/* Tells whether it is a write of this launch by another block, of which the running thread knows nothing: in a launch that is not
 * exact, no block knows of others. */
static bool is_of_another_block(const struct rd_sim_cell_entry *e)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    return e->writes && e->block != core->block && is_of_this_launch(e) &&
           (!core->exact || unknown_lanes(e));
}

bool rd_sim_cell_is_of_another_block(uint64_t record)
{
    if (!rd_sim_is_cell(record)) {
        const struct rd_sim_cell_entry e = entry_of_record(record);
        return record >= rd_sim_here->core.launch_floor && is_of_another_block(&e);
    }
    const struct rd_sim_cell_list *writes =
        &rd_sim_here->cells->cells[rd_sim_cell_number(record)].writes;
    for (size_t k = writes->n; k-- > 0;)
        if (is_of_another_block(&writes->entries[k]))
            return true;
    return false;
}
