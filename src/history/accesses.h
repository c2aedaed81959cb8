// SPDX-License-Identifier: MIT
/* The history's rounds, made again in the simulator. Private to src/history. */
#ifndef RD_HISTORY_ACCESSES_H
#define RD_HISTORY_ACCESSES_H

#include "history/kept.h"
#include "history/links.h"

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

/* As rd_history_accesses, of a frame that is there. */
enum rd_status rd_accesses_of(struct rd_history *history, size_t frame, struct rd_access_list *list,
                              struct rd_error *error);

/* The accesses of all rounds up to a frame; of the round of a checkpoint, those of its block that
 * came before it. */
struct rd_access_log {
    struct rd_access_list list;
    const struct rd_links *links; /* in it; all of them are there */
    unsigned steps;               /* rounds */
    size_t *ends; /* [steps + 1]: where the accesses of each round end; of step 0: 0 */
    bool inside;  /* it is of the checkpoint of this frame alone: */
    size_t frame;
    struct rd_accesses *accesses; /* whose list it is */
};

/* The log up to a frame that is there, or further; it lives until the next call. RD_ERROR_USAGE where
 * there are too many accesses. */
enum rd_status rd_accesses_log(struct rd_history *history, size_t frame,
                               const struct rd_access_log **log, struct rd_error *error);

#endif
