// SPDX-License-Identifier: MIT
/* Shows the progress of a long run in one line on the terminal. Private to src/cli. */
#ifndef RD_CLI_PROGRESS_H
#define RD_CLI_PROGRESS_H

#include "reductio/run.h"

/* Below so many elements a run is over before anybody could read the line. */
enum { RD_CLI_PROGRESS_MIN = 1 << 22, RD_CLI_PROGRESS_PASSES_MIN = 1 << 20 };

/* It must stay where it was initialised. */
struct rd_cli_progress {
    struct rd_progress progress; /* for rd_run */
    struct rd_observer observer; /* clears the line before others write; let it be the first */
    bool on;                     /* standard error is a terminal, and the run is a long one */
    bool shown;                  /* the line is there */
    char pass[64];               /* "pass 3 of 142 on other values: "; "" where there is none */
};

/* For a run over so many elements, in all its passes. */
void rd_cli_progress_init(struct rd_cli_progress *progress, size_t n_elems);

/* Whatever its size. */
void rd_cli_progress_init_always(struct rd_cli_progress *progress);

/* Shows a line in the place of the one before. */
void rd_cli_progress_show(struct rd_cli_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Leaves the terminal as if there had been none. */
void rd_cli_progress_clear(struct rd_cli_progress *progress);

#endif
