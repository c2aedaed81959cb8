// SPDX-License-Identifier: MIT
/* What the parts of the simulator share about the launch and the thread that run. Private. */
#ifndef RD_SIM_CORE_H
#define RD_SIM_CORE_H

#include "device/sim/engine/event.h"
#include "device/sim/memory/record.h"

enum { RD_SIM_BLOCK_MAX = 1024, RD_SIM_WARP = 32 };

/* What a declaration needs so that position-independent code reaches the object without a look into
 * the table of global offsets: -fvisibility does not speak of declarations. */
#define RD_PRIVATE __attribute__((visibility("hidden")))

/* A call of a warp function that names no lanes, as those of before CUDA 9; `name` is NULL where there is none. */
struct rd_sim_outdated {
    const char *name, *file;
    unsigned line;
};
/* `first` becomes the other one, where that stands in front of it: so that it is the same whoever comes first. */
void rd_sim_outdated_add(struct rd_sim_outdated *first, const struct rd_sim_outdated *other);

/* The part that every access looks at. */
struct rd_sim_core {
    uintptr_t arena; /* global memory */
    size_t arena_size;
    uint64_t *arena_shadow;
    uintptr_t shared; /* static and dynamic shared memory */
    size_t shared_size;
    uint64_t *shared_shadow;
    uint64_t (*splits)[4]; /* see SPLIT in record.h */
    uint64_t stamp;        /* of the thread that runs, in its epoch */
    uint64_t launch_floor; /* records below it are of earlier launches, */
    /* of other blocks, and of earlier barrier intervals; of an exact launch, as launch_floor */
    uint64_t block_floor, interval_floor;
    uint64_t interval_stamp; /* the block's epoch since its last barrier, as in a stamp */
    uint64_t budget;         /* accesses until the scheduler wants to be asked, */
    uint64_t granted;        /* and what it was when the thread's turn began: RD_SIM_SLICE, in all
                              * orders but one */
    /* Optional: told of each access before it happens. The budget is then 1, and `patience` what it
     * else would be. */
    void (*on_access)(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
    uint64_t patience;
    /* Optional: told of each meeting of lanes, before they go on: `lanes` of the warp whose lane 0 is
     * thread `first`. */
    void (*on_meeting)(unsigned first, unsigned lanes);
    unsigned epoch;    /* the last one given out */
    unsigned thread;   /* that runs, linear in its block */
    uint64_t block;    /* that runs, linear in the grid */
    unsigned interval; /* barriers that the block has passed */
    bool is_waiting;   /* see rd_sim_settle */
    void (*on_event)(const struct rd_sim_event *event);
    long long clock;                 /* what the block last read from it */
    bool is_part;                    /* this process runs some of the blocks: see jobs.h */
    bool exact;                      /* the launch is an exact one: see scheduler.h */
    bool took_mask, took_clock;      /* some thread of this process has, which no schedule varies */
    struct rd_sim_outdated outdated; /* a thread of this process has called it */
    bool communicates; /* threads of this launch have met by more than barriers and shuffles */
    /* What any atomic has read counts only behind a fence of the reader (PTX asks for it; CUDA's own
     * examples do without, and so it is asked of those who promise it). */
    bool acquires_by_fence;
};
extern RD_PRIVATE struct rd_sim_core rd_sim_core;

/* The thread that runs, as an actor. */
struct rd_sim_actor rd_sim_actor_self(enum rd_sim_op op, uintptr_t pc);
struct rd_sim_actor rd_sim_actor_at(const char *file, unsigned line);

/* Tells whoever wants to know of each access. */
static inline void rd_sim_tell_access(uintptr_t address, size_t size_bytes, enum rd_sim_op op,
                                      uintptr_t pc)
{
    if (rd_sim_core.on_access)
        rd_sim_core.on_access(address, size_bytes, op, pc);
}

/* Two writes that race: whether they write the same value shows only after the second. Settles the
 * event that waits for that. */
void rd_sim_settle_now(void);
static inline void rd_sim_settle(void)
{
    if (rd_sim_core.is_waiting)
        rd_sim_settle_now();
}

#endif
