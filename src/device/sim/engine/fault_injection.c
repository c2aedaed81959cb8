// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/engine/engine.h"
#include "device/sim/engine/engine_internal.h"

struct rd_sim_omission_state {
    struct rd_omission *omissions;
    unsigned count;
    rd_sim_thread_of *thread;
};

/* Tells whether the running thread is left out. */
static bool is_thread_omitted(void)
{
    struct rd_sim_omission_state *own = rd_sim_here->omission;
    const struct rd_sim_core *core = &rd_sim_here->core;
    for (unsigned k = 0; k < own->count; k++) {
        struct rd_omission *o = &own->omissions[k];
        if (o->of_thread && o->block == core->block && o->thread == core->thread) {
            o->met = true;
            return true;
        }
    }
    return false;
}

static void run_unless_omitted(void *const *arguments)
{
    if (!is_thread_omitted())
        rd_sim_here->omission->thread(arguments);
}

rd_sim_thread_of *rd_sim_omit_begin(struct rd_omission *omissions, unsigned count,
                                    rd_sim_thread_of *thread)
{
    struct rd_sim_omission_state *own = rd_sim_here->omission;
    own->omissions = omissions;
    own->count = count;
    own->thread = thread;
    rd_sim_here->block.omits = false;
    for (unsigned k = 0; k < count; k++)
        rd_sim_here->block.omits |= !omissions[k].of_thread;
    return count > 0 ? run_unless_omitted : thread;
}

void rd_sim_omit_end(void)
{
    rd_sim_here->block.omits = false;
}

bool rd_sim_omit_barrier(void)
{
    struct rd_sim_omission_state *own = rd_sim_here->omission;
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned number = ++b->threads[rd_sim_here->core.thread].barriers;
    b->kept = true;
    for (unsigned k = 0; k < own->count; k++) {
        struct rd_omission *o = &own->omissions[k];
        if (!o->of_thread && o->barrier == number) {
            o->met = true;
            return true;
        }
    }
    return false;
}

const struct rd_sim_part rd_sim_part_omission = {
    .size_bytes = sizeof(struct rd_sim_omission_state),
    .at = offsetof(struct rd_sim, omission),
};
