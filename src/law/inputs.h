// SPDX-License-Identifier: MIT
/* Which inputs a value is made of. Private to src/law. */
#ifndef RD_LAW_INPUTS_H
#define RD_LAW_INPUTS_H

#include "law/run.h"

/* Flat indices, one as often as it is counted. */
struct law_tally {
    uint64_t *items;
    size_t count, capacity;
};

/* Adds the indices of the value to the tally. `input`: as for rd_law_cells_init, but not RD_LAW_NO_INPUT. */
bool rd_law_inputs(struct rd_law_run *run, const struct law_node *value, int input,
                   struct law_tally *tally);

/* Puts items[first] and those behind into ascending order. */
void rd_law_tally_sort(struct law_tally *tally, size_t first);

#endif
