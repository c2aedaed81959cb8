// SPDX-License-Identifier: MIT
/* The host's memory, and accesses of its code. */
#include "device/sim/api/hooks.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/order.h"

#include <malloc.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what it allocates ---- */

/* Allocations lie beside each other: one that an address is in compares equal with it. */
struct block {
    uintptr_t base;
    size_t size_bytes;
};

static void *blocks; /* a tree of them: tsearch() */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *x, const void *y)
{
    const struct block *one = x, *other = y;
    if (one->base + one->size_bytes <= other->base)
        return -1;
    return other->base + other->size_bytes <= one->base;
}

static void forget(const struct block *block)
{
    struct block **found;
    while ((found = tfind(block, &blocks, compare))) {
        struct block *known = *found;
        tdelete(block, &blocks, compare);
        free(known);
    }
}

void rd_sim_host_allocated(void *memory, size_t size_bytes)
{
    if (!memory || size_bytes == 0)
        return;
    struct block *block = malloc(sizeof *block);
    if (!block)
        return;
    *block = (struct block){(uintptr_t)memory, size_bytes};
    pthread_mutex_lock(&lock);
    forget(block); /* what the C library has freed itself */
    if (!tsearch(block, &blocks, compare))
        free(block);
    pthread_mutex_unlock(&lock);
}

/* Tells of memory of CUDA's that free() is given, which would end the program. */
static bool is_of_cuda(void *memory, uintptr_t pc)
{
    char name[200];
    rd_sim_runtime_enter();
    struct rd_sim_allocation *allocation = rd_sim_allocation_at(memory);
    const bool is_its = allocation && !allocation->alias;
    if (is_its) {
        const struct rd_sim_host_finding finding = {
            .hazard = RD_HAZARD_INVALID_FREE,
            .place = {.pc = pc},
            .other_text = allocation->freed ? "it was freed" : "it was allocated",
            .other = allocation->freed ? allocation->freer.place : allocation->made.place,
        };
        rd_sim_host_tell(&finding, "the C library is to free %s, which %s frees,",
                         rd_sim_allocation_name(allocation, name, sizeof name),
                         allocation->kind == RD_SIM_MEMORY_PINNED ? "cudaFreeHost" : "cudaFree");
        if (!allocation->freed) {
            allocation->freer = (struct rd_sim_host_call){"free", {.pc = pc}};
            allocation->only_by_free = true;
        }
        allocation->freed = true; /* as far as the program goes */
    }
    rd_sim_runtime_leave();
    return is_its;
}

bool rd_sim_host_freed(void *memory, uintptr_t pc)
{
    const struct block block = {(uintptr_t)memory, 1};
    const struct rd_sim_core *core = &rd_sim_here->core;
    if ((uintptr_t)memory - core->arena < core->arena_size && is_of_cuda(memory, pc))
        return true;
    pthread_mutex_lock(&lock);
    if (memory)
        forget(&block);
    pthread_mutex_unlock(&lock);
    return false;
}

bool rd_sim_host_has(const void *pointer)
{
    enum { BELOW = 1 << 16, ABOVE = 1 << 23 }; /* the usual stack */
    uintptr_t base, here = (uintptr_t)__builtin_frame_address(0);
    size_t size_bytes;
    return rd_sim_host_block_at((uintptr_t)pointer, &base, &size_bytes) ||
           (uintptr_t)pointer - (here - BELOW) < BELOW + ABOVE;
}

bool rd_sim_host_block_at(uintptr_t address, uintptr_t *base, size_t *size_bytes)
{
    const struct block at = {address, 1};
    struct block **found = tfind(&at, &blocks, compare);
    /* The C library may have freed it, or made it larger. */
    if (!found || malloc_usable_size((void *)(*found)->base) < (*found)->size_bytes)
        return false;
    *base = (*found)->base;
    *size_bytes = (*found)->size_bytes;
    return true;
}

/* ---- what it accesses ---- */

static void tell(const struct rd_sim_allocation *allocation, uintptr_t address, bool writes,
                 uintptr_t pc)
{
    char name[200];
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_HOST_ACCESS,
        .place = {.pc = pc},
        .other_text = allocation->freed ? "it was freed" : "it was allocated",
        .other = allocation->freed ? allocation->freer.place : allocation->made.place,
    };
    rd_sim_host_tell(&finding, "the host %s byte %zu of %s%s,", writes ? "writes" : "reads",
                     (size_t)(address - allocation->base),
                     rd_sim_allocation_name(allocation, name, sizeof name),
                     allocation->freed ? ", which has been freed" : "");
}

