// SPDX-License-Identifier: MIT
/* CUDA's own checkers, run over this very program: --hazards sanitizer. Private to src/cli. */
#ifndef RD_CLI_SANITIZER_H
#define RD_CLI_SANITIZER_H

#include "cli/run_options.h"
#include "reductio/run.h"

#include <stdio.h>

/* Pairs of places; more are not told. */
enum { RD_CLI_REPORTS_MAX = 256, RD_CLI_REPORT_TEXT = 768 };

/* The checkers' reports, one for each pair of places. */
struct rd_cli_sanitizer {
    struct rd_hazard *hazards; /* count of them; for rd_run.given */
    unsigned count;
    struct rd_cli_report *reports; /* what they point to */
};

/* A report as it was read. */
struct rd_cli_report {
    struct rd_finding finding;
    char kind[16], files[2][256], message[RD_CLI_REPORT_TEXT];
    unsigned step;
};

/* Runs memcheck, racecheck, initcheck and synccheck on the run, in processes of their own. RD_ERROR_DEVICE where
 * compute-sanitizer is not installed, or could not look; RD_ERROR_USAGE where the run can't be made again;
 * RD_ERROR_MEMORY. */
enum rd_status rd_cli_sanitizer_run(struct rd_cli_sanitizer *sanitizer, const struct rd_run *run,
                                    const struct rd_cli_run_options *options,
                                    struct rd_error *error);
void rd_cli_sanitizer_finish(struct rd_cli_sanitizer *sanitizer);

/* Reads what a tool has written, and adds what it found. False where it did not come to its end. */
bool rd_cli_sanitizer_read(struct rd_cli_sanitizer *sanitizer, const struct rd_run *run,
                           const char *tool, FILE *output);

#endif
