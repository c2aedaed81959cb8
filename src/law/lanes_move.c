// SPDX-License-Identifier: MIT
/* Moves arrays on, from copies of their blocks where a step may write few cells of many. Longer than others: blocks are
 * copied within the inner loop of a move, which the compiler puts together. */
#include "law/lanes.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- arrays before a move ---- */

/* An array as it was before it is written: blocks are copied when they are about to be, as a step may write few cells
 * of many. */

enum { BLOCK_CELLS = 128, KEPT_BYTES = 1 << 23, LOG_BLOCKS = 64 };

static size_t blocks_of(const struct lane_before *before)
{
    return (before->count + BLOCK_CELLS - 1) / BLOCK_CELLS;
}

bool rd_lane_before_begin(struct lane_before *before, void *cells, const struct lane_blocks *blocks,
                          size_t size_bytes)
{
    const size_t count = blocks->count * blocks->cells;
    before->blocks = *blocks;
    before->cells = cells;
    before->count = count;
    before->size_bytes = size_bytes;
    const size_t n_blocks = blocks_of(before), needed = count * size_bytes + n_blocks + 1;
    if (before->capacity_bytes < needed) {
        free(before->were);
        before->were = rd_array_alloc(needed);
        before->capacity_bytes = before->were ? needed : 0;
    }
    if (!before->were)
        return false;
    before->saved = before->were + count * size_bytes;
    memset(before->saved, 0, n_blocks);
    before->low = n_blocks;
    before->high = 0;
    return true;
}

void rd_lane_before_finish(struct lane_before *before)
{
    free(before->were);
    before->were = before->saved = NULL;
    before->capacity_bytes = 0;
}

void rd_lane_before_let_go(struct lane_before *before)
{
    if (before->capacity_bytes > KEPT_BYTES)
        rd_lane_before_finish(before);
}

/* The block's place and length in bytes. */
static size_t block(const struct lane_before *before, size_t index, size_t *length)
{
    const size_t first = index * BLOCK_CELLS, left = before->count - first;
    *length = (left < BLOCK_CELLS ? left : BLOCK_CELLS) * before->size_bytes;
    return first * before->size_bytes;
}

static void save(struct lane_before *before, size_t index)
{
    size_t length;
    const size_t at = block(before, index, &length);
    if (before->saved[index])
        return;
    memcpy(before->were + at, before->cells + at, length);
    before->saved[index] = 1;
    before->low = index < before->low ? index : before->low;
    before->high = index >= before->high ? index + 1 : before->high;
}

/* Saves cells `first` to `last` before they are written. */
static void lane_before_write(struct lane_before *before, size_t first, size_t last)
{
    for (size_t index = first / BLOCK_CELLS; index <= last / BLOCK_CELLS; index++)
        save(before, index);
}

const void *rd_lane_before_read(struct lane_before *before, size_t first, size_t last)
{
    bool is_saved = false;
    for (size_t index = first / BLOCK_CELLS; index <= last / BLOCK_CELLS; index++)
        is_saved |= before->saved[index];
    if (!is_saved)
        return before->cells;
    lane_before_write(before, first, last);
    return before->were;
}

void rd_lane_before_restore(struct lane_before *before)
{
    for (size_t index = before->low; index < before->high; index++) {
        size_t length;
        const size_t at = block(before, index, &length);
        if (before->saved[index])
            memcpy(before->cells + at, before->were + at, length);
    }
}

/* ---- steps that can be undone ---- */

