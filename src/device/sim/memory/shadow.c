// SPDX-License-Identifier: MIT
/* Records of memory: of granules, and of single bytes. */
#include "device/sim/memory/memory.h"
#include "device/sim/memory/memory_internal.h"
#include "base/array.h"

#include <stdlib.h>

struct rd_sim_splits_state {
    size_t n_splits, splits_capacity;
};

static __attribute__((noinline)) void use_shared(uintptr_t address)
{
    struct rd_sim_memory_state *own = rd_sim_here->memory;
    own->shared_first = address < own->shared_first ? address : own->shared_first;
    own->shared_last = address > own->shared_last ? address : own->shared_last;
}

uint64_t *rd_sim_shadow(uintptr_t address, enum rd_sim_space *space)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    if (address - core->arena < core->arena_size) {
        *space = RD_SPACE_GLOBAL;
        return rd_sim_arena_shadow(address);
    }
    if (address - core->shared < core->shared_size) {
        const struct rd_sim_memory_state *own = rd_sim_here->memory;
        if (address < own->shared_first || address > own->shared_last)
            use_shared(address);
        *space = RD_SPACE_SHARED;
        return core->shared_shadow + (address - core->shared) / RD_SIM_GRANULE;
    }
    const uintptr_t alias = rd_sim_registered_alias(address);
    if (alias != address) {
        *space = RD_SPACE_GLOBAL;
        return rd_sim_arena_shadow(alias);
    }
    const struct rd_sim_region *module = rd_sim_module_of(address);
    if (module) {
        *space = RD_SPACE_GLOBAL;
        return module->shadow + (address - module->base) / RD_SIM_GRANULE;
    }
    *space = RD_SPACE_NONE;
    return NULL;
}

void rd_sim_array_is_known(const struct rd_sim_array *array)
{
    const struct rd_sim_arrays_state *arrays = rd_sim_here->arrays;
    struct rd_sim_core *core = &rd_sim_here->core;
    if (array->space != RD_SPACE_GLOBAL || array < arrays->all ||
        array >= arrays->all + arrays->n || array->base - core->arena >= core->arena_size ||
        array->base % RD_SIM_GRANULE != 0)
        return;
    core->known_shadow = rd_sim_arena_shadow(array->base);
    core->known_granules = array->size_bytes / RD_SIM_GRANULE;
}

uint64_t *rd_sim_split(uint64_t *shadow)
{
    struct rd_sim_splits_state *own = rd_sim_here->splits;
    if (rd_record_kind(*shadow) == RD_SPLIT)
        return rd_sim_here->core.splits[rd_record_split_number(*shadow)];
    if (!rd_array_make_room(&rd_sim_here->core.splits, own->n_splits, &own->splits_capacity,
                            sizeof *rd_sim_here->core.splits))
        return NULL;
    for (int k = 0; k < 4; k++)
        rd_sim_here->core.splits[own->n_splits][k] = *shadow;
    *shadow = rd_record_split(own->n_splits);
    return rd_sim_here->core.splits[own->n_splits++];
}

size_t rd_sim_splits_bytes(void)
{
    return rd_sim_here->splits->n_splits * sizeof *rd_sim_here->core.splits;
}

void rd_sim_splits_visit(void (*visit)(uint64_t *record))
{
    for (size_t k = 1; k < rd_sim_here->splits->n_splits; k++)
        for (int byte = 0; byte < 4; byte++)
            visit(&rd_sim_here->core.splits[k][byte]);
}

void rd_sim_split_written(uintptr_t address, size_t size_bytes)
{
    enum rd_sim_space space;
    uint64_t *shadow = rd_sim_shadow(address, &space),
             *bytes = shadow ? rd_sim_split(shadow) : NULL;
    for (size_t k = 0; bytes && k < size_bytes; k++)
        bytes[k] = RD_INIT;
}

uint64_t *rd_sim_byte_record(uint64_t *shadow, uintptr_t address)
{
    return rd_record_kind(*shadow) == RD_SPLIT
               ? &rd_sim_here->core.splits[rd_record_split_number(*shadow)][address % 4]
               : shadow;
}

const uint64_t *rd_sim_split_records(uint64_t record)
{
    return rd_sim_here->core.splits[rd_record_split_number(record)];
}

void rd_sim_granule_written(uint64_t *shadow, unsigned bytes)
{
    if (rd_record_kind(*shadow) != RD_SPLIT && (bytes == 15 || (*shadow & RD_INIT))) {
        if (!(*shadow & RD_INIT)) /* a page that is written to is one that has to be copied */
            *shadow |= RD_INIT;
        return;
    }
    uint64_t *records = rd_sim_split(shadow);
    for (unsigned k = 0; records && k < 4; k++)
        records[k] |= bytes >> k & 1 ? (uint64_t)RD_INIT : 0;
}

unsigned rd_sim_granule_set(uint64_t record)
{
    unsigned set = 0;
    if (rd_record_kind(record) != RD_SPLIT)
        return record & RD_INIT ? RD_SIM_GRANULE_ALL : 0;
    if (record == RD_NO_MEMORY)
        return 0;
    for (unsigned k = 0; k < 4; k++)
        set |= (rd_sim_split_records(record)[k] & RD_INIT ? 1u : 0) << k;
    return set;
}

