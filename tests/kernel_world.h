// SPDX-License-Identifier: MIT
/* A launch that is worked out from the terms of its kernel, at one point: n, block, grid, inputs, round. For tests. */
#ifndef RD_TEST_KERNEL_WORLD_H
#define RD_TEST_KERNEL_WORLD_H

#include "kernel_terms.h"
#include "term_value.h"

enum { ARRAYS_MAX = 4, MOMENTS_MAX = 200, THREADS_MAX = 1024, KEPT_MAX = 8 };

struct memory {
    const struct rd_prove_array *array;
    size_t size;
    rd_wide *cells;
    bool *known;
};

/* All that threads of a block see at a cut. */
struct moment {
    const char *point; /* NULL: the launch, or the end */
    rd_wide variable;
    struct memory arrays[ARRAYS_MAX];
    size_t n_threads;
    rd_wide *lanes;
    bool *has_lane;
};

struct write {
    const struct rd_prove_array *array;
    rd_wide index, value;
    bool known, is_atomic;
    unsigned phase;
};

/* A loop's variable of a thread. */
struct kept {
    rd_term head;
    rd_wide value;
};

struct world {
    const struct rd_program *program;
    struct program *terms;
    struct launch *launch;
    const struct rd_numeric *numeric;
    struct rd_shape shape;
    struct environment environment;
    size_t n_names; /* of the launch */
    rd_wide *inputs[RD_SUBJECT_UNITS_MAX];
    size_t n_inputs[RD_SUBJECT_UNITS_MAX], one; /* that of 1, of the last one chosen */
    rd_wide *A, *A_after;
    bool *A_known;
    size_t n_A, block, grid;
    size_t n_moments, current; /* of this block; the one that the thread is at */
    struct moment moments[MOMENTS_MAX];
    size_t n_kept[THREADS_MAX];
    struct kept kept[THREADS_MAX][KEPT_MAX];
    size_t points, not_zero, unknown;
};

/* The value of a cell, or of a lane, at a cut: for an environment. */
bool world_apply(void *self, struct environment *environment, rd_term term, rd_wide *value);
/* The value of the term; *known: all that it depends on is known. */
rd_wide world_value(struct world *world, rd_term term, bool *known);
void world_set_thread(struct world *world, size_t block, size_t thread);
/* Has all threads of a block go from cut to cut, together as far as they come to the same: what they see there are
 * the moments, and what they leave in A is in A_after. Fails the test where a thread has no way, or two. */
void world_work_out(struct world *world, size_t block);
void world_forget(struct world *world);

#endif
