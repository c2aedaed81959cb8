// SPDX-License-Identifier: MIT
/* Meetings of a warp's lanes: warp barriers, shuffles, votes. */
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"
#include "device/sim/engine/engine_internal.h"

#include <string.h>

static unsigned first_lane(unsigned thread)
{
    return thread / RD_SIM_WARP * RD_SIM_WARP;
}

static struct rd_sim_path path_of(unsigned k)
{
    const struct rd_sim_block *b = &rd_sim_here->block;
    return (struct rd_sim_path){b->threads[k].lane->frame, (uintptr_t)b->stacks[k]->top};
}

/* Tells whether two lanes that wait wait at one place, to which they have come by the same calls. */
static bool same_place(unsigned k, unsigned other)
{
    const struct rd_sim_lane *mine = rd_sim_here->block.threads[k].lane;
    const struct rd_sim_lane *its = rd_sim_here->block.threads[other].lane;
    if (its->line != mine->line || its->file != mine->file)
        return false;
    struct rd_sim_path one = path_of(k), another = path_of(other);
    return k == other || !rd_sim_paths_differ(&one, &another);
}

static void tell_mismatch(unsigned k, unsigned other)
{
    const struct rd_sim_path paths[] = {path_of(k), path_of(other)};
    rd_sim_tell_waiting(RD_HAZARD_MASK_MISMATCH, k, other, paths);
}

/* The lanes that wait for what lane k waits for. */
static unsigned companions(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned first = first_lane(k), lanes = 0;
    const struct rd_sim_lane *mine = b->threads[k].lane;
    for (unsigned lane = 0; lane < RD_SIM_WARP && first + lane < b->n; lane++) {
        const struct rd_sim_lane *its = b->threads[first + lane].lane;
        if (b->state[first + lane] == RD_SIM_IN_WARP && its->meeting == mine->meeting &&
            its->operation == mine->operation && its->mask == mine->mask &&
            (mine->meeting != RD_MEET_ACTIVE || same_place(k, first + lane)))
            lanes |= 1u << lane;
    }
    return lanes;
}

/* The lanes of the warp that have not exited. */
static unsigned living(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned first = first_lane(k), lanes = 0;
    if (b->n_done == 0)
        return b->n - first >= RD_SIM_WARP ? ~0u : (1u << (b->n - first)) - 1;
    for (unsigned lane = 0; lane < RD_SIM_WARP && first + lane < b->n; lane++)
        if (b->state[first + lane] != RD_SIM_DONE)
            lanes |= 1u << lane;
    return lanes;
}

/* The lanes have met at a barrier. Returns their new epoch. */
static unsigned meet_at_barrier(unsigned k, unsigned lanes)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned first = first_lane(k), n = b->n - first, warp = k / RD_SIM_WARP;
    bool whole = lanes == (n >= RD_SIM_WARP ? ~0u : (1u << n) - 1);
    b->kept = b->uneven = true;
    if (!rd_sim_here->core.exact && !whole)
        rd_sim_exact_want();
    unsigned epoch = rd_sim_epoch_next();
    if (!rd_sim_here->core.exact)
        rd_sim_warps_meet(warp, epoch);
    RD_SIM_TELL(warp_barrier, warp, lanes, epoch);
    return epoch;
}

static void wait_at(unsigned k, const struct rd_sim_lane *lane)
{
    rd_sim_here->block.threads[k].file = lane->file;
    rd_sim_here->block.threads[k].line = lane->line;
}

/* Lanes that meet without the rest of their warp leave word of it: see tell_gone(). */
static void note_mask(unsigned k, const struct rd_sim_lane *lane)
{
    struct rd_sim_thread_state *thread = &rd_sim_here->block.threads[k];
    rd_sim_here->block.kept = true;
    thread->met_file = lane->file;
    thread->met_line = lane->line;
    thread->met_mask = lane->mask;
}

/* Lane k goes on without lanes that its mask names, as they have exited. Those that came through here last, with
 * another mask, had not when they were here: they were to name lane k. */
