// SPDX-License-Identifier: MIT
/* The options of `reductio run`. Private to src/cli. */
#ifndef RD_CLI_RUN_OPTIONS_H
#define RD_CLI_RUN_OPTIONS_H

#include "device.h"
#include "program.h"

#include <stdbool.h>

enum rd_cli_color { RD_COLOR_AUTO, RD_COLOR_ALWAYS, RD_COLOR_NEVER };
enum rd_cli_frame { RD_FRAME_AUTO, RD_FRAME_ON, RD_FRAME_OFF };

struct rd_cli_run_options {
    const struct rd_program *program;
    size_t n;                         /* 0: the data's or the program's */
    const struct rd_numeric *numeric; /* never NULL */
    const char *values;               /* a spec for rd_values_init */
    bool witness;                     /* witness values, in their place */
    unsigned block;                   /* 0: the program's default */
    size_t grid;                      /* 0: likewise */
    struct rd_blocks blocks;          /* whose checkpoints are observed */
    const char *device;
    const char *trace; /* NULL: none asked for */
    size_t trace_cells;
    enum rd_cli_frame frame;
    enum rd_cli_color color;
    bool no_last, quiet, json;
};

/* Reads them; complains and exits where they are wrong. */
void rd_cli_run_options_parse(struct rd_cli_run_options *options, int argc, char **argv);

#endif
