// SPDX-License-Identifier: MIT
/* Hazards that only one of two traces has. */
#ifndef RD_TRACE_DIFF_HAZARDS_H
#define RD_TRACE_DIFF_HAZARDS_H

#include "reductio/trace.h"

#include <jansson.h>

/* Compares hazards that stand at one place in the two traces, each a list of records: adds those that only one has to the
 * difference, which says how many there are beyond those that it has room for. */
void rd_trace_diff_hazards(const json_t *left, const json_t *right,
                           struct rd_trace_difference *found);

#endif
