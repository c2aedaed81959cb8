// SPDX-License-Identifier: MIT
/* The records of a trace, and their way to and from JSON. traces/README.md describes them. Private
 * to src/trace. */
#ifndef RD_TRACE_RECORD_H
#define RD_TRACE_RECORD_H

#include "emit.h"
#include "reader.h"
#include "trace.h"

/* ---- to JSON: one object each, without the end of the line ---- */

/* `cells`: states of more are cut. */
void rd_trace_write_version(struct rd_trace_emitter *emitter);
void rd_trace_write_run(struct rd_trace_emitter *emitter, const struct rd_run *run, size_t cells);
void rd_trace_write_step(struct rd_trace_emitter *emitter, const struct rd_run *run,
                         const struct rd_step *step, size_t cells);
void rd_trace_write_hazard(struct rd_trace_emitter *emitter, const struct rd_hazard *hazard);
/* The last record: `interrupted` where the result says so, else `verdict`. */
void rd_trace_write_result(struct rd_trace_emitter *emitter, const struct rd_run *run,
                           const struct rd_result *result);

/* ---- from JSON ---- */

/* The cells of an array as far as they were recorded. */
struct rd_trace_state {
    size_t count;    /* cells in all */
    bool whole;      /* all n cells of the array; otherwise the live cells, compactly */
    size_t n_head;   /* the first cells; of a state that is not cut, all */
    size_t n_tail;   /* the last cells */
    void *cells;     /* elem[n_head + n_tail] */
    uint64_t digest; /* of all cells; of a cut state only */
};

struct rd_trace_run {
    const char *program, *device, *values; /* the reader's, until its next line */
    const char *described;                 /* the device, for people; likewise; "" if it is not */
    size_t n;
    const struct rd_numeric *numeric;
    unsigned block;
    size_t grid;              /* 0: the program takes no number of blocks */
    struct rd_shape shape;    /* what follows from these, */
    size_t n_cells, n_a, n_b; /* and how many elements the arrays then have */
    bool frame;
    size_t passes;              /* 0, but in witness runs */
    unsigned digit_bits;        /* likewise */
    struct rd_trace_state a, b; /* not in witness runs; b.cells is NULL where there is none */
};

struct rd_trace_round {
    unsigned number, block;
    const char *kernel, *width_name; /* the reader's, until its next line */
    size_t width, grid, threads;
    unsigned grid_y, block_y; /* 0 is 1 */
};

struct rd_trace_step {
    size_t pass; /* 0, but in witness runs */
    unsigned number;
    bool has_round;
    struct rd_trace_round round;
    bool inside;           /* at a checkpoint inside the round's kernel: */
    struct rd_place place; /* this one */
    uint32_t present;
    struct rd_claim claim;
    struct rd_trace_state state;
    enum rd_verdict verdict;
    size_t n_asserted, n_unbounded;
    bool violated;
    struct rd_violation violation;
};

/* `verdict` or `interrupted`. */
struct rd_trace_result {
    enum rd_verdict verdict;
    enum rd_verdict obligations[RD_OBLIGATION_COUNT];
    unsigned steps, hazards;
    uint64_t checkpoints;
    bool truncated;
    uint64_t cells;
    const char *outcome_name; /* NULL: there is no outcome; the reader's, until its next line */
    double outcome;
    bool violated;
    struct rd_violation violation;
};

/* The first minor version that writes the outcome. */
enum { RD_TRACE_MINOR_OUTCOME = 2 };

/* Whether two outcomes are the same number: by their bits, and all NaNs are the same. */
bool rd_trace_same_outcome(double left, double right);

/* All of them read the reader's present record. RD_ERROR_INPUT where it is not what it should be,
 * with path, line and member; RD_ERROR_MEMORY. What they yield is for the finish below. */
enum rd_status rd_trace_read_run(const struct rd_trace_reader *reader, struct rd_trace_run *run,
                                 struct rd_error *error);
enum rd_status rd_trace_read_step(const struct rd_trace_reader *reader,
                                  const struct rd_trace_run *run, struct rd_trace_step *step,
                                  struct rd_error *error);
enum rd_status rd_trace_read_hazard(const struct rd_trace_reader *reader,
                                    struct rd_trace_hazard *hazard, struct rd_error *error);
enum rd_status rd_trace_read_result(const struct rd_trace_reader *reader,
                                    const struct rd_trace_run *run, struct rd_trace_result *result,
                                    struct rd_error *error);

void rd_trace_run_finish(struct rd_trace_run *run);
void rd_trace_step_finish(struct rd_trace_step *step);

/* Recorded cell k of [0, n_head + n_tail) is the state's cell number …: the head is followed by the
 * tail. */
size_t rd_trace_state_index(const struct rd_trace_state *state, size_t k);
/* Whether some cells between head and tail were left out. */
bool rd_trace_state_is_cut(const struct rd_trace_state *state);

#endif
