// SPDX-License-Identifier: MIT
/* Candidates that a model shows to be false, several at once. */
#ifndef RD_PROVE_REFUTE_H
#define RD_PROVE_REFUTE_H

#include "prove/solver.h"

/* Looks for models of small numbers in which goals are false, and sets these goals' answers to RD_ANSWER_REFUTED. Goals that stand
 * behind each other and have the same hypotheses are asked together. Such an answer is trusted in nothing but that a candidate is
 * dropped: it is kept in the cache, and no prover is asked for it again. RD_ERROR_MEMORY, RD_ERROR_INTERRUPTED. */
enum rd_status rd_refute(struct rd_proof *proof, const struct rd_solver_options *options,
                         struct rd_error *error);

#endif
