// SPDX-License-Identifier: MIT
/* Memory of which host code's accesses are looked at: all others are dismissed where they are made. */
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/runtime_internal.h"

static struct rd_sim_host_seen seen;

void rd_sim_host_see_all(bool all)
{
    atomic_fetch_add(&seen.all, all ? 1u : -1u);
}

void rd_sim_host_see_unset(uintptr_t address, size_t size_bytes)
{
    seen.unset = address;
    seen.unset_size = size_bytes;
}

void rd_sim_host_access_begin(void)
{
    seen.arena = rd_sim_here->core.arena;
    seen.arena_size = rd_sim_here->core.arena_size;
    rd_sim_module_range(&seen.module, &seen.module_size);
    rd_sim_module_others(&seen.others, &seen.others_size);
    rd_sim_here->core.host_seen = &seen;
}
