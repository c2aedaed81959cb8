// SPDX-License-Identifier: MIT
/* What the right programs of several blocks share with the faults. */
#ifndef RD_MULTI_BLOCK_H
#define RD_MULTI_BLOCK_H

#include "block_fold.h"

/* A[0] = the sum of all inputs: the blocks' sums, added in their order. */
void rd_total_advance(struct rd_expect *expect, unsigned step);

#endif
