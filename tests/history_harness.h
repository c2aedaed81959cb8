// SPDX-License-Identifier: MIT
/* Harness of the history's tests: a run as the plainest observer sees it, which keeps whole copies, and the history next
 * to it. */
#ifndef RD_TEST_HISTORY_HARNESS_H
#define RD_TEST_HISTORY_HARNESS_H

#include "harness.h"
#include "reductio/history.h"

/* A step, as it was told; arrays are copies. */
struct seen_step {
    struct rd_step step; /* what its pointers showed is copied to what follows */
    struct rd_round round;
    struct rd_place place;
    char statement[RD_STATEMENT_SIZE];
    struct rd_violation violation;
    void *cells;
    struct rd_expect expect; /* numeric, shape, n, any_order; cells: what array cell k must hold */
    unsigned char *wrong;    /* of the cells that are known, which are wrong */
    size_t before;           /* the step that shows the same array before; itself: none does */
    unsigned hazards;        /* told since the step before; not at checkpoints */
};

struct seen {
    struct rd_values values;
    struct rd_run run;
    struct rd_result result;
    size_t n_steps, room;
    struct seen_step *steps;
    unsigned hazards;
};

/* The run of a case, with go_on, on its inputs; seen_finish frees what it left. */
void seen_run(struct seen *seen, const struct test_case *test);
/* The same with changes to the run made before. */
void seen_init(struct seen *seen, const struct test_case *test);
void seen_make(struct seen *seen);
void seen_finish(struct seen *seen);

/* The history of a case, with go_on; history_finish ends both. */
struct rd_history *history_make(struct seen *seen, const struct test_case *test);
/* The history of a run that is ready, and was changed. */
struct rd_history *history_of(struct seen *seen);
void history_finish(struct seen *seen, struct rd_history *history);

/* The value of the array's cell at that step; false where it was not copied. */
bool seen_cell(const struct seen *seen, size_t step, size_t index, rd_bits *value);

/* The cell of the history, which can be looked into. */
struct rd_history_cell cell_of(struct rd_history *history, size_t frame, size_t index);

/* Each frame and each cell of the history is what was seen. */
void assert_history_is(struct rd_history *history, const struct seen *seen);
/* The frames alone. */
void assert_frames_are(struct rd_history *history, const struct seen *seen);
/* The cells of one frame. */
void assert_cells_are(struct rd_history *history, const struct seen *seen, size_t frame);

#endif
