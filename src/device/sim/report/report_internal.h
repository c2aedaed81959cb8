// SPDX-License-Identifier: MIT
/* Findings of a launch before they are put into words: events of the same places, counted as one. Private to
 * the report: report.c collects them, finding.c and sentences.c tell them, in the words of words.c. */
#ifndef RD_SIM_REPORT_INTERNAL_H
#define RD_SIM_REPORT_INTERNAL_H

#include "reductio/device.h"
#include "device/sim/engine/event.h"
#include "device/sim/memory/memory.h"
#include "device/schedule.h"
#include "device/sim/engine/engine.h"
#include "device/sim/source/source.h"

/* Key by which two events are the same. */
struct rd_sim_found_key {
    enum rd_hazard_kind hazard;
    uintptr_t pc, other_pc, array;
    unsigned line, other_line, kind;
};

struct rd_sim_found {
    struct rd_sim_found_key key;
    struct rd_sim_event event; /* the first */
    uint64_t count;
    struct rd_sim_array array; /* that it is about, where array_known */
    bool array_known;
    int64_t offset_bytes;    /* of the access, from the array's start */
    uint64_t bytes;          /* of all leaks that are counted here */
    bool behind_flag;        /* blocks race at a flag, too */
    enum rd_sim_heard heard; /* of all the races, the least that one block has of the other */
    uint64_t explained;      /* of `count`, how many a race tells: see uninitialised.c */
    uint64_t schedules;      /* under which it was seen, a bit each */
    uint64_t resumed;        /* of undefined arithmetic: how often the thread has a GPU's result */
};

/* The launch that they are of, and the schedules under which it was tried. */
struct rd_sim_extent {
    struct rd_sim_dim grid, block;
    unsigned n_schedules;
    char schedules[RD_SCHEDULES_MAX][RD_SCHEDULE_NAME_SIZE];
    struct rd_digits digits; /* of the values in u64 */
    const char *kernel;      /* its name, where there are several launches; else NULL */
};

/* The launch that an actor is of. */
static inline struct rd_sim_launched rd_sim_extent_launch(const struct rd_sim_extent *extent,
                                                          const struct rd_sim_actor *actor)
{
    return actor->launch.block.x > 0
               ? actor->launch
               : (struct rd_sim_launched){extent->kernel, extent->grid, extent->block};
}

/* The threads of a block, and whether that of a number is one of them. */
static inline unsigned rd_sim_extent_threads(const struct rd_sim_extent *extent)
{
    return extent->block.x * extent->block.y * extent->block.z;
}
static inline bool rd_sim_extent_has(const struct rd_sim_extent *extent, unsigned thread)
{
    return thread < rd_sim_extent_threads(extent);
}

/* Kind of a race, "read-write", "write-write" or "same-value"; and scope, "warp", "block" or "grid". */
const char *rd_sim_race_kind(const struct rd_sim_event *event);
const char *rd_sim_race_scope(const struct rd_sim_event *event);

/* The same of any finding: see struct rd_finding. */
const char *rd_sim_found_kind(const struct rd_sim_found *found);
const char *rd_sim_found_scope(const struct rd_sim_found *found);
bool rd_sim_found_is_access(const struct rd_sim_found *found);

/* Tells whether it is a race of a volatile flag by which a block hands something to another. */
bool rd_sim_found_is_flag(const struct rd_sim_found *found);
/* Tells whether all of these races, of what a block hands to another, would be none with fences around the atomics or
 * flags that there are. */
bool rd_sim_found_lacks_fence(const struct rd_sim_found *found);
/* Tells whether it takes barriers, too: another thread of the block tells of what one did, or is told, with none
 * between. */
bool rd_sim_found_lacks_barrier(const struct rd_sim_found *found);
/* Tells whether it is an access to dynamic shared memory, of which the launch has none. */
bool rd_sim_found_is_missing(const struct rd_sim_found *found);
/* Tells whether it is an access to a variable of the host's. */
bool rd_sim_found_is_of_host(const struct rd_sim_found *found);
/* Tells whether it is a race between lanes of a warp by volatile accesses alone, to an array that is known. */
bool rd_sim_found_is_warp_synchronous(const struct rd_sim_found *found);
/* Tells whether it is a race of atomics with a plain read that its thread makes sure of by an atomicCAS(). */
bool rd_sim_found_is_guess(const struct rd_sim_found *found);

/* An index added to a null pointer ends somewhere below. */
enum { RD_SIM_NULL_BYTES = 1 << 16 };
/* Tells whether the access is to where nothing is, and the array that was meant is unknown. */
bool rd_sim_found_is_lost(const struct rd_sim_found *found);
/* Tells whether the access is to shared memory that the launch does not have. */
bool rd_sim_found_is_shared(const struct rd_sim_found *found);

