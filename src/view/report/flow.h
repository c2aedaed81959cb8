// SPDX-License-Identifier: MIT
/* What flowed where between two frames: from each cell that a thread read to the cell that it then
 * wrote. Private to src/view. */
#ifndef RD_VIEW_FLOW_H
#define RD_VIEW_FLOW_H

#include "reductio/history.h"

enum { RD_FLOW_SOURCES_MAX = 4, RD_FLOW_ROW_MAX = 32, RD_FLOW_ARROWS_MAX = 4096 };

/* An arrow to a cell of the frame's array. */
struct rd_flow_arrow {
    unsigned source; /* 0: from a cell of the same array; else of sources[source - 1] */
    size_t from, to; /* elements */
    uint64_t block;  /* of the thread */
    unsigned thread;
    unsigned line;  /* of the write; 0: unknown */
    bool late;      /* the cell held no longer what its row shows: it was overwritten before */
    bool through;   /* another lane has read it, and handed on what it made of it */
    unsigned times; /* this way was gone, by this thread and others; 0: told with one of theirs */
};

/* What a cell was written from that has no row: the first read, and how many there were. */
struct rd_flow_far {
    const char *array;
    size_t from, count; /* 0: none */
};

/* Another array that was read: an input, or the shared array of a block. */
struct rd_flow_source {
    const char *name;
    bool shared;
    uint64_t block; /* whose it is, of a shared one */
    size_t n;       /* at most RD_FLOW_ROW_MAX */
    const struct rd_numeric *numeric;
    bool read[RD_FLOW_ROW_MAX];
    rd_bits value[RD_FLOW_ROW_MAX]; /* when it was first read */
    bool overwritten[RD_FLOW_ROW_MAX];
    rd_bits last[RD_FLOW_ROW_MAX]; /* with what, after that, at last */
};

struct rd_flow {
    struct rd_flow_arrow *arrows; /* thread by thread, in the order of their writes */
    size_t count;
    size_t too_long; /* arrows left out: from arrays that are too long for a row, */
    size_t no_row;   /* that have none in a picture of this frame, */
    size_t too_many; /* and beyond the limit */
    size_t unseen;   /* values that need not be made of just that */
    unsigned n_sources;
    struct rd_flow_source sources[RD_FLOW_SOURCES_MAX];
    struct rd_flow_far far[RD_FLOW_ROW_MAX]; /* of the first cells; among too_long */
};

/* Works the arrows out; none where the frame's array is not in memory, as lanes' registers.
 * RD_ERROR_USAGE where the accesses can't be had; RD_ERROR_MEMORY. */
enum rd_status rd_flow_init(struct rd_flow *flow, struct rd_history *history, size_t frame,
                            struct rd_error *error);
void rd_flow_finish(struct rd_flow *flow);

#endif
