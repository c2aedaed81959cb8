// SPDX-License-Identifier: MIT
#include "history/history_internal.h"
#include "base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- layouts ---- */

size_t rd_layout_index(const struct rd_layout *layout, size_t k)
{
    if (k >= layout->n_head)
        k += layout->count - layout->n_tail - layout->n_head;
    return k * layout->stride;
}

bool rd_layout_find(const struct rd_layout *layout, size_t index, size_t *k)
{
    size_t position = index / layout->stride;
    if (index % layout->stride != 0 || position >= layout->count)
        return false;
    if (layout->lanes && (position >= 32 || !(layout->present >> position & 1)))
        return false;
    if (position < layout->n_head)
        *k = position;
    else if (position >= layout->count - layout->n_tail)
        *k = position - (layout->count - layout->n_tail) + layout->n_head;
    else
        return false;
    return true;
}

/* ---- deltas ---- */

/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
enum { NUMBER_BYTES_MAX = 10, SEVEN_BITS = 0x7f, MORE = 0x80 };

struct output {
    struct rd_delta delta;
    size_t capacity;
    bool failed;
};

static unsigned char *reserve(struct output *out, size_t size)
{
    if (out->delta.size + size > out->capacity) {
        size_t capacity = 2 * out->capacity + size;
        unsigned char *bytes = realloc(out->delta.bytes, capacity);
        if (!bytes) {
            out->failed = true;
            return NULL;
        }
        out->delta.bytes = bytes;
        out->capacity = capacity;
    }
    return out->delta.bytes + out->delta.size;
}

static void put_number(struct output *out, size_t number)
{
    unsigned char *at = reserve(out, NUMBER_BYTES_MAX);
    if (!at)
        return;
    for (; number > SEVEN_BITS; number >>= 7)
        *at++ = (unsigned char)(number & SEVEN_BITS) | MORE;
    *at++ = (unsigned char)number;
    out->delta.size = (size_t)(at - out->delta.bytes);
}

static size_t get_number(const unsigned char **at)
{
    size_t number = 0;
    unsigned shift = 0;
    for (; **at & MORE; shift += 7)
        number |= (size_t)(*(*at)++ & SEVEN_BITS) << shift;
    return number | (size_t) * (*at)++ << shift;
}

/* The cells to compare: the state's, each with its place in the array. */
struct input {
    const struct rd_layout *layout;
    size_t elem_bytes, count;
    const char *cells;
    const char *array;
    bool full;
};

static bool differs(const struct input *in, size_t k)
{
    size_t size = in->elem_bytes;
    const char *cell = in->cells + k * size;
    const char *old = in->array + rd_layout_index(in->layout, k) * size;
    if (in->full)
        return true;
    return size == 4 ? memcmp(cell, old, 4) != 0 : memcmp(cell, old, size) != 0;
}

/* A run of cells that differ, behind `gap` that do not; returns the cell behind it. */
static size_t put_run(struct output *out, const struct input *in, size_t first, size_t gap)
{
    size_t end = first + 1;
    while (end < in->count && differs(in, end))
        end++;
    put_number(out, gap);
    put_number(out, end - first);
    size_t size = (end - first) * in->elem_bytes;
    unsigned char *at = reserve(out, size);
    if (at)
        memcpy(at, in->cells + first * in->elem_bytes, size);
    out->delta.size += at ? size : 0;
    return end;
}

static void delta_apply(const struct rd_delta *delta, const struct rd_layout *layout,
                        size_t elem_bytes, void *array);

/* Stores the difference between the state's cells and `array`, elem[] of the array's n cells, and brings the array up to
 * the state. With `full`, all cells. RD_ERROR_MEMORY, and the array is as it was. */
static enum rd_status delta_init(struct rd_delta *delta, const struct rd_layout *layout,
                                 size_t elem_bytes, const void *cells, void *array, bool full,
                                 struct rd_error *error)
{
    struct output out = {.delta.full = full};
    const struct input in = {layout, elem_bytes, layout->n_head + layout->n_tail,
                             cells,  array,      full};
    size_t behind = 0;
    for (size_t k = 0; k < in.count && !out.failed;) {
        if (differs(&in, k)) {
            k = put_run(&out, &in, k, k - behind);
            behind = k;
        } else {
            k++;
        }
    }
    if (out.failed) {
        free(out.delta.bytes);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to keep a state of %zu cells",
                       layout->count);
    }
    unsigned char *fitting = realloc(out.delta.bytes, out.delta.size + 1);
    if (fitting)
        out.delta.bytes = fitting;
    delta_apply(&out.delta, layout, elem_bytes, array);
    *delta = out.delta;
    return RD_OK;
}

/* Counts the cells from the k-th on, `left` at most, that lie beside each other in the array. */
static size_t side_by_side(const struct rd_layout *layout, size_t k, size_t left)
{
    size_t room = k < layout->n_head ? layout->n_head - k : left;
    return layout->stride != 1 ? 1 : left < room ? left : room;
}

/* Brings the array up to the state. */
static void delta_apply(const struct rd_delta *delta, const struct rd_layout *layout,
                        size_t elem_bytes, void *array)
{
    const unsigned char *at = delta->bytes, *end = at + delta->size;
    for (size_t k = 0; at < end;) {
        k += get_number(&at);
        for (size_t left = get_number(&at), row; left > 0; left -= row, k += row) {
            row = side_by_side(layout, k, left);
            memcpy((char *)array + rd_layout_index(layout, k) * elem_bytes, at, row * elem_bytes);
            at += row * elem_bytes;
        }
    }
}

void rd_delta_finish(struct rd_delta *delta)
{
    free(delta->bytes);
    *delta = (struct rd_delta){0};
}

/* ---- states ---- */

/* The states of the frames: kept while there is room, made again where they are not. */

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
        delta_init(&kept->delta, &kept->layout, size, cells, track->cells, full, error);
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
    /* A state that comes too late for the room goes again; its size is what it would take. */
    history->no_room |= history->kept_bytes > rd_history_share(history);
    if (history->no_room && history->repeat) {
        history->kept_bytes -= kept->delta.size;
        free(kept->delta.bytes);
        kept->delta.bytes = NULL;
    }
    return status;
}

/* ---- making again ---- */

/* The trace read again may be another by now, of the same name. */
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
    delta_apply(&kept->delta, &kept->layout, size, array);
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
