// SPDX-License-Identifier: MIT
/* What a history is made of. Private to src/history. */
#ifndef RD_HISTORY_KEPT_H
#define RD_HISTORY_KEPT_H

#include "history/delta.h"
#include "history/history.h"
#include "points.h"

/* A frame, and its state. */
struct rd_kept_frame {
    struct rd_frame frame;
    struct rd_layout layout;
    struct rd_delta delta;
    size_t after; /* the frame that shows the same array one step later; itself: none does */
};

/* Texts that live as long as the history. */
struct rd_texts {
    struct rd_texts_page *pages;
};

/* An array as it was at the frame that was added to it last. */
struct rd_track {
    void *cells; /* elem[n_cells] */
    size_t n_cells;
    size_t frame;
    struct rd_place place; /* at a checkpoint: point, block and warp say which array it is */
};

/* What only the building of a history needs. */
struct rd_tracks {
    struct rd_track a; /* cells is NULL before step 0 */
    unsigned step;     /* the others are of this round, */
    uint64_t block;    /* and this block */
    size_t count, capacity;
    struct rd_track *inside;
};

/* The frame that is looked into. */
struct rd_shown {
    bool ready;
    size_t frame;
    void *now, *then; /* elem[n_cells]: the array at the frame, and at frame.before */
    size_t room;      /* for so many cells */
};

/* What cells must hold at the frame that is looked into. */
struct rd_wanted {
    bool begun;
    unsigned step;
    struct rd_expect expect; /* of A, at that step */
    bool has_points;
    struct rd_points points;
    bool inside;  /* the points' expectation is that of */
    size_t frame; /* this frame */
};

struct rd_history {
    struct rd_history_about about;
    struct rd_run run; /* of a live one */
    struct rd_history_options options;
    struct rd_kept_frame *frames;
    size_t n_frames, room_frames;
    struct rd_history_hazard *hazards;
    size_t n_hazards, room_hazards;
    size_t first_hazard; /* that belongs to no frame yet */
    struct rd_texts texts;
    struct rd_tracks tracks;
    struct rd_shown shown;
    struct rd_wanted wanted;
};

/* Copies a text; NULL: no memory. */
const char *rd_texts_keep(struct rd_texts *texts, const char *text);
void rd_texts_finish(struct rd_texts *texts);

/* ---- building ---- */

/* Adds a frame, whose state is laid out like that; `n_cells` are in the array. RD_ERROR_MEMORY. */
enum rd_status rd_history_add_step(struct rd_history *history, const struct rd_step *step,
                                   const struct rd_layout *layout, size_t n_cells,
                                   struct rd_error *error);
enum rd_status rd_history_add_hazard(struct rd_history *history,
                                     const struct rd_history_hazard *hazard,
                                     struct rd_error *error);
/* Lets go of what only building needs. */
void rd_history_built(struct rd_history *history);

/* ---- looking ---- */

/* Makes history->shown that of the frame. */
enum rd_status rd_history_show(struct rd_history *history, size_t frame, struct rd_error *error);
void rd_wanted_finish(struct rd_wanted *wanted);

#endif