/* The element that the access is to. False where it is no whole one, or the array is unknown. */
bool rd_sim_found_index(const struct rd_sim_found *found, int64_t *index);
/* Names the array: of the device heap by the place of its allocation. */
enum { RD_SIM_NAME_SIZE = 256 };
void rd_sim_found_name(const struct rd_sim_found *found, char name[RD_SIM_NAME_SIZE]);
/* Returns the lesson of the finding. */
const char *rd_sim_found_lesson(const struct rd_sim_found *found,
                                const struct rd_sim_extent *extent);

enum { RD_SIM_VALUE_SIZE = 32, RD_SIM_MESSAGE_SIZE = 2048 };
/* A value of the cell, from its bits, in the type of its array; of witness values the inputs in it. */
void rd_sim_found_value(const struct rd_sim_found *found, const struct rd_sim_extent *extent,
                        uint64_t bits, char text[RD_SIM_VALUE_SIZE]);

/* Findings that are told as one. */
struct rd_sim_sum {
    uint64_t count, bytes; /* how often they happened; what they leaked */
    uint64_t resumed;      /* how often the thread went on with a GPU's result */
    unsigned n_pairs;      /* of places, where several are told as one; else 0 */
    uint64_t schedules;    /* under which any was seen, a bit each */
    char lines[128];       /* of barriers that a block missed next, "104, 108 and 113"; or "" */
};
/* The whole finding as a sentence, and what it teaches. */
void rd_sim_found_message(const struct rd_sim_found *found, const struct rd_sim_sum *sum,
                          const struct rd_sim_extent *extent, char message[RD_SIM_MESSAGE_SIZE]);

/* ---- finding.c: from what was found to the findings that users see ---- */

/* A thread or a block, from its linear number. */
static inline struct rd_index3 rd_sim_index3(uint64_t linear, struct rd_sim_dim dim)
{
    return (struct rd_index3){(unsigned)(linear % dim.x), (unsigned)(linear / dim.x % dim.y),
                              (unsigned)(linear / dim.x / dim.y)};
}

/* Makes a finding of each, in their order, without duplicates. They live until the
 * next call. NULL without memory; *count is then 0. */
const struct rd_finding *rd_sim_findings_make(const struct rd_sim_found *found, size_t n_found,
                                              const struct rd_sim_extent *extent, size_t *count);

/* ---- words.c: threads, places, cells and values, as people call them ---- */

/* A text that is being written: it ends where the room for it does. */
struct rd_sim_text {
    char *at;
    size_t left;
    const struct rd_sim_extent *extent;
};

void rd_sim_say(struct rd_sim_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "thread 1 of block 0", "a thread of another block". */
void rd_sim_say_thread(struct rd_sim_text *text, const struct rd_sim_actor *actor);
/* " at sum.cu:11:28"; nothing where it is unknown. */
void rd_sim_say_site(struct rd_sim_text *text, const struct rd_sim_site *site);
/* "cells[2][1] (shared)", "element 3 of the allocation at sum.cu:7,", "a null pointer". */
void rd_sim_say_cell(struct rd_sim_text *text, const struct rd_sim_found *found);
/* A value of the cell. */
void rd_sim_say_value(struct rd_sim_text *text, const struct rd_sim_found *found, uint64_t bits);
/* A number, "a number of 128 bits" where it is unknown. */
void rd_sim_say_number(struct rd_sim_text *text, struct rd_sim_number number);

/* Tells whether these are the bits of memory that nobody has written. */
bool rd_sim_is_fresh(uint64_t bits, size_t size_bytes);

/* ---- uninitialised.c ---- */

/* Reads of what nobody has written yet, and then writes by a thread that has not been waited for: the race says
 * all of it, so that the read is no finding of its own. */

struct rd_sim_fresh_read {
    size_t finding; /* that counts it */
    uintptr_t address, pc;
    uint64_t block;
    unsigned thread, interval, size_bytes;
    bool is_explained;
    unsigned next; /* of those at one place, counted from 1 on; 0: none */
};

/* A launch begins under a schedule, or has ended. */
void rd_sim_fresh_reads_begin(void);
/* Remembers a read that finding number `finding` counts; at most 2^16 that no race has explained. */
void rd_sim_fresh_reads_add(size_t finding, const struct rd_sim_event *read);
/* The race is one of a write: calls `explain` for each read that it tells, once. */
void rd_sim_fresh_reads_raced(const struct rd_sim_event *race,
                              void (*explain)(const struct rd_sim_fresh_read *read));
/* The first read of a finding that no race has explained; NULL where none is known. */
const struct rd_sim_fresh_read *rd_sim_fresh_reads_first(size_t finding);
/* Tells whether all that is uninitialised in this access is padding of structs. */
bool rd_sim_layout_explains(const struct rd_sim_event *event);

#endif
