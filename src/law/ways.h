// SPDX-License-Identifier: MIT
/* The ways of inputs into values, the other way round than a law says them: from the element to the cell. Private to
 * src/law. */
#ifndef RD_LAW_WAYS_H
#define RD_LAW_WAYS_H

#include "law/plan.h"

/* Finds the ways into a value, whose names are resolved, from outside in: those of `outer`, which binds the cell or the
 * element, with these variables known. False where there is no memory, and the scope has failed. */
bool rd_law_find_ways(struct law_scope *scope, const struct law_node *value,
                      const struct law_binding *outer, struct law_ways *ways);

/* Finds the way from the cell of a claim, whose names are resolved, to the claim's variables. */
bool rd_law_find_cell(struct law_scope *scope, struct law_claim *claim);

#endif
