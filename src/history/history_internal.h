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

/* ---- data: states, each kept as its difference from the state of the same array before ---- */

/* Cells of an array that a state keeps: of the cells 0, stride, 2*stride, …, `count` in all, the first n_head and the last n_tail. A
 * state that is not cut has n_head = count. */
struct rd_layout {
    size_t count, stride;
    size_t n_head, n_tail;
    bool lanes;       /* the cells are the lanes of a warp, */
    uint32_t present; /* of which these have come to the checkpoint */
};

/* Tells whether the state has the cell of the array; *k is its number among the cells that it has. */
bool rd_layout_find(const struct rd_layout *layout, size_t index, size_t *k);
/* The array's cell that is the state's number k. */
size_t rd_layout_index(const struct rd_layout *layout, size_t k);

/* Difference between two states, as runs of cells: how many stay the same, how many differ, and the elements of these. */
struct rd_delta {
    unsigned char *bytes;
    size_t size;
    bool full; /* it has all cells, and needs no state before */
};

void rd_delta_finish(struct rd_delta *delta);

/* A frame, and its state. */
struct rd_kept_frame {
    struct rd_frame frame;
    struct rd_layout layout;
    struct rd_delta delta; /* its bytes are NULL where the state is not kept */
    uint64_t digest;       /* of the state's cells */
    uint64_t *passes;      /* of a witness trace: the state's cells, [n_passes][...] */
    size_t n_passes;
    /* The frame that shows the same array one step later; this frame itself where there is none. */
    size_t after;
};

/* The last state of an array, from which the next one differs. */
struct rd_track {
    void *cells;           /* elem[n_cells], as it was kept last; NULL: never */
    size_t frame;          /* the last frame of the array, kept or not */
    struct rd_place place; /* at a checkpoint: point, block and warp say which array it is */
};

/* Last states of all arrays that steps show: A, and the arrays within one block of one round. */
struct rd_tracks {
    struct rd_track a;
    struct rd_track *inside; /* [count] */
    size_t count, capacity;
    unsigned step;  /* the round, */
    uint64_t block; /* and the block, of `inside` */
};

/* Repeating a run or trace for states that were not kept: the states of the frames `wanted` and `before` are kept in
 * any case, the others from `first` on while there is room. */
struct rd_again {
    bool on;
    size_t first, wanted, before;
    size_t next;  /* the frame whose step comes next */
    bool done;    /* there is no room for more */
    bool differs; /* the steps are not those of the first time */
};

/* Cells of the frame that is shown. */
struct rd_shown {
    bool ready;
    size_t frame;
    void *now,
        *then; /* elem[room]: the array at the frame, and at the frame before of the same array */
    size_t room;
};

/* Expected values at the frame that is shown. */
struct rd_wanted {
    bool begun;
    unsigned step;
    struct rd_expect expect; /* of A, at that step */
    bool has_points;
    struct rd_points points;
    bool inside;  /* `points` has expected values, */
    size_t frame; /* those of this frame */
};

struct rd_history {
    struct rd_history_about about;
    struct rd_run run; /* of a history that is no trace's */
    struct rd_history_options options;
    struct rd_kept_frame *frames;
    size_t n_frames, room_frames;
    struct rd_history_hazard *hazards;
    size_t n_hazards, room_hazards;
    size_t first_hazard; /* the first that belongs to no frame yet */
    struct rd_texts texts;
    struct rd_tracks tracks;
    size_t kept_bytes; /* of states, */
    bool no_room;      /* and some are not kept */
    struct rd_again again;
    /* Repeats the steps from the first; may end early when again.done. */
    enum rd_status (*repeat)(struct rd_history *history, struct rd_error *error);
    struct rd_history_source *source; /* of a trace */
    size_t pass, pass_frame;          /* of a witness trace: the frame that is due in this pass */
    struct rd_shown shown;
    struct rd_wanted wanted;
    struct rd_accesses *accesses; /* NULL until they are asked for; */
    struct rd_access_log *log;    /* likewise */
    struct rd_sets_of *sets;      /* likewise */
    /* For re-runs, where the run's own device is none; NULL until it is needed. */
    struct rd_device *simulator;
    bool rerun_made;
    struct rd_rerun rerun;
};

