// SPDX-License-Identifier: MIT
/* The cells that claims name at a place. Private to src/law. */
#ifndef RD_LAW_CLAIMS_H
#define RD_LAW_CLAIMS_H

#include "law/run.h"

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

#endif
