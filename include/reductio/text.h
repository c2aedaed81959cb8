// SPDX-License-Identifier: MIT
/* The text view: each step as boxes, the invariant with its numbers, the verdicts.
 *
 * Thread safety: any thread may call these functions; a view serves one at a time. */
#ifndef RD_TEXT_H
#define RD_TEXT_H

#include "run.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct rd_text_options {
    size_t size;    /* sizeof(struct rd_text_options), or 0: see struct rd_run */
    FILE *out;      /* the caller's */
    unsigned width; /* columns, at least 20 */
    bool color;     /* SGR sequences; everything shows without them too */
    bool quiet;     /* the last line only */
    bool witness;   /* it is of a witness run, and ends with rd_text_view_end_witness */
    bool wrap_last; /* break the last line, too, at the width: nobody but people reads it */
};

struct rd_text_view;

/* RD_ERROR_USAGE: no such options. RD_ERROR_MEMORY. */
enum rd_status rd_text_view_create(struct rd_text_view **view,
                                   const struct rd_text_options *options, struct rd_error *error);

/* The observer that prints the run. Of a witness run it keeps what each pass shows: see below; what fails its
 * premise it prints like any other run, but for the last line. RD_ERROR_IO where `out` can't be written,
 * RD_ERROR_MEMORY. */
const struct rd_observer *rd_text_view_observer(struct rd_text_view *view);

/* Prints a witness run, once all its passes have been observed. `result` is what rd_witness_run
 * gave. RD_ERROR_IO. */
enum rd_status rd_text_view_end_witness(struct rd_text_view *view, const struct rd_result *result,
                                        struct rd_error *error);

void rd_text_view_destroy(struct rd_text_view *view); /* NULL is fine */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
