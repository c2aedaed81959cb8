// SPDX-License-Identifier: MIT
/* Expected contents of buffers: the numbers of a file, an operation over what a buffer held before, or a law. */
#ifndef RD_CHECK_EXPECT_H
#define RD_CHECK_EXPECT_H

#include "check/kernel/spec.h"

#include <jansson.h>

struct rd_check;
struct rd_check_run;

enum rd_check_expected_kind {
    RD_CHECK_EXPECT_FILE,
    RD_CHECK_EXPECT_OPERATION,
    RD_CHECK_EXPECT_LAW,
};

/* Worked out from what the buffers begin with, before anything runs. */
struct rd_check_expectation {
    enum rd_check_expected_kind kind;
    unsigned buffer;
    char *source;          /* "'want'", "sum(0)", "the law": as messages have it */
    char *path;            /* of a file */
    void *cells;           /* elem[count]: what the cells should be */
    unsigned char *judged; /* [count]: not 0, the cell is asserted; NULL: all are */
    size_t n_judged;
    long double *exact,
        *limit;      /* [count]: also right within the limit of the exact value; NULL: to the bit */
    bool is_bounded; /* the limit is that of the roundings, rather than the user's */
    char *unjudged;  /* why nothing can be asserted; NULL: it can */
    /* An index: of any input that is like the best. */
    const struct rd_check_spec *indexed;
    void *inputs; /* elem[], of that */
    size_t first, n_indexed;
};

/* Reads it; all buffers must be known. RD_ERROR_USAGE, RD_ERROR_INPUT, RD_ERROR_IO, RD_ERROR_MEMORY; there is nothing to
 * finish then. */
enum rd_status rd_check_expectation_init(struct rd_check_expectation *expectation,
                                         const struct rd_check *check, const char *text,
                                         struct rd_error *error);
void rd_check_expectation_finish(struct rd_check_expectation *expectation);

/* A law, of which the text begins behind "law". */
enum rd_status rd_check_expect_law(struct rd_check_expectation *expectation,
                                   const struct rd_check *check, const char *text,
                                   struct rd_error *error);

/* The limit by --tolerance X: X times the magnitude of what is expected, or X itself where that is below 1. False: there
 * is none. */
bool rd_check_tolerance(const struct rd_check *check, double *tolerance);

/* Finds a buffer of the device by the index of its argument or by its name. RD_ERROR_USAGE. */
enum rd_status rd_check_find_buffer(const struct rd_check *check, const char *option,
                                    const char *name, size_t length, unsigned *buffer,
                                    struct rd_error *error);
/* Writes what a buffer holds before the launch. The caller frees it. RD_ERROR_USAGE: nothing; RD_ERROR_MEMORY. */
enum rd_status rd_check_input(const struct rd_check *check, unsigned buffer, void **cells,
                              struct rd_error *error);

/* All of them next to what the runs have left. */
json_t *rd_check_compare_expected(const struct rd_check *check, const struct rd_check_run *runs,
                                  unsigned n_runs);

#endif
