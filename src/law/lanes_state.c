// SPDX-License-Identifier: MIT
/* Arrays at points after their last steps, which are kept and gone back to. */
#include "law/lanes.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Cells of blocks that are worked out side by side: so many as stay in a near cache. */
enum { CELLS_SIDE_BY_SIDE = 1 << 12 };

static bool make_room(struct lane_work *work, struct lane_state *state)
{
    const size_t count = state->blocks.count * state->blocks.cells;
    const size_t size_bytes = (count + 1) * work->arithmetic->size_bytes;
    if (count > work->run->work_max)
        return false;
    if (state->capacity_bytes < size_bytes) {
        free(state->cells);
        state->cells = rd_array_alloc(size_bytes);
        state->capacity_bytes = state->cells ? size_bytes : 0;
    }
    if (state->capacity_bytes == 0)
        return false;
    memset(state->cells, 0, size_bytes);
    return true;
}

static bool step(struct lane_work *work, struct lane_state *state,
                 const struct rd_law_section *section, enum rd_law_role role,
                 struct lane_frame *frame)
{
    return rd_lane_before_begin(&state->before, state->cells, &state->blocks,
                                work->arithmetic->size_bytes) &&
           rd_lane_move(work, section, role, frame, &state->before);
}

static bool run_steps(struct lane_work *work, struct lane_state *state,
                      const struct rd_law_section *section, struct lane_frame *frame, bool log)
{
    const struct lane_section *ready = &work->lanes->sections[section->index];
    int64_t *value = &frame->here[LAW_STEP];
    if (section->steps)
        *value = rd_lane_evaluate(work, &ready->first, frame->here);
    if (work->gave_up || !step(work, state, section, RD_LAW_START, frame))
        return false;
    while (section->steps) {
        const int64_t last = rd_lane_evaluate(work, &ready->last, frame->here), from = *value;
        if (from == last)
            break;
        const int64_t next = rd_lane_evaluate(work, &ready->next, frame->here);
        work->run->work += state->blocks.count - 1;
        if (work->gave_up || !rd_law_run_work(work->run, NULL))
            return false;
        if (!(last > from ? next > from && next <= last : next < from && next >= last))
            break;
        *value = next;
        const bool any_order = work->any_order;
        if (!step(work, state, section, RD_LAW_UPDATE, frame))
            return false;
        if (log)
            rd_lane_log_add(&state->log, &state->before, from, any_order);
    }
    state->value = *value;
    return !work->gave_up;
}

/* Tells whether a state that was kept is that of this place, or leads back to it. */
static bool go_back(struct lane_work *work, const struct lane_section *ready,
                    struct lane_state *state, const struct lane_frame *frame)
{
    const int64_t last = rd_lane_evaluate(work, &ready->last, frame->here);
    if (work->gave_up || !rd_law_run_work(work->run, NULL))
        return false;
    if (state->value == last)
        return true;
    if (!rd_lane_log_return(&state->log, last, &state->any_order))
        return false;
    state->value = last;
    return true;
}

static bool find_count(struct lane_work *work, const struct rd_law_section *section,
                       const struct lane_frame *frame, size_t *cells)
{
    const struct lane_section *ready = &work->lanes->sections[section->index];
    *cells = 1;
    for (size_t k = 0; k < section->array->n_sizes; k++) {
        const int64_t size = rd_lane_evaluate(work, &ready->sizes[k], frame->here);
        if (size < 0 || __builtin_mul_overflow(*cells, (size_t)size, cells))
            return false;
    }
    return !work->gave_up;
}

/* From the first step to the last. */
static bool make_state(struct lane_work *work, const struct rd_law_section *section,
                       struct lane_frame *frame, struct lane_state *state, bool log)
{
    const bool any_order = work->any_order;
    rd_lane_log_forget(&state->log);
    state->known = false;
    state->warp = frame->here[LAW_WARP];
    if (!make_room(work, state))
        return false;
    work->any_order = false;
    state->under_way = true;
    state->known = run_steps(work, state, section, frame, log);
    state->under_way = false;
    state->any_order = work->any_order;
    work->any_order = any_order;
    rd_lane_before_let_go(&state->before);
    return state->known;
}

