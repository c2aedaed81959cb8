// SPDX-License-Identifier: MIT
/* Findings that the user knows of, and passes over: by their kind and line, each with a reason. */
#ifndef RD_CHECK_SUPPRESSIONS_H
#define RD_CHECK_SUPPRESSIONS_H

#include "reductio/hazards.h"
#include "reductio/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct rd_check_suppressions {
    struct rd_check_suppression {
        enum rd_hazard_kind kind;
        char *file, *reason;
        unsigned line;   /* of the file of the kernel, */
        unsigned number; /* and its own */
        unsigned used;   /* findings, in all shapes of a sweep */
    } * all;
    size_t n, capacity;
    const char *path;
};

/* Reads lines "race FILE:LINE REASON"; # begins a comment. RD_ERROR_USAGE: a line is none; RD_ERROR_IO, RD_ERROR_MEMORY. */
enum rd_status rd_check_suppressions_init(struct rd_check_suppressions *suppressions,
                                          const char *path, struct rd_error *error);
void rd_check_suppressions_finish(struct rd_check_suppressions *suppressions);

/* Moves the suppressed hazards of a report to its member "suppressed", each with its reason, and lists in
 * "unused_suppressions" those that no hazard was suppressed by. */
void rd_check_suppress(struct rd_check_suppressions *suppressions, json_t *outcome);

#endif
