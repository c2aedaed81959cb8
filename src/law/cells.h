// SPDX-License-Identifier: MIT
/* The cells that claims name, with their inputs. Private to src/law. */
#ifndef RD_LAW_CELLS_H
#define RD_LAW_CELLS_H

#include "law/run.h"

/* The cells that claims name at a place. Private to src/law. */

struct law_claimed {
    const struct law_claim *claim;
    int64_t cell; /* flat; */
    bool outside; /* or one that the array doesn't have: the index that is outside */
};

/* Visits each cell of each active claim, with the claim's variables set; then their values can be told. False
 * where a visit was, or the run failed. */
typedef bool law_claim_visit(struct rd_law_run *run, const struct law_claimed *claimed,
                             void *context);
bool rd_law_claimed_cells(struct rd_law_run *run, const struct law_claims *claims,
                          law_claim_visit *visit, void *context);

/* The inputs of which a value is made. Private to src/law. */

/* The inputs in an array before an update, for values that speak of it. */
struct law_states {
    const struct rd_law_cells *before; /* the section's own array; NULL: nothing is known of it */
    /* Arrays at points after their last steps, as far as they were asked for. */
    struct law_last_inputs *last;
    bool unknown; /* set where a cell was read of which nothing is known */
};

/* Flat indices, one as often as it is counted. */
struct law_tally {
    uint64_t *items;
    size_t count, capacity;
    struct law_states *states; /* NULL: in a law, which speaks of no array */
};

/* Adds the indices of the value to the tally. `input`: as for rd_law_cells_init, but not RD_LAW_NO_INPUT. */
bool rd_law_inputs(struct rd_law_run *run, const struct law_node *value, int input,
                   struct law_tally *tally);

/* Adds what a cell of the section's array, or of one at a point after its last step, holds. */
bool rd_law_state_inputs(struct rd_law_run *run, const struct law_node *element, int input,
                         struct law_tally *tally);
/* Adds an index. */
bool rd_law_tally_add(struct rd_law_run *run, struct law_tally *tally, uint64_t item);

/* Puts items[first] and those behind into ascending order. */
void rd_law_tally_sort(struct law_tally *tally, size_t first);

/* Collects the claims' cells at the run's place. With `states`, the values may speak of arrays, and *unknown is handed
 * out: for each cell, whether it depends on a cell of unknown value. The caller finishes the cells and frees *unknown. */
bool rd_law_collect(struct rd_law_run *run, const struct law_claims *claims, int input,
                    struct law_states *states, struct rd_law_cells *cells, bool **unknown);

#endif
