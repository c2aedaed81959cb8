// SPDX-License-Identifier: MIT
/* Traces: one JSON object a line. traces/README.md describes every record.
 *
 * Thread safety: any thread may call these functions; a writer serves one at a time.
 * The caller owns the results of a replay or a diff. A program that a trace defines belongs to the result of reading it:
 * it can't be looked up by name, and two traces may define the same name differently. */
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
enum { RD_TRACE_MAJOR = 1, RD_TRACE_MINOR = 9 };

/* States of more cells than this are cut to a head, a tail and a digest: the default, and the largest
 * limit, so that no line is too long for readers. */
enum { RD_TRACE_CELLS = 4096, RD_TRACE_CELLS_MAX = 1 << 22 };

/* ---- writing ---- */

struct rd_trace_writer;

/* Opens a trace. A regular file `path` grows as `path`.part beside it and is renamed at
 * rd_trace_writer_close; a pipe, a device, or "-" (standard output) is written directly. `cells` is
 * the number of cells from which states are cut, at most RD_TRACE_CELLS_MAX: a larger one, as SIZE_MAX, stands for that.
 * RD_ERROR_IO, also if another run is writing that very file; RD_ERROR_MEMORY. */
enum rd_status rd_trace_writer_open(struct rd_trace_writer **writer, const char *path, size_t cells,
                                    struct rd_error *error);
/* The observer that writes the run to the trace, flushing line by line; lives as long as the
 * writer. A witness run is one trace of several passes. A full disk is RD_ERROR_IO. */
const struct rd_observer *rd_trace_writer_observer(struct rd_trace_writer *writer);
/* Returns the bytes that were written to a regular file so far; of anything else, 0. */
uint64_t rd_trace_writer_bytes(const struct rd_trace_writer *writer);
/* Ends the trace, renames the part to `path`, and frees the writer, also on failure. After a failed write, which the
 * observer has reported, the part stays as it is; if no run began, it is removed, and `path` is left alone. RD_ERROR_IO.
 * NULL is fine. */
enum rd_status rd_trace_writer_close(struct rd_trace_writer *writer, struct rd_error *error);

/* Finds the path of the last trace: $XDG_STATE_HOME/reductio/last.ndjson, by default below
 * ~/.local/state. path: char[size]. With `make`, makes the folder. RD_ERROR_IO if there is no such place. */
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
    /* If the trace defines the program, it lives until rd_replay_finish, as does all else that is pointed to here. */
    const struct rd_program *program;
    char type[8];
    enum rd_operation operation;
    char device[16];
    size_t n;
    enum rd_verdict verdict;                          /* of asserting every recorded step again */
    enum rd_verdict recorded;                         /* as the trace has it */
    enum rd_verdict obligations[RD_OBLIGATION_COUNT]; /* of the last pass */
    bool complete;                                    /* the trace has its last record */
    bool interrupted;                                 /* by that record, the run was interrupted */
    bool truncated;                                   /* by that record, the run lost checkpoints */
    unsigned steps;
    uint64_t checkpoints;
    struct rd_blocks blocks; /* whose checkpoints were observed */
    uint64_t cells;
    unsigned hazards;
    bool undefined; /* the result of a hazard's round is undefined: see rd_hazard_undefines */
    enum rd_unseen unseen;
    char undefined_by[RD_UNDEFINED_SIZE]; /* as struct rd_run has it; or "" */
    /* The device that had looked for hazards, as the trace says; NOBODY if it does not. */
    enum rd_hazards_by hazards_by;
    unsigned n_schedules; /* least number under which it tried a communicating launch; 0: unknown */
    size_t hazards_n;     /* n of the simulator's run beside the device's; 0: there was none */
    struct rd_trace_hazard hazard; /* the first; only where `hazards` is not 0 */
    bool violated;
    struct rd_violation violation; /* the first */
    struct rd_outcome outcome; /* computed from the trace; name NULL: the run ends with no number */
    char reason[RD_REPLAY_REASON]; /* why the trace is INCONCLUSIVE, or contradicts itself; or "" */
};

/* Asserts every invariant of the trace again; needs no device. "-" reads standard input. The caller calls
 * rd_replay_finish after success. RD_ERROR_INPUT: not a trace, or a foreign major version, or a garbled line, with its
 * number. RD_ERROR_IO. Then *replay is untouched. */
enum rd_status rd_trace_replay(const char *path, struct rd_replay *replay, struct rd_error *error);
/* Frees what rd_trace_replay made. */
void rd_replay_finish(struct rd_replay *replay);

/* Gives the findings as the result of a run, without evidence; it lives as long as *replay. */
struct rd_result rd_replay_result(const struct rd_replay *replay);

/* ---- comparing ---- */

enum { RD_TRACE_HEADER_MAX = 10, RD_TRACE_HAZARDS_MAX = 8 };

struct rd_trace_difference {
    bool differs;
    /* Differences between the headers, each in words: "n: 8 and 16". */
    unsigned n_header;
    char header[RD_TRACE_HEADER_MAX][112];
    /* The rest is the same, or is not comparable: `what` is then about the header. */
    bool only_header;
    bool steps_left_out; /* the steps were not compared, as by the headers they can't be the same */
    bool in_step; /* `step` is set: they differ there; otherwise in the header or in length */
    unsigned step;
    size_t pass;    /* the pass of that step; 0 but in witness runs */
    char place[96]; /* "block 1, warp 0, w = 16": the checkpoint within it; "" after the round */
    bool in_cell;   /* `array`, `cell`, `left` and `right` are set */
    char array[64]; /* "a", "b": of the inputs; "A", or "cache" and the like of a checkpoint */
    size_t cell;
    char left[64], right[64]; /* the two values as text */
    char what[128];           /* in words, for instance "n: 8 and 16" */
    /* Hazards that only one of the traces has, so far as there is room, each in words: "step 2: only the first trace has this
     * hazard: race: ...". What is above is then the first difference but for them. */
    unsigned n_hazards;
    char hazards[RD_TRACE_HAZARDS_MAX][160];
    bool only_hazards; /* there is no other: `what` is then the first of them */
};

/* Finds all differences between the headers of two traces, the hazards up to that which only one has, and the first
 * step and cell at which they differ. Only the headers are compared if programs, sizes or types differ, or if only
 * one trace has dead cells or witness values; rounds and checkpoints are not compared if the blocks or the grids
 * differ. Names of the device and the producer are not compared, nor is the number of the last block where one goes
 * on alone, as CUDA leaves it open; all else is, numbers by their bits. Statuses as for rd_trace_replay. */
enum rd_status rd_trace_diff(const char *left, const char *right,
                             struct rd_trace_difference *difference, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
