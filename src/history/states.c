// SPDX-License-Identifier: MIT
/* The states of the frames: kept while there is room, made again where they are not. */
#include "history/history_internal.h"
#include "base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- tracks: the arrays that the frames show ---- */

static bool same_array(const struct rd_place *x, const struct rd_place *y)
{
    return x->point == y->point && x->block == y->block && x->warp == y->warp;
}

static void drop_inside(struct rd_tracks *tracks)
{
    for (size_t k = 0; k < tracks->count; k++)
        free(tracks->inside[k].cells);
    tracks->count = 0;
}

/* The array that the step shows; its cells are NULL where no frame has shown it. Shared memory lasts
 * no longer than its block, and blocks come one after the other. NULL: no memory. */
struct rd_track *rd_tracks_find(struct rd_tracks *tracks, const struct rd_step *step)
{
    if (!step->place)
        return &tracks->a;
    if (tracks->step != step->number || tracks->block != step->place->block)
        drop_inside(tracks);
    tracks->step = step->number;
    tracks->block = step->place->block;
    for (size_t k = 0; k < tracks->count; k++)
        if (same_array(&tracks->inside[k].place, step->place))
            return &tracks->inside[k];
    if (!rd_array_make_room(&tracks->inside, tracks->count, &tracks->capacity,
                            sizeof *tracks->inside))
        return NULL;
    tracks->inside[tracks->count] = (struct rd_track){.place = *step->place};
    return &tracks->inside[tracks->count++];
}

void rd_tracks_finish(struct rd_tracks *tracks)
{
    drop_inside(tracks);
    free(tracks->inside);
    free(tracks->a.cells);
    *tracks = (struct rd_tracks){0};
}

/* ---- keeping ---- */

/* A lane that did not come has left what was there before, whatever that is. */
static const void *without_absent(const struct rd_history *history, const struct rd_layout *layout,
                                  const void *cells, uint64_t lanes[RD_WARP_LANES])
{
    const struct rd_numeric *numeric = history->about.numeric;
    if (!layout->lanes || layout->n_head > RD_WARP_LANES)
        return cells;
    memset(lanes, 0, RD_WARP_LANES * sizeof *lanes);
    for (size_t k = 0; k < layout->n_head; k++)
        if (layout->present >> k & 1)
            numeric->store(lanes, k, numeric->load(cells, k));
    return lanes;
}

/* Puts the state into the frame, in full or as what differs from the one before. */
static enum rd_status encode(struct rd_history *history, size_t frame, struct rd_track *track,
                             const void *cells, bool full, struct rd_error *error)
{
    struct rd_kept_frame *kept = &history->frames[frame];
    size_t size = history->about.numeric->size_bytes, n_cells = kept->frame.n_cells;
    size_t count = kept->layout.n_head + kept->layout.n_tail;
    assert(count == 0 || rd_layout_index(&kept->layout, count - 1) < n_cells);
    if (!track->cells)
        track->cells = malloc((n_cells + 1) * size);
    if (!track->cells)
        return rd_history_no_memory(error);
    if (full)
        memset(track->cells, 0, n_cells * size);
    enum rd_status status =
        rd_delta_init(&kept->delta, &kept->layout, size, cells, track->cells, full, error);
    if (status == RD_OK)
        history->kept_bytes += kept->delta.size;
    return status;
}

enum rd_status rd_states_keep(struct rd_history *history, size_t frame, struct rd_track *track,
                              const void *cells, struct rd_error *error)
{
    struct rd_kept_frame *kept = &history->frames[frame];
    uint64_t lanes[RD_WARP_LANES];
    bool first = !track->cells;
    cells = without_absent(history, &kept->layout, cells, lanes);
    kept->digest = history->about.numeric->digest(cells, kept->layout.n_head + kept->layout.n_tail);
    kept->frame.before = first ? frame : track->frame;
    if (!first)
        history->frames[track->frame].after = frame;
    kept->after = track->frame = frame;
    enum rd_status status = encode(history, frame, track, cells, first, error);
    if (status != RD_OK)
        return status;
    /* What comes too late for the room goes again; its size is what it would take. */
    history->no_room |= history->kept_bytes > rd_history_share(history);
    if (history->no_room && history->repeat) {
        history->kept_bytes -= kept->delta.size;
        free(kept->delta.bytes);
        kept->delta.bytes = NULL;
    }
    return status;
}

/* ---- making again ---- */

/* What comes again may be another trace by now, of the same name. */
static bool is_same_step(const struct rd_kept_frame *kept, const struct rd_step *step,
                         const struct rd_layout *layout)
{
    const struct rd_layout *was = &kept->layout;
    const struct rd_frame *frame = &kept->frame;
    return was->count == layout->count && was->stride == layout->stride &&
           was->n_head == layout->n_head && was->n_tail == layout->n_tail &&
           was->lanes == layout->lanes && was->present == layout->present &&
           frame->step == step->number && frame->inside == (step->place != NULL) &&
           (!frame->inside || same_array(&frame->place, step->place));
}

