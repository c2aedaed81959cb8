// SPDX-License-Identifier: MIT
/* Provers that have answered, and wait for the next question: a start costs more than most questions do. */
#ifndef RD_PROVE_PROVER_POOL_H
#define RD_PROVE_PROVER_POOL_H

#include "prove/prover.h"

enum { RD_PROVER_IDLE_MAX = 64 };

struct rd_prover_pool {
    struct rd_provers provers;
    unsigned n_idle[RD_PROVER_COUNT];
    struct rd_prover_process idle[RD_PROVER_COUNT][RD_PROVER_IDLE_MAX];
};

/* Finds the provers; none is started yet. */
struct rd_prover_pool *rd_prover_pool_create(void);
/* Ends all that wait. */
void rd_prover_pool_destroy(struct rd_prover_pool *pool);

/* Asks one that waits, or a new one. *process is overwritten. False where none can be started, and `said` tells why. */
bool rd_prover_pool_ask(struct rd_prover_pool *pool, struct rd_prover_process *process,
                        unsigned prover, const char *query, double limit_s);
/* Takes it back, if it can be asked again, else ends it. */
void rd_prover_pool_take(struct rd_prover_pool *pool, struct rd_prover_process *process);

#endif
