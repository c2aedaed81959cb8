// SPDX-License-Identifier: MIT
/* Classifies a finding, and so chooses its lesson. */
#include "device/sim/object.h"
#include "device/sim/report/report_internal.h"
#include "device/sim/report/report.h"
#include "device/sim/source/sites.h"

const char *rd_sim_race_kind(const struct rd_sim_event *event)
{
    if (event->actor.op == RD_SIM_WRITE && event->other.op == RD_SIM_WRITE)
        return event->bits_known && event->same_value ? "same-value" : "write-write";
    if (event->actor.op != RD_SIM_READ && event->other.op != RD_SIM_READ)
        return "write-write";
    return "read-write";
}

const char *rd_sim_race_scope(const struct rd_sim_event *event)
{
    if (!event->other.block_known || event->other.block != event->actor.block)
        return "grid";
    return event->other.thread_known &&
                   event->other.thread / RD_SIM_WARP == event->actor.thread / RD_SIM_WARP
               ? "warp"
               : "block";
}

bool rd_sim_found_is_access(const struct rd_sim_found *found)
{
    enum rd_hazard_kind hazard = found->event.hazard;
    return hazard == RD_HAZARD_RACE || hazard == RD_HAZARD_PLAIN_READ_OF_ATOMIC ||
           hazard == RD_HAZARD_OUT_OF_BOUNDS || hazard == RD_HAZARD_MISALIGNED ||
           hazard == RD_HAZARD_UNINITIALISED;
}

bool rd_sim_found_is_of_host(const struct rd_sim_found *found)
{
    return found->array_known && found->array.is_host && found->offset_bytes >= 0 &&
           (size_t)found->offset_bytes < found->array.size_bytes;
}

static bool is_stray(const struct rd_sim_found *found)
{
    return !found->event.index_known &&
           (!found->array_known || found->array.space == RD_SPACE_NONE ||
            rd_sim_found_is_of_host(found));
}

bool rd_sim_found_is_lost(const struct rd_sim_found *found)
{
    const struct rd_sim_event *event = &found->event;
    return event->hazard == RD_HAZARD_OUT_OF_BOUNDS && !event->index_known && !found->array_known &&
           !event->text && !event->frees && event->address >= RD_SIM_NULL_BYTES;
}

bool rd_sim_found_is_shared(const struct rd_sim_found *found)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    return !found->event.index_known && !found->array_known &&
           found->event.address - core->shared < core->shared_size;
}

bool rd_sim_found_is_missing(const struct rd_sim_found *found)
{
    return found->event.hazard == RD_HAZARD_OUT_OF_BOUNDS && found->array_known &&
           found->array.dynamic && found->array.size_bytes == 0;
}

static const char *const operators[] = {
    [RD_SIM_SHIFT] = "shift",
    [RD_SIM_CONVERSION] = "conversion",
    [RD_SIM_DIVISION] = "division",
};

const char *rd_sim_found_kind(const struct rd_sim_found *found)
{
    if (found->event.hazard == RD_HAZARD_RACE)
        return rd_sim_race_kind(&found->event);
    if (found->event.hazard == RD_HAZARD_PLAIN_READ_OF_ATOMIC)
        return "";
    if (found->event.hazard == RD_HAZARD_LEAK)
        return found->event.of_program ? "" : found->event.kept ? "kept" : "lost";
    if (found->event.is_private)
        return "private";
    if (found->event.hazard == RD_HAZARD_UNDEFINED_ARITHMETIC)
        return operators[found->event.operation.kind];
    if (!rd_sim_found_is_access(found) || found->event.index_known)
        return "";
    if (is_stray(found) || found->array.freed)
        return "stray";
    return found->array.space == RD_SPACE_SHARED ? "shared" : "global";
}

const char *rd_sim_found_scope(const struct rd_sim_found *found)
{
    return found->event.hazard == RD_HAZARD_RACE ? rd_sim_race_scope(&found->event) : "";
}

/* Tells whether it is in front of its array. */
static bool is_below(const struct rd_sim_found *found)
{
    if (found->event.index_known)
        return found->event.index < 0;
    return found->array_known && found->offset_bytes < 0;
}

static bool is_of_volatile(const struct rd_sim_event *event)
{
    return rd_sim_trait_has(event->actor.site.pc, RD_SIM_IS_VOLATILE) &&
           rd_sim_trait_has(event->other.site.pc, RD_SIM_IS_VOLATILE);
}

/* Between blocks, one of which hands something to the other. */
static bool is_handing_on(const struct rd_sim_event *event)
{
    return event->hazard == RD_HAZARD_RACE && !event->frees && rd_sim_race_scope(event)[0] == 'g' &&
           rd_sim_race_kind(event)[0] == 'r' && event->actor.op != RD_SIM_ATOMIC &&
           event->other.op != RD_SIM_ATOMIC;
}

bool rd_sim_found_is_flag(const struct rd_sim_found *found)
{
    return is_handing_on(&found->event) && is_of_volatile(&found->event);
}

bool rd_sim_found_lacks_fence(const struct rd_sim_found *found)
{
    const struct rd_sim_event *event = &found->event;
    return is_handing_on(event) && !is_of_volatile(event) &&
           found->heard != RD_SIM_HEARD_OF_BLOCK &&
           (found->behind_flag || found->heard == RD_SIM_HEARD_OF_THREAD);
}

