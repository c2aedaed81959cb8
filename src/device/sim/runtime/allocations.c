// SPDX-License-Identifier: MIT
/* Allocations of devices' memory, and of the host's as far as devices may access it. All of it lies in the simulator's
 * global memory. */
#include "device/sim/memory/memory.h"
#include "base/array.h"
#include "device/sim/object.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLACK_BYTES = 8192 };

static struct {
    struct rd_sim_allocation *all;
    size_t n, capacity;
    size_t live_bytes; /* of devices */
    size_t graph_bytes, graph_most;
    bool is_seen;
    unsigned n_aliases;
} allocations_state;

bool rd_sim_memory_is_seen(void)
{
    return allocations_state.is_seen || rd_sim_module_has_managed();
}

size_t rd_sim_memory_live_bytes(void)
{
    return allocations_state.live_bytes;
}

static const char *const kind_names[] = {
    [RD_SIM_MEMORY_DEVICE] = "device memory",
    [RD_SIM_MEMORY_MANAGED] = "managed memory",
    [RD_SIM_MEMORY_PINNED] = "pinned memory",
};

struct rd_sim_allocation *rd_sim_allocation_at(const void *address)
{
    struct rd_sim_allocation *freed = NULL;
    for (size_t k = allocations_state.n; k-- > 0;) {
        struct rd_sim_allocation *allocation = &allocations_state.all[k];
        if ((uintptr_t)address - allocation->base > allocation->size_bytes ||
            (allocation->freed && allocation->alias))
            continue;
        if (!allocation->freed)
            return allocation;
        freed = freed ? freed : allocation;
    }
    return freed;
}

const char *rd_sim_allocation_name(const struct rd_sim_allocation *allocation, char *name,
                                   size_t size)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(allocation->base, &inside);
    if (inside && array->name[0]) /* as the last kernel that was given it calls it */
        snprintf(name, size, "%s of %zu bytes (%s in a kernel)", kind_names[allocation->kind],
                 allocation->size_bytes, array->name);
    else
        snprintf(name, size, "%s of %zu bytes", kind_names[allocation->kind],
                 allocation->size_bytes);
    return name;
}

/* ---- taking ---- */

static bool fits(size_t size_bytes, enum rd_sim_memory_kind kind)
{
    size_t most = rd_sim_device_bytes();
    return kind == RD_SIM_MEMORY_PINNED ||
           (size_bytes <= most && allocations_state.live_bytes <= most - size_bytes);
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
        !rd_array_make_room(&allocations_state.all, allocations_state.n,
                            &allocations_state.capacity, sizeof *allocations_state.all))
        return cudaErrorMemoryAllocation;
    void *memory = rd_sim_memory_alloc(size_bytes, SLACK_BYTES);
    if (!memory)
        return cudaErrorMemoryAllocation;
    memset(memory, RD_SIM_POISON, size_bytes);
    allocations_state.live_bytes += kind == RD_SIM_MEMORY_PINNED ? 0 : size_bytes;
    allocations_state.is_seen |= kind != RD_SIM_MEMORY_DEVICE;
    allocations_state.all[allocations_state.n++] = (struct rd_sim_allocation){
        .base = (uintptr_t)memory,
        .size_bytes = size_bytes,
        .kind = kind,
        .device = rd_sim_device_now(),
        .flags = flags,
        .context = rd_sim_memory_context(),
        .made = *call,
    };
    if (kind == RD_SIM_MEMORY_DEVICE)
        rd_sim_memory_made(memory, call->name,
                           &(struct rd_sim_site){.pc = call->place.pc,
                                                 .file = call->place.file,
                                                 .line = call->place.line});
    *pointer = memory;
    return cudaSuccess;
}

cudaError_t rd_sim_memory_map_at(const struct rd_sim_host_call *call, void *pointer,
                                 size_t size_bytes)
{
    if (!rd_array_make_room(&allocations_state.all, allocations_state.n,
                            &allocations_state.capacity, sizeof *allocations_state.all) ||
        !rd_sim_memory_map(pointer, size_bytes))
        return cudaErrorMemoryAllocation;
    allocations_state.all[allocations_state.n++] = (struct rd_sim_allocation){
        .base = (uintptr_t)pointer,
        .size_bytes = size_bytes,
        .kind = RD_SIM_MEMORY_DEVICE,
        .device = rd_sim_device_now(),
        .made = *call,
    };
    allocations_state.live_bytes += size_bytes;
    return cudaSuccess;
}

