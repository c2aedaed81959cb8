// SPDX-License-Identifier: MIT
#include "sim/report.h"
#include "sim/finding.h"
#include "sim/room.h"

#include <stdlib.h>

static struct rd_sim_found *found;
static size_t n_found, found_capacity;
static struct rd_sim_extent extent;
static bool last_first;

void rd_sim_report_begin(struct rd_sim_dim grid, struct rd_sim_dim block)
{
    extent = (struct rd_sim_extent){grid, block};
    n_found = 0;
    last_first = false;
}

void rd_sim_report_last_first(void)
{
    last_first = true;
}

/* The block's number in the grid. */
static void set_block(struct rd_sim_actor *actor)
{
    if (last_first)
        actor->block = (uint64_t)extent.grid.x * extent.grid.y * extent.grid.z - 1 - actor->block;
}

const char *rd_sim_race_kind(const struct rd_sim_event *event)
{
    if (event->actor.op == RD_SIM_WRITE && event->other.op == RD_SIM_WRITE)
        return event->bits_known && event->same_value ? "same-value" : "write-write";
    if (event->actor.op != RD_SIM_READ && event->other.op != RD_SIM_READ)
        return "write-write";
    return "read-write";
}

const char *rd_sim_race_scope(const struct rd_sim_event *event)
{
    if (!event->other.block_known || event->other.block != event->actor.block)
        return "grid";
    return event->other.thread_known &&
                   event->other.thread / RD_SIM_WARP == event->actor.thread / RD_SIM_WARP
               ? "warp"
               : "block";
}

static unsigned kind_number(const struct rd_sim_event *event)
{
    if (event->class != RD_SIM_RACE)
        return (unsigned)event->kept << 1 | event->frees;
    /* First letters tell them apart: r, w, s and w, b, g. */
    return (unsigned)(rd_sim_race_kind(event)[0] << 8 | rd_sim_race_scope(event)[0]);
}

static bool same_key(const struct rd_sim_found_key *x, const struct rd_sim_found_key *y)
{
    return x->class == y->class && x->array == y->array && x->line == y->line &&
           x->kind == y->kind &&
           ((x->pc == y->pc && x->other_pc == y->other_pc && x->other_line == y->other_line) ||
            (x->class == RD_SIM_RACE && x->pc == y->other_pc && x->other_pc == y->pc));
}

/* A place for another one; NULL where there are thousands already. */
static struct rd_sim_found *add_found(void)
{
    if (n_found == RD_SIM_FOUND_MAX ||
        !rd_sim_room_make(&found, n_found, &found_capacity, sizeof *found))
        return NULL;
    return &found[n_found++];
}

static bool is_access(const struct rd_sim_event *event)
{
    return (event->address || event->size_bytes) && event->class != RD_SIM_LEAK;
}

/* The one of this key; NULL where there is none yet. */
static struct rd_sim_found *find(const struct rd_sim_found_key *key)
{
    for (size_t k = 0; k < n_found; k++)
        if (same_key(&found[k].key, key))
            return &found[k];
    return NULL;
}

void rd_sim_report_event(const struct rd_sim_event *event)
{
    bool inside;
    const struct rd_sim_array *array =
        is_access(event) ? rd_sim_array_at(event->address, &inside) : NULL;
    bool was_freed = array && array->freed && array->origin;
    const struct rd_sim_actor *other = event->has_other ? &event->other
                                       : was_freed      ? &array->freer
                                                        : NULL;
    struct rd_sim_found_key key = {
        .class = event->class,
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
    if (known) {
        known->count++;
        known->bytes += event->size_bytes;
        return;
    }
    struct rd_sim_found *added = add_found();
    if (!added)
        return;
    *added =
        (struct rd_sim_found){.key = key, .event = *event, .count = 1, .bytes = event->size_bytes};
    if (other) {
        added->event.other = *other;
        added->event.has_other = true;
    }
    set_block(&added->event.actor);
    set_block(&added->event.other);
    if (array) {
        added->array = *array;
        added->array_known = true;
        added->offset_bytes = (int64_t)(event->address - array->base);
    }
}

const struct rd_finding *rd_sim_report_findings(size_t *count)
{
    return rd_sim_findings_make(found, n_found, &extent, count);
}

const struct rd_sim_found *rd_sim_report_found(size_t *count)
{
    *count = n_found;
    return found;
}

void rd_sim_report_add(const struct rd_sim_found *more, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct rd_sim_found *known = find(&more[k].key);
        struct rd_sim_found *added = known ? NULL : add_found();
        if (known) {
            known->count += more[k].count;
            known->bytes += more[k].bytes;
        } else if (added) {
            *added = more[k];
        }
    }
}
