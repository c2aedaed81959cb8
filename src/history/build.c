// SPDX-License-Identifier: MIT
/* Puts a history together, step by step: of a run or of a trace. */
#include "history/history_internal.h"
#include "base/array.h"
#include "device/kernel_names.h"

#include <stdlib.h>
#include <string.h>

/* ---- frames ---- */

enum rd_status rd_history_no_memory(struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the history of the run");
}

static struct rd_kept_frame *new_frame(struct rd_history *history)
{
    return rd_array_make_room(&history->frames, history->n_frames, &history->room_frames,
                              sizeof *history->frames)
               ? &history->frames[history->n_frames]
               : NULL;
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
    if (step->expect) {
        frame->bounded = step->expect->bounded;
        frame->any_order = step->expect->any_order;
    }
    if (step->violation) {
        frame->violated = true;
        frame->violation = *step->violation;
    }
}

enum rd_status rd_history_add_step(struct rd_history *history, const struct rd_step *step,
                                   const struct rd_layout *layout, size_t n_cells,
                                   struct rd_error *error)
{
    char statement[RD_STATEMENT_SIZE];
    if (history->again.on)
        return rd_states_keep_again(history, step, layout, error);
    struct rd_kept_frame *kept = new_frame(history);
    struct rd_track *track = rd_tracks_find(&history->tracks, step);
    if (!kept || !track)
        return rd_history_no_memory(error);
    *kept = (struct rd_kept_frame){.layout = *layout};
    describe(&kept->frame, step, n_cells);
    kept->frame.statement = rd_texts_keep(
        &history->texts, rd_step_statement(step, history->about.program, &history->about.shape,
                                           history->about.numeric->operation, statement));
    if (!kept->frame.statement)
        return rd_history_no_memory(error);
    enum rd_status status = rd_states_keep(history, history->n_frames, track, step->cells, error);
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
    if (history->again.on)
        return RD_OK;
    if (!rd_array_make_room(&history->hazards, history->n_hazards, &history->room_hazards,
                            sizeof *history->hazards))
        return rd_history_no_memory(error);
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
        return rd_history_no_memory(error);
    history->hazards[history->n_hazards++] = kept;
    return RD_OK;
}

/* A round that never ended has no frame of its own. */
void rd_history_end_hazards(struct rd_history *history)
{
    if (history->n_frames == 0 || history->first_hazard == history->n_hazards)
        return;
    struct rd_frame *last = &history->frames[history->n_frames - 1].frame;
    if (last->n_hazards == 0)
        last->first_hazard = history->first_hazard;
    last->n_hazards += history->n_hazards - history->first_hazard;
    history->first_hazard = history->n_hazards;
}
