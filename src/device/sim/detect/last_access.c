// SPDX-License-Identifier: MIT
#include "device/sim/detect/last_access.h"
#include "device/sim/engine/epochs.h"
#include "device/sim/memory/memory.h"
#include "device/sim/memory/splits.h"
#include "device/sim/source/sites.h"

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
        .op = RD_SIM_WRITE,
        .site.pc = rd_sim_site_first(rd_record_sites(record)),
    };
    return true;
}
