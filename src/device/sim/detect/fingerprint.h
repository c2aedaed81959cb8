// SPDX-License-Identifier: MIT
/* Fingerprints of what threads do that values must not decide: the cells that each accesses and the
 * comparisons that it makes, with what is compared, in the thread's order. Two runs of a kernel in which no
 * address and no branch depends on data have the same fingerprints, whatever the data. */
#ifndef RD_SIM_FINGERPRINT_H
#define RD_SIM_FINGERPRINT_H

#include "reductio/device.h"
#include "device/sim/engine/event.h"

/* One access or comparison. */
struct rd_sim_deed {
    uintptr_t pc; /* the return address of its hook */
    bool is_access;
    enum rd_sim_op op; /* of an access */
    char array[64];
    int64_t index;        /* the element; negative before the array */
    uint64_t left, right; /* of a comparison, and of a switch: `right` is 0 */
};

/* A launch, and where its threads begin. */
struct rd_sim_fingerprinted {
    size_t first;
    size_t block_threads;
};

/* Fingerprint of the threads of all launches since they were first taken; begins as 0. */
struct rd_sim_fingerprints {
    uint64_t *threads; /* launch by launch, block by block */
    size_t n_threads, capacity;
    struct rd_sim_fingerprinted *launches;
    size_t n_launches, launch_capacity;
    bool failed; /* for want of memory: they are not whole */
    bool logs;   /* of this thread, all that it does is kept, too: */
    size_t logged;
    struct rd_sim_deed *log;
    size_t n_log, log_capacity;
};

/* Tells whether this build sees comparisons, not only accesses. */
bool rd_sim_fingerprints_compare(void);

/* Takes the fingerprints of the launches that follow; NULL: of no more. Launches are then slower, and run in one
 * process, and kernels of i32 and u64 are those of a second build, whose comparisons are told. */
void rd_sim_fingerprints_take(struct rd_sim_fingerprints *into);
bool rd_sim_fingerprints_are_taken(void);
void rd_sim_fingerprints_finish(struct rd_sim_fingerprints *taken);

/* A launch of so many blocks of so many threads begins, and ends. */
void rd_sim_fingerprint_begin(size_t blocks, size_t block_threads);
void rd_sim_fingerprint_end(void);

/* The running thread compares these bits, before pc. */
void rd_sim_fingerprint_compared(uint64_t left, uint64_t right, uintptr_t pc);

#endif
