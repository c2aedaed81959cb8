// SPDX-License-Identifier: MIT
/* The options of `reductio run`, and of what else makes runs. Private to src/cli. */
#ifndef RD_CLI_RUN_OPTIONS_H
#define RD_CLI_RUN_OPTIONS_H

#include "reductio/run.h"
#include "reductio/program.h"
#include "view/results.h"
#include "cli/cli.h"
#include "reductio/values.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

enum rd_cli_color { RD_COLOR_AUTO, RD_COLOR_ALWAYS, RD_COLOR_NEVER };
enum rd_cli_frame { RD_FRAME_AUTO, RD_FRAME_ON, RD_FRAME_OFF };

struct rd_cli_run_options {
    const struct rd_program *program;
    size_t n;                         /* 0: the data's or the program's */
    const struct rd_numeric *numeric; /* never NULL */
    bool has_operation;               /* `operation` was asked for */
    enum rd_operation operation;
    const char *values;      /* a spec for rd_values_init */
    bool witness;            /* witness values, in their place */
    bool sets;               /* of a view: it begins with the cells' sets of inputs */
    unsigned block;          /* 0: the program's default */
    size_t grid;             /* 0: likewise */
    struct rd_blocks blocks; /* whose checkpoints are observed */
    const char *device;
    const char *trace; /* NULL: none asked for */
    size_t trace_cells;
    enum rd_cli_frame frame;
    enum rd_hazards_by hazards_by;
    unsigned n_schedules; /* 0: RD_SCHEDULES_TRIED */
    bool expect_nondeterminism;
    enum rd_cli_color color;
    const char *law;             /* to be judged, or @FILE; NULL: none */
    size_t sizes_from, sizes_to; /* of a law: each n of these; 0: one n */
    bool no_last, quiet, json;
    enum rd_format format; /* of standard output, in place of text */
};

/* For subcommands with options of their own beside those that say what to run, and how: start with
 * the defaults and the subcommand's name, have rd_cli_run_shared_argp as a child whose input are
 * the options, and resolve what was left open where there is a program. They complain and exit
 * where something is wrong. */
void rd_cli_run_options_init(struct rd_cli_run_options *options, const char *subcommand);
extern const struct argp rd_cli_run_shared_argp;
/* Fills in what the user left to the program, and refuses what does not go together. */
void rd_cli_run_options_resolve(struct rd_cli_run_options *options);
/* The same for views of a run that is over. Where no device is named, a program that may not end on a
 * GPU, and would keep it busy meanwhile, is run by the simulator. A view asks for the cells' sets of
 * inputs whatever the values are, so that witness values become the program's own, and `sets`. */
void rd_cli_run_options_for_view(struct rd_cli_run_options *options);

/* Tells whether what goes to `file` is coloured, as --color says. */
bool rd_cli_run_options_color(const struct rd_cli_run_options *options, FILE *file);

/* Reads those of `run`; complains and exits where they are wrong. */
void rd_cli_run_options_parse(struct rd_cli_run_options *options, int argc, char **argv);

/* CUDA's own checkers, run over this very program: --hazards sanitizer. Private to src/cli. */

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

/* Makes a run, with its inputs and its device, from the options of `reductio run`. Private to src/cli. */

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
