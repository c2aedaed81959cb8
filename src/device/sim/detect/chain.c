// SPDX-License-Identifier: MIT
/* Clocks that a cell's strong writes have released: to all threads, and to those of each block. */
#include "device/sim/detect/chain.h"
#include "device/sim/detect/cell.h"
#include "device/sim/engine/threads.h"

#include <stdlib.h>
#include <string.h>

/* Clock released to the threads of one block. */
struct rd_sim_near {
    bool used;
    uint64_t block;
    const struct rd_sim_clock *released;
};

static struct rd_sim_near *find_near(struct rd_sim_near *near, size_t capacity, uint64_t block)
{
    size_t k = (size_t)(block * 0x9e3779b97f4a7c15u >> 32);
    while (near[k & (capacity - 1)].used && near[k & (capacity - 1)].block != block)
        k++;
    return &near[k & (capacity - 1)];
}

static bool grow_near(struct rd_sim_chain *chain)
{
    size_t capacity = chain->near_capacity ? 2 * chain->near_capacity : 4;
    struct rd_sim_near *grown = calloc(capacity, sizeof *grown);
    if (!grown)
        return false;
    for (size_t k = 0; k < chain->near_capacity; k++)
        if (chain->near[k].used)
            *find_near(grown, capacity, chain->near[k].block) = chain->near[k];
    free(chain->near);
    chain->near = grown;
    chain->near_capacity = capacity;
    return true;
}

const struct rd_sim_clock *rd_sim_chain_near(const struct rd_sim_chain *chain, uint64_t block)
{
    return chain->near_capacity > 0 ? find_near(chain->near, chain->near_capacity, block)->released
                                    : NULL;
}

void rd_sim_chain_add_near(struct rd_sim_chain *chain, const struct rd_sim_clock *released)
{
    if (!released)
        return;
    if (2 * (chain->n_near + 1) > chain->near_capacity && !grow_near(chain)) {
        rd_sim_exact_fails("no memory for the order of its accesses");
        return;
    }
    struct rd_sim_near *near =
        find_near(chain->near, chain->near_capacity, rd_sim_here->core.block);
    chain->n_near += !near->used;
    near->used = true;
    near->block = rd_sim_here->core.block;
    near->released = rd_sim_clock_join(near->released, released);
}

void rd_sim_chain_withdraw(struct rd_sim_chain *chain)
{
    chain->far = NULL;
    if (chain->n_near > 0)
        memset(chain->near, 0, chain->near_capacity * sizeof *chain->near);
    chain->n_near = 0;
}

void rd_sim_chain_break(struct rd_sim_chain *chain)
{
    chain->start = chain->last;
    rd_sim_chain_withdraw(chain);
}

void rd_sim_chain_finish(struct rd_sim_chain *chain)
{
    free(chain->near);
    *chain = (struct rd_sim_chain){.last = 0};
}

bool rd_sim_chain_copy(struct rd_sim_chain *to, const struct rd_sim_chain *from)
{
    size_t size_bytes = from->near_capacity * sizeof *from->near;
    *to = *from;
    if (!from->near)
        return true;
    to->near = malloc(size_bytes);
    if (!to->near) {
        to->near_capacity = to->n_near = 0;
        return false;
    }
    memcpy(to->near, from->near, size_bytes);
    return true;
}

void rd_sim_chain_visit(struct rd_sim_chain *chain, void (*keep)(const struct rd_sim_clock **root))
{
    keep(&chain->far);
    keep(&chain->heard);
    for (size_t k = 0; k < chain->near_capacity; k++)
        keep(&chain->near[k].released);
}
