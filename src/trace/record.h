// SPDX-License-Identifier: MIT
/* The records of a trace, and their way to and from JSON. traces/README.md describes them. Private
 * to src/trace. */
#ifndef RD_TRACE_RECORD_H
#define RD_TRACE_RECORD_H

#include "reductio/status.h"
#include "trace/json.h"
#include "trace/recorded.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- line by line ---- */

enum rd_trace_kind {
    RD_RECORD_NONE, /* the file has ended */
    RD_RECORD_VERSION,
    RD_RECORD_RUN,
    RD_RECORD_STEP,
    RD_RECORD_HAZARD,
    RD_RECORD_VERDICT,
    RD_RECORD_INTERRUPTED,
};

/* A line of more bytes is refused before it fills the memory. Room enough for RD_TRACE_CELLS_MAX
 * cells of two inputs. */
enum { RD_TRACE_LINE_MAX = 1 << 28 };

struct rd_trace_reader {
    const char *path; /* the caller's, or "standard input" */
    FILE *file;
    char *text; /* the present line */
    size_t length, capacity;
    size_t line;             /* its number, 1-based */
    json_t *record;          /* the present record; NULL at the end */
    enum rd_trace_kind kind; /* its kind */
    bool cut;                /* at the end: the last line had no end, and was left out */
    json_int_t minor;        /* of the version that the trace was written by */
    bool has_run;            /* the run record was read */
    bool ended;              /* a verdict or interrupted record was read */
};

/* Opens the trace and reads its version record. "-" is standard input. RD_ERROR_IO;
 * RD_ERROR_INPUT: empty, not a trace, or of a foreign major version; RD_ERROR_MEMORY. */
enum rd_status rd_trace_reader_init(struct rd_trace_reader *reader, const char *path,
                                    struct rd_error *error);
/* Goes on to the next record of a known kind, and to RD_RECORD_NONE at the end. The records come
 * in their order: one run, steps and hazards, at most one last record. A line is read only with
 * its end: one without, at the end of the file, was being written when the run was stopped.
 * Statuses as above. */
enum rd_status rd_trace_reader_next(struct rd_trace_reader *reader, struct rd_error *error);
void rd_trace_reader_finish(struct rd_trace_reader *reader);

/* RD_ERROR_INPUT with "path:line: " and the message. */
enum rd_status rd_trace_refuse(const struct rd_trace_reader *reader, struct rd_error *error,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));

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
    RD_TRACE_MINOR_SO_FAR = 4,     /* what holds so far of an interrupted run is left open */
    RD_TRACE_MINOR_STATEMENT = 9,  /* the words of statements that are this version's */
};

/* Compares two outcomes by their bits; all NaNs are equal. */
bool rd_trace_same_outcome(double left, double right);

/* Read the reader's present record. RD_ERROR_INPUT if it is malformed, with path, line and member; RD_ERROR_MEMORY. The
 * caller finishes what they yield, by the functions below. */
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
