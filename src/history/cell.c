// SPDX-License-Identifier: MIT
/* Looks into the cells of a frame. */
#include "assertion.h"
#include "history/kept.h"

#include <stdlib.h>
#include <string.h>

/* ---- the array at the frame, and before ---- */

static enum rd_status make_room(struct rd_history *history, size_t n_cells, struct rd_error *error)
{
    struct rd_shown *shown = &history->shown;
    size_t size = (n_cells + 1) * history->about.numeric->size_bytes;
    if (shown->room >= n_cells && shown->now)
        return RD_OK;
    void *now = realloc(shown->now, size);
    shown->now = now ? now : shown->now;
    void *then = realloc(shown->then, size);
    shown->then = then ? then : shown->then;
    if (!now || !then)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to look into %zu cells", n_cells);
    shown->room = n_cells;
    return RD_OK;
}

static void apply(struct rd_history *history, size_t frame, void *array)
{
    const struct rd_kept_frame *kept = &history->frames[frame];
    rd_delta_apply(&kept->delta, &kept->layout, history->about.numeric->size_bytes, array);
}

/* The frame's array, from the first frame that shows it. */
static void replay_to(struct rd_history *history, size_t frame, void *array)
{
    const struct rd_kept_frame *frames = history->frames;
    size_t at = frame;
    while (!frames[at].delta.full)
        at = frames[at].frame.before;
    for (; at != frame; at = frames[at].after)
        apply(history, at, array);
    apply(history, frame, array);
}

enum rd_status rd_history_show(struct rd_history *history, size_t frame, struct rd_error *error)
{
    struct rd_shown *shown = &history->shown;
    const struct rd_frame *to = &history->frames[frame].frame;
    size_t size = history->about.numeric->size_bytes;
    if (shown->ready && shown->frame == frame)
        return RD_OK;
    enum rd_status status = make_room(history, to->n_cells, error);
    if (status != RD_OK)
        return status;
    if (to->before == frame) {
        replay_to(history, frame, shown->now);
    } else if (shown->ready && shown->frame == to->before) {
        memcpy(shown->then, shown->now, to->n_cells * size);
        apply(history, frame, shown->now);
    } else {
        replay_to(history, to->before, shown->then);
        memcpy(shown->now, shown->then, to->n_cells * size);
        apply(history, frame, shown->now);
    }
    shown->ready = true;
    shown->frame = frame;
    return RD_OK;
}

/* ---- what cells must hold ---- */

void rd_wanted_finish(struct rd_wanted *wanted)
{
    rd_expect_finish(&wanted->expect);
    rd_points_finish(&wanted->points);
    *wanted = (struct rd_wanted){0};
}

/* The invariant moves on only: to go back, it begins again. */
static enum rd_status want_step(struct rd_history *history, unsigned step, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    struct rd_wanted *wanted = &history->wanted;
    if (wanted->begun && wanted->step > step) {
        rd_expect_finish(&wanted->expect);
        wanted->begun = false;
    }
    if (!wanted->begun) {
        enum rd_status status = rd_expect_init(&wanted->expect, about->program, about->numeric,
                                               &about->shape, about->a, about->b, error);
        if (status != RD_OK)
            return status;
        rd_program_advance(about->program, &wanted->expect, 0);
        wanted->begun = true;
        wanted->step = 0;
    }
    while (wanted->step < step)
        rd_program_advance(about->program, &wanted->expect, ++wanted->step);
    return RD_OK;
}

static enum rd_status want_point(struct rd_history *history, size_t frame, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    const struct rd_place *place = &history->frames[frame].frame.place;
    struct rd_wanted *wanted = &history->wanted;
    struct rd_points_array *array = &wanted->points.arrays[place->point];
    enum rd_status status = RD_OK;
    if (wanted->inside && wanted->frame == frame)
        return RD_OK;
    if (!wanted->has_points)
        status = rd_points_init(&wanted->points, about->program, about->numeric, &about->shape,
                                about->a, about->b, error);
    if (status != RD_OK)
        return status;
    wanted->has_points = true;
    array->invariant->advance(&array->expect, place, true);
    wanted->inside = true;
    wanted->frame = frame;
    return RD_OK;
}

