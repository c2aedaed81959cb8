// SPDX-License-Identifier: MIT
/* The annotations of a program that is run whole: its files with them, and what is found out about them. */
#ifndef RD_CHECK_PROGRAM_LAWS_H
#define RD_CHECK_PROGRAM_LAWS_H

#include "check/source/includes.h"
#include "check/playback/played.h"
#include "check/program/program.h"
#include "check/program/recording.h"

struct rd_check_laws {
    unsigned n_files; /* those of the command line, and behind them headers that have annotations */
    char **texts;     /* of the files, in which the annotations lie */
    struct rd_check_functions *functions;
    struct rd_annotations *files;
    struct rd_check_includes includes; /* the headers of all files */
    struct rd_played played;
    struct rd_played_summary summary;
    unsigned n;      /* annotations, */
    bool in_kernels; /* of which some are in the device's code */
    /* The run with the program's own inputs, where this one has others; else NULL. */
    const struct rd_played *own;
    const char *values, *given_names; /* what others, and of which inputs */
    bool stopped;                     /* the program did not end by itself */
    bool told; /* what is found out is printed, on a line of its own behind the program's output */
};

/* Reads the annotations of all files. RD_ERROR_USAGE becomes RD_ERROR_INPUT: "FILE:LINE:COLUMN: message". Errors as of
 * rd_check_read_source(). Finished also after an error. */
enum rd_status rd_check_laws_init(struct rd_check_laws *laws,
                                  const struct rd_check_program_options *options,
                                  struct rd_error *error);
void rd_check_laws_finish(struct rd_check_laws *laws);

/* Takes what the program has told. RD_ERROR_MEMORY. */
enum rd_status rd_check_laws_take(struct rd_check_laws *laws,
                                  const struct rd_recording_event *event, struct rd_error *error);

/* Asserts them, and prints what is found out, or adds it to the results, which may be NULL. `again` as in struct
 * rd_played_options, or NULL. */
enum rd_status rd_check_laws_judge(struct rd_check_laws *laws,
                                   const struct rd_check_program_options *options,
                                   struct rd_results *results, const struct rd_played_again *again,
                                   struct rd_error *error);

/* Tells whether all that was asserted is what the program requires: what it does can hold nothing then. */
bool rd_check_laws_are_requirements(const struct rd_check_laws *laws);
/* "2 invariants and 3 assertions, 1 violated, 22 cells asserted". */
void rd_check_laws_text(const struct rd_check_laws *laws, char text[300]);

#endif
