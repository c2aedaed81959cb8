// SPDX-License-Identifier: MIT
/* A launch of a kernel of ours, tried under several schedules where its threads communicate: from the same
 * memory, and what it leaves is compared. */
#ifndef RD_SIM_TRIALS_H
#define RD_SIM_TRIALS_H

#include "reductio/device.h"
#include "device/sim/engine/scheduler.h"

enum { RD_SIM_TRIAL_BUFFERS_MAX = RD_ARG_MAX };

struct rd_sim_trials {
    bool communicates;    /* its threads do, or may */
    unsigned n_schedules; /* at least 1 */
    unsigned n_buffers;   /* that it is passed: */
    struct rd_sim_trial_buffer {
        unsigned char *bytes;
        size_t size_bytes;
        bool is_compared;
    } buffers[RD_SIM_TRIAL_BUFFERS_MAX];
    struct rd_tried *tried; /* optional: told of it */
};

/* Runs the grid under the schedules, the first of which its own is set to; memory is then as the first has left
 * it. What is found is reported (report.h). RD_ERROR_MEMORY; RD_ERROR_INTERRUPTED; RD_ERROR_DEVICE where threads
 * communicate that were not to, or not all could be looked at. */
enum rd_status rd_sim_try(const struct rd_sim_grid *grid, const struct rd_sim_trials *trials,
                          struct rd_error *error);

#endif
