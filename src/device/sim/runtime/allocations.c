// SPDX-License-Identifier: MIT
/* What is allocated of devices' memory, and of the host's as far as devices may access it. All of it lies in the simulator's
 * global memory. */
#include "device/sim/memory/memory.h"
#include "base/array.h"
#include "device/sim/object.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdio.h>
#include <string.h>

enum { SLACK_BYTES = 8192 };

static struct {
    struct rd_sim_allocation *all;
    size_t n, capacity;
    size_t live_bytes; /* of devices */
    bool is_seen;
} own;

bool rd_sim_memory_is_seen(void)
{
    return own.is_seen;
}

size_t rd_sim_memory_live_bytes(void)
{
    return own.live_bytes;
}

static const char *const kind_names[] = {
    [RD_SIM_MEMORY_DEVICE] = "device memory",
    [RD_SIM_MEMORY_MANAGED] = "managed memory",
    [RD_SIM_MEMORY_PINNED] = "pinned memory",
};

struct rd_sim_allocation *rd_sim_allocation_at(const void *address)
{
    struct rd_sim_allocation *freed = NULL;
    for (size_t k = own.n; k-- > 0;) {
        struct rd_sim_allocation *it = &own.all[k];
        if ((uintptr_t)address - it->base > it->size_bytes)
            continue;
        if (!it->freed)
            return it;
        freed = freed ? freed : it;
    }
    return freed;
}

const char *rd_sim_allocation_name(const struct rd_sim_allocation *it, char *name, size_t size)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(it->base, &inside);
    if (inside && array->name[0])
        snprintf(name, size, "%s, %s of %zu bytes", array->name, kind_names[it->kind],
                 it->size_bytes);
    else
        snprintf(name, size, "%s of %zu bytes", kind_names[it->kind], it->size_bytes);
    return name;
}

/* ---- taking ---- */

static bool fits(size_t size_bytes, enum rd_sim_memory_kind kind)
{
    size_t most = rd_sim_device_bytes();
    return kind == RD_SIM_MEMORY_PINNED ||
           (size_bytes <= most && own.live_bytes <= most - size_bytes);
}

cudaError_t rd_sim_memory_take(const struct rd_sim_host_call *call, void **pointer,
                               size_t size_bytes, enum rd_sim_memory_kind kind, unsigned flags)
{
    if (!pointer)
        return cudaErrorInvalidValue;
    if (size_bytes == 0) {
        *pointer = NULL;
        return kind == RD_SIM_MEMORY_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    }
    if (!fits(size_bytes, kind) ||
        !rd_array_make_room(&own.all, own.n, &own.capacity, sizeof *own.all))
        return cudaErrorMemoryAllocation;
    void *memory = rd_sim_memory_alloc(size_bytes, SLACK_BYTES);
    if (!memory)
        return cudaErrorMemoryAllocation;
    memset(memory, RD_SIM_POISON, size_bytes);
    own.live_bytes += kind == RD_SIM_MEMORY_PINNED ? 0 : size_bytes;
    own.is_seen |= kind != RD_SIM_MEMORY_DEVICE;
    own.all[own.n++] = (struct rd_sim_allocation){
        .base = (uintptr_t)memory,
        .size_bytes = size_bytes,
        .kind = kind,
        .device = rd_sim_device_now(),
        .flags = flags,
        .made = *call,
    };
    *pointer = memory;
    return cudaSuccess;
}

/* ---- giving back ---- */

cudaError_t rd_sim_memory_give(const struct rd_sim_host_call *call, void *pointer)
{
    struct rd_sim_allocation *it = rd_sim_allocation_at(pointer);
    if (!it || it->freed || it->base != (uintptr_t)pointer)
        return cudaErrorInvalidValue;
    own.live_bytes -= it->kind == RD_SIM_MEMORY_PINNED ? 0 : it->size_bytes;
    it->freed = true;
    it->freer = *call;
    rd_sim_memory_free(pointer);
    return cudaSuccess;
}

bool rd_sim_memory_is_not_to_give(const struct rd_sim_host_call *call, void *pointer, bool of_host)
{
    struct rd_sim_host_finding finding = {.hazard = RD_HAZARD_INVALID_FREE, .place = call->place};
    const struct rd_sim_allocation *it = rd_sim_allocation_at(pointer);
    char name[200];
    if (!it) {
        rd_sim_host_tell(&finding, "%s is given a pointer that is none of CUDA's memory,",
                         call->name);
        return true;
    }
    rd_sim_allocation_name(it, name, sizeof name);
    finding.other = it->freed ? it->freer.place : it->made.place;
    finding.other_text = it->freed ? "it was freed" : "it was allocated";
    if (it->freed)
        rd_sim_host_tell(&finding, "%s frees %s for a second time,", call->name, name);
    else if ((uintptr_t)pointer != it->base)
        rd_sim_host_tell(&finding, "%s is given a pointer to byte %zu of %s, not to its start,",
                         call->name, (size_t)((uintptr_t)pointer - it->base), name);
    else if (of_host != (it->kind == RD_SIM_MEMORY_PINNED))
        rd_sim_host_tell(&finding, "%s is given %s, which %s frees,", call->name, name,
                         of_host ? "cudaFree" : "cudaFreeHost");
    else
        return false;
    return true;
}

/* ---- afterwards ---- */

void rd_sim_allocations_tell_leaks(void)
{
    char name[200];
    for (size_t k = 0; k < own.n; k++) {
        const struct rd_sim_allocation *it = &own.all[k];
        const struct rd_sim_host_finding leak = {
            .hazard = RD_HAZARD_LEAK,
            .place = it->made.place,
            .lesson = "What cudaMalloc() and the like allocate is to be freed, by cudaFree(), or "
                      "what is the host's by cudaFreeHost().",
        };
        if (!it->freed)
            rd_sim_host_tell(&leak, "%s, allocated by %s, is not freed when the program ends,",
                             rd_sim_allocation_name(it, name, sizeof name), it->made.name);
    }
}

void rd_sim_allocations_drop(const struct rd_sim_host_call *call)
{
    for (size_t k = 0; k < own.n; k++)
        if (!own.all[k].freed)
            rd_sim_memory_give(call, (void *)own.all[k].base);
}
