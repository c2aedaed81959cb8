// SPDX-License-Identifier: MIT
/* The file of --svg. Private to src/cli. */
#ifndef RD_CLI_SVG_H
#define RD_CLI_SVG_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stdio.h>

struct rd_cli_svg {
    const char *path; /* NULL: none asked for */
    FILE *file;
};

/* Opens it, where one is asked for: before anything is measured, so that a path that can't be written
 * is told at once. RD_ERROR_USAGE, RD_ERROR_IO. */
enum rd_status rd_cli_svg_open(struct rd_cli_svg *svg, const char *path, struct rd_error *error);

/* Ends it. Where the benchmark has failed, or the chart can't be written, no file is left, unless it
 * is a device or the like. RD_ERROR_IO; `status` where that is not RD_OK. */
enum rd_status rd_cli_svg_close(struct rd_cli_svg *svg, enum rd_status status,
                                struct rd_error *error);

#endif
