// SPDX-License-Identifier: MIT
/* Faults injected into a launch: threads that do not run, and barriers that nobody waits at. */
#ifndef RD_SIM_FAULT_INJECTION_H
#define RD_SIM_FAULT_INJECTION_H

#include "reductio/device.h"

typedef void rd_sim_thread_of(void *const *arguments);

/* A launch begins, of that kernel. Returns what each of its threads is to call. */
rd_sim_thread_of *rd_sim_omit_begin(struct rd_omission *omissions, unsigned count,
                                    rd_sim_thread_of *thread);
void rd_sim_omit_end(void);

/* Tells whether the barrier that the running thread has come to is left out. */
bool rd_sim_omit_barrier(void);

#endif
