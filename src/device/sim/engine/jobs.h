// SPDX-License-Identifier: MIT
/* A grid on several cores: each of some processes runs a contiguous part of its blocks, on a copy
 * of the memory. That the parts are independent is a guess. Afterwards it shows
 * whether it was right: no part has written what another has touched, and none has done what
 * depends on the order of blocks, such as an atomic on global memory. Then what was found, written
 * and printed is put together in the order of blocks, and is what a sequential run would have
 * found, written and printed. Otherwise the grid is run sequentially, on memory that no part has
 * changed.
 *
 * It costs what is copied: of a kernel that does little with each cell it reads or writes, more
 * than it gains. */
#ifndef RD_SIM_JOBS_H
#define RD_SIM_JOBS_H

#include "device/sim/engine/scheduler.h"
#include "device/files.h"

enum { RD_SIM_JOBS_MAX = RD_FILE_JOBS_MAX };

/* A launch begins. */
void rd_sim_jobs_begin(const struct rd_sim_grid *grid);

/* Results of all parts together. */
struct rd_sim_jobs_result {
    uint64_t threads_run;
    bool trapped;               /* a thread was ended before its time */
    bool took_mask, took_clock; /* as in the core */
    struct rd_sim_outdated outdated;
};
/* Has the blocks from core.block up to the one before `end` run by processes, if that is asked for
 * or worth its while. False where it is not, or the guess was wrong: then nothing has
 * happened yet. */
bool rd_sim_jobs_run(const struct rd_sim_grid *grid, uint64_t end,
                     struct rd_sim_jobs_result *result);

/* The running block does what may depend on other blocks, or change what they do, in a way that
 * does not show afterwards. Ends a process that runs a part. */
void rd_sim_jobs_depend(void);
/* Ends a process that runs a part, if another part has shown that all is in vain. */
void rd_sim_jobs_poll(void);
/* Every epoch that is kept of parts, to be read or changed. */
void rd_sim_jobs_visit(void (*visit)(unsigned *epoch));
/* For a signal handler, when there is no more time: if parts are running, all is in vain. Returns
 * whether they are. */
bool rd_sim_jobs_stop(void);

#endif
