// SPDX-License-Identifier: MIT
#include "prove/prover_pool.h"

#include <stdlib.h>

/* Questions, after which a prover is started anew: what it may not have given back is given back then. */
enum { QUESTIONS_MAX = 200 };

struct rd_prover_pool *rd_prover_pool_create(void)
{
    struct rd_prover_pool *pool = calloc(1, sizeof *pool);
    if (pool)
        rd_provers_find(&pool->provers);
    return pool;
}

void rd_prover_pool_destroy(struct rd_prover_pool *pool)
{
    for (unsigned prover = 0; pool && prover < RD_PROVER_COUNT; prover++)
        for (unsigned k = 0; k < pool->n_idle[prover]; k++)
            rd_prover_finish(&pool->idle[prover][k]);
    free(pool);
}

bool rd_prover_pool_ask(struct rd_prover_pool *pool, struct rd_prover_process *process,
                        unsigned prover, const char *query, double limit_s)
{
    while (pool->n_idle[prover] > 0) {
        *process = pool->idle[prover][--pool->n_idle[prover]];
        if (rd_prover_is_ready(process))
            return rd_prover_ask(process, query, limit_s);
        rd_prover_finish(process);
    }
    return rd_prover_start(process, prover, query, limit_s);
}

void rd_prover_pool_take(struct rd_prover_pool *pool, struct rd_prover_process *process)
{
    unsigned *n = &pool->n_idle[process->prover];
    if (*n < RD_PROVER_IDLE_MAX && process->n_asked < QUESTIONS_MAX &&
        rd_prover_is_ready(process)) {
        pool->idle[process->prover][(*n)++] = *process;
        process->process = 0;
        process->text = process->question = NULL;
    }
    rd_prover_finish(process);
}
