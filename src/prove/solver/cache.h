// SPDX-License-Identifier: MIT
/* Answers of earlier runs, by the text of the query, in $XDG_CACHE_HOME/reductio/proofs: `unsat` of goals and `sat` of hypotheses.
 * Private to the solver. */
#ifndef RD_PROVE_CACHE_H
#define RD_PROVE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct rd_proof_cache {
    int folder; /* -1: no cache */
    bool has_grown;
};

/* Opens it. There is none where no folder can be had that is the user's alone: that is no error. */
void rd_proof_cache_open(struct rd_proof_cache *cache);
struct rd_proof_entry {
    const char *prover; /* by name and version */
    const char *answer; /* "unsat", "sat"; of a candidate, that it was false in a model */
    const char *text;   /* the query */
    double seconds;
};

/* Tells whether that prover has given that answer to the very text, and in what time. */
bool rd_proof_cache_has(struct rd_proof_cache *cache, struct rd_proof_entry *entry);
void rd_proof_cache_add(struct rd_proof_cache *cache, const struct rd_proof_entry *entry);
/* Removes the oldest where it has become too large. */
void rd_proof_cache_close(struct rd_proof_cache *cache);

#endif
