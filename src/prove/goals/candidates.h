// SPDX-License-Identifier: MIT
/* Candidates for facts, and what provers say to them. Private to the making of goals. */
#ifndef RD_PROVE_CANDIDATES_H
#define RD_PROVE_CANDIDATES_H

#include "prove/goals/subject.h"

struct rd_candidates {
    struct rd_proof proof;
    size_t *fact_of; /* of each goal */
    /* Drops those alone of which a model of small numbers shows that they are false, several at once: what is left is asked one by
     * one. It is for facts that are hypotheses, too, so that with each that is dropped all others are asked again. */
    bool by_models;
};

struct rd_candidates rd_candidates_of(struct rd_proof_subject *subject);
/* Adds the question whether the goal follows, on which the fact of that number depends. */
void rd_candidates_ask_for(struct rd_proof_subject *subject, struct rd_candidates *candidates,
                           size_t fact, const struct rd_term_list *hypotheses, rd_term goal,
                           const char *segment);
/* Asks them all, and calls `drop` for facts of which one is not proved, or with `by_models` is refuted; tells whether there were
 * any. Frees the candidates. */
bool rd_candidates_drop(struct rd_proof_subject *subject, struct rd_candidates *candidates,
                        void (*drop)(void *self, size_t fact), void *self);

#endif