/* ---- memory that nodes of graphs take ---- */

static void count_graph(size_t size_bytes)
{
    allocations_state.graph_bytes += size_bytes;
    allocations_state.graph_most = allocations_state.graph_bytes > allocations_state.graph_most
                                       ? allocations_state.graph_bytes
                                       : allocations_state.graph_most;
}

cudaError_t rd_sim_memory_take_for_graph(const struct rd_sim_host_call *call, void **pointer,
                                         size_t size_bytes)
{
    cudaError_t error = rd_sim_memory_take(call, pointer, size_bytes, RD_SIM_MEMORY_DEVICE, 0);
    if (error == cudaSuccess)
        allocations_state.all[allocations_state.n - 1].is_of_graph =
            allocations_state.all[allocations_state.n - 1].is_reserved = true;
    return error;
}

cudaError_t rd_sim_memory_renew(const struct rd_sim_host_call *call, void *pointer, bool may_be)
{
    struct rd_sim_allocation *allocation = NULL;
    for (size_t k = 0; k < allocations_state.n; k++)
        if (allocations_state.all[k].base == (uintptr_t)pointer)
            allocation = &allocations_state.all[k];
    if (!allocation || !allocation->is_of_graph ||
        (!allocation->freed && !allocation->is_reserved && !may_be))
        return cudaErrorInvalidValue;
    if (allocation->is_reserved) {
        allocation->is_reserved = false;
        count_graph(allocation->size_bytes);
        return cudaSuccess;
    }
    if (!allocation->freed)
        rd_sim_memory_free(pointer);
    else if (!fits(allocation->size_bytes, allocation->kind))
        return cudaErrorMemoryAllocation;
    if (!rd_sim_memory_alloc_again(pointer, allocation->size_bytes, SLACK_BYTES))
        return cudaErrorMemoryAllocation;
    memset(pointer, RD_SIM_POISON, allocation->size_bytes);
    if (allocation->freed) {
        allocations_state.live_bytes += allocation->size_bytes;
        count_graph(allocation->size_bytes);
    }
    allocation->freed = false;
    allocation->made = *call;
    return cudaSuccess;
}

size_t rd_sim_memory_graph_bytes(bool most)
{
    return most ? allocations_state.graph_most : allocations_state.graph_bytes;
}

void rd_sim_memory_graph_reset(void)
{
    allocations_state.graph_most = allocations_state.graph_bytes;
}

/* ---- giving back ---- */

cudaError_t rd_sim_memory_give(const struct rd_sim_host_call *call, void *pointer)
{
    struct rd_sim_allocation *allocation = rd_sim_allocation_at(pointer);
    if (!allocation || allocation->freed || allocation->base != (uintptr_t)pointer)
        return cudaErrorInvalidValue;
    allocations_state.live_bytes -=
        allocation->kind == RD_SIM_MEMORY_PINNED ? 0 : allocation->size_bytes;
    allocations_state.graph_bytes -=
        allocation->is_of_graph && !allocation->is_reserved ? allocation->size_bytes : 0;
    allocation->freed = true;
    allocation->freer = *call;
    rd_sim_memory_free(pointer);
    return cudaSuccess;
}

bool rd_sim_memory_is_of_graph(const void *pointer)
{
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(pointer);
    return allocation && allocation->is_of_graph && allocation->base == (uintptr_t)pointer;
}