/* The share of rd_history_options.bytes_max for each of: states, the accesses of a frame, those of all rounds, sets. */
size_t rd_history_share(const struct rd_history *history);
/* Bytes that are kept of each; 0 for NULL. */
size_t rd_accesses_bytes(const struct rd_accesses *accesses);
size_t rd_access_log_bytes(const struct rd_access_log *log);
size_t rd_sets_of_bytes(const struct rd_sets_of *sets);

/* ---- building ---- */

/* Adds a frame for a step, whose state has that layout; the array has `n_cells`. While steps are repeated, keeps the state if it is
 * wanted. RD_ERROR_MEMORY; RD_ERROR_INTERRUPTED when again.done. */
enum rd_status rd_history_add_step(struct rd_history *history, const struct rd_step *step,
                                   const struct rd_layout *layout, size_t n_cells,
                                   struct rd_error *error);
/* Returns RD_ERROR_MEMORY, with its message. */
enum rd_status rd_history_no_memory(struct rd_error *error);
void rd_history_source_destroy(struct rd_history_source *source); /* NULL: nothing */

/* ---- states ---- */

/* Finds the last state of the array that the step shows, or adds one without cells. NULL: no memory. */
struct rd_track *rd_tracks_find(struct rd_tracks *tracks, const struct rd_step *step);
void rd_tracks_finish(struct rd_tracks *tracks);

/* Keeps the state of a frame, which shows that array, while there is room. */
enum rd_status rd_states_keep(struct rd_history *history, size_t frame, struct rd_track *track,
                              const void *cells, struct rd_error *error);
/* Keeps the state of a repeated step if it is wanted. Its layout must be that of the first time. */
enum rd_status rd_states_keep_again(struct rd_history *history, const struct rd_step *step,
                                    const struct rd_layout *layout, struct rd_error *error);

/* Fills history->shown for the frame. */
enum rd_status rd_states_show(struct rd_history *history, size_t frame, struct rd_error *error);

/* ---- what cells must hold ---- */

/* Inputs that a cell of a frame must hold, asked for one by one. */
struct rd_members {
    const struct rd_program *program;
    const struct rd_shape *shape;
    const struct rd_point_invariant *point; /* of a checkpoint, else NULL */
    const struct rd_place *place;
    unsigned step;
    size_t cell;
};

/* RD_ERROR_USAGE where the cell has no such inputs: it holds no sum, or no law claims it. */
enum rd_status rd_members_init(struct rd_members *members, const struct rd_history *history,
                               size_t frame, size_t index);
bool rd_members_has(const struct rd_members *members, size_t input);

void rd_wanted_finish(struct rd_wanted *wanted);

/* NULL: nothing. */
void rd_accesses_destroy(struct rd_accesses *accesses);
void rd_access_log_destroy(struct rd_access_log *log);
void rd_sets_of_destroy(struct rd_sets_of *sets);

/* ---- passes of a trace of witness values ---- */

/* Adds a step of a pass: of the first pass a frame, of the others their values at that frame. */
enum rd_status rd_passes_add(struct rd_history *history, const struct rd_step *step,
                             const struct rd_layout *layout, size_t n_cells, size_t pass,
                             struct rd_error *error);

/* Finds the sets of a cell, as rd_history_set() does. */
enum rd_status rd_passes_set(const struct rd_history *history, size_t frame, size_t index,
                             struct rd_input_set *actual, struct rd_input_set *expected,
                             struct rd_error *error);

/* ---- standings.c ---- */

/* Sets the standings of all frames, once about.result is set. `ended`: the run came to its end. */
void rd_history_decide(struct rd_history *history, bool ended);

#endif
