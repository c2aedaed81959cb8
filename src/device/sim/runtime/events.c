// SPDX-License-Identifier: MIT
/* CUDA Runtime API, "Event Management". */
#include "base/array.h"
#include "base/clock.h"
#include "device/sim/api/hooks.h"
#include "device/sim/runtime/graphs.h"
#include "device/sim/runtime/streams.h"

#include <stdlib.h>

struct CUevent_st {
    unsigned flags;
    bool destroyed, recorded, was_queried; /* since it was recorded */
    double time_s;
    unsigned segment;              /* of the host's thread that recorded it */
    struct rd_sim_moments moments; /* it is behind these */
    struct CUgraph_st *capture;    /* it was recorded on a stream that is captured into this, */
    struct CUgraphNode_st **tails; /* behind these nodes */
    size_t n_tails, tails_capacity;
};

static struct {
    struct CUevent_st **all;
    size_t n, capacity;
} events_state;

static struct CUevent_st *event_of(cudaEvent_t handle)
{
    for (size_t k = events_state.n; k-- > 0;)
        if (events_state.all[k] == handle)
            return events_state.all[k]->destroyed ? NULL : events_state.all[k];
    return NULL;
}

static cudaError_t create(cudaEvent_t *made, unsigned flags)
{
    struct CUevent_st *event = made ? calloc(1, sizeof *event) : NULL;
    if (!made)
        return cudaErrorInvalidValue;
    if (!event || !rd_array_make_room(&events_state.all, events_state.n, &events_state.capacity,
                                      sizeof *events_state.all)) {
        free(event);
        return cudaErrorMemoryAllocation;
    }
    event->flags = flags;
    events_state.all[events_state.n++] = *made = event;
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    RD_BEGIN(cudaEventCreate);
    RD_END(create(event, 0));
}

RD_HOOK cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    if (rd_sim_is_running())
        return cudaSuccess;
    RD_BEGIN(cudaEventCreateWithFlags);
    RD_END(create(event, flags));
}

RD_HOOK cudaError_t cudaEventDestroy(cudaEvent_t handle)
{
    if (rd_sim_is_running())
        return cudaSuccess;
    RD_BEGIN(cudaEventDestroy);
    struct CUevent_st *event = event_of(handle);
    if (!event)
        RD_END(cudaErrorInvalidResourceHandle);
    event->destroyed = true;
    rd_sim_moments_finish(&event->moments);
    free(event->tails);
    RD_END(cudaSuccess);
}

static cudaError_t record(const struct rd_sim_host_call *call, cudaEvent_t handle, cudaStream_t on)
{
    struct CUevent_st *event = event_of(handle);
    struct CUstream_st *stream = rd_sim_stream_of(on);
    if (!event || !stream)
        return cudaErrorInvalidResourceHandle;
    event->capture = stream->capture;
    if (stream->capture) {
        event->n_tails = 0;
        for (size_t k = 0; k < stream->n_tails; k++)
            if (rd_array_make_room(&event->tails, event->n_tails, &event->tails_capacity,
                                   sizeof *event->tails))
                event->tails[event->n_tails++] = stream->tails[k];
        return cudaSuccess;
    }
    struct rd_sim_step step = rd_sim_stream_step(stream, &call->place, call->name);
    rd_sim_step_end(&step);
    rd_sim_moments_finish(&event->moments);
    rd_sim_queue_join(&event->moments, &stream->queue);
    event->segment = rd_sim_host_segment();
    event->recorded = true;
    event->was_queried = false;
    event->time_s = rd_clock_s(CLOCK_MONOTONIC);
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (rd_sim_is_running())
        return cudaSuccess;
    RD_BEGIN(cudaEventRecord);
    RD_END(record(&call, event, stream));
}

RD_HOOK cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    (void)flags;
    RD_BEGIN(cudaEventRecordWithFlags);
    RD_END(record(&call, event, stream));
}

static cudaError_t await(cudaEvent_t handle)
{
    struct CUevent_st *event = event_of(handle);
    if (!event)
        return cudaErrorInvalidResourceHandle;
    if (event->capture)
        return cudaErrorCapturedEvent;
    struct rd_sim_moments moments = {0};
    rd_sim_segment_join(&moments, event->segment, &event->moments);
    rd_sim_host_learns(&moments);
    rd_sim_moments_finish(&moments);
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    RD_BEGIN(cudaEventSynchronize);
    RD_END(await(event));
}

/* As rd_sim_stream_is_done(): once, of what the host has not waited for. */
static bool may_still_run(struct CUevent_st *event)
{
    if (!event || event->capture || event->was_queried || rd_sim_host_knows(&event->moments))
        return false;
    event->was_queried = true;
    return true;
}

RD_HOOK cudaError_t cudaEventQuery(cudaEvent_t handle)
{
    RD_BEGIN(cudaEventQuery);
    RD_END(may_still_run(event_of(handle)) ? cudaErrorNotReady : await(handle));
}

/* The time is that of the simulator. Where it is told, both events are known to be over. */
RD_HOOK cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    RD_BEGIN(cudaEventElapsedTime);
    struct CUevent_st *start = event_of(from), *end = event_of(to);
    if (!milliseconds)
        RD_END(cudaErrorInvalidValue);
    if (!start || !end || !start->recorded || !end->recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
        RD_END(cudaErrorInvalidResourceHandle);
    if (start->capture || end->capture)
        RD_END(cudaErrorCapturedEvent);
    if (may_still_run(end) || may_still_run(start))
        return rd_sim_call_is_early(&call);
    await(from);
    await(to);
    *milliseconds = (float)((end->time_s - start->time_s) * 1e3);
    RD_END(cudaSuccess);
}

RD_HOOK cudaError_t cudaStreamWaitEvent(cudaStream_t on, cudaEvent_t handle, unsigned flags)
{
    (void)flags;
    if (rd_sim_is_running())
        return cudaSuccess;
    RD_BEGIN(cudaStreamWaitEvent);
    struct CUstream_st *stream = rd_sim_stream_of(on);
    struct CUevent_st *event = event_of(handle);
    if (!stream || !event)
        RD_END(cudaErrorInvalidResourceHandle);
    if (event->capture)
        RD_END(rd_sim_capture_joins(stream, event->capture, event->tails, event->n_tails));
    if (stream->capture)
        RD_END(cudaErrorStreamCaptureIsolation);
    rd_sim_segment_join(&rd_sim_queue_own(&stream->queue)->moments, event->segment,
                        &event->moments);
    RD_END(cudaSuccess);
}
