// SPDX-License-Identifier: MIT
/* Which inputs a value is made of. Private to src/law. */
#ifndef RD_LAW_INPUTS_H
#define RD_LAW_INPUTS_H

#include "law/run.h"

/* The inputs in an array before an update, for values that speak of it. */
struct law_states {
    const struct rd_law_cells *before; /* the section's own array; NULL: nothing is known of it */
    struct law_last_inputs
        *last;    /* arrays at points after their last steps, as far as they were asked for */
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
void rd_law_states_finish(struct law_states *states);

/* Puts items[first] and those behind into ascending order. */
void rd_law_tally_sort(struct law_tally *tally, size_t first);

#endif
