// SPDX-License-Identifier: MIT
/* Traces: one JSON object a line. traces/README.md describes every record.
 *
 * Thread safety: any thread may call these functions; a writer serves one at a time.
 * The caller owns the results of a replay or a diff. A program that a trace defines belongs to what was made by reading it: it
 * has no name for others, and two traces may define the same name differently. */
#ifndef RD_TRACE_H
#define RD_TRACE_H

#include "run.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The format's version. The minor number rises when a field or a record kind is added, and when obligations
 * take account of more: readers pass over what they do not know. The major number rises when a field changes
 * its meaning or goes: readers refuse a major number that they do not know. */
enum { RD_TRACE_MAJOR = 1, RD_TRACE_MINOR = 5 };

/* States of more cells than this are cut to a head, a tail and a digest: by default, and at most,
 * so that no line grows beyond what readers take. */
enum { RD_TRACE_CELLS = 4096, RD_TRACE_CELLS_MAX = 1 << 22 };

/* ---- writing ---- */

struct rd_trace_writer;

/* Opens a trace. A regular file `path` grows as `path`.part beside it and is renamed at
 * rd_trace_writer_close; a pipe, a device, or "-" (standard output) is written directly. `cells` is
 * the cut; more than RD_TRACE_CELLS_MAX (for instance SIZE_MAX) means that. RD_ERROR_IO, also where
 * another run is writing that very file; RD_ERROR_MEMORY. */
enum rd_status rd_trace_writer_open(struct rd_trace_writer **writer, const char *path, size_t cells,
                                    struct rd_error *error);
/* The observer that writes the run to the trace, flushing line by line; lives as long as the
 * writer. A witness run is one trace of several passes. A full disk is RD_ERROR_IO. */
const struct rd_observer *rd_trace_writer_observer(struct rd_trace_writer *writer);
/* Returns the bytes that were written to a regular file so far; of anything else, 0. */
uint64_t rd_trace_writer_bytes(const struct rd_trace_writer *writer);
/* Ends the trace and gives it its name. After a failed write, which the observer has reported, the
 * part stays as it is; where no run began there is nothing to keep, and `path` is left alone. The
 * writer is gone also after a failure: RD_ERROR_IO. NULL is fine. */
enum rd_status rd_trace_writer_close(struct rd_trace_writer *writer, struct rd_error *error);

/* The path of the last run's trace: $XDG_STATE_HOME/reductio/last.ndjson, by default below
 * ~/.local/state. Makes the folder where `make` says so. RD_ERROR_IO where there is no such place.
 */
enum rd_status rd_trace_last_path(char *path, size_t size, bool make, struct rd_error *error);

/* ---- replaying ---- */

/* A hazard as it was recorded; long words are cut. */
struct rd_trace_hazard {
    enum rd_hazard_kind kind; /* of the whole name */
    char name[64];
    unsigned step;
    char message[512];
};

enum { RD_REPLAY_REASON = 512 };

/* Findings of a replay. */
struct rd_replay {
    /* The replay's until rd_replay_finish, where the trace defines it; what else is pointed to here lives as long. */
    const struct rd_program *program;
    char type[8];
    enum rd_operation operation;
    char device[16];
    size_t n;
    enum rd_verdict verdict;  /* what asserting every recorded step again gives */
    enum rd_verdict recorded; /* what the trace says of itself */
    enum rd_verdict obligations[RD_OBLIGATION_COUNT]; /* of the last pass */
    bool complete;                                    /* the trace has its last record */
    bool interrupted;                                 /* and that record says that the run was, */
    bool truncated;                                   /* or that it lost checkpoints */
    unsigned steps;
    uint64_t checkpoints;
    struct rd_blocks blocks; /* whose checkpoints were observed */
    uint64_t cells;
    unsigned hazards;
    bool undefined; /* one of them leaves open what its round makes */
    enum rd_unseen unseen;
    /* The device that had looked for them, as the trace says; NOBODY where it does not. */
    enum rd_hazards_by hazards_by;
    unsigned n_schedules; /* under which it tried what communicates, at least; 0: not told */
    size_t hazards_n;     /* the simulator, beside the device, on this n; 0: it did not */
    struct rd_trace_hazard hazard; /* the first; only where `hazards` is not 0 */
    bool violated;
    struct rd_violation violation; /* the first */
    struct rd_outcome outcome;     /* worked out again; name NULL: the run ends with no number */
    char reason[RD_REPLAY_REASON]; /* why it is INCONCLUSIVE, or how it contradicts itself; or "" */
};

/* Asserts every invariant of the trace again; needs no device. "-" reads standard input. *replay is then for
 * rd_replay_finish. RD_ERROR_INPUT: not a trace, or a foreign major version, or a garbled line, with its number.
 * RD_ERROR_IO. Then *replay is untouched. */
enum rd_status rd_trace_replay(const char *path, struct rd_replay *replay, struct rd_error *error);
void rd_replay_finish(struct rd_replay *replay);

/* Gives the findings as the result of a run, without evidence; it lives as long as *replay. */
struct rd_result rd_replay_result(const struct rd_replay *replay);

/* ---- comparing ---- */

enum { RD_TRACE_HEADER_MAX = 10 };

struct rd_trace_difference {
    bool differs;
    /* Differences between the headers, each in words: "n: 8 and 16". */
    unsigned n_header;
    char header[RD_TRACE_HEADER_MAX][112];
    bool only_header; /* the rest is the same, or is not comparable: `what` is then of the header */
    bool steps_left_out; /* the steps were not compared, as the headers make them others */
    bool in_step; /* `step` is set: they differ there; otherwise in the header or in length */
    unsigned step;
    size_t pass;    /* the pass of that step; 0 but in witness runs */
    char place[96]; /* "block 1, warp 0, w = 16": the checkpoint within it; "" after the round */
    bool in_cell;   /* `array`, `cell`, `left` and `right` are set */
    char array[64]; /* "a", "b": of the inputs; "A", or "cache" and the like of a checkpoint */
    size_t cell;
    char left[64], right[64]; /* the two values as text */
    char what[128];           /* in words, for instance "n: 8 and 16" */
};

/* All that differs in the headers of two traces, and the first step and cell at which they differ. Of
 * traces of other programs, sizes, types or frames, or with witness values or without, the headers only;
 * where the blocks or the grids differ, no rounds and no checkpoints. Which block was the last, where
 * that one goes on, may differ: CUDA leaves it open. What names the device and the
 * producer is not compared; all else is, numbers by their bits. Statuses as for rd_trace_replay. */
enum rd_status rd_trace_diff(const char *left, const char *right,
                             struct rd_trace_difference *difference, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
