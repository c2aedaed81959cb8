// SPDX-License-Identifier: MIT
/* __syncthreads() and its forms. */
#include "sim/hooks.h"
#include "sim/order.h"
#include "sim/threads.h"

static void check_meeting(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned exited = 0;
    for (unsigned k = 0; k < b->n && b->diverged; k++) {
        const struct rd_sim_thread_state *thread = &b->threads[k], *first = &b->threads[b->first];
        if (b->state[k] == RD_SIM_AT_BARRIER &&
            (thread->line != first->line || thread->file != first->file))
            rd_sim_tell_waiting(RD_SIM_BARRIER_DIVERGENCE, k, b->first);
    }
    if (b->n_done == 0)
        return;
    while (b->state[exited] != RD_SIM_DONE)
        exited++;
    b->threads[exited].file = NULL;
    rd_sim_tell_waiting(RD_SIM_BARRIER_SKIPPED, b->first, exited);
}

void rd_sim_barrier_release(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    if (b->diverged || b->n_done > 0)
        check_meeting();
    for (unsigned k = 0; k < b->n; k++)
        b->state[k] = b->state[k] == RD_SIM_AT_BARRIER ? RD_SIM_READY : b->state[k];
    b->n_ready = b->released = b->n_waiting;
    b->truths = b->n_true;
    b->n_waiting = b->n_true = 0;
    b->diverged = false;
    rd_sim_core.interval++;
    b->interval_epoch = rd_sim_epoch_next();
    rd_sim_core.interval_floor = (uint64_t)b->interval_epoch << RD_EPOCH_SHIFT;
    rd_sim_order_interval();
    rd_sim_turns_shuffle();
}

RD_HOOK int rd_sim_syncthreads(int kind, int value, const char *file, unsigned line)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned k = rd_sim_core.thread;
    struct rd_sim_thread_state *me = &b->threads[k];
    rd_sim_settle();
    if (b->n_waiting++ == 0)
        b->first = k;
    else if (line != b->threads[b->first].line || file != b->threads[b->first].file)
        b->diverged = true;
    b->n_true += value != 0;
    me->file = file;
    me->line = line;
    me->slices = 0;
    rd_sim_yield_as(RD_SIM_AT_BARRIER);
    switch ((enum rd_sim_barrier)kind) {
    case RD_BARRIER_AND:
        return b->truths == b->released;
    case RD_BARRIER_OR:
        return b->truths > 0;
    case RD_BARRIER_PLAIN:
    case RD_BARRIER_COUNT:
        break;
    }
    return (int)b->truths;
}
