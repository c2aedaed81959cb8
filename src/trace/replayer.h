// SPDX-License-Identifier: MIT
/* A trace that is being asserted again. Private to src/trace. */
#ifndef RD_TRACE_REPLAYER_H
#define RD_TRACE_REPLAYER_H

#include "trace/record.h"
#include "reductio/values.h"
#include "reductio/witness.h"
#include "run/assertion.h"
#include "run/checkpoint_order.h"
#include "run/points.h"
#include "trace/recorded.h"

/* The inputs of a recorded run, made whole again. Private to src/trace. */

struct rd_trace_inputs {
    const void *a, *b; /* elem[n]; b is NULL where there is none; a, where they can't be had, */
    struct rd_error reason;      /* and why not */
    bool changed;                /* because the recorded cells are not those that the spec makes */
    struct rd_values values;     /* of a cut trace: made again */
    uint64_t *witness;           /* of a witness run: room for a and b */
    struct rd_witness_plan plan; /* likewise */
};

struct rd_replayer {
    struct rd_trace_reader reader;
    struct rd_error *error;
    struct rd_replay result;
    const struct rd_trace_visitor *visitor; /* NULL: there is none */
    bool contradicted; /* the trace is at odds with itself; result.reason says where */
    bool astray;       /* and not even of its program's rounds: nothing more can be asserted */
    const struct rd_program *program; /* the run's, which would make it */
    struct rd_trace_run run;
    struct rd_trace_inputs inputs;
    struct rd_expect expect;          /* the array as it must be, */
    struct rd_points points;          /* and those inside kernels */
    unsigned rounds;                  /* that the program makes */
    size_t pass;                      /* under way; 1 where there is no witness */
    unsigned next_step;               /* that is due in this pass */
    bool refused;                     /* the launch of the round before it, */
    bool input_changed;               /* or one of its hazards says that */
    bool undefined;                   /* what that round has made, by a hazard */
    bool wants_step;                  /* that round had hazards, */
    bool lost;                        /* after one of which the device could not tell of it */
    bool unsound;                     /* a hazard keeps the rounds so far from ending in the goal */
    enum rd_verdict inside;           /* of the checkpoints of this round, */
    uint64_t inside_count;            /* so many */
    bool held;                        /* the step before was not VIOLATED */
    bool truncated;                   /* the run has lost checkpoints, */
    bool unseen_cells;                /* or cells were cut out that can't be asserted again */
    struct rd_checkpoint_order order; /* of the checkpoints, */
    bool in_round;                    /* which has begun */
    enum rd_verdict hazard_verdict;   /* of all hazards */
    bool has_amiss[RD_AMISS_COUNT];   /* a hazard of this round says so */
    char missing[RD_REPLAY_REASON];   /* that a checkpoint is, in words; "": none is */
    char unsaid[RD_REPLAY_REASON]; /* why no record says so, or of a gap: unless it was truncated */
    bool has_cut;                  /* a state was, to so many cells: */
    size_t n_head, n_tail;
    size_t n_whole;     /* the most cells of one that was not */
    bool unknown;       /* whether the blocks that lack checkpoints were observed */
    char unlooked[176]; /* why nobody has looked for hazards, who was to; or "" */
    enum rd_verdict obligations[RD_OBLIGATION_COUNT]; /* of this pass */
};

/* The trace says what can't be. The first such place is the one to tell. */
void rd_replay_contradict(struct rd_replayer *replayer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A step that is no checkpoint: what its round's checkpoints lack is noted. */
void rd_replay_end_checkpoints(struct rd_replayer *replayer, const struct rd_trace_step *step);

/* Tells whether the inputs are known. */
bool rd_replay_can_assert(const struct rd_replayer *replayer);

/* Asserts a step, or a checkpoint, and tells the visitor. */
enum rd_status rd_replay_assert_step(struct rd_replayer *replayer,
                                     const struct rd_trace_step *step);
enum rd_status rd_replay_assert_checkpoint(struct rd_replayer *replayer,
                                           const struct rd_trace_step *recorded);

/* Checks what the last record says of the inputs in the violated cell: it must be of that cell, and agree with
 * the invariant and with itself. */
void rd_replay_check_evidence(struct rd_replayer *replayer, const struct rd_trace_result *said);

/* Reads the last record, and checks it against those before it. Statuses as for rd_trace_read_result. */
enum rd_status rd_replay_last(struct rd_replayer *replayer);
/* Derives the verdict from all records, with its reason. */
void rd_replay_conclude(struct rd_replayer *replayer);

/* Compares two deviations up to the order in which exact sums were added. */
bool rd_replay_same_deviation(const struct rd_deviation *x, const struct rd_deviation *y);
/* Tells whether they differ in their limit alone. */
bool rd_replay_other_limit(const struct rd_deviation *x, const struct rd_deviation *y);
/* Tells whether the trace and its cells have the same violation. */
bool rd_replay_same_violation(const struct rd_expect *expect, const struct rd_violation *x,
                              const struct rd_violation *y);

#endif
