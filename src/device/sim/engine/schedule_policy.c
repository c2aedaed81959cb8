// SPDX-License-Identifier: MIT
/* In which order threads get their turn, and for how long.
 *
 * A thread that waits for another looks at what that will change, again and again, by atomics or as at a
 * volatile object. After some looks in vain it gives way to the others of its block, and when all that
 * could go on have done so, the block to other blocks. When all have done so many times, nobody will ever
 * change anything. */
#include "device/sim/object.h"
#include "device/sim/engine/engine.h"
#include "base/random.h"
#include "device/sim/engine/engine_internal.h"

/* Accesses between two barriers, above which a thread is taken not to end. */
#define STEPS_MAX ((uint64_t)1 << 28)
/* Looks in vain until a thread gives way: at first so many, and twice as many at each further turn in which
 * nobody has changed anything, up to the most. After so many turns of that kind, some million looks, it is taken
 * not to end. */
enum { LOOKS_MIN = 16, DOUBLINGS_MAX = 12, TURNS_MAX = DOUBLINGS_MAX + 16 };
/* In random orders somebody else goes on at accesses that others may see: with odd seeds another block at each,
 * with even ones another thread or block at every second. Where there have been more than so many, it is at
 * fewer and fewer. */
enum { CHANCE = 2, OFTEN = 4096 };

struct rd_sim_policy_state {
    uint64_t progress;         /* counts what threads may have waited for */
    uint64_t unused;           /* of what the thread was granted, as it was asked sooner */
    uint64_t n_seen_by_others; /* accesses of this launch that others may see */
};

static uint64_t next_random(void)
{
    return rd_random(&rd_sim_here->block.random);
}

static bool is_random(void)
{
    return rd_sim_here->block.grid->schedule.order >= RD_ORDER_RANDOM;
}

static void set_order(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned n = b->n, warps = (n + RD_SIM_WARP - 1) / RD_SIM_WARP, k = 0;
    switch (b->grid->schedule.order) {
    case RD_ORDER_DESCENDING:
        for (; k < n; k++)
            b->order[k] = (uint16_t)(n - 1 - k);
        break;
    case RD_ORDER_WARP_WISE:
        for (unsigned warp = warps; warp-- > 0;)
            for (unsigned lane = warp * RD_SIM_WARP; lane < n && lane < (warp + 1) * RD_SIM_WARP;
                 lane++)
                b->order[k++] = (uint16_t)lane;
        break;
    case RD_ORDER_ASCENDING:
    case RD_ORDER_RANDOM:
    case RD_ORDER_INTERLEAVE:
        for (; k < n; k++)
            b->order[k] = (uint16_t)k;
        break;
    }
}

void rd_sim_turns_launch(void)
{
    rd_sim_here->policy->n_seen_by_others = 0;
    set_order();
    rd_sim_here->block.order[rd_sim_here->block.n] = RD_SIM_NOBODY;
    rd_sim_here->block.state[RD_SIM_NOBODY] = RD_SIM_DONE;
}

void rd_sim_turns_block(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    if (!is_random())
        return;
    b->random = rd_random_mix(b->grid->schedule.seed ^ rd_random_mix(rd_sim_here->core.block + 1));
    set_order();
    rd_sim_turns_shuffle();
}

void rd_sim_turns_shuffle(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
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
    bool interleaved = rd_sim_here->block.grid->schedule.order == RD_ORDER_INTERLEAVE;
    uint64_t slice = interleaved ? 1 + next_random() % 8 : RD_SIM_SLICE;
    rd_sim_here->core.patience = rd_sim_here->core.granted = slice;
    return rd_sim_here->core.on_access ? 1 : slice;
}

unsigned rd_sim_turn_next(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
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
    struct rd_sim_core *core = &rd_sim_here->core;
    if (core->budget > 1)
        rd_sim_here->policy->unused = core->budget - 1;
    core->budget = 1;
}

/* Ends a launch that has used up its budget of accesses; 0: one that waits for ever. */
static void end_without_end(uint64_t allowed)
{
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_NO_TERMINATION,
        .actor = rd_sim_actor_self(RD_SIM_READ, 0),
        .interval = rd_sim_here->core.interval,
        .allowed = allowed,
    });
    rd_sim_thread_end();
}

uint64_t rd_sim_serial_call(void)
{
    const struct rd_sim_block *b = &rd_sim_here->block;
    return b->grid->is_serial && b->user_depth > 0 ? b->user_calls : 0;
}

/* The thread has made so many accesses. Of one that works for many, each call of a user's function has that budget. */
static void count_steps(uint64_t n)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_thread_state *me = &b->threads[rd_sim_here->core.thread];
    const uint64_t call = rd_sim_serial_call();
    b->kept = true;
    if (b->grid->is_serial && (call == 0 || call != b->user_call_asked)) {
        b->user_call_asked = call;
        me->steps = 0;
        return;
    }
    if (me->steps_of != b->interval_epoch)
        me->steps = 0;
    me->steps_of = b->interval_epoch;
    me->steps += n;
    uint64_t allowed = b->grid->steps_max ? b->grid->steps_max : STEPS_MAX;
    if (me->steps > allowed)
        end_without_end(allowed);
}

