// SPDX-License-Identifier: MIT
/* Faults put into a run on purpose: see rd_run.breaks. */
#ifndef RD_RUN_BREAKS_H
#define RD_RUN_BREAKS_H

#include "reductio/run.h"

enum { RD_BREAKS_MAX = 64 };

/* RD_ERROR_USAGE where a break is of a step, a cell or a thread that is not there, or the device can't
 * make it. */
enum rd_status rd_breaks_check(const struct rd_run *run, const struct rd_shape *shape,
                               size_t n_cells, struct rd_error *error);

/* Lists what the launch of that step leaves out; returns how many there are. */
unsigned rd_breaks_omissions(const struct rd_run *run, unsigned step,
                             struct rd_omission omissions[RD_BREAKS_MAX]);

/* Counts the threads that the run leaves out of that step as if they had come to the checkpoint, where
 * they should: of a warp, those of `lanes`. */
void rd_breaks_excuse(const struct rd_run *run, unsigned step, uint32_t lanes,
                      struct rd_checkpoint *checkpoint);

/* Tells whether some value was put into a cell by hand, so that cells are no sums of inputs. */
bool rd_breaks_a_cell(const struct rd_run *run);

#endif