bool rd_sim_memory_is_not_to_give(const struct rd_sim_host_call *call, void *pointer, bool of_host)
{
    struct rd_sim_host_finding finding = {.hazard = RD_HAZARD_INVALID_FREE, .place = call->place};
    struct rd_sim_allocation *allocation = rd_sim_allocation_at(pointer);
    char name[200];
    if (!allocation) {
        rd_sim_host_tell(&finding, "%s is given a pointer that is none of CUDA's memory,",
                         call->name);
        return true;
    }
    rd_sim_allocation_name(allocation, name, sizeof name);
    if (allocation->only_by_free && (uintptr_t)pointer == allocation->base)
        allocation->freed = allocation->only_by_free = false;
    finding.other = allocation->freed ? allocation->freer.place : allocation->made.place;
    finding.other_text = allocation->freed ? "it was freed" : "it was allocated";
    if (allocation->freed)
        rd_sim_host_tell(&finding, "%s frees %s for a second time,", call->name, name);
    else if ((uintptr_t)pointer != allocation->base)
        rd_sim_host_tell(&finding, "%s is given a pointer to byte %zu of %s, not to its start,",
                         call->name, (size_t)((uintptr_t)pointer - allocation->base), name);
    else if (of_host != (allocation->kind == RD_SIM_MEMORY_PINNED))
        rd_sim_host_tell(&finding, "%s is given %s, which %s frees,", call->name, name,
                         rd_sim_outer_call() ? of_host ? "cuMemFree" : "cuMemFreeHost"
                         : of_host           ? "cudaFree"
                                             : "cudaFreeHost");
    else
        return false;
    return true;
}

/* ---- afterwards ---- */

static void tell_leak(const struct rd_sim_allocation *allocation, const char *when)
{
    char name[200];
    const bool is_of_driver = strncmp(allocation->made.name, "cu", 2) == 0 &&
                              strncmp(allocation->made.name, "cuda", 4) != 0;
    const struct rd_sim_host_finding leak = {
        .hazard = RD_HAZARD_LEAK,
        .place = allocation->made.place,
        .lesson =
            is_of_driver
                ? "What cuMemAlloc() and the like allocate is to be freed, by cuMemFree(), or "
                  "what is the host's by cuMemFreeHost(); what cuMemMap() maps, unmapped."
                : "What cudaMalloc() and the like allocate is to be freed, by cudaFree(), or "
                  "what is the host's by cudaFreeHost().",
    };
    rd_sim_host_tell(&leak, "%s, allocated by %s, is not freed when %s,",
                     rd_sim_allocation_name(allocation, name, sizeof name), allocation->made.name,
                     when);
}

void rd_sim_allocations_tell_leaks(void)
{
    for (size_t k = 0; k < allocations_state.n; k++)
        if (!allocations_state.all[k].freed && !allocations_state.all[k].alias &&
            !allocations_state.all[k].is_reserved)
            tell_leak(&allocations_state.all[k], "the program ends");
}

bool rd_sim_allocations_point_to(uintptr_t base, size_t size_bytes)
{
    for (size_t k = 0; k < allocations_state.n; k++) {
        const struct rd_sim_allocation *one = &allocations_state.all[k];
        const uintptr_t *at = (const uintptr_t *)one->base;
        if (one->freed || one->alias || one->is_reserved)
            continue;
        for (size_t word = 0; word < one->size_bytes / sizeof *at; word++)
            if (at[word] - base < size_bytes)
                return true;
    }
    return false;
}

void rd_sim_allocations_end(const struct rd_sim_host_call *call, const void *context)
{
    for (size_t k = 0; k < allocations_state.n; k++) {
        if (allocations_state.all[k].freed || allocations_state.all[k].alias ||
            allocations_state.all[k].is_reserved || allocations_state.all[k].context != context)
            continue;
        tell_leak(&allocations_state.all[k], "its context is destroyed");
        rd_sim_memory_give(call, (void *)allocations_state.all[k].base);
    }
}

void rd_sim_allocations_drop(const struct rd_sim_host_call *call)
{
    for (size_t k = 0; k < allocations_state.n; k++)
        if (!allocations_state.all[k].freed && !allocations_state.all[k].alias)
            rd_sim_memory_give(call, (void *)allocations_state.all[k].base);
}

/* ---- memory of the host's that is registered ---- */

enum { PAGE = 4096 };

static uintptr_t first_page(uintptr_t address)
{
    return address & ~(uintptr_t)(PAGE - 1);
}

static size_t pages_of(const struct rd_sim_allocation *allocation)
{
    return first_page(allocation->base + allocation->size_bytes + PAGE - 1) -
           first_page(allocation->base);
}

/* Tells whether pages may be of the stack that we stand on, and so change while they are moved. */
static bool is_of_stack(uintptr_t start, size_t size_bytes)
{
    enum { BELOW = 1 << 16, ABOVE = 1 << 26 };
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return start < here + ABOVE && start + size_bytes + BELOW > here;
}

