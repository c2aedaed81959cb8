// SPDX-License-Identifier: MIT
/* Tells somebody of each access to device memory, with the value that was read or written. */
#ifndef RD_SIM_RECORDER_H
#define RD_SIM_RECORDER_H

#include "device/sim/memory/memory.h"

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

/* Who is told, and of what. */
struct rd_sim_recorder {
    void *self;
    void (*take)(void *self, const struct rd_sim_access *access);
    /* In a shuffle first what all lanes hand, then what each takes. */
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

/* For the launches that follow; it is copied. NULL: nobody is told. Launches are then slower, and run
 * in one process. */
void rd_sim_recorder_set(const struct rd_sim_recorder *recorder);

/* A launch begins, and ends. */
void rd_sim_recorder_begin(void);
void rd_sim_recorder_end(void);
/* The running thread comes to a checkpoint, of its block's array; */
void rd_sim_recorder_checkpoint(int point, const void *array);
/* or of its warp, with that value; `pc` is behind the call. */
void rd_sim_recorder_checkpoint_lane(int point, const void *value, size_t elem_bytes, uintptr_t pc);

#endif
