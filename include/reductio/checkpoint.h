// SPDX-License-Identifier: MIT
/* Checkpoints: points inside a kernel at which an invariant is asserted. kernels/checkpoint.h has
 * the macros that mark them. */
#ifndef RD_CHECKPOINT_H
#define RD_CHECKPOINT_H

#include "kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands for the whole block in place of a warp: see rd_place. */
enum { RD_WHOLE_BLOCK = -1 };

enum { RD_WARP_LANES = 32 };

/* The place in an execution at which a checkpoint was reached. */
struct rd_place {
    enum rd_point point;
    uint64_t block;    /* linear in the grid */
    int warp;          /* whose lanes hand in a value each; RD_WHOLE_BLOCK: an array of the block */
    unsigned number;   /* 1 for the first that the threads of the block come to */
    uint64_t variable; /* the loop's variable there */
};

/* Tells whether both are the same place of an execution; the loop's variable follows from it. */
static inline bool rd_place_same(const struct rd_place *x, const struct rd_place *y)
{
    return x->point == y->point && x->block == y->block && x->warp == y->warp &&
           x->number == y->number;
}

/* A checkpoint as a device observed it. */
struct rd_checkpoint {
    struct rd_place place;
    const void *cells; /* elem[n_cells]; of a warp, by lanes */
    size_t n_cells;
    uint32_t present; /* of a warp: the lanes that came; the others' cells say nothing */
    unsigned threads; /* number of threads that came, with this value of the variable */
    bool mixed;   /* `threads` includes some with another value: the device can't tell them apart */
    bool written; /* of an array: a thread wrote to it in the barrier interval, before it came */
    unsigned trial;       /* number of the launch's run: 0 for the first, k for the k-th after it */
    const char *schedule; /* of that run */
};

#endif
