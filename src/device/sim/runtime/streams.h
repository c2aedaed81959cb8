// SPDX-License-Identifier: MIT
/* Streams and events. */
#ifndef RD_SIM_RUNTIME_STREAMS_H
#define RD_SIM_RUNTIME_STREAMS_H

#include "device/sim/runtime/order.h"

/* Not opaque to the parts of the runtime. */
struct CUstream_st {
    unsigned number, flags;
    int priority, device;
    const void *context;         /* of the driver's, which it ends with; NULL: a primary one */
    bool destroyed, was_queried; /* since its last operation */
    struct rd_sim_queue queue;
    struct CUgraph_st *capture;    /* it is captured into this; NULL: it is not */
    struct CUgraphNode_st **tails; /* then: behind which its next operation is */
    size_t n_tails, tails_capacity;
    bool began_capture, captures_into_given; /* the graph is the caller's */
};

/* The stream of a handle, the default one of 0 among them; NULL: it is none. */
struct CUstream_st *rd_sim_stream_of(const void *handle);
enum { RD_SIM_PRIORITY_LEAST = 0, RD_SIM_PRIORITY_GREATEST = -5 };
/* Of a program that may have operations which don't wait for a default stream, that stream's launches are looked at from the
 * first one on. */
void rd_sim_streams_may_come(bool may);
cudaError_t rd_sim_stream_create(cudaStream_t *made, unsigned flags, int priority);
/* An operation on it begins: it is behind what it has to be behind. */
struct rd_sim_step rd_sim_stream_step(struct CUstream_st *stream,
                                      const struct rd_sim_host_place *place, const char *what);
/* The host waits for it; NULL: for all. */
void rd_sim_stream_await(struct CUstream_st *stream);
/* The host asks whether it has come to its end: what is under way hasn't when it asks for the first time, and has when it asks
 * again. A program that doesn't look at the answer learns nothing. */
bool rd_sim_stream_is_done(struct CUstream_st *stream);
/* Tells whether operations on the stream may race with others that are not on it. */
bool rd_sim_stream_may_race(const struct CUstream_st *stream);
/* Visits all streams of the current device that are there. */
void rd_sim_streams_visit(void (*visit)(void *self, struct CUstream_st *stream), void *self);

#endif
