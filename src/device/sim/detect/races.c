// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/races.h"
#include "device/sim/detect/async.h"
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"
#include "device/sim/detect/last_access.h"
#include "device/sim/memory/memory.h"
#include "device/sim/detect/fast_path.h"
#include "device/sim/engine/engine_internal.h"

#include <stdlib.h>
#include <string.h>

/* A statement has few addresses that are said to be misaligned. */
enum { SAID_MAX = 8 };

struct rd_sim_checks_state {
    /* A write that races, see rd_sim_settle: whether it writes the same value is not known yet. */
    bool is_waiting, is_put_off;
    /* A thread of the launch was perhaps ended between being told of a write and making it. */
    bool is_cut;
    struct rd_sim_event waiting;
    struct said {
        uintptr_t address;
        size_t alignment;
        uint64_t block;
        unsigned thread;
    } said[SAID_MAX]; /* the last of those */
    unsigned n_said;
};

static enum rd_sim_op op_of(enum rd_sim_kind kind)
{
    return kind == RD_READS ? RD_SIM_READ : kind == RD_ATOMICS ? RD_SIM_ATOMIC : RD_SIM_WRITE;
}

static bool goes_with(uint64_t record, enum rd_sim_op op)
{
    return op != RD_SIM_WRITE && rd_record_kind(record) == rd_sim_kind_of(op);
}

static uint64_t fresh(const struct rd_sim_attempt *a, uint64_t flags)
{
    return rd_sim_attempt_record(a, flags);
}

/* True where it is the first race of this access, the one that is told in full. */
static bool race_with(struct rd_sim_attempt *a, uint64_t record, bool second)
{
    unsigned epoch = rd_record_epoch(record), sites = rd_record_sites(record);
    if (!rd_sim_attempt_race(a))
        return false;
    a->other = (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = second ? rd_record_second(record) : rd_record_thread(record),
        .block = rd_sim_block_of(epoch),
        .op = rd_sim_async_has(a->at) ? RD_SIM_WRITE : op_of(rd_record_kind(record)),
        .site.pc = second ? rd_sim_site_second(sites) : rd_sim_site_first(sites),
    };
    return true;
}

/* The pair is right, but the record no longer knows who did what it races with: only that the thread's
 * block, or warp, did so before the last barrier. */
static void find_forgotten(struct rd_sim_attempt *a)
{
    if (rd_sim_forgotten_find(a->at, a->other.block, &a->other))
        return;
    a->other.op = RD_SIM_WRITE;
    a->other.thread_known = false;
    a->other.site.pc = 0;
}

/* Keeps who accessed before the last barrier: the record is about to forget it. */
static void keep_forgotten(uint64_t record, const struct rd_sim_attempt *a)
{
    if (a->op == RD_SIM_WRITE || goes_with(record, a->op))
        return;
    rd_sim_forgotten_keep(a->at, &(struct rd_sim_actor){
                                     .thread_known = true,
                                     .block_known = true,
                                     .thread = rd_record_thread(record),
                                     .block = rd_sim_here->core.block,
                                     .op = op_of(rd_record_kind(record)),
                                     .site.pc = rd_sim_site_first(rd_record_sites(record)),
                                 });
}

/* Another block has been here in this launch. */
static uint64_t step_other_block(uint64_t record, struct rd_sim_attempt *a, uint64_t init)
{
    bool joins = goes_with(record, a->op), mixed = record & (RD_W | RD_V);
    if (joins && !mixed)
        return a->op == RD_SIM_ATOMIC ? fresh(a, init) : record | RD_X | init;
    if (race_with(a, record, false) && joins)
        find_forgotten(a);
    return fresh(a, init);
}

/* Only this thread has been here since the last block or warp barrier. */
static uint64_t step_alone(uint64_t record, struct rd_sim_attempt *a, uint64_t init)
{
    enum rd_sim_kind kind = rd_record_kind(record);
    if (kind == RD_EXCLUSIVE && a->op == RD_SIM_READ) /* keeps the site of the write */
        return rd_sim_here->core.stamp | (record & ((uint64_t)RD_SITE_MASK << RD_SITE_SHIFT)) |
               (record & RD_FLAGS) | init | kind;
    uint64_t next = fresh(a, init | (record & RD_FLAGS));
    return kind == rd_sim_kind_of(a->op) ? next : (next & ~(uint64_t)RD_KIND_MASK) | RD_EXCLUSIVE;
}

static unsigned warp_of(unsigned thread)
{
    return thread / RD_SIM_WARP;
}

static bool is_ordered(uint64_t record, unsigned thread)
{
    unsigned me = rd_sim_here->core.thread;
    return thread == me ||
           (warp_of(thread) == warp_of(me) && rd_sim_warp_ordered(rd_record_epoch(record), thread));
}