bool rd_lane_is_uniform(const struct law_lanes *lanes, const struct rd_law_section *section)
{
    const struct lane_section *ready = &lanes->sections[section->index];
    for (size_t k = 0; k < section->array->n_sizes; k++)
        if (ready->sizes[k].variables & RD_LANE_BLOCK)
            return false;
    return !section->steps ||
           !((ready->first.variables | ready->next.variables | ready->last.variables) &
             RD_LANE_BLOCK);
}

/* Number of blocks to work out: those that are asked for or, if they are asked for one after the other, twice as many
 * as the last time. */
static size_t blocks_to_make(const struct lane_state *state, int64_t block, int64_t wanted,
                             int64_t warp, size_t cells)
{
    const size_t most = cells > 0 ? CELLS_SIDE_BY_SIDE / cells : RD_LANES_MAX;
    const bool goes_on = state->known && state->warp == warp &&
                         block == state->blocks.first + (int64_t)state->blocks.count;
    size_t count = wanted == 1 && goes_on ? 2 * state->blocks.count : (size_t)wanted;
    count = count < most ? count : most;
    return count > 1 ? count : 1;
}

/* Works out the arrays of several blocks if possible, else that of the first. */
static bool make_states(struct lane_work *work, const struct rd_law_section *section,
                        struct lane_frame *frame, struct lane_state *state, bool log,
                        int64_t wanted)
{
    const struct lane_work outer = *work;
    const uint64_t worked = work->run->work;
    const int64_t block = frame->here[LAW_BLOCK], warp = frame->here[LAW_WARP];
    size_t cells;
    if (!find_count(work, section, frame, &cells))
        return false;
    const size_t count = rd_lane_is_uniform(work->lanes, section)
                             ? blocks_to_make(state, block, wanted, warp, cells)
                             : 1;
    state->blocks = (struct lane_blocks){block, count, cells};
    if (make_state(work, section, frame, state, log))
        return true;
    if (count == 1 || work->run->status == RD_ERROR_INTERRUPTED)
        return false;
    *work = outer;
    work->run->status = RD_OK;
    work->run->work = worked;
    frame->here[LAW_BLOCK] = block;
    state->blocks.count = 1;
    return make_state(work, section, frame, state, log);
}

static bool is_of_block(const struct lane_state *state, int64_t block, int64_t warp)
{
    const struct lane_blocks *blocks = &state->blocks;
    return state->known && state->warp == warp && block >= blocks->first &&
           block - blocks->first < (int64_t)blocks->count;
}

const struct lane_state *rd_lane_last_state(struct lane_work *work,
                                            const struct rd_law_section *section, int64_t block,
                                            int64_t wanted, int64_t warp)
{
    if (work->gave_up || block < 0 || warp < 0 || !rd_lane_make_section(work->lanes, section))
        return NULL;
    struct lane_section *ready = &work->lanes->sections[section->index];
    struct lane_state *kept = rd_lane_kept_state(work, section);
    struct lane_state *state = kept ? kept : &ready->state;
    if (state->under_way)
        return NULL;
    struct lane_frame frame = {.count = 1};
    memcpy(frame.here, work->lanes->quantities, sizeof work->lanes->quantities);
    frame.here[LAW_D] = work->run->quantities[LAW_D];
    frame.here[LAW_STEP] = 0;
    frame.here[LAW_BLOCK] = block;
    frame.here[LAW_WARP] = warp;
    const bool same =
        is_of_block(state, block, warp) && (!kept || go_back(work, ready, state, &frame));
    const bool log = kept && !rd_lane_is_without(&ready->last, LAW_D); /* it may end earlier */
    if (work->gave_up || (!same && !make_states(work, section, &frame, state, log, wanted)))
        return NULL;
    work->any_order |= state->any_order;
    return state;
}
