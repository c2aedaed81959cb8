// SPDX-License-Identifier: MIT
#include "sim/shadow.h"
#include "sim/fences.h"
#include "sim/memory.h"
#include "sim/order.h"
#include "sim/plain.h"
#include "sim/room.h"
#include "sim/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* One access to the bytes of one record. */
struct access {
    enum rd_sim_op op;
    uintptr_t address; /* of the whole access */
    uintptr_t pc;
    bool shared;
    bool of_block;  /* an atomic that is one for the block only */
    uint64_t floor; /* records below are not of this launch, or not of this block's memory */
    bool hit;       /* the bytes stepped last have raced */
    unsigned bytes; /* all that have, one bit each */
    bool raced;     /* first with: */
    struct rd_sim_actor other;
    bool uninitialised;
};

static enum rd_sim_op op_of(enum rd_sim_kind kind)
{
    return kind == RD_READS ? RD_SIM_READ : kind == RD_ATOMICS ? RD_SIM_ATOMIC : RD_SIM_WRITE;
}

static bool goes_with(uint64_t record, enum rd_sim_op op)
{
    return op != RD_SIM_WRITE && rd_record_kind(record) == rd_sim_kind_of(op);
}

/* For other blocks, an atomic of this block's scope is none. */
static uint64_t fresh(const struct access *a, uint64_t keep)
{
    return rd_sim_core.stamp | (rd_sim_site_mark(a->pc) & ~(uint64_t)RD_INIT) | keep |
           (a->of_block ? RD_W : 0) | rd_sim_kind_of(a->op);
}

/* Returns whether it is the first race of this access, the one that is told in full. */
static bool race_with(struct access *a, uint64_t record, bool second)
{
    unsigned epoch = rd_record_epoch(record), sites = rd_record_sites(record);
    a->hit = true;
    if (a->raced)
        return false;
    a->raced = true;
    a->other = (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = second ? rd_record_second(record) : rd_record_thread(record),
        .block = rd_sim_block_of(epoch),
        .op = op_of(rd_record_kind(record)),
        .site.pc = second ? rd_sim_site_second(sites) : rd_sim_site_first(sites),
    };
    return true;
}

/* The pair is right, but the record no longer knows who wrote: only that the thread's block, or
 * warp, did so before its last read. */
static void forget_writer(struct access *a)
{
    a->other.op = RD_SIM_WRITE;
    a->other.thread_known = false;
    a->other.site.pc = 0;
}

/* Whether fences have ordered the threads of a record before the running one. */
static bool is_released(uint64_t record, const struct access *a)
{
    unsigned epoch = rd_record_epoch(record), thread = rd_record_thread(record),
             second = rd_record_second(record);
    uint64_t block = rd_sim_block_of(epoch);
    return rd_sim_fence_ordered(block, epoch, thread, a->address) &&
           (second == thread || rd_sim_fence_ordered(block, epoch, second, a->address));
}

/* Another block has been here in this launch. */
static uint64_t step_other_block(uint64_t record, struct access *a, uint64_t init)
{
    bool joins = goes_with(record, a->op), mixed = (record & (RD_W | RD_V)) || a->of_block;
    if (!(record & RD_X) && is_released(record, a))
        return fresh(a, init | (joins && !mixed ? 0 : RD_W));
    if (joins && !mixed)
        return record | RD_X | init;
    /* Who wrote is not known any more, but whether the thread has released anything. */
    if (joins && !a->of_block && !(record & RD_X) &&
        rd_sim_fence_knows(rd_sim_block_of(rd_record_epoch(record)), rd_record_thread(record)))
        return fresh(a, init | RD_W);
    if (race_with(a, record, false) && goes_with(record, a->op))
        forget_writer(a);
    return fresh(a, init);
}

