// SPDX-License-Identifier: MIT
/* Undefined arithmetic of kernels: what the compiler's own checks call (arithmetic.c), and how a
 * thread then goes on with the value of a GPU (resume.c). Private. */
#ifndef RD_SIM_ARITHMETIC_H
#define RD_SIM_ARITHMETIC_H

#include "device/sim/object.h"
#include "device/sim/engine/event.h"

/* The processor's own way is known here. */
#if defined __x86_64__ && defined __linux__ && !defined RD_NO_ASSEMBLER
#define RD_SIM_RESUMES
#endif

/* The caller of the check is about to compute: makes ready for its instruction to be carried out
 * as a GPU does. Returns whether the processor is to stop at each instruction from the caller on. */
bool rd_sim_resume_begin(const struct rd_sim_event *event);

/* A signal has come, as of a division by zero, with this context: where the instruction can be carried
 * out as a GPU does, does so, and returns true. */
bool rd_sim_resume_division(void *context);

/* Returns the instruction at which a signal with this context came; 0: unknown. */
uintptr_t rd_sim_next_instruction(const void *context);

/* ---- results of a GPU where C++ leaves them undefined ---- */

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

/* Ends the process if a check of the compiler's, outside of kernels, is of our own code: a bug of ours. The host's code of a
 * user's file may do as it likes. */
void rd_sim_check_is_of_file(uintptr_t pc);

#endif
