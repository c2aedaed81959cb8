// SPDX-License-Identifier: MIT
/* The invariants inside kernels, asserted checkpoint by checkpoint: of live runs and of traces. */
#ifndef RD_RUN_POINTS_H
#define RD_RUN_POINTS_H

#include "run/assertion.h"
#include "run/blocks_ahead.h"

enum { RD_WARPS_MAX = 32 }; /* of a block */

/* Expected array at each point of a program. */
struct rd_points {
    const struct rd_program *program;
    struct rd_shape shape;
    unsigned round;    /* asserted last; 0: none */
    uint64_t n_blocks; /* of its launch; 0 where there is none */
    struct rd_points_array {
        const struct rd_point_invariant *invariant; /* NULL: the program has no such point */
        struct rd_expect expect;                    /* its cells are a slot's */
        /* The state expected last: of the block, or of each of its warps, which come in turns. */
        struct rd_points_slot {
            bool begun;
            uint64_t block, variable;
            void *cells; /* elem[expect.n] */
            struct rd_blocks_ahead ahead;
        } slots[RD_WARPS_MAX];
    } arrays[RD_POINT_COUNT];
};

/* a and b must outlive it. RD_ERROR_MEMORY. */
enum rd_status rd_points_init(struct rd_points *points, const struct rd_program *program,
                              const struct rd_numeric *numeric, const struct rd_shape *shape,
                              const void *a, const void *b, struct rd_error *error);
/* The most cells that any of them has. */
size_t rd_points_cells_max(const struct rd_points *points);
void rd_points_finish(struct rd_points *points);

/* Asks whether a kernel of that round can come to the place at all: of what a trace says, nothing is
 * sure. A point that the program does not have is left to rd_points_assert. RD_ERROR_INPUT with the
 * reason. */
enum rd_status rd_points_accept(const struct rd_program *program, enum rd_type type,
                                const struct rd_shape *shape, unsigned round,
                                const struct rd_place *place, struct rd_error *error);

/* The array as it must be at a place that can be, of a point that the program has; until the next call. RD_ERROR_MEMORY. */
enum rd_status rd_points_expect(struct rd_points *points, const struct rd_place *place,
                                struct rd_expect **expect, struct rd_error *error);

/* The checkpoints that follow are of another run of the launch. */
void rd_points_again(struct rd_points *points);

/* Asserts the invariant of a checkpoint of the round `number`, at a place that can be. *step is all but `round`
 * of what observers see; what it points to is valid until the next call. *violation is set where VIOLATED.
 * RD_ERROR_INPUT where the program has no such point, or the array has another size. */
enum rd_status rd_points_assert(struct rd_points *points, unsigned number,
                                const struct rd_checkpoint *checkpoint, struct rd_step *step,
                                struct rd_violation *violation, struct rd_error *error);

#endif
