// SPDX-License-Identifier: MIT
/* Reads of what nobody has written yet, and then writes by a thread that has not been waited for: the race says
 * all of it, so that the read is no finding of its own. */
#ifndef RD_SIM_FRESH_READS_H
#define RD_SIM_FRESH_READS_H

#include "device/sim/engine/event.h"

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
/* Such a read is counted by finding number `finding`. At most 2^16 that no race has explained are remembered. */
void rd_sim_fresh_reads_add(size_t finding, const struct rd_sim_event *read);
/* The race is one of a write: calls `explain` for each read that it tells, once. */
void rd_sim_fresh_reads_raced(const struct rd_sim_event *race,
                              void (*explain)(const struct rd_sim_fresh_read *read));
/* The first read of a finding that no race has explained; NULL where none is known. */
const struct rd_sim_fresh_read *rd_sim_fresh_reads_first(size_t finding);

#endif
