// SPDX-License-Identifier: MIT
/* Threads that are not at a barrier because they have ended: whether they left by a return in front of it,
 * or passed it by, as in the other branch of an if. */
#include "device/sim/object.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/threads.h"

#include <string.h>

struct rd_sim_returns_state {
    bool has_returned; /* some thread of the launch, by a return */
};

RD_HOOK void rd_sim_return(const char *file, unsigned line, unsigned first, unsigned from)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    if (!rd_sim_is_running())
        return;
    struct rd_sim_thread_state *thread = &b->threads[rd_sim_here->core.thread];
    rd_sim_here->returns->has_returned = b->kept = thread->has_returned = true;
    thread->file = file;
    thread->line = line;
    thread->first = first;
    thread->from = from;
}

void rd_sim_returns_begin(void)
{
    rd_sim_here->returns->has_returned = false;
}

enum rd_hazard_kind rd_sim_absence(const struct rd_sim_thread_state *gone, const char *file,
                                   unsigned line)
{
    line &= (1u << RD_SIM_LINE_BITS) - 1;
    if (!rd_sim_here->block.grid->tells_returns)
        return RD_HAZARD_BARRIER_SKIPPED;
    if (!gone)
        return rd_sim_here->returns->has_returned ? RD_HAZARD_BARRIER_SKIPPED
                                                  : RD_HAZARD_BARRIER_DIVERGENCE;
    bool is_behind = gone->has_returned && strcmp(gone->file, file) == 0 && line >= gone->first &&
                     line < gone->from;
    return gone->has_returned && !is_behind ? RD_HAZARD_BARRIER_SKIPPED
                                            : RD_HAZARD_BARRIER_DIVERGENCE;
}

void rd_sim_tell_absent(const struct rd_sim_block *b, const char *file, unsigned line,
                        void (*tell)(enum rd_hazard_kind hazard, unsigned thread, void *self),
                        void *self)
{
    bool told[2] = {false, false};
    for (unsigned k = 0; k < b->n && b->n_done > 0; k++) {
        if (b->state[k] != RD_SIM_DONE || b->threads[k].trapped)
            continue;
        enum rd_hazard_kind hazard = rd_sim_absence(&b->threads[k], file, line);
        if (!told[hazard == RD_HAZARD_BARRIER_SKIPPED])
            tell(hazard, k, self);
        told[hazard == RD_HAZARD_BARRIER_SKIPPED] = true;
    }
}

const struct rd_sim_part rd_sim_part_returns = {
    .size_bytes = sizeof(struct rd_sim_returns_state),
    .at = offsetof(struct rd_sim, returns),
};
