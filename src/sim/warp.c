// SPDX-License-Identifier: MIT
/* Where lanes of a warp meet: warp barriers, shuffles, votes. */
#include "sim/order.h"
#include "sim/threads.h"

#include <string.h>

static unsigned first_lane(unsigned thread)
{
    return thread / RD_SIM_WARP * RD_SIM_WARP;
}

/* The lanes that wait for what lane k waits for. */
static unsigned companions(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned first = first_lane(k), lanes = 0;
    const struct rd_sim_lane *mine = b->threads[k].lane;
    for (unsigned lane = 0; lane < RD_SIM_WARP && first + lane < b->n; lane++) {
        const struct rd_sim_lane *its = b->threads[first + lane].lane;
        if (b->state[first + lane] == RD_SIM_IN_WARP && its->meeting == mine->meeting &&
            its->operation == mine->operation && its->mask == mine->mask &&
            (mine->meeting != RD_MEET_ACTIVE ||
             (its->line == mine->line && its->file == mine->file)))
            lanes |= 1u << lane;
    }
    return lanes;
}

/* The lanes of the warp that have not exited. */
static unsigned living(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned first = first_lane(k), lanes = 0;
    if (b->n_done == 0)
        return b->n - first >= RD_SIM_WARP ? ~0u : (1u << (b->n - first)) - 1;
    for (unsigned lane = 0; lane < RD_SIM_WARP && first + lane < b->n; lane++)
        if (b->state[first + lane] != RD_SIM_DONE)
            lanes |= 1u << lane;
    return lanes;
}

static void wait_at(unsigned k, const struct rd_sim_lane *lane)
{
    rd_sim_block.threads[k].file = lane->file;
    rd_sim_block.threads[k].line = lane->line;
}

static void meet(unsigned k, unsigned lanes)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned first = first_lane(k), epoch = 0;
    uint64_t values[RD_SIM_WARP] = {0};
    const struct rd_sim_lane *mine = b->threads[k].lane;
    if (mine->meeting == RD_MEET_SYNC) {
        epoch = rd_sim_order_warp(k / RD_SIM_WARP, lanes);
        b->kept = b->uneven = true;
    }
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if (lanes >> lane & 1) {
            const struct rd_sim_lane *its = b->threads[first + lane].lane;
            values[lane] = its->value;
            if (its->line != mine->line || its->file != mine->file) {
                wait_at(k, mine);
                wait_at(first + lane, its);
                rd_sim_tell_waiting(RD_SIM_MASK_MISMATCH, k, first + lane);
            }
        }
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if (lanes >> lane & 1) {
            struct rd_sim_thread_state *thread = &b->threads[first + lane];
            if (thread->lane->values)
                memcpy(thread->lane->values, values, sizeof values);
            thread->lane->taken = values[thread->lane->source];
            thread->lane->present = lanes;
            if (epoch)
                thread->epoch = epoch;
            b->state[first + lane] = RD_SIM_READY;
            b->n_ready++;
            b->n_in_warp--;
            b->in_warp[k / RD_SIM_WARP]--;
        }
}

/* Lets a warp go on if all that its lanes wait for have come. */
static bool try_meet(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_block;
    const struct rd_sim_lane *lane = b->threads[k].lane;
    if (lane->meeting == RD_MEET_ACTIVE)
        return false;
    unsigned wanted = lane->mask & living(k);
    if ((unsigned)__builtin_popcount(wanted) > b->in_warp[k / RD_SIM_WARP]) /* most come to this */
        return false;
    unsigned lanes = companions(k);
    if (wanted & ~lanes)
        return false;
    meet(k, lanes);
    return true;
}

void rd_sim_warp_leave(unsigned thread)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned first = first_lane(thread);
    for (unsigned k = first; k < first + RD_SIM_WARP && k < b->n; k++)
        if (b->state[k] == RD_SIM_IN_WARP)
            try_meet(k);
}

/* Nobody can go on: lanes wait for lanes that never come. Or they ask who is active: these. */
void rd_sim_warp_resolve(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    for (unsigned k = 0; k < b->n; k++)
        if (b->state[k] == RD_SIM_IN_WARP && b->threads[k].lane->meeting == RD_MEET_ACTIVE)
            meet(k, companions(k));
    if (b->n_ready > 0)
        return;
    for (unsigned k = 0; k < b->n; k++)
        if (b->state[k] == RD_SIM_IN_WARP) {
            const struct rd_sim_lane *lane = b->threads[k].lane;
            unsigned lanes = companions(k), missing = lane->mask & living(k) & ~lanes;
            wait_at(k, lane);
            rd_sim_tell_waiting(RD_SIM_MASK_MISMATCH, k,
                                first_lane(k) + (unsigned)__builtin_ctz(missing ? missing : 1));
            meet(k, lanes);
        }
}

void rd_sim_warp_meet(struct rd_sim_lane *lane)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned k = rd_sim_core.thread;
    rd_sim_settle();
    b->threads[k].lane = lane;
    b->state[k] = RD_SIM_IN_WARP;
    b->n_in_warp++;
    b->in_warp[k / RD_SIM_WARP]++;
    if (try_meet(k)) { /* the last to come goes on at once */
        b->n_ready--;
        rd_sim_become(k);
    } else {
        rd_sim_yield();
    }
}
