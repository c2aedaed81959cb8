// SPDX-License-Identifier: MIT
/* Undefined arithmetic of kernels: what the compiler's own checks call (arithmetic.c), and how a
 * thread then goes on with the value of a GPU (resume.c). Private. */
#ifndef RD_SIM_ARITHMETIC_H
#define RD_SIM_ARITHMETIC_H

#include "device/sim/engine/core.h"

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

/* Which instruction a signal with this context has come at; 0 where that is not known. */
uintptr_t rd_sim_next_instruction(const void *context);

#endif