/* Only this thread has been here since the last block or warp barrier. */
static uint64_t step_alone(uint64_t record, struct access *a, uint64_t init)
{
    enum rd_sim_kind kind = rd_record_kind(record);
    if (kind == RD_EXCLUSIVE && a->op == RD_SIM_READ) /* keeps the site of the write */
        return rd_sim_core.stamp | (record & ((uint64_t)RD_SITE_MASK << RD_SITE_SHIFT)) |
               (record & RD_FLAGS) | init | kind;
    uint64_t next = fresh(a, init | (record & RD_FLAGS));
    return kind == rd_sim_kind_of(a->op) ? next : (next & ~(uint64_t)RD_KIND_MASK) | RD_EXCLUSIVE;
}

static unsigned warp_of(unsigned thread)
{
    return thread / RD_SIM_WARP;
}

static bool is_ordered(uint64_t record, unsigned thread, const struct access *a)
{
    unsigned me = rd_sim_core.thread;
    if (thread == me)
        return true;
    if (warp_of(thread) == warp_of(me) && rd_sim_warp_ordered(rd_record_epoch(record), thread))
        return true;
    return rd_sim_fence_ordered(rd_sim_core.block, rd_record_epoch(record), thread, a->address);
}

/* Joins the readers, or those who do atomics. */
static uint64_t step_join(uint64_t record, struct access *a, uint64_t init)
{
    unsigned me = rd_sim_core.thread, thread = rd_record_thread(record),
             second = rd_record_second(record);
    if (warp_of(thread) != warp_of(second)) /* whoever comes is in another warp than one of them */
        return record | init;
    if (warp_of(me) == warp_of(thread)) {
        if ((record ^ rd_sim_core.stamp) >> RD_EPOCH_SHIFT != 0)
            return is_ordered(record, thread, a) && is_ordered(record, second, a)
                       ? fresh(a, init | (record & RD_FLAGS))
                       : record | init;
        if (me == thread || second != thread)
            return record | init;
    }
    record &=
        ~((uint64_t)RD_THREAD_MASK << RD_SECOND_SHIFT | (uint64_t)RD_SITE_MASK << RD_SITE_SHIFT);
    return record | init | (uint64_t)me << RD_SECOND_SHIFT;
}

static uint64_t with_pair(uint64_t before, uint64_t after, uintptr_t pc)
{
    if (rd_record_sites(after) != 0 || rd_record_sites(before) == 0)
        return after;
    return after | (uint64_t)rd_sim_site_pair(rd_record_sites(before), pc) << RD_SITE_SHIFT;
}

/* Others, too, have been here since the last block barrier. */
static uint64_t step_together(uint64_t record, struct access *a, uint64_t init)
{
    unsigned me = rd_sim_core.thread, thread = rd_record_thread(record),
             second = rd_record_second(record);
    bool foreign = warp_of(thread) != warp_of(me);
    if (goes_with(record, a->op) &&
        (!(foreign && (record & RD_V)) || rd_sim_fence_knows(rd_sim_core.block, thread)))
        return with_pair(record, step_join(record, a, init), a->pc) | (a->of_block ? RD_W : 0);
    bool first_races = !is_ordered(record, thread, a);
    if (first_races || !is_ordered(record, second, a)) {
        bool first = race_with(a, record, !first_races);
        if (first && goes_with(record, a->op))
            forget_writer(a);
        return fresh(a, init);
    }
    return fresh(a, init | (record & RD_FLAGS) | (goes_with(record, a->op) ? 0 : RD_V));
}

