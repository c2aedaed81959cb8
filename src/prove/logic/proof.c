// SPDX-License-Identifier: MIT
#include "prove/logic/proof.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [RD_PROOF_INITIALIZATION] = "initialization",
    [RD_PROOF_PRESERVATION_VALUE] = "preservation: what is written",
    [RD_PROOF_PRESERVATION_COVERAGE] = "preservation: what nobody writes",
    [RD_PROOF_PRESERVATION_FRAME] = "preservation: dead cells stay",
    [RD_PROOF_EXIT] = "exit",
    [RD_PROOF_NO_RACE] = "no race",
    [RD_PROOF_IN_BOUNDS] = "in bounds",
    [RD_PROOF_ARITHMETIC] = "arithmetic",
    [RD_PROOF_BARRIERS] = "barriers",
    [RD_PROOF_TERMINATION] = "termination",
    [RD_PROOF_HOST] = "host",
    [RD_PROOF_ROUNDING] = "rounding",
    [RD_PROOF_FACT] = "facts",
};
_Static_assert(sizeof names / sizeof *names == RD_PROOF_OBLIGATION_COUNT, "a name for each");

const char *rd_proof_obligation_name(enum rd_proof_obligation obligation)
{
    return names[obligation];
}

struct rd_proof_goal *rd_proof_add(struct rd_proof *proof, enum rd_proof_obligation obligation,
                                   const char *what)
{
    if (proof->count == proof->capacity) {
        const size_t capacity = 2 * proof->capacity + 16;
        struct rd_proof_goal *grown = realloc(proof->goals, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        proof->goals = grown;
        proof->capacity = capacity;
    }
    struct rd_proof_goal *goal = &proof->goals[proof->count++];
    *goal = (struct rd_proof_goal){
        .obligation = obligation,
        .what = what,
        .segment = "",
        .goal = rd_false(proof->terms),
    };
    return goal;
}

bool rd_proof_model_number(const char *model, const char *name, rd_wide *number)
{
    const size_t length = strlen(name);
    for (const char *line = model; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && strncmp(line + length, " = ", 3) == 0) {
            *number = strtoll(line + length + 3, NULL, 10);
            return true;
        }
    }
    return false;
}

void rd_proof_replay_clear(struct rd_proof_replay *replay)
{
    free(replay->run);
    free(replay->step);
    free(replay->what);
    free(replay->summary);
    replay->run = replay->step = replay->what = replay->summary = NULL;
    replay->fails = false;
}

void rd_proof_finish(struct rd_proof *proof)
{
    for (size_t k = 0; k < proof->count; k++) {
        rd_term_list_finish(&proof->goals[k].hypotheses);
        free(proof->goals[k].model);
    }
    free(proof->goals);
    rd_term_list_finish(&proof->required);
    rd_term_list_finish(&proof->required_paths);
    free(proof->not_covered);
    rd_proof_replay_clear(&proof->replay);
    rd_terms_destroy(proof->terms);
    *proof = (struct rd_proof){.name = ""};
}

enum rd_answer rd_proof_verdict(const struct rd_proof *proof)
{
    enum rd_answer verdict = proof->count > 0 ? RD_ANSWER_PROVED : RD_ANSWER_OPEN;
    if (proof->not_covered)
        return RD_ANSWER_OPEN;
    if (proof->replay.fails)
        return RD_ANSWER_REFUTED;
    for (size_t k = 0; k < proof->count; k++) {
        const enum rd_answer answer = proof->goals[k].answer;
        if (answer == RD_ANSWER_REFUTED)
            return RD_ANSWER_REFUTED;
        if (answer != RD_ANSWER_PROVED)
            verdict = RD_ANSWER_OPEN;
    }
    return verdict;
}