/* The expectation of the frame's array; NULL where the inputs are not known. */
static enum rd_status find_wanted(struct rd_history *history, size_t frame,
                                  struct rd_expect **expect, struct rd_error *error)
{
    const struct rd_frame *at = &history->frames[frame].frame;
    struct rd_wanted *wanted = &history->wanted;
    enum rd_status status = RD_OK;
    *expect = NULL;
    if (!history->about.a)
        return RD_OK;
    if (at->inside) {
        status = want_point(history, frame, error);
        *expect = &wanted->points.arrays[at->place.point].expect;
    } else {
        status = want_step(history, at->step, error);
        *expect = &wanted->expect;
    }
    return status;
}

/* ---- cells ---- */

/* Whether the frame's state has the cell. A cut trace tells of the violated cell, wherever it is. */
static bool is_known(const struct rd_kept_frame *kept, size_t index, bool *cut)
{
    size_t k;
    *cut = false;
    if (rd_layout_find(&kept->layout, index, &k))
        return true;
    *cut = kept->frame.violated && kept->frame.violation.cell == index && !kept->layout.lanes;
    return *cut;
}

static rd_bits load(const struct rd_history *history, const struct rd_kept_frame *kept,
                    const void *array, size_t index, bool cut)
{
    return cut ? kept->frame.violation.actual : history->about.numeric->load(array, index);
}

/* The very comparison that the step was asserted by. */
static bool is_wrong(struct rd_expect *expect, const struct rd_frame *frame, size_t index,
                     const struct rd_history_cell *cell)
{
    uint64_t memory;
    struct rd_comparison found = rd_comparison_none();
    size_t stride = frame->claim.stride;
    if (!frame->violated || !cell->expected_known)
        return false;
    if (!cell->live)
        return !expect->numeric->same(cell->value, cell->expected);
    expect->numeric->store(&memory, 0, cell->value);
    expect->numeric->compare(expect, index / stride, 1, stride, &memory, 1, &found);
    return found.wrong_bits > 0 || found.out_of_bound > 0;
}

static void look(const struct rd_history *history, const struct rd_kept_frame *kept, size_t index,
                 struct rd_history_cell *cell)
{
    const struct rd_kept_frame *before = &history->frames[kept->frame.before];
    const struct rd_shown *shown = &history->shown;
    bool cut;
    cell->live = rd_claim_has(&kept->frame.claim, index);
    cell->known = is_known(kept, index, &cut);
    if (!cell->known)
        return;
    cell->value = load(history, kept, shown->now, index, cut);
    if (before != kept && is_known(before, index, &cut))
        cell->changed = !history->about.numeric->same(
            cell->value, load(history, before, shown->then, index, cut));
}

enum rd_status rd_history_cell(struct rd_history *history, size_t frame, size_t index,
                               struct rd_history_cell *cell, struct rd_error *error)
{
    if (frame >= history->n_frames)
        return rd_fail(error, RD_ERROR_USAGE, "frame %zu is none of %zu", frame, history->n_frames);
    const struct rd_kept_frame *kept = &history->frames[frame];
    struct rd_history_cell c = {0};
    struct rd_expect *expect;
    if (index >= kept->frame.n_cells)
        return rd_fail(error, RD_ERROR_USAGE, "%s has %zu cells, and %zu is none of them",
                       kept->frame.array, kept->frame.n_cells, index);
    enum rd_status status = rd_history_show(history, frame, error);
    if (status == RD_OK)
        status = find_wanted(history, frame, &expect, error);
    if (status != RD_OK)
        return status;
    look(history, kept, index, &c);
    if (expect && (c.live || !kept->frame.inside)) {
        c.expected_known = true;
        c.expected = rd_expect_cell(expect, index);
        if (c.known && c.live && expect->bounded)
            expect->numeric->deviation(expect, index, c.value, &c.deviation);
    }
    /* A lane that did not come has handed nothing in. */
    c.wrong = c.known ? is_wrong(expect, &kept->frame, index, &c)
                      : c.live && kept->layout.lanes && kept->frame.violated;
    *cell = c;
    return RD_OK;
}
