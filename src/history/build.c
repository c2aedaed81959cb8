// SPDX-License-Identifier: MIT
/* Puts a history together, step by step: of a run or of a trace. */
#include "history/kept.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

struct rd_texts_page {
    struct rd_texts_page *next;
    size_t used, size;
    char text[];
};

enum { PAGE_BYTES = 1 << 16 };

const char *rd_texts_keep(struct rd_texts *texts, const char *text)
{
    size_t size = strlen(text) + 1;
    struct rd_texts_page *page = texts->pages;
    if (!page || page->size - page->used < size) {
        size_t room = size > PAGE_BYTES ? size : PAGE_BYTES;
        page = malloc(sizeof *page + room);
        if (!page)
            return NULL;
        *page = (struct rd_texts_page){.next = texts->pages, .size = room};
        texts->pages = page;
    }
    char *copy = memcpy(page->text + page->used, text, size);
    page->used += size;
    return copy;
}

void rd_texts_finish(struct rd_texts *texts)
{
    while (texts->pages) {
        struct rd_texts_page *next = texts->pages->next;
        free(texts->pages);
        texts->pages = next;
    }
}

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
static struct rd_track *find_track(struct rd_tracks *tracks, const struct rd_step *step)
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
    if (tracks->count == tracks->capacity) {
        size_t capacity = 2 * tracks->capacity + 8;
        struct rd_track *inside = realloc(tracks->inside, capacity * sizeof *inside);
        if (!inside)
            return NULL;
        tracks->inside = inside;
        tracks->capacity = capacity;
    }
    tracks->inside[tracks->count] = (struct rd_track){.place = *step->place};
    return &tracks->inside[tracks->count++];
}

void rd_history_built(struct rd_history *history)
{
    drop_inside(&history->tracks);
    free(history->tracks.inside);
    free(history->tracks.a.cells);
    history->tracks = (struct rd_tracks){0};
}

/* ---- frames ---- */

static enum rd_status no_memory(struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the history of the run");
}

static struct rd_kept_frame *new_frame(struct rd_history *history)
{
    if (history->n_frames == history->room_frames) {
        size_t room = 2 * history->room_frames + 16;
        struct rd_kept_frame *frames = realloc(history->frames, room * sizeof *frames);
        if (!frames)
            return NULL;
        history->frames = frames;
        history->room_frames = room;
    }
    return &history->frames[history->n_frames];
}

/* All but `before` and the hazards. */
static void describe(struct rd_frame *frame, const struct rd_step *step, size_t n_cells)
{
    *frame = (struct rd_frame){
        .step = step->number,
        .kernel = "",
        .point = "",
        .array = "A",
        .variable = "",
        .claim = step->claim,
        .n_cells = n_cells,
        .verdict = step->verdict,
        .n_asserted = step->n_asserted,
        .n_unbounded = step->n_unbounded,
    };
    if (step->round) {
        frame->has_round = true;
        frame->round = *step->round;
        frame->kernel = rd_kernel_name(step->round->kernel);
    }
    if (step->place) {
        frame->inside = true;
        frame->place = *step->place;
        frame->point = rd_point_name(step->place->point);
        frame->array = step->point->array;
        frame->variable = step->point->variable;
    }
    if (step->violation) {
        frame->violated = true;
        frame->violation = *step->violation;
    }
}

static enum rd_status keep_state(struct rd_history *history, struct rd_kept_frame *kept,
                                 const struct rd_step *step, struct rd_error *error)
{
    struct rd_track *track = find_track(&history->tracks, step);
    size_t size = history->about.numeric->size_bytes, n_cells = kept->frame.n_cells;
    if (!track)
        return no_memory(error);
    bool first = !track->cells;
    if (first) {
        track->cells = calloc(n_cells ? n_cells : 1, size);
        track->frame = history->n_frames;
    }
    if (!track->cells)
        return no_memory(error);
    kept->frame.before = track->frame;
    history->frames[track->frame].after = history->n_frames;
    kept->after = track->frame = history->n_frames;
    return rd_delta_init(&kept->delta, &kept->layout, size, step->cells, track->cells, first,
                         error);
}

enum rd_status rd_history_add_step(struct rd_history *history, const struct rd_step *step,
                                   const struct rd_layout *layout, size_t n_cells,
                                   struct rd_error *error)
{
    struct rd_kept_frame *kept = new_frame(history);
    if (!kept)
        return no_memory(error);
    *kept = (struct rd_kept_frame){.layout = *layout};
    describe(&kept->frame, step, n_cells);
    kept->frame.statement = rd_texts_keep(&history->texts, step->statement);
    if (!kept->frame.statement)
        return no_memory(error);
    enum rd_status status = keep_state(history, kept, step, error);
    if (status != RD_OK)
        return status;
    if (!step->place) {
        kept->frame.first_hazard = history->first_hazard;
        kept->frame.n_hazards = history->n_hazards - history->first_hazard;
        history->first_hazard = history->n_hazards;
    }
    history->n_frames++;
    return RD_OK;
}

/* ---- hazards ---- */

enum rd_status rd_history_add_hazard(struct rd_history *history,
                                     const struct rd_history_hazard *hazard, struct rd_error *error)
{
    struct rd_texts *texts = &history->texts;
    if (history->n_hazards == history->room_hazards) {
        size_t room = 2 * history->room_hazards + 4;
        struct rd_history_hazard *hazards = realloc(history->hazards, room * sizeof *hazards);
        if (!hazards)
            return no_memory(error);
        history->hazards = hazards;
        history->room_hazards = room;
    }
    struct rd_history_hazard kept = *hazard;
    kept.name = rd_texts_keep(texts, hazard->name);
    kept.message = rd_texts_keep(texts, hazard->message);
    kept.array = rd_texts_keep(texts, hazard->array);
    bool failed = !kept.name || !kept.message || !kept.array;
    for (unsigned k = 0; k < kept.n_places; k++) {
        struct rd_finding_place *place = &kept.places[k];
        place->op = rd_texts_keep(texts, place->op ? place->op : "");
        failed = failed || !place->op;
        if (!place->file)
            continue;
        place->file = rd_texts_keep(texts, place->file);
        failed = failed || !place->file;
    }
    if (failed)
        return no_memory(error);
    history->hazards[history->n_hazards++] = kept;
    return RD_OK;
}
