// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/report/report.h"
#include "device/sim/engine/detector.h"
#include "base/array.h"
#include "device/sim/report/report_internal.h"
#include "device/sim/source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rd_sim_report_state {
    struct rd_sim_found *found;
    size_t n_found, found_capacity;
    struct rd_sim_extent extent;
    unsigned schedule; /* of the events that are reported now */
};

void rd_sim_report_begin(struct rd_sim_dim grid, struct rd_sim_dim block)
{
    struct rd_sim_report_state *own = rd_sim_here->report;
    own->extent = (struct rd_sim_extent){.grid = grid, .block = block, .n_schedules = 1};
    rd_sim_here->core.launch = (struct rd_sim_launched){NULL, grid, block};
    own->schedule = 0;
    own->n_found = 0;
    rd_sim_fresh_reads_begin();
}

void rd_sim_report_digits(const struct rd_digits *digits)
{
    rd_sim_here->report->extent.digits = *digits;
}

void rd_sim_report_kernel(const char *name)
{
    rd_sim_here->report->extent.kernel = name;
    rd_sim_here->core.launch.kernel = name;
}

static void schedule(unsigned k, const char *name)
{
    struct rd_sim_report_state *own = rd_sim_here->report;
    const struct rd_schedule first = rd_schedule_number(0, 0);
    own->schedule = k;
    rd_sim_fresh_reads_begin();
    own->extent.n_schedules = own->schedule + 1;
    rd_schedule_name(&first, own->extent.schedules[0]);
    snprintf(own->extent.schedules[own->schedule], sizeof own->extent.schedules[own->schedule],
             "%s", name);
}

static unsigned kind_number(const struct rd_sim_event *event)
{
    if (event->hazard == RD_HAZARD_UNDEFINED_ARITHMETIC)
        return event->operation.kind;
    if (event->hazard != RD_HAZARD_RACE)
        return (unsigned)event->is_private << 2 | (unsigned)event->kept << 1 | event->frees;
    /* First letters tell them apart: r, w, s and w, b, g. */
    return (unsigned)(rd_sim_race_kind(event)[0] << 8 | rd_sim_race_scope(event)[0]);
}

/* Compares two keys. The record of a race may not know any more what came first: any will do that is else alike. */
static bool same_key(const struct rd_sim_found_key *x, const struct rd_sim_found_key *y)
{
    return x->hazard == y->hazard && x->array == y->array && x->line == y->line &&
           x->kind == y->kind &&
           ((x->hazard == RD_HAZARD_RACE && x->pc == y->pc && (!x->other_pc || !y->other_pc)) ||
            (x->pc == y->pc && x->other_pc == y->other_pc && x->other_line == y->other_line) ||
            (x->hazard == RD_HAZARD_RACE && x->pc == y->other_pc && x->other_pc == y->pc));
}

/* A place for another one; NULL where there are thousands already. */
static struct rd_sim_found *add_found(void)
{
    struct rd_sim_report_state *own = rd_sim_here->report;
    if (own->n_found == RD_SIM_FOUND_MAX ||
        !rd_array_make_room(&own->found, own->n_found, &own->found_capacity, sizeof *own->found))
        return NULL;
    return &own->found[own->n_found++];
}

static bool is_access(const struct rd_sim_event *event)
{
    return event->is_private
               ? event->address != 0
               : (event->address || event->size_bytes) && event->hazard != RD_HAZARD_LEAK;
}

/* The one of this key; NULL where there is none yet. */
static struct rd_sim_found *find(const struct rd_sim_found_key *key)
{
    struct rd_sim_report_state *own = rd_sim_here->report;
    for (size_t k = 0; k < own->n_found; k++)
        if (same_key(&own->found[k].key, key))
            return &own->found[k];
    return NULL;
}

/* Reports a race by the first event that knows the access before it, rather than by the first of all. */
static void tell_by(struct rd_sim_found *known, const struct rd_sim_found_key *key,
                    const struct rd_sim_event *event, uintptr_t base)
{
    if (key->hazard != RD_HAZARD_RACE || known->key.other_pc || !key->other_pc)
        return;
    known->key = *key;
    known->event = *event;
    known->offset_bytes = (int64_t)(event->address - base);
}

static enum rd_sim_heard least(enum rd_sim_heard x, enum rd_sim_heard y)
{
    return x < y ? x : y;
}

/* ---- reads of fresh memory that a race explains ---- */

static void tell_by_read(struct rd_sim_found *one, const struct rd_sim_event *read)
{
    one->offset_bytes += (int64_t)(read->address - one->event.address);
    one->event = *read;
}

/* The finding is told by a read that no race tells, where there is one. */
static void explain(const struct rd_sim_fresh_read *read)
{
    struct rd_sim_found *one = &rd_sim_here->report->found[read->finding];
    struct rd_sim_event event = one->event;
    one->explained++;
    if (event.address != read->address || event.actor.thread != read->thread ||
        event.actor.block != read->block)
        return;
    const struct rd_sim_fresh_read *next = rd_sim_fresh_reads_first(read->finding);
    if (!next)
        return;
    event.address = next->address;
    event.size_bytes = next->size_bytes;
    event.actor.thread = next->thread;
    event.actor.block = next->block;
    event.interval = next->interval;
    tell_by_read(one, &event);
}

static void remember(struct rd_sim_found *one, const struct rd_sim_event *event)
{
    if (event->hazard != RD_HAZARD_UNINITIALISED || event->is_private ||
        event->actor.op != RD_SIM_READ)
        return;
    if (one->explained > 0 && one->explained + 1 == one->count) /* all but this one */
        tell_by_read(one, event);
    rd_sim_fresh_reads_add((size_t)(one - rd_sim_here->report->found), event);
}

