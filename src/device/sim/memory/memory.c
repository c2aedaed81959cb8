// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/memory/memory.h"
#include "device/sim/memory/memory_internal.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Addresses, not memory: pages come into being when they are touched. Where it can be, they are the
 * same in each run, and with them what kernels print and reports say. */
#define ARENA_BYTES ((size_t)1 << 36)
#define ARENA_HINT  ((void *)((uintptr_t)1 << 45))

enum { PAGE = 4096, FREED_MAX = 64, HEAP_PART = 4 };

static void *reserve(void *hint, size_t size_bytes)
{
    void *p = mmap(hint, size_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

enum rd_status rd_sim_memory_init(struct rd_error *error)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    struct rd_sim_core *core = &rd_sim_here->core;
    for (size_t size = ARENA_BYTES; !core->arena && size >= (size_t)1 << 28; size /= 4) {
        void *arena = reserve(ARENA_HINT, size), *shadow = arena ? reserve(NULL, size * 2) : NULL;
        if (arena && !shadow)
            munmap(arena, size);
        if (!shadow)
            continue;
        core->arena = (uintptr_t)arena;
        core->arena_size = size;
        core->arena_shadow = shadow;
        own->next_address =
            core->arena + PAGE; /* so that in front of a buffer there is a zone, too */
        own->buffers_end = core->arena + size - size / HEAP_PART;
        rd_sim_heap_init(own->buffers_end, size / HEAP_PART - PAGE);
    }
    if (!core->arena)
        return rd_fail(error, RD_ERROR_MEMORY, "no addresses for the simulator's device memory");
    return RD_OK;
}

/* ---- addresses ---- */

/* An index that is too small or too large for a shared array may lead out of all shared memory. */
static bool is_beside_shared(uintptr_t address)
{
    enum { REACH_BYTES = 1 << 16 };
    const struct rd_sim_core *core = &rd_sim_here->core;
    return core->shared_size > 0 &&
           address - core->shared + REACH_BYTES < core->shared_size + 2 * REACH_BYTES;
}

const struct rd_sim_array *rd_sim_array_at(uintptr_t address, bool *inside)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    enum rd_sim_space space;
    if (address >= rd_sim_here->memory->buffers_end && address < core->arena + core->arena_size)
        return rd_sim_heap_array(address, inside);
    const struct rd_sim_array *array = rd_sim_arrays_live_at(address);
    *inside = array != NULL;
    if (array)
        return array;
    if (rd_sim_shadow(address, &space))
        return rd_sim_arrays_nearest(space, address);
    array = rd_sim_arrays_given_at(address);
    return array || !is_beside_shared(address) ? array
                                               : rd_sim_arrays_nearest(RD_SPACE_SHARED, address);
}

bool rd_sim_memory_is_mapped(uintptr_t address, size_t size_bytes)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    /* The arena is mapped as a whole; the last bytes before its end are left out. */
    if (address - core->arena < core->arena_size - PAGE)
        return true;
    return address - core->shared < core->shared_size &&
           address - core->shared + size_bytes <= core->shared_size;
}

/* ---- buffers ---- */

/* Tells whether [base, base + size) is free of live buffers; else *next is behind the one in the way. */
static bool is_free(uintptr_t base, size_t size_bytes, uintptr_t *next)
{
    for (size_t k = 0; k < rd_sim_here->arrays->n; k++) {
        const struct rd_sim_array *array = &rd_sim_here->arrays->all[k];
        if (array->space == RD_SPACE_GLOBAL && !array->freed &&
            array->base - rd_sim_here->core.arena < rd_sim_here->core.arena_size &&
            array->base < base + size_bytes && base < array->base + array->size_bytes + 4 * PAGE) {
            *next = rd_sim_round_up(array->base + array->size_bytes, PAGE) + 4 * PAGE;
            return false;
        }
    }
    const struct rd_sim_memory_state *own = rd_sim_here->memory;
    for (size_t k = 0; k < own->n_reserved; k++) {
        const struct rd_sim_reserved *reserved = &own->reserved[k];
        if (reserved->base < base + size_bytes &&
            base < reserved->base + reserved->size_bytes + 4 * PAGE) {
            *next = rd_sim_round_up(reserved->base + reserved->size_bytes, PAGE) + 4 * PAGE;
            return false;
        }
    }
    return true;
}

static uintptr_t find_room(size_t size_bytes)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    const struct rd_sim_core *core = &rd_sim_here->core;
    uintptr_t base = own->next_address, end = own->buffers_end - PAGE;
    for (int turn = 0; turn < 2; turn++, base = core->arena + PAGE)
        while (size_bytes < core->arena_size && base <= end - size_bytes)
            if (is_free(base, size_bytes, &base))
                return base;
    return 0;
}

