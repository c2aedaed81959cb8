// SPDX-License-Identifier: MIT
/* What a launch has accessed, by the records of its threads. */
#include "base/array.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/order_internal.h"
#include "device/sim/source/sites.h"

#include <stdlib.h>

enum { GRANULE = 4, RUNS_MAX = 1 << 12, RANGES_MAX = 64 };

/* Addresses that atomics of a device's scope have accessed in the launch that runs. */
struct range {
    uintptr_t start, end;
};

static struct {
    struct range ranges[RANGES_MAX];
    unsigned n;
    bool lacks;
} atomics;

void rd_sim_step_device_atomic(uintptr_t address, size_t size_bytes)
{
    const uintptr_t end = address + size_bytes;
    for (unsigned k = 0; k < atomics.n; k++) {
        struct range *range = &atomics.ranges[k];
        if (address <= range->end && end >= range->start) {
            range->start = address < range->start ? address : range->start;
            range->end = end > range->end ? end : range->end;
            return;
        }
    }
    if (!rd_sim_order_is_of_host(address))
        return;
    if (atomics.n < RANGES_MAX) {
        atomics.ranges[atomics.n++] = (struct range){address, end};
    } else if (!atomics.lacks) {
        atomics.lacks = true;
        rd_sim_runtime_lacks("races of the host's atomics with those of a kernel, of the device's "
                             "scope, in more than %d places",
                             RANGES_MAX);
    }
}

static bool has_device_atomics(uintptr_t start, uintptr_t end)
{
    for (unsigned k = 0; k < atomics.n; k++)
        if (start < atomics.ranges[k].end && atomics.ranges[k].start < end)
            return true;
    return false;
}

struct looking {
    const struct rd_sim_step *step;
    uint64_t floor;
    bool host_only;
    struct rd_sim_reach *reach;
};

void rd_sim_reach_finish(struct rd_sim_reach *reach)
{
    free(reach->all);
    *reach = (struct rd_sim_reach){0};
}

/* Keeps a range. The list is incomplete after a race, behind which the region is not looked at, and with atomics, whose scope
 * it does not hold. */
static void keep_reached(struct rd_sim_reach *reach, const struct rd_sim_reached *reached,
                         bool raced)
{
    if (!reach || reach->failed)
        return;
    if (!raced && reached->op != RD_SIM_ATOMIC &&
        rd_array_make_room(&reach->all, reach->n, &reach->capacity, sizeof *reach->all))
        reach->all[reach->n++] = *reached;
    else
        reach->failed = true;
}

enum { UNTOUCHED, READ, ATOMIC, WRITTEN, DEVICE_ATOMIC };

/* Tells whether the last access is one of a volatile object. */
static bool is_volatile(uint64_t record)
{
    const uintptr_t pc = rd_sim_site_first(rd_record_sites(record));
    return pc && rd_sim_trait_has(pc, RD_SIM_IS_VOLATILE);
}

/* Of a record that is not split. */
static int access_of(uint64_t record, uint64_t floor)
{
    if (record < floor)
        return UNTOUCHED;
    if (record & (RD_W | RD_V))
        return WRITTEN;
    if (rd_record_kind(record) == RD_EXCLUSIVE && is_volatile(record))
        return ATOMIC; /* relaxed, to all: PTX ISA, "st" */
    return rd_record_kind(record) == RD_READS     ? READ
           : rd_record_kind(record) == RD_ATOMICS ? ATOMIC
                                                  : WRITTEN;
}

/* Bytes of a region that lie side by side and were accessed alike. */
struct run {
    const struct looking *looking;
    uintptr_t region, start;
    int access;
    size_t n; /* of them, so far */
    bool raced;
};

/* The next bytes, from `address` on, were accessed so: ends the run if these are not. */
static void go_on(struct run *run, uintptr_t address, int access)
{
    if (access == run->access)
        return;
    const struct rd_sim_reached reached = {
        .start = run->start,
        .size_bytes = address - run->start,
        .region = run->region,
        .op = run->access == READ                                     ? RD_SIM_READ
              : run->access == ATOMIC || run->access == DEVICE_ATOMIC ? RD_SIM_ATOMIC
                                                                      : RD_SIM_WRITE,
    };
    if (run->access != UNTOUCHED && !run->raced && !rd_sim_order_is_of_several(run->start) &&
        run->n++ < RUNS_MAX) {
        run->raced = rd_sim_order_accesses(run->looking->step, reached.start, reached.size_bytes,
                                           reached.op, true, run->access == DEVICE_ATOMIC);
        keep_reached(run->looking->reach, &reached, run->raced);
    }
    run->start = address;
    run->access = access;
}

static int at_device_scope(int access, uintptr_t address, size_t size_bytes)
{
    return access == ATOMIC && has_device_atomics(address, address + size_bytes) ? DEVICE_ATOMIC
                                                                                 : access;
}

/* The runs of bytes that were accessed alike. Of too many, it is said that they were not looked at. */
static bool look_at(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    const struct looking *looking = self;
    const uintptr_t end = base + (size_bytes + GRANULE - 1) / GRANULE * GRANULE;
    struct run run = {.looking = looking, .region = base, .start = base, .access = UNTOUCHED};
    if (looking->host_only && !rd_sim_order_is_of_host(base))
        return true;
    for (uintptr_t at = base; at < end; at += GRANULE, shadow++) {
        const bool is_split = rd_record_kind(*shadow) == RD_SPLIT;
        if (*shadow == RD_NO_MEMORY)
            go_on(&run, at, UNTOUCHED);
        else if (!is_split)
            go_on(&run, at, at_device_scope(access_of(*shadow, looking->floor), at, GRANULE));
        for (size_t k = 0; k < GRANULE && is_split && *shadow != RD_NO_MEMORY; k++)
            go_on(&run, at + k,
                  at_device_scope(access_of(rd_sim_split_records(*shadow)[k], looking->floor),
                                  at + k, 1));
    }
    go_on(&run, end, UNTOUCHED);
    if (run.n > RUNS_MAX && rd_sim_order_lacks()) {
        rd_sim_runtime_lacks("races between streams with %s, which accesses memory in more than %d "
                             "pieces",
                             looking->step->what, RUNS_MAX);
    }
    return true;
}

void rd_sim_step_launched(const struct rd_sim_step *step, uint64_t floor, bool host_only,
                          struct rd_sim_reach *reach)
{
    struct looking looking = {step, floor, host_only, reach};
    rd_sim_memory_regions(look_at, &looking);
    if (host_only)
        rd_sim_module_managed_regions(look_at, &looking);
    else
        rd_sim_heap_region(look_at, &looking);
    atomics.n = 0;
}

void rd_sim_step_repeats(const struct rd_sim_step *step, const struct rd_sim_reach *reach)
{
    size_t raced = 0; /* the region of the last race: one is told of each */
    for (size_t k = 0; k < reach->n; k++) {
        const struct rd_sim_reached *reached = &reach->all[k];
        if (reached->region != raced &&
            rd_sim_order_accesses(
                step, reached->start, reached->size_bytes, reached->op, true,
                reached->op == RD_SIM_ATOMIC &&
                    has_device_atomics(reached->start, reached->start + reached->size_bytes)))
            raced = reached->region;
    }
}