/* Joins the readers. */
static uint64_t step_join(uint64_t record, struct rd_sim_attempt *a, uint64_t init)
{
    unsigned me = rd_sim_here->core.thread, thread = rd_record_thread(record),
             second = rd_record_second(record);
    if (warp_of(thread) != warp_of(second)) /* whoever comes is in another warp than one of them */
        return record | init;
    if (warp_of(me) == warp_of(thread)) {
        if ((record ^ rd_sim_here->core.stamp) >> RD_EPOCH_SHIFT != 0)
            return is_ordered(record, thread) && is_ordered(record, second)
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
static uint64_t step_together(uint64_t record, struct rd_sim_attempt *a, uint64_t init)
{
    unsigned me = rd_sim_here->core.thread, thread = rd_record_thread(record),
             second = rd_record_second(record);
    bool foreign = warp_of(thread) != warp_of(me), joins = goes_with(record, a->op);
    if (joins && !(foreign && (record & RD_V)))
        return a->op == RD_SIM_ATOMIC ? fresh(a, init | (record & RD_FLAGS))
                                      : with_pair(record, step_join(record, a, init), a->pc);
    bool first_races = !is_ordered(record, thread);
    if (first_races || !is_ordered(record, second)) {
        bool first = race_with(a, record, !first_races);
        if (first && joins)
            find_forgotten(a);
        return fresh(a, init);
    }
    keep_forgotten(record, a);
    return fresh(a, init | (record & RD_FLAGS) | (joins ? 0 : RD_V));
}

/* The record after the access, of a launch in which barriers alone order threads. */
static uint64_t step_summary(uint64_t record, struct rd_sim_attempt *a, uint64_t init)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    if (record < core->block_floor)
        return step_other_block(record, a, init);
    if ((record & RD_X) && !goes_with(record, a->op)) {
        if (race_with(a, record, false))
            a->other.thread_known = a->other.block_known = false;
        return fresh(a, init);
    }
    if (record < core->interval_floor) {
        bool mixed = (record & (RD_W | RD_V)) || !goes_with(record, a->op);
        keep_forgotten(record, a);
        return fresh(a, init | (record & RD_X) | (mixed ? RD_W : 0));
    }
    if ((record ^ core->stamp) >> RD_SECOND_SHIFT == 0)
        return step_alone(record, a, init);
    return step_together(record, a, init);
}

bool rd_sim_access_is_untold(uintptr_t address, size_t size_bytes)
{
    const unsigned char *bytes = (const unsigned char *)address;
    bool is_poison = true;
    if (!rd_sim_here->core.misses_writes || rd_sim_module_has(address))
        return false;
    for (size_t k = 0; k < size_bytes; k++)
        is_poison = is_poison && bytes[k] == RD_SIM_POISON;
    return !is_poison;
}

/* The record after the access; both are of the bytes at `address`. */
static uint64_t step(uint64_t record, uintptr_t address, size_t size_bytes,
                     struct rd_sim_attempt *a)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    bool stale = record < a->floor;
    a->at = address;
    uint64_t init = a->shared && stale ? 0 : record & RD_INIT;
    const bool takes = a->reads && !a->is_dropped;
    if (takes && !init && rd_sim_access_is_untold(address, size_bytes)) {
        a->is_untold = true;
        init = RD_INIT;
    }
    if (takes && !init)
        a->uninitialised = true;
    if (a->writes)
        init = RD_INIT;
    if (core->exact)
        return rd_sim_cell_step(record, init, address, a);
    return stale ? fresh(a, init) : step_summary(record, a, init);
}

/* ---- bytes ---- */

