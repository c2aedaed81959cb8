// SPDX-License-Identifier: MIT
/* The cells that claims name, with their inputs. Private to src/law. */
#ifndef RD_LAW_CELLS_H
#define RD_LAW_CELLS_H

#include "law/claims.h"
#include "law/inputs.h"

/* Those of the claims at the run's place. With `states`, the values may speak of arrays, and *unknown is handed out: of
 * each cell, whether it is made of one of which nothing is known. The caller finishes the cells and frees *unknown. */
bool rd_law_collect(struct rd_law_run *run, const struct law_claims *claims, int input,
                    struct law_states *states, struct rd_law_cells *cells, bool **unknown);

#endif
