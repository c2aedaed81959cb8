// SPDX-License-Identifier: MIT
/* Uninitialised reads that are no findings of their own: those that a race explains, and those of padding alone. */
#include "device/sim/object.h"
#include "device/sim/memory/memory.h"
#include "device/sim/report/report_internal.h"
#include "device/sim/source/source.h"

#include <string.h>

/* ---- reads that a race explains ---- */

enum { READS_MAX = 1 << 16, BUCKETS = 1 << 14, GRANULE_BYTES = 16 };

struct rd_sim_fresh_reads_state {
    struct rd_sim_fresh_read reads[READS_MAX];
    unsigned n_reads, buckets[BUCKETS];
    bool is_full;
};

static void link_read(unsigned k)
{
    struct rd_sim_fresh_reads_state *own = rd_sim_here->fresh_reads;
    unsigned *bucket = &own->buckets[own->reads[k].address / GRANULE_BYTES % BUCKETS];
    own->reads[k].next = *bucket;
    *bucket = k + 1;
}

void rd_sim_fresh_reads_begin(void)
{
    struct rd_sim_fresh_reads_state *own = rd_sim_here->fresh_reads;
    if (own->n_reads > 0)
        memset(own->buckets, 0, sizeof own->buckets);
    own->n_reads = 0;
    own->is_full = false;
}

/* Forgets the explained ones. Where they are few it is not done again. */
static void tidy(void)
{
    struct rd_sim_fresh_reads_state *own = rd_sim_here->fresh_reads;
    unsigned n = 0;
    memset(own->buckets, 0, sizeof own->buckets);
    for (unsigned k = 0; k < own->n_reads; k++) {
        if (own->reads[k].is_explained)
            continue;
        own->reads[n] = own->reads[k];
        link_read(n++);
    }
    own->n_reads = n;
    own->is_full = n > READS_MAX / 2;
}

void rd_sim_fresh_reads_add(size_t finding, const struct rd_sim_event *read)
{
    struct rd_sim_fresh_reads_state *own = rd_sim_here->fresh_reads;
    if (own->n_reads == READS_MAX && !own->is_full)
        tidy();
    if (own->n_reads == READS_MAX)
        return;
    own->reads[own->n_reads] = (struct rd_sim_fresh_read){
        .finding = finding,
        .address = read->address,
        .pc = read->actor.site.pc,
        .block = read->actor.block,
        .thread = read->actor.thread,
        .interval = read->interval,
        .size_bytes = (unsigned)read->size_bytes,
    };
    link_read(own->n_reads++);
}

/* Tells whether nothing orders the read in front of the write: it is the one of the race, or another thread's of
 * the same interval. */
static bool is_raced(const struct rd_sim_fresh_read *read, const struct rd_sim_event *race)
{
    const struct rd_sim_actor *writer = &race->actor;
    bool same_block = read->block == writer->block;
    if (same_block && read->thread == writer->thread)
        return false;
    return race->address < read->address + read->size_bytes &&
           read->address < race->address + race->size_bytes &&
           (read->pc == race->other.site.pc || (same_block && read->interval == race->interval));
}

void rd_sim_fresh_reads_raced(const struct rd_sim_event *race,
                              void (*explain)(const struct rd_sim_fresh_read *read))
{
    struct rd_sim_fresh_reads_state *own = rd_sim_here->fresh_reads;
    if (race->actor.op != RD_SIM_WRITE || race->other.op == RD_SIM_WRITE || own->n_reads == 0)
        return;
    unsigned at = own->buckets[race->address / GRANULE_BYTES % BUCKETS];
    for (; at > 0; at = own->reads[at - 1].next) {
        struct rd_sim_fresh_read *read = &own->reads[at - 1];
        if (read->is_explained || !is_raced(read, race))
            continue;
        read->is_explained = true;
        explain(read);
    }
}

const struct rd_sim_fresh_read *rd_sim_fresh_reads_first(size_t finding)
{
    struct rd_sim_fresh_reads_state *own = rd_sim_here->fresh_reads;
    for (unsigned k = 0; k < own->n_reads; k++)
        if (own->reads[k].finding == finding && !own->reads[k].is_explained)
            return &own->reads[k];
    return NULL;
}

const struct rd_sim_part rd_sim_part_fresh_reads = {
    .size_bytes = sizeof(struct rd_sim_fresh_reads_state),
    .at = offsetof(struct rd_sim, fresh_reads),
};

/* ---- padding ---- */

static bool is_initialised(uintptr_t address)
{
    enum rd_sim_space space;
    const uint64_t *shadow = rd_sim_shadow(address, &space);
    if (!shadow || *shadow == RD_NO_MEMORY)
        return true;
    uint64_t record =
        rd_record_kind(*shadow) == RD_SPLIT ? rd_sim_split_records(*shadow)[address % 4] : *shadow;
    bool is_old = space == RD_SPACE_SHARED && record < rd_sim_here->core.block_floor;
    return (record & RD_INIT) && !is_old;
}

/* Tells whether the bytes that are uninitialised are padding, if structs of this kind lie there one after the
 * other, the first `offset` bytes before the access. */
static bool explains(const struct rd_sim_layout *layout, const struct rd_sim_event *event,
                     size_t offset)
{
    for (size_t k = 0; k < event->size_bytes; k++)
        if (layout->used[(offset + k) % layout->size_bytes] && !is_initialised(event->address + k))
            return false;
    return true;
}

static bool has_members(const struct rd_sim_layout *layout)
{
    return memchr(layout->used, 1, layout->size_bytes) != NULL;
}

/* Structs may have been made of plain bytes. */
static bool explains_bytes(const struct rd_sim_layout *layout, const void *self)
{
    const struct rd_sim_event *event = self;
    return layout->size_bytes > 1 && has_members(layout) &&
           event->size_bytes % layout->size_bytes == 0 && explains(layout, event, 0);
}

/* Tells whether some bytes are initialised, and others not: the bytes of a struct but for its padding, perhaps. */
static bool is_in_part(const struct rd_sim_event *event)
{
    bool is = false;
    for (size_t k = 0; k < event->size_bytes && !is; k++)
        is = is_initialised(event->address + k);
    return is;
}

bool rd_sim_layout_explains(const struct rd_sim_event *event)
{
    bool inside;
    if (!rd_sim_layouts_can_be_known())
        return is_in_part(event);
    const struct rd_sim_array *array = rd_sim_array_at(event->address, &inside);
    if (event->size_bytes < 2 || !array || !inside)
        return event->size_bytes == 1 && array && inside && array->layout &&
               !has_members(array->layout);
    if (array->layout)
        return array->layout->size_bytes > 0 &&
               explains(array->layout, event, event->address - array->base);
    return array->elem_bytes <= 1 && rd_sim_layouts_any(explains_bytes, event);
}
