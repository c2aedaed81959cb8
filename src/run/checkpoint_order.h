// SPDX-License-Identifier: MIT
/* The checkpoints that a launch comes to, next to those that its program says it passes: of live runs and of
 * traces. A program says which they are, and in which order, by its points and the steps of its law there. */
#ifndef RD_RUN_CHECKPOINT_ORDER_H
#define RD_RUN_CHECKPOINT_ORDER_H

#include "reductio/device.h"
#include "reductio/hazards.h"
#include "reductio/program.h"

/* Faults at a checkpoint; each is a hazard. */
enum rd_amiss {
    RD_AMISS_ORDER,      /* came to, and not due: too many, in another order, or of no invariant */
    RD_AMISS_DIVERGENCE, /* not all came that should, or not with one value of the variable */
    RD_AMISS_WRITTEN,    /* its array is written with no barrier between */
    RD_AMISS_MISSING,    /* due, and nobody came */
    RD_AMISS_COUNT
};

enum rd_hazard_kind rd_amiss_hazard(enum rd_amiss amiss);

/* The first place of a fault, in the order in which a launch's checkpoints are reported. */
struct rd_amiss_place {
    uint64_t count;        /* of checkpoints; of those missing, of blocks that lack some; 0: none */
    struct rd_place place; /* where it was, */
    /* and of RD_AMISS_ORDER, where has_due, what was due there; else the end was */
    struct rd_place due;
    bool has_due;
    size_t n_cells; /* of RD_AMISS_ORDER: that the array has */
    /* RD_AMISS_DIVERGENCE: threads that came, and that should have; or: */
    unsigned threads, threads_due;
    bool mixed; /* they came with several values of the variable */
};

/* Begins by rd_checkpoint_order_init, and holds the blocks of one launch at a time. */
struct rd_checkpoint_order {
    const struct rd_program *program;
    struct rd_shape shape;
    enum rd_type type;
    struct rd_blocks blocks; /* that are observed */
    struct rd_order_point {
        const struct rd_point_invariant *invariant; /* NULL: the program has no such point */
        bool of_lanes;
        size_t n_cells;
    } points[RD_POINT_COUNT];
    struct rd_round round; /* under way, */
    bool has_round;
    bool begun;             /* and a block is: */
    uint64_t block;         /* this one, */
    bool is_last;           /* which has come to what the last block alone comes to, */
    bool diverged;          /* to one that not all came to, behind which nothing is in order, */
    bool lacks;             /* or not to one that it should have, */
    struct rd_place before; /* and to this one last; number 0: to none */
    unsigned warps;
    size_t next[RD_BLOCK_MAX / RD_WARP_LANES]; /* of each warp: which of its checkpoints is due, */
    unsigned told[RD_BLOCK_MAX / RD_WARP_LANES]; /* and the number that it was told of last */
    uint64_t *seen;                              /* the blocks before it */
    size_t n_seen, capacity;
    bool has_last;   /* one of them was the last */
    bool has_absent; /* some have come to no checkpoint at all */
    bool has_gap;    /* a warp was not told of at a number before the one that it has here: */
    struct rd_place gap;
    struct rd_amiss_place amiss[RD_AMISS_COUNT];
    bool was_amiss[RD_AMISS_COUNT]; /* in a run of the launch before this one: no more is counted */
};

/* `blocks`: as the launches' watch has it. The program and what it is run on must outlive it. */
void rd_checkpoint_order_init(struct rd_checkpoint_order *order, const struct rd_program *program,
                              enum rd_type type, const struct rd_shape *shape,
                              const struct rd_blocks *blocks);
void rd_checkpoint_order_finish(struct rd_checkpoint_order *order);

/* A launch of this round begins; what was amiss in the one before is forgotten. */
void rd_checkpoint_order_begin(struct rd_checkpoint_order *order, const struct rd_round *round);
/* The same launch is run again: what comes is compared anew. */
void rd_checkpoint_order_again(struct rd_checkpoint_order *order);
/* The most checkpoints that a thread of it comes to. */
size_t rd_checkpoint_order_most(const struct rd_checkpoint_order *order);
/* The lanes that should come to the place; 0 of a block's array. */
uint32_t rd_checkpoint_order_lanes(const struct rd_checkpoint_order *order,
                                   const struct rd_place *place);
/* A checkpoint of it is told, block by block as a watch is told of them. *sound: it is due, all came, and
 * nobody wrote: its invariant can be asserted. RD_ERROR_MEMORY. */
enum rd_status rd_checkpoint_order_take(struct rd_checkpoint_order *order,
                                        const struct rd_checkpoint *checkpoint, bool *sound,
                                        struct rd_error *error);
/* The launch is over: what was due and did not come is missing. */
void rd_checkpoint_order_end(struct rd_checkpoint_order *order);

/* Says what is amiss, and what to do: "block 0 comes to …". `count` must not be 0. */
void rd_checkpoint_order_text(const struct rd_checkpoint_order *order, enum rd_amiss amiss,
                              char *text, size_t size);

#endif
