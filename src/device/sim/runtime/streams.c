// SPDX-License-Identifier: MIT
/* CUDA Runtime API, "Stream Management", and "Stream synchronization behavior": the legacy default stream waits for all other
 * streams that were not made with cudaStreamNonBlocking, and these for it. */
#include "device/sim/runtime/streams.h"
#include "base/array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 16 };

static struct {
    struct CUstream_st **all; /* but for the default streams */
    size_t n, capacity;
    struct CUstream_st defaults[DEVICES_MAX], per_thread[DEVICES_MAX];
    bool has_default[DEVICES_MAX], has_per_thread[DEVICES_MAX];
    unsigned n_made;
    bool may_come; /* operations that don't wait for a default stream */
} streams_state;

static struct CUstream_st *default_of(int device)
{
    struct CUstream_st *stream = &streams_state.defaults[device];
    if (!streams_state.has_default[device]) {
        streams_state.has_default[device] = true;
        stream->device = device;
    }
    return stream;
}

static struct CUstream_st *per_thread_of(int device)
{
    struct CUstream_st *stream = &streams_state.per_thread[device];
    if (!streams_state.has_per_thread[device]) {
        streams_state.has_per_thread[device] = true;
        *stream = (struct CUstream_st){.number = ++streams_state.n_made, .device = device};
    }
    return stream;
}

struct CUstream_st *rd_sim_stream_of(const void *handle)
{
    int device = rd_sim_device_now();
    if (handle == NULL || handle == cudaStreamLegacy)
        return default_of(device);
    if (handle == cudaStreamPerThread)
        return per_thread_of(device);
    for (size_t k = 0; k < streams_state.n; k++)
        if (streams_state.all[k] == handle)
            return streams_state.all[k]->destroyed ? NULL : streams_state.all[k];
    return NULL;
}

unsigned rd_sim_stream_number(const void *handle)
{
    const struct CUstream_st *stream = rd_sim_stream_of(handle);
    return stream ? stream->number : UINT_MAX;
}

static bool is_default(const struct CUstream_st *stream)
{
    return stream->number == 0;
}

void rd_sim_streams_visit(void (*visit)(void *self, struct CUstream_st *stream), void *self)
{
    int device = rd_sim_device_now();
    visit(self, default_of(device));
    if (streams_state.has_per_thread[device])
        visit(self, &streams_state.per_thread[device]);
    for (size_t k = 0; k < streams_state.n; k++)
        if (streams_state.all[k]->device == device)
            visit(self, streams_state.all[k]);
}

static void join_blocking(void *self, struct CUstream_st *stream)
{
    if (!(stream->flags & cudaStreamNonBlocking))
        rd_sim_queue_join(self, &stream->queue);
}

struct rd_sim_step rd_sim_stream_step(struct CUstream_st *stream,
                                      const struct rd_sim_host_place *place, const char *what)
{
    struct rd_sim_moments *moments = &rd_sim_queue_own(&stream->queue)->moments;
    if (is_default(stream))
        rd_sim_streams_visit(join_blocking, moments);
    else if (!(stream->flags & cudaStreamNonBlocking))
        rd_sim_queue_join(moments, &default_of(stream->device)->queue);
    stream->was_queried = false;
    return rd_sim_step_begin(&stream->queue, place, what);
}

static void join_all(void *self, struct CUstream_st *stream)
{
    rd_sim_queue_join(self, &stream->queue);
}

/* What one who waits for the stream waits for; NULL: for all. A blocking stream in which nothing is does not wait for the default
 * one: so it is on a device (H200, CUDA 13), whatever "Stream synchronization behavior" may be read to say. */
static struct rd_sim_moments awaited(struct CUstream_st *stream)
{
    struct rd_sim_moments moments = {0};
    if (!stream)
        rd_sim_streams_visit(join_all, &moments);
    else if (is_default(stream))
        rd_sim_streams_visit(join_blocking, &moments);
    else
        rd_sim_queue_join(&moments, &stream->queue);
    return moments;
}

void rd_sim_stream_await(struct CUstream_st *stream)
{
    struct rd_sim_moments moments = awaited(stream);
    rd_sim_host_learns(&moments);
    rd_sim_moments_finish(&moments);
}

bool rd_sim_stream_is_done(struct CUstream_st *stream)
{
    struct rd_sim_moments moments = awaited(stream);
    const bool is_known = rd_sim_host_knows(&moments), is_done = is_known || stream->was_queried;
    stream->was_queried = !is_known;
    rd_sim_moments_finish(&moments);
    return is_done;
}

void rd_sim_streams_end(const void *context)
{
    for (size_t k = 0; k < streams_state.n; k++)
        streams_state.all[k]->destroyed |= streams_state.all[k]->context == context;
}

void rd_sim_streams_may_come(bool may)
{
    streams_state.may_come = may;
}

bool rd_sim_stream_may_race(const struct CUstream_st *stream)
{
    return !is_default(stream) || streams_state.may_come;
}

cudaError_t rd_sim_stream_create(cudaStream_t *made, unsigned flags, int priority)
{
    if (!made || flags > cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    struct CUstream_st *stream = calloc(1, sizeof *stream);
    if (!stream || !rd_array_make_room(&streams_state.all, streams_state.n, &streams_state.capacity,
                                       sizeof *streams_state.all)) {
        free(stream);
        return cudaErrorMemoryAllocation;
    }
    *stream = (struct CUstream_st){
        .number = ++streams_state.n_made,
        .flags = flags,
        .priority = priority < RD_SIM_PRIORITY_GREATEST ? RD_SIM_PRIORITY_GREATEST
                    : priority > RD_SIM_PRIORITY_LEAST  ? RD_SIM_PRIORITY_LEAST
                                                        : priority,
        .device = rd_sim_device_now(),
        .context = rd_sim_memory_context(),
    };
    streams_state.all[streams_state.n++] = stream;
    *made = stream;
    return cudaSuccess;
}
