// SPDX-License-Identifier: MIT
/* Facts about integers that provers don't find by themselves: halving, quotients, strides, powers of two. Each is a goal of its own,
 * for all integers, that a prover is asked on each run; a goal gets instances of it, for the terms that occur in it. */
#ifndef RD_PROVE_LEMMA_H
#define RD_PROVE_LEMMA_H

#include "prove/goal.h"

/* Adds the instances that may help to `instances`, of the first sort, and with `more` of those that are many. */
void rd_lemma_instances(struct rd_terms *terms, const struct rd_proof_goal *goal, bool more,
                        struct rd_term_list *instances);

/* Adds the lemmas themselves as goals (RD_PROOF_FACT) to the proof. Those of powers of two are asked in bit vectors or as inductions. */
void rd_lemma_goals(struct rd_proof *proof);

#endif
