// SPDX-License-Identifier: MIT
/* The simulator makes the rounds again, up to the one that is asked for, and tells of what its threads
 * do. It is named here and nowhere else in the history: the interface of devices has no operation for
 * it, as no other device can tell. Private to src/history. */
#ifndef RD_HISTORY_LISTEN_H
#define RD_HISTORY_LISTEN_H

#include "history/history_internal.h"
#include "device/sim/detect/recorder.h"
#include "device/sim/sim.h"

/* Who is told, and of what. */
struct rd_listener {
    void *self;
    void (*take)(void *self, const struct rd_sim_access *access);
    void (*lane)(void *self, const struct rd_sim_lane_event *event);
    void (*checkpoint)(void *self, int point, const struct rd_sim_array *array);
    void (*step)(void *self, unsigned number); /* it has ended */
    const struct rd_frame *of, *earlier;       /* of what came between these frames; */
    bool all;    /* or of all up to `of`, in whose block it then is, */
    bool others; /* and of all that other blocks do in that launch */
    /* Inputs, in place of the run's own; a is NULL: none. */
    const struct rd_numeric *numeric;
    const void *a, *b;
};

/* RD_ERROR_USAGE, with the reason, where the rounds can't be re-run. */
enum rd_status rd_listen(struct rd_history *history, const struct rd_listener *listener,
                         struct rd_error *error);

#endif
