// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/budget.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/threads.h"

struct rd_sim_budget_state {
    unsigned reads_max, writes_max;
};

static void tell(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc,
                 unsigned made, unsigned allowed)
{
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_OVER_BUDGET,
        .actor = rd_sim_actor_self(op, pc),
        .address = address,
        .size_bytes = size_bytes,
        .interval = rd_sim_here->core.interval,
        .made = made,
        .allowed = allowed,
    });
}

static void count(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_budget_state *own = rd_sim_here->budget;
    enum rd_sim_space space;
    struct rd_sim_thread_state *me = &rd_sim_here->block.threads[rd_sim_here->core.thread];
    if (!rd_sim_shadow(address, &space) || space != RD_SPACE_GLOBAL)
        return;
    rd_sim_here->block.kept = true;
    if (op != RD_SIM_WRITE && ++me->n_reads > own->reads_max && own->reads_max)
        tell(address, size_bytes, RD_SIM_READ, pc, me->n_reads, own->reads_max);
    if (op != RD_SIM_READ && ++me->n_writes > own->writes_max && own->writes_max)
        tell(address, size_bytes, RD_SIM_WRITE, pc, me->n_writes, own->writes_max);
}

void rd_sim_budget_begin(unsigned reads_max, unsigned writes_max)
{
    struct rd_sim_budget_state *own = rd_sim_here->budget;
    own->reads_max = reads_max;
    own->writes_max = writes_max;
    if (reads_max || writes_max)
        rd_sim_here->core.on_access = count;
}

void rd_sim_budget_end(void)
{
    rd_sim_here->core.on_access = NULL;
}

const struct rd_sim_part rd_sim_part_budget = {
    .size_bytes = sizeof(struct rd_sim_budget_state),
    .at = offsetof(struct rd_sim, budget),
};
