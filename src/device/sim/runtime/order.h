// SPDX-License-Identifier: MIT
/* The order between operations. They run eagerly, one after the other; on a device, only those that a stream, an event or the
 * host orders do: see moments.h. Two operations race that access the same bytes, one of them to write, where neither's clock has
 * the other. Where it has it in this order of the host's threads, and not in each, that is said. */
#ifndef RD_SIM_RUNTIME_ORDER_H
#define RD_SIM_RUNTIME_ORDER_H

#include "device/sim/runtime/moments.h"
#include "device/sim/runtime/runtime_internal.h"
#include "device/sim/source/sites.h"

/* An operation that is under way: what it is, and behind what. */
struct rd_sim_step {
    unsigned queue, segment, lane; /* the queue's number */
    uint64_t number;
    struct rd_sim_moments before;
    struct rd_sim_host_place place;
    char what[96]; /* "cudaMemcpyAsync", "kernel add" */
};

/* The next one in a queue. */
struct rd_sim_step rd_sim_step_begin(struct rd_sim_queue *queue,
                                     const struct rd_sim_host_place *place, const char *what);
void rd_sim_step_end(struct rd_sim_step *step);

/* Tells whether the host knows that all up to these moments has come to its end. */
bool rd_sim_host_knows(const struct rd_sim_moments *moments);

/* The host has learnt of more: forgets what can race with nothing any more. */
void rd_sim_host_learns(const struct rd_sim_moments *moments);
/* It has learnt of what another of its threads knew. */
void rd_sim_host_has_learnt(void);

/* The step accesses these bytes: tells of each that races with it. */
void rd_sim_step_accesses(const struct rd_sim_step *step, uintptr_t address, size_t size_bytes,
                          bool writes);
/* Memory that a launch has accessed; begins as {0}. */
struct rd_sim_reach {
    struct rd_sim_reached {
        uintptr_t start;
        size_t size_bytes, region;
        enum rd_sim_op op;
    } * all;
    size_t n, capacity;
    bool failed; /* it is not whole: for want of memory, behind a race, or with atomics */
};
void rd_sim_reach_finish(struct rd_sim_reach *reach);

/* The step is a launch that has just come to its end: the same, of all that its threads have accessed. `floor` is that of the
 * launch's records; of memory that the host can't access where `host_only` is false. `reach` (optional) keeps it. */
void rd_sim_step_launched(const struct rd_sim_step *step, uint64_t floor, bool host_only,
                          struct rd_sim_reach *reach);
/* The same of a launch that has accessed what another one has. */
void rd_sim_step_repeats(const struct rd_sim_step *step, const struct rd_sim_reach *reach);
/* A thread of a launch that runs makes an atomic of a device's scope: for the host it is a plain access. */
void rd_sim_step_device_atomic(uintptr_t address, size_t size_bytes);
/* Until NULL: what the host's code does is done in this step. */
void rd_sim_host_stands_in(const struct rd_sim_step *step);
/* The same of an access by the host, now. */
void rd_sim_host_accesses(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
/* Bytes of memory that the host can access, and that an operation which it hasn't waited for may still write: a copy, say. Launches
 * are rounds, and laws are of what is there when they have ended. */
struct rd_sim_pending {
    uintptr_t start, end;
    struct rd_sim_line line; /* where it was issued */
    const char *what;        /* "cudaMemcpyAsync" */
};
/* Finds the next of these in [start, end), beginning with *next, which is 0 at first; false where there are no more. */
bool rd_sim_host_pending(size_t *next, uintptr_t start, uintptr_t end,
                         struct rd_sim_pending *pending);

#endif
