// SPDX-License-Identifier: MIT
/* Races by their definition, worked out of all pairs of accesses from the order in which a program ran, as a
 * graph: no clock, and no summary. */
#ifndef EXACT_ORDER_H
#define EXACT_ORDER_H

#include "exact_program.h"
#include "device/sim/engine/event.h"

/* The program begins, on global memory or on that of each block. */
void exact_order_begin(bool memory_is_shared);

/* The thread has made an access or a fence. Nobody else has run since. */
void exact_order_happen(unsigned block, unsigned thread, const struct op *op);
/* Notes that the thread goes on behind the phase's barrier. */
void exact_order_pass(unsigned block, unsigned thread, unsigned phase);
void exact_order_exit(unsigned block, unsigned thread);

/* Tells whether the byte has raced; a byte of shared memory is that of this block. */
bool exact_order_has_raced(unsigned block, unsigned offset);
/* Tells whether the two threads named in a report have raced there. */
bool exact_order_have_raced(unsigned block, unsigned offset, const struct rd_sim_actor *actor,
                            const struct rd_sim_actor *other);

/* Prints the graph, for whoever has to find out why. */
void exact_order_print(unsigned block, unsigned offset);

#endif