/* Tells whether other memory is registered in one of the pages. */
static bool shares_pages(uintptr_t start, size_t size_bytes)
{
    for (size_t k = 0; k < allocations_state.n; k++) {
        const struct rd_sim_allocation *allocation = &allocations_state.all[k];
        if (allocation->alias && !allocation->freed &&
            first_page(allocation->base) < start + size_bytes &&
            start < first_page(allocation->base) + pages_of(allocation))
            return true;
    }
    return false;
}

/* Has the pages of the host at two places: what they hold, all of it, is copied to a file that is mapped twice. */
static bool map_twice(void *host, void *device, size_t size_bytes)
{
    int file = memfd_create("reductio", MFD_CLOEXEC);
    bool good = file >= 0 && ftruncate(file, (off_t)size_bytes) == 0;
    void *at =
        good ? mmap(device, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0)
             : MAP_FAILED;
    if (at != MAP_FAILED) {
        memcpy(device, host, size_bytes);
        at = mmap(host, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    }
    if (file >= 0)
        close(file);
    return at != MAP_FAILED;
}

cudaError_t rd_sim_memory_register(const struct rd_sim_host_call *call, void *pointer,
                                   size_t size_bytes, unsigned flags)
{
    struct rd_sim_allocation made = {
        .base = (uintptr_t)pointer,
        .size_bytes = size_bytes,
        .kind = RD_SIM_MEMORY_PINNED,
        .flags = flags,
        .made = *call,
    };
    if (!pointer || size_bytes == 0)
        return cudaErrorInvalidValue;
    if (rd_sim_allocation_at(pointer) && !rd_sim_allocation_at(pointer)->freed)
        return cudaErrorHostMemoryAlreadyRegistered;
    size_t whole = pages_of(&made);
    if (is_of_stack(first_page(made.base), whole)) {
        rd_sim_runtime_lacks("memory on the stack that is registered by %s", call->name);
        return cudaErrorNotSupported;
    }
    if (shares_pages(first_page(made.base), whole))
        rd_sim_unsimulated("memory that is registered in a page with other registered memory", "",
                           0, (void *)call->place.pc);
    if (!rd_array_make_room(&allocations_state.all, allocations_state.n,
                            &allocations_state.capacity, sizeof *allocations_state.all))
        return cudaErrorMemoryAllocation;
    char *device = rd_sim_memory_alloc(whole, SLACK_BYTES);
    const bool is_added = device && rd_sim_registered_add(made.base, size_bytes,
                                                          (uintptr_t)device + made.base % PAGE);
    if (!is_added || !map_twice((void *)first_page(made.base), device, whole)) {
        if (is_added)
            rd_sim_registered_drop(made.base);
        rd_sim_memory_free(device);
        return cudaErrorMemoryAllocation;
    }
    made.alias = (uintptr_t)device + made.base % PAGE;
    rd_sim_memory_narrow(device, (void *)made.alias, size_bytes);
    rd_sim_memory_set(made.alias, size_bytes);
    allocations_state.n_aliases++;
    rd_sim_host_see_all(true);
    allocations_state.is_seen = true;
    allocations_state.all[allocations_state.n++] = made;
    return cudaSuccess;
}

/* The host's pages are its own again. */
cudaError_t rd_sim_memory_unregister(const struct rd_sim_host_call *call, void *pointer)
{
    struct rd_sim_allocation *allocation = rd_sim_allocation_at(pointer);
    if (!allocation || !allocation->alias || allocation->base != (uintptr_t)pointer)
        return cudaErrorHostMemoryNotRegistered;
    void *host = (void *)first_page(allocation->base),
         *device = (void *)first_page(allocation->alias);
    size_t whole = pages_of(allocation);
    void *at =
        mmap(host, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (at == MAP_FAILED)
        return cudaErrorUnknown;
    memcpy(host, device, whole);
    mmap(device, whole, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    rd_sim_memory_narrow((void *)allocation->alias, device, whole);
    rd_sim_memory_free(device);
    allocation->freed = true;
    allocation->freer = *call;
    allocations_state.n_aliases--;
    rd_sim_registered_drop(allocation->base);
    rd_sim_host_see_all(false);
    return cudaSuccess;
}

bool rd_sim_memory_has_aliases(void)
{
    return allocations_state.n_aliases > 0;
}