/* `done` bytes of the access come before these. */
static void access_granule(uintptr_t address, size_t size_bytes, size_t done,
                           struct rd_sim_attempt *a)
{
    enum rd_sim_space space;
    uint64_t *shadow = rd_sim_shadow(address, &space);
    if (!shadow || *shadow == RD_NO_MEMORY)
        return;
    if (rd_record_kind(*shadow) != RD_SPLIT && size_bytes == 4) {
        a->hit = false;
        *shadow = step(*shadow, address, 4, a);
        a->bytes |= (a->hit ? 15u : 0) << (done < 28 ? done : 28);
        return;
    }
    const uint64_t whole = *shadow;
    if (rd_sim_split(shadow) && rd_sim_is_cell(whole))
        rd_sim_cell_split(whole, rd_sim_byte_record(shadow, 0));
    for (size_t k = 0; k < size_bytes && rd_sim_split(shadow); k++) {
        uint64_t *byte = rd_sim_byte_record(shadow, address + k);
        a->hit = false;
        *byte = step(*byte, address + k, 1, a);
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

/* Tells whether the bytes that have raced are what they were: others of the access may well be new. */
static bool is_same_value(const struct rd_sim_event *event)
{
    uint64_t differ = event->before ^ event->after;
    for (unsigned k = 0; k < 8; k++)
        if ((event->bytes >> k & 1) && (differ >> 8 * k & 255))
            return false;
    return true;
}

static bool settle(bool done)
{
    struct rd_sim_checks_state *own = rd_sim_here->checks;
    if (!own->is_waiting)
        return true;
    own->waiting.after = load(own->waiting.address, own->waiting.size_bytes);
    if (!done && !own->is_put_off && own->waiting.after == own->waiting.before) {
        own->is_put_off = true;
        return false;
    }
    own->is_waiting = false;
    own->waiting.same_value = is_same_value(&own->waiting);
    if (own->is_cut && own->waiting.same_value)
        own->waiting.bits_known = own->waiting.same_value = false;
    rd_sim_here->core.on_event(&own->waiting);
    return true;
}

/* Ends the thread at an access: a write whose value comes from this one doesn't take place. */
static _Noreturn void end_thread(void)
{
    rd_sim_here->checks->is_cut = true;
    rd_sim_thread_end();
}

static void launch_end(void)
{
    rd_sim_here->checks->is_cut = false;
}

static void tell(enum rd_hazard_kind hazard, uintptr_t address, size_t size_bytes,
                 const struct rd_sim_attempt *a)
{
    struct rd_sim_event event = {
        .hazard = hazard,
        .actor = rd_sim_actor_self(a->op, a->pc),
        .other = a->other,
        .has_other = hazard == RD_HAZARD_RACE,
        .address = address,
        .size_bytes = size_bytes,
        .bytes = a->bytes,
        .heard = a->heard,
        .frees = a->frees,
        .interval = rd_sim_here->core.interval,
    };
    bool writes = hazard == RD_HAZARD_RACE && a->op == RD_SIM_WRITE;
    if (hazard == RD_HAZARD_RACE && size_bytes <= 8 && !a->hides_values) {
        event.bits_known = true;
        event.before = event.after = load(address, size_bytes);
    }
    if (writes && event.bits_known) {
        settle(true);
        rd_sim_here->checks->waiting = event;
        rd_sim_here->checks->is_waiting = true;
        rd_sim_here->checks->is_put_off = false;
        rd_sim_here->core.is_waiting = true;
        rd_sim_ask_soon();
    } else {
        rd_sim_here->core.on_event(&event);
    }
}

/* Out of bounds: tells it. Returns how many bytes, from the first one on, are within. */
static size_t check_bounds(uintptr_t address, size_t size_bytes, const struct rd_sim_attempt *a)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(address, &inside);
    size_t within = inside ? array->base + array->size_bytes - address : 0;
    if (size_bytes <= within) {
        if (inside)
            rd_sim_array_is_known(array);
        return size_bytes;
    }
    tell(RD_HAZARD_OUT_OF_BOUNDS, address, size_bytes, a);
    if (!rd_sim_memory_is_mapped(address, size_bytes))
        end_thread();
    return within;
}

/* Tells whether the records alone tell that it is within bounds: a granule that is initialised as a whole
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

/* Makes the access `a`, of which bounds and records are yet to be looked at. */
static void check(struct rd_sim_attempt *a, size_t size_bytes, size_t alignment,
                  const void *compared)
{
    enum rd_sim_space space;
    const struct rd_sim_core *core = &rd_sim_here->core;
    if (a->address - core->arena >= core->arena_size)
        a->address = rd_sim_registered_alias(a->address);
    const uintptr_t address = a->address;
    uint64_t *shadow = rd_sim_shadow(address, &space);
    a->shared = space == RD_SPACE_SHARED;
    a->floor = a->shared ? core->block_floor : core->launch_floor;
    if (!shadow && rd_sim_is_harmless(address, a->op))
        return;
    if (space == RD_SPACE_GLOBAL && address - core->arena >= core->arena_size &&
        rd_sim_module_is_host(address)) {
        tell(RD_HAZARD_OUT_OF_BOUNDS, address, size_bytes, a);
        end_thread();
    }
    bool misaligned = address % alignment != 0;
    if (misaligned)
        tell(RD_HAZARD_MISALIGNED, address, size_bytes, a);
    if (!lies_in_array(shadow, address, size_bytes, a->shared))
        size_bytes = check_bounds(address, size_bytes, a);
    if (compared && memcmp((const void *)address, compared, size_bytes) != 0)
        rd_sim_attempt_only_reads(a);
    for (size_t done = 0; done < size_bytes;) {
        size_t here = 4 - (address + done) % 4;
        here = here < size_bytes - done ? here : size_bytes - done;
        access_granule(address + done, here, done, a);
        done += here;
    }
    if (a->is_strong && a->strong.releases)
        rd_sim_causality_released();
    if (a->is_untold && !core->untold_pc)
        rd_sim_here->core.untold_pc = a->pc;
    if (a->uninitialised)
        tell(RD_HAZARD_UNINITIALISED, address, size_bytes, a);
    if (a->raced)
        tell(RD_HAZARD_RACE, address, size_bytes, a);
    if (misaligned && alignment == VECTOR_BYTES) /* the machine that we are on may refuse it, too */
        end_thread();
}

/* That of the largest element by which so many bytes may be accessed. */
static size_t natural_alignment(size_t size_bytes)
{
    const size_t unit = size_bytes & -size_bytes;
    return unit > 0 && unit < VECTOR_BYTES ? unit : VECTOR_BYTES;
}

static bool is_checked(uintptr_t address)
{
    return rd_sim_is_running() && !rd_sim_is_on_stack(address);
}

void rd_sim_access_check(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_attempt a = rd_sim_attempt_plain(address, op, pc);
    if (is_checked(address))
        check(&a, size_bytes, natural_alignment(size_bytes), NULL);
}

void rd_sim_access_volatile(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_attempt a = rd_sim_attempt_plain(address, op, pc);
    enum rd_sim_space space;
    if (!is_checked(address))
        return;
    if (rd_sim_shadow(address, &space))
        rd_sim_attempt_is_volatile(&a, size_bytes);
    check(&a, size_bytes, natural_alignment(size_bytes), NULL);
}

void rd_sim_access_atomic(uintptr_t address, size_t size_bytes, unsigned atomic,
                          const void *compared, uintptr_t pc)
{
    struct rd_sim_attempt a = rd_sim_attempt_atomic(address, atomic, pc);
    a.compares = compared != NULL;
    if (is_checked(address))
        check(&a, size_bytes, natural_alignment(size_bytes), compared);
}

void rd_sim_access_misaligned(uintptr_t address, size_t alignment)
{
    struct rd_sim_checks_state *own = rd_sim_here->checks;
    struct rd_sim_core *core = &rd_sim_here->core;
    core->is_misaligned = true;
    own->said[own->n_said++ % SAID_MAX] =
        (struct said){address, alignment, core->block, core->thread};
}

/* The alignment that the range should have; 1 where nothing is known of it. A member of what is misaligned
 * may well be aligned. */
static size_t alignment_of(uintptr_t address, size_t size_bytes)
{
    struct rd_sim_checks_state *own = rd_sim_here->checks;
    const struct rd_sim_core *core = &rd_sim_here->core;
    for (unsigned k = 0; k < SAID_MAX; k++)
        if (own->said[k].address == address && own->said[k].thread == core->thread &&
            own->said[k].block == core->block && own->said[k].alignment > 0 &&
            size_bytes % own->said[k].alignment == 0) {
            own->said[k].address = 0;
            return own->said[k].alignment;
        }
    return 1;
}

void rd_sim_access_range(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    if (size_bytes == 0)
        return;
    rd_sim_tell_access(address, size_bytes, op, pc);
    struct rd_sim_attempt a = rd_sim_attempt_plain(address, op, pc);
    if (is_checked(address))
        check(&a, size_bytes, alignment_of(address, size_bytes), NULL);
}

/* Checks a write whose value, and the one before it, nobody knows. */
static void access_without_values(uintptr_t address, size_t size_bytes, bool frees, uintptr_t pc)
{
    if (size_bytes == 0)
        return;
    rd_sim_settle(); /* a write before it, whose value it would take along */
    rd_sim_tell_access(address, size_bytes, RD_SIM_WRITE, pc);
    struct rd_sim_attempt a = rd_sim_attempt_plain(address, RD_SIM_WRITE, pc);
    a.frees = frees;
    a.hides_values = true;
    if (is_checked(address))
        check(&a, size_bytes, frees ? 1 : alignment_of(address, size_bytes), NULL);
}

void rd_sim_access_free(uintptr_t address, size_t size_bytes, uintptr_t pc)
{
    access_without_values(address, size_bytes, true, pc);
}

void rd_sim_access_made(uintptr_t address, size_t size_bytes, uintptr_t pc)
{
    access_without_values(address, size_bytes, false, pc);
}

void rd_sim_index_check(int64_t index, size_t n_elems, unsigned elem_bytes, uintptr_t pc)
{
    struct rd_sim_event event = {
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .actor = rd_sim_actor_self(RD_SIM_READ, pc),
        .interval = rd_sim_here->core.interval,
        .size_bytes = elem_bytes,
        .index_known = true,
        .index = index,
        .n_elems = n_elems,
    };
    if (!rd_sim_is_running())
        return;
    rd_sim_here->core.on_event(&event);
}

const struct rd_sim_part rd_sim_part_checks = {
    .size_bytes = sizeof(struct rd_sim_checks_state),
    .at = offsetof(struct rd_sim, checks),
};

const struct rd_sim_detector rd_sim_detector_checks = {.settle = settle, .launch_end = launch_end};
