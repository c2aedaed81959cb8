// SPDX-License-Identifier: MIT
/* Copies between host and devices. CUDA Runtime API, "Memory Management". */
#include "device/sim/memory/memory.h"
#include "device/sim/api/hooks.h"
#include "device/sim/runtime/runtime_internal.h"

#include <string.h>

/* One side of a copy. */
struct side {
    const void *address;
    const struct rd_sim_allocation *memory; /* NULL: it is none of CUDA's */
};

static struct side side_of(const void *address)
{
    return (struct side){address, rd_sim_allocation_at(address)};
}

static bool is_of_device(const struct side *side)
{
    return side->memory && side->memory->kind != RD_SIM_MEMORY_PINNED;
}

static bool is_of_host(const struct side *side)
{
    return !side->memory || side->memory->kind != RD_SIM_MEMORY_DEVICE;
}

static const char *const directions[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                         "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                         "cudaMemcpyDefault"};

/* Tells of a side that is not where the direction says. */
static bool check_direction(const struct rd_sim_host_call *call, const struct side *to,
                            const struct side *from, enum cudaMemcpyKind kind)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault)
        return true;
    bool good_to = to_device ? is_of_device(to) || is_of_host(to) == false : is_of_host(to);
    bool good_from = from_device ? is_of_device(from) : is_of_host(from);
    if (to_device && to->memory) /* what is pinned is mapped, too */
        good_to = true;
    if (from_device && from->memory)
        good_from = true;
    if (good_to && good_from)
        return true;
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_COPY_DIRECTION,
        .place = call->place,
    };
    const struct side *bad = good_to ? from : to;
    rd_sim_host_tell(&finding, "%s copies by %s, but what it copies %s is memory of the %s,",
                     call->name, directions[kind], good_to ? "from" : "to",
                     is_of_device(bad) ? "device" : "host");
    return false;
}

/* Tells of a side that is too short. */
static bool check_size(const struct rd_sim_host_call *call, const struct side *side,
                       size_t size_bytes, const char *does)
{
    const struct rd_sim_allocation *it = side->memory;
    char name[200];
    if (!it)
        return true;
    size_t offset = (size_t)((uintptr_t)side->address - it->base);
    if (!it->freed && size_bytes <= it->size_bytes - offset)
        return true;
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .place = call->place,
        .other_text = it->freed ? "it was freed" : "it was allocated",
        .other = it->freed ? it->freer.place : it->made.place,
        .lesson = "A copy stays within the memory that was allocated on both of its sides.",
    };
    rd_sim_allocation_name(it, name, sizeof name);
    if (it->freed)
        rd_sim_host_tell(&finding, "%s %s %s, which has been freed,", call->name, does, name);
    else
        rd_sim_host_tell(&finding, "%s %s %zu bytes from byte %zu on of %s,", call->name, does,
                         size_bytes, offset, name);
    return false;
}

static cudaError_t copy(const struct rd_sim_host_call *call, void *to, const void *from,
                        size_t size_bytes, enum cudaMemcpyKind kind)
{
    const struct side target = side_of(to), source = side_of(from);
    if (size_bytes == 0)
        return cudaSuccess;
    if (!to || !from)
        return cudaErrorInvalidValue;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    bool good = check_direction(call, &target, &source, kind);
    good = check_size(call, &target, size_bytes, "writes") && good;
    good = check_size(call, &source, size_bytes, "reads") && good;
    if (!good)
        return cudaErrorInvalidValue;
    memmove(to, from, size_bytes);
    if (target.memory)
        rd_sim_memory_copied(to, from, size_bytes);
    return cudaSuccess;
}

RD_HOOK cudaError_t cudaMemcpy(void *to, const void *from, size_t size_bytes,
                               enum cudaMemcpyKind kind)
{
    const struct rd_sim_host_call call = RD_HOST_CALL("cudaMemcpy");
    cudaError_t error;
    if (!rd_sim_call_begins(&call, &error))
        return error;
    return rd_sim_call_ends(&call, copy(&call, to, from, size_bytes, kind));
}