enum rd_status rd_states_keep_again(struct rd_history *history, const struct rd_step *step,
                                    const struct rd_layout *layout, struct rd_error *error)
{
    struct rd_again *again = &history->again;
    size_t frame = again->next++;
    uint64_t lanes[RD_WARP_LANES];
    bool room = history->kept_bytes < rd_history_share(history);
    again->done = frame >= history->n_frames || (frame > again->wanted && !room);
    if (again->done)
        return RD_ERROR_INTERRUPTED;
    struct rd_kept_frame *kept = &history->frames[frame];
    again->differs |= !is_same_step(kept, step, layout);
    if (again->differs)
        return RD_ERROR_INTERRUPTED;
    if (frame != again->before && frame < again->first)
        return RD_OK;
    struct rd_track *track = rd_tracks_find(&history->tracks, step);
    if (!track)
        return rd_history_no_memory(error);
    const void *cells = without_absent(history, &kept->layout, step->cells, lanes);
    size_t n_cells = kept->layout.n_head + kept->layout.n_tail;
    again->differs |= kept->digest != history->about.numeric->digest(cells, n_cells);
    bool full = frame == kept->frame.before || !history->frames[kept->frame.before].delta.bytes;
    return encode(history, frame, track, cells, full, error);
}

static void forget_states(struct rd_history *history)
{
    for (size_t f = 0; f < history->n_frames; f++) {
        free(history->frames[f].delta.bytes);
        history->frames[f].delta.bytes = NULL;
    }
    history->kept_bytes = 0;
}

/* Half of the room is for the frames before the wanted one, so that going back step by step does not
 * make all again at each step. */
static size_t first_to_keep(const struct rd_history *history, size_t wanted)
{
    size_t size = history->about.numeric->size_bytes;
    size_t bytes = history->frames[wanted].frame.n_cells * size, first = wanted;
    while (first > 0 && bytes <= rd_history_share(history) / 2)
        bytes += history->frames[--first].delta.size;
    return first < wanted ? first + 1 : wanted;
}

static enum rd_status make_again(struct rd_history *history, size_t frame, struct rd_error *error)
{
    struct rd_again *again = &history->again;
    *again = (struct rd_again){
        .on = true,
        .first = first_to_keep(history, frame),
        .wanted = frame,
        .before = history->frames[frame].frame.before,
    };
    forget_states(history);
    enum rd_status status = history->repeat(history, error);
    rd_tracks_finish(&history->tracks);
    again->on = false;
    if (status == RD_ERROR_INTERRUPTED && (again->next > frame || again->differs))
        status = RD_OK;
    if (status == RD_OK && again->differs)
        status = rd_fail(error, RD_ERROR_DEVICE,
                         "the run does not repeat itself: a second one has other cells");
    if (status == RD_OK && again->next <= frame)
        status = rd_fail(error, RD_ERROR_DEVICE,
                         "the run does not repeat itself: a second one has %zu of %zu states",
                         again->next, history->n_frames);
    if (status != RD_OK)
        forget_states(history);
    return status;
}

/* ---- looking ---- */

static enum rd_status make_room(struct rd_history *history, size_t n_cells, struct rd_error *error)
{
    struct rd_shown *shown = &history->shown;
    size_t size = (n_cells + 1) * history->about.numeric->size_bytes;
    if (shown->now && shown->room >= n_cells)
        return RD_OK;
    free(shown->now);
    free(shown->then);
    *shown = (struct rd_shown){.now = malloc(size), .then = malloc(size), .room = n_cells};
    if (shown->now && shown->then)
        return RD_OK;
    free(shown->now);
    free(shown->then);
    *shown = (struct rd_shown){0};
    return rd_fail(error, RD_ERROR_MEMORY, "no memory to look into %zu cells", n_cells);
}

static void apply(const struct rd_history *history, size_t frame, void *array)
{
    const struct rd_kept_frame *kept = &history->frames[frame];
    size_t size = history->about.numeric->size_bytes;
    if (kept->delta.full)
        memset(array, 0, kept->frame.n_cells * size);
    rd_delta_apply(&kept->delta, &kept->layout, size, array);
}

/* The frame's array, from the last frame before it that is kept in full. */
static void replay_to(const struct rd_history *history, size_t frame, void *array)
{
    const struct rd_kept_frame *frames = history->frames;
    size_t at = frame;
    while (!frames[at].delta.full)
        at = frames[at].frame.before;
    for (; at != frame; at = frames[at].after)
        apply(history, at, array);
    apply(history, frame, array);
}

static bool is_kept(const struct rd_history *history, size_t frame)
{
    const struct rd_kept_frame *kept = &history->frames[frame];
    return kept->delta.bytes && history->frames[kept->frame.before].delta.bytes;
}

enum rd_status rd_states_show(struct rd_history *history, size_t frame, struct rd_error *error)
{
    struct rd_shown *shown = &history->shown;
    const struct rd_frame *to = &history->frames[frame].frame;
    size_t size = history->about.numeric->size_bytes;
    enum rd_status status = RD_OK;
    if (shown->ready && shown->frame == frame)
        return RD_OK;
    if (!is_kept(history, frame))
        status = make_again(history, frame, error);
    if (status == RD_OK)
        status = make_room(history, to->n_cells, error);
    if (status != RD_OK)
        return status;
    if (to->before == frame) {
        replay_to(history, frame, shown->now);
    } else {
        if (shown->ready && shown->frame == to->before)
            memcpy(shown->then, shown->now, to->n_cells * size);
        else
            replay_to(history, to->before, shown->then);
        memcpy(shown->now, shown->then, to->n_cells * size);
        apply(history, frame, shown->now);
    }
    shown->ready = true;
    shown->frame = frame;
    return RD_OK;
}
