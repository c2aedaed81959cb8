// SPDX-License-Identifier: MIT
/* In which order threads get their turn, and for how long. */
#include "sim/jobs.h"
#include "sim/threads.h"

/* Accesses between two barriers, above which a thread is taken not to end. */
#define STEPS_MAX ((uint64_t)1 << 28)

/* SplitMix64. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t next_random(void)
{
    return mix(rd_sim_block.random += 0x9e3779b97f4a7c15u);
}

static bool is_random(void)
{
    return rd_sim_block.grid->schedule >= RD_SIM_RANDOM;
}

static void set_order(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    unsigned n = b->n, warps = (n + RD_SIM_WARP - 1) / RD_SIM_WARP, k = 0;
    switch (b->grid->schedule) {
    case RD_SIM_DESCENDING:
        for (; k < n; k++)
            b->order[k] = (uint16_t)(n - 1 - k);
        break;
    case RD_SIM_WARP_WISE:
        for (unsigned warp = warps; warp-- > 0;)
            for (unsigned lane = warp * RD_SIM_WARP; lane < n && lane < (warp + 1) * RD_SIM_WARP;
                 lane++)
                b->order[k++] = (uint16_t)lane;
        break;
    case RD_SIM_ASCENDING:
    case RD_SIM_RANDOM:
    case RD_SIM_INTERLEAVE:
        for (; k < n; k++)
            b->order[k] = (uint16_t)k;
        break;
    }
}

void rd_sim_turns_launch(void)
{
    set_order();
    rd_sim_block.order[rd_sim_block.n] = RD_SIM_NOBODY;
    rd_sim_block.state[RD_SIM_NOBODY] = RD_SIM_DONE;
}

void rd_sim_turns_block(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    if (!is_random())
        return;
    b->random = mix(b->grid->seed ^ mix(rd_sim_core.block + 1));
    set_order();
    rd_sim_turns_shuffle();
}

void rd_sim_turns_shuffle(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    if (!is_random())
        return;
    for (unsigned k = b->n; k > 1; k--) {
        unsigned other = (unsigned)(next_random() % k);
        uint16_t swap = b->order[k - 1];
        b->order[k - 1] = b->order[other];
        b->order[other] = swap;
    }
}

uint64_t rd_sim_turn_slice(void)
{
    bool interleaved = rd_sim_block.grid->schedule == RD_SIM_INTERLEAVE;
    uint64_t slice = interleaved ? 1 + next_random() % 8 : RD_SIM_SLICE;
    rd_sim_core.patience = slice;
    return rd_sim_core.on_access ? 1 : slice;
}

unsigned rd_sim_turn_next(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    for (;;) {
        while (b->cursor < b->n) {
            unsigned k = b->order[b->cursor++];
            if (b->state[k] <= RD_SIM_READY)
                return k;
        }
        if (b->n_done + b->n_at_grid == b->n)
            return RD_SIM_NOBODY;
        if (b->n_ready == 0) {
            if (b->n_in_warp > 0)
                rd_sim_warp_resolve();
            else
                rd_sim_barrier_release();
        }
        b->cursor = 0;
    }
}

void rd_sim_ask_soon(void)
{
    rd_sim_core.budget = 1;
}

void rd_sim_ask(void)
{
    struct rd_sim_block *b = &rd_sim_block;
    struct rd_sim_core *core = &rd_sim_core;
    core->budget = RD_SIM_SLICE;
    if (!rd_sim_is_running())
        return;
    rd_sim_settle();
    rd_sim_jobs_poll();
    if (rd_sim_is_interrupted())
        rd_sim_thread_stop();
    if (core->on_access) {
        core->budget = 1;
        if (core->patience > 1) {
            core->patience--;
            return;
        }
    }
    bool interleaved = b->grid->schedule == RD_SIM_INTERLEAVE;
    b->kept = true;
    struct rd_sim_thread_state *me = &b->threads[core->thread];
    if (me->slices_of != b->interval_epoch)
        me->slices = 0;
    me->slices_of = b->interval_epoch;
    uint64_t steps = ++me->slices * (uint64_t)(interleaved ? 4 : RD_SIM_SLICE);
    if (steps > (b->grid->steps_max ? b->grid->steps_max : STEPS_MAX)) {
        core->on_event(&(struct rd_sim_event){
            .class = RD_SIM_NO_TERMINATION,
            .actor = rd_sim_actor_self(RD_SIM_READ, 0),
            .interval = core->interval,
        });
        rd_sim_thread_end();
    }
    /* A thread that spins waits for others: they get their turn. */
    if (b->n_ready + b->n_unstarted > 0) {
        if (interleaved)
            b->cursor = (unsigned)(next_random() % b->n);
        b->state[core->thread] = RD_SIM_READY;
        b->n_ready++;
        rd_sim_yield();
    } else {
        core->budget = rd_sim_turn_slice();
    }
}
