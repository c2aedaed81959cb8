// SPDX-License-Identifier: MIT
/* An access while it is checked: shared by slow_path.c, for bounds and records, and cell.c. */
#ifndef RD_SIM_ATTEMPT_H
#define RD_SIM_ATTEMPT_H

#include "device/sim/detect/causality.h"

struct rd_sim_attempt {
    enum rd_sim_op op;
    bool reads, writes; /* an atomic may do either, or both */
    bool is_strong;     /* an atomic or volatile one that others may count on: */
    struct rd_sim_strong strong;
    bool is_volatile;
    bool compares;     /* an atomicCAS() */
    uintptr_t address; /* of the whole access, */
    uintptr_t at;      /* and of the bytes that are stepped now */
    uintptr_t pc;
    bool shared;
    uint64_t floor; /* records below are not of this launch, or not of this block's memory */
    bool hit;       /* the bytes stepped last have raced */
    unsigned bytes; /* all that have, one bit each */
    bool raced;     /* first with: */
    struct rd_sim_actor other;
    enum rd_sim_heard heard; /* of that, see rd_sim_causality_heard */
    bool uninitialised;
};

struct rd_sim_attempt rd_sim_attempt_plain(uintptr_t address, enum rd_sim_op op, uintptr_t pc);
/* One of a volatile object in device memory; of more than 8 bytes it is as a plain one. */
void rd_sim_attempt_is_volatile(struct rd_sim_attempt *a, size_t size_bytes);
/* An atomic one; bits of enum rd_sim_atomic. */
struct rd_sim_attempt rd_sim_attempt_atomic(uintptr_t address, unsigned atomic, uintptr_t pc);
/* An atomicCAS() has found something else. */
void rd_sim_attempt_only_reads(struct rd_sim_attempt *a);

/* The bytes stepped now have raced. True for the first race of the access, the one that is told in
 * full: `other` is then to be set. */
static inline bool rd_sim_attempt_race(struct rd_sim_attempt *a)
{
    bool first = !a->raced;
    a->hit = a->raced = true;
    return first;
}

/* The record of this access alone, with these flags. */
uint64_t rd_sim_attempt_record(const struct rd_sim_attempt *a, uint64_t flags);

#endif
