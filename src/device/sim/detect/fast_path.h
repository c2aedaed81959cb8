// SPDX-License-Identifier: MIT
/* The fast path of an access: the cases in which a compare or two decide that nothing is wrong, and
 * what the record becomes. They are those of step() in races.c, which decides all others. `op` and
 * `shared` are constants wherever these functions are expanded on the hot path. */
#ifndef RD_SIM_FAST_PATH_H
#define RD_SIM_FAST_PATH_H

#include "device/sim/object.h"
#include "device/sim/source/sites.h"

#define RD_INLINE    static inline __attribute__((always_inline))
#define RD_LIKELY(x) __builtin_expect(!!(x), 1)

RD_INLINE enum rd_sim_kind rd_sim_kind_of(enum rd_sim_op op)
{
    return op == RD_SIM_READ ? RD_READS : op == RD_SIM_ATOMIC ? RD_ATOMICS : RD_EXCLUSIVE;
}

/* Makes it a record of this access alone, if the place has a number at hand. */
RD_INLINE bool rd_sim_mark(uint64_t *shadow, enum rd_sim_op op, uintptr_t pc, uint64_t flags)
{
    const struct rd_sim_site_cache *site = rd_sim_site_cached(pc);
    if (!RD_LIKELY(site->pc == pc))
        return false;
    *shadow = rd_sim_here->core.stamp | site->mark | flags | rd_sim_kind_of(op);
    return true;
}

/* Joins the readers since the block's last barrier, where the record is of such reads alone. It keeps two of them, of different
 * warps if there are any: most reads find those two there. See step_join() in races.c. */
RD_INLINE bool rd_sim_has_joined(uint64_t *shadow, uintptr_t pc)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const uint64_t record = *shadow, mine = record ^ core->stamp,
                   second = (uint64_t)RD_THREAD_MASK << RD_SECOND_SHIFT;
    const unsigned warp_bits = 5;
    if ((record & (RD_KIND_MASK | RD_INIT)) != (RD_READS | RD_INIT))
        return false;
    const uint64_t differ = (record ^ record >> (RD_THREAD_SHIFT - RD_SECOND_SHIFT)) & second;
    if (differ >> (RD_SECOND_SHIFT + warp_bits)) /* it has threads of two warps */
        return !(record & RD_V);
    if (mine >> (RD_THREAD_SHIFT + warp_bits) == 0) { /* of this thread's warp, and epoch */
        if (differ || mine >> RD_THREAD_SHIFT == 0)
            return differ || !(record & RD_FLAGS);
    } else if ((mine >> (RD_THREAD_SHIFT + warp_bits)) % RD_SIM_WARPS == 0) {
        return false;
    }
    /* A pair of two places has a number of its own; and exact launches have no pairs. */
    const struct rd_sim_site_cache *site = rd_sim_site_cached(pc);
    if (site->pc != pc || ((record ^ site->mark) >> RD_SITE_SHIFT & RD_SITE_MASK) != 0 ||
        (record & RD_V) || core->exact)
        return false;
    *shadow = (record & ~second) | (core->stamp & second);
    return true;
}

/* Tells whether it is a first write to memory that an array is known to have. A record of single bytes is none of the array's
 * own, and memory that does not exist is in no array. */
RD_INLINE bool rd_sim_is_first_write(const uint64_t *shadow, enum rd_sim_op op, bool shared)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    return op == RD_SIM_WRITE && !shared &&
           (size_t)(shadow - core->known_shadow) < core->known_granules &&
           rd_record_kind(*shadow) != RD_SPLIT;
}

