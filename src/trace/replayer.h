// SPDX-License-Identifier: MIT
/* A trace that is being asserted again. Private to src/trace. */
#ifndef RD_TRACE_REPLAYER_H
#define RD_TRACE_REPLAYER_H

#include "assertion.h"
#include "inputs.h"
#include "points.h"
#include "record.h"
#include "walk.h"

struct rd_replayer {
    struct rd_trace_reader reader;
    struct rd_error *error;
    struct rd_replay result;
    const struct rd_trace_visitor *visitor; /* NULL: there is none */
    bool contradicted; /* the trace is at odds with itself; result.reason says where */
    bool astray;       /* and not even of its program's rounds: nothing more can be asserted */
    const struct rd_program *program;
    struct rd_trace_run run;
    struct rd_trace_inputs inputs;
    struct rd_expect expect;                          /* the array as it must be, */
    struct rd_points points;                          /* and those inside kernels */
    unsigned rounds;                                  /* that the program makes */
    size_t pass;                                      /* under way; 1 where there is no witness */
    unsigned next_step;                               /* that is due in this pass */
    bool refused;                                     /* the launch of the round before it */
    enum rd_verdict inside;                           /* of the checkpoints of this round */
    bool held;                                        /* the step before was not VIOLATED */
    bool incomplete;                                  /* a checkpoint was cut */
    enum rd_verdict obligations[RD_OBLIGATION_COUNT]; /* of this pass */
};

/* The trace says what can't be. The first such place is the one to tell. */
void rd_replay_contradict(struct rd_replayer *replayer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the inputs are known. */
bool rd_replay_can_assert(const struct rd_replayer *replayer);

/* Asserts a step, or a checkpoint, and tells the visitor. */
enum rd_status rd_replay_assert_step(struct rd_replayer *replayer,
                                     const struct rd_trace_step *step);
enum rd_status rd_replay_assert_checkpoint(struct rd_replayer *replayer,
                                           const struct rd_trace_step *recorded);

/* Whether the trace and its cells tell of the same violation. */
bool rd_replay_same_violation(const struct rd_expect *expect, const struct rd_violation *x,
                              const struct rd_violation *y);

#endif
