// SPDX-License-Identifier: MIT
/* Counts as sets of inputs: 1 where a condition on the input holds, else 0, is the set of the inputs for which it does. */
#ifndef RD_PROVE_COUNT_SETS_H
#define RD_PROVE_COUNT_SETS_H

#include "prove/logic/term.h"

/* Returns the condition under which the count is 1, where it is 0 else; NULL where it may be another number. What a dead cell holds is
 * left out: in a sum of counts that is 0 or 1 for whatever it holds, it has no part. */
rd_term rd_count_set_of(struct rd_terms *terms, rd_term count);

/* Adds the sets whose counts are added, but for those that are empty; false where the value is no such sum. */
bool rd_count_sets_of(struct rd_terms *terms, rd_term value, struct rd_term_list *sets);

/* Writes that the sets make the other one, short ones first: "{j mod 8 = 1} and {j mod 8 = 5} are disjoint, and together
 * {j mod 4 = 1}". */
void rd_count_sets_print(struct rd_term_list *sets, rd_term together, FILE *out);
void rd_count_set_print(rd_term set, FILE *out);

/* Writes conditions that all hold, each once: "0 <= i < n and j mod w = i". At most 64 are written. */
void rd_conditions_print(unsigned count, const rd_term *parts, FILE *out);

#endif