static void tell_gone(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned first = first_lane(k), gone = b->threads[k].lane->mask & ~living(k);
    const struct rd_sim_lane *mine = b->threads[k].lane;
    for (unsigned lane = 0; lane < RD_SIM_WARP && first + lane < b->n; lane++) {
        struct rd_sim_thread_state *other = &b->threads[first + lane];
        if (!(gone >> lane & 1) || !other->met_file || other->met_line != mine->line ||
            other->met_file != mine->file || other->met_mask == mine->mask)
            continue;
        wait_at(k, mine);
        other->file = mine->file;
        other->line = mine->line;
        rd_sim_tell_waiting(RD_HAZARD_MASK_MISMATCH, k, first + lane, NULL);
        return;
    }
}

static void meet(unsigned k, unsigned lanes)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned first = first_lane(k), epoch = 0;
    uint64_t values[RD_SIM_WARP] = {0};
    const struct rd_sim_lane *mine = b->threads[k].lane;
    bool whole = lanes == living(k);
    const struct rd_sim_path path = path_of(k);
    const struct rd_sim_way way = rd_sim_way_of(&path);
    if (mine->meeting == RD_MEET_SYNC)
        epoch = meet_at_barrier(k, lanes);
    const bool names_lanes = mine->meeting != RD_MEET_ACTIVE;
    if (names_lanes && b->n_done > 0)
        tell_gone(k);
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if (lanes >> lane & 1) {
            const struct rd_sim_lane *its = b->threads[first + lane].lane;
            values[lane] = its->value;
            const struct rd_sim_path its_path = path_of(first + lane);
            if (!rd_sim_way_is_taken(&way, &its_path) && !same_place(k, first + lane)) {
                wait_at(k, mine);
                wait_at(first + lane, its);
                tell_mismatch(k, first + lane);
            }
        }
    if (rd_sim_here->core.on_meeting)
        rd_sim_here->core.on_meeting(first, lanes);
    for (unsigned lane = 0; lane < RD_SIM_WARP; lane++)
        if (lanes >> lane & 1) {
            struct rd_sim_thread_state *thread = &b->threads[first + lane];
            if (thread->lane->values)
                memcpy(thread->lane->values, values, sizeof values);
            thread->lane->taken = values[thread->lane->source];
            thread->lane->present = lanes;
            if (epoch)
                thread->epoch = epoch;
            if (names_lanes && !whole)
                note_mask(first + lane, thread->lane);
            b->state[first + lane] = RD_SIM_READY;
            b->n_ready++;
            b->n_in_warp--;
            b->in_warp[k / RD_SIM_WARP]--;
        }
}

/* Lets a warp go on if all that its lanes wait for have come. */
static bool try_meet(unsigned k)
{
    struct rd_sim_block *b = &rd_sim_here->block;
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
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned first = first_lane(thread);
    for (unsigned k = first; k < first + RD_SIM_WARP && k < b->n; k++)
        if (b->state[k] == RD_SIM_IN_WARP)
            try_meet(k);
}

/* No thread can go on: lanes wait for lanes that never come. Or they ask who is active: these. */
void rd_sim_warp_resolve(void)
{
    struct rd_sim_block *b = &rd_sim_here->block;
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
            rd_sim_tell_waiting(RD_HAZARD_MASK_MISMATCH, k,
                                first_lane(k) + (unsigned)__builtin_ctz(missing ? missing : 1),
                                NULL);
            meet(k, lanes);
        }
}

void rd_sim_warp_meet(struct rd_sim_lane *lane)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    unsigned k = rd_sim_here->core.thread;
    rd_sim_settle();
    b->threads[k].lane = lane;
    b->state[k] = RD_SIM_IN_WARP;
    b->n_in_warp++;
    b->in_warp[k / RD_SIM_WARP]++;
    if (try_meet(k)) { /* the last to come goes on at once */
        b->n_ready--;
        rd_sim_become(rd_sim_here, k);
    } else {
        rd_sim_yield();
    }
}
