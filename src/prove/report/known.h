// SPDX-License-Identifier: MIT
/* What is known of a program's proof without asking a prover: its goals and the lemmas, each with the answer that the cache has of the
 * very text. */
#ifndef RD_PROVE_KNOWN_H
#define RD_PROVE_KNOWN_H

#include "prove/logic/proof.h"
#include "reductio/program.h"

struct rd_known_proof {
    struct rd_proof proof, lemmas;
    bool is_proved;        /* all of them are */
    const char *otherwise; /* why it isn't known to be: a sentence, which names the command; "" */
    char text[400];
};

/* Makes the goals and looks them up, which takes a second at most; where no proof of the program was noted, not even that. The caller
 * calls rd_known_proof_finish(). RD_ERROR_MEMORY. */
enum rd_status rd_known_proof_init(struct rd_known_proof *known, const struct rd_program *program,
                                   struct rd_error *error);
void rd_known_proof_finish(struct rd_known_proof *known);

/* Notes in the cache that all goals of the program were proved, so that it is worth while to look them up. It is no proof. */
void rd_known_proof_note(const struct rd_program *program);

#endif
