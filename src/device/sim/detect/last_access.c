// SPDX-License-Identifier: MIT
/* Accesses of the past, as far as records tell of them, and of those that they have forgotten the last. */
#include "device/sim/detect/last_access.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"
#include "device/sim/source/sites.h"
#include "device/sim/object.h"
#include "device/sim/detect/races.h"

bool rd_sim_last_access(uintptr_t address, struct rd_sim_actor *actor)
{
    enum rd_sim_space space;
    const uint64_t *shadow = rd_sim_shadow(address, &space);
    if (!shadow || *shadow == RD_NO_MEMORY)
        return false;
    uint64_t record = *shadow;
    if (rd_record_kind(record) == RD_SPLIT)
        record = rd_sim_split_records(record)[address % 4];
    if (record < rd_sim_here->core.launch_floor)
        return false;
    *actor = (struct rd_sim_actor){
        .thread_known = true,
        .block_known = true,
        .thread = rd_record_thread(record),
        .block = rd_sim_block_of(rd_record_epoch(record)),
        .op = rd_record_kind(record) == RD_READS ? RD_SIM_READ : RD_SIM_WRITE,
        .site.pc = rd_sim_site_first(rd_record_sites(record)),
    };
    return true;
}

/* ---- those that a record has forgotten ---- */

enum { KEPT = 1 << 12 };

struct rd_sim_forgotten_state {
    /* First and last address of the launch, of those that share a place. */
    struct {
        uintptr_t address;
        uint64_t launch_floor;
        struct rd_sim_actor who;
    } kept[2][KEPT];
};

/* Records are of granules of four bytes, or of single ones. */
static size_t place_of(uintptr_t address)
{
    return (address / 4 ^ address % 4 << 10) % KEPT;
}

void rd_sim_forgotten_keep(uintptr_t address, const struct rd_sim_actor *who)
{
    struct rd_sim_forgotten_state *own = rd_sim_here->forgotten;
    size_t k = place_of(address);
    bool taken =
        own->kept[0][k].launch_floor == rd_sim_here->core.launch_floor && own->kept[0][k].address;
    unsigned way = taken && own->kept[0][k].address != address;
    own->kept[way][k].address = address;
    own->kept[way][k].launch_floor = rd_sim_here->core.launch_floor;
    own->kept[way][k].who = *who;
}

bool rd_sim_forgotten_find(uintptr_t address, uint64_t block, struct rd_sim_actor *who)
{
    struct rd_sim_forgotten_state *own = rd_sim_here->forgotten;
    size_t k = place_of(address);
    for (unsigned way = 0; way < 2; way++)
        if (own->kept[way][k].address == address && own->kept[way][k].who.block == block &&
            own->kept[way][k].launch_floor == rd_sim_here->core.launch_floor) {
            *who = own->kept[way][k].who;
            return true;
        }
    return false;
}

const struct rd_sim_part rd_sim_part_forgotten = {
    .size_bytes = sizeof(struct rd_sim_forgotten_state),
    .at = offsetof(struct rd_sim, forgotten),
};

/* ---- since the last barrier ---- */

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

/* Tells whether the record is of a write since the floor; of an exact launch, its cell knows. */
static inline bool is_of_write(uint64_t record, bool exact, uint64_t floor, unsigned *thread)
{
    const enum rd_sim_kind kind = rd_record_kind(record);
    if (exact)
        return kind != RD_SPLIT && rd_sim_cell_is_written(record, thread);
    if (record < floor || (kind != RD_EXCLUSIVE && kind != RD_ATOMICS))
        return false;
    *thread = rd_record_thread(record);
    return true;
}

size_t rd_sim_find_written(const void *array, size_t at, size_t size_bytes, size_t elem_bytes,
                           bool one_warp, unsigned *thread)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const uintptr_t base = (uintptr_t)array;
    const uint64_t *shadow = record_of(base);
    const bool exact = core->exact;
    const uint64_t floor =
        one_warp ? core->stamp >> RD_EPOCH_SHIFT << RD_EPOCH_SHIFT : core->interval_floor;
    while (shadow && at < size_bytes &&
           !is_of_write(shadow[(base + at) / 4 - base / 4], exact, floor, thread))
        at += elem_bytes;
    return shadow ? at : size_bytes;
}
