// SPDX-License-Identifier: MIT
/* From the options of `reductio run` to a run: its inputs and its device. Private to src/cli. */
#ifndef RD_CLI_RUN_SETUP_H
#define RD_CLI_RUN_SETUP_H

#include "cli/progress.h"
#include "cli/run_options.h"
#include "cli/sanitizer.h"
#include "reductio/run.h"
#include "reductio/values.h"

struct rd_cli_run_setup {
    struct rd_values values;
    struct rd_device *device; /* open; NULL: not yet */
    struct rd_cli_sanitizer sanitizer;
    struct rd_cli_progress progress; /* of the run; to be cleared before anything is written */
    struct rd_run run;
};

/* Makes the inputs and opens the device; the run is interrupted where *interrupted says so. `why`
 * says in a phrase why this device was taken. RD_ERROR_USAGE, or as rd_values_init and
 * rd_device_open; rd_cli_run_setup_finish is due also after a failure. */
enum rd_status rd_cli_run_setup_init(struct rd_cli_run_setup *setup,
                                     const struct rd_cli_run_options *options,
                                     const volatile sig_atomic_t *interrupted, struct rd_error *why,
                                     struct rd_error *error);
void rd_cli_run_setup_finish(struct rd_cli_run_setup *setup);

/* Tells whether the program takes this n, with the block and the grid that are asked for. */
bool rd_cli_takes(const struct rd_program *program, const struct rd_shape *asked, size_t n);

#endif
