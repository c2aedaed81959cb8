// SPDX-License-Identifier: MIT
/* Results of a GPU where C++ leaves them undefined. */
#ifndef RD_SIM_PTX_H
#define RD_SIM_PTX_H

#include "device/sim/engine/event.h"

/* shl and shr: amounts are unsigned numbers of 32 bits, and clamped to the width (PTX ISA, "shl",
 * "shr"). */
struct rd_sim_number rd_sim_ptx_shift(struct rd_sim_number value, uint64_t amount,
                                      bool to_the_left);

/* cvt.rzi, to integers of 32 and 64 bits, which nvcc then cuts for narrower types: out of range, the
 * nearest there is; of what is no number 0, or, where one of both types has 64 bits, the highest bit
 * alone (PTX ISA, "cvt"). `left` is the number, `right` the type. */
struct rd_sim_number rd_sim_ptx_convert(struct rd_sim_number from, struct rd_sim_number to);

/* div and rem. PTX leaves a division by zero open; the sequence that GPUs execute for it gives all
 * ones. Where both operands of a division of 64 bits fit into 32, nvcc divides those. The smallest
 * number by -1 wraps. */
void rd_sim_ptx_divide(struct rd_sim_number left, struct rd_sim_number right,
                       struct rd_sim_number *quotient, struct rd_sim_number *remainder);

/* The low bits of a number, and its sign above, where it has one. */
struct rd_sim_number rd_sim_number_of(char letter, unsigned bits, uint64_t value);
/* Value of a float. */
double rd_sim_number_real(struct rd_sim_number number);

#endif
