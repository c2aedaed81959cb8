// SPDX-License-Identifier: MIT
#include "device/sim/detect/written.h"
#include "device/sim/detect/cell.h"

/* The shadow record of an address, or NULL where it is no device memory. */
static const uint64_t *record_of(uintptr_t address)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    if (address - core->shared < core->shared_size)
        return core->shared_shadow + (address - core->shared) / 4;
    if (address - core->arena < core->arena_size)
        return core->arena_shadow + (address - core->arena) / 4;
    return NULL;
}

bool rd_sim_is_memory(const void *start, size_t size_bytes)
{
    uintptr_t first = (uintptr_t)start, last = first + (size_bytes ? size_bytes - 1 : 0);
    const uint64_t *from = record_of(first), *to = record_of(last);
    return last >= first && from && to && (size_t)(to - from) == last / 4 - first / 4;
}

bool rd_sim_is_written(const void *address, bool one_warp, unsigned *thread)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const uint64_t *shadow = record_of((uintptr_t)address);
    uint64_t floor =
        one_warp ? core->stamp >> RD_EPOCH_SHIFT << RD_EPOCH_SHIFT : core->interval_floor;
    if (!shadow || rd_record_kind(*shadow) == RD_SPLIT)
        return false;
    if (core->exact)
        return rd_sim_cell_is_written(*shadow, thread);
    if (*shadow < floor)
        return false;
    enum rd_sim_kind kind = rd_record_kind(*shadow);
    *thread = rd_record_thread(*shadow);
    return kind == RD_EXCLUSIVE || kind == RD_ATOMICS;
}