/* Makes [base, base + size) new: forgets what was there. */
static void renew(uintptr_t base, size_t size_bytes)
{
    for (size_t k = rd_sim_here->arrays->n; k-- > 0;)
        if (rd_sim_here->arrays->all[k].freed &&
            rd_sim_here->arrays->all[k].base < base + size_bytes &&
            base < rd_sim_here->arrays->all[k].base + rd_sim_here->arrays->all[k].size_bytes)
            rd_sim_arrays_drop(k);
}

void *rd_sim_memory_alloc(size_t size_bytes, size_t slack_bytes)
{
    size_t whole = rd_sim_round_up(size_bytes + slack_bytes, PAGE);
    if (size_bytes > rd_sim_here->core.arena_size || slack_bytes > rd_sim_here->core.arena_size)
        return NULL;
    uintptr_t base = find_room(whole + PAGE);
    if (!base)
        return NULL;
    renew(base, whole);
    if (!rd_sim_arrays_add(RD_SPACE_GLOBAL, base, size_bytes))
        return NULL;
    memset((void *)(base + size_bytes), RD_SIM_POISON, whole - size_bytes);
    rd_sim_here->memory->next_address = base + whole + PAGE;
    return (void *)base;
}

bool rd_sim_memory_alloc_again(void *memory, size_t size_bytes, size_t slack_bytes)
{
    const size_t whole = rd_sim_round_up(size_bytes + slack_bytes, PAGE);
    uintptr_t base = (uintptr_t)memory, next;
    if (!is_free(base, whole + PAGE, &next))
        return false;
    renew(base, whole);
    return rd_sim_arrays_add(RD_SPACE_GLOBAL, base, size_bytes) != NULL;
}

/* ---- addresses that memory is mapped to ---- */

void *rd_sim_memory_reserve(size_t size_bytes, size_t alignment)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    if (size_bytes > rd_sim_here->core.arena_size || alignment > rd_sim_here->core.arena_size ||
        !rd_array_make_room(&own->reserved, own->n_reserved, &own->reserved_capacity,
                            sizeof *own->reserved))
        return NULL;
    uintptr_t base = find_room(size_bytes + alignment + PAGE);
    if (!base)
        return NULL;
    base = rd_sim_round_up(base, alignment);
    renew(base, size_bytes);
    own->reserved[own->n_reserved++] = (struct rd_sim_reserved){base, size_bytes};
    own->next_address = rd_sim_round_up(base + size_bytes, PAGE) + PAGE;
    return (void *)base;
}

void rd_sim_memory_unreserve(void *memory)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    for (size_t k = 0; k < own->n_reserved; k++)
        if (own->reserved[k].base == (uintptr_t)memory) {
            own->reserved[k] = own->reserved[--own->n_reserved];
            return;
        }
}

bool rd_sim_memory_map(void *memory, size_t size_bytes)
{
    renew((uintptr_t)memory, size_bytes);
    return rd_sim_arrays_add(RD_SPACE_GLOBAL, (uintptr_t)memory, size_bytes) != NULL;
}

/* Sets whole pages to 0. Few are written faster than they are given back and taken again. */
static void clear(void *pages, size_t size_bytes)
{
    if (size_bytes <= 8 * PAGE)
        memset(pages, 0, size_bytes);
    else
        madvise(pages, size_bytes, MADV_DONTNEED);
}

void rd_sim_memory_free(void *memory)
{
    struct rd_sim_array *array = rd_sim_arrays_of(memory);
    if (!array)
        return;
    if (array->space == RD_SPACE_NONE) {
        rd_sim_arrays_drop((size_t)(array - rd_sim_here->arrays->all));
        free(memory);
        return;
    }
    size_t pages = rd_sim_round_up(array->size_bytes, PAGE);
    array->freed = true;
    clear(memory, pages);
    clear(rd_sim_arena_shadow(array->base), 2 * pages);
    if (++rd_sim_here->arrays->n_freed > FREED_MAX)
        for (size_t k = 0; k < rd_sim_here->arrays->n; k++)
            if (rd_sim_here->arrays->all[k].freed) {
                rd_sim_arrays_drop(k);
                break;
            }
}

void rd_sim_memory_narrow(const void *memory, const void *base, size_t size_bytes)
{
    struct rd_sim_array *array = rd_sim_arrays_of(memory);
    if (!array)
        return;
    array->base = (uintptr_t)base;
    array->size_bytes = size_bytes;
}