bool rd_sim_found_lacks_barrier(const struct rd_sim_found *found)
{
    const struct rd_sim_event *event = &found->event;
    return is_handing_on(event) && !is_of_volatile(event) && found->heard == RD_SIM_HEARD_OF_BLOCK;
}

static enum rd_sim_detail detail_of_race(const struct rd_sim_found *found)
{
    const struct rd_sim_event *event = &found->event;
    if (event->frees)
        return RD_DETAIL_FREED;
    if (is_of_volatile(event))
        return RD_DETAIL_VOLATILE;
    bool atomic = event->actor.op == RD_SIM_ATOMIC || event->other.op == RD_SIM_ATOMIC;
    if (rd_sim_found_lacks_fence(found))
        return RD_DETAIL_FENCE;
    if (rd_sim_found_lacks_barrier(found))
        return RD_DETAIL_BARRIER;
    return atomic ? RD_DETAIL_ATOMIC : RD_DETAIL_NONE;
}

/* Tells whether it is a race between lanes by volatile accesses alone: as code does that takes a warp for a vector. */
bool rd_sim_found_is_warp_synchronous(const struct rd_sim_found *found)
{
    return found->event.hazard == RD_HAZARD_RACE && found->array_known &&
           rd_sim_race_scope(&found->event)[0] == 'w' &&
           detail_of_race(found) == RD_DETAIL_VOLATILE;
}

bool rd_sim_found_is_guess(const struct rd_sim_found *found)
{
    const struct rd_sim_event *event = &found->event;
    const struct rd_sim_actor *x = &event->actor, *y = &event->other;
    if (event->hazard != RD_HAZARD_RACE)
        return false;
    return (x->op == RD_SIM_READ && y->op == RD_SIM_ATOMIC &&
            rd_sim_trait_has(x->site.pc, RD_SIM_IS_GUESS)) ||
           (y->op == RD_SIM_READ && x->op == RD_SIM_ATOMIC &&
            rd_sim_trait_has(y->site.pc, RD_SIM_IS_GUESS));
}

static enum rd_sim_detail detail_of_bounds(const struct rd_sim_found *found)
{
    if (found->array_known && found->array.freed)
        return RD_DETAIL_FREED;
    if (found->event.frees)
        return RD_DETAIL_FREE;
    if (found->event.launches)
        return RD_DETAIL_CHILD;
    if (found->event.text)
        return RD_DETAIL_STACK;
    if (is_below(found))
        return RD_DETAIL_BELOW;
    if (rd_sim_found_is_lost(found) && !rd_sim_found_is_shared(found))
        return RD_DETAIL_LOST;
    if (rd_sim_found_is_shared(found) || (found->array_known && found->array.dynamic))
        return RD_DETAIL_DYNAMIC;
    return found->array_known && found->array.origin ? RD_DETAIL_HEAP : RD_DETAIL_NONE;
}

static enum rd_sim_detail detail_of(const struct rd_sim_found *found)
{
    const struct rd_sim_event *event = &found->event;
    switch (event->hazard) {
    case RD_HAZARD_RACE:
        return detail_of_race(found);
    case RD_HAZARD_OUT_OF_BOUNDS:
        return detail_of_bounds(found);
    case RD_HAZARD_UNINITIALISED:
        if (found->array_known && found->array.set_at)
            return RD_DETAIL_UNSET;
        return found->array_known && found->array.origin ? RD_DETAIL_HEAP : RD_DETAIL_NONE;
    case RD_HAZARD_BARRIER_DIVERGENCE:
        return event->meeting.file ? RD_DETAIL_CALL : RD_DETAIL_NONE;
    case RD_HAZARD_BARRIER_SKIPPED:
        return event->actor.block != event->other.block ? RD_DETAIL_GRID : RD_DETAIL_NONE;
    case RD_HAZARD_MASK_MISMATCH:
        if (event->text)
            return RD_DETAIL_WHOLE;
        if (event->meeting.file)
            return RD_DETAIL_CALL;
        return event->has_other ? RD_DETAIL_NONE : RD_DETAIL_SELF;
    case RD_HAZARD_OVER_BUDGET:
        return event->actor.op == RD_SIM_READ ? RD_DETAIL_NONE : RD_DETAIL_WRITE;
    case RD_HAZARD_ILLEGAL_LAUNCH: /* that a thread comes to: other launches don't begin */
        return event->launches ? RD_DETAIL_CHILD : RD_DETAIL_GRID;
    default:
        return RD_DETAIL_NONE;
    }
}

const char *rd_sim_found_lesson(const struct rd_sim_found *found,
                                const struct rd_sim_extent *extent)
{
    const struct rd_sim_event *event = &found->event;
    bool is_absent =
        event->hazard == RD_HAZARD_INACTIVE_LANE && !rd_sim_extent_has(extent, event->other.thread);
    return rd_sim_case_lesson(event->hazard,
                              &(struct rd_sim_case){
                                  .kind = rd_sim_found_kind(found),
                                  .scope = rd_sim_found_scope(found),
                                  .detail = is_absent ? RD_DETAIL_ABSENT : detail_of(found),
                              });
}
