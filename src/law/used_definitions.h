// SPDX-License-Identifier: MIT
/* Lists the definitions that a law speaks of, for printers that explain them. Private to src/law. */
#ifndef RD_LAW_USED_DEFINITIONS_H
#define RD_LAW_USED_DEFINITIONS_H

#include "law/tree.h"

/* Definitions, each once, in the order in which they are met. Starts as zeros, with `run` set where the law is printed at the
 * place of a run: its numbers stand as numbers there, and claims are those of which the condition holds. */
struct law_used {
    struct rd_law_run *run;
    const struct law_definition **list;
    size_t count, capacity;
    bool failed; /* no memory */
};

/* Adds those that the claim speaks of, and those that these speak of. */
void rd_law_used_add(struct law_used *used, const struct law_claim *claim);
/* Adds those that the ranges of listed arrays speak of; call it behind the last claim. */
void rd_law_used_close(struct law_used *used);
void rd_law_used_finish(struct law_used *used);

#endif
