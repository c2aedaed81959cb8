// SPDX-License-Identifier: MIT
/* The launches of one run: that of the checked kernel, and those that kernels make. A grid that a kernel
 * launches runs when the grid that launched it has ended, in the order in which CUDA would start those
 * of one stream: with all that it launches itself before the next. So it sees all that was written
 * before it was launched, and those who launched it see nothing of it. */
#ifndef RD_CHECK_CHILDREN_H
#define RD_CHECK_CHILDREN_H

#include "check/check.h"

/* A run begins, of which this is the first grid; its thread, its arguments and how it runs are those of
 * all others, but for what they have of their own. All must stay. */
void rd_check_children_begin(const struct rd_check_options *options, const struct rd_sim_grid *grid,
                             struct rd_check_module *module);

/* Whether an event is kept for later: of memory that a grid has not freed, and another may. */
bool rd_check_children_keep(const struct rd_sim_event *event);

/* The first grid has ended: runs those that were launched, up to one that does not come to its end. */
enum rd_sim_ending rd_check_children_run(void);

/* What was found so far, of all grids: hazards as in the report, those of a launched grid with its
 * "kernel". The caller owns it. */
json_t *rd_check_children_hazards(void);
/* The kernels that were launched, how often and in how many threads: a list of {"kernel", "launches",
 * "threads"}. The caller owns it. */
json_t *rd_check_children_launches(void);
/* Whether threads of some grid have communicated, or launched another one. */
bool rd_check_children_communicate(void);
/* The threads of all grids so far. */
uint64_t rd_check_children_threads(void);
/* The grid that runs. */
const struct rd_sim_grid *rd_check_children_grid(void);

#endif