void rd_sim_granule_restore(uint64_t *record, unsigned set)
{
    if (*record == RD_NO_MEMORY)
        return;
    if (rd_record_kind(*record) == RD_SPLIT) {
        uint64_t *bytes = rd_sim_split(record);
        for (unsigned k = 0; k < 4; k++)
            bytes[k] = set >> k & 1 ? RD_INIT : 0;
        return;
    }
    *record = set == RD_SIM_GRANULE_ALL ? RD_INIT : 0;
    if (set != RD_SIM_GRANULE_ALL && set != 0)
        rd_sim_granule_written(record, set);
}

/* Sets whether bytes of a granule, one bit each, are initialised; the others stay as they are. */
static void set_bytes(uint64_t *shadow, unsigned bytes, unsigned set)
{
    if (rd_record_kind(*shadow) != RD_SPLIT && bytes == 15 && (set == 15 || set == 0)) {
        *shadow = set ? RD_INIT : 0;
        return;
    }
    uint64_t *records = *shadow == RD_NO_MEMORY ? NULL : rd_sim_split(shadow);
    for (unsigned k = 0; records && k < 4; k++)
        if (bytes >> k & 1)
            records[k] = set >> k & 1 ? RD_INIT : 0;
}

/* Which bytes from an address on are initialised, one bit each; all of what is no memory of ours. */
static unsigned set_at(uintptr_t address, size_t n)
{
    enum rd_sim_space space;
    unsigned set = 0;
    for (size_t k = 0; k < n; k++) {
        uint64_t *shadow = rd_sim_shadow(address + k, &space);
        bool is_set = !shadow || (*rd_sim_byte_record(shadow, address + k) & RD_INIT);
        set |= (is_set ? 1u : 0) << k;
    }
    return set;
}

/* The records of whole granules from an address on; NULL where not all of them are records of one region. */
static uint64_t *granules_at(uintptr_t address, size_t n)
{
    enum rd_sim_space space;
    uint64_t *shadow =
        address % RD_SIM_GRANULE == 0 && n > 0 ? rd_sim_shadow(address, &space) : NULL;
    return shadow && rd_sim_shadow(address + (n - 1) * RD_SIM_GRANULE, &space) == shadow + n - 1
               ? shadow
               : NULL;
}

/* Does whole granules, as long as none of them is of single bytes; gives how many bytes that were. */
static size_t copy_granules(uintptr_t to, uintptr_t from, size_t size_bytes, bool all)
{
    size_t n = size_bytes / RD_SIM_GRANULE, done = 0;
    uint64_t *shadow = granules_at(to, n);
    const uint64_t *source = all || !shadow ? NULL : granules_at(from, n);
    if (!shadow || (!all && !source))
        return 0;
    for (; done < n && rd_record_kind(shadow[done]) != RD_SPLIT; done++) {
        if (source && rd_record_kind(source[done]) == RD_SPLIT)
            break;
        shadow[done] = source ? source[done] & RD_INIT : RD_INIT;
    }
    return done * RD_SIM_GRANULE;
}

static void copy_records(uintptr_t to, uintptr_t from, size_t size_bytes, bool all)
{
    enum rd_sim_space space;
    if (size_bytes == 0 ||
        (!rd_sim_shadow(to, &space) && !rd_sim_shadow(to + size_bytes - 1, &space)))
        return; /* no region lies in a range of others */
    for (size_t done = 0, n; done < size_bytes; done += n) {
        uintptr_t at = to + done;
        if ((n = copy_granules(at, from + done, size_bytes - done, all)) > 0)
            continue;
        uint64_t *shadow = rd_sim_shadow(at, &space);
        n = 4 - at % 4;
        n = n < size_bytes - done ? n : size_bytes - done;
        if (!shadow)
            continue;
        unsigned shift = at % 4, bytes = ((1u << n) - 1) << shift;
        set_bytes(shadow, bytes, all ? bytes : set_at(from + done, n) << shift);
    }
}

void rd_sim_memory_set(uintptr_t address, size_t size_bytes)
{
    copy_records(address, 0, size_bytes, true);
}

void rd_sim_memory_copied(const void *to, const void *from, size_t size_bytes)
{
    enum rd_sim_space space;
    copy_records((uintptr_t)to, (uintptr_t)from, size_bytes,
                 !rd_sim_shadow((uintptr_t)from, &space));
}

size_t rd_sim_memory_unset(uintptr_t address, size_t size_bytes)
{
    enum rd_sim_space space;
    for (size_t k = 0, n; k < size_bytes; k += n) {
        const uint64_t *shadow = rd_sim_shadow(address + k, &space);
        n = 4 - (address + k) % 4;
        n = n < size_bytes - k ? n : size_bytes - k;
        if (!shadow || (*shadow & RD_INIT))
            continue;
        unsigned set = set_at(address + k, n);
        for (size_t byte = 0; byte < n; byte++)
            if (!(set >> byte & 1))
                return k + byte;
    }
    return size_bytes;
}

static void splits_begin(void)
{
    rd_sim_here->splits->n_splits = 1;
}

static void splits_finish(void)
{
    free(rd_sim_here->core.splits);
}

const struct rd_sim_part rd_sim_part_splits = {
    .size_bytes = sizeof(struct rd_sim_splits_state),
    .at = offsetof(struct rd_sim, splits),
    .begin = splits_begin,
    .finish = splits_finish,
};
