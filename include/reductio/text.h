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
    bool witness;   /* the run is a witness run, and ends with rd_text_view_end_witness */
    bool wrap_last; /* break the last line, too, at the width, as no program parses it */
};

struct rd_text_view;

/* Creates a view; the caller owns *view. RD_ERROR_USAGE: the options' size is that of another version, `out` is NULL,
 * or `width` is too small. RD_ERROR_MEMORY. */
enum rd_status rd_text_view_create(struct rd_text_view **view,
                                   const struct rd_text_options *options, struct rd_error *error);

/* Returns the observer that prints the run; it lives as long as the view. Passes of a witness run are kept until
 * rd_text_view_end_witness; a pass of the premise that fails is printed like any other run, but for the last line. The
 * observer returns RD_ERROR_IO if `out` can't be written, and RD_ERROR_MEMORY. */
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
