// SPDX-License-Identifier: MIT
/* Moves arrays on by the claims of a step: the program's own array, and those at points. */
#include "law/lanes.h"

#include <stdlib.h>
#include <string.h>

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
    rd_lane_before_write(work->before, (size_t)(first < last ? first : last),
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
