// SPDX-License-Identifier: MIT
/* Provers: cvc5 and Z3 as processes, side by side, and what they have proved before. */
#ifndef RD_PROVE_SOLVER_H
#define RD_PROVE_SOLVER_H

#include "prove/logic/proof.h"

#include <signal.h>

struct rd_prover_pool;

struct rd_solver_options {
    struct rd_prover_pool *pool; /* optional: provers that more than one proof asks */
    double timeout_s;            /* for a goal, of each prover's own time; 0: the default, 10 */
    unsigned jobs;               /* goals asked at a time; 0: as many as there are processors */
    const char *directory;       /* optional: each query is written into it */
    bool no_cache;
    /* A goal that isn't proved may be OPEN where a counterexample would take more time. */
    bool proofs_only;
    /* Of each goal just a counterexample of small numbers is looked for, and not for long. */
    bool models_only;
    bool known_only; /* starts no prover: a goal that the cache doesn't know is OPEN */
    const volatile sig_atomic_t *interrupted; /* optional: non-zero ends it */
    /* Optional: called after each goal, in the order of the goals. */
    void (*asked)(void *self, const struct rd_proof *proof, const struct rd_proof_goal *goal);
    void *self;
};

/* Asks the provers for all goals of the proof, and sets their answers: RD_OK also where goals are open or refuted, or no prover is
 * there. `options` may be NULL. RD_ERROR_MEMORY, RD_ERROR_INTERRUPTED, RD_ERROR_INPUT: the directory can't be written. */
enum rd_status rd_solver_ask(struct rd_proof *proof, const struct rd_solver_options *options,
                             struct rd_error *error);

/* Names and versions of the provers found, "cvc5 1.0.3, Z3 4.8.12", or what to install. */
void rd_solver_names(char *text, size_t size_bytes);

/* Refutes candidates, several at once: looks for models of small numbers in which goals are false, and sets these goals' answers to RD_ANSWER_REFUTED. Goals that stand
 * behind each other and have the same hypotheses are asked together. Such an answer is trusted in nothing but that a candidate is
 * dropped: it is kept in the cache, and no prover is asked for it again. RD_ERROR_MEMORY, RD_ERROR_INTERRUPTED. */
enum rd_status rd_refute(struct rd_proof *proof, const struct rd_solver_options *options,
                         struct rd_error *error);

#endif
