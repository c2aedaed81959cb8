// SPDX-License-Identifier: MIT
/* The history's rounds, made again in the simulator. Private to src/history. */
#ifndef RD_HISTORY_ACCESSES_H
#define RD_HISTORY_ACCESSES_H

#include "history/kept.h"

/* A run of the history's rounds in the simulator, on the same inputs; observers are the caller's. */
struct rd_resumed {
    struct rd_run run;
    struct rd_device *device; /* that was opened for it, or NULL */
    uint64_t *witness;        /* likewise, the inputs */
};

/* RD_ERROR_USAGE, with the reason, where it can't be had. */
enum rd_status rd_resumed_init(struct rd_resumed *resumed, const struct rd_history *history,
                               struct rd_error *error);
void rd_resumed_finish(struct rd_resumed *resumed);

/* As rd_history_accesses, of a frame that is there. */
enum rd_status rd_accesses_of(struct rd_history *history, size_t frame, struct rd_access_list *list,
                              struct rd_error *error);

#endif
