// SPDX-License-Identifier: MIT
/* What a value that a thread left was made of: of what it had read and taken since, and of what a
 * register of its had kept. Memory and shuffles are seen, and registers in between are not: which of
 * several ways it was is told by weights, as a sum of inputs weighs what they weigh together. Private
 * to src/history. */
#ifndef RD_HISTORY_DERIVE_H
#define RD_HISTORY_DERIVE_H

#include "reductio/history.h"

/* What the value of an access weighs, modulo 2^32 or 2^64: in how far it changes where the input a is
 * changed at random, and where b is. */
struct rd_weight {
    uint64_t of[2];
};

/* Accesses, and what links them; see rd_links. */
struct rd_deriving {
    const struct rd_access_list *list;
    const uint32_t *order, *position, *seen;
    const size_t *ends;              /* of launches, as for rd_links_init; NULL: it is one */
    const struct rd_weight *weights; /* of each access; NULL: they are not known */
    uint64_t mask;                   /* 2^32 - 1, or 2^64 - 1 */
};

enum rd_derived {
    RD_DERIVED,     /* the sources weigh what the value weighs */
    RD_DERIVED_NOT, /* no sources do: these are what was read since the thread left something last */
    RD_DERIVED_UNKNOWN, /* likewise, and nothing is weighed */
};

struct rd_derivation {
    enum rd_derived state;
    bool found; /* an atomic's value has in it what it found there */
    /* Accesses: what was read or taken, or what was left before, and kept in a register. */
    uint32_t *sources;
    size_t count, room;
    unsigned minus; /* a bit for each of the first sources: it was subtracted */
};

/* Derives the value that the access has left. False where there is no memory. */
bool rd_derive(const struct rd_deriving *deriving, uint32_t access,
               struct rd_derivation *derivation);
/* Appends an access to the sources. False where there is no memory. */
bool rd_derivation_add(struct rd_derivation *derivation, uint32_t access);
void rd_derivation_finish(struct rd_derivation *derivation);

#endif
