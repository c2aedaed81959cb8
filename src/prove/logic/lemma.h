// SPDX-License-Identifier: MIT
/* Facts about integers that provers don't find by themselves: halving, quotients, strides, powers of two. Each is a goal of its own,
 * for all integers, that a prover is asked on each run; a goal gets instances of it, for the terms that occur in it. */
#ifndef RD_PROVE_LEMMA_H
#define RD_PROVE_LEMMA_H

#include "prove/logic/proof.h"

/* Adds the instances that may help to `instances`, of the first sort, and with `more` of those that are many. */
void rd_lemma_instances(struct rd_terms *terms, const struct rd_proof_goal *goal, bool more,
                        struct rd_term_list *instances);

/* Adds the values of pow2, log2 and bit_ceil, and which numbers are powers of two, for arguments up to 2^exponents, and that arguments
 * are no larger: a model of these facts has the true functions. Tells whether the goal has such a function. */
bool rd_lemma_tables(struct rd_terms *terms, const struct rd_proof_goal *goal, int exponents,
                     struct rd_term_list *facts);

/* Adds the lemmas themselves as goals (RD_PROOF_FACT), which a run asks once, as a proof of their own, before any that uses them.
 * Those of powers of two are inductions, and one is of bit vectors. RD_ERROR_MEMORY. */
enum rd_status rd_lemma_goals(struct rd_proof *proof, struct rd_error *error);

#endif