/* The record after the access. */
static uint64_t step(uint64_t record, struct access *a)
{
    const struct rd_sim_core *core = &rd_sim_core;
    bool stale = record < a->floor;
    uint64_t init = a->shared && stale ? 0 : record & RD_INIT;
    if (a->op != RD_SIM_WRITE && !init)
        a->uninitialised = true;
    if (a->op != RD_SIM_READ)
        init = RD_INIT;
    if (stale)
        return fresh(a, init);
    if (record < core->block_floor)
        return step_other_block(record, a, init);
    if ((record & RD_X) && (!goes_with(record, a->op) || a->of_block)) {
        if (race_with(a, record, false))
            a->other.thread_known = a->other.block_known = false;
        return fresh(a, init);
    }
    if (record < core->interval_floor) {
        bool mixed = (record & (RD_W | RD_V)) || !goes_with(record, a->op);
        return fresh(a, init | (record & RD_X) | (mixed ? RD_W : 0));
    }
    if ((record ^ core->stamp) >> RD_SECOND_SHIFT == 0)
        return step_alone(record, a, init);
    return step_together(record, a, init);
}

/* ---- bytes ---- */

static size_t n_splits = 1, splits_capacity;

/* The four records of a granule's bytes; NULL without memory. Bytes beyond the end of the array do
 * not become initialised with the others. */
static uint64_t *split(uint64_t *shadow)
{
    if (rd_record_kind(*shadow) == RD_SPLIT)
        return rd_sim_core.splits[rd_record_split_number(*shadow)];
    if (!rd_sim_room_make(&rd_sim_core.splits, n_splits, &splits_capacity,
                          sizeof *rd_sim_core.splits))
        return NULL;
    for (int k = 0; k < 4; k++)
        rd_sim_core.splits[n_splits][k] = *shadow;
    *shadow = rd_record_split(n_splits);
    return rd_sim_core.splits[n_splits++];
}

size_t rd_sim_splits_bytes(void)
{
    return n_splits * sizeof *rd_sim_core.splits;
}

void rd_sim_splits_visit(void (*visit)(uint64_t *record))
{
    for (size_t k = 1; k < n_splits; k++)
        for (int byte = 0; byte < 4; byte++)
            visit(&rd_sim_core.splits[k][byte]);
}

void rd_sim_split_written(uintptr_t address, size_t size_bytes)
{
    enum rd_sim_space space;
    uint64_t *shadow = rd_sim_shadow(address, &space), *bytes = shadow ? split(shadow) : NULL;
    for (size_t k = 0; bytes && k < size_bytes; k++)
        bytes[k] = RD_INIT;
}

unsigned rd_sim_granule_initialised(const uint64_t *shadow)
{
    unsigned initialised = 0;
    bool is_split = rd_record_kind(*shadow) == RD_SPLIT;
    for (unsigned k = 0; k < 4; k++) {
        uint64_t record =
            is_split ? rd_sim_core.splits[rd_record_split_number(*shadow)][k] : *shadow;
        if (record >= rd_sim_core.block_floor && (record & RD_INIT))
            initialised |= 1u << k;
    }
    return initialised;
}

void rd_sim_granule_set(uint64_t *shadow, unsigned initialised, uint64_t record)
{
    if (rd_record_kind(*shadow) != RD_SPLIT && (initialised == 0 || initialised == 15)) {
        *shadow = initialised ? record | RD_INIT : 0;
        return;
    }
    uint64_t *bytes = split(shadow);
    for (unsigned k = 0; k < 4 && bytes; k++)
        bytes[k] = initialised >> k & 1 ? record | RD_INIT : 0;
}

const uint64_t *rd_sim_split_records(uint64_t record)
{
    return rd_sim_core.splits[rd_record_split_number(record)];
}

void rd_sim_granule_written(uint64_t *shadow, unsigned bytes)
{
    if (rd_record_kind(*shadow) != RD_SPLIT && (bytes == 15 || (*shadow & RD_INIT))) {
        if (!(*shadow & RD_INIT)) /* a page that is written to is one that has to be copied */
            *shadow |= RD_INIT;
        return;
    }
    uint64_t *records = split(shadow);
    for (unsigned k = 0; records && k < 4; k++)
        records[k] |= bytes >> k & 1 ? (uint64_t)RD_INIT : 0;
}

