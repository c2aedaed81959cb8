// SPDX-License-Identifier: MIT
/* A proof as sentences, in the order in which one would teach them: how it begins, what a round does to the sets of inputs, what it
 * leaves alone, that threads don't disturb each other, that the rounds end, and what is then reached. */
#ifndef RD_PROVE_SENTENCES_H
#define RD_PROVE_SENTENCES_H

#include "prove/logic/proof.h"
#include "reductio/program.h"

struct rd_proof_sentence {
    const char *topic; /* "at first", "in each round", … */
    enum rd_proof_obligation obligation;
    const char *segment; /* of the goals, where the sentence is of one; else "" */
    const char *text;    /* "when thread < w': {…} and {…} are disjoint, and together {…}" */
    size_t n_goals;      /* that say so */
};

struct rd_proof_sentences {
    /* "w is n div 2^d, and w' what it is after the round"; "": no names are used. */
    const char *names;
    size_t count, capacity;
    struct rd_proof_sentence *list;
};

/* Makes sentences of all goals, whatever their answers; the texts live as long as the proof. The caller calls
 * rd_proof_sentences_finish(). RD_ERROR_MEMORY. */
enum rd_status rd_proof_sentences_init(struct rd_proof_sentences *sentences,
                                       const struct rd_program *program,
                                       const struct rd_proof *proof, struct rd_error *error);
void rd_proof_sentences_finish(struct rd_proof_sentences *sentences);

#endif
