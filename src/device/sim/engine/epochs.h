// SPDX-License-Identifier: MIT
/* Epochs number what is told apart in time: each barrier of a block, each meeting of a warp, and, in an
 * exact launch, each fence begins a new one for the threads concerned. No two blocks share one. */
#ifndef RD_SIM_EPOCHS_H
#define RD_SIM_EPOCHS_H

#include "device/sim/engine/core.h"

/* A new epoch. Where the numbers run out, those in use change, and so do the records; an exact launch
 * is stopped instead. */
unsigned rd_sim_epoch_next(void);

/* Nothing that was before is compared with what follows: a launch begins, or all blocks have met. */
void rd_sim_epochs_launch(void);
/* core.block runs from here on, in a new epoch. */
void rd_sim_epochs_block(void);
/* The block that an epoch of this launch belongs to. */
uint64_t rd_sim_block_of(unsigned epoch);

/* How many were given in all, those of before a renumbering included. */
uint64_t rd_sim_epochs_given(void);
/* The epoch in a floor, or in a stamp. */
void rd_sim_epochs_visit_floor(uint64_t *bits, void (*visit)(unsigned *epoch));

#endif
