// SPDX-License-Identifier: MIT
/* Dispatches driver events to observers. Private to the driver. */
#ifndef RD_RUN_OBSERVERS_H
#define RD_RUN_OBSERVERS_H

#include "reductio/run.h"

/* Those of a run. Begins with `list`, `run` and `error` set, as rd_run has them, and the rest 0. */
struct rd_observers {
    const struct rd_observer *const *list; /* NULL-terminated; NULL: nobody */
    const struct rd_run *run;
    struct rd_error *error;
    size_t begun; /* how many have begun: the others are told nothing */
};

/* Each stops at the first that fails, and returns its status. */
enum rd_status rd_observers_begin(struct rd_observers *observers);
enum rd_status rd_observers_step(const struct rd_observers *observers, const struct rd_step *step);
enum rd_status rd_observers_hazard(const struct rd_observers *observers,
                                   const struct rd_hazard *hazard);

/* All that have begun are told the end, whoever fails. Returns `status`, the run's, or, where that is RD_OK,
 * the first failure's. */
enum rd_status rd_observers_end(const struct rd_observers *observers,
                                const struct rd_result *result, enum rd_status status);

#endif
