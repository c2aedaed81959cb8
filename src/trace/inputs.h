// SPDX-License-Identifier: MIT
/* The inputs of a recorded run, made whole again. Private to src/trace. */
#ifndef RD_TRACE_INPUTS_H
#define RD_TRACE_INPUTS_H

#include "trace/record.h"
#include "reductio/values.h"
#include "reductio/witness.h"

struct rd_trace_inputs {
    const void *a, *b; /* elem[n]; b is NULL where there is none; a, where they can't be had, */
    struct rd_error reason;      /* and why not */
    bool changed;                /* because the recorded cells are not those that the spec makes */
    struct rd_values values;     /* of a cut trace: made again */
    uint64_t *witness;           /* of a witness run: room for a and b */
    struct rd_witness_plan plan; /* likewise */
};

/* Takes the inputs from the trace or, where they were cut, makes them again from their spec; for a
 * witness run, makes room. They live no longer than `run`. RD_ERROR_MEMORY. */
enum rd_status rd_trace_inputs_init(struct rd_trace_inputs *inputs,
                                    const struct rd_program *program,
                                    const struct rd_trace_run *run, struct rd_error *error);
/* Puts the values of a pass into the inputs of a witness run. */
void rd_trace_inputs_fill(struct rd_trace_inputs *inputs, const struct rd_trace_run *run,
                          size_t pass);
void rd_trace_inputs_finish(struct rd_trace_inputs *inputs);

#endif