/* `done` bytes of the access come before these. */
static void access_granule(uintptr_t address, size_t size_bytes, size_t done, struct access *a)
{
    enum rd_sim_space space;
    uint64_t *shadow = rd_sim_shadow(address, &space);
    if (!shadow || *shadow == RD_NO_MEMORY)
        return;
    if (rd_record_kind(*shadow) != RD_SPLIT && size_bytes == 4) {
        a->hit = false;
        *shadow = step(*shadow, a);
        a->bytes |= (a->hit ? 15u : 0) << (done < 28 ? done : 28);
        return;
    }
    uint64_t *bytes = split(shadow);
    for (size_t k = 0; bytes && k < size_bytes; k++) {
        a->hit = false;
        bytes[address % 4 + k] = step(bytes[address % 4 + k], a);
        a->bytes |= (unsigned)a->hit << (done + k < 31 ? done + k : 31);
    }
}

/* ---- telling ---- */

static uint64_t load(uintptr_t address, size_t size_bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, (const void *)address, size_bytes <= 8 ? size_bytes : 8);
    return bits;
}

static struct rd_sim_event waiting;

/* Whether the bytes that have raced are what they were: others of the access may well be new. */
static bool is_same_value(const struct rd_sim_event *event)
{
    uint64_t differ = event->before ^ event->after;
    for (unsigned k = 0; k < 8; k++)
        if ((event->bytes >> k & 1) && (differ >> 8 * k & 255))
            return false;
    return true;
}

void rd_sim_settle_now(void)
{
    rd_sim_core.is_waiting = false;
    waiting.after = load(waiting.address, waiting.size_bytes);
    waiting.same_value = is_same_value(&waiting);
    rd_sim_core.on_event(&waiting);
}

static void tell(enum rd_sim_event_class class, uintptr_t address, size_t size_bytes,
                 const struct access *a)
{
    struct rd_sim_event event = {
        .class = class,
        .actor = rd_sim_actor_self(a->op, a->pc),
        .other = a->other,
        .has_other = class == RD_SIM_RACE,
        .address = address,
        .size_bytes = size_bytes,
        .bytes = a->bytes,
        .interval = rd_sim_core.interval,
    };
    bool writes = class == RD_SIM_RACE && a->op == RD_SIM_WRITE;
    if (class == RD_SIM_RACE && size_bytes <= 8) {
        event.bits_known = true;
        event.before = event.after = load(address, size_bytes);
    }
    if (writes && event.bits_known) {
        rd_sim_settle();
        waiting = event;
        rd_sim_core.is_waiting = true;
        rd_sim_ask_soon();
    } else {
        rd_sim_core.on_event(&event);
    }
}

/* Out of bounds: tells it. Returns how many bytes, from the first one on, are within. */
static size_t check_bounds(uintptr_t address, size_t size_bytes, const struct access *a)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(address, &inside);
    size_t within = inside ? array->base + array->size_bytes - address : 0;
    if (size_bytes <= within)
        return size_bytes;
    tell(RD_SIM_OUT_OF_BOUNDS, address, size_bytes, a);
    if (!rd_sim_memory_is_mapped(address, size_bytes))
        rd_sim_thread_end();
    return within;
}

/* Whether the records alone tell that it is within bounds: a granule that is initialised as a whole
 * is in an array as a whole, and so is one of shared memory that is not marked as nobody's. */
static bool lies_in_array(const uint64_t *shadow, uintptr_t address, size_t size_bytes, bool shared)
{
    if (!shadow || address % 4 != 0 || size_bytes % 4 != 0 || size_bytes > 16)
        return false;
    for (size_t k = 0; k < size_bytes / 4; k++)
        if (rd_record_kind(shadow[k]) == RD_SPLIT || !(shared || (shadow[k] & RD_INIT)))
            return false;
    return true;
}

enum { VECTOR_BYTES = 16 }; /* the largest access, and alignment */

