// SPDX-License-Identifier: MIT
/* Memory of devices, and of the host as far as devices may access it. All of it lies in the simulator's global memory. CUDA
 * Runtime API, "Memory Management". */
#include "device/sim/memory/memory.h"
#include "base/array.h"
#include "device/sim/api/hooks.h"
#include "device/sim/object.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdio.h>
#include <string.h>

enum { SLACK_BYTES = 8192, PITCH_BYTES = 512 };

static struct {
    struct rd_sim_allocation *all;
    size_t n, capacity;
} own;

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

static cudaError_t take(const struct rd_sim_host_call *call, void **pointer, size_t size_bytes,
                        enum rd_sim_memory_kind kind, unsigned flags)
{
    if (!pointer)
        return cudaErrorInvalidValue;
    if (size_bytes == 0) {
        *pointer = NULL;
        return kind == RD_SIM_MEMORY_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    }
    if (!rd_array_make_room(&own.all, own.n, &own.capacity, sizeof *own.all))
        return cudaErrorMemoryAllocation;
    void *memory = rd_sim_memory_alloc(size_bytes, SLACK_BYTES);
    if (!memory)
        return cudaErrorMemoryAllocation;
    memset(memory, RD_SIM_POISON, size_bytes);
    own.all[own.n++] = (struct rd_sim_allocation){
        .base = (uintptr_t)memory,
        .size_bytes = size_bytes,
        .kind = kind,
        .flags = flags,
        .made = *call,
    };
    *pointer = memory;
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaMalloc(void **pointer, size_t size_bytes)
{
    const struct rd_sim_host_call call = RD_HOST_CALL("cudaMalloc");
    cudaError_t error;
    if (!rd_sim_call_begins(&call, &error))
        return error;
    return rd_sim_call_ends(&call, take(&call, pointer, size_bytes, RD_SIM_MEMORY_DEVICE, 0));
}

/* ---- giving back ---- */

static cudaError_t give(const struct rd_sim_host_call *call, void *pointer, bool of_host)
{
    struct rd_sim_host_finding finding = {.hazard = RD_HAZARD_INVALID_FREE, .place = call->place};
    struct rd_sim_allocation *it = pointer ? rd_sim_allocation_at(pointer) : NULL;
    char name[200];
    if (!pointer)
        return cudaSuccess;
    if (!it) {
        rd_sim_host_tell(&finding, "%s is given a pointer that is none of CUDA's memory,",
                         call->name);
        return cudaErrorInvalidValue;
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
    else {
        it->freed = true;
        it->freer = *call;
        rd_sim_memory_free(pointer);
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

RD_HOOK cudaError_t cudaFree(void *pointer)
{
    const struct rd_sim_host_call call = RD_HOST_CALL("cudaFree");
    cudaError_t error;
    if (!rd_sim_call_begins(&call, &error))
        return error;
    return rd_sim_call_ends(&call, give(&call, pointer, false));
}

/* ---- afterwards ---- */

void rd_sim_allocations_finish(void)
{
    char name[200];
    for (size_t k = 0; k < own.n; k++) {
        const struct rd_sim_allocation *it = &own.all[k];
        const struct rd_sim_host_finding leak = {
            .hazard = RD_HAZARD_LEAK,
            .place = it->made.place,
            .lesson = "What cudaMalloc() and the like allocate is to be freed by cudaFree() or "
                      "cudaFreeHost().",
        };
        if (!it->freed)
            rd_sim_host_tell(&leak, "the program ends with %s not freed, of %s",
                             rd_sim_allocation_name(it, name, sizeof name), it->made.name);
    }
}

/* ---- the host's accesses ---- */

void rd_sim_host_access(uintptr_t address, size_t size_bytes, bool writes, uintptr_t pc)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    if (address - core->arena >= core->arena_size)
        return;
    const struct rd_sim_allocation *it = rd_sim_allocation_at((void *)address);
    char name[200];
    if (!it)
        return;
    if (it->kind != RD_SIM_MEMORY_DEVICE && !it->freed) {
        if (writes)
            rd_sim_memory_set(address, size_bytes);
        return;
    }
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_HOST_ACCESS,
        .place = {.pc = pc},
        .other_text = it->freed ? "it was freed" : "it was allocated",
        .other = it->freed ? it->freer.place : it->made.place,
    };
    rd_sim_host_tell(&finding, "the host %s byte %zu of %s%s,", writes ? "writes" : "reads",
                     (size_t)(address - it->base), rd_sim_allocation_name(it, name, sizeof name),
                     it->freed ? ", which has been freed" : "");
}
