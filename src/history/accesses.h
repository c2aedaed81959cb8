// SPDX-License-Identifier: MIT
/* The history's rounds, made again in the simulator. Private to src/history. */
#ifndef RD_HISTORY_ACCESSES_H
#define RD_HISTORY_ACCESSES_H

#include "history/history_internal.h"
#include "history/weights.h"

/* A run of the history's rounds in the simulator, on the same inputs; observers are the caller's. */
struct rd_resumed {
    struct rd_run run;
    struct rd_device *device; /* that was opened for it, or NULL */
    uint64_t *witness;        /* likewise, the inputs */
};

/* With `anywhere`, on the device of the run. RD_ERROR_USAGE, with the reason, where it can't be had. */
enum rd_status rd_resumed_init(struct rd_resumed *resumed, const struct rd_history *history,
                               bool anywhere, struct rd_error *error);
void rd_resumed_finish(struct rd_resumed *resumed);

/* What the history calls what the simulator has told of. */
enum rd_access_op rd_access_op_of(enum rd_sim_op op);
enum rd_access_op rd_access_op_of_lane(enum rd_sim_lane_op op);

/* Whether the array of that name is an input, or the indices of its elements. */
bool rd_access_is_of_input(const char *array);

/* As rd_history_accesses, of a frame that is there. */
enum rd_status rd_accesses_of(struct rd_history *history, size_t frame, struct rd_access_list *list,
                              struct rd_error *error);

/* The accesses of all rounds up to a frame; of the round of a checkpoint, those of its block that
 * came before it, and of others where the block reads what they may have written. */
struct rd_access_log {
    struct rd_access_list list; /* without moves */
    struct rd_deriving deriving;
    const char *unweighed; /* why it has no weights, if it has none */
    unsigned steps;        /* rounds */
    size_t *ends;          /* [steps + 1]: where the accesses of each round end; of step 0: 0 */
    bool inside;           /* it is of the checkpoint of this frame alone: */
    bool others;           /* with what other blocks did in its launch */
    size_t frame;
    struct rd_accesses *accesses; /* whose list it is */
};

/* The log up to a frame that is there, or further; it lives until the next call. RD_ERROR_USAGE where
 * there are too many accesses. */
enum rd_status rd_accesses_log(struct rd_history *history, size_t frame,
                               const struct rd_access_log **log, struct rd_error *error);

#endif
