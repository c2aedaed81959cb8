// SPDX-License-Identifier: MIT
/* Compares the checkpoints that the threads of a launch come to with those that the program documents, by its points
 * and the steps of its law there; for live runs and traces. */
#ifndef RD_RUN_CHECKPOINT_ORDER_H
#define RD_RUN_CHECKPOINT_ORDER_H

#include "reductio/device.h"
#include "reductio/hazards.h"
#include "reductio/program.h"

/* Faults at a checkpoint; each is a hazard. */
enum rd_amiss {
    RD_AMISS_ORDER,      /* it was not due: one too many, another order, or of no invariant */
    RD_AMISS_DIVERGENCE, /* threads are absent, or have several values of the variable */
    RD_AMISS_WRITTEN,    /* its array is written with no barrier between */
    RD_AMISS_MISSING,    /* it was due, and no thread came */
    RD_AMISS_COUNT
};

enum rd_hazard_kind rd_amiss_hazard(enum rd_amiss amiss);

/* The first place of a fault, in the order in which a launch's checkpoints are reported. */
struct rd_amiss_place {
    uint64_t count; /* of checkpoints with that fault, of RD_AMISS_MISSING of blocks; 0: none */
    struct rd_place place;
    /* RD_AMISS_ORDER: the place that was due; without has_due, the end of the block was. */
    struct rd_place due;
    bool has_due;
    size_t n_cells; /* of the array at `place` */
    /* RD_AMISS_DIVERGENCE: threads that came, and that should have. */
    unsigned threads, threads_due;
    bool mixed; /* their values of the variable differ */
};

/* State of the comparison, for one launch at a time. */
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
    struct rd_round round; /* of the launch */
    bool has_round;
    /* The block whose checkpoints are being taken. */
    bool begun; /* there is one */
    uint64_t block;
    bool is_last;  /* it has come to a point that only the last block comes to */
    bool diverged; /* not all of its threads came to a checkpoint: no order counts behind that */
    bool lacks;    /* it has missed a checkpoint */
    struct rd_place before; /* its last checkpoint; number 0: none so far */
    unsigned warps;
    size_t next[RD_BLOCK_MAX / RD_WARP_LANES];   /* by warp: the checkpoint that is due */
    unsigned told[RD_BLOCK_MAX / RD_WARP_LANES]; /* by warp: the number of its last checkpoint */
    /* Earlier blocks of the launch. */
    uint64_t *seen; /* [n_seen] */
    size_t n_seen, capacity;
    bool has_last;   /* one was the last block */
    bool has_absent; /* some have come to no checkpoint at all */
    bool has_gap;    /* a warp has skipped a number before its checkpoint `gap` */
    struct rd_place gap;
    struct rd_amiss_place amiss[RD_AMISS_COUNT];
    bool was_amiss
        [RD_AMISS_COUNT]; /* an earlier run of the launch had the fault, which counts once */
};

/* Sets it up for launches of the program, of which `blocks` are observed. The program must outlive it. */
void rd_checkpoint_order_init(struct rd_checkpoint_order *order, const struct rd_program *program,
                              enum rd_type type, const struct rd_shape *shape,
                              const struct rd_blocks *blocks);
void rd_checkpoint_order_finish(struct rd_checkpoint_order *order);

/* Begins a launch of this round, and forgets the faults of the one before. */
void rd_checkpoint_order_begin(struct rd_checkpoint_order *order, const struct rd_round *round);
/* Begins another run of the same launch, which is compared anew. */
void rd_checkpoint_order_again(struct rd_checkpoint_order *order);
/* Returns how many checkpoints a thread of the launch comes to at most. */
size_t rd_checkpoint_order_most(const struct rd_checkpoint_order *order);
/* Returns the lanes that should come to the place; 0 for a block's array. */
uint32_t rd_checkpoint_order_lanes(const struct rd_checkpoint_order *order,
                                   const struct rd_place *place);
/* Takes the next checkpoint of the launch; they come block by block. *sound: it is due, and all threads came, so that
 * its invariant can be asserted. RD_ERROR_MEMORY. */
enum rd_status rd_checkpoint_order_take(struct rd_checkpoint_order *order,
                                        const struct rd_checkpoint *checkpoint, bool *sound,
                                        struct rd_error *error);
/* Ends the launch: checkpoints that were due and did not come are missing. */
void rd_checkpoint_order_end(struct rd_checkpoint_order *order);

/* Says what is amiss, and what to do: "block 0 comes to …". `count` must not be 0. */
void rd_checkpoint_order_text(const struct rd_checkpoint_order *order, enum rd_amiss amiss,
                              char *text, size_t size);

#endif