void rd_sim_report_event(const struct rd_sim_event *event)
{
    bool inside;
    if (event->hazard == RD_HAZARD_UNINITIALISED && rd_sim_layout_explains(event))
        return;
    if (event->hazard == RD_HAZARD_RACE)
        rd_sim_fresh_reads_raced(event, explain);
    const struct rd_sim_array *array =
        is_access(event) ? rd_sim_array_at(event->address, &inside) : NULL;
    bool was_freed = array && array->freed && array->origin;
    const struct rd_sim_actor *other = event->has_other ? &event->other
                                       : was_freed      ? &array->freer
                                                        : NULL;
    struct rd_sim_found_key key = {
        .hazard = event->hazard,
        .pc = event->actor.site.pc,
        .other_pc = other ? other->site.pc : 0,
        .array = !array          ? 0
                 : array->origin ? array->origin
                                 : array->base,
        .line = event->actor.site.line,
        .other_line = other ? other->site.line : 0,
        .kind = kind_number(event),
    };
    struct rd_sim_found *known = find(&key);
    uint64_t bit = (uint64_t)1 << rd_sim_here->report->schedule;
    if (event->resumed) {
        if (known && known->schedules == bit && known->resumed++ == 0)
            known->event.operation = event->operation;
        return;
    }
    if (known) {
        tell_by(known, &key, event, array ? array->base : 0);
        known->heard = least(known->heard, event->heard);
        known->schedules |= bit;
        if (known->schedules != bit) /* it is counted under the first that saw it */
            return;
        known->count++;
        known->bytes += event->size_bytes;
        remember(known, event);
        return;
    }
    struct rd_sim_found *added = add_found();
    if (!added)
        return;
    *added = (struct rd_sim_found){.key = key,
                                   .event = *event,
                                   .count = 1,
                                   .bytes = event->size_bytes,
                                   .heard = event->heard,
                                   .schedules = bit};
    if (other) {
        added->event.other = *other;
        added->event.has_other = true;
    }
    if (array) {
        added->array = *array;
        added->array_known = true;
        added->offset_bytes = (int64_t)(event->address - array->base);
    }
    remember(added, event);
}

static uint64_t load(const unsigned char *bytes, size_t size_bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes, size_bytes <= sizeof bits ? size_bytes : sizeof bits);
    return bits;
}

static void difference(uintptr_t address, const unsigned char *first, size_t size_bytes)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(address, &inside);
    const unsigned char *now = (const unsigned char *)address;
    size_t elem = array && array->elem_bytes ? array->elem_bytes : 1, at = size_bytes;
    for (size_t k = 0; k + elem <= size_bytes && at == size_bytes; k += elem)
        if (memcmp(now + k, first + k, elem) != 0)
            at = k;
    if (at == size_bytes)
        return;
    rd_sim_report_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_ORDER_DEPENDENT,
        .address = address + at,
        .size_bytes = elem,
        .bits_known = true,
        .before = load(first + at, elem),
        .after = load(now + at, elem),
    });
}

const struct rd_finding *rd_sim_report_findings(size_t *count)
{
    struct rd_sim_report_state *own = rd_sim_here->report;
    bool has_flag = false;
    for (size_t k = 0; k < own->n_found; k++) {
        has_flag = has_flag || rd_sim_found_is_flag(&own->found[k]);
        if (rd_sim_found_is_guess(&own->found[k]))
            own->found[k].event.hazard = RD_HAZARD_PLAIN_READ_OF_ATOMIC;
    }
    for (size_t k = 0; k < own->n_found; k++)
        own->found[k].behind_flag = has_flag;
    return rd_sim_findings_make(own->found, own->n_found, &own->extent, count);
}

void rd_sim_report_add(const struct rd_sim_found *more, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct rd_sim_found *known = find(&more[k].key);
        struct rd_sim_found *added = known ? NULL : add_found();
        if (known) {
            tell_by(known, &more[k].key, &more[k].event, more[k].array.base);
            known->heard = least(known->heard, more[k].heard);
            if (known->explained == known->count && more[k].explained < more[k].count)
                tell_by_read(known, &more[k].event);
            known->explained += more[k].explained;
            known->count += more[k].count;
            known->resumed += more[k].resumed;
            known->bytes += more[k].bytes;
        } else if (added) {
            *added = more[k];
        }
    }
}

/* ---- parts of a launch ---- */

struct handed {
    size_t n_found;
    struct rd_sim_found found[RD_SIM_FOUND_MAX];
};

static void part_begin(void)
{
    const struct rd_sim_extent *extent = &rd_sim_here->report->extent;
    const char *kernel = extent->kernel;
    rd_sim_report_begin(extent->grid, extent->block);
    rd_sim_report_kernel(kernel);
}

static bool part_give(void *handed)
{
    const struct rd_sim_report_state *own = rd_sim_here->report;
    struct handed *given = handed;
    given->n_found = own->n_found;
    if (own->n_found > 0)
        memcpy(given->found, own->found, own->n_found * sizeof *own->found);
    return own->n_found < RD_SIM_FOUND_MAX;
}

static void part_take(const void *handed)
{
    const struct handed *given = handed;
    rd_sim_report_add(given->found, given->n_found);
}

static void report_finish(void)
{
    free(rd_sim_here->report->found);
}

const struct rd_sim_part rd_sim_part_report = {
    .size_bytes = sizeof(struct rd_sim_report_state),
    .at = offsetof(struct rd_sim, report),
    .finish = report_finish,
};

const struct rd_sim_detector rd_sim_detector_report = {
    .again = schedule,
    .difference = difference,
    .part_bytes = sizeof(struct handed),
    .part_begin = part_begin,
    .part_give = part_give,
    .part_take = part_take,
};
