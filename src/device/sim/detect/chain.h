// SPDX-License-Identifier: MIT
/* The parts of a chain that its accesses change. Private to src/sim. */
#ifndef RD_SIM_CHAIN_H
#define RD_SIM_CHAIN_H

#include "device/sim/detect/causality.h"

/* Clock released to the threads of the block alone; NULL: nothing. */
const struct rd_sim_clock *rd_sim_chain_near(const struct rd_sim_chain *chain, uint64_t block);
/* Releases it to those of the running block. */
void rd_sim_chain_add_near(struct rd_sim_chain *chain, const struct rd_sim_clock *released);
/* Withdraws what was released: no thread reads any more what released it. */
void rd_sim_chain_withdraw(struct rd_sim_chain *chain);

#endif
