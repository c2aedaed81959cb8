// SPDX-License-Identifier: MIT
/* The records of an exact launch. As long as a plain access by one thread stands for all accesses to a
 * granule, its record is as in record.h, with no flags. Else it is a cell: the list of all accesses that are
 * not yet stood for by a later one.
 *
 * A later access N stands for an earlier E that came before it if whatever races with E races with N: what is
 * not ordered behind E is not ordered behind N, since order is transitive, and N conflicts with all that E
 * conflicts with.
 *
 * Strong writes to one location come one after the other for all that see them: so a strong write is also
 * before a strong access that goes on with its chain (causality.h), which has seen it, and before all that is
 * ordered behind such a witness (PTX ISA, "Causality Order"). That is so for accesses to this location only. */
#ifndef RD_SIM_CELL_H
#define RD_SIM_CELL_H

#include "device/sim/detect/attempt.h"

/* The record after the access, `record` before it; both are of the bytes at `address`. `init` is RD_INIT
 * or 0, as it is to be in the record. */
uint64_t rd_sim_cell_step(uint64_t record, uint64_t init, uintptr_t address,
                          struct rd_sim_attempt *a);

/* Tells whether a thread of the running block has written there, and the running thread does not know of it, or is the
 * one that did, since the block's last barrier. *thread: that thread. */
bool rd_sim_cell_is_written(uint64_t record, unsigned *thread);

/* The record of a cell has become those of four bytes: each gets a cell of its own. */
void rd_sim_cell_split(uint64_t record, uint64_t records[4]);
/* Every clock in them. */
void rd_sim_cells_visit_chains(void (*keep)(const struct rd_sim_clock **root));

#endif
