// SPDX-License-Identifier: MIT
/* Tells somebody of each access to device memory, with the value that was read or written. */
#ifndef RD_SIM_RECORDER_H
#define RD_SIM_RECORDER_H

#include "sim/memory.h"

/* An access to one element of an array. */
struct rd_sim_access {
    uint64_t block;
    unsigned thread;
    enum rd_sim_op op;
    const struct rd_sim_array *array;
    size_t index;
    bool
        outside; /* beyond the array: `index` goes on there, is negative as an int64_t before it, */
    uint64_t
        value; /* and this is 0; else what was read or written; of an atomic, what it has left there */
    unsigned interval; /* barriers that the block had passed */
    unsigned line;     /* in the source; 0: unknown */
    const char *file;  /* of the line; "" where it is unknown. Lasts as long as the process */
};

/* Who is told, and of what. */
struct rd_sim_recorder {
    void *self;
    void (*take)(void *self, const struct rd_sim_access *access);
    /* A checkpoint of an array was come to, which starts there. */
    void (*checkpoint)(void *self, int point, const struct rd_sim_array *array);
    bool of_block; /* of this block alone, */
    uint64_t block;
    int warp;          /* of its warp, or RD_WHOLE_BLOCK, */
    unsigned from, to; /* of threads that have come to so many checkpoints, and not to more; */
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
/* The running thread comes to a checkpoint; of a warp, `array` is NULL. */
void rd_sim_recorder_checkpoint(int point, const void *array);
/* What was written last is there now: before memory changes other than by an access. */
void rd_sim_recorder_settle(void);

#endif
