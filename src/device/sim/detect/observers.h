// SPDX-License-Identifier: MIT
/* Observers of a launch: of its checkpoints (watch.c), of each access (recorder.c), of their number, and of what threads do
 * that values must not decide (fingerprint.c). */
#ifndef RD_SIM_OBSERVERS_H
#define RD_SIM_OBSERVERS_H

#include "reductio/device.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/event.h"

/* Starts to observe a launch of so many blocks of so many threads; NULL ends it. `elem_bytes` is
 * the size of the kernel's elements: other arrays are passed over. */
void rd_sim_watch_begin(struct rd_watch *watch, size_t blocks, unsigned threads, size_t elem_bytes);
/* The block is over. */
void rd_sim_watch_block(uint64_t block);
/* Ends the watch. Returns the status of its checkpoint function. */
enum rd_status rd_sim_watch_end(void);

/* Tells somebody of each access to device memory, with the value that was read or written. */

/* An access to one element of an array. */
struct rd_sim_access {
    uint64_t block;
    unsigned thread;
    enum rd_sim_op op;
    const struct rd_sim_array *array;
    size_t index;
    /* Beyond the array: `index` goes on there, is negative as an int64_t before it, */
    bool outside;
    /* and this is 0; else what was read or written; of an atomic, what it has left there */
    uint64_t value;
    unsigned interval; /* barriers that the block had passed */
    unsigned line;     /* in the source; 0: unknown */
    const char *file;  /* of the line; "" where it is unknown. Lasts as long as the simulator */
};

/* Events of a lane's register, where they can be seen. */
enum rd_sim_lane_op {
    RD_SIM_LANE_SHOWS, /* it holds the value at a checkpoint of lanes, */
    RD_SIM_LANE_HANDS, /* or in a shuffle, where others may take it; */
    RD_SIM_LANE_TAKES, /* and the lane takes the value of a lane's */
};

struct rd_sim_lane_event {
    uint64_t block;
    unsigned thread;
    enum rd_sim_lane_op op;
    unsigned source; /* whose register it is, a thread of the block: of `takes` maybe another's */
    bool absent;     /* of `takes`: that lane is not there; `value` is what CUDA leaves undefined */
    uint64_t value;  /* its bits */
    int point;       /* of `shows`: the checkpoint's */
    unsigned interval, line; /* as above */
    const char *file;
};

/* Subscriber, and what it is told of. */
struct rd_sim_recorder {
    void *self;
    void (*take)(void *self, const struct rd_sim_access *access);
    /* Reports accesses to registers. In a shuffle, all lanes hand their values before any takes one. */
    void (*lane)(void *self, const struct rd_sim_lane_event *event);
    /* A checkpoint of an array was come to, which starts there. */
    void (*checkpoint)(void *self, int point, const struct rd_sim_array *array);
    bool of_block; /* of this block alone, unless also of all that others do, */
    bool others;
    uint64_t block;
    int warp; /* of its warp, or RD_WHOLE_BLOCK, */
    /* of threads that have come to so many checkpoints, and not to more, but also of what lanes show at the one
     * that they come to then; */
    unsigned from, to;
    /* or rather, of all from the moment at which the first thread comes to checkpoint `from` of this
     * point until one comes to the next: that is when the block's array is copied. */
    bool by_snapshot;
    int point;
};

/* Sets the recorder of the launches that follow; it is copied. NULL: none. With a recorder, launches are slower, and run
 * in one process. */
void rd_sim_recorder_set(const struct rd_sim_recorder *recorder);

/* A launch begins, and ends. */
void rd_sim_recorder_begin(void);
void rd_sim_recorder_end(void);
/* The running thread comes to a checkpoint, of its block's array; */
void rd_sim_recorder_checkpoint(int point, const void *array);
/* or of its warp, with that value; `pc` is behind the call. */
void rd_sim_recorder_checkpoint_lane(int point, const void *value, size_t elem_bytes, uintptr_t pc);

/* Counts the global accesses of each thread, and tells of those beyond what a launch allows. */

/* Counts the accesses of each thread from here on; 0: any number is allowed. With both 0 nothing is counted. */
void rd_sim_budget_begin(unsigned reads_max, unsigned writes_max);
void rd_sim_budget_end(void);

/* Fingerprints of what threads do that values must not decide: the cells that each accesses and the
 * comparisons that it makes, with what is compared, in the thread's order. Two runs of a kernel in which no
 * address and no branch depends on data have the same fingerprints, whatever the data. */

/* An access or a comparison. */
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
