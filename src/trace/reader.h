// SPDX-License-Identifier: MIT
/* Reads a trace line by line. Private to src/trace. */
#ifndef RD_TRACE_READER_H
#define RD_TRACE_READER_H

#include "reductio/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

#endif
