// SPDX-License-Identifier: MIT
/* A check of one shape after the other: names in SPECs, --grid and --block stand for numbers that change. */
#ifndef RD_CHECK_SWEEP_H
#define RD_CHECK_SWEEP_H

#include "check/options.h"

#include <jansson.h>

enum { RD_CHECK_SHAPES_MAX = 1000000, RD_CHECK_SWEPT_TEXTS_MAX = 512 };

struct rd_check_sweep {
    struct rd_check_swept {
        char *name;
        const char *list; /* "1..1024", "32,64" */
        int64_t *values;
        size_t n;
    } all[RD_CHECK_SWEEPS_MAX];
    unsigned n;
    size_t n_shapes, shape;                /* the one that is checked, from 0 on */
    char *texts[RD_CHECK_SWEPT_TEXTS_MAX]; /* of this shape */
    unsigned n_texts;
    uint64_t threads; /* of the shapes before */
    json_t *notes;    /* what the shapes before have left open */
};

/* Reads the lists. RD_ERROR_USAGE, RD_ERROR_MEMORY; the caller finishes it in either case. */
enum rd_status rd_check_sweep_init(struct rd_check_sweep *sweep,
                                   const struct rd_check_options *options, struct rd_error *error);
void rd_check_sweep_finish(struct rd_check_sweep *sweep);

/* Makes the options of the shape: of their texts, in which its numbers stand for the names. *compiled is false where the
 * kernel depends on it. RD_ERROR_USAGE: a grid or block is none, or a name is not used; RD_ERROR_MEMORY. */
enum rd_status rd_check_sweep_shape(struct rd_check_sweep *sweep,
                                    const struct rd_check_options *given,
                                    struct rd_check_options *options, bool *compiled,
                                    struct rd_error *error);

/* Adds the shape to its report, "n = 33, block = 64", and what the shapes before have left open. */
void rd_check_sweep_note(struct rd_check_sweep *sweep, json_t *outcome);

#endif
