// SPDX-License-Identifier: MIT
/* The shadow record of four bytes of device memory: 64 bits that summarise all accesses of a
 * launch.
 *
 *   63        38 37     28 27     18 17      6  5    4 3 2  1  0
 *  [   epoch    | thread  | second  |  sites  |INIT| V W X | kind ]
 *
 * An epoch numbers what barriers separate: it grows with every block, every block barrier, and
 * every warp barrier (for that warp's threads). Blocks run one after the other, so one comparison
 * each tells whether a record is of an earlier launch, of another block, of an earlier barrier
 * interval of this block, or of this one. (Where threads order each other otherwise, by fences, flags or
 * barriers of some lanes, or blocks are interleaved, the launch is an exact one: see races.h.) An access has
 * raced as soon as there is an unordered one before it by another thread, unless both read or both
 * are atomic. So, as long as nothing has raced, the accesses since the last barrier are either
 *
 *   READS      plain reads only, by any number of threads
 *   ATOMICS    atomics only, by any number of threads
 *   EXCLUSIVE  anything, by one thread
 *
 * Why one or two threads stand for all of them and no racy location is lost:
 *   - READS keeps the first thread, and a second one (`second` == `thread`: there is none). A write
 *     or an atomic by t races with each of them but t itself. Of two different threads at most one
 *     is t, so t is found to race exactly if it races with anyone at all. Where warp barriers order
 *     threads of a warp, the two are of different warps if any two are: then at least one is in
 *     another warp than t, and unordered.
 *   - ATOMICS keeps the last thread. It has read what all before it have written, so that whatever is
 *     ordered behind it is behind them, too (PTX ISA, "Causality Order"); what is not races with it.
 *   - A record whose thread is ordered before the one that joins it may be replaced: whatever
 *     comes later and races with the old one races with the new one, since order is transitive.
 *   - What a block did in earlier intervals matters to other blocks only. They need to know
 *     whether it was all reads, all atomics, or neither; the kind says it for the present
 *     interval, W says "neither" for earlier ones. V says so of earlier warp epochs of this
 *     interval, which matters to other warps only. X says that another block has joined the
 *     readers: from then on, anything else races with the record's thread, which is of the earliest
 *     block.
 *   - After a race has been told, the record starts anew with the later access: the location is
 *     reported already.
 *
 * A SPLIT record is of memory that threads use byte by byte: its upper bits number four records,
 * one for each byte. Number 0 is memory that does not exist: the zones around shared variables.
 * INIT is never set in it, so that a test for INIT leaves it out. */
#ifndef RD_SIM_RECORD_H
#define RD_SIM_RECORD_H

#include <stdint.h>

enum rd_sim_kind { RD_READS, RD_EXCLUSIVE, RD_ATOMICS, RD_SPLIT };

enum {
    RD_KIND_MASK = 3,
    RD_X = 1 << 2,
    RD_W = 1 << 3,
    RD_V = 1 << 4,
    RD_INIT = 1 << 5,
    RD_FLAGS = RD_X | RD_W | RD_V,
    RD_SITE_SHIFT = 6,
    RD_SITE_BITS = 12,
    RD_SECOND_SHIFT = 18,
    RD_THREAD_SHIFT = 28,
    RD_EPOCH_SHIFT = 38,
    RD_THREAD_MASK = 1023,
    RD_SITE_MASK = (1 << RD_SITE_BITS) - 1,
    RD_EPOCH_MAX = (1 << 26) - 1, /* of no access: see races.h */
    RD_EPOCH_LAST = RD_EPOCH_MAX - 1,
};

#define RD_NO_MEMORY ((uint64_t)RD_SPLIT)

static inline uint64_t rd_record_split(uint64_t number)
{
    return number << RD_SITE_SHIFT | RD_SPLIT;
}

static inline uint64_t rd_record_split_number(uint64_t record)
{
    return record >> RD_SITE_SHIFT;
}

static inline enum rd_sim_kind rd_record_kind(uint64_t record)
{
    return (enum rd_sim_kind)(record & RD_KIND_MASK);
}

static inline unsigned rd_record_thread(uint64_t record)
{
    return (unsigned)(record >> RD_THREAD_SHIFT) & RD_THREAD_MASK;
}

static inline unsigned rd_record_second(uint64_t record)
{
    return (unsigned)(record >> RD_SECOND_SHIFT) & RD_THREAD_MASK;
}

static inline unsigned rd_record_sites(uint64_t record)
{
    return (unsigned)(record >> RD_SITE_SHIFT) & RD_SITE_MASK;
}

static inline unsigned rd_record_epoch(uint64_t record)
{
    return (unsigned)(record >> RD_EPOCH_SHIFT);
}

/* Records that are cells have an epoch that no access has. */
static inline bool rd_sim_is_cell(uint64_t record)
{
    return rd_record_epoch(record) == RD_EPOCH_MAX;
}

/* Epoch and thread of a record that only this thread is in. */
static inline uint64_t rd_record_stamp(unsigned epoch, unsigned thread)
{
    return (uint64_t)epoch << RD_EPOCH_SHIFT | (uint64_t)thread << RD_THREAD_SHIFT |
           (uint64_t)thread << RD_SECOND_SHIFT;
}

#endif
