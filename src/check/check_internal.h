// SPDX-License-Identifier: MIT
/* Hazards as JSON objects, as they stand in a report. */
#ifndef RD_CHECK_CHECK_INTERNAL_H
#define RD_CHECK_CHECK_INTERNAL_H

#include "check/check.h"
#include "reductio/device.h"
#include "reductio/hazards.h"

/* A member that is a text; "" where there is none. */
const char *rd_check_text_of(const json_t *object, const char *key);

/* Tells whether the hazard, as it stands in a report, is one of local variables. */
bool rd_check_hazard_is_private(const json_t *hazard);

json_t *rd_check_finding_json(const struct rd_finding *finding);

/* A hazard that the simulator's core does not know: it has happened once, and at no
 * place. */
struct rd_finding rd_check_hazard(enum rd_hazard_kind kind, const char *message);

/* The same in JSON, from its first sentence. */
json_t *rd_check_hazard_json(enum rd_hazard_kind kind, const char *text);

/* The launches of one run: that of the checked kernel, and those that kernels make. A grid that a kernel
 * launches runs when the grid that launched it has ended, in the order in which CUDA would start those
 * of one stream: with all that it launches itself before the next. So it sees all that was written
 * before it was launched, and those who launched it see nothing of it. */

/* A run begins, of which this is the first grid; its thread, its arguments and how it runs are those of
 * all others, but for what they have of their own. All must stay. */
void rd_check_children_begin(const struct rd_check_options *options, const struct rd_sim_grid *grid,
                             struct rd_check_module *module);

/* Tells whether an event is kept for later: of memory that a grid has not freed, and another may. */
bool rd_check_children_keep(const struct rd_sim_event *event);

/* The first grid has ended: runs those that were launched, up to one that does not come to its end. */
enum rd_sim_ending rd_check_children_run(void);

/* What was found so far, of all grids: hazards as in the report, those of a launched grid with its
 * "kernel". The caller owns it. */
json_t *rd_check_children_hazards(void);
/* The kernels that were launched, how often and in how many threads: a list of {"kernel", "launches",
 * "threads"}. The caller owns it. */
json_t *rd_check_children_launches(void);
/* Tells whether threads of some grid have communicated, or launched another one. */
bool rd_check_children_communicate(void);
/* The threads of all grids so far. */
uint64_t rd_check_children_threads(void);
/* The grid that runs. */
const struct rd_sim_grid *rd_check_children_grid(void);

/* The file's own variables, __device__, __constant__ and __managed__, in place of the host's code. */

/* Gives the loaded file's variables what --set says, and makes what host code would set, and nobody has
 * given, uninitialised. Simulated memory must be there. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_check_symbols_set(const struct rd_check *check,
                                    const struct rd_check_module *module, struct rd_error *error);

#endif
