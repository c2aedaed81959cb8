// SPDX-License-Identifier: MIT
#include "device/sim/detect/races.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/engine.h"
#include "device/sim/detect/fast_path.h"
#include "device/sim/source/sites.h"

struct rd_sim_attempt rd_sim_attempt_plain(uintptr_t address, enum rd_sim_op op, uintptr_t pc)
{
    return (struct rd_sim_attempt){
        .op = op,
        .reads = op != RD_SIM_WRITE,
        .writes = op != RD_SIM_READ,
        .address = address,
        .pc = pc,
    };
}

/* A volatile write that is behind no fence orders nothing, and is as a plain one. */
void rd_sim_attempt_is_volatile(struct rd_sim_attempt *a, size_t size_bytes)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    a->is_volatile = true;
    rd_sim_trait_note(a->pc, RD_SIM_IS_VOLATILE);
    if (!core->exact)
        rd_sim_exact_want();
    if (!core->exact || size_bytes > sizeof(uint64_t) ||
        (a->writes && !rd_sim_causality_fenced(false)))
        return;
    a->is_strong = true;
    a->strong = (struct rd_sim_strong){
        .reads = a->reads,
        .writes = a->writes,
        .of_block = a->writes && !rd_sim_causality_fenced(true),
        .acquires = core->acquires_by_fence ? RD_ACQUIRE_AT_FENCE : RD_ACQUIRE_AT_BARRIER,
    };
}

static enum rd_sim_acquire acquires(unsigned atomic)
{
    if (atomic & RD_SIM_ACQUIRES)
        return RD_ACQUIRE_NOW;
    if ((atomic & RD_SIM_ORDER_SAID) || rd_sim_here->core.acquires_by_fence)
        return RD_ACQUIRE_AT_FENCE;
    return atomic & RD_SIM_TAKES_LOCK ? RD_ACQUIRE_AT_BARRIER : RD_ACQUIRE_NOW;
}

/* Without exactness all atomics are read-modify-writes for the whole device, and order nothing. */
static bool takes_exactness(uintptr_t address, unsigned atomic)
{
    enum rd_sim_space space;
    if (atomic & (RD_SIM_LOADS | RD_SIM_STORES | RD_SIM_ACQUIRES | RD_SIM_RELEASES))
        return true;
    return (atomic & RD_SIM_OF_BLOCK) && rd_sim_shadow(address, &space) && space == RD_SPACE_GLOBAL;
}

struct rd_sim_attempt rd_sim_attempt_atomic(uintptr_t address, unsigned atomic, uintptr_t pc)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    struct rd_sim_attempt a = {
        .op = RD_SIM_ATOMIC,
        .reads = !(atomic & RD_SIM_STORES),
        .writes = !(atomic & RD_SIM_LOADS),
        .address = address,
        .pc = pc,
    };
    a.is_dropped = atomic & RD_SIM_IS_DROPPED;
    if (atomic & RD_SIM_OF_THREAD) { /* for all others it is none */
        a.op = a.writes ? RD_SIM_WRITE : RD_SIM_READ;
        return a;
    }
    if (!core->exact && takes_exactness(address, atomic))
        rd_sim_exact_want();
    if (!core->exact)
        return a;
    a.is_strong = true;
    a.strong = (struct rd_sim_strong){
        .reads = a.reads,
        .writes = a.writes,
        .of_block = atomic & RD_SIM_OF_BLOCK,
        .releases = atomic & RD_SIM_RELEASES,
        .acquires = acquires(atomic),
    };
    return a;
}

void rd_sim_attempt_only_reads(struct rd_sim_attempt *a)
{
    a->writes = a->strong.writes = false;
    if (a->op == RD_SIM_WRITE) /* of a scope that makes it a plain one */
        a->op = RD_SIM_READ;
    else if (!rd_sim_here->core.exact)
        rd_sim_exact_want();
}

uint64_t rd_sim_attempt_record(const struct rd_sim_attempt *a, uint64_t flags)
{
    return rd_sim_here->core.stamp | (rd_sim_site_mark(a->pc) & ~(uint64_t)RD_INIT) | flags |
           rd_sim_kind_of(a->op);
}
