// SPDX-License-Identifier: MIT
/* Blocks come to their checkpoints one after the other, and each to the same ones: what their arrays must hold is worked
 * out for many of them side by side, as soon as the first of them asks. */
#ifndef RD_RUN_BLOCKS_AHEAD_H
#define RD_RUN_BLOCKS_AHEAD_H

#include "reductio/checkpoint.h"
#include "reductio/program.h"

/* The arrays of blocks `first` to `first` + n_blocks - 1 at a point, or those of one warp of them. Begins as zeros. */
struct rd_blocks_ahead {
    uint64_t first;
    size_t n_blocks; /* 0: none came so far; of 1 nothing is kept */
    size_t n_cells;  /* of each; 0: not asked yet */
    uint64_t end;    /* the caller's: the launch has so many blocks; 0: who knows */
    bool never;      /* they aren't worked out side by side here */
    unsigned n_refused;
    size_t n_steps, capacity;
    struct rd_step_ahead {
        uint64_t variable;
        struct rd_claim claim;
        void *cells; /* elem[n_blocks * n_cells] */
        size_t size_bytes;
    } * steps;
};

/* Finds what the place's array must hold, of expect->n cells or fewer: *cells, valid until the next call, with its claim.
 * *cells is NULL where it must be worked out for this block alone. RD_ERROR_MEMORY, RD_ERROR_INTERRUPTED. */
enum rd_status rd_blocks_ahead_find(struct rd_blocks_ahead *ahead, const struct rd_program *program,
                                    const struct rd_expect *expect, const struct rd_place *place,
                                    void **cells, struct rd_claim *claim, struct rd_error *error);
void rd_blocks_ahead_finish(struct rd_blocks_ahead *ahead);

#endif