/* Tells whether nothing more needs to be known of this access to what the record is of. */
RD_INLINE bool rd_sim_record_is_plain(uint64_t *shadow, enum rd_sim_op op, uintptr_t pc,
                                      bool shared)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    uint64_t record = *shadow;
    if (op == RD_SIM_READ && shared && RD_LIKELY(record >= core->interval_floor) &&
        RD_LIKELY(rd_sim_has_joined(shadow, pc)))
        return true;
    /* Accesses before the last barrier, or before the launch, race with nothing: only whether the cell has a value counts.
     * A value there means that there is memory. */
    if (RD_LIKELY(record < (shared ? core->interval_floor : core->launch_floor)))
        return (record & RD_INIT ? !(shared && op != RD_SIM_WRITE && record < core->block_floor)
                                 : rd_sim_is_first_write(shadow, op, shared)) &&
               rd_sim_mark(shadow, op, pc, 0);
    /* Only this thread has accessed the cell in this epoch. */
    if (RD_LIKELY((record ^ core->stamp) >> RD_SECOND_SHIFT == 0 &&
                  (record & (RD_INIT | RD_FLAGS)) == RD_INIT &&
                  (rd_record_kind(record) == RD_ATOMICS) == (op == RD_SIM_ATOMIC)))
        return op == RD_SIM_READ || rd_sim_mark(shadow, op, pc, 0);
    if (op == RD_SIM_READ && !shared &&
        (record >= core->interval_floor
             ? rd_sim_has_joined(shadow, pc)
             : record < core->block_floor &&
                   (record & (RD_KIND_MASK | RD_INIT | RD_FLAGS)) == (RD_READS | RD_INIT | RD_X)))
        return true;
    /* Atomics alone: the last stands for all. */
    if (op == RD_SIM_ATOMIC &&
        (record & (RD_KIND_MASK | RD_FLAGS | RD_INIT)) == (RD_ATOMICS | RD_INIT))
        return rd_sim_mark(shadow, op, pc, 0);
    /* Only this block has accessed the cell, in earlier intervals, which matters to other blocks alone. */
    if (!shared && record >= core->block_floor && record < core->interval_floor &&
        (record & (RD_INIT | RD_X)) == RD_INIT) {
        bool alike = rd_record_kind(record) == rd_sim_kind_of(op);
        if (op != RD_SIM_WRITE && !alike) /* what is forgotten may be asked for */
            return false;
        bool mixed = record & (RD_W | RD_V) || op == RD_SIM_WRITE;
        return rd_sim_mark(shadow, op, pc, mixed ? RD_W : 0);
    }
    return false;
}

RD_INLINE bool rd_sim_records_are_plain(uint64_t *shadow, size_t count, enum rd_sim_op op,
                                        uintptr_t pc, bool shared)
{
    for (size_t k = 0; k < count; k++)
        if (!rd_sim_record_is_plain(shadow + k, op, pc, shared))
            return false;
    return true;
}

/* The same for an access within one granule that is not all of it: only where its bytes have
 * records of their own, by now. */
RD_INLINE bool rd_sim_bytes_are_plain(const uint64_t *shadow, unsigned first, size_t count,
                                      enum rd_sim_op op, uintptr_t pc, bool shared)
{
    uint64_t record = *shadow;
    if (rd_record_kind(record) != RD_SPLIT || record == RD_NO_MEMORY)
        return false;
    uint64_t *bytes = rd_sim_here->core.splits[rd_record_split_number(record)];
    return rd_sim_records_are_plain(bytes + first, count, op, pc, shared);
}

/* The same for bytes that lie in whole granules, or in one alone. */
RD_INLINE bool rd_sim_bytes_at_are_plain(uintptr_t address, size_t size, enum rd_sim_op op,
                                         uintptr_t pc)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    uintptr_t offset = address - core->arena;
    if (RD_LIKELY(offset < core->arena_size)) {
        uint64_t *shadow = core->arena_shadow + offset / 4;
        return size < 4 ? rd_sim_bytes_are_plain(shadow, address % 4, size, op, pc, false)
                        : rd_sim_records_are_plain(shadow, size / 4, op, pc, false);
    }
    offset = address - core->shared;
    if (RD_LIKELY(offset < core->shared_size)) {
        uint64_t *shadow = core->shared_shadow + offset / 4;
        return size < 4 ? rd_sim_bytes_are_plain(shadow, address % 4, size, op, pc, true)
                        : rd_sim_records_are_plain(shadow, size / 4, op, pc, true);
    }
    return false;
}

/* The same for an access of 1, 2, 4, 8 or 16 bytes. */
RD_INLINE bool rd_sim_access_is_plain(uintptr_t address, size_t size, enum rd_sim_op op,
                                      uintptr_t pc)
{
    return (address & (size - 1)) == 0 && rd_sim_bytes_at_are_plain(address, size, op, pc);
}

/* The same for an access of any size, which is misaligned only where that was said before. No range leaves its array
 * unseen: around each are granules that hold nothing. */
RD_INLINE bool rd_sim_range_is_plain(uintptr_t address, size_t size, enum rd_sim_op op,
                                     uintptr_t pc)
{
    return size > 0 && address % 4 == 0 && size % 4 == 0 && !rd_sim_here->core.is_misaligned &&
           rd_sim_bytes_at_are_plain(address, size, op, pc);
}

#endif
