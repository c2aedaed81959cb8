// SPDX-License-Identifier: MIT
/* What cells of a frame hold, in runs on inputs of our choice: each a probe. One reading serves many
 * cells of its frame, side by side. Private to src/history. */
#ifndef RD_HISTORY_READING_H
#define RD_HISTORY_READING_H

#include "reductio/run.h"
#include "reductio/history.h"

/* A probe gives each of some inputs a digit of its own; with 0 bits, each a random weight. All others
 * are 0. */
struct rd_reading_plan {
    unsigned digit_bits;
    size_t per_probe; /* so many inputs, one behind the other */
    size_t probes;
};

enum { RD_READING_CELLS = 1024 };

struct rd_reading {
    bool made;
    size_t frame; /* its number */
    struct rd_reading_plan plan;
    size_t n;        /* inputs */
    size_t stride;   /* the state has each so many-th cell */
    size_t first;    /* the first of these that is kept, */
    size_t n_cells;  /* and how many are */
    uint64_t *cells; /* [probes][n_cells] */
};

/* Digits of so many bits. */
struct rd_reading_plan rd_reading_digits(size_t n, unsigned digit_bits);
/* So many groups of inputs, or fewer. */
struct rd_reading_plan rd_reading_groups(size_t n, size_t groups);

/* What is to be read: a cell of a frame, and its neighbours. */
struct rd_reading_request {
    const struct rd_frame *frame;
    size_t number, cell;
    struct rd_reading_plan plan;
};

/* Makes the probes. `run` is on witness values: of type u64, its second input all ones. RD_ERROR_INPUT
 * where a probe does not come to the frame; RD_ERROR_MEMORY; as rd_run. */
enum rd_status rd_reading_init(struct rd_reading *reading, const struct rd_run *run,
                               const struct rd_reading_request *request, struct rd_error *error);
bool rd_reading_has(const struct rd_reading *reading, const struct rd_reading_request *request);
void rd_reading_finish(struct rd_reading *reading);

/* Of the cell: how often each input is in it, modulo what a digit holds, beyond wanted[] times. */
void rd_reading_differences(const struct rd_reading *reading, size_t cell,
                            const unsigned char *wanted, int64_t *differences);

/* In how many groups the cell differs from wanted[]. */
size_t rd_reading_wrong_groups(const struct rd_reading *reading, size_t cell,
                               const unsigned char *wanted);

/* A random weight for an input. */
uint64_t rd_reading_weight(size_t input);

#endif
