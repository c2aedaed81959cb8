// SPDX-License-Identifier: MIT
/* The parts of a history. Private to src/history. */
#ifndef RD_HISTORY_HISTORY_INTERNAL_H
#define RD_HISTORY_HISTORY_INTERNAL_H

#include "reductio/status.h"
#include "base/texts.h"
#include "reductio/history.h"
#include "run/points.h"
#include "reductio/witness.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A state, kept as what differs from the same array's state before. Private to src/history. */

/* The cells of an array that a state keeps. Of the cells 0, stride, 2*stride, … of the array, `count` in
 * all, it keeps the first and the last few; in a state that is not cut, all count as the first. */
struct rd_layout {
    size_t count, stride;
    size_t n_head, n_tail;
    bool lanes; /* the cells are the lanes of a warp, of which these came: */
    uint32_t present;
};

/* Tells whether the state has the cell of the array; *k is its number among the cells that it has. */
bool rd_layout_find(const struct rd_layout *layout, size_t index, size_t *k);
/* The array's cell that is the state's number k. */
size_t rd_layout_index(const struct rd_layout *layout, size_t k);

/* Runs of cells: how many are passed over, how many follow, and their elements. */
struct rd_delta {
    unsigned char *bytes;
    size_t size;
    bool full; /* it needs no state before */
};

void rd_delta_finish(struct rd_delta *delta);

/* A frame, and its state. */
struct rd_kept_frame {
    struct rd_frame frame;
    struct rd_layout layout;
    struct rd_delta delta; /* bytes is NULL where it is not kept */
    uint64_t digest;       /* of the state's cells */
    uint64_t *passes;      /* of a witness trace: the state's cells, [n_passes][...] */
    size_t n_passes;
    size_t after; /* the frame that shows the same array one step later; itself: none does */
};

/* An array as it was at the frame that was kept of it last. */
struct rd_track {
    void *cells;           /* elem[n_cells]; NULL where none was */
    size_t frame;          /* that was added last, kept or not */
    struct rd_place place; /* at a checkpoint: point, block and warp say which array it is */
};

/* The arrays that the steps show, one after the other. */
struct rd_tracks {
    struct rd_track a;
    unsigned step;  /* the others are of this round, */
    uint64_t block; /* and this block */
    size_t count, capacity;
    struct rd_track *inside;
};

/* Making again: the steps come once more, and those from `first` on are kept as far as there is
 * room, but these two in any case: the wanted one, and the one before it. */
struct rd_again {
    bool on;
    size_t first, wanted, before;
    size_t next; /* the frame that is due */
    bool done;   /* there is no room for more */
    bool differs;
};

/* The frame that is looked into. */
struct rd_shown {
    bool ready;
    size_t frame;
    void *now, *then; /* elem[n_cells]: the array at the frame, and at frame.before */
    size_t room;      /* for so many cells */
};

/* The expected values at the frame that is looked into. */
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
    size_t kept_bytes; /* of states */
    bool no_room;      /* for all of them */
    struct rd_again again;
    /* Repeats the steps. May end early, when again.done. */
    enum rd_status (*repeat)(struct rd_history *history, struct rd_error *error);
    struct rd_history_source *source; /* of a trace */
    size_t pass, pass_frame;          /* of a witness trace: the frame that is due in this pass */
    struct rd_shown shown;
    struct rd_wanted wanted;
    struct rd_accesses *accesses; /* NULL until they are asked for; */
    struct rd_access_log *log;    /* likewise */
    struct rd_sets_of *sets;      /* likewise */
    bool rerun_made;
    struct rd_rerun rerun;
};

/* The share of rd_history_options.bytes_max for each of: states, the accesses of a frame, those of all rounds, sets. */
size_t rd_history_share(const struct rd_history *history);
/* The kept part of it; NULL: nothing. */
size_t rd_accesses_bytes(const struct rd_accesses *accesses);
size_t rd_access_log_bytes(const struct rd_access_log *log);
size_t rd_sets_of_bytes(const struct rd_sets_of *sets);

/* ---- building ---- */

/* Adds a frame, whose state is laid out like that; `n_cells` are in the array. While making again,
 * keeps its state if that is wanted. RD_ERROR_MEMORY; RD_ERROR_INTERRUPTED when again.done. */
enum rd_status rd_history_add_step(struct rd_history *history, const struct rd_step *step,
                                   const struct rd_layout *layout, size_t n_cells,
                                   struct rd_error *error);
/* Sets the standings of all frames, once about.result is set. `ended`: the run came to its end. */
enum rd_status rd_history_no_memory(struct rd_error *error);
void rd_history_source_destroy(struct rd_history_source *source); /* NULL is fine */

/* ---- states ---- */

/* The array that the step shows, for the next frame of it; NULL: no memory. */
struct rd_track *rd_tracks_find(struct rd_tracks *tracks, const struct rd_step *step);
void rd_tracks_finish(struct rd_tracks *tracks);

/* Keeps the state of the frame, of that array, while there is room for it. */
enum rd_status rd_states_keep(struct rd_history *history, size_t frame, struct rd_track *track,
                              const void *cells, struct rd_error *error);
/* The step comes again: keeps its state, if that is wanted. It must be laid out as it was. */
enum rd_status rd_states_keep_again(struct rd_history *history, const struct rd_step *step,
                                    const struct rd_layout *layout, struct rd_error *error);

/* Makes history->shown that of the frame. */
enum rd_status rd_states_show(struct rd_history *history, size_t frame, struct rd_error *error);

/* ---- what cells must hold ---- */

/* The inputs that a cell of a frame must hold. */
struct rd_members {
    const struct rd_program *program;
    const struct rd_shape *shape;
    const struct rd_point_invariant *point; /* of a checkpoint, else NULL */
    const struct rd_place *place;
    unsigned step;
    size_t cell;
};

/* RD_ERROR_USAGE where that says nothing: it holds no sum, or nobody speaks of it. */
enum rd_status rd_members_init(struct rd_members *members, const struct rd_history *history,
                               size_t frame, size_t index);
bool rd_members_has(const struct rd_members *members, size_t input);

/* The expectation of the frame's array; NULL where the inputs are not known. */
void rd_wanted_finish(struct rd_wanted *wanted);

/* NULL is fine. */
void rd_accesses_destroy(struct rd_accesses *accesses);
void rd_access_log_destroy(struct rd_access_log *log);
void rd_sets_of_destroy(struct rd_sets_of *sets);

/* A trace of witness values: its passes, put together. Private to src/history. */

/* Adds a step of a pass: of the first, as a frame. */
enum rd_status rd_passes_add(struct rd_history *history, const struct rd_step *step,
                             const struct rd_layout *layout, size_t n_cells, size_t pass,
                             struct rd_error *error);

/* As rd_history_set. */
enum rd_status rd_passes_set(const struct rd_history *history, size_t frame, size_t index,
                             struct rd_input_set *actual, struct rd_input_set *expected,
                             struct rd_error *error);

/* ---- standings.c ---- */

/* After that, once about.result is set: the standings of all frames. `ended`: the run came to its end. */
void rd_history_decide(struct rd_history *history, bool ended);

#endif
