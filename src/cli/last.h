// SPDX-License-Identifier: MIT
/* The trace of the last run, for later commands. Nobody has asked for it: where it can't be kept,
 * nothing is said, and the run goes on. Private to src/cli. */
#ifndef RD_CLI_LAST_H
#define RD_CLI_LAST_H

#include "reductio/run.h"
#include "reductio/trace.h"

/* With the first line that goes beyond it the trace ends, and a note says so. */
#define RD_CLI_LAST_BYTES ((uint64_t)64 << 20)

enum { RD_CLI_LAST_PATH_SIZE = 4096 };

struct rd_cli_last {
    struct rd_observer observer; /* for rd_run */
    struct rd_trace_writer *writer;
    bool full;                        /* the trace has ended before the run */
    char path[RD_CLI_LAST_PATH_SIZE]; /* where `verify --last` looks for it */
    char own[RD_CLI_LAST_PATH_SIZE];  /* where it is until the run is over */
};

/* Starts the trace, states cut to `cells`. The observer does nothing where that can't be. */
void rd_cli_last_init(struct rd_cli_last *last, size_t cells);
/* Makes it the trace of the last run. A trace that never began is no one's. */
void rd_cli_last_finish(struct rd_cli_last *last);

#endif