void rd_sim_memory_written(const void *memory, size_t size_bytes)
{
    uint64_t *shadow = rd_sim_arena_shadow((uintptr_t)memory);
    size_t granules = size_bytes / RD_SIM_GRANULE;
    for (size_t k = 0; k < granules; k++)
        shadow[k] = RD_INIT;
    if (size_bytes % RD_SIM_GRANULE)
        rd_sim_split_written((uintptr_t)memory + granules * RD_SIM_GRANULE,
                             size_bytes % RD_SIM_GRANULE);
}

void *rd_sim_memory_host(size_t size_bytes)
{
    void *memory = calloc(size_bytes, 1);
    if (memory && !rd_sim_arrays_add(RD_SPACE_NONE, (uintptr_t)memory, size_bytes)) {
        free(memory);
        return NULL;
    }
    return memory;
}

/* ---- shadow ---- */

bool rd_sim_memory_regions(bool (*visit)(void *self, uintptr_t base, size_t size_bytes,
                                         uint64_t *shadow),
                           void *self)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    for (size_t k = 0; k < rd_sim_here->arrays->n; k++) {
        const struct rd_sim_array *array = &rd_sim_here->arrays->all[k];
        if (array->space == RD_SPACE_GLOBAL && !array->freed &&
            array->base - rd_sim_here->core.arena < rd_sim_here->core.arena_size &&
            !visit(self, array->base, array->size_bytes, rd_sim_arena_shadow(array->base)))
            return false;
    }
    for (size_t k = 0; k < own->n_modules; k++)
        if (!visit(self, own->modules[k].base, own->modules[k].size_bytes, own->modules[k].shadow))
            return false;
    return true;
}

/* Counts those of these addresses that memory stands behind. */
static size_t resident_bytes(void *start, size_t size_bytes)
{
    unsigned char pages[1024];
    size_t resident = 0, part = sizeof pages * PAGE;
    for (size_t done = 0; done < size_bytes; done += part) {
        part = size_bytes - done < part ? size_bytes - done : part;
        if (mincore((char *)start + done, part, pages) != 0)
            break;
        for (size_t k = 0; k < (part + PAGE - 1) / PAGE; k++)
            resident += (size_t)(pages[k] & 1) * PAGE;
    }
    return resident;
}

size_t rd_sim_memory_shadow_bytes(void)
{
    size_t size = rd_sim_splits_bytes();
    for (size_t k = 0; k < rd_sim_here->arrays->n; k++)
        if (rd_sim_here->arrays->all[k].space == RD_SPACE_GLOBAL &&
            !rd_sim_here->arrays->all[k].freed &&
            rd_sim_here->arrays->all[k].base - rd_sim_here->core.arena <
                rd_sim_here->core.arena_size)
            size +=
                resident_bytes(rd_sim_arena_shadow(rd_sim_here->arrays->all[k].base),
                               2 * rd_sim_round_up(rd_sim_here->arrays->all[k].size_bytes, PAGE));
    return size;
}

static void visit_each(uint64_t *shadow, size_t count, void (*visit)(uint64_t *record))
{
    for (size_t k = 0; k < count; k++)
        if (rd_record_kind(shadow[k]) != RD_SPLIT)
            visit(&shadow[k]);
}

void rd_sim_shadow_visit(void (*visit)(uint64_t *record))
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    for (size_t k = 0; k < rd_sim_here->arrays->n; k++)
        if (rd_sim_here->arrays->all[k].space == RD_SPACE_GLOBAL &&
            !rd_sim_here->arrays->all[k].freed) {
            enum rd_sim_space space;
            uint64_t *shadow = rd_sim_shadow(rd_sim_here->arrays->all[k].base, &space);
            visit_each(shadow, rd_sim_here->arrays->all[k].size_bytes / RD_SIM_GRANULE, visit);
        }
    visit_each(rd_sim_arena_shadow(own->buffers_end), rd_sim_heap_used() / RD_SIM_GRANULE, visit);
    if (own->shared_shadow)
        visit_each(own->shared_shadow, own->shared_used / RD_SIM_GRANULE, visit);
    rd_sim_splits_visit(visit);
}

static void memory_finish(void)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    const struct rd_sim_core *core = &rd_sim_here->core;
    if (core->arena) {
        munmap((void *)core->arena, core->arena_size);
        munmap(core->arena_shadow, core->arena_size * 2);
    }
    free(own->shared_shadow);
    for (size_t k = 0; k < own->n_modules; k++)
        free(own->modules[k].shadow);
    free(own->modules);
    free(own->host);
    free(own->registered);
    free(own->reserved);
}

const struct rd_sim_part rd_sim_part_memory = {
    .size_bytes = sizeof(struct rd_sim_memory_state),
    .at = offsetof(struct rd_sim, memory),
    .finish = memory_finish,
};