static void tell_variable(uintptr_t address, bool writes, uintptr_t pc)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(address, &inside);
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_HOST_ACCESS,
        .place = {.pc = pc},
        .lesson = "A variable of the device has a shadow on the host, and that is what host code "
                  "gets: copy by cudaMemcpyToSymbol() and cudaMemcpyFromSymbol(), or declare it "
                  "__managed__.",
    };
    rd_sim_host_tell(&finding, "the host %s %s, a variable of the device,",
                     writes ? "writes" : "reads", array->name);
}

/* Tells whether nothing has set it: neither what is seen nor, as it still holds what was put there, what is not. */
static bool is_unset(uintptr_t address, size_t size_bytes)
{
    for (size_t k = 0; k < size_bytes; k++)
        if (((const unsigned char *)address)[k] != RD_SIM_POISON)
            return false;
    return rd_sim_memory_unset(address, size_bytes) < size_bytes;
}

static void tell_unset(const struct rd_sim_allocation *allocation, uintptr_t address, uintptr_t pc)
{
    char name[200];
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_UNINITIALISED,
        .place = {.pc = pc},
        .other_text = "it was allocated",
        .other = allocation->made.place,
        .lesson = "Memory that the host shares with a device holds nothing until it is written, "
                  "by the one or the other: set it first.",
    };
    rd_sim_host_tell(&finding, "the host reads byte %zu of %s, which nothing has written,",
                     (size_t)(address - allocation->base),
                     rd_sim_allocation_name(allocation, name, sizeof name));
}

static void look_at(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    const bool writes = op != RD_SIM_READ;
    rd_sim_host_unset_accessed(address, size_bytes, writes, pc);
    if (rd_sim_module_has(address)) {
        const struct rd_sim_array *variable = rd_sim_variable_at(address);
        if (variable && variable->is_device)
            tell_variable(address, writes, pc);
        else if (variable && variable->is_managed)
            rd_sim_host_accesses(address, size_bytes, op, pc);
        return;
    }
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at((void *)address);
    if (!allocation || address == allocation->base + allocation->size_bytes)
        return;
    if (allocation->kind == RD_SIM_MEMORY_DEVICE || (allocation->freed && !allocation->alias)) {
        tell(allocation, address, writes, pc);
        return;
    }
    if (!writes && !allocation->alias && is_unset(address, size_bytes))
        tell_unset(allocation, address, pc);
    rd_sim_host_accesses(allocation->alias ? address - allocation->base + allocation->alias
                                           : address,
                         size_bytes, op, pc);
    if (writes && !allocation->alias)
        rd_sim_memory_set(address, size_bytes);
}

bool rd_sim_host_is_awaited(uintptr_t address, uintptr_t pc)
{
    const struct rd_sim_site site = {.pc = pc};
    const struct rd_sim_line line = rd_sim_site_line(&site);
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at((const void *)address);
    const struct rd_sim_core *core = &rd_sim_here->core;
    const bool is_alias = !allocation && rd_sim_memory_has_aliases() &&
                          address - core->arena < core->arena_size,
               is_variable = rd_sim_module_has(address) && !rd_sim_is_device_variable(address);
    if (!is_alias && !is_variable && (!allocation || allocation->kind == RD_SIM_MEMORY_DEVICE))
        return false;
    rd_sim_runtime_lacks(
        "what follows %s:%u, where a kernel waits for memory that the host may write "
        "while it runs: here each launch runs to its end before the host goes on",
        line.file, line.line);
    return true;
}

static void (*on_write)(uintptr_t address);

void rd_sim_host_on_write(void (*call)(uintptr_t address))
{
    on_write = call;
}

void rd_sim_host_access(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    if (!rd_sim_host_sees(rd_sim_here->core.host_seen, address)) /* of a range, its first byte */
        return;
    if (op != RD_SIM_READ && on_write)
        on_write(address);
    rd_sim_runtime_enter();
    look_at(address, size_bytes, op, pc);
    rd_sim_runtime_leave();
}