static void check(uintptr_t address, size_t size_bytes, size_t alignment, enum rd_sim_op op,
                  bool of_block, uintptr_t pc)
{
    enum rd_sim_space space;
    const struct rd_sim_core *core = &rd_sim_core;
    if (!rd_sim_is_running() || rd_sim_is_on_stack(address))
        return;
    uint64_t *shadow = rd_sim_shadow(address, &space);
    struct access a = {
        .op = op,
        .address = address,
        .pc = pc,
        .shared = space == RD_SPACE_SHARED,
        .of_block = of_block,
    };
    a.floor = a.shared ? core->block_floor : core->launch_floor;
    if (!shadow && rd_sim_is_harmless(address, op))
        return;
    bool misaligned = address % alignment != 0;
    if (misaligned)
        tell(RD_SIM_MISALIGNED, address, size_bytes, &a);
    if (!lies_in_array(shadow, address, size_bytes, a.shared))
        size_bytes = check_bounds(address, size_bytes, &a);
    for (size_t done = 0; done < size_bytes;) {
        size_t here = 4 - (address + done) % 4;
        here = here < size_bytes - done ? here : size_bytes - done;
        access_granule(address + done, here, done, &a);
        done += here;
    }
    if (a.uninitialised)
        tell(RD_SIM_UNINITIALISED, address, size_bytes, &a);
    if (a.raced)
        tell(RD_SIM_RACE, address, size_bytes, &a);
    if (misaligned && alignment == VECTOR_BYTES) /* the machine that we are on may refuse it, too */
        rd_sim_thread_end();
}

void rd_sim_access_check(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    check(address, size_bytes, size_bytes < VECTOR_BYTES ? size_bytes : VECTOR_BYTES, op, false,
          pc);
}

void rd_sim_access_atomic(uintptr_t address, size_t size_bytes, enum rd_sim_atomic atomic,
                          uintptr_t pc)
{
    check(address, size_bytes, size_bytes < VECTOR_BYTES ? size_bytes : VECTOR_BYTES, RD_SIM_ATOMIC,
          atomic & RD_SIM_OF_BLOCK, pc);
}

/* The last of those that were said to be misaligned: a statement has few. */
enum { SAID_MAX = 8 };
static struct said {
    uintptr_t address;
    size_t alignment;
    uint64_t block;
    unsigned thread;
} said[SAID_MAX];
static unsigned n_said;

void rd_sim_access_misaligned(uintptr_t address, size_t alignment)
{
    const struct rd_sim_core *core = &rd_sim_core;
    said[n_said++ % SAID_MAX] = (struct said){address, alignment, core->block, core->thread};
}

/* The alignment that the range should have; 1 where nothing is known of it. A member of what is misaligned
 * may well be aligned. */
static size_t alignment_of(uintptr_t address, size_t size_bytes)
{
    const struct rd_sim_core *core = &rd_sim_core;
    for (unsigned k = 0; k < SAID_MAX; k++)
        if (said[k].address == address && said[k].thread == core->thread &&
            said[k].block == core->block && said[k].alignment > 0 &&
            size_bytes % said[k].alignment == 0) {
            said[k].address = 0;
            return said[k].alignment;
        }
    return 1;
}

void rd_sim_access_range(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    if (size_bytes == 0)
        return;
    rd_sim_tell_access(address, size_bytes, op, pc);
    check(address, size_bytes, alignment_of(address, size_bytes), op, false, pc);
}

void rd_sim_index_check(int64_t index, size_t n_elems, unsigned elem_bytes, uintptr_t pc)
{
    struct rd_sim_event event = {
        .class = RD_SIM_OUT_OF_BOUNDS,
        .actor = rd_sim_actor_self(RD_SIM_READ, pc),
        .interval = rd_sim_core.interval,
        .size_bytes = elem_bytes,
        .index_known = true,
        .index = index,
        .n_elems = n_elems,
    };
    if (!rd_sim_is_running())
        return;
    rd_sim_core.on_event(&event);
}
