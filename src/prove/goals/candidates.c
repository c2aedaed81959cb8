// SPDX-License-Identifier: MIT
/* Candidates are asked in a proof of their own, which is thrown away. */
#include "prove/goals/candidates.h"
#include "prove/solver/solver.h"

#include <stdlib.h>

struct rd_candidates rd_candidates_of(struct rd_proof_subject *subject)
{
    return (struct rd_candidates){.proof = {.name = subject->proof->name, .terms = subject->terms}};
}

void rd_candidates_ask_for(struct rd_proof_subject *subject, struct rd_candidates *candidates,
                           size_t fact, const struct rd_term_list *hypotheses, rd_term goal,
                           const char *segment)
{
    struct rd_proof *kept = subject->proof;
    /* In a proof of its own, as a goal that is there already is not added again: two candidates may come to one goal. */
    struct rd_proof own = {.name = kept->name, .terms = subject->terms};
    const size_t before = candidates->proof.count;
    const bool values_only = subject->values_only;
    subject->proof = &own;
    subject->values_only = false; /* what isn't asked would be taken for granted */
    rd_subject_add_goal(subject, RD_PROOF_FACT, segment, "a candidate", hypotheses, NULL, goal);
    subject->proof = kept;
    subject->values_only = values_only;
    if (own.count == 0)
        return;
    size_t *grown = realloc(candidates->fact_of, (before + 1) * sizeof *candidates->fact_of);
    if (grown)
        candidates->fact_of = grown;
    struct rd_proof_goal *added =
        grown ? rd_proof_add(&candidates->proof, RD_PROOF_FACT, "a candidate") : NULL;
    if (added)
        *added = own.goals[0];
    else
        rd_term_list_finish(&own.goals[0].hypotheses);
    free(own.goals);
    if (!added) {
        rd_subject_fail_by(subject, RD_ERROR_MEMORY, "no memory for a proof");
        return;
    }
    /* Candidates may contradict each other: then one of them is dropped before long. */
    candidates->proof.goals[before].n_base = 0;
    candidates->proof.goals[before].may_be_void = true;
    candidates->fact_of[before] = fact;
}

static void finish(struct rd_candidates *candidates)
{
    for (size_t k = 0; k < candidates->proof.count; k++) {
        rd_term_list_finish(&candidates->proof.goals[k].hypotheses);
        free(candidates->proof.goals[k].model);
    }
    free(candidates->proof.goals);
    free(candidates->fact_of);
}

bool rd_candidates_drop(struct rd_proof_subject *subject, struct rd_candidates *candidates,
                        void (*drop)(void *self, size_t fact), void *self)
{
    const struct rd_solver_options options = {
        .pool = subject->options ? subject->options->pool : NULL,
        .timeout_s = 2,
        .proofs_only = true,
        .interrupted = subject->options ? subject->options->interrupted : NULL,
        .known_only = subject->options && subject->options->known_only,
    };
    struct rd_error error = {.text = ""};
    const enum rd_answer kept = candidates->by_models ? RD_ANSWER_NONE : RD_ANSWER_PROVED;
    bool dropped = false;
    if (rd_subject_goes(subject)) {
        const enum rd_status status = candidates->by_models
                                          ? rd_refute(&candidates->proof, &options, &error)
                                          : rd_solver_ask(&candidates->proof, &options, &error);
        if (status != RD_OK)
            rd_subject_fail_by(subject, status, error.text);
    }
    for (size_t k = 0; k < candidates->proof.count && rd_subject_goes(subject); k++) {
        if (candidates->proof.goals[k].answer == kept)
            continue;
        dropped = true;
        drop(self, candidates->fact_of[k]);
    }
    finish(candidates);
    return dropped;
}

static void ignore(void *self, size_t fact)
{
    (void)self;
    (void)fact;
}

bool rd_subject_follows(struct rd_proof_subject *subject, const struct rd_term_list *hypotheses,
                        rd_term goal)
{
    struct rd_candidates candidates = rd_candidates_of(subject);
    rd_candidates_ask_for(subject, &candidates, 0, hypotheses, goal, "");
    return !rd_candidates_drop(subject, &candidates, ignore, NULL);
}