/* Another thread of the block goes on; of those that wait for their turn, the next, or any. */
static void give_way(bool to_any)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    if (to_any)
        b->cursor = (unsigned)(next_random() % b->n);
    b->state[rd_sim_here->core.thread] = RD_SIM_READY;
    b->n_ready++;
    rd_sim_yield();
}

void rd_sim_ask(enum rd_sim_op op)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    struct rd_sim_core *core = &rd_sim_here->core;
    core->budget = RD_SIM_SLICE;
    if (!rd_sim_is_running())
        return;
    if (!rd_sim_settle_before(op)) {
        core->budget = 1;
        core->patience -= core->on_access && core->patience > 1;
        return;
    }
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
    if (core->granted == RD_SIM_SLICE) { /* it does not wait: it has much to do */
        b->n_in_vain = 0;
        rd_sim_turns_progress();
    }
    const uint64_t unused = rd_sim_here->policy->unused; /* perhaps of an earlier turn */
    rd_sim_here->policy->unused = 0;
    count_steps(unused < core->granted ? core->granted - unused : 1);
    if (b->n_ready + b->n_unstarted > 0)
        give_way(b->grid->schedule.order == RD_ORDER_INTERLEAVE);
    else
        core->budget = rd_sim_turn_slice();
}

/* ---- threads that others may wait for, or that wait for others ---- */

void rd_sim_turns_progress(void)
{
    rd_sim_here->policy->progress++;
}

/* At an access that others may see, in a random order. */
static void give_way_by_chance(const struct rd_sim_poll *poll)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    bool always = b->grid->schedule.seed % 2;
    uint64_t chance = (always ? 1 : CHANCE) * (1 + rd_sim_here->policy->n_seen_by_others / OFTEN);
    if (next_random() % chance != 0)
        return;
    rd_sim_settle();
    if (rd_sim_here->core.exact && (always || next_random() % 2 == 0) && rd_sim_blocks_wait())
        rd_sim_block_leave(poll->in_vain > 0);
    else if (b->n_ready + b->n_unstarted > 0)
        give_way(!always); /* side by side, each thread goes on to its next such access in turn */
}

/* So many looks the thread has, in this turn of its. */
static unsigned looks_max(const struct rd_sim_poll *poll)
{
    return LOOKS_MIN << (poll->turns < DOUBLINGS_MAX ? poll->turns : DOUBLINGS_MAX);
}

/* The thread has looked at something in vain. */
static void wait(struct rd_sim_poll *poll)
{
    struct rd_sim_policy_state *own = rd_sim_here->policy;
    struct rd_sim_block *b = &rd_sim_here->block;
    count_steps(poll->in_vain);
    poll->in_vain = 0;
    if (poll->progress != own->progress)
        poll->turns = 0;
    poll->progress = own->progress;
    rd_sim_settle();
    if (++poll->turns > TURNS_MAX)
        end_without_end(0);
    unsigned others = b->n_ready + b->n_unstarted;
    if (++b->n_in_vain > others && rd_sim_blocks_wait()) {
        b->n_in_vain = 0;
        if (rd_sim_here->core.exact)
            rd_sim_block_leave(true);
        else
            rd_sim_exact_want();
    } else if (others > 0) {
        give_way(rd_sim_turns_are_short());
    }
}

void rd_sim_turn_waits(void)
{
    struct rd_sim_poll *poll = &rd_sim_here->block.threads[rd_sim_here->core.thread].poll;
    if (rd_sim_is_running() && poll->in_vain > 0)
        poll->in_vain = looks_max(poll);
}

void rd_sim_communicate(uintptr_t address)
{
    struct rd_sim_core *core = &rd_sim_here->core;
    struct rd_sim_poll *poll = &rd_sim_here->block.threads[core->thread].poll;
    if (!rd_sim_is_running())
        return;
    core->communicates = true;
    if (address - core->shared >= core->shared_size)
        rd_sim_jobs_depend();
    rd_sim_here->policy->n_seen_by_others++;
    if (core->is_waiting) /* the thread is in the middle of a statement: see rd_sim_settle_before */
        return;
    if (poll->in_vain >= looks_max(poll))
        wait(poll);
    else if (is_random())
        give_way_by_chance(poll);
    if (rd_sim_is_interrupted())
        rd_sim_thread_stop();
}

/* Shared variables may be a sanitizer's. */
__attribute__((no_sanitize("address"))) static uint64_t load(uintptr_t address, size_t size_bytes)
{
    uint64_t value = 0;
    for (size_t k = 0; k < size_bytes && k < sizeof value; k++)
        ((unsigned char *)&value)[k] = ((const volatile unsigned char *)address)[k];
    return value;
}

void rd_sim_communicated(uintptr_t address, size_t size_bytes)
{
    struct rd_sim_poll *poll = &rd_sim_here->block.threads[rd_sim_here->core.thread].poll;
    if (!rd_sim_is_running())
        return;
    rd_sim_here->block.kept = true;
    if (poll->address && load(poll->address, poll->size_bytes) == poll->value) {
        poll->in_vain++;
    } else {
        poll->in_vain = 0;
        rd_sim_here->block.n_in_vain = 0;
        rd_sim_turns_progress();
    }
    poll->address = address;
    poll->size_bytes = size_bytes;
    poll->value = load(address, size_bytes);
}

const struct rd_sim_part rd_sim_part_policy = {
    .size_bytes = sizeof(struct rd_sim_policy_state),
    .at = offsetof(struct rd_sim, policy),
};
