// SPDX-License-Identifier: MIT
/* Memory of one device that kernels of another access: CUDA C++ Programming Guide, "Peer-to-Peer Memory Access". */
#include "device/sim/memory/memory.h"
#include "device/sim/memory/record.h"
#include "device/sim/runtime/peers.h"
#include "device/sim/runtime/streams.h"
#include "device/sim/source/sites.h"

#include <stdio.h>
#include <string.h>

/* A launch, and what its threads have touched of a device that theirs may not access. */
struct look {
    const struct rd_sim_launch *launch;
    int device;
    uint64_t floor;
    bool any;
};

static int device_of(const struct rd_sim_launch *launch)
{
    const struct CUstream_st *stream = rd_sim_stream_of((cudaStream_t)launch->stream);
    return stream ? stream->device : rd_sim_device_now();
}

static const struct rd_sim_allocation *foreign_at(int device, uintptr_t base)
{
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at((const void *)base);
    return allocation && !allocation->freed && allocation->kind == RD_SIM_MEMORY_DEVICE &&
                   allocation->base == base && allocation->device != device &&
                   !rd_sim_device_may_access(device, allocation->device) &&
                   !(rd_sim_pools_are_shared() && strstr(allocation->made.name, "Async"))
               ? allocation
               : NULL;
}

static bool is_foreign(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    struct look *look = self;
    (void)size_bytes;
    (void)shadow;
    look->any = look->any || foreign_at(look->device, base);
    return !look->any;
}

bool rd_sim_peers_are_strange(const struct rd_sim_launch *launch)
{
    struct look look = {.device = device_of(launch)};
    if (rd_sim_runtime_program()->n_devices > 1)
        rd_sim_memory_regions(is_foreign, &look);
    return look.any;
}

/* The record of an access since the launch began; NULL: there is none. */
static const uint64_t *touched(const uint64_t *record, uint64_t floor)
{
    if (rd_record_kind(*record) != RD_SPLIT)
        return *record >= floor ? record : NULL;
    if (*record == RD_NO_MEMORY)
        return NULL;
    for (unsigned k = 0; k < 4; k++)
        if (rd_sim_split_records(*record)[k] >= floor)
            return &rd_sim_split_records(*record)[k];
    return NULL;
}

static void tell(const struct look *look, const struct rd_sim_allocation *allocation, size_t offset,
                 uint64_t record)
{
    char name[200];
    const bool is_cell = rd_sim_is_cell(record), reads = rd_record_kind(record) == RD_READS;
    const uintptr_t pc = is_cell ? 0 : rd_sim_site_first(rd_record_sites(record));
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .place = {.pc = pc,
                  .file = pc ? NULL : look->launch->file,
                  .line = pc ? 0 : look->launch->line},
        .other_text = "it was allocated",
        .other = allocation->made.place,
        .lesson =
            "A kernel may use memory of another device only once its own device may: call "
            "cudaSetDevice() and cudaDeviceEnablePeerAccess() before the launch, or copy with "
            "cudaMemcpyPeer().",
    };
    rd_sim_host_tell(
        &finding,
        "kernel %s on device %d %s byte %zu of %s of device %d, which device %d may not "
        "access,",
        look->launch->kernel, look->device, reads && !is_cell ? "reads" : "accesses", offset,
        rd_sim_allocation_name(allocation, name, sizeof name), allocation->device, look->device);
}

static bool look_at(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    struct look *look = self;
    const struct rd_sim_allocation *allocation = foreign_at(look->device, base);
    for (size_t k = 0; allocation && k < (size_bytes + 3) / 4; k++) {
        const uint64_t *record = touched(&shadow[k], look->floor);
        if (!record)
            continue;
        tell(look, allocation, 4 * k, *record);
        look->any = true;
        break;
    }
    return true;
}

void rd_sim_peers_look(const struct rd_sim_launch *launch, uint64_t floor)
{
    struct look look = {launch, device_of(launch), floor, false};
    rd_sim_memory_regions(look_at, &look);
    if (look.any)
        rd_sim_error_sticks(cudaErrorIllegalAddress);
}
