// SPDX-License-Identifier: MIT
#include "device/sim/engine/fault_injection.h"
#include "device/sim/engine/threads.h"

static struct {
    struct rd_omission *omissions;
    unsigned count;
    rd_sim_thread_of *thread;
} omit;

/* Of the running thread. */
static bool is_thread_omitted(void)
{
    const struct rd_sim_core *core = &rd_sim_core;
    for (unsigned k = 0; k < omit.count; k++) {
        struct rd_omission *o = &omit.omissions[k];
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
        omit.thread(arguments);
}

rd_sim_thread_of *rd_sim_omit_begin(struct rd_omission *omissions, unsigned count,
                                    rd_sim_thread_of *thread)
{
    omit.omissions = omissions;
    omit.count = count;
    omit.thread = thread;
    rd_sim_block.omits = false;
    for (unsigned k = 0; k < count; k++)
        rd_sim_block.omits |= !omissions[k].of_thread;
    return count > 0 ? run_unless_omitted : thread;
}

void rd_sim_omit_end(void)
{
    rd_sim_block.omits = false;
}

bool rd_sim_omit_barrier(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned number = ++b->threads[rd_sim_core.thread].barriers;
    b->kept = true;
    for (unsigned k = 0; k < omit.count; k++) {
        struct rd_omission *o = &omit.omissions[k];
        if (!o->of_thread && o->barrier == number) {
            o->met = true;
            return true;
        }
    }
    return false;
}
