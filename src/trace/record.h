// SPDX-License-Identifier: MIT
/* The records of a trace, and their way to and from JSON. traces/README.md describes them. Private
 * to src/trace. */
#ifndef RD_TRACE_RECORD_H
#define RD_TRACE_RECORD_H

#include "trace/emit.h"
#include "trace/reader.h"
#include "trace/recorded.h"

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

/* `verdict` or `interrupted`. */
struct rd_trace_result {
    enum rd_verdict verdict;
    enum rd_verdict obligations[RD_OBLIGATION_COUNT];
    unsigned steps, hazards;
    enum rd_hazards_by hazards_by;
    size_t hazards_n;
    unsigned n_schedules; /* 0: not told */
    const char *unlooked; /* the reader's, until its next line; NULL: it was not to be looked */
    uint64_t checkpoints;
    bool truncated;
    uint64_t cells;
    const char *outcome_name; /* NULL: there is no outcome; the reader's, until its next line */
    double outcome;
    struct rd_deviation deviation; /* of it */
    bool violated;
    struct rd_violation violation;
    bool has_evidence, has_actual;
    struct rd_evidence evidence; /* its sets without runs */
};

/* The first minor versions that write something. */
enum rd_trace_minor {
    RD_TRACE_MINOR_OUTCOME = 2, /* the number that a program ends with */
    RD_TRACE_MINOR_LOOKED = 3,  /* which blocks were observed, and which inputs were looked at */
    /* In which a round with a race leaves preservation INCONCLUSIVE, and one that is certain whatever hazards it
     * had is followed by the goal. */
    RD_TRACE_MINOR_UNDEFINED = 3,
    RD_TRACE_MINOR_HAZARDS_BY = 3, /* who has looked for hazards; before it, nobody had on a GPU */
    RD_TRACE_MINOR_STATEMENT = 4,  /* the words of statements that are this version's */
};

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

#endif