static struct lane_logged *add_step(struct lane_log *log)
{
    if (log->n_steps == log->capacity) {
        const size_t capacity = log->capacity ? 2 * log->capacity : 32;
        struct lane_logged *grown = realloc(log->steps, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        log->steps = grown;
        log->capacity = capacity;
    }
    return &log->steps[log->n_steps++];
}

static void lane_log_forget(struct lane_log *log)
{
    while (log->n_steps > 0)
        rd_lane_before_finish(&log->steps[--log->n_steps].before);
    log->n_blocks = 0;
}

void rd_lane_log_finish(struct lane_log *log)
{
    lane_log_forget(log);
    free(log->steps);
    *log = (struct lane_log){.n_steps = 0};
}

/* Copies the blocks that the step has saved; false without memory. */
static bool pack(struct lane_before *packed, const struct lane_before *before)
{
    size_t length = 0;
    *packed = *before;
    packed->were = packed->saved = NULL;
    packed->capacity_bytes = 0;
    if (before->low >= before->high)
        return true;
    const size_t n_blocks = before->high - before->low, from = block(before, before->low, &length),
                 to = block(before, before->high - 1, &length) + length;
    packed->were = rd_array_alloc(to - from + n_blocks);
    if (!packed->were)
        return false;
    packed->saved = packed->were + (to - from);
    packed->capacity_bytes = to - from + n_blocks;
    memcpy(packed->were, before->were + from, to - from);
    memcpy(packed->saved, before->saved + before->low, n_blocks);
    return true;
}

/* As rd_lane_before_restore, of what was packed. */
static void restore_packed(struct lane_before *packed)
{
    size_t length;
    const size_t from = block(packed, packed->low, &length);
    for (size_t index = packed->low; index < packed->high; index++) {
        const size_t at = block(packed, index, &length);
        if (packed->saved[index - packed->low])
            memcpy(packed->cells + at, packed->were + (at - from), length);
    }
}

/* Adds the step, with the blocks that `before` has saved. A log that grows too long forgets all, and so does one without
 * memory. */
static void lane_log_add(struct lane_log *log, const struct lane_before *before, int64_t value,
                         bool any_order)
{
    /* A fold's steps take as much as the array, as each writes half of what the one before did. */
    const size_t most = 2 * blocks_of(before) + LOG_BLOCKS;
    struct lane_logged *step = add_step(log);
    log->n_blocks += before->low < before->high ? before->high - before->low : 0;
    if (step) {
        step->value = value;
        step->any_order = any_order;
    }
    if (!step || !pack(&step->before, before) || log->n_blocks > most)
        lane_log_forget(log);
}

/* Undoes steps, as far as to the value, with *any_order as it was then; false where none of them began with it, and then none
 * is. */
static bool lane_log_return(struct lane_log *log, int64_t value, bool *any_order)
{
    size_t to = log->n_steps;
    while (to > 0 && log->steps[to - 1].value != value)
        to--;
    if (to == 0)
        return false;
    *any_order = log->steps[to - 1].any_order;
    while (log->n_steps >= to) {
        struct lane_before *before = &log->steps[--log->n_steps].before;
        log->n_blocks -= before->low < before->high ? before->high - before->low : 0;
        restore_packed(before);
        rd_lane_before_finish(before);
    }
    return true;
}

/* ---- moves ---- */

/* Moves arrays on: the program's own, and those at points, up to their last steps. */

/* ---- claims ---- */

struct writing {
    const struct lane_claim *claim;
    const struct lane_code *sizes;
    unsigned char *written; /* NULL: no cell is written again */
};

static bool note(struct lane_work *work, const struct writing *writing, int64_t first,
                 int64_t stride, size_t count)
{
    for (size_t k = 0; writing->written && k < count; k++) {
        unsigned char *written = &writing->written[first + (int64_t)k * stride];
        if (*written)
            work->gave_up = true; /* two claims on a cell: do they agree? */
        *written = 1;
    }
    return !work->gave_up;
}

/* Stores values of a straight line of cells. */
static void store(struct lane_work *work, int64_t first, int64_t stride, const void *values,
                  size_t count)
{
    const int64_t last = first + (int64_t)(count - 1) * stride;
    if (work->arithmetic->fits && !work->arithmetic->fits(values, count)) {
        work->gave_up = true;
        return;
    }
    lane_before_write(work->before, (size_t)(first < last ? first : last),
                      (size_t)(first < last ? last : first));
    work->arithmetic->store(work->before->cells, (size_t)first, stride, values, count);
}

static bool write_lanes(struct lane_work *work, const struct writing *writing,
                        struct lane_frame *frame, void *values)
{
    const struct lane_claim *claim = writing->claim;
    int64_t first, stride;
    if (!rd_lane_curved(claim->indices, claim->n_indices, frame)) {
        if (!rd_lane_flat_line(work, claim->indices, writing->sizes, claim->n_indices, frame,
                               &first, &stride))
            return false;
        rd_lane_to_block(work->before, frame, &first, &stride);
        if (stride == 0 && frame->count > 1)
            work->gave_up = true; /* as two claims on a cell */
        if (work->gave_up || !note(work, writing, first, stride, frame->count))
            return false;
        store(work, first, stride, values, frame->count);
        return true;
    }
    for (size_t k = 0; k < frame->count; k++) {
        struct lane_frame one;
        rd_lane_only(frame, k, &one);
        if (!write_lanes(work, writing, &one, rd_lane_of(work, values, k)))
            return false;
    }
    return true;
}

static bool claim_run(struct lane_work *work, struct lane_frame *frame, const struct lane_run *run,
                      unsigned variable, void *context)
{
    const struct writing *writing = context;
    struct lane_frame lanes = *frame;
    void *values = rd_lane_take(work);
    if (!values)
        return false;
    const int64_t count = run ? run->count : 1;
    for (int64_t done = 0; done < count && !work->gave_up; done += RD_LANES_MAX) {
        if (!rd_lane_part(work, run, variable, done, &lanes) ||
            !rd_lane_values(work, writing->claim->value, &lanes, values) ||
            !write_lanes(work, writing, &lanes, values))
            work->gave_up = true;
    }
    rd_lane_give(work);
    return !work->gave_up;
}

/* Counts as much as the run's cases take in all blocks but one. */
static void count_blocks(struct lane_work *work, const struct lane_run *run, size_t n_blocks)
{
    const uint64_t cells = run ? (uint64_t)run->count : 1;
    work->run->work += (n_blocks - 1) * (2 + cells / 8);
}

/* One case, in all blocks side by side. */
static bool claim_case(struct lane_work *work, const struct writing *writing,
                       struct lane_frame *frame, void *values)
{
    const struct lane_blocks *blocks = &work->before->blocks;
    for (size_t done = 0; done < blocks->count; done += RD_LANES_MAX) {
        const size_t left = blocks->count - done;
        frame->count = left < RD_LANES_MAX ? left : RD_LANES_MAX;
        frame->varying = frame->count > 1 ? RD_LANE_BLOCK : 0;
        frame->here[LAW_BLOCK] = blocks->first + (int64_t)done;
        memcpy(frame->next, frame->here, sizeof frame->next);
        frame->next[LAW_BLOCK]++;
        if (!rd_law_run_work_on(work->run, frame->count) ||
            !rd_lane_values(work, writing->claim->value, frame, values) ||
            !write_lanes(work, writing, frame, values))
            return false;
    }
    return true;
}

/* As claim_run, in all blocks: case by case where there are fewer cases than blocks, else block by block. */
static bool claim_blocks(struct lane_work *work, struct lane_frame *frame,
                         const struct lane_run *run, unsigned variable, void *context)
{
    const struct lane_blocks *blocks = &work->before->blocks;
    struct lane_frame lanes = *frame;
    const int64_t count = run ? run->count : 1;
    if (count >= (int64_t)blocks->count) {
        count_blocks(work, run, blocks->count);
        for (size_t k = 0; k < blocks->count && !work->gave_up; k++) {
            lanes.here[LAW_BLOCK] = blocks->first + (int64_t)k;
            claim_run(work, &lanes, run, variable, context);
        }
        return !work->gave_up;
    }
    void *values = rd_lane_take(work);
    if (!values)
        return false;
    for (int64_t k = 0; k < count && !work->gave_up; k++) {
        if (run)
            lanes.here[variable] = run->first + k * run->stride;
        if (!claim_case(work, context, &lanes, values))
            work->gave_up = true;
    }
    rd_lane_give(work);
    return !work->gave_up;
}

/* Marks of the cells written so far: a move takes the buffer, as a value may need another move within, and gives it back. */
struct noting {
    unsigned char *written;
    size_t capacity;
};

static bool take_noting(struct law_lanes *lanes, size_t count, struct noting *noting)
{
    *noting = (struct noting){lanes->written, lanes->written_capacity};
    lanes->written = NULL;
    lanes->written_capacity = 0;
    if (noting->capacity < count) {
        free(noting->written);
        noting->written = malloc(count);
        noting->capacity = noting->written ? count : 0;
    }
    if (noting->written)
        memset(noting->written, 0, count);
    return noting->written != NULL;
}

static void give_noting(struct law_lanes *lanes, struct noting *noting)
{
    free(lanes->written);
    lanes->written = noting->written;
    lanes->written_capacity = noting->capacity;
}

/* Tells whether they can be worked out for several blocks side by side. */
static bool are_uniform(const struct lane_claims *claims)
{
    for (size_t k = 0; k < claims->count; k++)
        if (claims->claims[k].by_block)
            return false;
    return true;
}

/* Tells whether the level has one value at most: its variable is equal to what is known there. */
static bool is_determined(const struct lane_level *level)
{
    for (size_t k = 0; k < level->n_atoms; k++) {
        const struct lane_atom *atom = &level->atoms[k];
        if (atom->hints && atom->n_links == 0 && !atom->congruence && atom->relation == LAW_EQUAL)
            return true;
    }
    return false;
}

/* Tells whether no cell is named twice: at most one variable has several values, and cells lie on a straight line in it. */
static bool names_once(const struct lane_claim *claim)
{
    uint64_t curved = 0, variables = 0, determined = 0, open = 0;
    size_t n_open = 0;
    for (size_t k = 0; k < claim->n_indices; k++) {
        curved |= claim->indices[k].curved;
        variables |= claim->indices[k].variables;
    }
    for (size_t k = 0; k < claim->cases.n_levels; k++) {
        const struct lane_level *level = &claim->cases.levels[k];
        const uint64_t variable = (uint64_t)1 << level->variable;
        if (claim->cases.n_levels > 1 && is_determined(level)) {
            determined |= variable;
        } else {
            open |= variable;
            n_open++;
        }
    }
    return n_open <= 1 && (variables & open) == open && !(variables & determined) && curved == 0;
}

/* Tells whether a claim that is active may name a cell that it, or another, has named. */
static bool may_meet(struct lane_work *work, const struct lane_claims *claims,
                     const struct lane_frame *frame)
{
    size_t n_active = 0;
    bool once = true;
    for (size_t k = 0; !work->gave_up && k < claims->count; k++) {
        const struct lane_claim *claim = &claims->claims[k];
        if (claims->count > 1 && claim->has_when &&
            rd_lane_evaluate(work, &claim->when, frame->here) == 0)
            continue;
        n_active++;
        once = once && names_once(claim);
    }
    return n_active > 1 || !once;
}

bool rd_lane_move(struct lane_work *work, const struct rd_law_section *section,
                  enum rd_law_role role, struct lane_frame *frame, struct lane_before *before)
{
    const enum rd_law_role by = section->claims[role].count > 0 ? role : RD_LAW_LAW;
    const bool several = before->blocks.count > 1;
    const struct lane_section *ready = &work->lanes->sections[section->index];
    const struct lane_claims *claims = &ready->claims[by];
    if (!rd_lane_make_claims(work->lanes, section, by) || (several && !are_uniform(claims))) {
        work->gave_up = true;
        return false;
    }
    const struct rd_law_section *outer_section = work->section;
    struct lane_before *outer = work->before;
    const struct law_node *outer_said = work->said;
    const uint64_t outer_place = work->place;
    struct noting noting = {NULL, 0};
    const bool notes = may_meet(work, claims, frame);
    if (notes && !take_noting(work->lanes, before->count + 1, &noting))
        work->gave_up = true;
    work->before = before;
    work->section = section;
    work->place = ++work->lanes->n_places;
    for (size_t k = 0; !work->gave_up && k < claims->count; k++) {
        const struct lane_claim *claim = &claims->claims[k];
        struct writing writing = {claim, ready->sizes, noting.written};
        work->said = section->claims[by].claims[k].value;
        if (claim->has_when && rd_lane_evaluate(work, &claim->when, frame->here) == 0)
            continue;
        if (!work->gave_up &&
            !rd_lane_each(work, &claim->cases, frame, several ? claim_blocks : claim_run, &writing))
            work->gave_up = true;
    }
    if (notes)
        give_noting(work->lanes, &noting);
    work->before = outer;
    work->section = outer_section;
    work->place = outer_place;
    work->said = work->gave_up ? work->said : outer_said;
    return !work->gave_up;
}

/* ---- arrays after their last steps ---- */

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
            lane_log_add(&state->log, &state->before, from, any_order);
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
    if (!lane_log_return(&state->log, last, &state->any_order))
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
    lane_log_forget(&state->log);
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
