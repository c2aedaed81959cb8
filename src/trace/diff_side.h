// SPDX-License-Identifier: MIT
/* One of two traces that are compared: its records in an order that both have. Private to src/trace. */
#ifndef RD_TRACE_DIFF_SIDE_H
#define RD_TRACE_DIFF_SIDE_H

#include "reductio/program.h"
#include "trace/record.h"

/* Begins as {0}. */
struct rd_diff_side {
    struct rd_trace_reader reader; /* its present record is the side's */
    struct rd_trace_run run;
    const struct rd_program *program; /* from its run record on; NULL: no such program is known */
    bool without_checkpoints;         /* they are passed over */

    /* Checkpoints of the last block, put off until the round's record, and that. */
    json_t *put_off;
    size_t n_given; /* of those */
    json_t *round;
    enum rd_trace_kind round_kind;
};

/* Goes on to the next record. A round's checkpoints come block by block; where blocks draw tickets, and the
 * one with the last goes on, its checkpoints come behind those of all blocks, and 'block' is 0: which block
 * it was is left open by CUDA. Errors as rd_trace_reader_next. */
enum rd_status rd_diff_side_next(struct rd_diff_side *side, struct rd_error *error);
void rd_diff_side_finish(struct rd_diff_side *side);

/* The program's invariant at the present record's checkpoint; NULL where it is none. */
const struct rd_point_invariant *rd_diff_side_point(const struct rd_diff_side *side);

#endif
