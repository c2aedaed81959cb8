// SPDX-License-Identifier: MIT
/* What was proved before, by the text of the query: in $XDG_CACHE_HOME/reductio/proofs. Private to the solver. */
#ifndef RD_PROVE_CACHE_H
#define RD_PROVE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct rd_proof_cache {
    int folder; /* -1: no cache */
    bool has_grown;
};

/* No cache where there is no place for one that is the user's alone: nobody has asked for it. */
void rd_proof_cache_open(struct rd_proof_cache *cache);
/* Tells whether that prover, by name and version, has proved the very text, and in what time. */
bool rd_proof_cache_has(struct rd_proof_cache *cache, const char *prover, const char *text,
                        double *seconds);
void rd_proof_cache_add(struct rd_proof_cache *cache, const char *prover, const char *text,
                        double seconds);
/* Removes the oldest where it has become too large. */
void rd_proof_cache_close(struct rd_proof_cache *cache);

#endif
